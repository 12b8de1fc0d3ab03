//! Conversion of collections: the work of each chunk, and what joins the chunks.

#[cfg(any(feature = "arrow", feature = "parquet"))]
mod rows;
mod text;

#[cfg(any(feature = "arrow", feature = "parquet"))]
pub use rows::{ConvertedRows, RowOutput, TableGames};
pub use text::{ConvertedText, TextFormat, TextOutput};

use super::games::ChunkOrigin;
use crate::check::{Review, Summary};
use crate::records::{Aliases, PlayerTable};

/// What is counted over all games.
#[derive(Debug, Default)]
struct Totals {
    players: PlayerTable,
    summary: Summary,
}

impl std::ops::AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.players += other.players;
        self.summary += &other.summary;
    }
}

/// Returns how well the players of an annotated game played.
fn players(review: &Review, origin: &mut ChunkOrigin<'_>) -> PlayerTable {
    let mut row = origin.moves(review);
    row.assess();
    PlayerTable::of(&row, &Aliases::default())
}
