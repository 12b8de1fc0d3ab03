//! The parts of games: moves, comments, annotations, setups, variations and tags.

use std::borrow::Cow;
use std::ops::ControlFlow;

use nom::Parser;
use nom::branch::alt;

use super::element::GameMove;
use super::{GO, Last, Next, Part, Reader, Seen, SpaceBefore, Step, skip_whitespace};
use crate::diag::Code;
use crate::pdn::grammar::{Move, result, tag};
use crate::pdn::movetext::{MoveKind, MoveText, Squares};
use crate::pdn::recover::{Token, odd_tag, token};
use crate::pdn::tree::{MAX_EXPORT_DEPTH, WrittenNumber};
use crate::pdn::visitor::{Flow, RawTag, Visitor};
use crate::text::Encoding;
use crate::text::signs::{as_it_looks, is_colon, is_dash};

impl<'a> Reader<'a> {
    #[inline]
    pub(super) fn game_move<V: Visitor>(&mut self, visitor: &mut V, found: GameMove<'a>) -> Step {
        if let Some((number, text)) = found.count {
            self.count(visitor, number, text, self.at + text.len())?;
            // A score may look like the move after the number.
            if self.game.score.is_some() {
                return GO;
            }
        }
        let gap = self.text_to(self.place(found.text));
        if gap.len() > 1 && !gap.is_ascii() {
            self.report_wide(visitor, gap)?;
        }
        self.at = self.place(found.text);
        self.play(visitor, found.found, self.at + found.text.len())
    }

    /// Keeps the number of the next move.
    #[inline]
    pub(in crate::pdn) fn count<V: Visitor>(
        &mut self,
        visitor: &mut V,
        number: WrittenNumber,
        text: &'a [u8],
        end: usize,
    ) -> Step {
        if self.game.part != Part::Lead {
            self.enter_moves(visitor)?;
        } else if number.value() > 1 && self.follows_result() {
            // `1. 32-28 19-23 1-1 2. 28x19`
            self.report(visitor, Code::RESULT_IN_GAME, text)?;
        }
        if self.game.number.is_some() {
            self.drop_number(visitor)?;
        }
        self.game.number = Some((number, text));
        self.pass(end, Last::Other);
        GO
    }

