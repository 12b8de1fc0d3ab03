//! The index of a collection: one table for the positions of many files, with the places of their games.

use std::fs::File;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::places::GamePositions;
use super::table::{PositionTable, PositionTableWriter};
use crate::error::{Error, Result};
use crate::rules::Variant;

/// The file name of an index in its folder.
pub(crate) const INDEX_FILE: &str = "positions.index";

/// A file whose games are in an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IndexedFile {
    /// The name of the input.
    pub(crate) label: String,
    /// The path of the file or archive.
    pub(crate) path: String,
    /// The stored size in bytes when the index was made.
    pub(crate) size: u64,
}

/// What the numbers in a table stand for; it is the name of the table.
#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    files: Vec<IndexedFile>,
    variants: Vec<String>,
}

/// Writes an index.
pub(crate) struct IndexWriter {
    table: PositionTableWriter,
    files: Vec<IndexedFile>,
}

impl IndexWriter {
    /// Begins an index in an empty file. Temporary files are in the folder.
    pub(crate) fn new(file: File, folder: &Path) -> io::Result<Self> {
        Ok(Self { table: PositionTableWriter::new(file, folder)?, files: Vec::new() })
    }

    /// Begins a file, whose games are added next.
    pub(crate) fn begin(&mut self, file: IndexedFile) {
        self.files.push(file);
    }

    /// Adds the next game.
    pub(crate) fn add(&mut self, game: &GamePositions) -> io::Result<()> {
        self.table.add(game, self.files.len().saturating_sub(1) as u32)
    }

    /// Completes the index and returns the number of positions.
    pub(crate) fn finish(self) -> io::Result<u64> {
        let variants = self.table.variants().iter().map(|variant| variant.name().to_owned()).collect();
        self.table.finish(&serde_json::to_string(&Contents { files: self.files, variants })?)
    }
}

/// A game in which a position occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FoundPlace {
    /// The index of the file.
    pub(crate) file: usize,
    /// First byte of the game in the decompressed file, from 0.
    pub(crate) offset: u64,
    /// Number of bytes; 0 if the file has to be converted to PDN in UTF-8.
    pub(crate) length: u64,
    /// Number of the game in its file, from 1.
    pub(crate) game: u64,
    /// The index of the variant.
    pub(crate) variant: usize,
}

/// Looks up positions in an index.
#[derive(Debug)]
pub(crate) struct PositionIndex {
    table: PositionTable,
    contents: Contents,
}

impl PositionIndex {
    /// Opens an index.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not an index.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let table = PositionTable::open(path).map_err(|error| Error::read(path, error))?;
        let opened = table.and_then(|table| {
            let contents = serde_json::from_str(table.name()).ok()?;
            Some(Self { table, contents })
        });
        opened.ok_or_else(|| Error::unavailable(format!("{}: not an index made by `pdn index`", path.display())))
    }

    /// Returns the files whose games it contains.
    pub(crate) fn files(&self) -> &[IndexedFile] {
        &self.contents.files
    }

    /// Returns the variants of its games; `None` for house rules.
    pub(crate) fn variants(&self) -> impl Iterator<Item = Option<Variant>> {
        self.contents.variants.iter().map(|name| name.parse().ok())
    }

    /// Returns the games that have a position with one of these keys.
    ///
    /// # Errors
    ///
    /// If the index is damaged or cannot be read.
    pub(crate) fn find(&self, keys: &[u64]) -> Result<Vec<FoundPlace>> {
        let damaged = |why: &dyn std::fmt::Display| Error::unavailable(format!("the index is damaged: {why}"));
        let games = self.table.games(keys).map_err(|error| damaged(&error))?;
        let place = |game: &super::places::GameFacts| FoundPlace {
            file: game.file as usize,
            offset: game.offset,
            length: game.length,
            game: game.number.into(),
            variant: game.variant as usize,
        };
        let Contents { files, variants } = &self.contents;
        let found: Vec<_> = games.iter().map(place).collect();
        let is_known = |place: &FoundPlace| place.file < files.len() && place.variant < variants.len();
        if found.iter().all(is_known) { Ok(found) } else { Err(damaged(&"it has an unknown file")) }
    }
}
