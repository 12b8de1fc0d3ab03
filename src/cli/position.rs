//! Positions as users give them.

use std::fmt;

use crate::notation::{FenError, Numbering, parse_fen};
use crate::rules::{Position, SetupFaults, Variant};

/// Why a text is no position that can be played.
#[derive(Debug)]
pub(super) enum BadPosition {
    /// It is no FEN.
    Fen(FenError),
    /// The arrangement cannot be played.
    Setup(SetupFaults),
}

impl fmt::Display for BadPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(fault) => fault.fmt(f),
            Self::Setup(faults) => faults.fmt(f),
        }
    }
}

/// Reads a FEN of a variant.
pub(super) fn read(fen: &str, variant: Variant) -> Result<Position, BadPosition> {
    let setup = parse_fen(fen, Numbering::for_variant(variant)).map_err(BadPosition::Fen)?;
    Position::from_setup(variant, &setup).map(|(position, _)| position).map_err(BadPosition::Setup)
}
