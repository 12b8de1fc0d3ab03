//! The tables of a variant, opened for probing.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::databases::{EMBEDDED, embedded};
use super::endgame::{Endgame, Lookup, with_white_to_move};
use super::file::{DAMAGED, Defect, Source, Table, UNREADABLE, read_tables};
use super::index::Index;
#[cfg(feature = "engine")]
use super::line::{BestLine, Conversions, line_to_end};
use super::material::Material;
use super::prober::{OpenTable, Prober};
use super::values::{ClassCounts, Code, Value};
#[cfg(feature = "engine")]
use crate::board::Word;
use crate::board::{Geometry, Side};
use crate::rules::{Move, Position, State, Variant, split_mix, with_rules};
use crate::shared::once;

/// Extension of the files of tables.
const EXTENSION: &str = "egdb";

/// Returns the path of the table of a class.
pub(super) fn table_path(folder: &Path, variant: Variant, material: Material, distances: bool) -> PathBuf {
    let kind = if distances { "dtw." } else { "" };
    folder.join(variant.name()).join(format!("{}.{kind}{EXTENSION}", material.leader()))
}

/// A table that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub(crate) struct TableProblem {
    pub(crate) path: PathBuf,
    pub(super) reason: String,
}

/// Opens the tables of a file.
///
/// # Errors
///
/// The reason why they cannot be used.
pub(super) fn open_file(path: &Path, variant: Variant) -> Result<Vec<OpenTable>, Defect> {
    let file = File::open(path).map_err(|_| UNREADABLE)?;
    open_source(Source::File(file), Some(path), variant)
}

fn open_source(source: Source, path: Option<&Path>, variant: Variant) -> Result<Vec<OpenTable>, Defect> {
    let source = Arc::new(source);
    let tables = read_tables(&source)?;
    // The name of the folder proves nothing: tables of `english` may have been moved to `italian`.
    if tables.iter().any(|table| table.contents.rules != variant.spec().play_key()) {
        return Err("a table for different rules");
    }
    let is_whole = |table: &Table| table.positions() == positions(variant, table.contents.material);
    if !tables.iter().all(is_whole) {
        return Err(DAMAGED);
    }
    let open = |table| OpenTable {
        table,
        source: Arc::clone(&source),
        path: path.map(Path::to_owned),
        damaged: AtomicBool::new(false),
    };
    Ok(tables.into_iter().map(open).collect())
}

/// Returns the number of positions of a class.
fn positions(variant: Variant, material: Material) -> u64 {
    with_rules!(variant, <'a, R>(rules, material: Material = material) -> u64 {
        Endgame::of(rules).index(material).len()
    })
}

/// The entry of a database for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    value: Value,
    plies: Option<u32>,
}

impl Probe {
    /// Returns the value for the side to move.
    pub const fn value(&self) -> Value {
        self.value
    }

    /// Returns the number of plies to the end with best play; `None` for a draw and where no distance is stored.
    pub const fn plies(&self) -> Option<u32> {
        self.plies
    }
}

/// A class of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClassStatistics {
    pub(crate) material: Material,
    /// The number of positions by value.
    pub(crate) counts: ClassCounts,
    /// The number of plies of the longest win, `None` if there is no win or no distance is stored.
    pub(crate) longest_win: Option<u32>,
}

/// The endgame tables of a variant: the built-in ones and those in a folder.
///
/// Values assume perfect play without the draw rules that count moves or repetitions: a win is a win however long
/// it takes.
///
/// # Examples
///
/// ```
/// use pdn::egdb::{EndgameTables, Value};
/// use pdn::rules::{Position, Variant};
///
/// let tables = EndgameTables::embedded(Variant::INTERNATIONAL);
/// let position = Position::from_fen(Variant::INTERNATIONAL, "W:WK46,K5:B10")?;
/// if tables.max_pieces() >= 3 {
///     assert_eq!(tables.probe(&position).map(|probe| probe.value()), Some(Value::Win));
/// }
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone)]
pub struct EndgameTables {
    variant: Variant,
    tables: Arc<dyn AnyTables>,
    problems: Arc<[TableProblem]>,
}

