//! Arrangements of pieces that may or may not be playable.

use super::issues::Issues;
use super::position::Position;
use super::variants::Variant;
use crate::board::{Piece, Side, Square, SquareSet};

/// An unchecked arrangement of pieces, as described by a FEN.
///
/// # Examples
///
/// ```
/// use pdn::board::{Piece, Side};
/// use pdn::rules::{Position, Setup, Variant};
///
/// let shape = Variant::RUSSIAN.shape();
/// let king = (shape.square_at(7, 0).unwrap(), Side::White, Piece::King);
/// let man = (shape.square_at(0, 1).unwrap(), Side::Black, Piece::Man);
/// let setup = Setup::new(Some(Side::White), [king, man]);
/// let (position, warnings) = Position::from_setup(Variant::RUSSIAN, &setup)?;
/// assert!(warnings.is_empty());
/// assert_eq!(position.legal_moves().len(), 7);
/// # Ok::<(), pdn::rules::SetupIssues>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    turn: Option<Side>,
    pieces: Vec<(Square, Side, Piece)>,
}

impl Setup {
    /// Returns an arrangement of pieces; `turn` is the side to move, if it is known.
    pub fn new(turn: Option<Side>, pieces: impl IntoIterator<Item = (Square, Side, Piece)>) -> Self {
        Self { turn, pieces: pieces.into_iter().collect() }
    }

    /// Adds a piece, even on an occupied square.
    pub fn push(&mut self, square: Square, side: Side, piece: Piece) {
        self.pieces.push((square, side, piece));
    }

    /// Returns the side to move, `None` if it is unknown.
    pub const fn turn(&self) -> Option<Side> {
        self.turn
    }

    /// Returns the pieces in the order in which they were added; a square may occur twice.
    pub fn pieces(&self) -> &[(Square, Side, Piece)] {
        &self.pieces
    }

    /// Returns all errors in the arrangement under a variant's rules.
    pub fn issues(&self, variant: Variant) -> SetupIssues {
        let (mut issues, shape) = (Vec::new(), variant.shape());
        if self.turn.is_none() {
            issues.push(SetupIssue::UnknownTurn);
        }
        if self.pieces.is_empty() {
            issues.push(SetupIssue::NoPieces);
        }
        let mut seen = SquareSet::EMPTY;
        for &(square, side, piece) in &self.pieces {
            if seen.contains(square) {
                issues.push(SetupIssue::DuplicateSquare(square));
            }
            let promotion_row = if side == Side::White { 0 } else { shape.height() - 1 };
            if !shape.contains(square) {
                issues.push(SetupIssue::OffBoard(square));
            } else if piece == Piece::Man && shape.row(square) == promotion_row {
                issues.push(SetupIssue::ManOnPromotionRow(square, side));
            }
            seen.insert(square);
        }
        for side in Side::ALL {
            let count = self.pieces.iter().filter(|piece| piece.1 == side).count();
            let usual = usize::from(variant.spec().start_rows.rows * shape.squares_per_row());
            if count > usual {
                issues.push(SetupIssue::TooManyPieces { side, count, usual });
            }
        }
        Issues::new(issues)
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        Self::new(Some(position.turn()), position.pieces())
    }
}

/// Something wrong with an arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupIssue {
    /// The side to move is unknown. Specify it.
    #[error("the side to move is unknown")]
    UnknownTurn,
    /// Two pieces are on one square. Remove one.
    #[error("two pieces are on the same square")]
    DuplicateSquare(Square),
    /// A square is not part of the variant's board. Remove the piece.
    #[error("a piece is not on a square of this board")]
    OffBoard(Square),
    /// A man is on the row where it would have been promoted. Make it a king or move it.
    #[error("a {1} man is on its promotion row")]
    ManOnPromotionRow(Square, Side),
    /// The board is empty.
    #[error("the board is empty")]
    NoPieces,
    /// A side has more pieces than at the start of a game: playable, and found in problems.
    #[error("{side} has {count} pieces; a game starts with {usual}")]
    TooManyPieces {
        /// The side.
        side: Side,
        /// The number of its pieces.
        count: usize,
        /// The number of its pieces at the start of a game.
        usual: usize,
    },
}

impl SetupIssue {
    /// Returns true if the position cannot be played.
    pub const fn is_error(self) -> bool {
        !matches!(self, Self::TooManyPieces { .. })
    }

    /// Returns the square concerned, if it is a single one.
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::DuplicateSquare(square) | Self::OffBoard(square) | Self::ManOnPromotionRow(square, _) => Some(square),
            Self::UnknownTurn | Self::NoPieces | Self::TooManyPieces { .. } => None,
        }
    }
}

/// All errors in an arrangement of pieces.
pub type SetupIssues = Issues<SetupIssue>;

impl SetupIssues {
    /// Returns true if the position cannot be played.
    pub(crate) fn has_errors(&self) -> bool {
        self.iter().any(|issue| issue.is_error())
    }
}
