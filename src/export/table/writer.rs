//! Tables as text, in any form of rows.

use std::fmt::Debug;

use super::{Cells, Table, write_diagnostic, write_player, write_rows};
use crate::export::format::{RecordWriter, WrittenGame};
use crate::records::{DiagnosticRow, GameRow, PlayerTable};

/// The form of the rows of a table.
pub(in crate::export) trait RowForm: Debug + Send + Sync {
    /// True if the rows are those of a spreadsheet, and not a file by themselves.
    const IS_SHEET: bool = false;

    /// What takes the values of rows.
    type Cells<'a>: Cells
    where
        Self: 'a;

    /// Returns the text before all rows.
    fn header(&self, _table: Table) -> Vec<u8> {
        Vec::new()
    }

    /// Returns cells that are appended to a text.
    fn cells<'a>(&'a self, out: &'a mut Vec<u8>) -> Self::Cells<'a>;

    /// Returns the number of texts that were cut, because a cell holds no more.
    fn cut_texts(&self) -> u64 {
        0
    }
}

/// Writes the rows of a table. Those of players come after all games.
#[derive(Debug)]
pub(in crate::export) struct TableWriter<F> {
    pub(in crate::export) table: Table,
    pub(in crate::export) form: F,
}

impl<F: RowForm> RecordWriter for TableWriter<F> {
    fn header(&self) -> Vec<u8> {
        self.form.header(self.table)
    }

    fn game(&self, game: &dyn WrittenGame, out: &mut Vec<u8>) {
        let cells = &mut self.form.cells(out);
        if let Some(moves) = game.moves().filter(|moves| self.table.takes_each(moves)) {
            return write_rows(self.table, cells, &game.head(), &moves);
        }
        let row = match self.table {
            Table::Players => return,
            // Most records have no evaluations, and their moves are not in this table.
            Table::Games if game.moves().is_some_and(|moves| !moves.may_be_assessed()) => game.head(),
            Table::Games | Table::Moves => {
                let mut row = game.row();
                row.assess();
                row
            }
            Table::Diagnostics => GameRow { diagnostics: game.diagnostics(), ..game.head() },
            Table::Positions => game.row(),
        };
        write_rows(self.table, cells, &row, &row.moves.as_slice().into());
    }

    fn outside(&self, row: &DiagnosticRow, out: &mut Vec<u8>) {
        if self.table == Table::Diagnostics {
            write_diagnostic(&mut self.form.cells(out), row);
        }
    }

    fn has_players(&self) -> bool {
        self.table == Table::Players
    }

    fn footer(&self, _: bool, players: &PlayerTable) -> Vec<u8> {
        let mut out = Vec::new();
        if self.table == Table::Players {
            players.rows().for_each(|row| write_player(&mut self.form.cells(&mut out), &row));
        }
        out
    }

    fn sheet(&self) -> Option<Table> {
        F::IS_SHEET.then_some(self.table)
    }

    fn cut_texts(&self) -> u64 {
        self.form.cut_texts()
    }
}
