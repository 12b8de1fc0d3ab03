//! The file: row groups, then their metadata.

use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use super::column_data::ColumnData;
use crate::check::Summary;
use crate::export::table::{Column, Kind, Table, TableRows};
use crate::export::typed::{ConvertedRows, RowOutput, TableGames};
use crate::records::SCHEMA;

/// Maximum number of rows of a row group: the unit that a reader gives to one thread.
pub(super) const MAX_ROWS: usize = 1 << 17;

/// Number of rows up to which chunks are joined.
const MIN_CHUNK_ROWS: usize = 1 << 13;

/// Approximate number of bytes of a row group in memory, before it is encoded.
const MAX_BYTES: usize = 1 << 26;

/// Rows of a table waiting for their row group.
pub(super) type ParquetRows = TableRows<ColumnData>;

/// Collects the rows of a table for a Parquet file.
pub type ParquetGames = TableGames<ColumnData>;

/// The rows of a chunk of games for a Parquet file.
pub type ParquetChunk = ConvertedRows<ColumnData>;

/// Joins the rows of chunks into a Parquet file, whose bytes come in pieces.
pub struct ParquetOutput {
    rows: RowOutput,
    table: Table,
    writer: ParquetWriter,
}

impl ParquetOutput {
    /// Begins the file of a table.
    pub(crate) fn new(table: Table) -> Self {
        Self { rows: RowOutput::default(), table, writer: ParquetWriter::new(table) }
    }

    /// Adds the next chunk, and returns the next bytes of the file if it completes a row group.
    pub fn add(&mut self, chunk: ParquetChunk) -> Vec<u8> {
        self.rows.add(chunk).map_or_else(Vec::new, |rows| self.writer.add(rows))
    }

    /// Returns what was counted over the games so far.
    pub(crate) const fn summary(&self) -> &Summary {
        self.rows.summary()
    }

    /// Ends the file and returns its last bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let mut last = self.writer.add(self.rows.finish(self.table));
        last.append(&mut self.writer.finish());
        last
    }
}

/// Writes a table as a Parquet file, a row group at a time, into memory that the caller takes.
pub(super) struct ParquetWriter {
    table: Table,
    writer: SerializedFileWriter<Vec<u8>>,
    /// The chunks of the next row group; adjacent small ones are joined, since thousands of sets of columns would take more
    /// memory than their rows.
    chunks: Vec<ParquetRows>,
}

impl ParquetWriter {
    /// Begins the file of a table.
    ///
    /// # Panics
    ///
    /// Never: the schemas of tables are valid.
    pub(super) fn new(table: Table) -> Self {
        let writer = SerializedFileWriter::new(Vec::new(), schema(table), properties(table).into());
        Self { table, writer: writer.expect("a valid schema"), chunks: Vec::new() }
    }

    /// Adds rows, and returns the next bytes of the file if they complete a row group.
    ///
    /// # Panics
    ///
    /// Panics if the rows belong to another table.
    pub(super) fn add(&mut self, rows: ParquetRows) -> Vec<u8> {
        assert_eq!(self.table, rows.table, "rows of one table");
        match self.chunks.last_mut() {
            Some(last) if last.len() + rows.len() <= MIN_CHUNK_ROWS => last.append(rows, ColumnData::append),
            _ => self.chunks.push(rows),
        }
        if self.len() >= MAX_ROWS || self.bytes() >= MAX_BYTES {
            self.write_group().expect("memory can be written, and values fit their columns");
        }
        self.taken()
    }

    /// Returns the number of rows in memory.
    fn len(&self) -> usize {
        self.chunks.iter().map(TableRows::len).sum()
    }

    /// Returns the approximate number of bytes of the rows in memory.
    fn bytes(&self) -> usize {
        self.chunks.iter().flat_map(TableRows::columns).map(ColumnData::bytes).sum()
    }

