//! `pdn puzzles`: problems from annotated games.

use std::collections::HashSet;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::context::{Context, Status, Step};
use super::options::{ADVANCED, Endgames, Evaluation, Files};
use super::words::count;
use crate::annotate::{Aim, EngineAnalyst, Prover, Puzzle, PuzzleFinder, Uniqueness};
use crate::check::Review;
use crate::check::{CheckedGame, Checking, GameWork, Needs};
use crate::egdb::Databases;
use crate::engine::{Engine, EngineOptions, Limit};
use crate::error::Result;
use crate::notation::Numbering;
use crate::pdn::{AsWritten, GameBuilder, WriteOptions, WrittenNumber, write_game};
use crate::records::{Judgement, nags};
use crate::rules::Position;

/// Make puzzles from the mistakes in annotated games
///
/// A puzzle is a position before or after a move marked ? or ??, in which only one move wins, or only one move saves the game.
/// This move is proven to succeed against every defence, to the end of the game or to the endgame tables. For all other moves, either a
/// proof shows that they fail, or a search finds them far worse; `unique` says which. The solution continues as long as the
/// solver has only one such move.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn puzzles annotated.pdn -o puzzles.pdn
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

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let engine = EngineOptions::default().with_hash_mb(options.hash as usize);
    let databases = context.databases(context.variant);
    let engine = engine.with_knowledge(options.evaluation.knowledge()).with_databases(databases.clone());
    engine.check_memory()?;
    let search =
        Finder { engine, databases, limit: Limit::nodes(options.nodes), proof_nodes: options.proof_nodes as usize };
    let work = Checking::new(search, context.check_options(&options.files));
    let (mut seen, mut judged, mut found) = (HashSet::new(), 0, 0);
    context.read(&options.files, &work, |context, step| {
        let Step::Done(done) = step else { return Ok(()) };
        judged += done.judged;
        for puzzle in done.puzzles? {
            let is_wanted = !options.proven || puzzle.puzzle.unique() == Uniqueness::Proven;
            if is_wanted && seen.insert(*puzzle.puzzle.position()) {
                found += 1;
                puzzle.write(options.to, context)?;
            }
        }
        Ok(())
    })?;
    let marks = if judged == 0 { "; `pdn annotate` marks them" } else { "" };
    context.inform(&format!("{} in {}{marks}", count(found, "puzzle"), count(judged, "marked move")));
    Ok(Status::Clean)
}

/// Finds the puzzles of each game.
struct Finder {
    engine: EngineOptions,
    databases: Databases,
    limit: Limit,
    proof_nodes: usize,
}

struct Found {
    /// Number of moves that are marked.
    judged: u64,
    puzzles: Result<Vec<GamePuzzle>>,
}

impl Default for Found {
    fn default() -> Self {
        Self { judged: 0, puzzles: Ok(Vec::new()) }
    }
}

/// A puzzle and its game.
struct GamePuzzle {
    puzzle: Puzzle,
    file: String,
    game: u64,
    ply: u32,
    tags: Vec<(&'static str, String)>,
}

/// The tags of the game that its puzzles keep.
const TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

impl GameWork for Finder {
    type Done = Found;

    fn needs(&self) -> Needs {
        Needs::Tree
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Found) {
        if let Ok(puzzles) = &mut done.puzzles
            && let Err(error) = self.add(game.review(), game.input().label(), &mut done.judged, puzzles)
        {
            done.puzzles = Err(error);
        }
    }
}

impl Finder {
    fn add(&self, review: &Review, file: &str, judged: &mut u64, puzzles: &mut Vec<GamePuzzle>) -> Result<()> {
        let candidates = candidates(review, judged);
        let Some((_, first)) = candidates.first() else { return Ok(()) };
        let engine = Engine::try_with_options(first.variant(), self.engine.clone())?;
        let (mut analyst, prover) =
            (EngineAnalyst::new(engine), Prover::new(self.databases.tables(first.variant()), self.proof_nodes));
        let mut finder = PuzzleFinder::new(&mut analyst, &prover, self.limit);
        for (ply, position) in candidates {
            let tag = |name: &'static str| (name, review.game().tree().tag(name).unwrap_or("?").to_owned());
            let in_game = |puzzle| GamePuzzle {
                puzzle,
                file: file.to_owned(),
                game: review.number(),
                ply,
                tags: TAGS.map(tag).into(),
            };
            puzzles.extend(finder.find(&position)?.map(in_game));
        }
        Ok(())
    }
}

/// Returns the positions before and after the marked moves of a game, each with the number of the move that solves it.
fn candidates(review: &Review, judged: &mut u64) -> Vec<(u32, Position)> {
    let game = review.game();
    let mut all = Vec::new();
    for id in game.main_moves() {
        let marks = nags(game.tree().node(id));
        let is_bad = |nag: &u16| matches!(Judgement::of_nag(*nag), Some(Judgement::Mistake | Judgement::Blunder));
        let Some(ply) = game.ply(id).filter(|_| marks.iter().any(is_bad)) else { continue };
        *judged += 1;
        all.extend(ply.before().map(|before| (ply.number(), *before)));
        all.extend(ply.after().map(|after| (ply.number() + 1, *after)));
    }
    all.dedup_by_key(|(ply, _)| *ply);
    all
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    game: u64,
    ply: u32,
    variant: &'static str,
    fen: String,
    goal: Aim,
    unique: Uniqueness,
    solution: Vec<String>,
    tags: std::collections::BTreeMap<&'static str, &'a str>,
}

impl GamePuzzle {
    fn write(&self, format: Format, context: &mut Context) -> Result<()> {
        match format {
            Format::Pdn => context.out.text(&self.pdn()),
            Format::Jsonl => context.json(&self.row()),
        }
    }

    fn row(&self) -> Row<'_> {
        let mut position = *self.puzzle.position();
        let (variant, fen) = (position.variant().name(), position.fen());
        let name = |played| {
            let name = position.short(played);
            position = position.play_unchecked(played);
            name
        };
        let solution = self.puzzle.solution().iter().map(name).collect();
        let tags = self.tags.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let (file, game, ply) = (self.file.as_str(), self.game, self.ply);
        let (goal, unique) = (self.puzzle.goal(), self.puzzle.unique());
        Row { file, game, ply, variant, fen, goal, unique, solution, tags }
    }

    /// Returns the puzzle as a record whose main line is the solution.
    fn pdn(&self) -> String {
        let mut position = *self.puzzle.position();
        let variant = position.variant();
        let mut game = GameBuilder::new();
        for (name, value) in &self.tags {
            game.tag(name, value);
        }
        game.tag("Result", "*");
        if let Some(game_type) = variant.game_type() {
            game.tag("GameType", &game_type.to_string());
        }
        game.tag("SetUp", "1").tag("FEN", &position.fen());
        let numbering = Numbering::for_variant(variant);
        for (n, played) in self.puzzle.solution().iter().enumerate() {
            let is_first_half = position.turn() == variant.starts();
            let shift = usize::from(self.puzzle.position().turn() != variant.starts());
            let number = WrittenNumber::new((n.midpoint(shift) + 1) as u32, if is_first_half { 1 } else { 3 });
            game.add_move((is_first_half || n == 0).then_some(number), position.move_text_in(played, numbering));
            position = position.play_unchecked(played);
        }
        game.terminator("*");
        write_game(&game.build(), WriteOptions::default(), &AsWritten) + "\n"
    }
}
