//! `pdn bench problems`: the problems that the engine solves.

use std::time::Duration;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use crate::check::{CheckedGame, ChunkOrigin, GameWork, Needs};
use crate::cli::context::{Context, Status};
use crate::cli::options::{ADVANCED, Endgames, Evaluation, Files, Format, PLAIN_OR_JSON, formats, parse_seconds};
use crate::engine::{Analysis, Engine, EngineOptions, Limit};
use crate::error::Result;
use crate::rules::{Move, Position};
use crate::text::printable;

/// Nodes for each problem if no limit is given.
const DEFAULT_NODES: u64 = 1_000_000;

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Nodes for each problem [default: 1000000 unless a time is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds for each problem
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Output format: plain, or one JSON object per problem
    #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
    format: Format,
    /// Size of each job's transposition table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536), help_heading = ADVANCED)]
    hash: u32,
    #[command(flatten)]
    evaluation: Evaluation,
    #[command(flatten)]
    pub(super) endgames: Endgames,
}

/// A problem and its solution, as JSON.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    game: u64,
    variant: &'a str,
    fen: String,
    solution: String,
    found: Option<String>,
    solved: bool,
    nodes: u64,
}

/// The last line of the JSON output.
#[derive(Serialize)]
struct LastLine {
    summary: Summary,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Summary {
    problems: u32,
    solved: u32,
}

impl Summary {
    fn text(self) -> String {
        let share = 100.0 * f64::from(self.solved) / f64::from(self.problems.max(1));
        format!("{} of {} problems solved, {share:.1} %\n", self.solved, self.problems)
    }
}

/// Lets the engine solve every game that starts from a FEN tag. Unsolved problems set the exit status.
pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let mut limit = Limit::none();
    limit.nodes = options.nodes.or(options.time.is_none().then_some(DEFAULT_NODES));
    limit.time = options.time;
    let engine = EngineOptions::default()
        .with_hash_mb(options.hash as usize)
        .with_knowledge(options.evaluation.knowledge())
        .with_databases(context.databases(context.variant));
    engine.check_memory()?;
    let mut summary = Summary::default();
    context.each(&options.files, Solving { limit, engine }, |context, problems| {
        for problem in problems {
            summary.problems += 1;
            summary.solved += u32::from(problem.is_solved());
            context.answer(options.format, &problem.row(), || problem.line())?;
        }
        Ok(())
    })?;
    context.answer(options.format, &LastLine { summary }, || summary.text())?;
    Ok(if summary.solved == summary.problems { Status::Clean } else { Status::Errors })
}

/// Solves the problem of each game.
struct Solving {
    limit: Limit,
    engine: EngineOptions,
}

/// A problem and the engine's solution.
struct Problem {
    file: String,
    /// Number of the game in the file.
    game: u64,
    position: Position,
    solution: Move,
    /// The engine's move.
    found: Option<Move>,
    /// Nodes visited before the engine settled on that move.
    nodes: u64,
}

impl Problem {
    fn is_solved(&self) -> bool {
        self.found == Some(self.solution)
    }

    fn line(&self) -> String {
        let Self { file, game, position, nodes, .. } = self;
        let place = format!("{}: game {game}", printable(file));
        let solution = position.short(&self.solution);
        match self.found {
            Some(found) if found == self.solution => format!("{place}: {solution} found with {nodes} nodes\n"),
            Some(found) => format!("{place}: {} instead of {solution}\n", position.short(&found)),
            None => format!("{place}: no move instead of {solution}\n"),
        }
    }

    fn row(&self) -> Row<'_> {
        let position = &self.position;
        Row {
            file: &self.file,
            game: self.game,
            variant: position.variant().name(),
            fen: position.fen(),
            solution: position.short(&self.solution),
            found: self.found.map(|found| position.short(&found)),
            solved: self.is_solved(),
            nodes: self.nodes,
        }
    }

    fn solve(&mut self, engine: &mut Engine, limit: Limit) {
        engine.new_game();
        let position = self.position;
        let last = engine.analyse_with(&position, &[], limit, &mut |analysis| self.update(analysis));
        self.update(&last);
    }

    fn update(&mut self, analysis: &Analysis) {
        if analysis.best_move() != self.found {
            (self.found, self.nodes) = (analysis.best_move(), analysis.nodes());
        }
    }
}

impl GameWork for Solving {
    type Done = Vec<Problem>;

    fn needs(&self) -> Needs {
        Needs::Tree
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Vec<Problem>) {
        let replayed = game.review().game();
        let first = replayed.main_moves().next().and_then(|id| replayed.played(id));
        let (Some(_), Some(&position), Some(solution)) = (replayed.tree().tag("FEN"), replayed.start(), first) else {
            return;
        };
        let (file, game) = (game.input().label().to_owned(), game.number());
        done.push(Problem { file, game, position, solution, found: None, nodes: 0 });
    }

    fn end(&self, _: &ChunkOrigin<'_>, done: &mut Vec<Problem>) {
        done.par_iter_mut().for_each_init(
            || None,
            |kept: &mut Option<Engine>, problem| {
                let variant = problem.position.variant();
                let reusable = kept.take().filter(|engine| engine.variant() == variant);
                let mut engine = reusable.unwrap_or_else(|| Engine::with_options(variant, self.engine.clone()));
                problem.solve(&mut engine, self.limit);
                *kept = Some(engine);
            },
        );
    }
}
