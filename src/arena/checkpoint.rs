//! The games of a match that were played so far, kept in a file so that an interrupted match can be taken up again.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::game::{End, Played};
use super::run::Match;
use crate::board::Side;
use crate::error::Error;
use crate::journal::Journal;
use crate::notation::rules_label;
use crate::rules::{line_indices, line_moves};

#[derive(Serialize, Deserialize)]
struct Saved {
    game: usize,
    /// Of each move its place among the legal ones.
    moves: Vec<u16>,
    winner: Option<char>,
    end: End,
}

/// A file with the games played so far.
#[derive(Debug)]
pub struct Checkpoint(Journal);

impl Checkpoint {
    /// Opens a checkpoint of a match and returns the games that it holds. A line that an interruption has cut is dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is none of ours, or is that of another match.
    pub fn open(path: &Path, of: &Match) -> Result<(Self, Vec<Played>), Error> {
        let mut games = Vec::new();
        let journal = Journal::open(path, "match", &settings(of), |saved: Saved| {
            let played = restore(saved, games.len(), of);
            let is_next = played.is_some();
            games.extend(played);
            is_next
        })?;
        Ok((Self(journal), games))
    }

    /// Adds the next game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&mut self, played: &Played) -> Result<(), Error> {
        let moves = line_indices(played.opening.position(), &played.moves);
        let winner = played.winner.map(Side::letter);
        self.0.add(&Saved { game: played.number, moves, winner, end: played.end.clone() })
    }
}

/// Everything that the games of a match depend on.
fn settings(of: &Match) -> String {
    let [a, b] = &of.players;
    let keys = of.openings.iter().map(|opening| opening.position().key());
    let openings = keys.fold(0, |sum: u64, key| sum.rotate_left(7) ^ key);
    let (limits, plies) = (of.limits, of.most_plies);
    format!(
        "pdn {}: {a} v {b}, {}, {limits:?}, {plies} plies, openings {openings:016x}",
        env!("CARGO_PKG_VERSION"),
        rules_label(of.variant)
    )
}

fn restore(saved: Saved, number: usize, of: &Match) -> Option<Played> {
    let opening = of.opening(number).clone();
    let moves = line_moves(opening.position(), &saved.moves)?;
    let winner = match saved.winner {
        None => None,
        Some('W') => Some(Side::White),
        Some('B') => Some(Side::Black),
        Some(_) => return None,
    };
    let played = Played { number, first: of.first(number), opening, moves, winner, end: saved.end };
    (saved.game == number).then_some(played)
}