impl fmt::Debug for EndgameTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndgameTables").field("variant", &self.variant).finish_non_exhaustive()
    }
}

impl EndgameTables {
    /// Returns the built-in tables; for most variants, there are none.
    pub fn embedded(variant: Variant) -> Self {
        static OPENED: [OnceLock<Arc<dyn AnyTables>>; EMBEDDED] = [const { OnceLock::new() }; EMBEDDED];
        let open = || Self::of(variant, Vec::new(), Vec::new()).tables;
        let tables = match embedded(variant) {
            // House rules share the bytes but not what is opened, which contains the generator of moves.
            Some((n, _)) if !variant.is_house() => Arc::clone(once(&OPENED[n], open)),
            _ => open(),
        };
        Self { variant, tables, problems: Arc::default() }
    }

    /// Returns the tables in a folder and the built-in ones. Files that cannot be used are listed in
    /// `EndgameTables::problems`.
    pub(crate) fn open(variant: Variant, folder: &Path) -> Self {
        let (mut tables, mut problems) = (Vec::new(), Vec::new());
        for path in files(&folder.join(variant.name())) {
            match open_file(&path, variant) {
                Ok(opened) => tables.extend(opened),
                Err(reason) => problems.push(TableProblem { path, reason: reason.to_owned() }),
            }
        }
        Self::of(variant, tables, problems)
    }

    fn of(variant: Variant, mut tables: Vec<OpenTable>, problems: Vec<TableProblem>) -> Self {
        let inside = embedded(variant).map(|(_, bytes)| open_source(Source::Memory(bytes), None, variant));
        // After those of the folder, because the first table of a class is used.
        tables.extend(inside.and_then(Result::ok).into_iter().flatten());
        let (distances, values): (Vec<_>, Vec<_>) = tables.into_iter().partition(|open| open.table.contents.distances);
        let opened = [values, distances];
        let tables = with_rules!(variant, <'a, R>(rules, opened: [Vec<OpenTable>; 2] = opened) -> Arc<dyn AnyTables> {
            let (game, [values, distances]) = (Endgame::<R::Board>::of(rules), opened);
            Arc::new(BoardTables {
                values: Prober::new(Arc::clone(&game), values, false),
                distances: Prober::new(Arc::clone(&game), distances, true),
                #[cfg(feature = "engine")]
                conversions: Conversions::default(),
                game,
            })
        });
        Self { variant, tables, problems: problems.into() }
    }

    /// Returns the variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the largest number of pieces of a class, 0 if there are no tables.
    pub fn max_pieces(&self) -> u8 {
        self.tables.max_pieces()
    }

    /// Looks up a position; `None` if no table contains it.
    ///
    /// # Panics
    ///
    /// If the position belongs to another variant.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        assert_eq!(position.variant(), self.variant, "the position must belong to the variant of the tables");
        self.tables.probe(position)
    }

    /// Looks up the legal moves of a position: the result for the side to move, `None` where no table has the position
    /// after the move. Plies count from the position before the move.
    ///
    /// # Panics
    ///
    /// If the position belongs to another variant.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::egdb::{EndgameTables, Value};
    /// use pdn::rules::{Position, Variant};
    ///
    /// let position = Position::from_fen(Variant::ENGLISH, "W:WK32,K31:BK1")?;
    /// let tables = EndgameTables::embedded(Variant::ENGLISH);
    /// let values = tables.probe_moves(&position);
    /// assert!(values.iter().all(|(_, probe)| probe.is_some_and(|probe| probe.value() == Value::Win)));
    /// # Ok::<(), pdn::ParseError>(())
    /// ```
    pub fn probe_moves(&self, position: &Position) -> Vec<(Move, Option<Probe>)> {
        let moves = position.legal_moves().into_iter();
        moves.map(|played| (played, self.probe_before(position.turn(), &position.play_unchecked(&played)))).collect()
    }

    /// Returns the result for a side that has just moved to a position.
    fn probe_before(&self, mover: Side, after: &Position) -> Option<Probe> {
        if let Some(winner) = after.winner() {
            return Some(Probe { value: if winner == mover { Value::Win } else { Value::Loss }, plies: Some(1) });
        }
        let probe = self.probe(after)?;
        Some(Probe { value: probe.value.reversed(), plies: probe.plies.map(|plies| plies + 1) })
    }

    /// Returns random positions with this number of pieces from the tables, all equally likely; the same tables give
    /// the same positions. Empty if there are no such tables.
    pub(crate) fn random_positions(&self, pieces: u8, count: usize) -> Vec<Position> {
        self.tables.random_positions(self.variant, pieces, count)
    }

    /// Returns the classes in ascending order of their pieces and men.
    pub(crate) fn classes(&self) -> Vec<ClassStatistics> {
        self.tables.classes()
    }

    /// Returns the files that cannot be used, including those in which damage was found after they were opened.
    pub(crate) fn problems(&self) -> Vec<TableProblem> {
        self.problems.iter().cloned().chain(self.tables.damaged()).collect()
    }

    /// Returns the largest number of pieces of the values and of the distances in files, such as `5 dtw 4`, with the number of
    /// tables where classes are missing; empty if there are no files.
    pub(super) fn folder_contents(&self) -> String {
        let [values, distances] = self.tables.files();
        let distances = distances.map(|distances| format!("dtw {distances}"));
        values.into_iter().chain(distances).collect::<Vec<_>>().join(" ")
    }

    /// Returns the tables of a board.
    #[cfg(any(test, feature = "engine"))]
    pub(crate) fn typed<G: Geometry>(&self) -> Option<Arc<BoardTables<G>>> {
        Arc::clone(&self.tables).as_any().downcast().ok()
    }
}

