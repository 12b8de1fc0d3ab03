//! The file: row groups, then what is known of them.

use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;

use super::column_data::ColumnData;
use super::schema::{properties, schema};
use crate::export::table::{Table, TableRows};

/// Maximum number of rows of a row group: what a reader gives to one thread.
pub(super) const MAX_ROWS: usize = 1 << 17;

/// Maximum number of rows of a row group of an index: what a look-up reads of some columns.
const MAX_INDEX_ROWS: usize = 1 << 16;

/// Approximate number of bytes of a row group in memory, before it is encoded.
const MAX_BYTES: usize = 1 << 26;

/// Rows of a table that wait for their row group.
pub type ParquetRows = TableRows<ColumnData>;

/// Writes a table as a Parquet file, a row group at a time, into memory that the caller takes.
pub struct ParquetWriter {
    writer: SerializedFileWriter<Vec<u8>>,
    rows: ParquetRows,
}

impl ParquetWriter {
    /// Begins the file of a table.
    ///
    /// # Panics
    ///
    /// Never: the schemas of tables are valid.
    pub fn new(table: Table) -> Self {
        let writer = SerializedFileWriter::new(Vec::new(), schema(table), properties(table).into());
        Self { writer: writer.expect("a valid schema"), rows: ParquetRows::new(table) }
    }

    /// Adds a text to the metadata of the file.
    pub(super) fn describe(&mut self, key: &str, text: String) {
        self.writer.append_key_value_metadata(KeyValue::new(key.to_owned(), text));
    }

    /// Adds rows, and returns the next bytes of the file if they complete a row group.
    ///
    /// # Panics
    ///
    /// Panics if the rows are of another table.
    pub fn add(&mut self, rows: ParquetRows) -> Vec<u8> {
        self.rows.append(rows, ColumnData::append);
        let max = if self.rows.table() == Table::Index { MAX_INDEX_ROWS } else { MAX_ROWS };
        if self.rows.len() >= max || self.bytes() >= MAX_BYTES {
            self.write_group().expect("memory can be written, and values fit their columns");
        }
        self.taken()
    }

    /// Returns the approximate number of bytes of the rows in memory.
    fn bytes(&self) -> usize {
        self.rows.columns().iter().map(ColumnData::bytes).sum()
    }

    /// Ends the file and returns its last bytes.
    ///
    /// # Panics
    ///
    /// Never: memory can be written.
    pub fn finish(mut self) -> Vec<u8> {
        let end = |writer: &mut Self| -> Result<()> {
            if !writer.rows.is_empty() {
                writer.write_group()?;
            }
            writer.writer.finish().map(drop)
        };
        end(&mut self).expect("memory can be written, and values fit their columns");
        self.taken()
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.writer.next_row_group()?;
        for column in self.rows.take_columns() {
            let mut writer = group.next_column()?.expect("a column in the schema for each of the table");
            column.write(&mut writer)?;
            writer.close()?;
        }
        group.close()?;
        Ok(self.writer.flush()?)
    }

    /// Takes the bytes that are complete.
    fn taken(&mut self) -> Vec<u8> {
        std::mem::take(self.writer.inner_mut())
    }
}
