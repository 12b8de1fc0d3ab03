//! Building, resuming and verifying the tables of a variant.

use std::path::{Path, PathBuf};

use super::Progress;
use super::endgame::Endgame;
use super::file::write_table;
use super::material::{MAX_PIECES, Material};
use super::prober::OpenTable;
use super::solve::solve;
use super::solved::{Codes, Finished, Solved, load};
use super::tables::{open_file, table_path};
use crate::board::Geometry;
use crate::error::{Error, Result};
use crate::pool::map;
use crate::rules::{Variant, with_rules};

/// Options for building tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuildOptions {
    /// Maximum number of pieces of a class, from 2 to [`MAX_PIECES`].
    pub(crate) pieces: u8,
    /// True if the distance to the end, in plies, is stored too.
    pub(crate) distances: bool,
    /// Maximum memory for positions and for the tables being written, in bytes.
    pub(crate) memory: Option<u64>,
}

/// The destination and the observer of a build.
pub(crate) trait BuildObserver: Progress {
    /// Writes a file, which must not appear under its name before it is complete.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    fn save(&self, path: &Path, bytes: &[u8]) -> Result<()>;
}

/// The result of a build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BuildSummary {
    /// Number of pairs of classes that were solved.
    pub(crate) solved: usize,
    /// Number of pairs of classes whose tables existed already.
    pub(crate) kept: usize,
}

/// Builds the tables of a variant in a folder; those that exist are kept.
///
/// # Errors
///
/// If a table cannot be written, the memory limit is too low, or a win is too long to be stored.
pub(crate) fn build(
    variant: Variant,
    folder: &Path,
    options: BuildOptions,
    observer: &dyn BuildObserver,
) -> Result<BuildSummary> {
    assert!((2..=MAX_PIECES).contains(&options.pieces), "2 to {MAX_PIECES} pieces");
    with_rules!(variant, <'a, R>(
        rules,
        variant: Variant = variant,
        folder: &'a Path = folder,
        options: BuildOptions = options,
        observer: &'a dyn BuildObserver = observer,
    ) -> Result<BuildSummary> {
        let finished = Finished::new(Endgame::<R::Board>::of(rules));
        Build { variant, folder, options, observer, finished, summary: BuildSummary::default() }.run()
    })
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
        // Groups after the last incomplete one are not even loaded: nothing missing depends on them.
        let needed = groups.iter().rposition(|group| is_missing(&group)).map_or(0, |last| last + 1);
        self.observer.begin(groups[..needed].iter().flatten().map(|&class| 2 * self.positions(class)).sum());
        self.summary.kept = groups[needed..].iter().map(Vec::len).sum();
        for (n, group) in groups[..needed].iter().enumerate() {
            self.group(group)?;
            // Promotions lead to the previous group, so only two groups of the largest classes are needed at a time.
            let before = n.checked_sub(1).map_or(&[][..], |before| &groups[before]);
            let largest = before.iter().filter(|class| class.pieces() == self.options.pieces);
            largest.flat_map(|class| class.pair()).for_each(|class| self.finished.remove(class));
        }
        Ok(self.summary)
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
        // A damaged table is built again.
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
            // With distances, if requested: larger classes need those of this one.
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
            for pair in map(missing.drain(..count).collect(), |material| self.pair(material)) {
                self.summary.solved += 1;
                // The files of the pairs before an error are complete, and the next build keeps them.
                pair?.into_iter().for_each(|class| self.finished.add(class));
            }
        }
        Ok(())
    }

    /// Returns the number of next pairs that fit into memory together.
    fn batch(&self, next: &[Material]) -> Result<usize> {
        let Some(limit) = self.options.memory else { return Ok(next.len()) };
        let memory = next.iter().scan(self.finished.memory, |memory, &class| {
            let positions = self.positions(class);
            let distances = self.options.distances;
            // A counter and a distance each while the pair is solved, and the tables while they are encoded.
            let working = 2 * positions + positions / if distances { 2 } else { 8 };
            *memory += working + Codes::memory(positions, distances);
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

    /// Solves a pair and writes its tables.
    fn pair(&self, material: Material) -> Result<Vec<Solved<G>>> {
        let solutions = solve(&self.finished.game, &self.finished, material, &|work| self.observer.advance(work))
            .ok_or_else(|| Error::unavailable(format!("{material}: a win takes more plies than the format allows")))?;
        let (spec, distances) = (self.variant.spec(), self.options.distances);
        for kind in [false, true].into_iter().filter(|kind| !kind || distances) {
            let bytes = write_table(spec.play_key(), spec.name, &solutions, kind);
            self.observer.save(&self.path(material, kind), &bytes)?;
        }
        Ok(solutions.into_iter().map(|solution| solution.pack(distances)).collect())
    }
}
