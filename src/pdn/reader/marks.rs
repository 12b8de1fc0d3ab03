//! Marks, annotations, dots, hyphens and set-ups: what begins with neither digit, letter nor bracket.

use std::ops::ControlFlow;

use super::{GO, Last, Next, Part, Reader, dots};
use crate::diag::Code;
use crate::pdn::lex::{self, Spelling, Token};
use crate::pdn::place::{is_blank, skip_blanks};
use crate::pdn::visitor::Visitor;

impl Reader<'_> {
    /// `!?` behind a move, far behind it, or in front of one.
    pub(super) fn marks<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let len = self.rest().iter().take_while(|&&byte| byte == b'!' || byte == b'?').count();
        let end = self.at + len;
        let before = !self.glued() && matches!(self.lexed(end), Ok((_, Token::Move(_))));
        if before && self.game.strength.is_none() {
            self.fault(visitor, Code::SYNTAX_STRENGTH_BEFORE, self.at, end)?;
            self.game.strength = Some((self.at, end));
            self.pass(end, Last::Other);
            return GO;
        }
        self.strength(visitor, self.at, end, end)
    }

    /// The marks `from..to` of the last move, up to `end`.
    pub(super) fn strength<V: Visitor>(
        &mut self,
        visitor: &mut V,
        from: usize,
        to: usize,
        end: usize,
    ) -> ControlFlow<(), Next> {
        if !self.game.has_move || self.game.number.is_some() {
            return self.stray(visitor, end, Code::SYNTAX_STRAY_TEXT);
        }
        if !(self.game.end == self.at && matches!(self.game.last, Last::Move | Last::Null)) {
            self.fault(visitor, Code::SYNTAX_STRENGTH_APART, self.at, end)?;
        }
        visitor.strength(&self.bytes[from..to], self.span(self.at, end))?;
        // A star may stand behind the marks.
        self.pass(end, Last::Move);
        GO
    }

    pub(super) fn nag<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let Ok((left, nag)) = lex::nag(self.rest()) else { return self.words(visitor) };
        let end = self.bytes.len() - left.len();
        if self.game.part != Part::Lead {
            self.enter_moves(visitor)?;
        }
        visitor.nag(nag, self.span(self.at, end))?;
        self.pass(end, Last::Other);
        GO
    }

    /// The end of the game, or the mark of a forced move.
    pub(super) fn star<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        const FORCED: u16 = 7;
        let end = self.at + 1;
        if self.glued() {
            self.fault(visitor, Code::SYNTAX_FORCED_STAR, self.at, end)?;
            visitor.nag(FORCED, self.span(self.at, end))?;
            self.pass(end, Last::Other);
            return GO;
        }
        self.result(visitor, Spelling::Plain, end)
    }

    pub(super) fn period<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let end = self.at + dots(self.rest());
        if end == self.at + 1 {
            return self.stray(visitor, end, Code::SYNTAX_STRAY_PERIOD);
        }
        if self.game.number.is_none() && self.leads_nowhere(self.at) {
            return self.stray(visitor, end, Code::SYNTAX_STRAY_PERIOD);
        }
        self.enter_moves(visitor)?;
        self.tell_number(visitor)?;
        visitor.ellipsis(self.span(self.at, end))?;
        self.pass(end, Last::Null);
        self.game.has_move = true;
        self.tell_strength(visitor)?;
        GO
    }

    /// Number of hyphens here, if one or two of them stand alone.
    pub(super) fn dashes(&self, at: usize) -> usize {
        let len = self.bytes[at..].iter().take_while(|&&byte| byte == b'-').count();
        let alone = self.bytes.get(at + len).is_none_or(|&byte| is_blank(byte) || b"!?()[{*$;\\".contains(&byte));
        if alone && len <= 2 { len } else { 0 }
    }

    /// Whether the next thing is a move or another hyphen: else one behind the tags is rather a dash in a text.
    fn moves_follow(&mut self, at: usize) -> bool {
        let next = skip_blanks(self.bytes, at);
        if self.score_end(next).is_some() {
            return false;
        }
        match self.bytes.get(next) {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => matches!(self.lexed(next), Ok((_, Token::Move(_)))),
            Some(b'-') => self.dashes(next) > 0,
            _ => false,
        }
    }

    /// A null move, or a hyphen in the place of a result.
    pub(super) fn dash<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let len = self.dashes(self.at);
        let end = self.at + len;
        let numbered = self.game.number.is_some();
        if self.game.part == Part::Lead && !numbered {
            return self.words(visitor);
        }
        let glued = self.glued();
        if len == 1
            && !numbered
            && !matches!(self.game.last, Last::Null | Last::Setup | Last::Apart)
            && self.game_may_end(end)
        {
            self.fault(visitor, Code::SYNTAX_DASH_RESULT, self.at, end)?;
            return self.terminate(visitor, end);
        }
        let prose = self.game.part == Part::Tags && !numbered && !self.moves_follow(end);
        if glued || prose {
            return self.words(visitor);
        }
        self.fault(visitor, Code::SYNTAX_NULL_MOVE, self.at, end)?;
        self.enter_moves(visitor)?;
        self.tell_number(visitor)?;
        visitor.null_move(self.span(self.at, end))?;
        self.pass(end, Last::Null);
        self.game.has_move = true;
        self.tell_strength(visitor)?;
        GO
    }

    pub(super) fn setup<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let Ok((left, (fen, closed))) = lex::setup(self.rest()) else { return self.words(visitor) };
        let end = self.bytes.len() - left.len();
        self.enter_moves(visitor)?;
        if !closed {
            self.fault(visitor, Code::SYNTAX_UNCLOSED_SETUP, self.at, end)?;
        }
        self.tell_number(visitor)?;
        visitor.setup(fen, self.span(self.at, end))?;
        self.pass(end, Last::Setup);
        self.game.has_move = true;
        self.tell_strength(visitor)?;
        GO
    }

    pub(super) fn backslash<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let Ok((_, typed)) = lex::typed_escape(self.rest()) else { return self.words(visitor) };
        let end = self.at + typed.len();
        self.fault(visitor, Code::SYNTAX_TYPED_ESCAPE, self.at, end)?;
        self.pass_blank(end);
        GO
    }
}
