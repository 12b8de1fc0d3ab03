//! Sorting with bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::places::PlaceEntry;

/// Maximum memory for entries in bytes.
const MEMORY: usize = 128 << 20;

/// Sorts entries that are added in any order.
#[derive(Debug)]
pub(super) struct Sorter {
    folder: PathBuf,
    max: usize,
    entries: Vec<PlaceEntry>,
    runs: Vec<File>,
}

impl Sorter {
    /// Returns a sorter that spills entries to unnamed files in a folder.
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), max: MEMORY / size_of::<PlaceEntry>(), entries: Vec::new(), runs: Vec::new() }
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub(super) fn push(&mut self, entry: PlaceEntry) -> io::Result<()> {
        self.entries.push(entry);
        if self.entries.len() < self.max { Ok(()) } else { self.write_run() }
    }

    /// Returns all entries in order.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub(super) fn finish(mut self) -> io::Result<Sorted> {
        self.write_run()?;
        let mut sorted = Sorted { runs: Vec::new(), next: BinaryHeap::new() };
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
        for entry in self.entries.drain(..) {
            run.write_all(&entry.to_bytes())?;
        }
        self.runs.push(run.into_inner().map_err(io::IntoInnerError::into_error)?);
        Ok(())
    }
}

/// Sorted entries, read from temporary files.
#[derive(Debug)]
pub(super) struct Sorted {
    runs: Vec<BufReader<File>>,
    /// The next entry of each run that is not at its end.
    next: BinaryHeap<Reverse<(PlaceEntry, usize)>>,
}

impl Sorted {
    /// Reads the next entry of a run.
    fn refill(&mut self, run: usize) -> io::Result<()> {
        let mut bytes = [0; PlaceEntry::BYTES];
        match self.runs[run].read_exact(&mut bytes) {
            Ok(()) => self.next.push(Reverse((PlaceEntry::from_bytes(&bytes), run))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

impl Iterator for Sorted {
    type Item = io::Result<PlaceEntry>;

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
        let mut sorter = Sorter { max: 10, ..Sorter::new(folder.path()) };
        let key = |n: u32| u64::from(n).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut all: Vec<_> = (0..95).map(|n| PlaceEntry { key: key(n), game: n, next: n ^ 1 }).collect();
        for &entry in &all {
            sorter.push(entry).expect("a run");
        }
        all.sort_unstable();
        let merged: io::Result<Vec<_>> = sorter.finish().expect("runs").collect();
        assert_eq!(merged.expect("entries"), all);
        assert_eq!(Sorter::new(folder.path()).finish().expect("no entries").count(), 0);
    }
}
