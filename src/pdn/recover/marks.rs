//! Hyphens, stars, marks, dots, setups and escapes that deviate from the grammar.

use super::Token;
use super::text::{Symbol, symbol, typed_escape};
use crate::diag::Code;
use crate::pdn::grammar::open_setup;
use crate::pdn::reader::{GO, Last, Part, Reader, Step, same_line, skip_whitespace};
use crate::pdn::visitor::Visitor;

impl<'a> Reader<'a> {
    /// Returns true if the marks that end here precede their move.
    pub(in crate::pdn) fn is_strength_before(&self, end: usize) -> bool {
        !self.follows_move() && self.game.strength.is_none() && self.is_move(end)
    }

    /// `strength-before`: `!32-28`.
    #[cold]
    pub(in crate::pdn) fn strength_before<V: Visitor>(&mut self, visitor: &mut V, marks: &'a [u8]) -> Step {
        self.report(visitor, Code::SYNTAX_STRENGTH_BEFORE, marks)?;
        self.game.strength = Some(marks);
        self.pass(self.at + marks.len(), Last::Other);
        GO
    }

    /// `symbol`: `32-28 ±`, `41-37⁉`. Returns `None` if there is no symbol here that annotates a move.
    pub(super) fn symbol<V: Visitor>(&mut self, visitor: &mut V) -> Option<Step> {
        let annotates = self.game.part == Part::Moves && self.game.has_move && self.game.number.is_none();
        let (rest, symbol) = symbol(self.rest()).ok().filter(|_| annotates)?;
        let end = self.place_of_rest(rest);
        let text = self.text_to(end);
        let step = self.report(visitor, Code::SYNTAX_SYMBOL, text);
        let step = step.is_continue().then(|| match symbol {
            Symbol::Marks(marks) => visitor.strength(marks.as_bytes(), self.span(text)),
            Symbol::Nag(nag) => visitor.nag(nag, self.span(text)),
        });
        self.pass(end, Last::Other);
        Some(if step.is_some_and(|step| step.is_continue()) { GO } else { Step::Break(()) })
    }

    /// `forced-star`: `32-28*`.
    pub(in crate::pdn) fn forced_star<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> Step {
        // The standard's glyph for the only move.
        const FORCED: u16 = 7;
        let star = self.text_to(end);
        self.report(visitor, Code::SYNTAX_FORCED_STAR, star)?;
        visitor.nag(FORCED, self.span(star))?;
        self.pass(end, Last::Other);
        GO
    }

    /// `score`: the game ends with the value of its Result tag. `[Result "4-6"]` … `4-6`.
    #[cold]
    pub(in crate::pdn) fn score<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> Step {
        self.report(visitor, Code::SYNTAX_SCORE, self.text_to(end))?;
        self.terminate(visitor, end)
    }

    /// `dash-result`, `null-move`, or text: `35-30 -`, `1. - -`, `good - or not`.
    pub(super) fn dash<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        let Some(end) = self.dashes_end(self.at) else { return self.words(visitor) };
        // `- a dash before any tag` is text; `62. 35-30 -` ends with a result; `1. - -` has null moves.
        let numbered = self.game.number.is_some();
        if self.game.part == Part::Lead && !numbered {
            return self.words(visitor);
        }
        let apart = matches!(self.game.last, Last::Null | Last::Setup | Last::Apart);
        if end == self.at + 1 && !numbered && !apart && self.game_may_end(end) {
            self.report(visitor, Code::SYNTAX_DASH_RESULT, self.text_to(end))?;
            return self.terminate(visitor, end);
        }
        let prose = match self.game.number {
            Some((_, number)) => end == self.at + 1 && self.has_words_after(number) && self.is_word(end),
            None if self.game.part == Part::Tags => !self.moves_follow(end),
            None => !apart && self.is_word(end),
        };
        if self.follows_move() || prose {
            return self.words(visitor);
        }
        self.null_move(visitor, end)
    }

    /// Returns true if the last token is text after a number: `3. Jansen - de Vries`.
    fn has_words_after(&self, number: &[u8]) -> bool {
        let after = self.place(number) + number.len();
        let last = self.bytes[after..self.game.end.max(after)].last();
        last.is_some_and(|&byte| byte.is_ascii_alphabetic() || byte >= 0x80 || b".,".contains(&byte))
    }

    fn null_move<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> Step {
        let text = self.text_to(end);
        self.report(visitor, Code::SYNTAX_NULL_MOVE, text)?;
        self.enter_moves(visitor)?;
        self.emit_number(visitor)?;
        visitor.null_move(self.span(text))?;
        self.replace_move(visitor, end, Last::Null)
    }

    /// Returns true if a word comes next on the line: `32-28 - forced`.
    fn is_word(&self, at: usize) -> bool {
        let is_letter = |at: &usize| self.bytes[*at].is_ascii_alphabetic() || self.bytes[*at] >= 0x80;
        let next = same_line(self.bytes, at).filter(is_letter);
        next.is_some_and(|next| matches!(self.token_at(next), Ok((_, Token::Word))))
    }

    /// Returns true if a move or another hyphen comes next: otherwise a hyphen after the tags is more likely a dash in
    /// text.
    fn moves_follow(&mut self, at: usize) -> bool {
        let next = skip_whitespace(self.bytes, at);
        if self.score_end(next).is_some() {
            return false;
        }
        match self.bytes.get(next) {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => self.is_move(next),
            Some(b'-') => self.dashes_end(next).is_some(),
            _ => false,
        }
    }

    /// `unclosed-setup` (`/FEN "W:W31:B20" 1. 31-27`), or text.
    pub(super) fn odd_setup<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        let Ok((rest, fen)) = open_setup(self.rest()) else { return self.words(visitor) };
        let end = self.place_of_rest(rest);
        self.enter_moves(visitor)?;
        self.report(visitor, Code::SYNTAX_UNCLOSED_SETUP, self.text_to(end))?;
        self.setup(visitor, fen, end)
    }

    /// `typed-escape` (`6.\r` with a backslash and an r), or text.
    pub(super) fn backslash<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        let Some(end) = self.end_of(self.at, typed_escape) else { return self.words(visitor) };
        self.report(visitor, Code::SYNTAX_TYPED_ESCAPE, self.text_to(end))?;
        self.pass_whitespace(end);
        GO
    }
}
