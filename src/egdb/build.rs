//! Building, resuming and verifying the tables of a variant.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file::write_table;
use super::game::Game;
use super::load::load;
use super::material::{MAX_PIECES, Material};
use super::prober::OpenTable;
use super::progress::Progress;
use super::solve::solve;
use super::solved::{Codes, Finished, Solved};
use super::tables::{open_file, table_path};
use super::threads;
use crate::board::Geometry;
use crate::error::{Error, Result};
use crate::rules::{Adapter, Rules, Task, Variant};

/// Returns the memory for solving a pair of classes with this many positions and for encoding its tables, in bytes.
const fn working_memory(positions: u64, distances: bool) -> u64 {
    2 * positions + positions / if distances { 2 } else { 8 }
}

/// What to build.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BuildOptions {
    pieces: u8,
    distances: bool,
    memory: Option<u64>,
}

impl BuildOptions {
    /// Returns options for all classes of 2 to this many pieces, without distances and without a memory limit.
    ///
    /// # Panics
    ///
    /// If there are fewer than 2 or more than [`MAX_PIECES`] pieces.
    pub fn new(pieces: u8) -> Self {
        assert!((2..=MAX_PIECES).contains(&pieces), "2 to {MAX_PIECES} pieces");
        Self { pieces, distances: false, memory: None }
    }

    /// Sets whether the distance to the end is stored too, in plies.
    #[must_use]
    pub const fn with_distances(self, distances: bool) -> Self {
        Self { distances, ..self }
    }

    /// Sets the maximum memory for positions and for the tables being written, in bytes.
    #[must_use]
    pub const fn with_memory(self, memory: Option<u64>) -> Self {
        Self { memory, ..self }
    }
}

/// The destination and the observer of a build.
pub trait BuildObserver: Progress {
    /// Writes a file. It must be complete before it gets its name.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    fn save(&self, path: &Path, bytes: &[u8]) -> Result<()>;
}

/// The result of a build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildSummary {
    solved: usize,
    kept: usize,
}

impl BuildSummary {
    /// Returns the number of pairs of classes that were solved.
    pub const fn solved(&self) -> usize {
        self.solved
    }

    /// Returns the number of pairs of classes whose tables existed already.
    pub const fn kept(&self) -> usize {
        self.kept
    }
}

/// Builds the tables of a variant in a folder; those that exist are kept.
///
/// # Errors
///
/// If a table cannot be written, the memory limit is too low, or a win is too long to be stored.
pub fn build(
    variant: Variant,
    folder: &Path,
    options: BuildOptions,
    observer: &dyn BuildObserver,
) -> Result<BuildSummary> {
    struct Run<'a>(Variant, &'a Path, BuildOptions, &'a dyn BuildObserver);

    impl Task for Run<'_> {
        type Output = Result<BuildSummary>;

        fn run<R: Rules>(self, rules: R) -> Self::Output {
            let game = Arc::new(Game::<R::Board>::new(Box::new(Adapter(rules))));
            let Self(variant, folder, options, observer) = self;
            let finished = Finished::new(game);
            Build { variant, folder, options, observer, finished, summary: BuildSummary::default() }.run()
        }
    }

    variant.dispatch(Run(variant, folder, options, observer))
}

/// A running build.
struct Build<'a, G: Geometry> {
    variant: Variant,
    folder: &'a Path,
    options: BuildOptions,
    observer: &'a dyn BuildObserver,
    finished: Finished<G>,
    summary: BuildSummary,
}

