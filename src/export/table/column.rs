//! Columns: names, types, and the files that have them.

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
