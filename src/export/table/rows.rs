//! Rows of typed tables, column by column.

use super::{Cells, Kind, Table, trimmed, write_diagnostic, write_player, write_rows};
use crate::records::{AccuracyRow, DiagnosticRow, GameRow, MoveRows};

/// Returns an integer for a column of 32 bits: larger ones, such as the seconds of `[%clk 999999:00:00]`, are clamped.
pub(in crate::export) fn narrow(number: i64) -> i32 {
    number.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The values of a column, in the form that a format needs.
pub trait ColumnValues: Sized {
    /// Returns an empty column of this type.
    fn new(kind: Kind) -> Self;

    /// Appends null, or an empty list.
    fn null(&mut self);

    /// Appends an integer or a day, or null.
    fn integer(&mut self, number: Option<i64>);

    /// Appends a decimal number, or null.
    fn decimal(&mut self, number: Option<f64>);

    /// Appends a Boolean, or null.
    fn boolean(&mut self, value: Option<bool>);

    /// Appends a text, or null.
    fn text(&mut self, text: Option<&str>);

    /// Appends a FEN, which is ASCII, or null.
    fn fen(&mut self, fen: Option<&[u8]>) {
        self.text(fen.and_then(|fen| str::from_utf8(fen).ok()));
    }

    /// Appends a list of integers, of which any may be null.
    fn integers(&mut self, numbers: impl Iterator<Item = Option<i64>>);

    /// Appends a list of texts, of which any may be null.
    fn texts<'a>(&mut self, texts: impl Iterator<Item = Option<&'a str>>);
}

/// Rows of a table, whose columns hold their values as `C`.
#[derive(Debug)]
pub struct TableRows<C> {
    /// The table to which the rows belong.
    pub(crate) table: Table,
    columns: Vec<C>,
    /// The column of the next value.
    next: usize,
    rows: usize,
}

impl<C: ColumnValues> TableRows<C> {
    /// Returns an empty set of rows.
    pub fn new(table: Table) -> Self {
        let columns = table.columns().iter().map(|column| C::new(column.kind)).collect();
        Self { table, columns, next: 0, rows: 0 }
    }

    /// Returns the number of rows.
    pub(crate) const fn len(&self) -> usize {
        self.rows
    }

    /// Adds the rows of a game: none in the table of players.
    pub fn add_game(&mut self, game: &GameRow<'_>) {
        self.add_moves(game, &game.moves.as_slice().into());
    }

    /// Adds the rows of a game whose moves are given apart from it.
    pub(in crate::export) fn add_moves(&mut self, game: &GameRow<'_>, moves: &MoveRows<'_>) {
        write_rows(self.table, self, game, moves);
    }

    /// Adds the row of a player to the table of players.
    pub(crate) fn add_player(&mut self, row: &AccuracyRow<'_>) {
        if self.table == Table::Players {
            write_player(self, row);
        }
    }

    /// Adds a diagnostic outside any game to the table of diagnostics.
    pub(crate) fn add_diagnostic(&mut self, row: &DiagnosticRow) {
        if self.table == Table::Diagnostics {
            write_diagnostic(self, row);
        }
    }

    /// Appends later rows of the same table, whose columns `append` joins.
    ///
    /// # Panics
    ///
    /// Panics if they belong to another table.
    #[cfg(feature = "parquet")]
    pub(in crate::export) fn append(&mut self, mut later: Self, append: impl Fn(&mut C, &mut C)) {
        assert_eq!(self.table, later.table, "rows of one table");
        self.columns.iter_mut().zip(&mut later.columns).for_each(|(own, later)| append(own, later));
        self.rows += later.rows;
    }

    /// Returns the columns.
    #[cfg(feature = "parquet")]
    pub(in crate::export) fn columns(&self) -> &[C] {
        &self.columns
    }

    /// Returns a column by its index. Once its values are taken, the number of rows no longer holds.
    #[cfg(feature = "parquet")]
    pub(in crate::export) fn column_mut(&mut self, n: usize) -> &mut C {
        &mut self.columns[n]
    }

    /// Returns the columns, whose values are about to be taken, and clears the rows.
    #[cfg(feature = "arrow")]
    pub(in crate::export) fn take_columns(&mut self) -> impl Iterator<Item = &mut C> {
        self.rows = 0;
        self.columns.iter_mut()
    }

    fn next_column(&mut self) -> &mut C {
        self.next += 1;
        &mut self.columns[self.next - 1]
    }
}

impl<C: ColumnValues> Cells for TableRows<C> {
    fn is_typed(&self) -> bool {
        true
    }

    fn text(&mut self, text: Option<&str>) {
        self.word(text.map(trimmed).filter(|text| !text.is_empty()));
    }

    fn word(&mut self, word: Option<&str>) {
        self.next_column().text(word);
    }

    fn fen(&mut self, fen: Option<&[u8]>) {
        self.next_column().fen(fen);
    }

    fn integer(&mut self, number: Option<i64>) {
        self.next_column().integer(number);
    }

    fn key(&mut self, key: Option<u64>) {
        // The same bits: all Parquet readers support signed integers, but not all support unsigned ones.
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

    fn nulls(&mut self, count: usize) {
        (0..count).for_each(|_| self.next_column().null());
    }

    fn end_row(&mut self) {
        debug_assert_eq!(self.next, self.columns.len(), "a value for each column");
        self.next = 0;
        self.rows += 1;
    }
}
