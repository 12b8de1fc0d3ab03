//! Puzzles: positions of games with exactly one move that wins, wins material, or saves the game.

mod game_puzzles;
mod row;
mod shot_puzzle;

use serde::Serialize;

use super::engines::LentEngine;
use super::problem::Aim;
use super::prover::Prover;
use super::scale::evaluation;
use crate::engine::{Analysis, Limit, Score, ScoredLine};
use crate::error::Error;
use crate::records::{ExpectationCurve, Phase};
use crate::rules::{Move, Position};
use crate::shots::Shot;
pub(crate) use game_puzzles::{DistinctPuzzles, GamePuzzle, PuzzleOptions, PuzzleSearch};

/// Maximum expectation of the second-best move, in thousandths of a point, if only a search indicates that it does not win.
const MAX_ALTERNATIVE: u16 = 750;

/// Nodes of the fast searches that show how hidden a solution is.
const FAST_SEARCHES: [u64; 3] = [100, 1_000, 10_000];

/// Maximum length of a solution, in plies.
const MAX_PLIES: usize = 25;

/// The evidence that no other move reaches the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Uniqueness {
    /// By a search, in which the second-best move is far worse.
    Searched,
    /// By proof.
    Proven,
}

/// What makes a puzzle difficult.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Difficulty {
    /// The sum of the others, where searches that miss count twice and at most four captures count.
    level: usize,
    /// Number of the solver's moves.
    length: usize,
    /// Number of the solver's quiet moves.
    quiet: usize,
    /// Number of other captures that the solver could make on the way.
    captures: usize,
    /// How many of three fast searches, of 100, 1,000 and 10,000 nodes, prefer another first move.
    missed: usize,
}

impl Difficulty {
    fn of(start: &Position, solution: &[Move], missed: usize) -> Self {
        let (mut position, mut found) = (*start, Self { missed, ..Self::default() });
        for (n, step) in solution.iter().enumerate() {
            if n.is_multiple_of(2) {
                let others = if step.is_capture() { position.legal_moves().len() - 1 } else { 0 };
                found.length += 1;
                found.quiet += usize::from(!step.is_capture());
                found.captures += others;
            }
            position = position.play_unchecked(step);
        }
        Self { level: found.length + found.quiet + found.captures.min(4) + 2 * missed, ..found }
    }

    /// How difficult it is: higher is harder.
    pub(crate) const fn level(&self) -> usize {
        self.level
    }
}

/// A position with exactly one move that reaches a goal, at each of the solver's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Puzzle {
    position: Position,
    goal: Aim,
    solution: Vec<Move>,
    unique: Uniqueness,
    shot: Option<Shot>,
    difficulty: Difficulty,
}

impl Puzzle {
    /// Returns the position.
    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns what the side to move has to achieve.
    pub(crate) const fn goal(&self) -> Aim {
        self.goal
    }

    /// Returns the shot that the solution is, if it wins material.
    pub(crate) const fn shot(&self) -> Option<&Shot> {
        self.shot.as_ref()
    }

    /// Returns what makes it difficult.
    pub(crate) const fn difficulty(&self) -> Difficulty {
        self.difficulty
    }

    /// Returns the position after the solution.
    pub(crate) fn final_position(&self) -> Position {
        self.solution.iter().fold(self.position, |position, step| position.play_unchecked(step))
    }

    /// Returns the moves of the solver and the defences.
    pub(crate) fn solution(&self) -> &[Move] {
        &self.solution
    }

    /// Returns how it is known that no other move of the solver reaches the goal.
    pub(crate) const fn unique(&self) -> Uniqueness {
        self.unique
    }
}

/// Finds puzzles.
struct PuzzleFinder<'a, 'b> {
    /// The engine that proposes moves.
    engine: &'a mut LentEngine<'b>,
    prover: &'a Prover,
    /// The limit of each search.
    limit: Limit,
}

impl PuzzleFinder<'_, '_> {
    /// Searches a position for this number of lines, regardless of earlier searches.
    fn search(&mut self, position: &Position, limit: Limit, lines: usize) -> Result<Analysis, Error> {
        let engine = self.engine.get()?;
        engine.forget();
        Ok(engine.analyse(position, &[], limit, lines)?)
    }

    /// Returns the puzzle that begins with a position, if it is one: the goal is proven to be reached, to the end of the game or to
    /// the endgame tables.
    ///
    /// # Errors
    ///
    /// If the engine fails.
    fn find(&mut self, start: &Position) -> Result<Option<Puzzle>, Error> {
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
            return Ok(Some(self.puzzle(start, goal, solution, unique)?));
        }
        Ok(None)
    }

    fn puzzle(
        &mut self,
        start: &Position,
        goal: Aim,
        solution: Vec<Move>,
        unique: Uniqueness,
    ) -> Result<Puzzle, Error> {
        let mut missed = 0;
        for nodes in FAST_SEARCHES {
            let quick = self.search(start, Limit::nodes(nodes), 1)?;
            missed += usize::from(quick.best_move().as_ref() != solution.first());
        }
        let difficulty = Difficulty::of(start, &solution, missed);
        let shot = Shot::of_line(start, &solution, start.turn()).filter(|shot| shot.gain() > 0);
        Ok(Puzzle { position: *start, goal, solution, unique, shot, difficulty })
    }

    /// Returns the best defence and the only answer to it, if there is exactly one.
    fn continuation(&mut self, position: &Position, goal: Aim) -> Result<Option<(Move, Move, Uniqueness)>, Error> {
        let analysis = self.search(position, self.limit, 1)?;
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
        let analysis = self.search(position, self.limit, 2)?;
        let scores: Vec<Score> = analysis.lines().map(ScoredLine::score).collect();
        let (Some(best), [_, alternative, ..]) = (analysis.best_move(), &scores[..]) else { return Ok(None) };
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
        let is_clear = is_proven || goal == Aim::Win && expectation(position, *alternative) <= MAX_ALTERNATIVE;
        Ok(is_clear.then_some((best, unique)))
    }
}

fn expectation(position: &Position, score: Score) -> u16 {
    let side = position.turn();
    ExpectationCurve::of(position.variant()).of_side(side, Phase::of(position), evaluation(score, side))
}
