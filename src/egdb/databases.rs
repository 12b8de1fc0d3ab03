//! The endgame databases in use: the built-in ones, and those in a folder.

use std::fmt::{self, Write};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use super::material::MAX_PIECES;
use super::tables::{EndgameTables, Probe, TableProblem, is_table};
use crate::error::{Error, Result};
use crate::rules::{Position, Variant};
use crate::shared::lock;

/// The endgame databases in use: the built-in ones, and those in a folder if one is named.
///
/// The tables of a variant are opened when they are first needed. A clone is cheap and shares the opened tables.
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
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Default)]
pub struct Databases(Option<Arc<Folder>>);

/// A folder with a folder of tables for each variant.
struct Folder {
    path: PathBuf,
    /// A panic elsewhere leaves the list whole: it only grows, by a complete entry.
    opened: Mutex<Vec<EndgameTables>>,
}

/// Databases are equal if they are in the same folder.
impl PartialEq for Databases {
    fn eq(&self, other: &Self) -> bool {
        self.path() == other.path()
    }
}

impl Eq for Databases {}

impl fmt::Debug for Databases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Databases").field(&self.path()).finish()
    }
}

impl Databases {
    /// Returns the built-in databases.
    pub const fn embedded() -> Self {
        Self(None)
    }

    /// Returns the databases in a folder, which has a subfolder for each variant, and the built-in ones.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read or has no tables of any variant.
    pub fn in_folder(path: &Path) -> Result<Self> {
        let entries = fs::read_dir(path).map_err(|error| Error::read(path, error))?;
        // Checked at once: with a mistyped folder, every position would silently have no table.
        let has_tables = |folder: &Path| {
            fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(|entry| is_table(&entry.path())))
        };
        if !entries.flatten().any(|entry| has_tables(&entry.path())) {
            return Err(Error::unavailable(format!("{}: no endgame tables in this folder", path.display())));
        }
        Ok(Self(Some(Arc::new(Folder { path: path.to_owned(), opened: Mutex::default() }))))
    }

    fn path(&self) -> Option<&Path> {
        self.0.as_ref().map(|folder| &*folder.path)
    }

    /// Returns the tables of a variant.
    pub fn tables(&self, variant: Variant) -> EndgameTables {
        let Some(folder) = &self.0 else { return EndgameTables::embedded(variant) };
        // Held while the tables are opened, so that two threads do not open them twice.
        let mut opened = lock(&folder.opened);
        if let Some(known) = opened.iter().find(|tables| tables.variant() == variant) {
            return known.clone();
        }
        let tables = EndgameTables::open(variant, &folder.path);
        opened.push(tables.clone());
        tables
    }

    /// Looks up a position; `None` if no table contains it.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        let most = if self.0.is_some() { MAX_PIECES } else { MAX_EMBEDDED };
        // Most positions of a game are too large, and for those no file is opened.
        let is_small = position.piece_count() <= usize::from(most);
        if is_small { self.tables(position.variant()).probe(position) } else { None }
    }

    /// Returns the tables used so far that are damaged or cannot be read.
    pub(crate) fn problems(&self) -> Vec<TableProblem> {
        let problems = |folder: &Arc<Folder>| lock(&folder.opened).iter().flat_map(EndgameTables::problems).collect();
        self.0.as_ref().map(problems).unwrap_or_default()
    }

    /// Describes the tables that the folder adds to the built-in ones, such as `russian 5 dtw 4` for values of up to 5 pieces and
    /// distances of up to 4; empty if there are none.
    pub(crate) fn label(&self, variants: &[Variant]) -> String {
        let mut label = String::new();
        let has_folder = |variant: Variant| self.path().is_some_and(|path| path.join(variant.name()).is_dir());
        for &variant in variants.iter().filter(|variant| has_folder(**variant)) {
            let contents = self.tables(variant).folder_contents();
            if !contents.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(label, "{}{variant} {contents}", if label.is_empty() { "" } else { ", " });
            }
        }
        label
    }
}

/// Maximum number of pieces of a built-in class: `data/` has 2 to 4 pieces of the five most played variants.
pub(super) const MAX_EMBEDDED: u8 = 4;

/// The variants with tables in the program. `data/README.md` has the commands that make the files.
const VARIANTS: [Variant; EMBEDDED] =
    [Variant::INTERNATIONAL, Variant::ITALIAN, Variant::BRAZILIAN, Variant::RUSSIAN, Variant::ENGLISH];

/// Number of variants with built-in tables.
pub(super) const EMBEDDED: usize = 5;

/// Their tables; none without the feature `tables`.
#[cfg(feature = "tables")]
const TABLES: &[&[u8]] = &[
    include_bytes!("data/international.egdb"),
    include_bytes!("data/italian.egdb"),
    include_bytes!("data/brazilian.egdb"),
    include_bytes!("data/russian.egdb"),
    include_bytes!("data/english.egdb"),
];
#[cfg(not(feature = "tables"))]
const TABLES: &[&[u8]] = &[];

/// The tables passed to [`build_in_tables`].
static GIVEN: [OnceLock<&'static [u8]>; EMBEDDED] = [const { OnceLock::new() }; EMBEDDED];

/// Registers these tables of a variant as built-in, for a program that was built without the feature `tables` and gets them
/// from elsewhere. The first ones registered are kept. Returns false if the program has no built-in tables of the variant.
pub fn build_in_tables(variant: Variant, bytes: &'static [u8]) -> bool {
    let place = VARIANTS.iter().position(|known| *known == variant);
    place.is_some_and(|n| {
        let _ = GIVEN[n].set(bytes);
        true
    })
}

/// Returns the number and the tables of a variant, or for house rules of the variant with the same moves.
pub(super) fn embedded(variant: Variant) -> Option<(usize, &'static [u8])> {
    let has_same_moves =
        |known: Variant| variant == known || variant.is_house() && variant.spec().play_key() == known.spec().play_key();
    let n = VARIANTS.iter().position(|known| has_same_moves(*known))?;
    let tables = TABLES.get(n).copied().or_else(|| GIVEN[n].get().copied())?;
    Some((n, tables))
}