/// Returns true if a file has the name of a table.
pub(super) fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|name| name == EXTENSION)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<_> = entries.filter(|path| is_table(path)).collect();
    // The order of a folder differs between machines, and of two tables for a class the first is used.
    files.sort_unstable();
    files
}

/// Tables for any board.
trait AnyTables: Send + Sync {
    fn max_pieces(&self) -> u8;
    fn probe(&self, position: &Position) -> Option<Probe>;
    fn classes(&self) -> Vec<ClassStatistics>;
    fn random_positions(&self, variant: Variant, pieces: u8, count: usize) -> Vec<Position>;
    fn damaged(&self) -> Vec<TableProblem>;
    /// Returns how far the tables in files reach: those of values, and those of distances; `None` if there are none.
    fn files(&self) -> [Option<String>; 2];
    #[cfg(any(test, feature = "engine"))]
    fn as_any(self: Arc<Self>) -> Arc<dyn std::any::Any + Send + Sync>;
}

/// Tables for a board known at compile time.
pub(crate) struct BoardTables<G: Geometry> {
    game: Arc<Endgame<G>>,
    values: Prober<G>,
    distances: Prober<G>,
    #[cfg(feature = "engine")]
    conversions: Conversions<G>,
}

impl<G: Geometry> BoardTables<G> {
    /// Returns the largest number of pieces of a class.
    pub(crate) fn max_pieces(&self) -> u8 {
        self.values.max_pieces.max(self.distances.max_pieces)
    }

    /// Returns the value of a position where the side to move cannot capture; `None` for others.
    #[cfg(feature = "engine")]
    pub(crate) fn quiet_value(&self, state: &State<G>) -> Option<Value> {
        let is_small = (state.sides[0] | state.sides[1]).count() <= u32::from(self.max_pieces());
        // Values of positions with captures are not stored and would have to be derived from all moves; a search plays
        // these moves anyway.
        if is_small && !self.game.must_capture(state) { self.value(state) } else { None }
    }

