//! The problems that the engine solves.

use std::fmt;
use std::sync::Mutex;

use rayon::prelude::*;
use serde::Serialize;

use crate::check::{CheckedGame, ChunkOrigin, GameWork};
use crate::diag::{Diagnostic, Group};
use crate::engine::Limit;
use crate::link::{EngineError, EngineSpec, GameEngine, Timeouts};
use crate::rules::{Move, Position, Variant};
use crate::shared::lock;
use crate::text::printable;

/// A problem and its solution, as JSON.
#[derive(Serialize)]
struct SolutionRow<'a> {
    file: &'a str,
    game: u64,
    variant: &'a str,
    fen: String,
    solution: String,
    found: Option<String>,
    solved: bool,
    nodes: u64,
}

/// Lets the engine solve the problems in files: the games that start from a FEN tag, with the solution as their first move.
pub(crate) struct ProblemSolver {
    engine: EngineSpec,
    limit: Limit,
    timeouts: Timeouts,
    /// Engines that wait for a problem.
    idle: Mutex<Vec<(Variant, Box<dyn GameEngine>)>>,
}

impl ProblemSolver {
    /// Returns the solver with the limit of each search, and the timeouts of an engine that is another program.
    pub(crate) const fn new(engine: EngineSpec, limit: Limit, timeouts: Timeouts) -> Self {
        Self { engine, limit, timeouts, idle: Mutex::new(Vec::new()) }
    }

    fn solve(&self, problem: &mut SolvedProblem) -> Result<(), EngineError> {
        let variant = problem.position.variant();
        let known = {
            let mut idle = lock(&self.idle);
            let place = idle.iter().position(|(of, _)| *of == variant);
            place.map(|place| idle.swap_remove(place).1)
        };
        let mut engine = match known {
            Some(engine) => engine,
            None => self.engine.start(variant, self.timeouts)?,
        };
        // Chance decides which engine takes a problem, so none may remember others.
        engine.forget();
        let position = problem.position;
        engine.find_move(&position, self.limit, &mut |found, nodes| problem.update(found, nodes))?;
        lock(&self.idle).push((variant, engine));
        Ok(())
    }
}

/// A problem and the engine's solution. As text: what the engine found.
#[derive(Debug)]
pub(crate) struct SolvedProblem {
    file: String,
    /// Number of the game in the file.
    game: u64,
    position: Position,
    solution: Move,
    /// The engine's move.
    found: Option<Move>,
    /// Nodes visited before the engine settled on that move.
    nodes: u64,
    /// Why the engine failed, if it did.
    pub(crate) failure: Option<EngineError>,
}

impl SolvedProblem {
    /// Returns true if the engine found the solution.
    pub(crate) fn is_solved(&self) -> bool {
        self.found == Some(self.solution)
    }

    /// Returns the problem for JSON.
    pub(crate) fn row(&self) -> impl Serialize {
        let position = &self.position;
        SolutionRow {
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

    fn update(&mut self, found: Option<Move>, nodes: u64) {
        if found != self.found {
            (self.found, self.nodes) = (found, nodes);
        }
    }
}

impl fmt::Display for SolvedProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, game, position, nodes, .. } = self;
        let solution = position.short(&self.solution);
        write!(f, "{}: game {game}: ", printable(file))?;
        match self.found {
            Some(found) if found == self.solution => write!(f, "{solution} found with {nodes} nodes"),
            Some(found) => write!(f, "{} instead of {solution}", position.short(&found)),
            None => write!(f, "no move instead of {solution}"),
        }
    }
}

impl GameWork for ProblemSolver {
    /// The problems, and why other games that start from a FEN tag are none.
    type Done = Vec<Result<SolvedProblem, String>>;

    fn game(&self, game: CheckedGame<'_>, done: &mut Self::Done) {
        let replayed = game.review().game();
        if !replayed.has_fen() {
            return;
        }
        let first = replayed.main_moves().next().and_then(|id| replayed.played(id));
        let (file, number) = (game.input().label().to_owned(), game.number());
        done.push(if let (Some(&position), Some(solution)) = (replayed.start(), first) {
            Ok(SolvedProblem { file, game: number, position, solution, found: None, nodes: 0, failure: None })
        } else {
            let reason = game.review().error_of(&[Group::Fen, Group::Move]).map(Diagnostic::message);
            let reason = reason.unwrap_or_else(|| "there is no solution".to_owned());
            Err(format!("{}: game {number}: {reason}", printable(&file)))
        });
    }

    fn end(&self, _: &ChunkOrigin<'_>, done: &mut Self::Done) {
        let problems = done.par_iter_mut().filter_map(|problem| problem.as_mut().ok());
        problems.for_each(|problem| problem.failure = self.solve(problem).err());
    }
}
