//! Positions as users give them.

use std::fmt;

use crate::notation::{FenError, Numbering, parse_fen};
use crate::rules::{Position, SetupIssue, SetupIssues, Variant};

/// Why a text is no position that can be played.
#[derive(Debug)]
pub(super) enum BadPosition<'a> {
    /// It is no FEN.
    Fen(&'a str, FenError),
    /// The arrangement cannot be played.
    Setup(Numbering, SetupIssues),
}

impl fmt::Display for BadPosition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<_> = match self {
            Self::Fen(fen, fault) => {
                let column = |start: u32| fen.get(..start as usize).unwrap_or(fen).chars().count() + 1;
                let told = fault.faults().iter();
                told.map(|fault| format!("column {}: {}", column(fault.span.start), fault.reason)).collect()
            }
            Self::Setup(numbering, faults) => faults.iter().map(|fault| setup_fault(fault, *numbering)).collect(),
        };
        f.write_str(&told.join("; "))
    }
}

fn setup_fault(fault: &SetupIssue, numbering: Numbering) -> String {
    fault.square().map_or_else(|| fault.to_string(), |square| format!("{}: {fault}", numbering.name(square)))
}

/// Reads a FEN of a variant.
pub(super) fn read(fen: &str, variant: Variant) -> Result<Position, BadPosition<'_>> {
    let numbering = Numbering::for_variant(variant);
    let setup = parse_fen(fen, numbering).map_err(|fault| BadPosition::Fen(fen, fault))?;
    let read = Position::from_setup(variant, &setup).map(|(position, _)| position);
    read.map_err(|faults| BadPosition::Setup(numbering, faults))
}
