//! The index of a collection: one table for the positions of many files, with the places of their games.

use std::fs::File;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::places::{GameFacts, GamePositions};
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
        let variants = self.table.variants.iter().map(|variant| variant.name().to_owned()).collect();
        self.table.finish(&serde_json::to_string(&Contents { files: self.files, variants })?)
    }
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
            let contents = serde_json::from_str(&table.name).ok()?;
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

    /// Returns the games that have a position with one of these keys; their files and variants are known.
    ///
    /// # Errors
    ///
    /// If the index is damaged or cannot be read.
    pub(crate) fn find(&self, keys: &[u64]) -> Result<Vec<GameFacts>> {
        let damaged = |why: &dyn std::fmt::Display| Error::unavailable(format!("the index is damaged: {why}"));
        let found = self.table.games(keys).map_err(|error| damaged(&error))?;
        let Contents { files, variants } = &self.contents;
        let is_known =
            |game: &GameFacts| (game.file as usize) < files.len() && (game.variant as usize) < variants.len();
        if found.iter().all(is_known) { Ok(found) } else { Err(damaged(&"it has an unknown file")) }
    }
}
