//! Arrangements of pieces that may or may not be playable.

use std::fmt;

use super::variants::Variant;
use crate::board::{Piece, Side, Square, SquareSet};

/// Any arrangement of pieces, not checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Side to move; `None` if unknown.
    pub side: Option<Side>,
    /// Pieces in the order given; a square may stand twice.
    pub pieces: Vec<(Square, Side, Piece)>,
}

/// Something wrong with an arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupFault {
    /// The side to move is not known. Name it.
    SideUnknown,
    /// Two pieces stand on one square. Remove one.
    SquareTwice(Square),
    /// A man stands on the row where it would have promoted. Make it a king or move it.
    ManOnPromotionRow(Square, Side),
    /// There is no piece at all.
    NoPieces,
    /// A side has more pieces than at the start of a game: playable, met in problems.
    TooManyPieces {
        /// The side.
        side: Side,
        /// Its pieces.
        count: usize,
        /// Pieces at the start of a game.
        usual: usize,
    },
}

impl SetupFault {
    /// Whether the position cannot be played.
    pub const fn is_error(self) -> bool {
        !matches!(self, Self::TooManyPieces { .. })
    }

    /// The square it is about.
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::SquareTwice(square) | Self::ManOnPromotionRow(square, _) => Some(square),
            Self::SideUnknown | Self::NoPieces | Self::TooManyPieces { .. } => None,
        }
    }
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SideUnknown => f.write_str("the side to move is not known"),
            Self::SquareTwice(_) => f.write_str("two pieces stand on one square"),
            Self::ManOnPromotionRow(_, side) => write!(f, "a {side} man stands on its promotion row"),
            Self::NoPieces => f.write_str("there is no piece on the board"),
            Self::TooManyPieces { side, count, usual } => {
                write!(f, "{side} has {count} pieces, a game starts with {usual}")
            }
        }
    }
}

/// All that is wrong with an arrangement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetupFaults(pub Vec<SetupFault>);

impl SetupFaults {
    /// Whether the position cannot be played.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|fault| fault.is_error())
    }
}

impl fmt::Display for SetupFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if n == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupFaults {}

impl Setup {
    /// Collects everything that is wrong with the arrangement under a variant's rules.
    pub fn faults(&self, variant: Variant) -> SetupFaults {
        let mut faults = Vec::new();
        if self.side.is_none() {
            faults.push(SetupFault::SideUnknown);
        }
        if self.pieces.is_empty() {
            faults.push(SetupFault::NoPieces);
        }
        let mut seen = SquareSet::EMPTY;
        for &(square, side, piece) in &self.pieces {
            if seen.contains(square) {
                faults.push(SetupFault::SquareTwice(square));
            }
            seen.insert(square);
            if piece == Piece::Man && variant.shape().row(square) == promotion_row(variant, side) {
                faults.push(SetupFault::ManOnPromotionRow(square, side));
            }
        }
        faults.extend([Side::White, Side::Black].into_iter().filter_map(|side| self.too_many(variant, side)));
        SetupFaults(faults)
    }

    fn too_many(&self, variant: Variant, side: Side) -> Option<SetupFault> {
        let count = self.pieces.iter().filter(|piece| piece.1 == side).count();
        let usual = usize::from(variant.spec().start_rows.rows * variant.shape().squares_per_row());
        (count > usual).then_some(SetupFault::TooManyPieces { side, count, usual })
    }
}

fn promotion_row(variant: Variant, side: Side) -> u8 {
    match side {
        Side::White => 0,
        Side::Black => variant.shape().height() - 1,
    }
}
