//! Comments, variations and tags.

use std::ops::ControlFlow;

use super::{GO, Last, Next, Part, Reader, once};
use crate::diag::Code;
use crate::pdn::lex::{self, Token};
use crate::pdn::lex_tag::{self, TagToken};
use crate::pdn::place::{Before, skip_blanks};
use crate::pdn::tree::DEEPEST_TOLD;
use crate::pdn::visitor::{Flow, RawTag, Visitor};

impl Reader<'_> {
    #[inline]
    pub(super) fn comment<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        self.tell_comment(visitor)?;
        self.game.interrupted = true;
        GO
    }

    /// Tells of the comment that begins here, in braces or to the end of the line.
    pub(super) fn tell_comment<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        let start = self.at;
        let end = self.comment_end(start);
        if let Some(code) = end.fault {
            self.fault(visitor, code, start, end.end)?;
        }
        let (text, span) = (&self.bytes[start + 1..end.inner], self.span(start, end.end));
        let remark = self.bytes[start] != b'{';
        if remark {
            visitor.line_comment(text, span)?;
        } else {
            visitor.comment(text, span)?;
        }
        // To the grammar a comment to the end of the line is white space.
        let still_open = remark && self.game.last == Last::Open;
        self.pass(end.end, if still_open { Last::Open } else { Last::Other });
        self.game.unclosed = end.fault == Some(Code::SYNTAX_UNCLOSED_COMMENT);
        Flow::Continue(())
    }

    pub(super) fn open<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        if let Ok((left, marks)) = lex::strength(self.rest()) {
            let end = self.bytes.len() - left.len();
            return self.strength(visitor, end - 1 - marks.len(), end - 1, end);
        }
        if self.is_prose() {
            let end = self.ends.prose(self.bytes, self.at);
            return self.stray(visitor, end.unwrap_or(self.at + 1), Code::SYNTAX_PROSE_IN_PARENTHESES);
        }
        if self.leads_nowhere(self.at) {
            let end = self.junk_end(self.at);
            return self.stray(visitor, end, Code::SYNTAX_STRAY_TEXT);
        }
        self.enter_moves(visitor)?;
        self.drop_number(visitor)?;
        if self.game.depth == 0 {
            self.game.opened = self.at;
        }
        if !self.game.has_move {
            self.fault(visitor, Code::MOVE_VARIATION_FIRST, self.at, self.at + 1)?;
        }
        self.game.depth += 1;
        if self.game.depth == DEEPEST_TOLD + 1 {
            self.once(visitor, once::DEEP, Code::REPLAY_DEEP_VARIATION, self.at, self.at + 1)?;
        }
        self.game.has_move = false;
        visitor.begin_variation(self.span(self.at, self.at + 1))?;
        self.pass(self.at + 1, Last::Open);
        GO
    }

    /// Whether the parenthesis that opens here holds text and no variation.
    pub(super) fn is_prose(&self) -> bool {
        let inner = skip_blanks(self.bytes, self.at + 1);
        match self.bytes.get(inner) {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => match self.lexed(inner) {
                Ok((_, Token::Move(_) | Token::Result(_))) => false,
                Ok((left, Token::Number { .. } | Token::Typo(_) | Token::Digits(_))) => {
                    let next = skip_blanks(self.bytes, self.bytes.len() - left.len());
                    let known = matches!(self.bytes.get(next), Some(b'(' | b')' | b'.' | b'$'));
                    !known && !self.move_follows(next) && self.misspelt_end(next).is_none()
                }
                _ => self.misspelt_end(inner).is_none(),
            },
            Some(b'{' | b'(' | b')' | b'$' | b'/' | b'*' | b'-' | b'.' | b'!' | b'?' | b'%' | b';') | None => false,
            Some(_) => true,
        }
    }

    pub(super) fn close<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let end = self.at + 1;
        if self.game.depth == 0 {
            return self.stray(visitor, end, Code::SYNTAX_UNOPENED_VARIATION);
        }
        if self.game.last == Last::Open {
            self.fault(visitor, Code::SYNTAX_EMPTY_VARIATION, self.at, end)?;
        }
        self.drop_number(visitor)?;
        self.game.depth -= 1;
        // A variation stands behind the move that it replaces, or before the first one, which is rare.
        self.game.has_move = true;
        visitor.end_variation(self.span(self.at, end))?;
        self.pass(end, Last::Other);
        GO
    }

    #[inline]
    pub(super) fn bracket<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        if let Some(tag) = lex_tag::tag(self.rest(), false) {
            return self.tag(visitor, &tag);
        }
        let loose = self.game.part != Part::Moves || Before::new(self.bytes, self.at).line_start();
        match lex_tag::tag(self.rest(), loose) {
            Some(tag) => self.tag(visitor, &tag),
            None => self.stray(visitor, self.at + 1, Code::SYNTAX_STRAY_BRACKET),
        }
    }

    pub(super) fn tag<V: Visitor>(&mut self, visitor: &mut V, tag: &TagToken) -> ControlFlow<(), Next> {
        if self.game.part == Part::Moves {
            return ControlFlow::Continue(Next::Cut);
        }
        let start = self.at;
        let within = |range: &std::ops::Range<usize>| (start + range.start, start + range.end);
        let (from, to) = within(&tag.name);
        let name = &self.bytes[from..to];
        if self.is_next_game(name) {
            return ControlFlow::Continue(Next::Cut);
        }
        let end = start + tag.len;
        self.drop_number(visitor)?;
        for code in tag.faults.iter().flatten() {
            self.fault(visitor, *code, start, end)?;
        }
        let (from, to) = within(&tag.value);
        let value = &self.bytes[from..to];
        if name == b"Result" {
            self.game.score = score_of(value);
        }
        visitor.tag(RawTag { name, value, span: self.span(start, end), value_span: self.span(from, to) })?;
        self.pass(end, Last::Other);
        self.game.part = Part::Tags;
        self.game.interrupted = false;
        GO
    }

    /// Whether the tag of that name, in a game that has no moves yet, belongs to the next one.
    pub(super) fn is_next_game(&mut self, name: &[u8]) -> bool {
        let bit = match name {
            b"Event" => once::EVENT,
            b"FEN" => once::FEN,
            _ => 0,
        };
        let again = self.game.seen & bit != 0;
        let commented = self.game.interrupted && self.game.part == Part::Tags;
        if (again || commented) && Before::new(self.bytes, self.at).blank_line() {
            return true;
        }
        self.game.seen |= bit;
        false
    }
}

/// The value of a Result tag, if no token of the grammar can stand for it.
fn score_of(value: &[u8]) -> Option<&[u8]> {
    let value = value.trim_ascii();
    let known = match value {
        [] | b"*" | b"?" | b"-" => true,
        _ => matches!(lex::digits(value), Ok(([], Token::Result(_)))),
    };
    // Runs of blanks are written as one space, and would not be found again; a star ends a game by itself.
    let folded = value.windows(2).any(|pair| pair.iter().all(u8::is_ascii_whitespace)) || value.contains(&b'*');
    (!known && !folded && value.iter().any(u8::is_ascii_digit)).then_some(value)
}
