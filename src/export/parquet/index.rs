//! The index of positions: a table sorted by key, in which a look-up reads only the row groups that can contain the
//! key.

use std::fs::File;
use std::path::Path;

use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArrayType, DataType, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use serde::{Deserialize, Serialize};

use super::writer::{ParquetRows, ParquetWriter};
use crate::error::{Error, Result};
use crate::export::table::{Table, write_entry};
use crate::query::IndexEntry;

/// The file name of an index in its folder.
pub const INDEX_FILE: &str = "positions.parquet";

/// The metadata that names the files and variants of an index.
const FILES: &str = "pdn.files";

/// Rows that are collected before they are passed to the writer.
const BATCH: usize = 1 << 14;

/// A file whose games are in an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexedFile {
    label: String,
    path: String,
    size: u64,
}

impl IndexedFile {
    /// Returns a file with its label, its path and its stored size in bytes.
    pub fn new(label: &str, path: &Path, size: u64) -> Self {
        Self { label: label.to_owned(), path: path.to_string_lossy().into_owned(), size }
    }

    /// Returns the name of the input.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the path of the file or archive.
    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.path)
    }

    /// Returns the stored size in bytes when the index was made.
    pub const fn size(&self) -> u64 {
        self.size
    }
}

/// The contents of an index.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Contents {
    files: Vec<IndexedFile>,
    variants: Vec<String>,
}

/// Writes an index.
pub struct IndexWriter {
    writer: ParquetWriter,
    rows: ParquetRows,
    contents: Contents,
}

impl IndexWriter {
    /// Begins an index with these files and variants, in the order of their numbers in the entries.
    pub fn new(files: Vec<IndexedFile>, variants: Vec<String>) -> Self {
        let writer = ParquetWriter::new(Table::Index);
        Self { writer, rows: ParquetRows::new(Table::Index), contents: Contents { files, variants } }
    }

    /// Adds the next entry, in order, and returns the next bytes of the file.
    ///
    /// # Panics
    ///
    /// Panics if the file or the variant of the entry has no name.
    pub fn add(&mut self, entry: &IndexEntry) -> Vec<u8> {
        let file = &self.contents.files[entry.file() as usize].label;
        write_entry(&mut self.rows, entry, file, &self.contents.variants[usize::from(entry.variant())]);
        if self.rows.len() < BATCH {
            return Vec::new();
        }
        self.writer.add(std::mem::replace(&mut self.rows, ParquetRows::new(Table::Index)))
    }

    /// Ends the file and returns its last bytes.
    ///
    /// # Panics
    ///
    /// Never: names are text.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let mut last = self.writer.add(self.rows);
        self.writer.describe(FILES, serde_json::to_string(&self.contents).expect("names are text"));
        last.extend(self.writer.finish());
        last
    }
}

/// A game in which a position occurs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundPlace {
    label: String,
    offset: u64,
    length: u64,
    game: u64,
    variant: String,
}

impl FoundPlace {
    /// Returns the name of the input.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the first byte of the game in the decompressed input, from 0.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of bytes; 0 if the input has to be converted to UTF-8.
    pub(crate) const fn length(&self) -> u64 {
        self.length
    }

    /// Returns the number of the game in the input, from 1.
    pub const fn game(&self) -> u64 {
        self.game
    }

    /// Returns the name of the variant.
    pub fn variant(&self) -> &str {
        &self.variant
    }
}

/// Looks up positions in an index.
pub struct PositionIndex {
    reader: SerializedFileReader<File>,
    contents: Contents,
}

