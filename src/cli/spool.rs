//! Output that is sorted before it is written.

use std::fs::File;
use std::io::{BufWriter, Read as _, Seek as _, SeekFrom, Write as _};

use super::context::Context;
use crate::error::{Error, Result};

/// Records in an unnamed file, with their sort keys in memory.
pub(super) struct Spool<K> {
    file: BufWriter<File>,
    length: u64,
    records: Vec<(K, u64, usize)>,
}

impl<K: Ord> Spool<K> {
    pub(super) fn new() -> Result<Self> {
        let file = tempfile::tempfile().map_err(|error| Error::write(std::env::temp_dir(), error))?;
        Ok(Self { file: BufWriter::new(file), length: 0, records: Vec::new() })
    }

    pub(super) fn add(&mut self, key: K, record: &[u8]) -> Result<()> {
        self.file.write_all(record).map_err(|error| Error::write(std::env::temp_dir(), error))?;
        self.records.push((key, self.length, record.len()));
        self.length += record.len() as u64;
        Ok(())
    }

    /// Returns the number of records.
    pub(super) const fn len(&self) -> usize {
        self.records.len()
    }

    /// Writes the records in the order of their keys; those with the same key in the order in which they came.
    pub(super) fn write(mut self, context: &mut Context) -> Result<()> {
        self.records.sort_by(|one, other| one.0.cmp(&other.0));
        let failed = |error| Error::read(std::env::temp_dir(), error);
        let mut file = self.file.into_inner().map_err(|error| failed(error.into_error()))?;
        let mut record = Vec::new();
        for (_, offset, length) in &self.records {
            record.resize(*length, 0);
            file.seek(SeekFrom::Start(*offset)).and_then(|_| file.read_exact(&mut record)).map_err(failed)?;
            context.out.bytes(&record)?;
        }
        Ok(())
    }
}
