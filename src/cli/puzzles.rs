//! `pdn puzzles`: problems from games.

use clap::{Args, ValueEnum};

use super::context::{Context, Status, json_line};
use super::options::{ADVANCED, Endgames, Evaluation, Files};
use super::spool::Spool;
use super::words::count;
use crate::annotate::{DistinctPuzzles, GamePuzzle, PuzzleSearch, Uniqueness};
use crate::engine::{EngineOptions, Limit};
use crate::error::{Error, Result};
use crate::shots::Definition;

/// Make puzzles from the shots and mistakes in games
///
/// A puzzle is a position with only one right move. Shots that win material or a king are puzzles if each move of the solver is
/// the only one, by a search that also confirms the advantage: those that were possible in a game, and those that would have
/// followed a natural move which was not played. Around moves marked ? or ??, positions are puzzles as well in which only one
/// move wins or saves the game: it is proven to succeed against every defence, to the end of the game or to the endgame tables.
/// For all other moves, either a proof shows that they fail, or a search finds them far worse; `unique` says which.
///
/// Easy puzzles come first, and those that save a game last. Puzzles that end in the same position are written once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn puzzles games.pdn -o puzzles.pdn
  pdn puzzles --theme philippe --from-elo 2200 archive/
  pdn puzzles --to jsonl --proven annotated.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    /// Nodes for each search
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Maximum number of positions in the proof of one move
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000), help_heading = ADVANCED)]
    proof_nodes: u32,
    /// Write only puzzles in which all other moves are proven to fail
    #[arg(long)]
    proven: bool,
    /// Write only puzzles that are a shot with this name or mechanism, such as `royal` or `philippe`
    #[arg(long, value_name = "SHOT")]
    theme: Option<String>,
    /// Skip games unless both players are known to have at least this rating
    #[arg(long, value_name = "RATING")]
    from_elo: Option<u32>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "pdn")]
    to: Format,
    /// Size of each job's transposition table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536), help_heading = ADVANCED)]
    hash: u32,
    #[command(flatten)]
    evaluation: Evaluation,
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
    let engine = EngineOptions::default().with_hash_mb(options.hash as usize);
    let databases = context.databases(context.variant);
    let engine = engine.with_knowledge(options.evaluation.knowledge()).with_databases(databases.clone());
    engine.check_memory()?;
    let theme = options.theme.as_deref().map(theme).transpose()?;
    let search = PuzzleSearch::new(engine, databases, Limit::nodes(options.nodes), options.proof_nodes as usize);
    let search = search.with_min_rating(options.from_elo);
    let (mut marked, mut known, mut puzzles) = (0, DistinctPuzzles::default(), Spool::new()?);
    context.each(&options.files, search, |_, found| {
        marked += found.marked();
        let is_wanted = |puzzle: &GamePuzzle| {
            (!options.proven || puzzle.puzzle().unique() == Uniqueness::Proven)
                && theme.is_none_or(|theme| puzzle.has_theme(theme))
        };
        for puzzle in found.into_puzzles()?.iter().filter(|puzzle| is_wanted(puzzle)) {
            if known.is_new(puzzle) {
                puzzles.add(puzzle.order(), options.to.text(puzzle)?.as_bytes())?;
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

fn theme(name: &str) -> Result<&'static Definition> {
    let unknown = || Error::usage(format!("--theme: no shot has the name `{name}`; `pdn shots --names` lists them"));
    Definition::by_id(name).ok_or_else(unknown)
}
