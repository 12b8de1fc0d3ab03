//! Shots as puzzles.

use super::{MAX_PLIES, Puzzle, PuzzleFinder, expectation};
use crate::annotate::problem::{Aim, is_equivalent, is_sound};
use crate::board::Side;
use crate::engine::Limit;
use crate::error::Error;
use crate::rules::{Move, Position};
use crate::shots::{Bounds, Shot, balance, find, secured};

/// Lowest expectation of the solver with the first move and after the solution, in thousandths of a point: about that of a man
/// more in the middle of a game.
const MIN_EXPECTATION: u16 = 750;

/// How much lower the expectation is with every other move of the solver, in thousandths of a point.
const MARGIN: u16 = 120;

/// Part of the limit of a search with which a first one rejects most shots that do not win.
const QUICK: u64 = 20;

/// Highest number of lines that a search compares.
const MAX_LINES: usize = 4;

/// Nodes of the search for the best move that overlooks a threat.
const OVERLOOKING_NODES: u64 = 5_000;

/// Pieces beyond those of the endgame tables from which a proof is tried.
const PROVABLE_PIECES: usize = 3;

/// Returns a shot of the side to move that wins material.
pub(super) fn shot(position: &Position) -> Option<Shot> {
    find(position, &Bounds::default()).filter(|shot| shot.gain() > 0)
}

/// Returns a shot that the other side threatens to make.
pub(super) fn threat(position: &Position) -> Option<Shot> {
    if position.can_capture() { None } else { shot(&position.pass()) }
}

impl PuzzleFinder<'_, '_> {
    /// Returns the puzzle that begins with a shot of the side to move, if it is one: the shot wins material or a king; each move of
    /// the solver is proven to be the only one, as `verify` proves it, and a search finds all others far worse; and a search
    /// confirms the advantage. Captures of the same pieces count as one move.
    ///
    /// # Errors
    ///
    /// If the engine fails.
    pub(super) fn find_shot(&mut self, start: &Position) -> Result<Option<Puzzle>, Error> {
        let Some(shot) = shot(start) else { return Ok(None) };
        let first = shot.moves()[0];
        let quick = self.limit.nodes.map_or(self.limit, |nodes| Limit::nodes((nodes / QUICK).max(1)));
        // A quick search errs more: half the margin is enough to go on.
        if start.legal_moves().len() < 2 || self.clearly_best(start, quick, MARGIN / 2)? != Some(first) {
            return Ok(None);
        }
        if self.clearly_best(start, self.limit, MARGIN)? != Some(first) {
            return Ok(None);
        }
        let Some((solution, end)) = self.solution(start, &shot)? else { return Ok(None) };
        let Some(goal) = self.goal(start, &solution) else { return Ok(None) };
        if end.winner().is_none() && self.expected(&end, start.turn())? < MIN_EXPECTATION {
            return Ok(None);
        }
        self.puzzle(start, goal, solution).map(Some)
    }

    /// Returns the highest goal of a shot for which the solution is sound.
    fn goal(&self, start: &Position, solution: &[Move]) -> Option<Aim> {
        let is_near_tables = start.pieces().count() <= usize::from(self.prover.max_pieces()) + PROVABLE_PIECES;
        // Most shots are not proven to win: their alternatives are not looked at.
        let wins = is_near_tables && Aim::Win.is_reached(start, &solution[0], self.prover) == Some(true);
        let goals = if wins { &[Aim::Win, Aim::Material][..] } else { &[Aim::Material] };
        goals.iter().copied().find(|goal| is_sound(start, solution, *goal, self.prover))
    }

    /// Returns the best move that overlooks a threat of the other side to make a shot, if there is such a threat.
    ///
    /// # Errors
    ///
    /// If the engine fails.
    pub(super) fn find_oversight(&mut self, before: &Position) -> Result<Option<Move>, Error> {
        let Some(threatened) = threat(before) else { return Ok(None) };
        let moves = before.legal_moves();
        let analysis = self.search(before, Limit::nodes(OVERLOOKING_NODES), moves.len())?;
        let is_threatened = |found: &Shot| found.moves()[0] == threatened.moves()[0];
        let overlooks = |step: &Move| shot(&before.play_unchecked(step)).is_some_and(|found| is_threatened(&found));
        let found = analysis.lines().filter_map(|line| line.moves().first().copied()).find(overlooks);
        Ok(found)
    }

    /// Returns the moves of a shot, with the best defences, to the quiet position in which all is won that the shot wins by force, and
    /// that position; `None` if a move of the solver is not the only one, or less is won.
    fn solution(&mut self, start: &Position, shot: &Shot) -> Result<Option<(Vec<Move>, Position)>, Error> {
        let (side, first) = (start.turn(), shot.moves()[0]);
        let wanted = balance(start, side) + shot.gain();
        let is_won = |position: &Position| !position.can_capture() && secured(position, side) >= wanted;
        let (mut solution, mut position) = (vec![first], start.play_unchecked(&first));
        while solution.len() < MAX_PLIES && !is_won(&position) {
            let step = match position.legal_moves()[..] {
                _ if position.turn() != side && !position.can_capture() => None,
                [only] => Some(only),
                _ if position.turn() == side => self.clearly_best(&position, self.limit, MARGIN)?,
                _ => self.search(&position, self.limit, 1)?.best_move(),
            };
            let Some(step) = step else { return Ok(None) };
            solution.push(step);
            position = position.play_unchecked(&step);
        }
        Ok((is_won(&position) && solution.len() > 1).then_some((solution, position)))
    }

    /// Returns the expectation of a side in a position.
    fn expected(&mut self, position: &Position, side: Side) -> Result<u16, Error> {
        let analysis = self.search(position, self.limit, 1)?;
        let own = expectation(position, analysis.score());
        Ok(if position.turn() == side { own } else { 1000 - own })
    }

    /// Returns the best move of a position if it is good enough, and better by a margin than every other move; captures of the same
    /// pieces are not others.
    fn clearly_best(&mut self, position: &Position, limit: Limit, margin: u16) -> Result<Option<Move>, Error> {
        let moves = position.legal_moves();
        // Of quiet moves the second best decides; before another capture, several of the same pieces may come.
        let lines = if moves.first().is_some_and(Move::is_capture) { moves.len().min(MAX_LINES) } else { 2 };
        let analysis = self.search(position, limit, lines)?;
        let valued =
            |line: &crate::engine::ScoredLine| Some((*line.moves().first()?, expectation(position, line.score())));
        let valued: Vec<_> = analysis.lines().filter_map(valued).collect();
        let Some(&(best, value)) = valued.first() else { return Ok(None) };
        let alternative = valued.iter().find(|(other, _)| !is_equivalent(&best, other));
        let is_clear = value >= MIN_EXPECTATION && alternative.is_none_or(|(_, other)| other + margin <= value);
        Ok(is_clear.then_some(best))
    }
}
