//! Results, and how games end.

use std::ops::ControlFlow;

use super::{Last, Next, Part, Reader};
use crate::diag::Code;
use crate::pdn::lex::{self, Spelling, Token};
use crate::pdn::lex_tag;
use crate::pdn::place::{Before, is_blank, same_line, skip_blanks};
use crate::pdn::visitor::{Flow, Visitor};

impl Reader<'_> {
    #[cold]
    pub(super) fn result<V: Visitor>(
        &mut self,
        visitor: &mut V,
        spelling: Spelling,
        end: usize,
    ) -> ControlFlow<(), Next> {
        let code = match spelling {
            Spelling::Plain => None,
            Spelling::Colon => Some(Code::SYNTAX_COLON_RESULT),
            Spelling::Padded => Some(Code::SYNTAX_BLANK_IN_RESULT),
            Spelling::Odd => Some(Code::SYNTAX_ODD_RESULT),
        };
        if let Some(code) = code {
            self.fault(visitor, code, self.at, end)?;
        }
        if self.game.depth > 0 && !self.game_may_end(end) {
            return self.stray(visitor, end, Code::SYNTAX_RESULT_IN_VARIATION);
        }
        self.terminate(visitor, end)
    }

    /// Whether nothing of this game follows but comments and what may stand between games.
    pub(super) fn game_may_end(&mut self, at: usize) -> bool {
        let Some(next) = self.next_game_at(at) else { return false };
        // A game that has tags alone so far ends where tags like those that begin a game follow, not in the middle of them.
        let event = |rest: &[u8]| {
            let behind = rest.strip_prefix(b"[Event").and_then(<[u8]>::first);
            behind.is_some_and(|byte| !byte.is_ascii_alphanumeric())
        };
        match &self.bytes[next..] {
            _ if self.game.part != Part::Tags => true,
            [] => true,
            rest @ [b'[', ..] => event(rest) || Before::new(self.bytes, next).blank_line(),
            _ => false,
        }
    }

    /// Where the next game begins, or the text ends, if nothing of this one stands before it.
    fn next_game_at(&mut self, at: usize) -> Option<usize> {
        if at < self.goes_on {
            return None;
        }
        let (mut at, mut apart) = (skip_blanks(self.bytes, at), false);
        while let Some(&byte) = self.bytes.get(at) {
            apart |= Before::new(self.bytes, at).blank_line();
            if self.tag_stands(at, byte) || apart && self.game.depth == 0 && self.game_without_tags(at) {
                return Some(at);
            }
            let end = match self.lines_between_games(at) {
                Some(end) => Some(end),
                None => self.is_comment(at, byte).then(|| self.comment_end(at).end),
            };
            let Some(end) = end else {
                self.goes_on = at;
                return None;
            };
            at = skip_blanks(self.bytes, end);
        }
        Some(at)
    }

    fn tag_stands(&self, at: usize, byte: u8) -> bool {
        match byte {
            b'[' => lex_tag::tag(&self.bytes[at..], Before::new(self.bytes, at).line_start()).is_some(),
            _ => self.headless_tag(at).is_some(),
        }
    }

    /// Whether moves that count from 1 begin here.
    fn game_without_tags(&self, at: usize) -> bool {
        match self.lexed(at) {
            Ok((left, Token::Number { value: 1, dots: 1 })) => self.move_follows(self.bytes.len() - left.len()),
            _ => false,
        }
    }

    /// The end of what stands between games and says nothing: a line with nothing but digits or brackets, a line break
    /// that was typed.
    fn lines_between_games(&self, at: usize) -> Option<usize> {
        if let Ok((left, _)) = lex::typed_escape(&self.bytes[at..]) {
            return Some(self.bytes.len() - left.len());
        }
        let part: fn(&u8) -> bool = match self.bytes[at] {
            b'0'..=b'9' => u8::is_ascii_digit,
            b'[' | b']' => |byte| matches!(byte, b'[' | b']'),
            _ => return None,
        };
        let end = at + self.bytes[at..].iter().take_while(|byte| part(byte)).count();
        let alone = same_line(self.bytes, end).is_none() && Before::new(self.bytes, at).line_start();
        alone.then_some(end)
    }

    /// The end of a score that stands here, repeats the Result tag and ends the game.
    #[cold]
    pub(super) fn score_end(&mut self, at: usize) -> Option<usize> {
        let score = self.game.score?;
        let end = at + score.len();
        let whole = self.bytes.get(end).is_none_or(|&byte| is_blank(byte) || b"[{\\".contains(&byte));
        (self.bytes[at..].starts_with(score) && whole && self.game_may_end(end)).then_some(end)
    }

    pub(super) fn terminate<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> ControlFlow<(), Next> {
        let start = self.at;
        self.settle(visitor)?;
        visitor.terminator(&self.bytes[start..end], self.span(start, end))?;
        self.pass(end, Last::Other);
        // A comment on the same line is about this game, one on a later line about the next.
        while let Some(next) = same_line(self.bytes, self.at) {
            let byte = self.bytes[next];
            if !self.is_comment(next, byte) {
                break;
            }
            self.at = next;
            self.tell_comment(visitor)?;
        }
        ControlFlow::Continue(Next::Terminated)
    }

    /// Gives up what waits for a move.
    pub(super) fn settle<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if self.game.number.is_some() {
            self.drop_number(visitor)?;
        }
        if let Some((from, to)) = self.game.strength.take() {
            visitor.stray(&self.bytes[from..to], self.span(from, to))?;
        }
        for _ in 0..self.game.depth {
            visitor.end_variation(self.span(self.game.end, self.game.end))?;
        }
        if self.game.depth > 0 {
            self.game.depth = 0;
            self.fault(visitor, Code::SYNTAX_UNCLOSED_VARIATION, self.game.opened, self.game.opened + 1)?;
        }
        Flow::Continue(())
    }

    pub(super) fn finish<V: Visitor>(&mut self, visitor: &mut V, terminated: bool) -> Flow {
        self.settle(visitor)?;
        let end = self.game.end;
        // Behind a comment that was never closed nobody knows whether there was a terminator.
        let known = end > self.game.start && !self.game.unclosed;
        if !terminated && known && skip_blanks(self.bytes, self.at) < self.bytes.len() {
            let from = self.bytes[self.game.start..end].iter().rposition(|&byte| is_blank(byte));
            let from = from.map_or(self.game.start, |blank| self.game.start + blank + 1);
            self.fault(visitor, Code::SYNTAX_MISSING_TERMINATOR, from, end)?;
        }
        visitor.end_game((end - self.game.start) as u32)
    }
}