    /// Returns the best line of a won or lost position: to the end if distances are stored or can be computed, otherwise to the
    /// next capture or promotion that keeps the value. `may_use` decides if classes may be solved for it, given their number of
    /// positions and whether they are solved already.
    #[cfg(feature = "engine")]
    pub(crate) fn best_line(&self, state: &State<G>, may_use: impl Fn(u64, bool) -> bool) -> Option<BestLine<G>> {
        let to_end = line_to_end(&self.distances, state);
        to_end.or_else(|| self.conversions.line(&self.values, state, may_use))
    }

    /// Looks up the value of a position; `None` if no table has it.
    #[inline]
    pub(crate) fn value(&self, state: &State<G>) -> Option<Value> {
        let normal = with_white_to_move(state);
        let code = self.values.look_up(&normal).or_else(|| self.distances.look_up(&normal));
        code.map(Code::value)
    }

    /// Looks up a position; `None` if no table contains it.
    pub(crate) fn look_up(&self, state: &State<G>) -> Option<Probe> {
        let normal = with_white_to_move(state);
        let Some(code) = self.distances.look_up(&normal) else {
            return self.value(state).map(|value| Probe { value, plies: None });
        };
        Some(Probe { value: code.value(), plies: code.distance().map(|plies| u32::from(self.game.plies(plies))) })
    }
}

impl<G: Geometry> AnyTables for BoardTables<G> {
    fn max_pieces(&self) -> u8 {
        self.max_pieces()
    }

    fn probe(&self, position: &Position) -> Option<Probe> {
        self.look_up(&position.state())
    }

    fn classes(&self) -> Vec<ClassStatistics> {
        let mut classes = BTreeMap::new();
        for open in self.values.tables.iter().chain(&self.distances.tables) {
            let contents = &open.table.contents;
            for (material, &counts) in contents.material.pair().zip(&contents.counts) {
                let longest = counts.longest_win.map(|plies| u32::from(self.game.plies(plies)));
                let key = (material.pieces(), material.men(), material);
                let class = classes.entry(key).or_insert(ClassStatistics { material, counts, longest_win: None });
                class.longest_win = class.longest_win.or(longest);
            }
        }
        classes.into_values().collect()
    }

    fn random_positions(&self, variant: Variant, pieces: u8, count: usize) -> Vec<Position> {
        let classes = AnyTables::classes(self).into_iter().map(|class| class.material);
        let indexes: Vec<_> =
            classes.filter(|class| class.pieces() == pieces).map(|class| self.game.index(class)).collect();
        let total: u64 = indexes.iter().map(Index::len).sum();
        let position = |n: usize| {
            let mut rank = split_mix(0, n as u64) % total;
            let index = indexes.iter().find(|index| {
                let is_in = rank < index.len();
                rank -= if is_in { 0 } else { index.len() };
                is_in
            });
            index.map(|index| Position::from_state(variant, &index.unrank(rank)))
        };
        (0..if total > 0 { count } else { 0 }).filter_map(position).collect()
    }

    fn damaged(&self) -> Vec<TableProblem> {
        let tables = self.values.tables.iter().chain(&self.distances.tables);
        let damaged = tables.filter(|open| open.damaged.load(Ordering::Relaxed));
        let problem = |open: &OpenTable| Some(TableProblem { path: open.path.clone()?, reason: DAMAGED.to_owned() });
        damaged.filter_map(problem).collect()
    }

    fn files(&self) -> [Option<String>; 2] {
        [&self.values, &self.distances].map(|prober| {
            let files: Vec<_> = prober.tables.iter().filter(|open| open.path.is_some()).collect();
            let pieces = files.iter().map(|open| open.table.contents.material.pieces()).max()?;
            let pairs: usize = (2..=pieces).flat_map(|pieces| self.game.groups(pieces)).map(|group| group.len()).sum();
            let is_complete = files.len() >= pairs;
            Some(if is_complete { pieces.to_string() } else { format!("{pieces} ({} tables)", files.len()) })
        })
    }

    #[cfg(any(test, feature = "engine"))]
    fn as_any(self: Arc<Self>) -> Arc<dyn std::any::Any + Send + Sync> {
        self
    }
}
