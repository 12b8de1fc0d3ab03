//! `pdn bench problems`: whether the engine finds the solutions of problems.

use std::time::Duration;

use clap::Args;
use rayon::prelude::*;

use crate::cli::context::{Context, Status, Step};
use crate::cli::games::{Game, Games, Place, Replaying};
use crate::cli::options::{Files, parse_seconds};
use crate::engine::{Engine, Limits};
use crate::error::Result;
use crate::replay::ReplayOptions;
use crate::rules::{Move, Position};

/// Positions searched for each problem where no limit is given.
const DEFAULT_NODES: u64 = 1_000_000;

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// Positions to search for each problem [default: 1000000, unless a time is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds to search for each problem
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Megabytes of the table of positions of each job
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

/// Asks the engine for the first move of every game that begins with a position of its own.
pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let nodes = options.nodes.or(options.time.is_none().then_some(DEFAULT_NODES));
    let limits = Limits { nodes, time: options.time, ..Limits::default() };
    let work = Replaying {
        games: &Solving { limits, megabytes: options.hash as usize },
        options: ReplayOptions { variant: context.variant },
        strict: false,
        encoding: options.files.encoding(),
    };
    let (mut solved, mut all) = (0_u32, 0_u32);
    context.read(&options.files, &work, |context, step| {
        let Step::Done(problems) = step else { return Ok(()) };
        for problem in problems {
            all += 1;
            solved += u32::from(problem.is_solved());
            context.out.text(&problem.line())?;
        }
        Ok(())
    })?;
    let share = 100.0 * f64::from(solved) / f64::from(all.max(1));
    context.out.text(&format!("{solved} of {all} problems solved, {share:.1} %\n"))?;
    Ok(Status::Clean)
}

/// What is done with each game.
struct Solving {
    limits: Limits,
    megabytes: usize,
}

/// A problem and what the engine makes of it.
struct Problem {
    /// File and number of the game.
    place: String,
    position: Position,
    solution: Move,
    /// The engine's move.
    found: Option<Move>,
    /// Positions visited when it had found that move for good.
    nodes: u64,
}

impl Problem {
    fn is_solved(&self) -> bool {
        self.found == Some(self.solution)
    }

    fn line(&self) -> String {
        let Self { place, position, nodes, .. } = self;
        let solution = position.short(&self.solution);
        match self.found {
            Some(found) if found == self.solution => format!("{place}: {solution} found with {nodes} nodes\n"),
            Some(found) => format!("{place}: {} instead of {solution}\n", position.short(&found)),
            None => format!("{place}: nothing found instead of {solution}\n"),
        }
    }

    fn solve(&mut self, engine: &mut Engine, limits: &Limits) {
        engine.new_game();
        let (mut found, mut nodes) = (None, 0);
        let mut see = |best: Option<Move>, visited: u64| {
            if best != found {
                (found, nodes) = (best, visited);
            }
        };
        let last = engine.analyse_with(&self.position, &[], limits, &mut |now| see(now.best(), now.nodes));
        see(last.best(), last.nodes);
        (self.found, self.nodes) = (found, nodes);
    }
}

impl Games for Solving {
    type Done = Vec<Problem>;

    fn game(&self, game: Game, place: &mut Place<'_>, done: &mut Vec<Problem>) {
        let replayed = &game.replayed;
        let first = replayed.main_moves().next().and_then(|id| replayed.played(id));
        let (Some(_), Some(&position), Some(solution)) = (replayed.tree().tag("FEN"), replayed.start(), first) else {
            return;
        };
        let place = format!("{}: game {}", place.input.label(), game.number);
        done.push(Problem { place, position, solution, found: None, nodes: 0 });
    }

    fn end(&self, done: &mut Vec<Problem>) {
        done.par_iter_mut().for_each_init(
            || None,
            |kept: &mut Option<Engine>, problem| {
                let variant = problem.position.variant();
                let fitting = kept.take().filter(|engine| engine.variant() == variant);
                let mut engine = fitting.unwrap_or_else(|| Engine::new(variant, self.megabytes));
                problem.solve(&mut engine, &self.limits);
                *kept = Some(engine);
            },
        );
    }
}
