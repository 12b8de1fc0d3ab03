//! The finished games of a match in a file, so that an interrupted match can be continued.

use std::fs;
use std::path::Path;
use std::time::Duration;

use flate2::Crc;
use serde::{Deserialize, Serialize};

use super::match_game::{GameEnd, MatchGame};
use super::match_play::Match;
use crate::board::Side;
use crate::engine::Score;
use crate::error::Error;
use crate::journal::Journal;
use crate::link::Thought;
use crate::notation::rules_label;
use crate::rules::{line_indices, line_moves};

/// A thought: score in centi-men, depth, nodes and microseconds.
type SavedThought = (Option<i32>, u32, u64, u64);

#[derive(Serialize, Deserialize)]
struct Saved {
    game: usize,
    /// The index of each move among the legal ones.
    moves: Vec<u16>,
    thoughts: Vec<SavedThought>,
    winner: Option<char>,
    end: GameEnd,
    names: [Option<String>; 2],
}

/// A file with the finished games of a match.
#[derive(Debug)]
pub(crate) struct MatchCheckpoint {
    journal: Journal,
    /// True if times are kept; if they do not limit anything, they are omitted, and the file is the same for every run.
    is_timed: bool,
}

impl MatchCheckpoint {
    /// Opens or creates the checkpoint of a match and returns it with the games in it. A line cut off by an interruption
    /// is dropped.
    ///
    /// # Errors
    ///
    /// If the file or an opening book cannot be read, the file cannot be written, is not a checkpoint, or belongs to another match.
    pub(crate) fn open(path: &Path, contest: &Match) -> Result<(Self, Vec<MatchGame>), Error> {
        let mut games = Vec::new();
        let journal = Journal::open(path, "match", &settings(contest)?, |saved: Saved| {
            let game = restore(saved, games.len(), contest);
            let is_next = game.is_some();
            games.extend(game);
            is_next
        })?;
        Ok((Self { journal, is_timed: contest.is_timed() }, games))
    }

    /// Adds the next game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn add(&mut self, game: &MatchGame) -> Result<(), Error> {
        let moves = line_indices(*game.opening.position(), game.moves());
        let winner = game.winner().map(Side::letter);
        let save = |thought: &Thought| {
            let time = if self.is_timed { thought.time } else { Duration::ZERO };
            (thought.score.map(Score::value), thought.depth, thought.nodes, time.as_micros() as u64)
        };
        let thoughts = game.thoughts.iter().map(save).collect();
        let (end, names) = (game.end.clone(), game.names.clone());
        self.journal.add(&Saved { game: game.number(), moves, thoughts, winner, end, names })
    }
}

/// Returns everything on which the games of a match depend.
fn settings(contest: &Match) -> Result<String, Error> {
    let [a, b] = &contest.players;
    let mut files = String::new();
    for (whose, player) in [("a", a), ("b", b)] {
        // The same path may have another content.
        player.check(contest.variant)?;
        for (what, path) in player.files() {
            let mut crc = Crc::new();
            crc.update(&fs::read(path).map_err(|error| Error::read(path, error))?);
            files.extend([", ", what, " of ", whose, &format!(": {:08x}", crc.sum())]);
        }
    }
    let keys = contest.openings.iter().map(|opening| opening.position().key());
    // The rotation makes the hash depend on the order, which determines the opening of each game.
    let openings = keys.fold(0, |sum: u64, key| sum.rotate_left(7) ^ key);
    let agreed = contest.options.agree.map(|advantage| format!(", agreed at {advantage}")).unwrap_or_default();
    let databases: Vec<_> = ["a", "b", "adjudication"]
        .iter()
        .zip(contest.database_labels())
        .filter_map(|(whose, label)| Some(format!(", egdb of {whose}: {}", label?)))
        .collect();
    Ok(format!(
        "pdn {}: {a} v {b}, {}, {}, {} games, {} plies, openings {openings:016x}{agreed}{}{files}",
        env!("CARGO_PKG_VERSION"),
        rules_label(contest.variant),
        contest.limit(),
        contest.games(),
        contest.options.max_plies,
        databases.concat()
    ))
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
    let thought = |(score, depth, nodes, micros): SavedThought| {
        let (score, time) = (score.map(Score::from_value), Duration::from_micros(micros));
        Thought { score, depth, nodes, time }
    };
    let thoughts = saved.thoughts.into_iter().map(thought).collect();
    let (end, names) = (saved.end, saved.names);
    let game = MatchGame { number, first: contest.first(number), opening, moves, thoughts, winner, end, names };
    (saved.game == number).then_some(game)
}
