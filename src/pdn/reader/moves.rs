//! Numbers and moves.

use std::ops::ControlFlow;

use super::{GO, Last, Next, Part, Reader, dots, once};
use crate::diag::Code;
use crate::pdn::lex::{self, Marks, Token};
use crate::pdn::place::skip_blanks;
use crate::pdn::tree::WrittenNumber;
use crate::pdn::visitor::{Flow, Visitor};

impl Reader<'_> {
    /// Digits alone: the number of the move behind them, or stray.
    pub(super) fn digits<V: Visitor>(&mut self, visitor: &mut V, value: u32, end: usize) -> ControlFlow<(), Next> {
        let next = skip_blanks(self.bytes, end);
        let period = dots(&self.bytes[next..]);
        let glued = self.glued();
        if period > 0 && self.move_follows(next + period) {
            self.fault(visitor, Code::SYNTAX_NUMBER_WITHOUT_DOT, self.at, end)?;
            return self.number(visitor, value, period.min(255) as u8, next + period);
        }
        let plain = matches!(self.bytes.get(next), Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z'));
        if value < 1000 && !glued && plain && self.move_follows(next) {
            self.fault(visitor, Code::SYNTAX_NUMBER_WITHOUT_DOT, self.at, end)?;
            return self.number(visitor, value, 1, end);
        }
        self.words(visitor)
    }

    #[inline]
    pub(super) fn number<V: Visitor>(
        &mut self,
        visitor: &mut V,
        value: u32,
        dots: u8,
        end: usize,
    ) -> ControlFlow<(), Next> {
        if self.game.part != Part::Lead {
            self.enter_moves(visitor)?;
        }
        if self.game.number.is_some() {
            self.drop_number(visitor)?;
        }
        self.game.number = Some((WrittenNumber { value, dots }, self.at, end));
        self.pass(end, Last::Other);
        GO
    }

    /// A number that no move follows.
    #[cold]
    pub(super) fn drop_number<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some((_, from, to)) = self.game.number.take() {
            self.fault(visitor, Code::SYNTAX_NUMBER_WITHOUT_MOVE, from, to)?;
            visitor.stray(&self.bytes[from..to], self.span(from, to))?;
        }
        Flow::Continue(())
    }

    /// Tells the number of the move that is told next.
    #[inline]
    pub(super) fn tell_number<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some((number, from, to)) = self.game.number.take() {
            visitor.number(number, self.span(from, to))?;
        }
        Flow::Continue(())
    }

    #[inline]
    pub(super) fn movement<V: Visitor>(&mut self, visitor: &mut V, marks: Marks, end: usize) -> ControlFlow<(), Next> {
        let start = self.at;
        if marks.faulty() {
            if marks.has(Marks::GLUED) && self.game.number.is_none() && self.leads_nowhere(start) {
                return self.words(visitor);
            }
            self.odd_move(visitor, marks, end)?;
        }
        self.enter_moves(visitor)?;
        let mut end = end;
        if marks.has(Marks::CAPTURE) {
            end = self.more_jumps(visitor, end)?;
        }
        if let [b'<', ..] | [b' ', b' ' | b'<', ..] = self.bytes[end..] {
            end = self.captured(visitor, end)?;
        }
        self.tell_number(visitor)?;
        visitor.move_text(&self.bytes[start..end], self.span(start, end))?;
        self.pass(end, Last::Move);
        self.game.has_move = true;
        self.tell_strength(visitor)?;
        GO
    }

    #[cold]
    pub(super) fn odd_move<V: Visitor>(&mut self, visitor: &mut V, marks: Marks, end: usize) -> Flow {
        let (start, all) = (
            self.at,
            [
                (Marks::DASHED, Code::SYNTAX_DASHED_CAPTURE),
                (Marks::ODD_SEPARATOR, Code::SYNTAX_ODD_SEPARATOR),
                (Marks::GLUED, Code::SYNTAX_MISSING_SEPARATOR),
            ],
        );
        for (mark, code) in all {
            if marks.has(mark) {
                self.fault(visitor, code, start, end)?;
            }
        }
        if marks.has(Marks::ULTRA_SHORT) {
            self.once(visitor, once::ULTRA_SHORT, Code::SYNTAX_ULTRA_SHORT, start, end)?;
        }
        if marks.has(Marks::UPPER) {
            self.once(visitor, once::UPPER_CASE, Code::SYNTAX_UPPER_CASE, start, end)?;
        }
        Flow::Continue(())
    }

    /// The end of a capture written jump by jump: `11x18 18x25` is one move.
    #[inline]
    pub(super) fn more_jumps<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> ControlFlow<(), usize> {
        let square = last_square(&self.bytes[self.at..end]);
        let next = skip_blanks(self.bytes, end);
        // The first byte tells nearly always.
        if next == end || self.bytes.get(next) != square.first() {
            return ControlFlow::Continue(end);
        }
        self.next_jumps(visitor, end)
    }

    pub(super) fn next_jumps<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> ControlFlow<(), usize> {
        let mut end = end;
        loop {
            let text = &self.bytes[self.at..end];
            let square = last_square(text);
            let next = skip_blanks(self.bytes, end);
            // No square has three digits: what looks like one is something else.
            let whole = !text[..text.len() - square.len()].last().is_some_and(u8::is_ascii_digit);
            let follows = whole && next > end && self.bytes[next..].starts_with(square);
            if !follows || !matches!(self.bytes.get(next + square.len()), Some(b'x' | b':' | b'X')) {
                return ControlFlow::Continue(end);
            }
            let Ok((left, Token::Move(marks))) = self.lexed(next) else { return ControlFlow::Continue(end) };
            if !marks.has(Marks::CAPTURE) || marks.faulty() {
                return ControlFlow::Continue(end);
            }
            end = self.bytes.len() - left.len();
            self.fault(visitor, Code::MOVE_SPLIT_CAPTURE, next, end)?;
        }
    }

    #[cold]
    pub(super) fn captured<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> ControlFlow<(), usize> {
        let Ok((left, _)) = lex::captured_list(&self.bytes[end..]) else { return ControlFlow::Continue(end) };
        let list_end = self.bytes.len() - left.len();
        self.fault(visitor, Code::SYNTAX_CAPTURED_LIST, skip_blanks(self.bytes, end), list_end)?;
        ControlFlow::Continue(list_end)
    }

    /// Tells the marks that stood in front of the move just told.
    #[inline]
    pub(super) fn tell_strength<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some((from, to)) = self.game.strength.take() {
            visitor.strength(&self.bytes[from..to], self.span(from, to))?;
        }
        Flow::Continue(())
    }
}

/// The square that the move ends with, with its file if it has one.
#[inline]
fn last_square(text: &[u8]) -> &[u8] {
    let [.., third, second, _] = text else { return text };
    let digits = 1 + usize::from(second.is_ascii_digit());
    let before = if digits == 2 { third } else { second };
    &text[text.len() - digits - usize::from(before.is_ascii_alphabetic() && *before != b'x')..]
}
