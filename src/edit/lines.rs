//! Additions to lines, and exchanges of lines.

use std::ops::Range;

use super::Refusal;
use super::change::{Expected, Focus, Plan, Planned, Subject};
use super::tokens::{GameTokens, Item, Kind};
use crate::board::Side;
use crate::notation::{Numbering, resolve};
use crate::pdn::{MoveText, Time, written_command};
use crate::records::MoveRow;
use crate::rules::{Position, Variant};

impl Subject<'_> {
    /// Adds moves after a move, and the time left after the last of them.
    pub(super) fn add_moves(&self, at: &str, moves: &[String], clock: Option<&str>) -> Planned {
        let place = self.place(at)?;
        let (line, next) = place.as_ref().map_or((&self.row.moves[..], 0), |place| (place.line, place.index + 1));
        let before = next.checked_sub(1).map(|index| &line[index]);
        let replaced = line.get(next);
        let position = match before {
            Some(row) => row.fen.map(|fen| *fen.position()),
            None => self.review.game().known_start().copied(),
        };
        let words = self.names(position, moves)?;
        let (number, side) = self.count(before, replaced, position);
        let (mut text, mut new, at_last) = self.numbered((number, side), &words, replaced.is_some(), before)?;
        if let Some(clock) = clock {
            let time = Time::parse(clock).ok_or(Refusal::OtherReading)?;
            let comment = format!("{{{}}}", written_command("clk", &time.to_string())).into_bytes();
            text = [&text[..], b" ", &comment].concat();
            new.push((Kind::Comment, comment));
        }
        let splice = if let Some(row) = replaced {
            let last = self.tokens.slot(self.token(row)? + 1, false).last().map(|item| item.tokens.end - 1);
            let after = last.map_or_else(|| self.token(row), Ok)?;
            let text = [b"(", &text[..], b")"].concat();
            let new = [vec![(Kind::Open, b"(".to_vec())], new, vec![(Kind::Close, b")".to_vec())]].concat();
            self.inserted(Some(after), &text, new)
        } else {
            let after = match before {
                Some(row) => self.tokens.line_end(self.token(row)?).checked_sub(1),
                None => self.tokens.line_end(self.tokens.first_after_tags()).checked_sub(1),
            };
            self.inserted(after, &text, new)
        };
        let text_start = splice.text.windows(text.len()).position(|part| part == text).unwrap_or_default();
        Ok(Plan { focus: Some(Focus::New(0, text_start + at_last)), ..Plan::of(splice) })
    }

    /// Returns moves with the names of squares that the game uses.
    fn names(&self, mut position: Option<Position>, moves: &[String]) -> Result<Vec<String>, Refusal> {
        let mut words = Vec::with_capacity(moves.len());
        for text in moves {
            let parsed = MoveText::parse(text).ok_or(Refusal::Illegal)?;
            let Some(before) = position else {
                words.push(text.clone());
                continue;
            };
            let own = Numbering::for_variant(before.variant());
            let (played, _) = resolve(&before, &parsed, own).map_err(|_| Refusal::Illegal)?;
            let numbering = self.review.game().numbering().unwrap_or(own);
            // Of several captures between the same squares, the text may name the one that is meant by its path.
            words.push(if numbering == own { text.clone() } else { before.short_in(&played, numbering) });
            position = Some(before.play_unchecked(&played));
        }
        if words.is_empty() { Err(Refusal::Illegal) } else { Ok(words) }
    }

    /// Returns the number and the side of a move after a row.
    fn count(
        &self,
        before: Option<&MoveRow<'_>>,
        replaced: Option<&MoveRow<'_>>,
        position: Option<Position>,
    ) -> (u32, char) {
        if let Some(row) = replaced {
            return (row.move_no, row.side);
        }
        let Some(row) = before else { return (1, position.map_or('W', |start| start.turn().letter())) };
        let side = position.map_or(if row.side == 'W' { 'B' } else { 'W' }, |position| position.turn().letter());
        (row.move_no + u32::from(side == self.starts()), side)
    }

    /// Returns the letter of the side that starts games.
    fn starts(&self) -> char {
        self.review.game().variant().map_or(Side::White, Variant::starts).letter()
    }

    /// Returns true if the game has no space between numbers and moves.
    fn is_tight(&self) -> bool {
        let all = self.tokens.all;
        let mut pairs = all.iter().zip(all.iter().skip(1));
        pairs
            .find(|(token, _)| token.kind == Kind::Number)
            .is_some_and(|(token, next)| next.span.start == token.span.end)
    }

    /// Returns moves with their numbers, as the game writes them, and the index of the last move in the text.
    fn numbered(
        &self,
        (mut number, mut side): (u32, char),
        words: &[String],
        is_variation: bool,
        before: Option<&MoveRow<'_>>,
    ) -> Result<(Vec<u8>, Vec<Expected>, usize), Refusal> {
        let all = self.tokens.all;
        let is_number = |n: &usize| all[*n].kind == Kind::Number;
        let has_moves = all.iter().any(|token| token.kind == Kind::Move);
        // Without moves there is no habit to follow; nearly all records have numbers.
        let is_numbered = (0..all.len()).any(|n| is_number(&n)) || !has_moves;
        let gap = if self.is_tight() { "" } else { " " };
        let follows_move = match before {
            Some(row) => self.tokens.slot(self.token(row)? + 1, true).is_empty(),
            None => false,
        };
        let (mut text, mut new, mut at) = (String::new(), Vec::new(), 0);
        for (n, word) in words.iter().enumerate() {
            let is_first = n == 0 && (is_variation || !follows_move);
            // Two captures in a row may be read as one.
            let last = if n > 0 { Some(words[n - 1].as_str()) } else { before.map(|row| &*row.written) };
            let may_join = last.is_some_and(|last| is_capture(last) && is_capture(word));
            if n > 0 {
                text.push(' ');
            }
            if is_numbered && (is_first || side == self.starts()) || may_join {
                let count = format!("{number}{}", if side == self.starts() { "." } else { "..." });
                text.push_str(&count);
                text.push_str(gap);
                new.push((Kind::Number, count.into_bytes()));
            }
            at = text.len();
            text.push_str(word);
            new.push((Kind::Move, word.clone().into_bytes()));
            side = if side == 'W' { 'B' } else { 'W' };
            number += u32::from(side == self.starts());
        }
        Ok((text.into_bytes(), new, at))
    }

    /// Exchanges a variation and the rest of the line around it: the pieces are moved, and their bytes stay.
    pub(super) fn promote(&self, at: &str) -> Planned {
        let place = self.move_at(at)?;
        let parent = place.parent.ok_or(Refusal::NoSuchPlace)?;
        let tokens = self.tokens;
        let (token, first) = (self.token(&place.line[place.index])?, self.token(&place.line[0])?);
        let (old, open) = (self.token(parent)?, tokens.open_of(first).ok_or(Refusal::NoSuchPlace)?);
        let (end, close) = (tokens.line_end(old), tokens.line_end(first));
        let after: Vec<Item> = tokens.slot(old + 1, false);
        if !after.iter().any(|item| item.tokens.start == open) {
            return Err(Refusal::NoSuchPlace);
        }
        let own: Vec<Item> = tokens.slot(first + 1, false);
        let own_end = own.last().map_or(first + 1, |item| item.tokens.end);
        let mut moved = Moved::of(tokens, self.line_end);
        moved.old(open + 1..own_end);
        moved.add(Kind::Open, "(");
        // The move that begins a variation needs a number, also if it had none in its line.
        if tokens.with_number(old) == old {
            let number = format!("{}{}", parent.move_no, if parent.side == self.starts() { "." } else { "..." });
            moved.add(Kind::Number, &number);
            moved.is_open = self.is_tight();
        }
        moved.old(tokens.with_number(old)..old + 1);
        let is_kept = |item: &&Item| item.kind != Kind::Open;
        after.iter().filter(is_kept).for_each(|item| moved.old(item.tokens.clone()));
        moved.old(after.last().map_or(old + 1, |item| item.tokens.end)..end);
        moved.add(Kind::Close, ")");
        // The other variations replace the same move, so they follow the one that took its place.
        let others = after.iter().filter(|item| item.kind == Kind::Open && item.tokens.start != open);
        others.for_each(|item| moved.old(item.tokens.clone()));
        moved.old(own_end..close);
        Ok(self.rearranged(moved, tokens.with_number(old)..end, token))
    }

    /// Exchanges a variation and the one before it.
    pub(super) fn move_up(&self, at: &str) -> Planned {
        let place = self.move_at(at)?;
        let parent = place.parent.ok_or(Refusal::NoSuchPlace)?;
        let (token, first) = (self.token(&place.line[place.index])?, self.token(&place.line[0])?);
        let open = self.tokens.open_of(first).ok_or(Refusal::NoSuchPlace)?;
        let items = self.tokens.slot(self.token(parent)? + 1, true);
        let mut variations = items.into_iter().filter(|item| item.kind == Kind::Open);
        let before = variations.by_ref().take_while(|item| item.tokens.start != open).last();
        let Some(before) = before else { return self.promote(at) };
        let own = open..self.tokens.line_end(first) + 1;
        let mut moved = Moved::of(self.tokens, self.line_end);
        moved.old(own.clone());
        moved.old(before.tokens.end..own.start);
        moved.old(before.tokens.clone());
        Ok(self.rearranged(moved, before.tokens.start..own.end, token))
    }

    /// Replaces tokens by the same ones in another order; the move at a token is shown.
    fn rearranged(&self, mut moved: Moved<'_>, tokens: Range<usize>, shown: usize) -> Plan {
        if moved.ends_line {
            moved.text.extend_from_slice(self.line_end.as_bytes());
        }
        let focus = moved.places.iter().find(|(from, _)| *from == shown).map(|(_, at)| Focus::New(0, *at));
        let places = moved.places.iter().map(|&(from, at)| (self.byte(from), Focus::New(0, at))).collect();
        let splice = self.replaced(tokens, moved.text, Some(moved.expected));
        Plan { focus, moved: places, ..Plan::of(splice) }
    }
}

