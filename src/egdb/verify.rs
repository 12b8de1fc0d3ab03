//! Verifying tables: every position is recomputed from the positions after its moves.

use std::path::{Path, PathBuf};

use super::Progress;
use super::endgame::Endgame;
use super::file::{DAMAGED, Defect};
use super::material::{MAX_PIECES, Material};
use super::prober::{OpenTable, Prober};
use super::solved::{Finished, contradictions, load};
use super::tables::{TableProblem, open_file, table_path};
use super::values::Code;
use crate::board::Geometry;
use crate::pool::map;
use crate::rules::{MoveList, Variant, split_mix, with_rules};

/// The result of a verification.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verification {
    /// The problems found.
    pub(crate) problems: Vec<TableProblem>,
    /// Number of classes that were verified.
    pub(crate) classes: usize,
    /// Number of positions that were recomputed.
    pub(crate) positions: u64,
}

/// Options for verifying tables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VerifyOptions {
    /// True if the tables with distances are verified instead of the others.
    pub(crate) distances: bool,
    /// Number of positions to recompute, chosen at random from each block of a table, instead of all; the tables are
    /// then not loaded into memory, and the counts are not checked.
    pub(crate) sample: Option<u32>,
}

/// Recomputes the positions of the tables in a folder from the positions that their moves lead to, and the counts of every
/// class. Verification ends at the first class without a table, as classes with more pieces depend on it.
pub(crate) fn verify(variant: Variant, folder: &Path, options: VerifyOptions, progress: &dyn Progress) -> Verification {
    let settings = Settings { variant, folder, options, progress };
    with_rules!(variant, <'a, R>(rules, settings: Settings<'a> = settings) -> Verification {
        let game = Endgame::<R::Board>::of(rules);
        // The pairs of classes and their files, up to the first that has none.
        let classes = (2..=MAX_PIECES).flat_map(|pieces| game.groups(pieces)).flatten();
        let file = |class| (class, table_path(settings.folder, settings.variant, class, settings.options.distances));
        let tables: Vec<_> = classes.map(file).take_while(|(_, path)| path.exists()).collect();
        let sample = settings.options.sample;
        let mut run = Run { settings, finished: Finished::new(game), found: Verification::default() };
        match sample {
            Some(sample) => run.sample(&tables, sample),
            None => run.all(&tables),
        }
        run.found
    })
}

struct Settings<'a> {
    variant: Variant,
    folder: &'a Path,
    options: VerifyOptions,
    progress: &'a dyn Progress,
}

/// A running verification.
struct Run<'a, G: Geometry> {
    settings: Settings<'a>,
    finished: Finished<G>,
    found: Verification,
}

impl<G: Geometry> Run<'_, G> {
    /// Verifies all positions, until a table cannot be read.
    fn all(&mut self, tables: &[(Material, PathBuf)]) {
        let positions = |class| self.finished.game.index(class).len();
        // Each position is read once and computed once.
        let work = tables.iter().flat_map(|(class, _)| class.pair()).map(|class| 2 * positions(class)).sum();
        self.settings.progress.begin(work);
        for (material, path) in tables {
            match self.load(path, *material) {
                Ok(true) => {}
                Ok(false) => self.problem(path, "the counts are wrong"),
                Err(reason) => return self.problem(path, reason),
            }
            for class in material.pair() {
                let Some(solved) = self.finished.get(class) else { continue };
                let wrong = contradictions(&self.finished, solved, self.settings.progress);
                self.found.classes += 1;
                self.found.positions += solved.index.len();
                if wrong > 0 {
                    self.problem(path, wrong_values(wrong, class));
                }
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
        self.settings.progress.begin(prober.tables.iter().map(|open| open.table.blocks() as u64).sum());
        for open in &prober.tables {
            let found = sample_table(&prober, open, sample, self.settings.progress);
            self.found.classes += 1;
            self.found.positions += found.positions;
            let reason = if found.is_damaged {
                DAMAGED.to_owned()
            } else if found.wrong > 0 {
                wrong_values(found.wrong, open.table.contents.material)
            } else if found.unknown > 0 {
                "tables that it depends on are missing".to_owned()
            } else {
                continue;
            };
            if let Some(path) = &open.path {
                return self.problem(path, reason);
            }
        }
    }

    fn problem(&mut self, path: &Path, reason: impl Into<String>) {
        self.found.problems.push(TableProblem { path: path.to_owned(), reason: reason.into() });
    }

    /// Reads a table; returns true if its counts are right.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be used.
    fn load(&mut self, path: &Path, material: Material) -> Result<bool, Defect> {
        let tables = open_file(path, self.settings.variant)?;
        let of_pair = |class| material.pair().any(|one| one == class);
        let open = tables.iter().find(|open| of_pair(open.table.contents.material)).ok_or(DAMAGED)?;
        let counts = load(&mut self.finished, open, self.settings.progress)?;
        let expected = open.table.contents.counts.iter();
        Ok(counts
            .iter()
            .zip(expected)
            .all(|(found, expected)| found.all == expected.all && found.quiet == expected.quiet))
    }
}

fn wrong_values(wrong: u64, class: Material) -> String {
    format!("{wrong} positions of {class} have a wrong value")
}

/// The result for a block or a table.
#[derive(Default)]
struct Sampled {
    positions: u64,
    wrong: u64,
    unknown: u64,
    is_damaged: bool,
}

/// Recomputes random positions of each block of a table. Positions that are not stored are left out: their values follow from
/// others by definition.
fn sample_table<G: Geometry>(prober: &Prober<G>, open: &OpenTable, sample: u32, progress: &dyn Progress) -> Sampled {
    let blocks = 0..open.table.blocks() as u32;
    let found = map(blocks.collect(), |block| {
        progress.advance(1);
        sample_block(prober, open, block, sample)
    });
    found.into_iter().fold(Sampled::default(), |all, block| Sampled {
        positions: all.positions + block.positions,
        wrong: all.wrong + block.wrong,
        unknown: all.unknown + block.unknown,
        is_damaged: all.is_damaged || block.is_damaged,
    })
}

fn sample_block<G: Geometry>(prober: &Prober<G>, open: &OpenTable, block: u32, sample: u32) -> Sampled {
    let Ok(codes) = open.table.block(&open.source, block) else {
        return Sampled { is_damaged: true, ..Sampled::default() };
    };
    let (game, range) = (&prober.game, open.table.range(block));
    let index = game.index(open.table.contents.material);
    let (mut found, mut list) = (Sampled::default(), MoveList::default());
    for n in 0..sample {
        // The same positions in every run, so that a problem can be reproduced.
        let at = split_mix(0, u64::from(block) << 32 | u64::from(n)) % (range.end - range.start);
        let state = index.unrank(range.start + at);
        if game.must_capture(&state) {
            continue;
        }
        found.positions += 1;
        match game.tally(&state, &mut list, prober) {
            None => found.unknown += 1,
            Some(tally) => {
                let code = prober.rounded(tally.code(game.blocked()));
                found.wrong += u64::from(code != Code(codes.get(at as u32)));
            }
        }
    }
    found
}
