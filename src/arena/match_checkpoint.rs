//! The finished games of a match in a file, so that an interrupted match can be continued.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::game::{GameEnd, MatchGame};
use super::match_play::Match;
use crate::board::Side;
use crate::error::Error;
use crate::journal::Journal;
use crate::notation::rules_label;
use crate::rules::{line_indices, line_moves};

#[derive(Serialize, Deserialize)]
struct Saved {
    game: usize,
    /// The index of each move among the legal ones.
    moves: Vec<u16>,
    winner: Option<char>,
    end: GameEnd,
}

/// A file with the finished games of a match.
#[derive(Debug)]
pub struct MatchCheckpoint(Journal);

impl MatchCheckpoint {
    /// Opens or creates the checkpoint of a match and returns it with the games in it. A line cut off by an interruption
    /// is dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is not a checkpoint, or belongs to another match.
    pub fn open(path: &Path, contest: &Match) -> Result<(Self, Vec<MatchGame>), Error> {
        let mut games = Vec::new();
        let journal = Journal::open(path, "match", &settings(contest), |saved: Saved| {
            let game = restore(saved, games.len(), contest);
            let is_next = game.is_some();
            games.extend(game);
            is_next
        })?;
        Ok((Self(journal), games))
    }

    /// Adds the next game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&mut self, game: &MatchGame) -> Result<(), Error> {
        let moves = line_indices(*game.opening().position(), game.moves());
        let winner = game.winner().map(Side::letter);
        self.0.add(&Saved { game: game.number(), moves, winner, end: game.end().clone() })
    }
}

/// Returns everything on which the games of a match depend.
fn settings(contest: &Match) -> String {
    let [a, b] = contest.players();
    let keys = contest.openings().iter().map(|opening| opening.position().key());
    let openings = keys.fold(0, |sum: u64, key| sum.rotate_left(7) ^ key);
    let databases: Vec<_> = ["a", "b", "adjudication"]
        .iter()
        .zip(contest.database_labels())
        .filter_map(|(whose, label)| Some(format!(", egdb of {whose}: {}", label?)))
        .collect();
    format!(
        "pdn {}: {a} v {b}, {}, {}, {} plies, openings {openings:016x}{}",
        env!("CARGO_PKG_VERSION"),
        rules_label(contest.variant()),
        contest.limit(),
        contest.max_plies(),
        databases.concat()
    )
}

fn restore(saved: Saved, number: usize, contest: &Match) -> Option<MatchGame> {
    let opening = contest.opening(number).clone();
    let moves = line_moves(*opening.position(), &saved.moves)?;
    let winner = match saved.winner {
        None => None,
        Some('W') => Some(Side::White),
        Some('B') => Some(Side::Black),
        Some(_) => return None,
    };
    let game = MatchGame { number, first: contest.first(number), opening, moves, winner, end: saved.end };
    (saved.game == number).then_some(game)
}
