//! Sorting more entries than memory holds: sorted runs in temporary files, then merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::entry::{BYTES, IndexEntry};

/// Number of entries in memory: about 130 MB.
const MAX_ENTRIES: usize = 1 << 21;

/// Takes entries in any order and returns them sorted.
#[derive(Debug)]
pub struct IndexSorter {
    folder: PathBuf,
    max: usize,
    entries: Vec<IndexEntry>,
    runs: Vec<File>,
}

impl IndexSorter {
    /// Returns a sorter that keeps what memory does not hold in files without a name in a folder.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), max: MAX_ENTRIES, entries: Vec::new(), runs: Vec::new() }
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn push(&mut self, entry: IndexEntry) -> io::Result<()> {
        self.entries.push(entry);
        if self.entries.len() < self.max { Ok(()) } else { self.write_run() }
    }

    /// Returns all entries in their order.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub fn finish(mut self) -> io::Result<SortedEntries> {
        self.write_run()?;
        let mut sorted = SortedEntries { runs: Vec::new(), next: BinaryHeap::new() };
        for mut file in self.runs {
            file.rewind()?;
            sorted.runs.push(BufReader::with_capacity(1 << 16, file));
            sorted.refill(sorted.runs.len() - 1)?;
        }
        Ok(sorted)
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.entries.sort_unstable();
        let mut run = BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(&self.folder)?);
        self.entries.drain(..).try_for_each(|entry| run.write_all(&entry.to_bytes()))?;
        self.runs.push(run.into_inner().map_err(io::IntoInnerError::into_error)?);
        Ok(())
    }
}

/// Sorted entries, read from temporary files.
#[derive(Debug)]
pub struct SortedEntries {
    runs: Vec<BufReader<File>>,
    /// The next entry of each run that is not at its end.
    next: BinaryHeap<Reverse<(IndexEntry, usize)>>,
}

impl SortedEntries {
    /// Reads the next entry of a run.
    fn refill(&mut self, run: usize) -> io::Result<()> {
        let mut bytes = [0; BYTES];
        match self.runs[run].read_exact(&mut bytes) {
            Ok(()) => self.next.push(Reverse((IndexEntry::from_bytes(bytes), run))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

impl Iterator for SortedEntries {
    type Item = io::Result<IndexEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((entry, run)) = self.next.pop()?;
        Some(self.refill(run).map(|()| entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_runs_are_merged() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sorter = IndexSorter { max: 10, ..IndexSorter::new(folder.path()) };
        let entry = |key: u64| {
            let mut bytes = [0; BYTES];
            bytes[..8].copy_from_slice(&key.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes());
            IndexEntry::from_bytes(bytes)
        };
        let mut all: Vec<_> = (0..95).map(entry).collect();
        for &entry in &all {
            sorter.push(entry).expect("a run");
        }
        all.sort();
        let merged: io::Result<Vec<_>> = sorter.finish().expect("runs").collect();
        assert_eq!(merged.expect("entries"), all);
        assert_eq!(IndexSorter::new(folder.path()).finish().expect("no entries").count(), 0);
    }
}
