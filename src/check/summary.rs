//! Counts of games and diagnostics.

use std::ops::AddAssign;

use serde::Serialize;

use super::{PlainGame, Review};
use crate::diag::{Diagnostic, Severity};

/// What was checked and found, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Files read.
    pub files: u64,
    /// Games found.
    pub games: u64,
    /// Games with at least one move whose main line could be replayed to its end.
    pub clean_games: u64,
    /// Moves of main lines that could be played.
    pub plies: u64,
    /// Diagnostics of severity error.
    pub errors: u64,
    /// Diagnostics of severity warning.
    pub warnings: u64,
    /// Diagnostics of severity note.
    pub notes: u64,
    /// Time taken, in seconds.
    pub seconds: f64,
}

impl Summary {
    /// Counts a game and its diagnostics.
    pub fn count_game(&mut self, review: &Review) {
        self.games += 1;
        self.clean_games += u64::from(review.game().is_clean());
        self.plies += review.game().plies_played() as u64;
        review.diagnostics().iter().for_each(|diagnostic| self.count(diagnostic));
    }

    /// Counts a game with plain moves and its diagnostics.
    pub fn count_plain(&mut self, game: &PlainGame) {
        self.games += 1;
        self.clean_games += 1;
        self.plies += game.plies() as u64;
        game.diagnostics().iter().for_each(|diagnostic| self.count(diagnostic));
    }

    /// Counts a diagnostic, or all those that it represents.
    pub fn count(&mut self, diagnostic: &Diagnostic) {
        let counter = match diagnostic.severity() {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Note => &mut self.notes,
        };
        *counter += u64::from(diagnostic.count());
    }
}

/// Adds the numbers and times of both.
impl AddAssign<&Self> for Summary {
    fn add_assign(&mut self, other: &Self) {
        self.files += other.files;
        self.games += other.games;
        self.clean_games += other.clean_games;
        self.plies += other.plies;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
        self.seconds += other.seconds;
    }
}
