//! The tables of records: their columns and the values in them, each defined once for CSV, Arrow and Parquet.

mod column;
mod diagnostics;
mod games;
mod moves;
mod players;
mod positions;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod rows;
mod writer;

use serde::Deserialize;

use crate::records::{GameRow, MoveRows};
#[cfg(feature = "query")]
pub(super) use column::days;
pub(super) use column::{Cells, trimmed};
pub use column::{Column, Kind};
pub(super) use diagnostics::write_diagnostic;
use players::write_player;
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub(super) use rows::narrow;
#[cfg(any(feature = "arrow", feature = "parquet"))]
pub use rows::{ColumnValues, TableRows};
pub(super) use writer::{RowForm, TableWriter};

/// A table of records.
///
/// # Examples
///
/// ```
/// use pdn::export::Table;
///
/// let names: Vec<_> = Table::Players.columns().iter().map(|column| column.name()).collect();
/// assert_eq!(names[..3], ["player", "games", "moves"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Table {
    /// A row for each game.
    Games,
    /// A row for each move and null move of the main line.
    Moves,
    /// A row for each position of the main line.
    Positions,
    /// A row for each player with evaluations.
    Players,
    /// A row for each diagnostic.
    Diagnostics,
}

#[cfg(feature = "cli")]
impl clap::ValueEnum for Table {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(self.name().into())
    }
}

impl Table {
    /// All tables that records are converted to.
    pub const ALL: [Self; 5] = [Self::Games, Self::Moves, Self::Positions, Self::Players, Self::Diagnostics];

    /// Returns the name of the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Moves => "moves",
            Self::Positions => "positions",
            Self::Players => "players",
            Self::Diagnostics => "diagnostics",
        }
    }

    /// Returns the columns in order, including those that only some files have.
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::Games => games::COLUMNS,
            Self::Moves => moves::COLUMNS,
            Self::Positions => positions::COLUMNS,
            Self::Players => players::COLUMNS,
            Self::Diagnostics => diagnostics::COLUMNS,
        }
    }

    /// Returns true if each of its rows needs only one of these moves, or the next one.
    pub(super) fn takes_each(self, moves: &MoveRows<'_>) -> bool {
        self == Self::Positions || self == Self::Moves && !moves.may_be_assessed()
    }
}

/// Writes the rows of a game: none in the table of players. Moves and positions are those of
/// `moves`; the table of games has the moves of its row.
pub(super) fn write_rows(table: Table, cells: &mut impl Cells, game: &GameRow<'_>, moves: &MoveRows<'_>) {
    match table {
        Table::Games => games::write(cells, game),
        Table::Moves => moves::write(cells, game, moves),
        Table::Positions => positions::write(cells, game, moves),
        Table::Diagnostics => diagnostics::write(cells, game),
        Table::Players => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_even_without_regard_to_case() {
        for table in Table::ALL {
            let names = || table.columns().iter().map(Column::name);
            let lower: HashSet<_> = names().map(str::to_ascii_lowercase).collect();
            assert_eq!(lower.len(), names().count(), "{}", table.name());
        }
    }
}
