//! The databases in use: those in the program, and those in a folder.

use std::fmt::{self, Write};
use std::fs;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::embedded::MAX_EMBEDDED;
use super::material::MAX_PIECES;
use super::tables::{EndgameTables, Probe, TableProblem, is_table};
use crate::error::{Error, Result};
use crate::rules::{Position, Variant};

/// The endgame databases in use: those in the program, and those in a folder if one is named.
///
/// The tables of a variant are opened when they are first needed. A folder stays open until the process ends, so that
/// databases can be copied freely and shared by threads.
///
/// # Examples
///
/// ```
/// use pdn::egdb::{Databases, Value};
/// use pdn::rules::{Position, Variant};
///
/// let position = Position::from_fen(Variant::RUSSIAN, "W:WKc1,Ke1,Ka1:BKh8")?;
/// let probe = Databases::embedded().probe(&position);
/// assert_eq!(probe.map(|probe| probe.value()), Some(Value::Win));
/// assert!(Databases::in_folder("no-such-folder".as_ref()).is_err());
/// # Ok::<(), pdn::notation::PositionError>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Databases(Option<&'static Folder>);

/// A folder with a folder of tables for each variant.
struct Folder {
    path: PathBuf,
    opened: Mutex<Vec<EndgameTables>>,
}

/// The folders that were named, kept until the process ends.
static FOLDERS: Mutex<Vec<&'static Folder>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PartialEq for Databases {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Some(one), Some(other)) => ptr::eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

impl Eq for Databases {}

impl fmt::Debug for Databases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Databases").field(&self.0.map(|folder| &folder.path)).finish()
    }
}

impl Databases {
    /// Returns the databases in the program.
    pub const fn embedded() -> Self {
        Self(None)
    }

    /// Returns the databases in a folder, which has a folder for each variant, and those in the program.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read or has no tables of any variant.
    pub fn in_folder(path: &Path) -> Result<Self> {
        let entries = fs::read_dir(path).map_err(|error| Error::read(path, error))?;
        if !entries.flatten().any(|entry| has_tables(&entry.path())) {
            return Err(Error::unavailable(format!("{}: no endgame tables in this folder", path.display())));
        }
        let mut folders = lock(&FOLDERS);
        let known = folders.iter().find(|folder| folder.path == path).copied();
        let folder = known.unwrap_or_else(|| {
            let folder = Box::leak(Box::new(Folder { path: path.to_owned(), opened: Mutex::default() }));
            folders.push(folder);
            folder
        });
        Ok(Self(Some(folder)))
    }

    /// Returns the tables of a variant.
    pub fn tables(self, variant: Variant) -> EndgameTables {
        let Some(folder) = self.0 else { return EndgameTables::embedded(variant) };
        let mut opened = lock(&folder.opened);
        if let Some(known) = opened.iter().find(|tables| tables.variant() == variant) {
            return known.clone();
        }
        let tables = EndgameTables::open(variant, &folder.path);
        opened.push(tables.clone());
        tables
    }

    /// Looks up a position; `None` if no table has it.
    pub fn probe(self, position: &Position) -> Option<Probe> {
        let most = if self.0.is_some() { MAX_PIECES } else { MAX_EMBEDDED };
        let is_small = position.pieces().nth(usize::from(most)).is_none();
        if is_small { self.tables(position.variant()).probe(position) } else { None }
    }

    /// Returns the tables used so far that are damaged or cannot be read.
    pub fn problems(self) -> Vec<TableProblem> {
        self.0.map(|folder| lock(&folder.opened).iter().flat_map(EndgameTables::problems).collect()).unwrap_or_default()
    }

    /// Returns the tables of the variants that the folder adds to those in the program, such as `russian 5 dtw 4` for values of
    /// up to 5 pieces and distances of up to 4; empty if there are none.
    pub fn label(self, variants: &[Variant]) -> String {
        let mut label = String::new();
        for &variant in variants.iter().filter(|variant| self.has_folder_of(**variant)) {
            let contents = self.tables(variant).folder_contents();
            if !contents.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(label, "{}{variant} {contents}", if label.is_empty() { "" } else { ", " });
            }
        }
        label
    }

    fn has_folder_of(self, variant: Variant) -> bool {
        self.0.is_some_and(|folder| folder.path.join(variant.name()).is_dir())
    }
}

fn has_tables(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(|entry| is_table(&entry.path())))
}
