//! `pdn verify`: the soundness of problems.

use clap::Args;
use serde::Serialize;

use super::context::{Context, Status};
use super::options::{Endgames, Files, Format, PLAIN_OR_JSON, formats};
use crate::annotate::{Aim, Prover, SolverMove, Verdict, examine, goal, verdict};
use crate::check::{CheckedGame, GameWork, Needs};
use crate::egdb::Databases;
use crate::error::Result;
use crate::rules::{Move, Position};
use crate::text::printable;

/// Check that problems have exactly one solution
///
/// A problem is a game that starts from a FEN tag; its main line is the solution. The tag Goal gives the goal of the side to
/// move: `win`, `draw`, or `material` for a shot that wins men or a king. Without this tag it must win, or draw if the result is a
/// draw. For each move of the solver and each alternative, a search of all defences, to the end of the game or to the endgame
/// tables, proves whether the move reaches the goal; for material, a search of all forced sequences of captures.
///
/// The verdict is `sound` if each move of the solver is proven to reach the goal, and each alternative is proven not to. Otherwise
/// it is `refuted` if the solution does not reach the goal, `cook` if another first move also does, `dual` if another later move
/// also does, or `unsolved` if something is not proven within the limit. The exit status is 1 if a problem is not sound.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn verify problems.pdn
  pdn verify --nodes 1000000 --format json problems.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    /// Maximum number of positions in the proof of one move
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    nodes: u32,
    /// Output format: plain, or one JSON object per problem
    #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
    format: Format,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let verifying = Verifying { nodes: options.nodes as usize, databases: context.databases(context.variant) };
    let mut summary = Summary::default();
    context.each(&options.files, verifying, |context, problems| {
        for problem in problems {
            summary.add(problem.verdict());
            context.answer(options.format, &problem.row(), || problem.line())?;
        }
        Ok(())
    })?;
    context.answer(options.format, &LastLine { summary }, || summary.text())?;
    Ok(if summary.problems == summary.sound { Status::Clean } else { Status::Errors })
}

#[derive(Clone, Copy, Default, Serialize)]
struct Summary {
    problems: u32,
    sound: u32,
    cook: u32,
    dual: u32,
    refuted: u32,
    unsolved: u32,
}

#[derive(Serialize)]
struct LastLine {
    summary: Summary,
}

impl Summary {
    fn add(&mut self, verdict: Verdict) {
        self.problems += 1;
        *match verdict {
            Verdict::Sound => &mut self.sound,
            Verdict::Cook => &mut self.cook,
            Verdict::Dual => &mut self.dual,
            Verdict::Refuted => &mut self.refuted,
            Verdict::Unsolved => &mut self.unsolved,
        } += 1;
    }

    fn text(self) -> String {
        let Self { problems, sound, cook, dual, refuted, unsolved } = self;
        format!(
            "{}: {sound} sound, {cook} cooked, {dual} with duals, {refuted} refuted, {unsolved} unsolved\n",
            super::words::count(problems.into(), "problem")
        )
    }
}

/// Verifies the problem of each game.
struct Verifying {
    nodes: usize,
    databases: Databases,
}

/// A problem, with the proofs of its moves.
struct Problem {
    file: String,
    game: u64,
    start: Position,
    goal: Aim,
    solution: Vec<Move>,
    moves: Vec<SolverMove>,
}

impl GameWork for Verifying {
    type Done = Vec<Problem>;

    fn needs(&self) -> Needs {
        Needs::Tree
    }

    fn game(&self, checked: CheckedGame<'_>, done: &mut Vec<Problem>) {
        let review = checked.review();
        let game = review.game();
        let Some(start) = game.start().copied().filter(|_| game.tree().tag("FEN").is_some()) else { return };
        let solution: Vec<_> = game.main_moves().map_while(|id| game.played(id)).collect();
        let goal = goal(game.tree().tag("Goal"), review.result().winner());
        let prover = Prover::new(self.databases.tables(start.variant()), self.nodes);
        let moves = examine(&start, &solution, goal, &prover);
        let (file, game) = (checked.input().label().to_owned(), checked.number());
        done.push(Problem { file, game, start, goal, solution, moves });
    }
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    game: u64,
    variant: &'static str,
    fen: String,
    goal: Aim,
    verdict: Verdict,
    solution: Vec<String>,
    moves: Vec<MoveRow>,
}

/// A move of the solver; `reaches` is null where nothing is proven.
#[derive(Serialize)]
struct MoveRow {
    ply: usize,
    reaches: Option<bool>,
    others: Vec<String>,
    unknown: usize,
}

impl Problem {
    fn verdict(&self) -> Verdict {
        verdict(&self.moves)
    }

    fn row(&self) -> Row<'_> {
        let mut position = self.start;
        let name = |played: &Move| {
            let name = position.short(played);
            position = position.play_unchecked(played);
            name
        };
        Row {
            file: &self.file,
            game: self.game,
            variant: self.start.variant().name(),
            fen: self.start.fen(),
            goal: self.goal,
            verdict: self.verdict(),
            solution: self.solution.iter().map(name).collect(),
            moves: self.moves.iter().map(move_row).collect(),
        }
    }

    /// Returns the verdict in words, with the move that causes it.
    fn line(&self) -> String {
        let other = self.moves.iter().find(|found| !found.others().is_empty());
        let others = other.map(|found| format!("ply {}: {}", found.ply(), names(found).join(" ")));
        let detail = match self.verdict() {
            Verdict::Sound => "sound".to_owned(),
            Verdict::Cook => format!("cook, {}", others.unwrap_or_default()),
            Verdict::Dual => format!("dual, {}", others.unwrap_or_default()),
            Verdict::Refuted => "refuted".to_owned(),
            Verdict::Unsolved => "unsolved".to_owned(),
        };
        format!("{}: game {}: {detail}\n", printable(&self.file), self.game)
    }
}

fn names(found: &SolverMove) -> Vec<String> {
    found.others().iter().map(|other| found.position().short(other)).collect()
}

fn move_row(found: &SolverMove) -> MoveRow {
    MoveRow { ply: found.ply(), reaches: found.reaches(), others: names(found), unknown: found.unknown() }
}
