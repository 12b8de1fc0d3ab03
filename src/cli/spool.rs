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
    pub(super) fn write(self, context: &mut Context) -> Result<()> {
        let mut sorted = self.sorted()?;
        (0..sorted.records.len()).try_for_each(|n| context.out.bytes(sorted.record(n)?))
    }

    /// Returns the records in that order.
    pub(super) fn sorted(mut self) -> Result<Sorted<K>> {
        // A stable sort, which keeps the order of records with equal keys.
        self.records.sort_by(|one, other| one.0.cmp(&other.0));
        let file = self.file.into_inner().map_err(|error| failed(error.into_error()))?;
        Ok(Sorted { file, records: self.records, record: Vec::new() })
    }
}

/// Records in the order of their keys.
pub(super) struct Sorted<K> {
    file: File,
    records: Vec<(K, u64, usize)>,
    /// The record that was read last.
    record: Vec<u8>,
}

impl<K> Sorted<K> {
    /// Returns the keys in order.
    pub(super) fn keys(&self) -> impl Iterator<Item = &K> {
        self.records.iter().map(|(key, ..)| key)
    }

    /// Returns a record by its number in the order, from 0.
    pub(super) fn record(&mut self, number: usize) -> Result<&[u8]> {
        let (_, offset, length) = &self.records[number];
        self.record.resize(*length, 0);
        self.file
            .seek(SeekFrom::Start(*offset))
            .and_then(|_| self.file.read_exact(&mut self.record))
            .map_err(failed)?;
        Ok(&self.record)
    }
}

fn failed(error: std::io::Error) -> Error {
    Error::read(std::env::temp_dir(), error)
}
