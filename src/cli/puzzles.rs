//! `pdn puzzles`: problems from games.

use clap::{Args, ValueEnum};

use super::context::{Context, Status, json_line};
use super::options::{Endgames, Files, JobEngine};
use super::spool::Spool;
use super::words::count;
use crate::annotate::{DistinctPuzzles, GamePuzzle, PuzzleOptions, PuzzleSearch};
use crate::error::{Error, Result};

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
    puzzles: PuzzleOptions,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "pdn")]
    to: Format,
    #[command(flatten)]
    job: JobEngine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A record for each puzzle, with its solution
    Pdn,
    /// One JSON object per puzzle
    Jsonl,
}

impl Format {
    fn text(self, puzzle: &GamePuzzle) -> Result<String> {
        match self {
            Self::Pdn => Ok(puzzle.pdn()),
            Self::Jsonl => json_line(&puzzle.row()),
        }
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let databases = context.databases(context.variant);
    let engine = options.job.options()?.with_databases(databases.clone());
    let unknown = || {
        let name = options.puzzles.theme.as_deref().unwrap_or_default();
        Error::usage(format!("--theme: no shot has the name `{name}`; `pdn shots --names` lists them"))
    };
    let search = PuzzleSearch::new(engine, databases, &options.puzzles).ok_or_else(unknown)?;
    let (mut marked, mut known, mut puzzles) = (0, DistinctPuzzles::default(), Spool::new()?);
    context.each(&options.files, search, |_, found| {
        marked += found.marked();
        for puzzle in &found.into_puzzles()? {
            if known.is_new(puzzle) {
                puzzles.add(puzzle.order(options.puzzles.order), options.to.text(puzzle)?.as_bytes())?;
            }
        }
        Ok(())
    })?;
    let number = puzzles.len() as u64;
    puzzles.write(context)?;
    let marks = if marked == 0 { "; `pdn annotate` marks them" } else { "" };
    let (found, marked) = (count(number, "puzzle"), count(marked, "marked move"));
    context.inform(&format!("{found} in {marked} and in shots{marks}"));
    Ok(Status::Clean)
}
