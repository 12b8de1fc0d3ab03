//! Moves as nearly all are written, played without a tree.

use super::choose::agrees;
use crate::board::Square;
use crate::notation::{GameType, Numbering, readings};
use crate::pdn::{MoveKind, MoveText};
use crate::rules::{Move, Position, Variant};

/// Plays plain moves: exactly one legal move fits the text, and the text is as the standard requires. The plies of a game
/// whose moves are all plain are those that [`replay`](super::replay()) returns, without a diagnostic about a move.
#[derive(Debug)]
pub(crate) struct PlainMoves {
    names: Option<Names>,
    played: Move,
}

impl PlainMoves {
    /// Returns a player of moves.
    pub(crate) const fn new() -> Self {
        Self { names: None, played: Move::NONE }
    }

    /// Plays the move that a text denotes and returns it, or `None` if the move is not plain; then `after` is meaningless.
    #[inline]
    pub(crate) fn play(&mut self, before: &Position, after: &mut Position, text: &[u8]) -> Option<&Move> {
        let variant = before.variant();
        if self.names.as_ref().is_none_or(|names| names.variant != variant) {
            self.names = Some(Names::new(variant));
        }
        let names = self.names.as_ref()?;
        match names.ends(text) {
            Some((from, kind, to)) => {
                let is_plain = before.play_only_into(from, to, after, &mut self.played)
                    && is_regular(kind, &self.played, names.captures_have_hyphens);
                is_plain.then_some(&self.played)
            }
            None => {
                self.played = play_rare(before, after, text, names.numbering)?;
                Some(&self.played)
            }
        }
    }
}

/// Plays the move between two squares with a sign between them, if exactly one legal move fits and has that sign.
/// Otherwise the position is lost.
pub(super) fn play_plain(position: &mut Position, text: &MoveText, numbering: Numbering) -> Option<Move> {
    let &[from, to] = text.squares() else { return None };
    if !text.captured().is_empty() || text.kind() == MoveKind::Unseparated {
        return None;
    }
    let played = position.play_only(numbering.parse(from)?, numbering.parse(to)?)?;
    is_regular(text.kind(), &played, numbering.capture_sign() == '-').then_some(played)
}

/// Returns true if a move has the sign of its kind.
fn is_regular(kind: MoveKind, played: &Move, captures_have_hyphens: bool) -> bool {
    match kind {
        MoveKind::Capture => played.is_capture(),
        MoveKind::Quiet | MoveKind::Unseparated => !played.is_capture() || captures_have_hyphens,
    }
}

/// Plays a move with intermediate squares, without a sign or written in another way.
#[cold]
fn play_rare(before: &Position, after: &mut Position, text: &[u8], numbering: Numbering) -> Option<Move> {
    let text = MoveText::parse(str::from_utf8(text).ok()?)?;
    let found = readings(before, &text, numbering);
    let [played] = found.moves()[..] else { return None };
    *after = before.play_unchecked(&played);
    found.deviation().is_none().then_some(played)
}

/// Returns the variant of a `GameType`, if no field of the tag contradicts the variant's board and names of squares.
pub(crate) fn plain_variant(game_type: &str) -> Option<Variant> {
    let game_type = GameType::parse(game_type).ok()?;
    game_type.variant().filter(|&variant| agrees(game_type, variant))
}

/// Squares by number and by letters; [`NO_SQUARE`] where there is none.
#[derive(Debug)]
struct Names {
    variant: Variant,
    numbering: Numbering,
    captures_have_hyphens: bool,
    numbers: [u8; 100],
    cells: [[u8; 16]; 16],
}

const NO_SQUARE: u8 = u8::MAX;

impl Names {
    fn new(variant: Variant) -> Self {
        let numbering = Numbering::for_variant(variant);
        let bit = |square: Option<Square>| square.map_or(NO_SQUARE, Square::bit);
        let cell = |file: usize, rank: usize| match rank {
            0 => NO_SQUARE,
            _ => bit(numbering.square_of(file as u8, rank as u8 - 1)),
        };
        Self {
            variant,
            numbering,
            captures_have_hyphens: numbering.capture_sign() == '-',
            numbers: std::array::from_fn(|number| bit(numbering.square(number as u8))),
            cells: std::array::from_fn(|file| std::array::from_fn(|rank| cell(file, rank))),
        }
    }

    /// Reads two squares with one sign between them.
    #[inline]
    fn ends(&self, text: &[u8]) -> Option<(Square, MoveKind, Square)> {
        let (from, rest) = self.square(text)?;
        let (kind, rest) = match rest {
            [b'-', rest @ ..] => (MoveKind::Quiet, rest),
            [b'x' | b':', rest @ ..] => (MoveKind::Capture, rest),
            _ => return None,
        };
        let (to, rest) = self.square(rest)?;
        rest.is_empty().then_some((from, kind, to))
    }

    #[inline]
    fn square<'a>(&self, text: &'a [u8]) -> Option<(Square, &'a [u8])> {
        let digit = |byte: u8| byte.wrapping_sub(b'0');
        let (file, digits) = match text {
            [letter @ b'a'..=b'l', digits @ ..] => (Some(letter - b'a'), digits),
            _ => (None, text),
        };
        let (value, rest) = match digits {
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] => (digit(*tens) * 10 + digit(*ones), rest),
            [ones @ b'0'..=b'9', rest @ ..] => (digit(*ones), rest),
            _ => return None,
        };
        let bit = match file {
            Some(file) => *self.cells[usize::from(file)].get(usize::from(value))?,
            None => self.numbers[usize::from(value)],
        };
        (bit != NO_SQUARE).then(|| (Square::from_bit(bit), rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(variant: Variant, fen: &str, text: &str) -> Option<String> {
        let before = Position::from_fen(variant, fen).expect("a FEN");
        let mut after = before;
        PlainMoves::new().play(&before, &mut after, text.as_bytes()).map(|_| after.fen())
    }

    #[test]
    fn plain_moves_are_played() {
        let (variant, fen) = (Variant::INTERNATIONAL, "W:W28,32:B19,23");
        assert_eq!(play(variant, fen, "28x14").as_deref(), None);
        assert_eq!(play(variant, "W:W28,32:B9,23", "28x19").as_deref(), Some("B:W19,32:B9"));
        assert_eq!(play(variant, "W:W28,32:B14,23", "28x19x10").as_deref(), Some("B:W10,32:B"));
        assert_eq!(play(Variant::RUSSIAN, "W:Wc3:Bh8", "c3-d4").as_deref(), Some("B:Wd4:Bh8"));
    }

    #[test]
    fn other_moves_are_not() {
        let variant = Variant::INTERNATIONAL;
        for (fen, text) in [
            ("W:W28,32:B9,23", "28-19"),
            ("W:W28,32:B9,23", "32-27"),
            ("W:W28,32:B9,23", "28x32"),
            ("W:W28,32:B9", "28x22"),
            ("W:W28,32:B9", "28-22x"),
            ("W:W28,32:B9", "99-22"),
            ("W:W28,32:B9", "Event"),
            // Two captures between the same squares.
            ("W:WK48:B8,9,18,19,31,32,42,43", "48x4"),
        ] {
            assert_eq!(play(variant, fen, text), None, "{fen} {text}");
        }
    }
}
