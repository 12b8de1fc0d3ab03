//! Between games: where the next one begins, and what is said of all that belongs to none.

use std::ops::ControlFlow;

use super::{Part, Reader, dots};
use crate::diag::{Code, Span};
use crate::pdn::comment::CommentEnd;
use crate::pdn::lex::{self, Lexed, Marks, Token};
use crate::pdn::lex_tag::{self, TagToken};
use crate::pdn::place::{Before, is_blank, line_end, same_line, skip_blanks};
use crate::pdn::visitor::{Fault, Flow, Visitor};

impl<'a> Reader<'a> {
    /// Goes to the start of the next game; false if there is none.
    pub(super) fn between<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), bool> {
        loop {
            self.skip_between(visitor)?;
            let Some(&byte) = self.bytes.get(self.at) else { return ControlFlow::Continue(false) };
            if self.starts_game(self.at) || self.comment_leads(byte) {
                return ControlFlow::Continue(true);
            }
            let (end, code) = self.gameless_token(byte);
            let text = &self.bytes[self.at..end];
            visitor.outside(self.at, Fault { code, span: Span::new(0, text.len() as u32), text })?;
            self.at = end;
        }
    }

    /// Passes blanks; control characters among them are reported once.
    pub(super) fn skip_between<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        let start = self.at;
        self.at = skip_blanks(self.bytes, start);
        let control = self.bytes[start..self.at].iter().position(|byte| matches!(byte, 0 | 0x1A));
        if let Some(at) = control.filter(|_| !self.reported).map(|control| start + control) {
            self.reported = true;
            let text = &self.bytes[at..=at];
            visitor.outside(at, Fault { code: Code::SYNTAX_CONTROL_CHARACTER, span: Span::new(0, 1), text })?;
        }
        Flow::Continue(())
    }

    /// Whether this is a comment, and a game follows before anything but comments and stray text.
    pub(super) fn comment_leads(&mut self, byte: u8) -> bool {
        if self.at < self.gameless || !self.is_comment(self.at, byte) {
            return false;
        }
        let mut at = self.at;
        while let Some(&byte) = self.bytes.get(at) {
            if self.starts_game(at) {
                return true;
            }
            if self.result_end(at).is_some() {
                break;
            }
            at = if self.is_comment(at, byte) { self.comment_end(at).end } else { self.junk_end(at) };
            at = skip_blanks(self.bytes, at);
        }
        self.gameless = at;
        false
    }

    pub(super) fn is_comment(&self, at: usize, byte: u8) -> bool {
        match byte {
            b'{' => true,
            b'%' => Before::new(self.bytes, at).line_start(),
            b';' => at == 0 || is_blank(self.bytes[at - 1]),
            _ => false,
        }
    }

    pub(super) fn comment_end(&mut self, at: usize) -> CommentEnd {
        if self.bytes[at] == b'{' {
            return self.ends.comment(self.bytes, at);
        }
        let end = line_end(self.bytes, at);
        CommentEnd { inner: end, end, fault: None }
    }

    /// The end and the kind of fault of something that begins no game.
    pub(super) fn gameless_token(&mut self, byte: u8) -> (usize, Code) {
        if self.is_comment(self.at, byte) {
            let end = self.comment_end(self.at);
            return (end.end, end.fault.unwrap_or(Code::SYNTAX_STRAY_COMMENT));
        }
        if let Some(end) = self.result_end(self.at) {
            return (end, Code::SYNTAX_LONE_RESULT);
        }
        if let Ok((left, _)) = lex::typed_escape(self.rest()) {
            return (self.bytes.len() - left.len(), Code::SYNTAX_TYPED_ESCAPE);
        }
        let (mut end, start) = (self.junk_end(self.at), self.at);
        // One finding for a run of words.
        while let Some(next) = same_line(self.bytes, end) {
            let ends_here = self.starts_game(next) || self.result_end(next).is_some();
            if ends_here || self.is_comment(next, self.bytes[next]) {
                break;
            }
            end = self.junk_end(next);
        }
        let code = match self.bytes[start] {
            b'[' | b']' if end == start + 1 => Code::SYNTAX_STRAY_BRACKET,
            b'}' if end == start + 1 => Code::SYNTAX_STRAY_BRACE,
            b'0'..=b'9' if self.bytes[start..end].ends_with(b".") => Code::SYNTAX_NUMBER_WITHOUT_MOVE,
            _ => Code::SYNTAX_STRAY_TEXT,
        };
        (end, code)
    }

    /// The end of a piece of text that is nothing known.
    pub(super) fn junk_end(&mut self, at: usize) -> usize {
        if self.bytes[at] == b'(' {
            let run = self.bytes[at..].iter().take_while(|&&byte| byte == b'(' || is_blank(byte)).count();
            let run = self.bytes[at..at + run].trim_ascii_end().len();
            return self.ends.prose(self.bytes, at).unwrap_or(at + run);
        }
        lex::word(&self.bytes[at..]).map_or(at + 1, |(rest, _)| self.bytes.len() - rest.len())
    }

    pub(super) fn result_end(&self, at: usize) -> Option<usize> {
        let rest = &self.bytes[at..];
        let left = match rest.first()? {
            b'*' => &rest[1..],
            b'0'..=b'9' | 0xC2 | 0xC3 | 0xBD => match self.lexed(at) {
                Ok((left, Token::Result(_))) => left,
                _ => return None,
            },
            _ => return None,
        };
        Some(self.bytes.len() - left.len())
    }

    pub(super) fn lexed(&self, at: usize) -> Lexed<'a> {
        let rest = &self.bytes[at..];
        match rest.first() {
            Some(b'0'..=b'9') => lex::digits(rest),
            Some(b'a'..=b'z' | b'A'..=b'Z') => lex::letters(rest),
            Some(0xC2 | 0xC3 | 0xBD) => match lex::half(rest) {
                Ok((left, spelling)) => Ok((left, Token::Result(spelling))),
                Err(_) => lex::word(rest),
            },
            _ => lex::word(rest),
        }
    }

    /// Whether a game may begin here.
    pub(super) fn starts_game(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        match rest.first() {
            Some(b'[') => lex_tag::tag(rest, true).is_some(),
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => self.moves_begin(at),
            Some(b'.') => rest.starts_with(b"..") && self.goes_on(&rest[dots(rest)..]),
            Some(b'(') => {
                let inner = rest.iter().position(|&byte| byte != b'(' && !is_blank(byte)).map(|inner| at + inner);
                inner.is_some_and(|inner| match self.bytes[inner] {
                    b'[' => false,
                    byte => self.is_comment(inner, byte) || self.starts_game(inner),
                })
            }
            Some(b'/') => lex::setup(rest).is_ok(),
            _ => false,
        }
    }

    /// Whether a move, or a number and what may follow it, stands here.
    pub(super) fn moves_begin(&self, at: usize) -> bool {
        match self.lexed(at) {
            Ok((left, Token::Move(marks))) => !marks.has(Marks::GLUED) || self.goes_on(left),
            Ok((left, Token::Number { .. } | Token::Typo(_))) => self.move_follows(self.bytes.len() - left.len()),
            Ok((_, Token::Word)) => self.headless_tag(at).is_some(),
            _ => false,
        }
    }

    /// Whether a move stands behind dots, or behind four digits: alone those are rather prose and a year.
    fn goes_on(&self, left: &[u8]) -> bool {
        let left = lex::strength(left).map_or(left, |(left, _)| left);
        let next = self.skip_remarks(self.bytes.len() - left.len());
        matches!(self.lexed(next), Ok((_, Token::Move(_))))
    }

    /// The first byte from here that is neither blank nor part of a comment to the end of the line.
    fn skip_remarks(&self, at: usize) -> usize {
        let mut at = skip_blanks(self.bytes, at);
        while let Some(&byte @ (b'%' | b';')) = self.bytes.get(at)
            && self.is_comment(at, byte)
        {
            at = skip_blanks(self.bytes, line_end(self.bytes, at));
        }
        at
    }

    /// Whether a move, or what stands in its place, is the next token.
    pub(super) fn move_follows(&self, at: usize) -> bool {
        let at = skip_blanks(self.bytes, at);
        match self.bytes.get(at) {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => matches!(self.lexed(at), Ok((_, Token::Move(_)))),
            Some(b'.') => self.bytes[at..].starts_with(b".."),
            Some(b'-') => self.dashes(at) > 0,
            Some(b'!' | b'?') => {
                let marks = lex::strength(&self.bytes[at..]);
                marks
                    .is_ok_and(|(left, _)| matches!(self.lexed(self.bytes.len() - left.len()), Ok((_, Token::Move(_)))))
            }
            Some(b'{') => true,
            Some(&byte @ (b'%' | b';')) => self.is_comment(at, byte),
            Some(b'/') => lex::setup(&self.bytes[at..]).is_ok(),
            _ => false,
        }
    }

    /// Whether a comment alone was read so far, and what stands here begins no movetext: its tags are still to come.
    pub(super) fn leads_nowhere(&self, at: usize) -> bool {
        self.game.part == Part::Lead && !self.starts_game(at)
    }

    pub(super) fn headless_tag(&self, at: usize) -> Option<TagToken> {
        let found = self.bytes[at].is_ascii_uppercase() && Before::new(self.bytes, at).line_start();
        if found { lex_tag::headless(&self.bytes[at..]) } else { None }
    }
}