/// A text made of pieces of a game.
struct Moved<'a> {
    tokens: GameTokens<'a>,
    line_end: &'static str,
    text: Vec<u8>,
    expected: Vec<Expected>,
    /// Where each token is in the text.
    places: Vec<(usize, usize)>,
    /// True after a comment that ends with its line.
    ends_line: bool,
    /// True where no space follows: after an opening parenthesis.
    is_open: bool,
}

impl<'a> Moved<'a> {
    const fn of(tokens: GameTokens<'a>, line_end: &'static str) -> Self {
        Self {
            tokens,
            line_end,
            text: Vec::new(),
            expected: Vec::new(),
            places: Vec::new(),
            ends_line: false,
            is_open: false,
        }
    }

    fn separate(&mut self) {
        if std::mem::take(&mut self.ends_line) {
            self.text.extend_from_slice(self.line_end.as_bytes());
        } else if !self.text.is_empty() && !self.is_open {
            self.text.push(b' ');
        }
        self.is_open = false;
    }

    /// Adds tokens of the game.
    fn old(&mut self, tokens: Range<usize>) {
        if tokens.is_empty() {
            return;
        }
        self.separate();
        let (start, at) = (self.tokens.span(&tokens).start, self.text.len());
        self.text.extend_from_slice(self.tokens.piece(&tokens));
        for n in tokens.clone() {
            self.places.push((n, at + self.tokens.all[n].span.start - start));
            self.expected.push((self.tokens.all[n].kind, self.tokens.text(n).to_vec()));
        }
        self.ends_line = self.tokens.all[tokens.end - 1].kind == Kind::LineComment;
    }

    /// Adds a token that the game does not have.
    fn add(&mut self, kind: Kind, text: &str) {
        if kind != Kind::Close || self.ends_line {
            self.separate();
        }
        self.text.extend_from_slice(text.as_bytes());
        self.expected.push((kind, text.as_bytes().to_vec()));
        self.is_open = kind == Kind::Open;
    }
}

fn is_capture(text: &str) -> bool {
    text.contains(['x', 'X', ':'])
}
