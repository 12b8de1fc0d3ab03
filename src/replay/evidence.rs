//! Evidence for the variant of a game in the names of its squares.

use super::opening::fen_tag;
use crate::pdn::{GameTree, NodeKind, WrittenSquare};
use crate::rules::Variant;

/// What the squares of a game say about its board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SquareEvidence {
    largest_number: u8,
    /// One more than the largest file, from 0.
    pub(super) files: u8,
    ranks: u8,
}

impl SquareEvidence {
    pub(super) fn of(tree: &GameTree) -> Self {
        let mut evidence = Self::default();
        for &id in &tree.main_line().nodes {
            match &tree.node(id).kind {
                NodeKind::Move(text) => text.squares().iter().for_each(|&square| evidence.add(square)),
                NodeKind::Setup { fen } => evidence.add_fen(fen),
                NodeKind::Null | NodeKind::Ellipsis => {}
            }
        }
        if let Some(tag) = fen_tag(tree) {
            evidence.add_fen(&tag.value);
        }
        evidence
    }

    fn add(&mut self, square: WrittenSquare) {
        match square {
            // A square that no board has is a slip.
            WrittenSquare::Number(number) if number <= 72 => self.largest_number = self.largest_number.max(number),
            WrittenSquare::Number(_) => {}
            WrittenSquare::File(file) => self.files = self.files.max(file + 1),
            WrittenSquare::Cell { file, rank } => {
                self.files = self.files.max(file + 1);
                self.ranks = self.ranks.max(if rank <= 12 { rank } else { 0 });
            }
        }
    }

    fn add_fen(&mut self, fen: &str) {
        // Each field begins with a colour, which in lower case could be mistaken for a file.
        let lists = fen.split(':').map(|field| field.trim_start().trim_start_matches(['W', 'w', 'B', 'b', '?']));
        for square in lists.flat_map(|list| list.split([',', '-', ' ', '.'])) {
            let square = square.trim_start_matches(['K', 'k']);
            let (letter, digits) = match square.as_bytes().first() {
                Some(letter @ b'a'..=b'l') => (Some(letter - b'a'), &square[1..]),
                _ => (None, square),
            };
            match (letter, digits.parse()) {
                (Some(file), Ok(rank)) => self.add(WrittenSquare::Cell { file, rank }),
                (None, Ok(number)) => self.add(WrittenSquare::Number(number)),
                _ => {}
            }
        }
    }

    /// Returns true if the squares alone determine the board and one variant is by far the commonest on it.
    pub(super) const fn names_the_board(self) -> bool {
        self.files == 0 && self.largest_number > 32 || self.files > 8
    }
}

/// Variants written with letters on a board of 8 by 8, and others where letters are rare.
const BY_LETTERS: [Variant; 10] = [
    Variant::RUSSIAN,
    Variant::BRAZILIAN,
    Variant::POOL_UNIFIED,
    Variant::CZECH,
    Variant::TURKISH,
    Variant::JAMAICAN,
    Variant::ENGLISH,
    Variant::ITALIAN,
    Variant::SPANTSIRETTI,
    Variant::INTERNATIONAL,
];

/// Variants in which squares are numbered up to 32, and others of which only such squares occur.
const BY_NUMBERS: [Variant; 11] = [
    Variant::ENGLISH,
    Variant::ITALIAN,
    Variant::INTERNATIONAL,
    Variant::SPANISH,
    Variant::POOL,
    Variant::RUSSIAN,
    Variant::BRAZILIAN,
    Variant::THAI,
    Variant::CZECH,
    Variant::FRISIAN,
    Variant::CANADIAN,
];

/// Returns the variants whose boards have the squares of a game, the likeliest first, then those for which a square of a
/// larger board may be a slip.
pub(super) fn candidates(tree: &GameTree, size: Option<(u8, u8)>) -> Vec<Variant> {
    let evidence = SquareEvidence::of(tree);
    let (large, small): (&[Variant], &[Variant]) = match evidence {
        SquareEvidence { files: 9.., .. } => {
            (&[Variant::SPANTSIRETTI, Variant::INTERNATIONAL, Variant::CANADIAN], &BY_LETTERS)
        }
        SquareEvidence { ranks: 9.., .. } => (&[Variant::INTERNATIONAL, Variant::CANADIAN], &BY_LETTERS),
        SquareEvidence { files: 1.., .. } => (&[], &BY_LETTERS),
        SquareEvidence { largest_number: 51.., .. } => {
            (&[Variant::CANADIAN, Variant::TURKISH, Variant::INTERNATIONAL], &BY_NUMBERS)
        }
        SquareEvidence { largest_number: 33.., .. } => {
            (&[Variant::INTERNATIONAL, Variant::FRISIAN, Variant::CANADIAN], &BY_NUMBERS)
        }
        _ => (&[], &BY_NUMBERS),
    };
    let mut list = large.to_vec();
    list.extend(small.iter().filter(|variant| !large.contains(variant)));
    if let Some(size) = size {
        list.retain(|variant| (variant.shape().width(), variant.shape().height()) == size);
    }
    list
}