impl<G: Geometry> Build<'_, G> {
    fn run(mut self) -> Result<BuildSummary> {
        let groups: Vec<_> = (2..=self.options.pieces).flat_map(|pieces| self.finished.game.groups(pieces)).collect();
        let is_missing = |group: &&Vec<Material>| group.iter().any(|&class| !self.is_complete(class));
        let needed = groups.iter().rposition(|group| is_missing(&group)).map_or(0, |last| last + 1);
        self.observer.begin(groups[..needed].iter().flatten().map(|&class| 2 * self.positions(class)).sum());
        self.summary.kept = groups[needed..].iter().map(Vec::len).sum();
        for (n, group) in groups[..needed].iter().enumerate() {
            self.group(group)?;
            self.forget_unneeded(&groups, n);
        }
        Ok(self.summary)
    }

    /// Promotions lead to the group before, so that of the largest classes only two groups are needed at a time.
    fn forget_unneeded(&mut self, groups: &[Vec<Material>], n: usize) {
        let before = n.checked_sub(1).map_or(&[][..], |before| &groups[before]);
        for class in before.iter().filter(|class| class.pieces() == self.options.pieces).flat_map(|class| class.pair())
        {
            self.finished.remove(class);
        }
    }

    /// Returns the number of positions of a class and its mirror.
    fn positions(&self, material: Material) -> u64 {
        material.pair().map(|class| self.finished.game.index(class).len()).sum()
    }

    fn path(&self, material: Material, distances: bool) -> PathBuf {
        table_path(self.folder, self.variant, material, distances)
    }

    /// Opens the table of a class if it exists and is valid.
    fn open(&self, material: Material, distances: bool) -> Option<OpenTable> {
        let tables = open_file(&self.path(material, distances), self.variant).ok()?;
        let is_wanted = |open: &OpenTable| {
            let contents = &open.table.contents;
            contents.distances == distances && material.pair().any(|class| class == contents.material)
        };
        tables.into_iter().find(is_wanted)
    }

    fn is_complete(&self, material: Material) -> bool {
        self.open(material, false).is_some() && (!self.options.distances || self.open(material, true).is_some())
    }

    /// Loads or solves the classes of a group.
    fn group(&mut self, group: &[Material]) -> Result<()> {
        let mut missing = Vec::new();
        for &material in group {
            let open = if self.is_complete(material) { self.open(material, self.options.distances) } else { None };
            if open.is_some_and(|open| load(&mut self.finished, &open, &()).is_ok()) {
                self.summary.kept += 1;
                self.observer.advance(2 * self.positions(material));
            } else {
                missing.push(material);
            }
        }
        while !missing.is_empty() {
            let count = self.batch(&missing)?;
            self.solve(missing.drain(..count).collect())?;
        }
        Ok(())
    }

    /// Returns how many of the next pairs fit into memory together.
    fn batch(&self, next: &[Material]) -> Result<usize> {
        let Some(limit) = self.options.memory else { return Ok(next.len()) };
        let memory = next.iter().scan(self.finished.memory(), |memory, &class| {
            let positions = self.positions(class);
            let distances = self.options.distances;
            *memory += working_memory(positions, distances) + Codes::memory(positions, distances);
            Some(*memory)
        });
        match memory.clone().take_while(|&memory| memory <= limit).count() {
            0 => {
                let (class, needed) = (next[0], memory.clone().next().unwrap_or(0).div_ceil(1 << 20));
                Err(Error::unavailable(format!("{class} needs {needed} MB of memory; the limit is {} MB", limit >> 20)))
            }
            count => Ok(count),
        }
    }

    fn solve(&mut self, batch: Vec<Material>) -> Result<()> {
        for pair in threads::map(batch, |material| self.pair(material)) {
            self.summary.solved += 1;
            pair?.into_iter().for_each(|class| self.finished.add(class));
        }
        Ok(())
    }

    /// Solves a pair and writes its tables.
    fn pair(&self, material: Material) -> Result<Vec<Solved<G>>> {
        let solutions = solve(&self.finished.game, &self.finished, material, &|work| self.observer.advance(work))
            .map_err(|_| Error::unavailable(format!("{material}: a win takes more plies than the format allows")))?;
        let (spec, distances) = (self.variant.spec(), self.options.distances);
        for kind in [false, true].into_iter().filter(|kind| !kind || distances) {
            let bytes = write_table(spec.play_key(), spec.name, &solutions, kind);
            self.observer.save(&self.path(material, kind), &bytes)?;
        }
        Ok(solutions.into_iter().map(|solution| solution.pack(distances)).collect())
    }
}
