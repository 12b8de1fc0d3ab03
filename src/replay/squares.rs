//! Squares by their written names, and the quick playing of moves in the forms that nearly all have.

use std::cell::RefCell;
use std::rc::Rc;

use smallvec::SmallVec;

use crate::board::Square;
use crate::notation::Numbering;
use crate::pdn::{MoveKind, MoveText, WrittenSquare};
use crate::rules::{Move, Position, WrittenWay};

/// The squares of a numbering by number and by letters; [`NO_SQUARE`] if there is none. To compute them takes two divisions
/// a square.
#[derive(Debug)]
pub(super) struct SquareTable {
    numbering: Numbering,
    /// For each kind of move, true if its sign shows a capture and false if it shows a quiet move; `None` if there may be either.
    captures: [Option<bool>; 3],
    numbers: [u8; 256],
    cells: [[u8; 16]; 16],
}

const NO_SQUARE: u8 = u8::MAX;

/// Maximum number of tables kept by a thread: the built-in variants have fewer numberings, house rules may have any number.
const MAX_TABLES: usize = 64;

thread_local! {
    /// The tables used so far: to make one takes as long as playing 20 moves.
    static TABLES: RefCell<Vec<Rc<SquareTable>>> = const { RefCell::new(Vec::new()) };
}

impl SquareTable {
    /// Returns the table of a numbering.
    pub(super) fn of(numbering: Numbering) -> Rc<Self> {
        TABLES.with_borrow_mut(|tables| {
            if let Some(known) = tables.iter().find(|table| table.numbering == numbering) {
                return Rc::clone(known);
            }
            if tables.len() == MAX_TABLES {
                tables.clear();
            }
            let table = Rc::new(Self::new(numbering));
            tables.push(Rc::clone(&table));
            table
        })
    }

    fn new(numbering: Numbering) -> Self {
        let bit = |square: Option<Square>| square.map_or(NO_SQUARE, Square::bit);
        let cell = |file: usize, rank: usize| match rank {
            0 => NO_SQUARE,
            _ => bit(numbering.square_of(file as u8, rank as u8 - 1)),
        };
        Self {
            numbering,
            captures: [MoveKind::Quiet, MoveKind::Capture, MoveKind::Unseparated].map(|kind| match kind {
                MoveKind::Capture => Some(true),
                MoveKind::Quiet => (numbering.capture_sign() != '-').then_some(false),
                MoveKind::Unseparated => None,
            }),
            numbers: std::array::from_fn(|number| bit(numbering.square(number as u8))),
            cells: std::array::from_fn(|file| std::array::from_fn(|rank| cell(file, rank))),
        }
    }

    #[inline]
    fn square(&self, written: WrittenSquare) -> Option<Square> {
        let bit = self.bit(written);
        (bit != NO_SQUARE).then(|| Square::from_bit(bit))
    }

    #[inline]
    fn bit(&self, written: WrittenSquare) -> u8 {
        match written {
            WrittenSquare::Number(number) => self.numbers[usize::from(number)],
            WrittenSquare::Cell { file, rank } if rank < 16 => {
                // Files end at `l`: the remainders change nothing, and save bounds checks.
                self.cells[usize::from(file % 16)][usize::from(rank % 16)]
            }
            WrittenSquare::Cell { .. } | WrittenSquare::File(_) => NO_SQUARE,
        }
    }

    /// Returns true if the sign of a move of this kind shows a capture; `None` if there may be either.
    #[inline]
    const fn captures(&self, kind: MoveKind) -> Option<bool> {
        self.captures[kind as usize]
    }

    /// Returns the first and the last square of a move written with only these, and whether it captures.
    #[inline(always)]
    pub(super) fn way(&self, text: &MoveText) -> Option<WrittenWay> {
        let ([from, to], kind) = text.two_squares()?;
        let (from, to) = match (from, to) {
            // Most files have numbers.
            (WrittenSquare::Number(from), WrittenSquare::Number(to)) => {
                (self.numbers[usize::from(from)], self.numbers[usize::from(to)])
            }
            _ => (self.bit(from), self.bit(to)),
        };
        let is_known = from != NO_SQUARE && to != NO_SQUARE;
        let way =
            || WrittenWay { from: Square::from_bit(from), to: Square::from_bit(to), captures: self.captures(kind) };
        is_known.then(way)
    }

