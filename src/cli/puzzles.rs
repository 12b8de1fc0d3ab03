//! `pdn puzzles`: problems from games.

use clap::Args;

use super::context::Context;
use super::options::{Endgames, Files, JobEngine};
use super::spool::Spool;
use super::words::count;
use crate::annotate::{DistinctPuzzles, FindingOptions, GamePuzzle, PuzzleOrder, PuzzleSearch};
use crate::calls::PuzzlesFormat;
use crate::diag::Severity;
use crate::error::{Error, Result};
use crate::shots::Definition;

/// Make puzzles from the shots and mistakes in games
///
/// A puzzle is a position with only one right move. Shots that win material or a king are puzzles if each move of the solver is
/// the only one, by a search that also confirms the advantage: those that were possible in a game, and those that would have
/// followed a natural move which was not played. Around moves marked ? or ??, positions are puzzles as well in which only one
/// move wins or saves the game: it is proven to succeed against every defence, to the end of the game or to the endgame tables.
/// All puzzles are sound for `pdn verify`, with the same databases and at least as many positions in its proofs.
///
/// A position after a move that was not played has the tag `Instead`, with that move and the one that was played, and no players,
/// event, date or result. `--played` leaves these out.
///
/// Easy puzzles come first, and those that save a game last. Puzzles that end in the same position are written once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn puzzles games.pdn -o puzzles.pdn
  pdn puzzles --theme philippe --from-elo 2200 archive/
  pdn puzzles --played --order theme games.pdn -o shots.pdn
  pdn puzzles --to jsonl --proven annotated.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    #[command(flatten)]
    finding: FindingOptions,
    /// Order of the puzzles
    #[arg(long, value_name = "ORDER", default_value = "difficulty")]
    order: PuzzleOrder,
    /// Write only puzzles that are a shot with this name or mechanism, in any language, such as `royal` or `coup Philippe`
    #[arg(long, value_name = "SHOT")]
    theme: Option<String>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "pdn")]
    to: PuzzlesFormat,
    #[command(flatten)]
    job: JobEngine,
}

/// Returns the kind of shot with a name.
pub(super) fn shot_named(name: &str) -> Result<&'static Definition, String> {
    Definition::wanted(name).map_err(|unknown| format!("{unknown}; `pdn shots --names` lists them"))
}

/// The puzzles of files, to be sorted.
pub(super) struct FoundInFiles<K> {
    pub(super) puzzles: Spool<K>,
    /// Number of games that were searched.
    pub(super) games: u64,
    /// Number of moves that are marked as mistakes or blunders.
    marked: u64,
    /// Number of puzzles that were left out.
    pub(super) others: u64,
    /// Number of errors in the records.
    pub(super) errors: u64,
}

/// Finds the distinct puzzles of files, and keeps a record of each with its sort key.
pub(super) fn find<K: Ord>(
    files: &Files,
    search: PuzzleSearch,
    context: &mut Context,
    record: impl Fn(&GamePuzzle) -> (K, Vec<u8>),
) -> Result<FoundInFiles<K>> {
    let mut all = FoundInFiles { puzzles: Spool::new()?, games: 0, marked: 0, others: 0, errors: 0 };
    let mut known = DistinctPuzzles::default();
    context.each(files, search, |_, found| {
        all.games += found.games;
        all.marked += found.marked;
        all.others += found.others;
        all.errors += found.summary.diagnostics(Severity::Error);
        for puzzle in &found.into_puzzles()? {
            if known.is_new(puzzle) {
                let (key, record) = record(puzzle);
                all.puzzles.add(key, &record)?;
            }
        }
        Ok(())
    })?;
    Ok(all)
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let databases = context.databases(context.variant);
    let engine = options.job.options()?.with_databases(databases.clone());
    let unknown = |error| Error::usage(format!("--theme: {error}"));
    let theme = options.theme.as_deref().map(shot_named).transpose().map_err(unknown)?;
    let search = PuzzleSearch::new(engine, databases, &options.finding, theme);
    let record = |puzzle: &GamePuzzle| (puzzle.order(options.order), options.to.bytes(puzzle));
    let found = find(&options.files, search, context, record)?;
    let number = found.puzzles.len() as u64;
    found.puzzles.write(context)?;
    let marks = if found.marked == 0 { "; `pdn annotate` marks them" } else { "" };
    let (puzzles, marked) = (count(number, "puzzle"), count(found.marked, "marked move"));
    context.inform(&format!("{puzzles} in {marked} and in shots{marks}"));
    context.conclude(found.errors);
    Ok(())
}
