//! Verifying tables: every position is recomputed from those that its moves lead to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file::Defect;
use super::game::Game;
use super::load::{contradictions, load};
use super::material::{MAX_PIECES, Material};
use super::prober::Prober;
use super::progress::Progress;
use super::sample::{Sampled, sample_table};
use super::solved::Finished;
use super::tables::{TableProblem, open_file, table_path};
use crate::board::Geometry;
use crate::rules::{Adapter, Rules, Task, Variant};

/// What verification found.
#[derive(Clone, Debug, Default)]
pub struct Verification {
    problems: Vec<TableProblem>,
    classes: usize,
    positions: u64,
}

impl Verification {
    /// Returns what is wrong.
    pub fn problems(&self) -> &[TableProblem] {
        &self.problems
    }

    /// Returns the number of classes whose positions were all recomputed.
    pub const fn classes(&self) -> usize {
        self.classes
    }

    /// Returns the number of positions that were recomputed.
    pub const fn positions(&self) -> u64 {
        self.positions
    }
}

/// What to verify.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct VerifyOptions {
    distances: bool,
    sample: Option<u32>,
}

impl VerifyOptions {
    /// Sets whether the tables with distances are verified instead of the others.
    #[must_use]
    pub const fn with_distances(self, distances: bool) -> Self {
        Self { distances, ..self }
    }

    /// Sets a number of positions, chosen at random from each block of a table, to recompute in place of all; then the tables
    /// are not loaded into memory, and the counts are not taken again.
    #[must_use]
    pub const fn with_sample(self, sample: Option<u32>) -> Self {
        Self { sample, ..self }
    }
}

/// Recomputes the positions of the tables in a folder from the positions that their moves lead to, and the counts of every
/// class. Verification ends at the first class without a table, as classes with more pieces depend on it.
pub fn verify(variant: Variant, folder: &Path, options: VerifyOptions, progress: &dyn Progress) -> Verification {
    variant.dispatch(Verify { variant, folder, options, progress })
}

struct Verify<'a> {
    variant: Variant,
    folder: &'a Path,
    options: VerifyOptions,
    progress: &'a dyn Progress,
}

impl Task for Verify<'_> {
    type Output = Verification;

    fn run<R: Rules>(self, rules: R) -> Verification {
        let game = Arc::new(Game::<R::Board>::new(Box::new(Adapter(rules))));
        let tables = self.tables(&game);
        let sample = self.options.sample;
        let mut run = Run { settings: self, finished: Finished::new(game), found: Verification::default() };
        match sample {
            Some(sample) => run.sample(&tables, sample),
            None => run.all(&tables),
        }
        run.found
    }
}

impl Verify<'_> {
    /// Returns the pairs of classes and their files, up to the first that has none.
    fn tables<G: Geometry>(&self, game: &Game<G>) -> Vec<(Material, PathBuf)> {
        let classes = (2..=MAX_PIECES).flat_map(|pieces| game.groups(pieces)).flatten();
        let files = classes.map(|class| (class, table_path(self.folder, self.variant, class, self.options.distances)));
        files.take_while(|(_, path)| path.exists()).collect()
    }
}

/// A running verification.
struct Run<'a, G: Geometry> {
    settings: Verify<'a>,
    finished: Finished<G>,
    found: Verification,
}

impl<G: Geometry> Run<'_, G> {
    /// Verifies all positions, until a table cannot be read.
    fn all(&mut self, tables: &[(Material, PathBuf)]) {
        let positions = |class| self.finished.game.index(class).len();
        let work = tables.iter().flat_map(|(class, _)| class.pair()).map(|class| 2 * positions(class)).sum();
        self.settings.progress.begin(work);
        for (material, path) in tables {
            if !self.pair(path, *material) {
                return;
            }
        }
    }

    /// Verifies random positions of all tables, until one has a problem: others depend on it.
    fn sample(&mut self, tables: &[(Material, PathBuf)], sample: u32) {
        let mut opened = Vec::new();
        for (_, path) in tables {
            match open_file(path, self.settings.variant) {
                Ok(tables) => opened.extend(tables),
                Err(reason) => return self.problem(path, reason),
            }
        }
        let prober = Prober::new(self.finished.game.clone(), opened, self.settings.options.distances);
        self.settings.progress.begin(prober.tables().iter().map(|open| open.table.blocks() as u64).sum());
        for n in 0..prober.tables().len() {
            let Sampled { positions, problem } = sample_table(&prober, n, sample, self.settings.progress);
            self.found.classes += 1;
            self.found.positions += positions;
            if let (Some(reason), Some(path)) = (problem, &prober.tables()[n].path) {
                return self.problem(path, reason);
            }
        }
    }

    fn problem(&mut self, path: &Path, reason: impl Into<String>) {
        self.found.problems.push(TableProblem::new(path.to_owned(), reason.into()));
    }

    /// Verifies a class and its mirror; returns false if the table cannot be read.
    fn pair(&mut self, path: &Path, material: Material) -> bool {
        match self.load(path, material) {
            Ok(true) => {}
            Ok(false) => self.problem(path, "the counts are wrong"),
            Err(reason) => {
                self.problem(path, reason);
                return false;
            }
        }
        for class in material.pair() {
            let Some(solved) = self.finished.get(class) else { continue };
            let (wrong, positions) =
                (contradictions(&self.finished, solved, self.settings.progress), solved.index.len());
            if wrong > 0 {
                self.problem(path, format!("{wrong} positions of {class} have a wrong value"));
            }
            self.found.classes += 1;
            self.found.positions += positions;
        }
        true
    }

    /// Reads a table; returns true if its counts are right.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be used.
    fn load(&mut self, path: &Path, material: Material) -> Result<bool, &'static str> {
        let tables = open_file(path, self.settings.variant)?;
        let of_pair = |class| material.pair().any(|one| one == class);
        let open = tables.iter().find(|open| of_pair(open.table.contents.material)).ok_or(Defect::Damaged.reason())?;
        let counts = load(&mut self.finished, open, self.settings.progress).map_err(Defect::reason)?;
        let expected = open.table.contents.counts.iter();
        Ok(counts
            .iter()
            .zip(expected)
            .all(|(found, expected)| found.all == expected.all && found.quiet == expected.quiet))
    }
}
