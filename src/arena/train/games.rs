//! Games of the engine against itself as they are stored.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::board::Side;
use crate::error::Error;
use crate::journal::Journal;
use crate::pdn::Evaluation;
use crate::rules::{Move, Position, Variant, line_moves};

/// The kind of journal.
pub(super) const KIND: &str = "self-play run";

/// Least score of a proven win.
const PROVEN: i16 = 29_000;

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

/// Passes each searched position of a file of games to `pass`, with its evaluation and the half points of White. Returns the
/// number of games.
///
/// # Errors
///
/// If the file cannot be read, holds other data, or has games of another variant.
pub fn self_play_evaluations(
    path: &Path,
    variant: Variant,
    mut pass: impl FnMut(&Position, Evaluation, u8),
) -> Result<u64, Error> {
    let games = read(path, variant)?;
    for game in &games {
        let line = game.line(variant).unwrap_or_default();
        let mut position = Position::start(variant);
        for (ply, step) in line.iter().enumerate() {
            let score = ply.checked_sub(usize::from(game.random)).and_then(|searched| game.scores.get(searched));
            if let Some(&score) = score.filter(|score| score.abs() < PROVEN) {
                let sign = if position.turn() == Side::White { 1 } else { -1 };
                pass(&position, Evaluation::CentiMen(sign * i32::from(score)), game.points);
            }
            position = position.play_unchecked(step);
        }
    }
    Ok(games.len() as u64)
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