    /// Ends the file and returns its last bytes.
    ///
    /// # Panics
    ///
    /// Never: memory can be written.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let end = |writer: &mut Self| -> Result<()> {
            if writer.len() > 0 {
                writer.write_group()?;
            }
            writer.writer.finish().map(drop)
        };
        end(&mut self).expect("memory can be written, and values fit their columns");
        self.taken()
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.writer.next_row_group()?;
        for n in 0..self.table.columns().len() {
            let mut writer = group.next_column()?.expect("a column in the schema for each of the table");
            // Frees the values of each chunk before the next is encoded.
            self.chunks.iter_mut().try_for_each(|rows| rows.column_mut(n).write(&mut writer))?;
            writer.close()?;
        }
        self.chunks.clear();
        group.close()?;
        Ok(self.writer.flush()?)
    }

    /// Takes the bytes that are complete.
    fn taken(&mut self) -> Vec<u8> {
        std::mem::take(self.writer.inner_mut())
    }
}

/// Approximate number of rows of a page: the part of a column that is read to find one row.
const PAGE_ROWS: usize = 1 << 13;

/// Returns the schema of a table.
///
/// # Panics
///
/// Never: the types are fixed.
pub(super) fn schema(table: Table) -> TypePtr {
    let fields = table.columns().iter().map(|column| Arc::new(field(column))).collect();
    Arc::new(Type::group_type_builder(table.name()).with_fields(fields).build().expect("a group of columns"))
}

fn field(column: &Column) -> Type {
    let optional = |physical, logical| primitive(column.name(), physical, logical);
    match column.kind {
        Kind::Integer => optional(Physical::INT32, None),
        Kind::Day => optional(Physical::INT32, Some(LogicalType::Date)),
        Kind::Count | Kind::Key => optional(Physical::INT64, None),
        Kind::Decimal => optional(Physical::DOUBLE, None),
        Kind::Boolean => optional(Physical::BOOLEAN, None),
        Kind::Text | Kind::Word => optional(Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Integers => list(column.name(), primitive("element", Physical::INT32, None)),
        Kind::Texts => list(column.name(), primitive("element", Physical::BYTE_ARRAY, Some(LogicalType::String))),
    }
}

/// Returns the type of a column that may be null.
fn primitive(name: &str, physical: Physical, logical: Option<LogicalType>) -> Type {
    let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
    builder.with_logical_type(logical).build().expect("a primitive type")
}

/// Returns the type of a list, which is never null but may be empty.
fn list(name: &str, element: Type) -> Type {
    let items = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
    let items = items.with_fields(vec![Arc::new(element)]).build().expect("the items of a list");
    let list = Type::group_type_builder(name).with_repetition(Repetition::REQUIRED).with_fields(vec![Arc::new(items)]);
    list.with_logical_type(Some(LogicalType::List)).with_converted_type(ConvertedType::LIST).build().expect("a list")
}

/// Returns the writer properties of a table: statistics for each page of all but distinct texts, a Bloom filter for keys, and the
/// version of the schema in the metadata of the file.
pub(super) fn properties(table: Table) -> WriterProperties {
    let metadata = [("pdn.table", table.name().to_owned()), ("pdn.schema_version", SCHEMA.to_string())];
    let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).to_vec();
    let builder = WriterProperties::builder()
        .set_created_by(concat!("pdn version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_key_value_metadata(Some(metadata));
    table.columns().iter().fold(builder, encoded).build()
}

/// Sets how a column is encoded. Texts and integers that repeat go to dictionaries, which fall back if they grow too large.
fn encoded(builder: WriterPropertiesBuilder, column: &Column) -> WriterPropertiesBuilder {
    let path = ColumnPath::from(column.name());
    let plain = |builder: WriterPropertiesBuilder, encoding| {
        builder.set_column_dictionary_enabled(path.clone(), false).set_column_encoding(path.clone(), encoding)
    };
    match column.kind {
        Kind::Count => plain(builder, Encoding::DELTA_BINARY_PACKED),
        // No statistics: such texts are distinct and unsorted, so their bounds exclude nothing.
        Kind::Text => plain(builder, Encoding::DELTA_BYTE_ARRAY)
            .set_column_statistics_enabled(path.clone(), EnabledStatistics::None),
        // Keys are hashes: neither a dictionary nor compression makes them smaller.
        Kind::Key => plain(builder, Encoding::PLAIN)
            .set_column_compression(path.clone(), Compression::UNCOMPRESSED)
            .set_column_bloom_filter_enabled(path.clone(), true)
            // A row group has no more keys than rows.
            .set_column_bloom_filter_max_ndv(path, MAX_ROWS as u64),
        _ => builder,
    }
}
