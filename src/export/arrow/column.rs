//! The values of one column under construction.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BooleanBuilder, Date32Builder, Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_schema::{DataType, Field};

use crate::export::table::{ColumnValues, Kind, narrow};

/// The values of a column of a record batch.
#[derive(Debug)]
pub struct ArrowColumn(Values);

#[derive(Debug)]
enum Values {
    Integers(Int32Builder),
    Counts(Int64Builder),
    Days(Date32Builder),
    Decimals(Float64Builder),
    Booleans(BooleanBuilder),
    Texts(StringBuilder),
    IntegerLists(ListBuilder<Int32Builder>),
    TextLists(ListBuilder<StringBuilder>),
}

impl ColumnValues for ArrowColumn {
    fn new(kind: Kind) -> Self {
        Self(match kind {
            Kind::Integer => Values::Integers(Int32Builder::new()),
            Kind::Count | Kind::Key => Values::Counts(Int64Builder::new()),
            Kind::Day => Values::Days(Date32Builder::new()),
            Kind::Decimal => Values::Decimals(Float64Builder::new()),
            Kind::Boolean => Values::Booleans(BooleanBuilder::new()),
            Kind::Text | Kind::Word => Values::Texts(StringBuilder::new()),
            Kind::Integers => Values::IntegerLists(ListBuilder::new(Int32Builder::new()).with_field(item(kind))),
            Kind::Texts => Values::TextLists(ListBuilder::new(StringBuilder::new()).with_field(item(kind))),
        })
    }

    fn null(&mut self) {
        match &mut self.0 {
            Values::Integers(values) => values.append_null(),
            Values::Counts(values) => values.append_null(),
            Values::Days(values) => values.append_null(),
            Values::Decimals(values) => values.append_null(),
            Values::Booleans(values) => values.append_null(),
            Values::Texts(values) => values.append_null(),
            // Lists are never null.
            Values::IntegerLists(values) => values.append(true),
            Values::TextLists(values) => values.append(true),
        }
    }

    fn integer(&mut self, number: Option<i64>) {
        match &mut self.0 {
            Values::Integers(values) => values.append_option(number.map(narrow)),
            Values::Days(values) => values.append_option(number.map(narrow)),
            Values::Counts(values) => values.append_option(number),
            other => unreachable!("no column of integers: {other:?}"),
        }
    }

    fn decimal(&mut self, number: Option<f64>) {
        match &mut self.0 {
            Values::Decimals(values) => values.append_option(number),
            other => unreachable!("no column of decimal numbers: {other:?}"),
        }
    }

    fn boolean(&mut self, value: Option<bool>) {
        match &mut self.0 {
            Values::Booleans(values) => values.append_option(value),
            other => unreachable!("no column of truth values: {other:?}"),
        }
    }

    fn text(&mut self, text: Option<&str>) {
        match &mut self.0 {
            Values::Texts(values) => values.append_option(text),
            other => unreachable!("no column of texts: {other:?}"),
        }
    }

    fn integers(&mut self, numbers: impl Iterator<Item = Option<i64>>) {
        match &mut self.0 {
            Values::IntegerLists(values) => values.append_value(numbers.map(|number| number.map(narrow))),
            other => unreachable!("no column of lists of integers: {other:?}"),
        }
    }

    fn texts<'a>(&mut self, texts: impl Iterator<Item = Option<&'a str>>) {
        match &mut self.0 {
            Values::TextLists(values) => values.append_value(texts),
            other => unreachable!("no column of lists of texts: {other:?}"),
        }
    }
}

impl ArrowColumn {
    /// Returns the values and clears them.
    pub(super) fn finish(&mut self) -> ArrayRef {
        match &mut self.0 {
            Values::Integers(values) => Arc::new(values.finish()),
            Values::Counts(values) => Arc::new(values.finish()),
            Values::Days(values) => Arc::new(values.finish()),
            Values::Decimals(values) => Arc::new(values.finish()),
            Values::Booleans(values) => Arc::new(values.finish()),
            Values::Texts(values) => Arc::new(values.finish()),
            Values::IntegerLists(values) => Arc::new(values.finish()),
            Values::TextLists(values) => Arc::new(values.finish()),
        }
    }
}

/// Returns the type of a column.
pub(super) fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Integer => DataType::Int32,
        Kind::Count | Kind::Key => DataType::Int64,
        Kind::Day => DataType::Date32,
        Kind::Decimal => DataType::Float64,
        Kind::Boolean => DataType::Boolean,
        Kind::Text | Kind::Word => DataType::Utf8,
        Kind::Integers | Kind::Texts => DataType::List(Arc::new(item(kind))),
    }
}

/// Returns the field of the items of a list.
fn item(kind: Kind) -> Field {
    let of = if kind == Kind::Texts { DataType::Utf8 } else { DataType::Int32 };
    // The name that items have in Parquet; that of Arrow is `item`.
    Field::new("element", of, true)
}
