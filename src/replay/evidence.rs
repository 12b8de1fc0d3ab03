//! Evidence for the variant of a game in the names of its squares.

use super::opening::fen_tag;
use crate::notation::{MAX_RANK, Numbering};
use crate::pdn::{GameTree, LARGEST_SQUARE, NodeKind, WrittenSquare};
use crate::rules::Variant;

/// Returns true if letters are written where the squares have numbers, or numbers where they have letters.
pub(super) fn has_other_names(tree: &GameTree, numbering: Option<Numbering>) -> bool {
    let squares = SquareEvidence::of(tree);
    numbering.is_some_and(|numbering| !squares.is_empty() && squares.has_letters() != numbering.is_algebraic())
}

/// The evidence from the squares of a game about its board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SquareEvidence {
    largest_number: u8,
    /// One more than the largest file, from 0.
    files: u8,
    ranks: u8,
}

impl SquareEvidence {
    pub(super) fn of(tree: &GameTree) -> Self {
        let mut evidence = Self::default();
        evidence.add_game(tree);
        evidence
    }

    /// Adds the squares of a game.
    pub(super) fn add_game(&mut self, tree: &GameTree) {
        for &id in tree.main_line().nodes() {
            match tree.node(id).kind() {
                NodeKind::Move(text) => text.squares().iter().for_each(|&square| self.add(square)),
                NodeKind::Setup { fen } => self.add_fen(fen),
                NodeKind::Null | NodeKind::Ellipsis => {}
            }
        }
        if let Some(tag) = fen_tag(tree) {
            self.add_fen(tag.value());
        }
    }

    /// Returns true if there are no squares.
    pub(super) const fn is_empty(self) -> bool {
        self.largest_number == 0 && self.files == 0
    }

    /// Returns true if squares are named by letters.
    pub(super) const fn has_letters(self) -> bool {
        self.files > 0
    }

    /// Returns the number of squares, including light ones, of the smallest usual board that has all of the squares.
    pub(super) const fn area(self) -> u8 {
        match self {
            // 12x12, 10x10, 10x8 and 8x8.
            Self { files: 11.., .. } | Self { ranks: 11.., .. } | Self { largest_number: 51.., .. } => 144,
            Self { ranks: 9.., .. } | Self { largest_number: 33.., .. } => 100,
            Self { files: 9.., .. } => 80,
            _ => 64,
        }
    }

    fn add(&mut self, square: WrittenSquare) {
        match square {
            // A square that no board has is a slip.
            WrittenSquare::Number(number) if number <= LARGEST_SQUARE => {
                self.largest_number = self.largest_number.max(number);
            }
            WrittenSquare::Number(_) => {}
            WrittenSquare::File(file) => self.files = self.files.max(file + 1),
            WrittenSquare::Cell { file, rank } => {
                self.files = self.files.max(file + 1);
                self.ranks = self.ranks.max(if rank <= MAX_RANK { rank } else { 0 });
            }
        }
    }

    fn add_fen(&mut self, fen: &str) {
        // Each field begins with a colour, which in lower case could be mistaken for a file.
        let lists = fen.split(':').map(|field| field.trim_start().trim_start_matches(['W', 'w', 'B', 'b', '?']));
        for square in lists.flat_map(|list| list.split([',', '-', ' ', '.'])) {
            let square = square.trim_start_matches(['K', 'k']);
            let (letter, digits) = match square.as_bytes().first().map(u8::to_ascii_lowercase) {
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

    /// Returns true if the squares alone determine the board.
    pub(super) const fn names_board(self) -> bool {
        self.files == 0 && self.largest_number > 32 || self.files > 8
    }

    /// Returns true if the squares alone determine the board, it is that of the variant, and one variant is by far the most
    /// common on it.
    pub(super) fn names_board_of(self, variant: Variant) -> bool {
        self.names_board() && self.area() <= variant.shape().width() * variant.shape().height()
    }
}
