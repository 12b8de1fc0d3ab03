//! Games and positions of an index.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::board::Side;
use crate::check::CheckedGame;
use crate::import::Format;
use crate::notation::Outcome;
use crate::rules::Variant;

/// The number of bytes of an entry in a temporary file.
pub(super) const BYTES: usize = 48;

/// The outcomes by their numbers in an entry.
const OUTCOMES: [Option<Outcome>; 4] =
    [None, Some(Outcome::Win(Side::White)), Some(Outcome::Win(Side::Black)), Some(Outcome::Draw)];

/// A game with the keys of its positions.
#[derive(Debug)]
pub struct GameKeys {
    variant: Variant,
    place: IndexEntry,
    keys: Vec<[u64; 2]>,
}

impl GameKeys {
    /// Returns a game; `keys` are the keys and the canonical keys of its positions.
    pub(super) fn new(game: &CheckedGame<'_>, variant: Variant, keys: Vec<[u64; 2]>) -> Self {
        let winner = OUTCOMES.iter().position(|&outcome| outcome == game.winner());
        let place = IndexEntry {
            key: 0,
            canonical: 0,
            file: 0,
            variant: 0,
            game: game.number(),
            offset: game.location().offset,
            length: if game.chunk().is_original() && game.chunk().format() == Format::Pdn {
                game.bytes().len() as u64
            } else {
                0
            },
            year: game.date()[0].unwrap_or_default(),
            winner: winner.unwrap_or_default() as u8,
        };
        Self { variant, place, keys }
    }

    /// Returns the variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns an entry for each position, where the file and the variant of the game have these numbers.
    pub(crate) fn entries(&self, file: u32, variant: u16) -> impl Iterator<Item = IndexEntry> {
        let place = IndexEntry { file, variant, ..self.place };
        self.keys.iter().map(move |&[key, canonical]| IndexEntry {
            key: key as i64,
            canonical: canonical as i64,
            ..place
        })
    }
}

/// A position of a game. Entries are ordered by the key of the position, then by the location of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexEntry {
    key: i64,
    file: u32,
    game: u64,
    canonical: i64,
    offset: u64,
    length: u64,
    variant: u16,
    year: u16,
    winner: u8,
}

impl IndexEntry {
    /// Returns the key of the position as a signed number.
    pub(crate) const fn key(&self) -> i64 {
        self.key
    }

    /// Returns the canonical key of the position as a signed number.
    pub(crate) const fn canonical_key(&self) -> i64 {
        self.canonical
    }

    /// Returns the number of the file.
    pub const fn file(&self) -> u32 {
        self.file
    }

    /// Returns the number of the variant.
    pub const fn variant(&self) -> u16 {
        self.variant
    }

    /// Returns the number of the game in its file, from 1.
    pub const fn game(&self) -> u64 {
        self.game
    }

    /// Returns the first byte of the game in the decompressed file, from 0.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of bytes of the game; 0 if the file has to be converted to UTF-8.
    pub(crate) const fn length(&self) -> u64 {
        self.length
    }

    /// Returns the year of the game.
    pub(crate) const fn year(&self) -> Option<u16> {
        if self.year == 0 { None } else { Some(self.year) }
    }

    /// Returns who won.
    pub const fn winner(&self) -> Option<Outcome> {
        OUTCOMES[(self.winner & 3) as usize]
    }

    /// Returns the entry as stored in a temporary file.
    pub(super) fn to_bytes(self) -> [u8; BYTES] {
        let small = u64::from(self.file) | u64::from(self.variant) << 32 | u64::from(self.year) << 48;
        // The winner is in the upper bits of the length, which no game reaches.
        let length = self.length | u64::from(self.winner) << 56;
        let words = [self.key as u64, self.canonical as u64, self.game, self.offset, length, small];
        let mut bytes = [0; BYTES];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Returns an entry from bytes written by [`to_bytes`](Self::to_bytes).
    pub(super) fn from_bytes(bytes: [u8; BYTES]) -> Self {
        let word = |n: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[8 * n + byte]));
        Self {
            key: word(0) as i64,
            canonical: word(1) as i64,
            game: word(2),
            offset: word(3),
            length: word(4) & (u64::MAX >> 8),
            winner: (word(4) >> 56) as u8,
            file: word(5) as u32,
            variant: (word(5) >> 32) as u16,
            year: (word(5) >> 48) as u16,
        }
    }
}

/// Number of entries in memory: about 130 MB.
const MAX_ENTRIES: usize = 1 << 21;

/// Sorts entries that are added in any order.
#[derive(Debug)]
pub struct IndexSorter {
    folder: PathBuf,
    max: usize,
    entries: Vec<IndexEntry>,
    runs: Vec<File>,
}

impl IndexSorter {
    /// Returns a sorter that spills entries to unnamed files in a folder.
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

    /// Returns all entries in order.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written or read.
    pub(crate) fn finish(mut self) -> io::Result<SortedEntries> {
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
    fn entries_survive_a_file() {
        let entry = IndexEntry {
            key: -5,
            file: 7,
            game: 1 << 40,
            canonical: i64::MAX,
            offset: 1 << 50,
            length: 250_000_000,
            variant: 300,
            year: 1995,
            winner: 3,
        };
        assert_eq!(IndexEntry::from_bytes(entry.to_bytes()), entry);
        assert_eq!((entry.year(), entry.winner()), (Some(1995), Some(Outcome::Draw)));
    }

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
        all.sort_unstable();
        let merged: io::Result<Vec<_>> = sorter.finish().expect("runs").collect();
        assert_eq!(merged.expect("entries"), all);
        assert_eq!(IndexSorter::new(folder.path()).finish().expect("no entries").count(), 0);
    }
}
