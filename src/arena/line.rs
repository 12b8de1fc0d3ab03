//! A game with all of its positions.

use crate::notation::Outcome;
use crate::rules::{DrawTracker, Move, Position};

/// A game in progress whose moves can be taken back.
///
/// # Examples
///
/// ```
/// use pdn::arena::GameLine;
/// use pdn::rules::{Position, Variant};
///
/// let mut game = GameLine::new(Position::start(Variant::INTERNATIONAL));
/// game.play(&game.position().legal_moves()[0]);
/// assert_eq!((game.moves().len(), game.outcome()), (1, None));
/// game.truncate(0);
/// assert_eq!(*game.position(), game.start());
/// ```
#[derive(Clone, Debug)]
pub struct GameLine {
    start: Position,
    history: Vec<Position>,
    moves: Vec<Move>,
    position: Position,
}

impl GameLine {
    /// Returns a game before its first move.
    pub const fn new(start: Position) -> Self {
        Self { start, history: Vec::new(), moves: Vec::new(), position: start }
    }

    /// Returns the position before the first move.
    pub const fn start(&self) -> Position {
        self.start
    }

    /// Returns the current position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the positions before the current one, oldest first.
    pub fn history(&self) -> &[Position] {
        &self.history
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, step: &Move) {
        self.history.push(self.position);
        self.moves.push(*step);
        self.position = self.position.play_unchecked(step);
    }

    /// Takes the last moves back until at most `plies` are left.
    pub fn truncate(&mut self, plies: usize) {
        if let Some(before) = self.history.get(plies) {
            self.position = *before;
        }
        self.history.truncate(plies);
        self.moves.truncate(plies);
    }

    /// Returns the name of the first draw rule that applies.
    pub fn draw(&self) -> Option<&'static str> {
        let mut tracker = DrawTracker::new(&self.start);
        let after = self.history.iter().skip(1).chain([&self.position]);
        let plies = self.history.iter().zip(&self.moves).zip(after);
        plies.flat_map(|((before, step), after)| tracker.record(before, step, after)).next().map(|event| event.name())
    }

    /// Returns the outcome if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let winner = self.position.winner().map(Outcome::Win);
        winner.or_else(|| self.draw().map(|_| Outcome::Draw))
    }
}
