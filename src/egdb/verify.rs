//! Verifying tables: every position is recomputed from those that its moves lead to.

use std::path::Path;
use std::sync::Arc;

use super::file::Defect;
use super::game::Game;
use super::load::{contradictions, load};
use super::material::{MAX_PIECES, Material};
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

/// Recomputes every position of the tables in a folder from the positions that its moves lead to, and the counts of every
/// class. With `distances` these are the tables with distances. Verification ends at the first class without a table, as
/// classes with more pieces depend on it.
pub fn verify(variant: Variant, folder: &Path, distances: bool) -> Verification {
    variant.dispatch(Verify { variant, folder, distances })
}

struct Verify<'a> {
    variant: Variant,
    folder: &'a Path,
    distances: bool,
}

impl Task for Verify<'_> {
    type Output = Verification;

    fn run<R: Rules>(self, rules: R) -> Verification {
        let game = Arc::new(Game::<R::Board>::new(Box::new(Adapter(rules))));
        let mut run = Run { settings: self, finished: Finished::new(game), found: Verification::default() };
        run.all();
        run.found
    }
}

/// A running verification.
struct Run<'a, G: Geometry> {
    settings: Verify<'a>,
    finished: Finished<G>,
    found: Verification,
}

impl<G: Geometry> Run<'_, G> {
    fn all(&mut self) {
        let groups = (2..=MAX_PIECES).flat_map(|pieces| self.finished.game.groups(pieces));
        let classes: Vec<_> = groups.flatten().collect();
        for material in classes {
            let Verify { variant, folder, distances } = self.settings;
            let path = table_path(folder, variant, material, distances);
            if !path.exists() || !self.pair(&path, material) {
                return;
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
            let (wrong, positions) = (contradictions(&self.finished, solved), solved.index.len());
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
        let counts = load(&mut self.finished, open).map_err(Defect::reason)?;
        let expected = open.table.contents.counts.iter();
        Ok(counts
            .iter()
            .zip(expected)
            .all(|(found, expected)| found.all == expected.all && found.quiet == expected.quiet))
    }
}
