//! What players say about their moves.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::Side;
use crate::engine::{Analysis, Score};

/// What a player said about a move, and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub struct Thought {
    pub(super) score: Option<Score>,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) time: Duration,
}

impl Thought {
    /// Returns what the built-in engine says about its best move.
    pub(super) fn of(analysis: &Analysis, time: Duration) -> Self {
        Self { score: Some(analysis.score()), depth: analysis.depth(), nodes: analysis.nodes(), time }
    }

    /// Returns the score for the side that moved.
    pub const fn score(&self) -> Option<Score> {
        self.score
    }

    /// Returns the depth of the search, in plies; 0 if it is unknown.
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of nodes visited; 0 if it is unknown.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the time that the move took.
    pub const fn time(&self) -> Duration {
        self.time
    }

    /// Returns the comment for the record of a game: evaluation from White's point of view, depth and, where it counts,
    /// time in seconds.
    pub(super) fn comment(&self, side: Side, is_timed: bool) -> String {
        let evaluation =
            self.score.map(|score| format!("[%eval {}] ", if side == Side::White { score } else { -score }));
        let depth = if self.depth > 0 { format!("[%depth {}] ", self.depth) } else { String::new() };
        let time = if is_timed { format!("[%emt {:.3}]", self.time.as_secs_f64()) } else { String::new() };
        format!("{}{depth}{time}", evaluation.unwrap_or_default())
    }
}

/// A thought in a checkpoint: score in centi-men, depth, nodes and microseconds.
#[derive(Serialize, Deserialize)]
struct Saved(Option<i32>, u32, u64, u64);

impl From<Saved> for Thought {
    fn from(Saved(score, depth, nodes, micros): Saved) -> Self {
        Self { score: score.map(Score::from_value), depth, nodes, time: Duration::from_micros(micros) }
    }
}

impl From<Thought> for Saved {
    fn from(thought: Thought) -> Self {
        let Thought { score, depth, nodes, time } = thought;
        Self(score.map(Score::value), depth, nodes, time.as_micros() as u64)
    }
}

/// The searches of one player in all games of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    moves: u64,
    depth: u64,
    nodes: u64,
    time: Duration,
}

impl Effort {
    /// Adds a move.
    pub(super) fn add(&mut self, thought: &Thought) {
        self.moves += 1;
        self.depth += u64::from(thought.depth);
        self.nodes += thought.nodes;
        self.time += thought.time;
    }

    /// Returns the number of moves.
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the mean depth, in plies; 0 if the player reports none.
    pub fn mean_depth(&self) -> f64 {
        self.depth as f64 / self.moves.max(1) as f64
    }

    /// Returns the mean time of a move, in seconds.
    pub fn mean_time(&self) -> f64 {
        self.time.as_secs_f64() / self.moves.max(1) as f64
    }

    /// Returns the number of nodes per second; 0 if the player reports none.
    pub fn nodes_per_second(&self) -> f64 {
        if self.time.is_zero() { 0.0 } else { self.nodes as f64 / self.time.as_secs_f64() }
    }
}
