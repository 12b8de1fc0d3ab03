//! The problems that the engine solves.

use std::fmt;

use rayon::prelude::*;
use serde::Serialize;

use crate::check::{CheckedGame, ChunkOrigin, GameWork, Needs};
use crate::engine::{Analysis, Engine, EngineOptions, Limit};
use crate::rules::{Move, Position};
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
#[derive(Debug)]
pub(crate) struct ProblemSolver {
    engine: EngineOptions,
    limit: Limit,
}

impl ProblemSolver {
    /// Returns the solver with the limit of each search.
    pub(crate) const fn new(engine: EngineOptions, limit: Limit) -> Self {
        Self { engine, limit }
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
    type Done = Vec<SolvedProblem>;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Vec<SolvedProblem>) {
        let replayed = game.review().game();
        let first = replayed.main_moves().next().and_then(|id| replayed.played(id));
        let (Some(_), Some(&position), Some(solution)) = (replayed.tree().tag("FEN"), replayed.start(), first) else {
            return;
        };
        let (file, game) = (game.input().label().to_owned(), game.number());
        done.push(SolvedProblem { file, game, position, solution, found: None, nodes: 0 });
    }

    fn end(&self, _: &ChunkOrigin<'_>, done: &mut Vec<SolvedProblem>) {
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
