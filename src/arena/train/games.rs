//! Games of the engine against itself as they are stored.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::journal::Journal;
use crate::rules::{Move, Position, Variant, line_moves};

/// The kind of journal.
pub(super) const KIND: &str = "self-play run";

/// A game of the engine against itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfPlayGame {
    /// Index of the game in its run, from 0.
    pub(super) game: u64,
    /// Number of random plies at the start.
    pub(super) random: u16,
    /// The index of each move among the legal ones.
    pub(super) moves: Vec<u16>,
    /// The score of each searched position in centi-men, for the side to move; beyond ±29,000 for a proven win or loss.
    pub(super) scores: Vec<i16>,
    /// Points of White: 0, 1 (a draw) or 2.
    pub(super) points: u8,
}

impl SelfPlayGame {
    /// Returns the moves; `None` if one is not legal.
    pub(super) fn line(&self, variant: Variant) -> Option<Vec<Move>> {
        let is_whole = usize::from(self.random) + self.scores.len() == self.moves.len();
        line_moves(Position::start(variant), &self.moves).filter(|_| is_whole && self.points <= 2)
    }

    /// Points of White: 0, 1 (a draw) or 2.
    pub const fn points(&self) -> u8 {
        self.points
    }

    /// Number of plies, those at random included.
    pub const fn plies(&self) -> usize {
        self.moves.len()
    }
}

/// Reads the games of a run of a variant.
///
/// # Errors
///
/// If the file cannot be read, holds other data, or has games of another variant.
pub(super) fn read(path: &Path, variant: Variant) -> Result<Vec<SelfPlayGame>, Error> {
    let mut games = Vec::new();
    let settings = Journal::read_all(path, KIND, |game| {
        games.push(game);
        true
    })?;
    if settings.split(", ").next() != Some(variant.name()) {
        return Err(Error::unavailable(format!("{}: not games of {variant}: {settings}", path.display())));
    }
    Ok(games)
}
