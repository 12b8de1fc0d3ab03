//! Rows that wait for their row group.

use super::column_data::ColumnData;
use crate::export::table::{self, Cells, Part, Table};
use crate::records::{AccuracyRow, DiagnosticRow, GameRow};

/// Rows of a table, column by column.
#[derive(Debug)]
pub struct ParquetRows {
    table: Table,
    columns: Vec<ColumnData>,
    /// The column of the next value.
    next: usize,
    rows: usize,
}

impl ParquetRows {
    /// Returns no rows.
    pub fn new(table: Table) -> Self {
        let columns = table.columns().iter().map(|column| ColumnData::new(column.kind())).collect();
        Self { table, columns, next: 0, rows: 0 }
    }

    /// Returns the table that the rows are of.
    pub const fn table(&self) -> Table {
        self.table
    }

    /// Returns the number of rows.
    pub const fn len(&self) -> usize {
        self.rows
    }

    /// Returns true if there are no rows.
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Adds the rows of a game: none in the table of players.
    pub fn add_game(&mut self, game: &GameRow<'_>) {
        table::write_rows(self.table, self, game);
    }

    /// Adds the row of a player to the table of players.
    pub fn add_player(&mut self, row: &AccuracyRow<'_>) {
        if self.table == Table::Players {
            table::write_player(self, row);
        }
    }

    /// Adds a diagnostic outside any game to the table of diagnostics.
    pub fn add_diagnostic(&mut self, row: &DiagnosticRow) {
        if self.table == Table::Diagnostics {
            table::write_diagnostic(self, row);
        }
    }

    /// Appends later rows of the same table.
    ///
    /// # Panics
    ///
    /// Panics if they are of another table.
    pub fn append(&mut self, mut later: Self) {
        assert_eq!(self.table, later.table, "rows of one table");
        self.columns.iter_mut().zip(&mut later.columns).for_each(|(own, later)| own.append(later));
        self.rows += later.rows;
    }

    /// Returns the approximate number of bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.columns.iter().map(ColumnData::bytes).sum()
    }

    /// Returns the columns, whose values are about to be written, and forgets the rows.
    pub(super) fn take_columns(&mut self) -> impl Iterator<Item = &mut ColumnData> {
        self.rows = 0;
        self.columns.iter_mut()
    }

    fn next_column(&mut self) -> &mut ColumnData {
        self.next += 1;
        &mut self.columns[self.next - 1]
    }
}

impl Cells for ParquetRows {
    fn has(&self, _: Part) -> bool {
        true
    }

    fn text(&mut self, text: Option<&str>) {
        self.word(text.map(str::trim).filter(|text| !text.is_empty()));
    }

    fn word(&mut self, word: Option<&str>) {
        self.next_column().text(word);
    }

    fn fen(&mut self, fen: Option<&str>) {
        self.word(fen);
    }

    fn integer(&mut self, number: Option<i64>) {
        self.next_column().integer(number);
    }

    fn key(&mut self, key: Option<u64>) {
        self.next_column().integer(key.map(|key| key as i64));
    }

    fn decimal(&mut self, number: Option<f64>) {
        self.next_column().decimal(number);
    }

    fn boolean(&mut self, value: Option<bool>) {
        self.next_column().boolean(value);
    }

    fn integers(&mut self, numbers: impl Iterator<Item = Option<i64>>) {
        self.next_column().integers(numbers);
    }

    fn texts<'a>(&mut self, texts: impl Iterator<Item = Option<&'a str>>) {
        self.next_column().texts(texts);
    }

    fn end_row(&mut self) {
        debug_assert_eq!(self.next, self.columns.len(), "a value for each column");
        self.next = 0;
        self.rows += 1;
    }
}