impl PositionIndex {
    /// Opens an index.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not an index.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::read(path, error))?;
        let unreadable = |error: ParquetError| Error::unavailable(format!("{}: {error}", path.display()));
        let reader = SerializedFileReader::new(file).map_err(unreadable)?;
        let metadata = reader.metadata().file_metadata().key_value_metadata().into_iter().flatten();
        let value = metadata.into_iter().find(|pair| pair.key == FILES).and_then(|pair| pair.value.as_deref());
        let contents = value.and_then(|text| serde_json::from_str(text).ok());
        let no_index = || Error::unavailable(format!("{}: not an index made by `pdn index`", path.display()));
        Ok(Self { contents: contents.ok_or_else(no_index)?, reader })
    }

    /// Returns the files whose games it contains.
    pub(crate) fn files(&self) -> &[IndexedFile] {
        &self.contents.files
    }

    /// Returns the names of the variants of its games.
    pub(crate) fn variants(&self) -> &[String] {
        &self.contents.variants
    }

    /// Returns the games that have a position with this key, in the order of the files and of the games in them.
    ///
    /// # Errors
    ///
    /// If the index is damaged or cannot be read.
    pub fn find(&self, key: u64) -> Result<Vec<FoundPlace>> {
        let damaged = |error: ParquetError| Error::unavailable(format!("the index is damaged: {error}"));
        // Parquet has signed integers, and the index is sorted by them.
        self.look_up(key as i64).map_err(damaged)
    }

    fn look_up(&self, key: i64) -> ParquetResult<Vec<FoundPlace>> {
        let mut found = Vec::new();
        for (n, group) in self.reader.metadata().row_groups().iter().enumerate() {
            if may_have(group.column(0).statistics(), key) {
                add_places(&*self.reader.get_row_group(n)?, key, &mut found)?;
            }
        }
        Ok(found)
    }
}

/// Returns true if a row group with these statistics of its keys may contain a key.
fn may_have(statistics: Option<&Statistics>, key: i64) -> bool {
    let Some(Statistics::Int64(keys)) = statistics else { return true };
    keys.min_opt().is_none_or(|&min| min <= key) && keys.max_opt().is_none_or(|&max| key <= max)
}

fn add_places(group: &dyn RowGroupReader, key: i64, found: &mut Vec<FoundPlace>) -> ParquetResult<()> {
    let rows = group.metadata().num_rows() as usize;
    let keys = values::<Int64Type>(group, 0, 0, rows)?;
    let first = keys.partition_point(|&other| other < key);
    let count = keys[first..].partition_point(|&other| other == key);
    if count == 0 {
        return Ok(());
    }
    // In the other columns, only the rows of the key are decoded.
    let texts = |column| values::<ByteArrayType>(group, column, first, count);
    let numbers = |column| values::<Int64Type>(group, column, first, count);
    let (labels, variants) = (texts(2)?, texts(6)?);
    let (games, offsets, lengths) = (numbers(3)?, numbers(4)?, numbers(5)?);
    for (n, (label, variant)) in labels.iter().zip(&variants).enumerate() {
        let [label, variant] = [label, variant].map(|text| text.as_utf8().map(str::to_owned));
        let [game, offset, length] = [games[n], offsets[n], lengths[n]].map(|number| number as u64);
        found.push(FoundPlace { label: label?, offset, length, game, variant: variant? });
    }
    Ok(())
}

/// Reads some rows of a column that has no nulls.
fn values<T: DataType>(
    group: &dyn RowGroupReader,
    column: usize,
    skip: usize,
    count: usize,
) -> ParquetResult<Vec<T::T>> {
    let mut reader = get_typed_column_reader::<T>(group.get_column_reader(column)?);
    reader.skip_records(skip)?;
    let (mut values, mut levels) = (Vec::with_capacity(count), Vec::new());
    while levels.len() < count {
        let (read, ..) = reader.read_records(count - levels.len(), Some(&mut levels), None, &mut values)?;
        if read == 0 {
            return Err(ParquetError::EOF(format!("column {column} has {} rows", levels.len())));
        }
    }
    let all_known = values.len() == count;
    if all_known { Ok(values) } else { Err(ParquetError::General(format!("column {column} has nulls"))) }
}
