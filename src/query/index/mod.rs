//! The positions of games, sorted by their keys with bounded memory: as entries of a table for other programs, and as a table
//! of a file that answers questions about positions.

#[cfg(feature = "parquet")]
mod entry;
#[cfg(feature = "parquet")]
mod keys;
#[cfg(feature = "serve")]
mod places;
mod sorter;
#[cfg(feature = "serve")]
mod table;

use crate::board::Side;
use crate::notation::Outcome;
#[cfg(feature = "parquet")]
pub use entry::{GameKeys, IndexEntry};
#[cfg(feature = "parquet")]
pub use keys::IndexQuery;
#[cfg(feature = "serve")]
pub use places::{GamePositions, PositionsQuery};
pub use sorter::{Sorted, Sorter, Stored};
#[cfg(feature = "serve")]
pub use table::{PositionTable, PositionTableWriter};

/// The outcomes by their numbers in an entry.
const OUTCOMES: [Option<Outcome>; 4] =
    [None, Some(Outcome::Win(Side::White)), Some(Outcome::Win(Side::Black)), Some(Outcome::Draw)];

/// Returns the number of an outcome.
fn outcome_number(outcome: Option<Outcome>) -> u8 {
    OUTCOMES.iter().position(|&other| other == outcome).unwrap_or_default() as u8
}
