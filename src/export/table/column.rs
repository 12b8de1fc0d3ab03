//! Columns of tables: names, types, the files that have them, and the receivers of their values.

use crate::import::lidraughts::day_of;
use crate::notation::DateParts;

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
    /// Text with mostly distinct values.
    Text,
    /// Text with many equal values.
    Word,
    /// A day, counted from 1970-01-01.
    Day,
    /// A list of integers.
    Integers,
    /// A list of texts.
    Texts,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub(super) name: &'static str,
    /// The type.
    pub(crate) kind: Kind,
    /// True if only Parquet and Arrow have it, whose types can hold it.
    pub(in crate::export) is_typed: bool,
}

impl Column {
    /// Returns the name, which is unique in the table even if case is ignored.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// Makes the columns of a table of their names and types: those that all files have, and after a semicolon those of typed files.
macro_rules! columns {
    ($($name:ident $kind:ident),* $(; $($typed:ident $of:ident),*)?) => {
        &[
            $(Column { name: stringify!($name), kind: Kind::$kind, is_typed: false },)*
            $($(Column { name: stringify!($typed), kind: Kind::$of, is_typed: true },)*)?
        ]
    };
}
pub(super) use columns;

/// Takes the values of rows in the order of their columns.
pub(in crate::export) trait Cells {
    /// Returns true if the rows have the columns of typed files.
    fn is_typed(&self) -> bool {
        false
    }

    /// Takes a text of the record; whitespace at its ends is dropped, and empty text is null.
    fn text(&mut self, text: Option<&str>);

    /// Takes a text that this program makes, in which nothing is to be trimmed or escaped.
    fn word(&mut self, word: Option<&str>);

    /// Takes a word of letters, digits and signs that no format quotes: a side, a move in standard notation.
    fn symbol(&mut self, symbol: Option<&str>) {
        self.word(symbol);
    }

    /// Takes a FEN, which is ASCII.
    fn fen(&mut self, fen: Option<&[u8]>) {
        self.text(fen.map(String::from_utf8_lossy).as_deref());
    }

    /// Takes an integer, or a day as the number of days since 1970-01-01.
    fn integer(&mut self, number: Option<i64>);

    /// Takes a day; null unless all parts of the date are known.
    fn day(&mut self, date: DateParts) {
        self.integer(days(date));
    }

    /// Takes the key of a position: sixteen hexadecimal digits.
    fn key(&mut self, key: Option<u64>) {
        self.text(key.map(|key| format!("{key:016x}")).as_deref());
    }

    /// Takes a decimal number.
    fn decimal(&mut self, number: Option<f64>);

    /// Takes a Boolean.
    fn boolean(&mut self, value: Option<bool>);

    /// Takes a list of integers, of which any may be null.
    fn integers(&mut self, numbers: impl Iterator<Item = Option<i64>>) {
        let numbers: Vec<_> = numbers.flatten().map(|number| number.to_string()).collect();
        self.text(Some(&numbers.join(" ")));
    }

    /// Takes a list of texts, of which any may be null.
    fn texts<'a>(&mut self, texts: impl Iterator<Item = Option<&'a str>>) {
        self.text(Some(&texts.flatten().collect::<Vec<_>>().join(" ")));
    }

    /// Takes values that are the same in adjacent rows, such as the game of moves; `is_again` is false in the first of them.
    fn repeated(&mut self, _is_again: bool, write: impl Fn(&mut Self)) {
        write(self);
    }

    /// Takes null, or an empty list, for each of the next `count` columns.
    fn nulls(&mut self, count: usize);

    /// Ends a row.
    fn end_row(&mut self);

    /// Takes a number that counts something.
    fn count(&mut self, count: u64) {
        self.integer(Some(count as i64));
    }
}

/// Returns a text without whitespace at its ends. Nearly all have none, as their first and last bytes show.
#[inline]
pub(in crate::export) fn trimmed(text: &str) -> &str {
    let is_graphic = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let is_trimmed = is_graphic(text.as_bytes().first()) && is_graphic(text.as_bytes().last());
    if is_trimmed { text } else { text.trim() }
}

/// Returns the number of days from 1970-01-01 to a date, if all its parts are known.
pub(in crate::export) fn days(date: DateParts) -> Option<i64> {
    let [Some(year), Some(month), Some(day)] = date else { return None };
    Some(day_of(year.into(), month.into(), day.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        for (date, days) in [
            ((1970, 1, 1), 0),
            ((1969, 12, 31), -1),
            ((2000, 2, 29), 11_016),
            ((2000, 3, 1), 11_017),
            ((1600, 1, 1), -135_140),
        ] {
            assert_eq!(day_of(date.0, date.1, date.2), days, "{date:?}");
        }
    }
}