    /// Plays a move in one of the usual forms, if exactly one legal move fits it and its sign; otherwise `after` is
    /// meaningless. Also returns true if it is known that no other legal move has the same first and last square.
    pub(super) fn play(&self, before: &Position, after: &mut Position, text: &MoveText) -> Option<(Move, bool)> {
        let mut played = Move::NONE;
        if let Some(way) = self.way(text) {
            let fits = before.play_only_into(way.from, way.to, after, &mut played)
                && way.captures.is_none_or(|captures| captures == played.is_capture());
            return fits.then_some((played, true));
        }
        match text.squares() {
            _ if !text.captured().is_empty() => None,
            &[WrittenSquare::File(file), to] => {
                played = self.only_from_file(before, file, self.square(to)?)?;
                *after = before.play_unchecked(&played);
                let fits = self.captures(text.kind()).is_none_or(|captures| captures == played.is_capture());
                fits.then_some((played, false))
            }
            // To read `11x20x4` as any text takes four times as long, and one capture in six is written so.
            stops if text.kind() == MoveKind::Capture => {
                let stops: Option<SmallVec<[Square; 8]>> = stops.iter().map(|&stop| self.square(stop)).collect();
                let stops = stops?;
                let fits = before.play_only_into(stops[0], stops[stops.len() - 1], after, &mut played)
                    && played.is_capture()
                    && before.paths(&played).iter().any(|path| path[..] == stops[..]);
                fits.then_some((played, true))
            }
            _ => None,
        }
    }

    /// Returns the only legal move from a file to a square: `ed4`.
    fn only_from_file(&self, before: &Position, file: u8, to: Square) -> Option<Move> {
        let own = before.squares_of(before.turn());
        let squares = self.cells[usize::from(file % 16)].iter().filter(|&&bit| bit != NO_SQUARE);
        let from = squares.map(|&bit| Square::from_bit(bit)).filter(|&square| own.contains(square));
        let mut moves = from.flat_map(|from| before.moves_between(from, to));
        let (played, None) = (moves.next()?, moves.next()) else { return None };
        Some(played)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn play(variant: Variant, fen: &str, text: &str) -> Option<String> {
        let before = Position::from_fen(variant, fen).expect("a FEN");
        let mut after = before;
        let table = SquareTable::of(Numbering::for_variant(variant));
        table.play(&before, &mut after, &text.parse().expect("a move"))?;
        Some(after.fen())
    }

    #[test]
    fn usual_moves_are_played() {
        let (variant, fen) = (Variant::INTERNATIONAL, "W:W28,32:B19,23");
        assert_eq!(play(variant, fen, "28x14").as_deref(), None);
        assert_eq!(play(variant, "W:W28,32:B9,23", "28x19").as_deref(), Some("B:W19,32:B9"));
        assert_eq!(play(variant, "W:W28,32:B14,23", "28x19x10").as_deref(), Some("B:W10,32:B"));
        assert_eq!(play(variant, "W:W8,32:B23", "8- 2").as_deref(), Some("B:WK2,32:B23"));
        for text in ["c3-d4", "c3d4", "cd4"] {
            assert_eq!(play(Variant::RUSSIAN, "W:Wc3:Bh8", text).as_deref(), Some("B:Wd4:Bh8"), "{text}");
        }
    }

    #[test]
    fn other_moves_are_not() {
        let variant = Variant::INTERNATIONAL;
        for (fen, text) in [
            ("W:W28,32:B9,23", "32-27"),
            ("W:W28,32:B9,23", "28x32"),
            ("W:W28,32:B9,23", "28-19"),
            ("W:W28,32:B9", "28x22"),
            ("W:W28,32:B14,23", "28x20x10"),
            ("W:W28,32:B9", "99-22"),
            // Two captures between the same squares.
            ("W:WK48:B8,9,18,19,31,32,42,43", "48x4"),
        ] {
            assert_eq!(play(variant, fen, text), None, "{fen} {text}");
        }
    }
}
