//! Tables as record batches of Apache Arrow.

mod column;

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{Field, Schema, SchemaRef};
pub use column::ArrowColumn;
use column::data_type;

use super::table::{Column, Table, TableRows};
use crate::records::SCHEMA;

/// Rows of a table that become a record batch of Apache Arrow: the columns and types of Parquet.
///
/// # Examples
///
/// ```
/// use pdn::check::{CheckOptions, reviews};
/// use pdn::export::{ArrowRows, Table, arrow_schema};
/// use pdn::records::{Origin, game_row};
///
/// let mut rows = ArrowRows::new(Table::Moves);
/// for review in reviews(b"1. 32-28 19-23 *", CheckOptions::default()) {
///     let origin = Origin { file: "-", game: review.number(), offset: 0 };
///     rows.add_game(&game_row(&review, origin, Vec::new()));
/// }
/// let batch = rows.finish();
/// assert_eq!((batch.num_rows(), batch.schema()), (2, arrow_schema(Table::Moves)));
/// ```
pub type ArrowRows = TableRows<ArrowColumn>;

impl ArrowRows {
    /// Returns the rows as a record batch and clears them.
    ///
    /// # Panics
    ///
    /// Never: the columns have the types of the schema.
    pub fn finish(&mut self) -> RecordBatch {
        let options = RecordBatchOptions::new().with_row_count(Some(self.len()));
        let schema = arrow_schema(self.table);
        let columns = self.take_columns().map(ArrowColumn::finish).collect();
        let batch = RecordBatch::try_new_with_options(schema, columns, &options);
        batch.expect("columns of the types of the schema")
    }
}

/// Returns the schema of a table in Apache Arrow, with the version of its columns as metadata.
pub fn arrow_schema(table: Table) -> SchemaRef {
    let fields: Vec<_> = table.columns().iter().map(field).collect();
    let metadata = [("pdn.table", table.name().to_owned()), ("pdn.schema_version", SCHEMA.to_string())];
    let metadata: HashMap<_, _> = metadata.map(|(key, value)| (key.to_owned(), value)).into();
    Arc::new(Schema::new_with_metadata(fields, metadata))
}

/// Returns the field of a column: lists may be empty but are never null.
fn field(column: &Column) -> Field {
    let data_type = data_type(column.kind);
    let is_list = data_type.is_nested();
    Field::new(column.name(), data_type, !is_list)
}
