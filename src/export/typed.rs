//! Conversion of collections to typed tables: the work on each chunk, and the joining of chunks.

use std::marker::PhantomData;

use super::conversion::Totals;
use super::table::{ColumnValues, Table, TableRows};
#[cfg(feature = "parquet")]
use crate::check::Summary;
use crate::check::{CheckedGame, ChunkOrigin, GameWork};
use crate::pdn::Outside;
use crate::records::{GameRow, MoveRows, PlayerTable, checked_head, checked_row, diagnostic_rows, outside_row};

/// Collects the rows of a table, whose columns hold their values as `C`: for Parquet, or Arrow.
#[derive(Debug)]
pub struct TableGames<C> {
    table: Table,
    // A function of `C`: threads share the work, and `C` need not be `Sync`.
    columns: PhantomData<fn() -> C>,
}

impl<C: ColumnValues> TableGames<C> {
    /// Returns work that collects the rows of a table.
    pub const fn new(table: Table) -> Self {
        Self { table, columns: PhantomData }
    }

    /// Adds the rows of an assessed game that was read elsewhere.
    pub fn add_game(&self, game: &GameRow<'_>, done: &mut ConvertedRows<C>) {
        if self.table == Table::Players {
            done.totals.players += PlayerTable::of(game);
        } else {
            done.rows(self.table).add_game(game);
        }
    }
}

/// The rows of a chunk of games.
#[derive(Debug)]
pub struct ConvertedRows<C> {
    rows: Option<TableRows<C>>,
    totals: Totals,
}

impl<C> Default for ConvertedRows<C> {
    fn default() -> Self {
        Self { rows: None, totals: Totals::default() }
    }
}

impl<C: ColumnValues> ConvertedRows<C> {
    fn rows(&mut self, table: Table) -> &mut TableRows<C> {
        // `Default`, which the pipeline calls for each chunk, does not know the table.
        self.rows.get_or_insert_with(|| TableRows::new(table))
    }
}

impl<C: ColumnValues + Send + 'static> GameWork for TableGames<C> {
    type Done = ConvertedRows<C>;

    fn game(&self, game: CheckedGame<'_>, done: &mut ConvertedRows<C>) {
        done.totals.summary.count_game(game.review());
        if self.table == Table::Players {
            done.totals.count_players(&game);
            return;
        }
        if let Some(moves) = MoveRows::of(game.review().game()).filter(|moves| self.table.takes_each(moves)) {
            return done.rows(self.table).add_moves(&checked_head(&game), &moves);
        }
        let row = if self.table == Table::Diagnostics {
            GameRow { diagnostics: diagnostic_rows(&game), ..checked_head(&game) }
        } else {
            // The table of games has the moves of each game as lists.
            let mut row = checked_row(&game);
            row.assess();
            row
        };
        done.rows(self.table).add_game(&row);
    }

    fn outside(&self, outside: &Outside, origin: &ChunkOrigin<'_>, done: &mut ConvertedRows<C>) {
        done.totals.summary.count(outside.diagnostic());
        done.rows(self.table).add_diagnostic(&outside_row(outside, origin));
    }
}

/// Joins the rows of chunks.
#[derive(Debug, Default)]
pub struct RowOutput {
    totals: Totals,
}

impl RowOutput {
    /// Returns the rows of the next chunk.
    pub fn add<C>(&mut self, chunk: ConvertedRows<C>) -> Option<TableRows<C>> {
        self.totals += chunk.totals;
        chunk.rows
    }

    /// Returns the counts over the games so far.
    #[cfg(feature = "parquet")]
    pub(crate) const fn summary(&self) -> &Summary {
        &self.totals.summary
    }

    /// Returns the rows after all games: those of the players.
    pub fn finish<C: ColumnValues>(self, table: Table) -> TableRows<C> {
        let mut rows = TableRows::new(table);
        self.totals.players.rows().for_each(|row| rows.add_player(&row));
        rows
    }
}
