//! Records as rows of a typed table.

use std::marker::PhantomData;

use super::{Totals, players};
use crate::check::{PlainDetail, PlainGame, Review, Summary};
use crate::export::games::{ChunkOrigin, GameWork};
use crate::export::table::{ColumnValues, Table, TableRows};
use crate::pdn::Outside;
use crate::records::{Aliases, GameRow, PlayerTable};

/// Collects the rows of a table, whose columns hold their values as `C`: for Parquet, or Arrow.
#[derive(Debug)]
pub struct TableGames<C> {
    table: Table,
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
            done.totals.players += PlayerTable::of(game, &Aliases::default());
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
        self.rows.get_or_insert_with(|| TableRows::new(table))
    }
}

impl<C: ColumnValues + Send + 'static> GameWork for TableGames<C> {
    type Done = ConvertedRows<C>;

    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, done: &mut ConvertedRows<C>) {
        done.totals.summary.count_game(&review);
        if self.table == Table::Players {
            done.totals.players += players(&review, origin);
            return;
        }
        // The games have their moves as lists.
        let table = if self.table == Table::Games { Table::Moves } else { self.table };
        let mut row = origin.table_row(&review, table);
        row.add_around(origin.around());
        row.assess();
        done.rows(self.table).add_game(&row);
    }

    fn plain_detail(&self) -> Option<PlainDetail> {
        match self.table {
            Table::Diagnostics => Some(PlainDetail::Heads),
            Table::Players => None,
            _ => Some(PlainDetail::Moves),
        }
    }

    fn plain(&self, game: PlainGame, number: u64, origin: &mut ChunkOrigin<'_>, done: &mut ConvertedRows<C>) {
        done.totals.summary.count_plain(&game);
        let mut row = origin.plain_row(&game, number);
        row.add_around(origin.around());
        if self.table == Table::Diagnostics {
            row.diagnostics = origin.plain_diagnostics(&game, number);
        }
        done.rows(self.table).add_game(&row);
    }

    fn outside(&self, outside: &Outside, origin: &mut ChunkOrigin<'_>, done: &mut ConvertedRows<C>) {
        done.totals.summary.count(outside.diagnostic());
        let row = origin.diagnostic_row(outside.diagnostic(), 0, 0);
        done.rows(self.table).add_diagnostic(&row);
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

    /// Returns what was counted over the games so far.
    pub const fn summary(&self) -> &Summary {
        &self.totals.summary
    }

    /// Returns the rows after all games: those of the players.
    pub fn finish<C: ColumnValues>(self, table: Table) -> TableRows<C> {
        let mut rows = TableRows::new(table);
        self.totals.players.rows().for_each(|row| rows.add_player(&row));
        rows
    }
}
