//! A game with all of its positions.

use crate::notation::Outcome;
use crate::rules::{DrawTracker, Move, Position};

/// A game in progress whose moves can be taken back.
pub(super) struct Game {
    start: Position,
    history: Vec<Position>,
    moves: Vec<Move>,
    position: Position,
}

impl Game {
    pub(super) const fn new(start: Position) -> Self {
        Self { start, history: Vec::new(), moves: Vec::new(), position: start }
    }

    pub(super) const fn start(&self) -> Position {
        self.start
    }

    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the positions before the current one, oldest first.
    pub(super) fn history(&self) -> &[Position] {
        &self.history
    }

    pub(super) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, step: &Move) {
        self.history.push(self.position);
        self.moves.push(*step);
        self.position = self.position.play_unchecked(step);
    }

    /// Takes the last move back. Returns false if there is none.
    pub(super) fn take_back(&mut self) -> bool {
        let Some(before) = self.history.pop() else { return false };
        self.moves.pop();
        self.position = before;
        true
    }

    /// Returns the name of the first draw rule that applies.
    pub(super) fn draw(&self) -> Option<&'static str> {
        let mut tracker = DrawTracker::new(&self.start);
        let after = self.history.iter().skip(1).chain([&self.position]);
        let plies = self.history.iter().zip(&self.moves).zip(after);
        plies.flat_map(|((before, step), after)| tracker.record(before, step, after)).next().map(|event| event.name)
    }

    /// Returns the outcome if the game is over.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        let winner = self.position.winner().map(Outcome::Win);
        winner.or_else(|| self.draw().map(|_| Outcome::Draw))
    }
}
