//! Text between games, and games that deviate from the grammar where they begin or end.

use std::ops::ControlFlow;

use nom::Parser;
use nom::branch::alt;

use super::text::{odd_ellipsis, parentheses, typed_escape, word};
use super::{Token, bare_fen, odd_tag};
use crate::diag::{Code, Span};
use crate::pdn::grammar::primitive::{line, run};
use crate::pdn::grammar::{Deviations, ellipsis, marks, open_setup};
use crate::pdn::reader::{Reader, SpaceBefore, led_game_begins, same_line, skip_whitespace};
use crate::pdn::visitor::{Fault, Flow, Visitor};
use crate::text::whitespace::is_skipped;

impl Reader<'_> {
    /// Advances to the start of the next game; returns false if there is none.
    pub(in crate::pdn) fn find_game<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), bool> {
        loop {
            self.skip_between_games(visitor)?;
            let Some(&byte) = self.bytes.get(self.at) else { return ControlFlow::Continue(false) };
            if self.starts_game(self.at) || self.leads_game(byte) {
                return ControlFlow::Continue(true);
            }
            let (end, code) = self.text_between_games(byte);
            self.report_outside(visitor, code, self.at, end)?;
            self.at = end;
        }
    }

    #[cold]
    fn report_outside<V: Visitor>(&self, visitor: &mut V, code: Code, start: usize, end: usize) -> Flow {
        let text = &self.bytes[start..end];
        visitor.outside(start, Fault { code, span: Span::new(0, text.len() as u32), text })
    }

    /// Skips whitespace; `control-character` is reported once.
    fn skip_between_games<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        let start = self.at;
        self.at = skip_whitespace(self.bytes, start);
        // Zeros fill the end of a block; 0x1A ended files under DOS and CP/M.
        let control = self.bytes[start..self.at].iter().position(|byte| matches!(byte, 0 | 0x1A));
        match control {
            Some(control) if !self.reported => {
                self.reported = true;
                let at = start + control;
                self.report_outside(visitor, Code::SYNTAX_CONTROL_CHARACTER, at, at + 1)
            }
            _ => Flow::Continue(()),
        }
    }

    /// Returns true if this is a comment, and a game follows after nothing but comments and stray text: it is about
    /// that game, as in `{lead} [Event "a"]`, unless a lone result comes first.
    fn leads_game(&mut self, byte: u8) -> bool {
        if self.at < self.gameless || !self.is_comment(self.at, byte) {
            return false;
        }
        if led_game_begins(self.rest()).is_ok() {
            return true;
        }
        let mut at = self.at;
        while let Some(&byte) = self.bytes.get(at) {
            if self.starts_game(at) {
                return true;
            }
            if self.result_end(at).is_some() {
                break;
            }
            at = if self.is_comment(at, byte) { self.comment_end(at) } else { self.junk_end(at) };
            at = skip_whitespace(self.bytes, at);
        }
        // The comments up to here need not be searched again: a file of nothing but comments takes linear time.
        self.gameless = at;
        false
    }

    /// The end and the code of text that begins no game: `stray-comment`, `lone-result`, `typed-escape` and others.
    fn text_between_games(&mut self, byte: u8) -> (usize, Code) {
        if self.is_comment(self.at, byte) {
            let end = self.any_comment_end(self.at);
            return (end.end, end.deviation.unwrap_or(Code::SYNTAX_STRAY_COMMENT));
        }
        if let Some(end) = self.result_end(self.at) {
            return (end, Code::SYNTAX_LONE_RESULT);
        }
        if let Some(end) = self.end_of(self.at, typed_escape) {
            return (end, Code::SYNTAX_TYPED_ESCAPE);
        }
        if let Some(end) = self.markup_end(self.at) {
            return (end, Code::SYNTAX_MARKUP);
        }
        let end = self.words_end(self.at);
        let code = match self.bytes[self.at] {
            b'[' | b']' if end == self.at + 1 => Code::SYNTAX_STRAY_BRACKET,
            b'}' if end == self.at + 1 => Code::SYNTAX_STRAY_BRACE,
            b'0'..=b'9' if self.bytes[self.at..end].ends_with(b".") => Code::SYNTAX_NUMBER_WITHOUT_MOVE,
            _ => Code::SYNTAX_STRAY_TEXT,
        };
        (end, code)
    }

    /// The end of the words outside games on a line, which are one diagnostic.
    pub(in crate::pdn) fn words_end(&mut self, at: usize) -> usize {
        let mut end = self.junk_end(at);
        while let Some(next) = same_line(self.bytes, end) {
            let ends_here = self.starts_game(next) || self.result_end(next).is_some();
            if ends_here || self.is_comment(next, self.bytes[next]) || self.is_markup(next) {
                break;
            }
            end = self.junk_end(next);
        }
        end
    }

    /// The end of a piece of text that is not a token. It is what a game takes for one: otherwise a comment could lead to a game that
    /// ends before it has begun, as in `{lead} [* [Event "a"]`.
    pub(in crate::pdn) fn junk_end(&mut self, at: usize) -> usize {
        match self.bytes[at] {
            b'(' => {
                let prose = self.closing.prose.end(self.bytes, at);
                prose.or_else(|| self.end_of(at, parentheses)).unwrap_or(at + 1)
            }
            b')' | b'[' | b']' | b'}' => at + 1,
            _ => self.end_of(at, word).unwrap_or(at + 1),
        }
    }

    /// Returns true if a game that deviates from the grammar may begin here.
    #[cold]
    pub(in crate::pdn) fn odd_game(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        match rest.first() {
            Some(b'?') => self.bare_fen_end(at).is_some(),
            Some(b'[') => !self.is_markup(at) && odd_tag(true)(rest).is_ok(),
            // `... 19-23`, but not `... and so on`.
            Some(b'.' | 0xE2 | 0x85) => {
                let dots = alt((ellipsis.map(|_| ()), odd_ellipsis.map(|_| ())));
                self.end_of(at, |input| { dots }.parse(input)).is_some_and(|end| self.move_comes(end))
            }
            // `((32-28`; `([Event` opens text in parentheses, not a game.
            Some(b'(') => {
                let inner = self.end_of(at, run(|byte| byte == b'(' || is_skipped(byte))).unwrap_or(at);
                match self.bytes.get(inner) {
                    None | Some(b'[') => false,
                    Some(&byte) => self.is_comment(inner, byte) || self.odd_game(inner),
                }
            }
            Some(b'/') => open_setup(rest).is_ok(),
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | 0x80..) => self.odd_opening(at),
            _ => false,
        }
    }

    /// The end of a position without a tag, at the start of a line, perhaps after its number in a list: `12. W:W31:B20`.
    pub(in crate::pdn) fn bare_fen_end(&self, at: usize) -> Option<usize> {
        if !matches!(self.bytes[at..], [_, b':', ..]) {
            return None;
        }
        let before = self.bytes[..at].trim_ascii_end();
        let number =
            // At most four digits and a sign: otherwise each position in a file of digits would look back to its start.
            before.iter().rev().take_while(|byte| byte.is_ascii_digit() || b".)".contains(byte)).take(5).count();
        let is_here = |at: usize| SpaceBefore::new(self.bytes, at).line_start();
        if is_here(at) || number > 0 && is_here(before.len() - number) { self.end_of(at, bare_fen) } else { None }
    }

    /// Returns true if a move, or a number and what may follow it, is here.
    fn odd_opening(&self, at: usize) -> bool {
        if self.bare_fen_end(at).is_some() {
            return true;
        }
        match self.token_at(at) {
            Ok((rest, Token::Move(found))) => {
                !found.deviations.contains(Deviations::MISSING_SEPARATOR) || self.move_comes(self.place_of_rest(rest))
            }
            Ok((rest, Token::Number(_) | Token::NumberTypo(_))) => self.move_follows(self.place_of_rest(rest)),
            // `01 32-28 18-23`, `3 W:WK31:B1`
            Ok((rest, Token::Digits(..1000))) => {
                let next = same_line(self.bytes, self.place_of_rest(rest));
                let begins = |next| self.is_move(next) || self.bare_fen_end(next).is_some();
                SpaceBefore::new(self.bytes, at).line_start() && next.is_some_and(begins)
            }
            Ok((_, Token::Word)) => self.headless_tag(at).is_some(),
            _ => false,
        }
    }

    /// Returns true if a move follows dots or four digits: alone, they are more likely prose or a year.
    fn move_comes(&self, at: usize) -> bool {
        let after = self.end_of(at, marks).unwrap_or(at);
        self.is_move(self.skip_line_comments(after))
    }

    /// The place of the first byte that is neither whitespace nor part of a comment to the end of the line.
    fn skip_line_comments(&self, at: usize) -> usize {
        let mut at = skip_whitespace(self.bytes, at);
        while let Some(&byte @ (b'%' | b';')) = self.bytes.get(at)
            && self.is_comment(at, byte)
        {
            at = skip_whitespace(self.bytes, self.end_of(at, line).unwrap_or(at));
        }
        at
    }

    /// `missing-terminator`: `1. 32-28 [Event "b"]`. Another game follows, and this one has no result. After an unclosed
    /// comment, it is unknown whether there is one.
    pub(in crate::pdn) fn missing_terminator<V: Visitor>(&self, visitor: &mut V) -> Flow {
        let end = self.game.end;
        let known = end > self.game.start && !self.game.unclosed;
        if !known || skip_whitespace(self.bytes, self.at) == self.bytes.len() {
            return Flow::Continue(());
        }
        let game = &self.bytes[self.game.start..end];
        let last = game.rsplit(|&byte| is_skipped(byte)).next().unwrap_or(game);
        self.report(visitor, Code::SYNTAX_MISSING_TERMINATOR, last)
    }
}
