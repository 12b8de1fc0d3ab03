//! The soundness of the problems in files.

use std::fmt;

use serde::Serialize;

use super::problem::{Aim, SolverMove, Verdict, examine, goal, verdict};
use super::prover::Prover;
use crate::check::{CheckedGame, GameWork, Review};
use crate::diag::{Group, Severity};
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

/// A record with a FEN tag.
#[derive(Debug)]
pub(crate) enum VerifiedRecord {
    /// A problem.
    Problem(VerifiedProblem),
    /// A record whose position cannot be used: the place and the reason, as text.
    Unusable(String),
}

/// A problem, with the proofs of its moves. As text: the verdict in words, with the move that causes it.
#[derive(Debug)]
pub(crate) struct VerifiedProblem {
    file: String,
    game: u64,
    start: Position,
    goal: Aim,
    /// The value of the tag `Goal`, if it is unknown.
    unknown_goal: Option<String>,
    solution: Vec<Move>,
    /// Why the solution cannot be played to its end, if it cannot.
    unplayed: Option<String>,
    moves: Vec<SolverMove>,
}

impl GameWork for ProblemVerifier {
    type Done = Vec<VerifiedRecord>;

    fn game(&self, checked: CheckedGame<'_>, done: &mut Vec<VerifiedRecord>) {
        let review = checked.review();
        let (game, file, number) = (review.game(), checked.input().label(), checked.number());
        if !game.has_fen() {
            return;
        }
        let Some(start) = game.start().copied() else {
            return done.push(VerifiedRecord::Unusable(place(file, number) + &why_unusable(review)));
        };
        let solution: Vec<_> = game.main_moves().map_while(|id| game.played(id)).collect();
        // What is before an illegal move or a null move is no solution, even if it reaches the goal.
        let unplayed = (!game.is_legal() || solution.len() < game.written()).then(|| {
            let reason = game.first_unplayed().map(|(_, reason)| reason.to_string());
            reason.unwrap_or_else(|| {
                let usual = "the solution cannot be played to its end";
                if game.is_legal() { "the solution has a null move" } else { usual }.to_owned()
            })
        });
        let tag = game.tag("Goal");
        let goal = goal(tag, review.winner());
        let prover = Prover::new(self.databases.tables(start.variant()), self.nodes);
        let moves = if unplayed.is_some() { Vec::new() } else { examine(&start, &solution, goal, &prover) };
        let is_unknown = |tag: &&str| tag.contains(char::is_alphanumeric) && Aim::named(tag).is_none();
        let unknown_goal = tag.filter(is_unknown).map(str::to_owned);
        let file = file.to_owned();
        let problem = VerifiedProblem { file, game: number, start, goal, unknown_goal, solution, unplayed, moves };
        done.push(VerifiedRecord::Problem(problem));
    }
}

/// Returns the start of what is said about a game.
fn place(file: &str, game: u64) -> String {
    format!("{}: game {game}: ", printable(file))
}

/// Returns why a game has no position.
fn why_unusable(review: &Review) -> String {
    let mut errors = review.diagnostics().iter().filter(|found| found.severity() == Severity::Error);
    let of_position = errors.find(|found| found.code().group() == Group::Fen);
    of_position.map_or_else(|| "its variant is unknown".to_owned(), ToString::to_string)
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
        if self.unplayed.is_some() { Verdict::Refuted } else { verdict(&self.moves) }
    }

    /// Returns the warning that the value of the tag `Goal` is unknown, if it is.
    pub(crate) fn goal_warning(&self) -> Option<String> {
        let (unknown, known) = (self.unknown_goal.as_ref()?, Aim::ALL.map(Aim::name).join(", "));
        let place = place(&self.file, self.game);
        Some(format!("{place}the tag Goal has an unknown value: `{unknown}`; known are {known}"))
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
            Verdict::Refuted => {
                self.unplayed.as_ref().map_or_else(|| "refuted".to_owned(), |reason| format!("refuted, {reason}"))
            }
            Verdict::Unsolved => "unsolved".to_owned(),
        };
        write!(f, "{}{detail}", place(&self.file, self.game))
    }
}

fn names(found: &SolverMove) -> Vec<String> {
    found.others.iter().map(|other| found.position.short(other)).collect()
}

fn move_row(found: &SolverMove) -> MoveRow {
    MoveRow { ply: found.ply, reaches: found.reaches, others: names(found), unknown: found.unknown }
}
