//! Sorting with bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Entries that are stored in a fixed number of bytes.
pub(super) trait Stored: Copy + Ord {
    /// The number of bytes of an entry, at most 64.
    const BYTES: usize;

    /// Writes the entry to [`BYTES`](Self::BYTES) bytes.
    fn to_bytes(self, bytes: &mut [u8]);

    /// Returns the entry in bytes written by [`to_bytes`](Self::to_bytes).
    fn from_bytes(bytes: &[u8]) -> Self;
}

/// Maximum size of an entry in bytes.
pub(super) const MAX_BYTES: usize = 64;

/// Maximum memory for entries in bytes.
const MEMORY: usize = 128 << 20;

/// Sorts entries that are added in any order.
#[derive(Debug)]
pub(super) struct Sorter<T> {
    folder: PathBuf,
    max: usize,
    entries: Vec<T>,
    runs: Vec<File>,
}

impl<T: Stored> Sorter<T> {
    /// Returns a sorter that spills entries to unnamed files in a folder.
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), max: MEMORY / size_of::<T>(), entries: Vec::new(), runs: Vec::new() }
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub(super) fn push(&mut self, entry: T) -> io::Result<()> {
        self.entries.push(entry);
        if self.entries.len() < self.max { Ok(()) } else { self.write_run() }
    }

    /// Returns all entries in order.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub(super) fn finish(mut self) -> io::Result<Sorted<T>> {
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
        let mut bytes = [0; MAX_BYTES];
        for entry in self.entries.drain(..) {
            entry.to_bytes(&mut bytes[..T::BYTES]);
            run.write_all(&bytes[..T::BYTES])?;
        }
        self.runs.push(run.into_inner().map_err(io::IntoInnerError::into_error)?);
        Ok(())
    }
}

/// Sorted entries, read from temporary files.
#[derive(Debug)]
pub(super) struct Sorted<T> {
    runs: Vec<BufReader<File>>,
    /// The next entry of each run that is not at its end.
    next: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: Stored> Sorted<T> {
    /// Reads the next entry of a run.
    fn refill(&mut self, run: usize) -> io::Result<()> {
        let mut bytes = [0; MAX_BYTES];
        match self.runs[run].read_exact(&mut bytes[..T::BYTES]) {
            Ok(()) => self.next.push(Reverse((T::from_bytes(&bytes[..T::BYTES]), run))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

impl<T: Stored> Iterator for Sorted<T> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((entry, run)) = self.next.pop()?;
        Some(self.refill(run).map(|()| entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Stored for u64 {
        const BYTES: usize = 8;

        fn to_bytes(self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.to_le_bytes());
        }

        fn from_bytes(bytes: &[u8]) -> Self {
            Self::from_le_bytes(std::array::from_fn(|n| bytes[n]))
        }
    }

    #[test]
    fn many_runs_are_merged() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sorter = Sorter { max: 10, ..Sorter::new(folder.path()) };
        let mut all: Vec<_> = (0..95_u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        for &entry in &all {
            sorter.push(entry).expect("a run");
        }
        all.sort_unstable();
        let merged: io::Result<Vec<_>> = sorter.finish().expect("runs").collect();
        assert_eq!(merged.expect("entries"), all);
        assert_eq!(Sorter::<u64>::new(folder.path()).finish().expect("no entries").count(), 0);
    }
}