    /// Passes on the number of what replaces a move.
    #[inline]
    pub(in crate::pdn) fn emit_number<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some((number, text)) = self.game.number.take() {
            visitor.number(number, self.span(text))?;
        }
        Flow::Continue(())
    }

    /// Passes on the marks written before the move.
    #[inline]
    pub(in crate::pdn) fn emit_strength<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some(marks) = self.game.strength.take() {
            visitor.strength(marks, self.span(marks))?;
        }
        Flow::Continue(())
    }

    /// Passes on a move that ends at `end`, or later if further parts of it follow.
    #[inline]
    pub(in crate::pdn) fn play<V: Visitor>(&mut self, visitor: &mut V, found: Move<'a>, end: usize) -> Step {
        let (mut found, mut captured, mut end) = (found, Squares::new(), end);
        self.enter_moves(visitor)?;
        if found.kind == MoveKind::Capture {
            end = self.split_captures(visitor, &mut found, end)?;
        }
        // Only where one can begin, as in `47x36 <42, 29>`: after most moves there is one space and no list.
        if let [b'<', ..] | [b' ', b' ' | b'<', ..] = self.bytes[end..] {
            end = self.captured_list(visitor, &mut captured, end)?;
        }
        let number = self.game.number.take().map(|(number, text)| (number, self.span(text)));
        let text = self.text_to(end);
        visitor.game_move(number, MoveText::of(text, found.kind, &found.squares, &captured), self.span(text))?;
        self.replace_move(visitor, end, Last::Move)
    }

    /// Advances to the end of a move or its replacement.
    #[inline]
    pub(in crate::pdn) fn replace_move<V: Visitor>(&mut self, visitor: &mut V, end: usize, last: Last) -> Step {
        self.pass(end, last);
        self.game.has_move = true;
        self.emit_strength(visitor)?;
        GO
    }

    #[inline]
    pub(super) fn comment<V: Visitor>(&mut self, visitor: &mut V, text: &'a [u8], end: usize) -> Step {
        visitor.comment(text, self.span(self.text_to(end)))?;
        self.pass(end, Last::Other);
        self.game.interrupted = true;
        GO
    }

    pub(in crate::pdn) fn line_comment<V: Visitor>(&mut self, visitor: &mut V, text: &'a [u8], end: usize) -> Flow {
        visitor.line_comment(text, self.span(self.text_to(end)))?;
        // The grammar treats a comment to the end of the line as whitespace.
        let last = if self.game.last == Last::Open { Last::Open } else { Last::Other };
        self.pass(end, last);
        Flow::Continue(())
    }

    /// Marks of the last move.
    pub(in crate::pdn) fn marks<V: Visitor>(&mut self, visitor: &mut V, marks: &'a [u8], end: usize) -> Step {
        let text = self.text_to(end);
        if text == marks && self.is_strength_before(end) {
            return self.strength_before(visitor, marks);
        }
        if !self.game.has_move || self.game.number.is_some() {
            return self.stray(visitor, end, Code::SYNTAX_STRAY_TEXT);
        }
        if !(self.game.end == self.at && matches!(self.game.last, Last::Move | Last::Null)) {
            self.report(visitor, Code::SYNTAX_STRENGTH_APART, text)?;
        }
        visitor.strength(marks, self.span(text))?;
        // A star may follow the marks.
        self.pass(end, Last::Move);
        GO
    }

    pub(super) fn nag<V: Visitor>(&mut self, visitor: &mut V, nag: u16, end: usize) -> Step {
        // A lead may have annotations besides comments: tags may still follow.
        if self.game.part != Part::Lead {
            self.enter_moves(visitor)?;
        }
        visitor.nag(nag, self.span(self.text_to(end)))?;
        self.pass(end, Last::Other);
        GO
    }

    pub(in crate::pdn) fn ellipsis<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> Step {
        if self.game.number.is_none() && self.leads_nowhere(self.at) {
            return self.stray(visitor, end, Code::SYNTAX_STRAY_PERIOD);
        }
        self.enter_moves(visitor)?;
        self.emit_number(visitor)?;
        visitor.ellipsis(self.span(self.text_to(end)))?;
        self.replace_move(visitor, end, Last::Null)
    }

    pub(in crate::pdn) fn setup<V: Visitor>(&mut self, visitor: &mut V, fen: &'a [u8], end: usize) -> Step {
        self.enter_moves(visitor)?;
        self.emit_number(visitor)?;
        visitor.setup(fen, self.span(self.text_to(end)))?;
        self.replace_move(visitor, end, Last::Setup)
    }

    pub(super) fn open<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        if let Some(end) = self.final_result() {
            self.report(visitor, Code::SYNTAX_ODD_RESULT, self.text_to(end))?;
            return self.terminate(visitor, end);
        }
        if let Some((value, end)) = self.number_in_parentheses() {
            return self.number_or_prose(visitor, value, end);
        }
        if self.is_prose() {
            return self.prose_in_parentheses(visitor);
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
        let parenthesis = self.text_to(self.at + 1);
        if !self.game.has_move {
            self.report(visitor, Code::MOVE_VARIATION_FIRST, parenthesis)?;
        }
        self.game.depth += 1;
        // At the first level that is not exported, whatever is nested in it.
        if self.game.depth == MAX_EXPORT_DEPTH + 1 {
            self.report_once(visitor, Seen::DEEP_VARIATION, Code::REPLAY_DEEP_VARIATION, parenthesis)?;
        }
        self.game.has_move = false;
        visitor.begin_variation(self.span(parenthesis))?;
        self.pass(self.at + 1, Last::Open);
        GO
    }

    pub(super) fn close<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        let end = self.at + 1;
        if self.game.depth == 0 {
            return self.stray(visitor, end, Code::SYNTAX_UNOPENED_VARIATION);
        }
        let parenthesis = self.text_to(end);
        if self.game.last == Last::Open {
            self.report(visitor, Code::SYNTAX_EMPTY_VARIATION, parenthesis)?;
        }
        self.drop_number(visitor)?;
        self.game.depth -= 1;
        // A variation follows the move that it replaces; only a few are written before the first move.
        self.game.has_move = true;
        visitor.end_variation(self.span(parenthesis))?;
        self.pass(end, Last::Other);
        GO
    }

    #[inline]
    pub(in crate::pdn) fn tag<V: Visitor>(
        &mut self,
        visitor: &mut V,
        name: &'a [u8],
        value: &'a [u8],
        end: usize,
    ) -> Step {
        self.odd_tag(visitor, name, value, [None, None], end)
    }

    pub(in crate::pdn) fn odd_tag<V: Visitor>(
        &mut self,
        visitor: &mut V,
        name: &'a [u8],
        value: &'a [u8],
        deviations: [Option<Code>; 2],
        end: usize,
    ) -> Step {
        if self.game.part == Part::Moves || self.is_next_game(name, end) {
            return ControlFlow::Continue(Next::Cut);
        }
        self.drop_number(visitor)?;
        let text = self.text_to(end);
        for code in deviations.into_iter().flatten() {
            self.report(visitor, code, text)?;
        }
        if name == b"Result" {
            self.game.score = score_of(value);
        }
        self.tag_of(visitor, name, value, end)
    }

    /// Passes on a tag whose text goes up to `end`.
    pub(in crate::pdn) fn tag_of<V: Visitor>(
        &mut self,
        visitor: &mut V,
        name: &'a [u8],
        value: &'a [u8],
        end: usize,
    ) -> Step {
        let text = self.text_to(end);
        if !value.is_ascii() && decides_reading(name) && looks_otherwise(value) {
            self.report_foreign(visitor, value)?;
        }
        visitor.tag(RawTag { name, value, span: self.span(text), value_span: self.span(value) })?;
        let (is_first, is_fen) = (self.game.part == Part::Lead, name == b"FEN");
        let is_only = is_first || self.game.seen.contains(Seen::ONLY_POSITION);
        self.game.seen.set(Seen::ONLY_FEN, is_first && is_fen);
        self.game.seen.set(Seen::ONLY_POSITION, is_only && (is_fen || name == b"SetUp"));
        self.pass(end, Last::Other);
        self.game.part = Part::Tags;
        self.game.interrupted = false;
        GO
    }

    /// Returns true if the tag of this name, in a game that has no moves yet, belongs to the next game.
    fn is_next_game(&mut self, name: &[u8], end: usize) -> bool {
        let flag = match name {
            b"Event" => Seen::EVENT,
            b"SetUp" => Seen::SET_UP,
            b"FEN" => Seen::FEN,
            _ => Seen::empty(),
        };
        let again = self.game.seen.intersects(flag);
        // A comment between tags may close a game that has nothing but tags, if an empty line follows.
        let commented = self.game.interrupted && self.game.part == Part::Tags;
        // `[FEN "W:W31:B1"] [FEN "B:W25:B5"]`: a list of positions.
        if again && self.game.seen.contains(Seen::ONLY_FEN) {
            return true;
        }
        let begins_anew = !flag.is_empty() && self.game.seen.contains(Seen::ONLY_FEN);
        if begins_anew && SpaceBefore::new(self.bytes, self.at).blank_line() {
            return true;
        }
        // `[Event "Problems"] [FEN "W:W31:B1"] [FEN "B:W25:B5"]`: the same list under tags. Before moves it is a tag written twice.
        if again && self.game.seen.contains(Seen::FEN) && self.positions_follow(name == b"FEN", end) {
            return true;
        }
        let again = again && flag != Seen::SET_UP;
        if (again || commented) && SpaceBefore::new(self.bytes, self.at).blank_line() {
            return true;
        }
        // The last position of a list does not take the tags of the next game; a position alone may have its tags after an empty line.
        let is_last_of_list = self.after_position
            && self.game.seen.contains(Seen::ONLY_POSITION)
            && self.game.seen.intersects(Seen::FEN | Seen::BARE_FEN);
        if is_last_of_list && SpaceBefore::new(self.bytes, self.at).blank_line() {
            self.game.seen |= Seen::LAST_OF_LIST;
            return true;
        }
        self.game.seen |= flag;
        false
    }

    /// Returns true if the tag that ends here and those after it are a paragraph of nothing but tags, with a FEN tag among them, and more
    /// tags or nothing follow: a game, even one without moves, would have a result.
    fn positions_follow(&mut self, is_fen: bool, end: usize) -> bool {
        let (known, is_list) = self.listed;
        if self.at < known {
            return is_list;
        }
        let (mut at, mut has_fen) = (end, is_fen);
        let is_paragraph = loop {
            let next = skip_whitespace(self.bytes, at);
            if next == self.bytes.len() || SpaceBefore::new(self.bytes, next).blank_line() {
                break matches!(self.bytes.get(next), None | Some(b'['));
            }
            let tag = alt((tag.map(|(name, _)| name), odd_tag(true).map(|tag| tag.name)));
            let Ok((rest, name)) = { tag }.parse(&self.bytes[next..]) else { break false };
            at = self.place_of_rest(rest);
            has_fen |= name == b"FEN";
        };
        self.listed = (at, is_paragraph && has_fen);
        self.listed.1
    }
}

