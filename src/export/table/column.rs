//! Columns of tables: names, types, the files that have them, and what takes their values.

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An integer of 32 bits.
    Integer,
    /// An integer of 64 bits that grows from row to row.
    Count,
    /// A 64-bit key of a position.
    Key,
    /// A decimal number.
    Decimal,
    /// True or false.
    Boolean,
    /// Text of which few values are equal.
    Text,
    /// Text of which many values are equal.
    Word,
    /// A day, counted from 1970-01-01.
    Day,
    /// A list of integers.
    Integers,
    /// A list of texts.
    Texts,
}

/// The files that have a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::export) enum Part {
    /// All.
    Always,
    /// Annotated tables, and Parquet.
    Assessed,
    /// Parquet only, whose types hold it.
    Typed,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    name: &'static str,
    kind: Kind,
    part: Part,
}

impl Column {
    /// Returns the name, which no other column of the table has in upper or lower case.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the type.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the files that have the column.
    pub(in crate::export) const fn part(&self) -> Part {
        self.part
    }
}

/// Returns a column that all files have.
pub(super) const fn always(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, part: Part::Always }
}

/// Returns a column of annotated tables and of Parquet.
pub(super) const fn assessed(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, part: Part::Assessed }
}

/// Returns a column of Parquet.
pub(super) const fn typed(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, part: Part::Typed }
}

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
