//! The values of one column, before they are encoded.

use bytes::Bytes;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::Result;
use parquet::file::writer::SerializedColumnWriter;

use crate::export::table::{ColumnValues, Kind, narrow};

/// Values without the nulls among them.
#[derive(Debug)]
enum Values {
    Integers(Vec<i32>),
    Counts(Vec<i64>),
    Decimals(Vec<f64>),
    Booleans(Vec<bool>),
    /// Concatenated texts, and the end of each.
    Texts(Vec<u8>, Vec<usize>),
}

/// The values of a column and their levels, which mark nulls and the beginnings of lists.
#[derive(Debug)]
pub struct ColumnData {
    values: Values,
    /// True if each row has a list of values.
    is_list: bool,
    /// 1 for a value and 0 for null; in a list 2 for a value, 1 for null and 0 for an empty list.
    defined: Vec<i16>,
    /// 0 for the first item of a list and 1 for the others; empty outside lists.
    repeated: Vec<i16>,
}

impl ColumnValues for ColumnData {
    fn new(kind: Kind) -> Self {
        let values = match kind {
            Kind::Integer | Kind::Day | Kind::Integers => Values::Integers(Vec::new()),
            Kind::Count | Kind::Key => Values::Counts(Vec::new()),
            Kind::Decimal => Values::Decimals(Vec::new()),
            Kind::Boolean => Values::Booleans(Vec::new()),
            Kind::Text | Kind::Word | Kind::Texts => Values::Texts(Vec::new(), Vec::new()),
        };
        let is_list = matches!(kind, Kind::Integers | Kind::Texts);
        Self { values, is_list, defined: Vec::new(), repeated: Vec::new() }
    }

    fn null(&mut self) {
        self.defined.push(0);
        if self.is_list {
            self.repeated.push(0);
        }
    }

    fn integer(&mut self, number: Option<i64>) {
        self.defined.push(i16::from(number.is_some()));
        if let Some(number) = number {
            self.values.push_integer(number);
        }
    }

    fn decimal(&mut self, number: Option<f64>) {
        self.defined.push(i16::from(number.is_some()));
        if let Values::Decimals(values) = &mut self.values {
            values.extend(number);
        }
    }

    fn boolean(&mut self, value: Option<bool>) {
        self.defined.push(i16::from(value.is_some()));
        if let Values::Booleans(values) = &mut self.values {
            values.extend(value);
        }
    }

    fn text(&mut self, text: Option<&str>) {
        self.push_text(text.map(str::as_bytes));
    }

    fn fen(&mut self, fen: Option<&[u8]>) {
        self.push_text(fen);
    }

    fn integers(&mut self, numbers: impl Iterator<Item = Option<i64>>) {
        let values = &mut self.values;
        push_list(&mut self.defined, &mut self.repeated, numbers, |number| values.push_integer(number));
    }

    fn texts<'a>(&mut self, texts: impl Iterator<Item = Option<&'a str>>) {
        let values = &mut self.values;
        push_list(&mut self.defined, &mut self.repeated, texts, |text| values.push_text(text.as_bytes()));
    }
}

impl ColumnData {
    /// Appends a text in UTF-8, or null.
    fn push_text(&mut self, text: Option<&[u8]>) {
        self.defined.push(i16::from(text.is_some()));
        if let Some(text) = text {
            self.values.push_text(text);
        }
    }

    /// Appends the values of later rows.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.defined.append(&mut other.defined);
        self.repeated.append(&mut other.repeated);
        match (&mut self.values, &mut other.values) {
            (Values::Integers(own), Values::Integers(others)) => own.append(others),
            (Values::Counts(own), Values::Counts(others)) => own.append(others),
            (Values::Decimals(own), Values::Decimals(others)) => own.append(others),
            (Values::Booleans(own), Values::Booleans(others)) => own.append(others),
            (Values::Texts(own, ends), Values::Texts(others, other_ends)) => {
                ends.extend(other_ends.drain(..).map(|end| own.len() + end));
                own.append(others);
            }
            _ => unreachable!("columns of one table have the same types in the same order"),
        }
    }

    /// Returns the approximate number of bytes in memory.
    pub(super) const fn bytes(&self) -> usize {
        let levels = 2 * (self.defined.len() + self.repeated.len());
        levels
            + match &self.values {
                Values::Integers(values) => 4 * values.len(),
                Values::Counts(values) => 8 * values.len(),
                Values::Decimals(values) => 8 * values.len(),
                Values::Booleans(values) => values.len(),
                // Each text becomes an object that refers to its bytes.
                Values::Texts(bytes, ends) => bytes.len() + 40 * ends.len(),
            }
    }

    /// Encodes and writes the values, and clears them.
    pub(super) fn write(&mut self, to: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let (defined, repeated) = (std::mem::take(&mut self.defined), std::mem::take(&mut self.repeated));
        let levels = (defined.as_slice(), repeated.as_slice());
        match &mut self.values {
            Values::Integers(values) => write_values::<Int32Type>(to, &std::mem::take(values), levels),
            Values::Counts(values) => write_values::<Int64Type>(to, &std::mem::take(values), levels),
            Values::Decimals(values) => write_values::<DoubleType>(to, &std::mem::take(values), levels),
            Values::Booleans(values) => write_values::<BoolType>(to, &std::mem::take(values), levels),
            Values::Texts(bytes, ends) => {
                let texts = texts(std::mem::take(bytes), &std::mem::take(ends));
                write_values::<ByteArrayType>(to, &texts, levels)
            }
        }
    }
}

impl Values {
    fn push_integer(&mut self, number: i64) {
        match self {
            Self::Integers(values) => values.push(narrow(number)),
            Self::Counts(values) => values.push(number),
            _ => unreachable!("an integer in a column of integers"),
        }
    }

    fn push_text(&mut self, text: &[u8]) {
        if let Self::Texts(bytes, ends) = self {
            bytes.extend_from_slice(text);
            ends.push(bytes.len());
        }
    }
}

/// Appends the levels of a list, and its values with `push`.
fn push_list<T>(
    defined: &mut Vec<i16>,
    repeated: &mut Vec<i16>,
    items: impl Iterator<Item = Option<T>>,
    mut push: impl FnMut(T),
) {
    let first = repeated.len();
    for item in items {
        // 2 is a value, 1 an unknown item, and 0 an empty list; a list begins with 0, and goes on with 1.
        defined.push(if item.is_some() { 2 } else { 1 });
        repeated.push(i16::from(repeated.len() > first));
        item.into_iter().for_each(&mut push);
    }
    if repeated.len() == first {
        defined.push(0);
        repeated.push(0);
    }
}

/// Returns texts that share one allocation.
fn texts(bytes: Vec<u8>, ends: &[usize]) -> Vec<ByteArray> {
    let bytes = Bytes::from(bytes);
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, &end)| bytes.slice(start..end).into()).collect()
}

fn write_values<T: DataType>(
    to: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    (defined, repeated): (&[i16], &[i16]),
) -> Result<()> {
    // The writer expects such levels in columns of lists only.
    let repeated = Some(repeated).filter(|levels| !levels.is_empty());
    to.typed::<T>().write_batch(values, Some(defined), repeated).map(drop)
}
