//! The soundness of the problems in files.

use std::fmt;

use serde::Serialize;

use super::problem::{Aim, SolverMove, Verdict, examine, goal, verdict};
use super::prover::Prover;
use crate::check::{CheckedGame, GameWork};
use crate::egdb::Databases;
use crate::rules::{Move, Position};
use crate::text::printable;

/// Verifies the problems in files: the games that start from a FEN tag.
#[derive(Debug)]
pub(crate) struct ProblemVerifier {
    databases: Databases,
    nodes: usize,
}

impl ProblemVerifier {
    /// Returns the verifier that examines at most `nodes` positions in the proof of one move.
    pub(crate) const fn new(databases: Databases, nodes: usize) -> Self {
        Self { databases, nodes }
    }
}

/// A problem, with the proofs of its moves. As text: the verdict in words, with the move that causes it.
#[derive(Debug)]
pub(crate) struct VerifiedProblem {
    file: String,
    game: u64,
    start: Position,
    goal: Aim,
    solution: Vec<Move>,
    moves: Vec<SolverMove>,
}

impl GameWork for ProblemVerifier {
    type Done = Vec<VerifiedProblem>;

    fn game(&self, checked: CheckedGame<'_>, done: &mut Vec<VerifiedProblem>) {
        let review = checked.review();
        let game = review.game();
        let Some(start) = game.start().copied().filter(|_| game.tree().tag("FEN").is_some()) else { return };
        let solution: Vec<_> = game.main_moves().map_while(|id| game.played(id)).collect();
        let goal = goal(game.tree().tag("Goal"), review.winner());
        let prover = Prover::new(self.databases.tables(start.variant()), self.nodes);
        let moves = examine(&start, &solution, goal, &prover);
        let (file, game) = (checked.input().label().to_owned(), checked.number());
        done.push(VerifiedProblem { file, game, start, goal, solution, moves });
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

impl VerifiedProblem {
    /// Returns the verdict.
    pub(crate) fn verdict(&self) -> Verdict {
        verdict(&self.moves)
    }

    /// Returns the problem for JSON.
    pub(crate) fn row(&self) -> impl Serialize {
        Row {
            file: &self.file,
            game: self.game,
            variant: self.start.variant().name(),
            fen: self.start.fen(),
            goal: self.goal,
            verdict: self.verdict(),
            solution: self.start.short_line(&self.solution),
            moves: self.moves.iter().map(move_row).collect(),
        }
    }
}

impl fmt::Display for VerifiedProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let other = self.moves.iter().find(|found| !found.others.is_empty());
        let others = other.map(|found| format!("ply {}: {}", found.ply, names(found).join(" ")));
        let detail = match self.verdict() {
            Verdict::Sound => "sound".to_owned(),
            Verdict::Cook => format!("cook, {}", others.unwrap_or_default()),
            Verdict::Dual => format!("dual, {}", others.unwrap_or_default()),
            Verdict::Refuted => "refuted".to_owned(),
            Verdict::Unsolved => "unsolved".to_owned(),
        };
        write!(f, "{}: game {}: {detail}", printable(&self.file), self.game)
    }
}

fn names(found: &SolverMove) -> Vec<String> {
    found.others.iter().map(|other| found.position.short(other)).collect()
}

fn move_row(found: &SolverMove) -> MoveRow {
    MoveRow { ply: found.ply, reaches: found.reaches, others: names(found), unknown: found.unknown }
}
