//! Puzzles: positions of games with exactly one move that wins, wins material, or saves the game.

mod game_puzzles;
mod lesson;
mod row;
mod shot_puzzle;

use serde::Serialize;

use super::engines::LentEngine;
use super::problem::{Aim, is_sound};
use super::prover::Prover;
use super::scale::evaluation;
use crate::engine::{Analysis, Limit, Score};
use crate::error::Error;
use crate::records::{ExpectationCurve, Phase};
use crate::rules::{Move, Position};
use crate::shots::{Shot, balance, counts_material};
pub use game_puzzles::FindingOptions;
use game_puzzles::Instead;
pub(crate) use game_puzzles::{DistinctPuzzles, FoundPuzzles, GamePuzzle, PuzzleOrder, PuzzleSearch};
pub(crate) use lesson::LessonPlan;

/// Nodes of the fast searches that show how hidden a solution is.
const FAST_SEARCHES: [u64; 3] = [100, 1_000, 10_000];

/// Maximum length of a solution, in plies.
const MAX_PLIES: usize = 25;

/// Maximum length of the line after a solution, in plies.
const MAX_REST: usize = 12;

/// Lead that is gained, in men, with which a proven win is clear to see: a new king, or two men.
const CLEAR_GAIN: i32 = 2;

/// The evidence that no other move reaches the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Uniqueness {
    /// No other move wins the material by a forced sequence of captures, and a search finds all of them far worse.
    Searched,
    /// By proof.
    Proven,
}

/// What makes a puzzle difficult.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Difficulty {
    /// The sum of the others, where searches that miss count twice and at most four captures count.
    pub(crate) level: usize,
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
}

/// A position with exactly one move that reaches a goal, at each of the solver's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Puzzle {
    /// The position.
    pub(crate) position: Position,
    /// What the side to move has to achieve.
    pub(crate) goal: Aim,
    /// The moves of the solver and the defences.
    pub(crate) solution: Vec<Move>,
    /// A line after the solution, in which the win becomes clear although several moves win.
    pub(crate) rest: Vec<Move>,
    /// The shot that the solution is, if it wins material.
    pub(crate) shot: Option<Shot>,
    /// What makes it difficult.
    pub(crate) difficulty: Difficulty,
}

impl Puzzle {
    /// Returns the position after the solution.
    pub(crate) fn final_position(&self) -> Position {
        self.solution.iter().fold(self.position, |position, step| position.play_unchecked(step))
    }

    /// Returns how it is known that no other move of the solver reaches the goal.
    pub(crate) const fn unique(&self) -> Uniqueness {
        if matches!(self.goal, Aim::Material) { Uniqueness::Searched } else { Uniqueness::Proven }
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
            let Some(first) = self.only_move(start, goal)? else { continue };
            let (mut solution, mut position) = (vec![first], start.play_unchecked(&first));
            // Holding a draw has no natural end, so such a puzzle is its first move.
            while solution.len() < MAX_PLIES && goal == Aim::Win && !is_clear_win(start, &position) {
                let Some((defence, answer)) = self.continuation(&position, goal)? else { break };
                position = position.play_unchecked(&defence).play_unchecked(&answer);
                solution.extend([defence, answer]);
            }
            let rest = if goal == Aim::Win { self.rest(start, position)? } else { Vec::new() };
            return Ok(Some(Puzzle { rest, ..self.puzzle(start, goal, solution)? }));
        }
        Ok(None)
    }

    /// Returns the best moves after the solution, in which the solver has a choice, until the win is clear.
    fn rest(&mut self, start: &Position, mut position: Position) -> Result<Vec<Move>, Error> {
        let mut rest = Vec::new();
        while rest.len() < MAX_REST && !is_clear_win(start, &position) {
            let Some(step) = self.search(&position, self.limit, 1)?.best_move() else { break };
            position = position.play_unchecked(&step);
            rest.push(step);
        }
        Ok(rest)
    }

    fn puzzle(&mut self, start: &Position, goal: Aim, solution: Vec<Move>) -> Result<Puzzle, Error> {
        let mut missed = 0;
        for nodes in FAST_SEARCHES {
            let quick = self.search(start, Limit::nodes(nodes), 1)?;
            missed += usize::from(quick.best_move().as_ref() != solution.first());
        }
        let difficulty = Difficulty::of(start, &solution, missed);
        let shot = Shot::of_line(start, &solution, start.turn()).filter(|shot| shot.gain() > 0);
        Ok(Puzzle { position: *start, goal, solution, rest: Vec::new(), shot, difficulty })
    }

    /// Returns the best defence and the only answer to it, if there is exactly one.
    fn continuation(&mut self, position: &Position, goal: Aim) -> Result<Option<(Move, Move)>, Error> {
        let Some(defence) = self.search(position, self.limit, 1)?.best_move() else { return Ok(None) };
        let next = position.play_unchecked(&defence);
        let answer = match next.legal_moves()[..] {
            [only] => Some(only),
            _ => self.only_move(&next, goal)?,
        };
        Ok(answer.map(|answer| (defence, answer)))
    }

    /// Returns the only move of a position that reaches a goal, if there are other moves: that it does, and that no other move does,
    /// is proven as `verify` proves it.
    fn only_move(&mut self, position: &Position, goal: Aim) -> Result<Option<Move>, Error> {
        if position.legal_moves().len() < 2 {
            return Ok(None);
        }
        let best = self.search(position, self.limit, 1)?.best_move();
        // Most moves reach no goal: their alternatives are not looked at.
        let reaches = |best: &Move| goal.is_reached(position, best, self.prover) == Some(true);
        Ok(best.filter(reaches).filter(|best| is_sound(position, &[*best], goal, self.prover)))
    }
}

/// Returns true if a position shows that a proven win is one.
fn is_clear_win(start: &Position, position: &Position) -> bool {
    let gain = balance(position, start.turn()) - balance(start, start.turn());
    position.winner().is_some() || counts_material(start) && !position.can_capture() && gain >= CLEAR_GAIN
}

pub(super) fn expectation(position: &Position, score: Score) -> u16 {
    let side = position.turn();
    ExpectationCurve::of(position.variant()).of_side(side, Phase::of(position), evaluation(score, side))
}
