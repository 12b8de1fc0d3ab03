//! What takes the values of rows.

use super::Part;

/// Takes the values of rows in the order of their columns.
pub(in crate::export) trait Cells {
    /// Returns true if the rows have the columns of a part.
    fn has(&self, part: Part) -> bool;

    /// Takes a text of the record; whitespace at its ends is dropped, and empty text is null.
    fn text(&mut self, text: Option<&str>);

    /// Takes a text that this program makes, in which nothing is to be trimmed or escaped.
    fn word(&mut self, word: Option<&str>);

    /// Takes a FEN.
    fn fen(&mut self, fen: Option<&str>);

    /// Takes an integer, or a day as their number since 1970-01-01.
    fn integer(&mut self, number: Option<i64>);

    /// Takes the key of a position.
    fn key(&mut self, key: Option<u64>);

    /// Takes a decimal number.
    fn decimal(&mut self, number: Option<f64>);

    /// Takes a truth value.
    fn boolean(&mut self, value: Option<bool>);

    /// Takes a list of integers, of which any may be null.
    fn integers(&mut self, numbers: impl Iterator<Item = Option<i64>>);

    /// Takes a list of texts, of which any may be null.
    fn texts<'a>(&mut self, texts: impl Iterator<Item = Option<&'a str>>);

    /// Ends a row.
    fn end_row(&mut self);

    /// Takes a number that counts something.
    fn count(&mut self, count: u64) {
        self.integer(Some(count as i64));
    }
}
