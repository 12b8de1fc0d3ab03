//! Ways to read a text as moves.

use crate::diag::Span;
use crate::notation::{Numbering, moves_in, resolve, without_number};
use crate::pdn::{MoveText, with_digits};
use crate::rules::Position;

use crate::canon::Rereading;

/// Signs that may follow a move.
const MARKS: [char; 5] = ['!', '?', '*', '(', ')'];

/// One way to read a text.
pub(super) struct Reading {
    pub(super) moves: Vec<MoveText>,
    /// Marks after the last move.
    pub(super) marks: Option<String>,
    /// Index of the stray text among its attachments; `None` for the text of the first illegal move.
    pub(super) stray: Option<usize>,
    pub(super) span: Span,
    pub(super) rereading: Rereading,
    /// The text as written.
    pub(super) from: String,
    /// The moves in canonical form.
    pub(super) names: Vec<String>,
}

/// Collects the readings of the texts at one place.
pub(super) struct Readings<'a> {
    position: &'a Position,
    numbering: Numbering,
    found: Vec<Reading>,
}

impl<'a> Readings<'a> {
    pub(super) const fn new(position: &'a Position, numbering: Numbering) -> Self {
        Self { position, numbering, found: Vec::new() }
    }

    pub(super) fn into_vec(self) -> Vec<Reading> {
        self.found
    }

    /// Reads a stray text, which may start with a number and end with marks.
    pub(super) fn stray(&mut self, text: &str, index: usize, span: Span) {
        let first = self.found.len();
        let bare = text.trim_end_matches(MARKS);
        self.text(without_number(bare), Some(index), span);
        let marks = text[bare.len()..].replace(['(', ')'], "");
        for reading in self.found[first..].iter_mut().filter(|_| !marks.is_empty()) {
            reading.marks = Some(marks.clone());
        }
    }

    /// Reads the text of an illegal move.
    pub(super) fn illegal(&mut self, text: &MoveText, span: Span) {
        if let Some(swapped) = swapped(text) {
            self.add(vec![vec![swapped]], Rereading::SquaresSwapped, (text.text(), None, span));
        }
        self.text(text.text(), None, span);
    }

    /// Reads a text as one or more moves, unchanged or with digits in place of letters.
    fn text(&mut self, text: &str, stray: Option<usize>, span: Span) {
        let mut moves = moves_in(text, self.position, self.numbering);
        // Digits in a row have a legal reading in one variant or another: each of several moves has its sign.
        let signs = text.matches(['-', 'x', ':', '/']).count();
        moves.retain(|moves| moves.len() <= signs.max(1));
        let is_split = moves.iter().any(|moves| moves.len() > 1);
        let rereading = if is_split { Rereading::MovesSplit } else { Rereading::SeparatorAdded };
        self.add(moves, rereading, (text, stray, span));
        if let Some(digits) = with_digits(text) {
            let moves = moves_in(&digits, self.position, self.numbering);
            self.add(moves, Rereading::LetterAsDigit, (text, stray, span));
        }
    }

    fn add(
        &mut self,
        readings: Vec<Vec<MoveText>>,
        rereading: Rereading,
        (text, stray, span): (&str, Option<usize>, Span),
    ) {
        for moves in readings {
            let Some(names) = names(&moves, *self.position, self.numbering) else { continue };
            // Replaying has already tried the unchanged text.
            if stray.is_none() && moves.len() == 1 && moves[0].text() == text {
                continue;
            }
            self.found.push(Reading { moves, marks: None, stray, span, rereading, from: text.to_owned(), names });
        }
    }
}

/// Returns the moves in canonical form; `None` if they are not legal in sequence.
fn names(moves: &[MoveText], mut position: Position, numbering: Numbering) -> Option<Vec<String>> {
    let mut names = Vec::with_capacity(moves.len());
    for text in moves {
        let (played, _) = resolve(&position, text, numbering).ok()?;
        names.push(position.short_in(&played, numbering));
        position = position.play_unchecked(&played);
    }
    Some(names)
}

/// Returns the move back, if both of its squares are written: `ed4` begins on a file.
fn swapped(text: &MoveText) -> Option<MoveText> {
    let &[from, to] = text.squares() else { return None };
    if text.is_ultra_short() {
        return None;
    }
    Some(MoveText::from_squares([to, from], '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_not_replaced() {
        assert_eq!(with_digits("32-28"), None);
    }
}