/// Returns true if a value is read as it looks, not as it is written. The encoding of the game is not known yet.
fn looks_otherwise(value: &[u8]) -> bool {
    let text = decoded(value);
    as_it_looks(&text) != text
}

/// Decodes a value, of which only signs matter: they are the same in all Windows pages.
fn decoded(value: &[u8]) -> Cow<'_, str> {
    str::from_utf8(value).map_or_else(|_| Encoding::Cp1251.decode(value), Cow::Borrowed)
}

/// Returns true for the names of tags that say how a game is read: their values have characters of ASCII only.
pub(crate) fn decides_reading(name: &[u8]) -> bool {
    [&b"FEN"[..], b"GameType", b"Result", b"SetUp"].iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The value of a Result tag, if it is not a result by the grammar.
fn score_of(value: &[u8]) -> Option<&[u8]> {
    let value = value.trim_ascii();
    let is_plain = || matches!(result(value), Ok(([], _)));
    if matches!(value, [] | b"-") || is_plain() || matches!(token(value), Ok(([], Token::Result(_)))) {
        return None;
    }
    // Runs of whitespace are written as one space, and would not be found again; a star ends a game by itself.
    let folded = value.windows(2).any(|pair| pair.iter().all(u8::is_ascii_whitespace)) || value.contains(&b'*');
    let is_score = value == b"?" || value.iter().any(|byte| byte.is_ascii_digit() || *byte == b'+');
    (!folded && (is_score || is_double_forfeit(value))).then_some(value)
}

/// Returns true for `- - -`, `-:-` and the like: both players lost by forfeit, and the hyphens are not null moves.
fn is_double_forfeit(value: &[u8]) -> bool {
    let text = decoded(value);
    let signs: Vec<char> = text.chars().filter(|letter| *letter != ' ').take(4).collect();
    let is_hyphen = |letter| letter == '-' || is_dash(letter);
    let [left, middle, right] = signs[..] else { return false };
    is_hyphen(left) && is_hyphen(right) && (is_hyphen(middle) || ":/".contains(middle) || is_colon(middle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_double_forfeit_has_a_hyphen_for_each_player() {
        for value in [&b"- - -"[..], b"---", b"-:-", b"- / -", "– – –".as_bytes(), "–：–".as_bytes(), b"\x96 \x96 \x96"]
        {
            assert!(score_of(value).is_some(), "{value:?}");
        }
        for value in [&b":::"[..], b"///", b"--:", b":-:", b"--", b"----", b"-"] {
            assert_eq!(score_of(value), None, "{value:?}");
        }
    }
}
