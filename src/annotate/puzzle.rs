//! Puzzles: positions of games with exactly one move that wins, or that saves the game.

use serde::Serialize;

use super::analyst::{Analyst, AnalystQuestion};
use super::problem::Aim;
use super::prover::Prover;
use super::scale::evaluation;
use crate::engine::{Limit, Score};
use crate::error::Error;
use crate::records::{ExpectationCurve, Phase};
use crate::rules::{Move, Position};

/// Maximum expectation of the second-best move, in thousandths of a point, if only a search says that it does not win.
const MAX_RIVAL: u16 = 750;

/// Maximum length of a solution, in plies.
const MAX_PLIES: usize = 25;

/// How it is known that no other move reaches the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Uniqueness {
    /// By a search, in which the second-best move is far worse.
    Searched,
    /// By proof.
    Proven,
}

/// A position with exactly one move that reaches a goal, at each of the solver's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    position: Position,
    goal: Aim,
    solution: Vec<Move>,
    unique: Uniqueness,
}

impl Puzzle {
    /// Returns the position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns what the side to move has to achieve.
    pub const fn goal(&self) -> Aim {
        self.goal
    }

    /// Returns the moves of the solver, which are proven to reach the goal, and the defences.
    pub fn solution(&self) -> &[Move] {
        &self.solution
    }

    /// Returns how it is known that no other move of the solver reaches the goal.
    pub const fn unique(&self) -> Uniqueness {
        self.unique
    }
}

/// Finds puzzles.
pub struct PuzzleFinder<'a> {
    /// The analyst that proposes moves.
    analyst: &'a mut dyn Analyst,
    prover: &'a Prover,
    limit: Limit,
}

impl<'a> PuzzleFinder<'a> {
    /// Returns a finder with the limit of its searches.
    pub fn new(analyst: &'a mut dyn Analyst, prover: &'a Prover, limit: Limit) -> Self {
        Self { analyst, prover, limit }
    }

    /// Returns the puzzle that begins with a position, if it is one.
    ///
    /// # Errors
    ///
    /// If the analyst fails.
    pub fn find(&mut self, start: &Position) -> Result<Option<Puzzle>, Error> {
        for goal in [Aim::Win, Aim::Draw] {
            let Some((first, mut unique)) = self.only_move(start, goal)? else { continue };
            let (mut solution, mut position) = (vec![first], start.play_unchecked(&first));
            // Holding a draw has no natural end, so such a puzzle is its first move.
            while solution.len() + 2 <= MAX_PLIES && goal == Aim::Win {
                let Some((defence, answer, how)) = self.continuation(&position, goal)? else { break };
                position = position.play_unchecked(&defence).play_unchecked(&answer);
                solution.extend([defence, answer]);
                // The weakest link counts.
                unique = unique.min(how);
            }
            return Ok(Some(Puzzle { position: *start, goal, solution, unique }));
        }
        Ok(None)
    }

    /// Returns the best defence and the only answer to it, if there is exactly one.
    fn continuation(&mut self, position: &Position, goal: Aim) -> Result<Option<(Move, Move, Uniqueness)>, Error> {
        let analysis = self.analyst.analyse(&AnalystQuestion::new(position, &[], self.limit))?;
        let Some(defence) = analysis.best_move() else { return Ok(None) };
        let next = position.play_unchecked(&defence);
        if let [only] = next.legal_moves()[..] {
            return Ok(Some((defence, only, Uniqueness::Proven)));
        }
        Ok(self.only_move(&next, goal)?.map(|(answer, unique)| (defence, answer, unique)))
    }

    /// Returns the only move of a position that reaches a goal, if there are other moves, and one is proven to reach it.
    fn only_move(&mut self, position: &Position, goal: Aim) -> Result<Option<(Move, Uniqueness)>, Error> {
        let moves = position.legal_moves();
        if moves.len() < 2 {
            return Ok(None);
        }
        let analysis = self.analyst.analyse(&AnalystQuestion::new(position, &[], self.limit).with_lines(2))?;
        let scores: Vec<Score> = analysis.lines().map(crate::engine::ScoredLine::score).collect();
        let (Some(best), [_, rival, ..]) = (analysis.best_move(), &scores[..]) else { return Ok(None) };
        if goal.is_reached(position, &best, self.prover) != Some(true) {
            return Ok(None);
        }
        let others: Vec<_> = moves.iter().filter(|other| **other != best).collect();
        let results: Vec<_> = others.iter().map(|other| goal.is_reached(position, other, self.prover)).collect();
        if results.contains(&Some(true)) {
            return Ok(None);
        }
        let is_proven = results.iter().all(|result| *result == Some(false));
        let unique = if is_proven { Uniqueness::Proven } else { Uniqueness::Searched };
        // That a move does not even draw must be proven: a low score is not enough.
        let is_clear = is_proven || goal == Aim::Win && expectation(position, *rival) <= MAX_RIVAL;
        Ok(is_clear.then_some((best, unique)))
    }
}

fn expectation(position: &Position, score: Score) -> u16 {
    let side = position.turn();
    ExpectationCurve::of(position.variant()).of_side(side, Phase::of(position), evaluation(score, side))
}
