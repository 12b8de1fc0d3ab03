//! The nodes of the search tree and the search window.

use super::evaluation::{Evaluate, Sum};
use super::score::Score;
use super::table::{Bound, Entry};
use crate::board::{Geometry, Word};
use crate::rules::{DrawCounters, Generator, State, Step, key_after, position_key};

/// A node: a position with its key, its evaluation and its draw counters.
#[derive(Clone, Copy)]
pub(super) struct Node<G: Geometry> {
    pub(super) state: State<G>,
    pub(super) key: u64,
    pub(super) sum: Sum,
    pub(super) draws: DrawCounters,
    /// Known plies since the last capture or man move.
    pub(super) reversible: usize,
}

impl<G: Geometry> Node<G> {
    pub(super) fn root(
        state: State<G>,
        generator: &dyn Generator<G>,
        evaluation: &dyn Evaluate<G>,
        known: usize,
    ) -> Self {
        let draws = DrawCounters::begin(&generator.spec().draws, &state);
        Self { key: position_key(&state), sum: evaluation.sum(&state), draws, reversible: known, state }
    }

    pub(super) fn child(&self, step: &Step<G>, generator: &dyn Generator<G>, evaluation: &dyn Evaluate<G>) -> Self {
        let state = generator.play(&self.state, step);
        // Captures and moves of men cannot be undone: no position before them recurs.
        let king_moves = !step.is_capture() && (self.state.kings & G::Word::bit(step.from)).any();
        // Without kings every move is a man move, which resets all counters.
        let draws = if state.kings.is_zero() {
            DrawCounters::default()
        } else {
            self.draws.follow(&generator.spec().draws, &self.state, step, &state)
        };
        Self {
            key: self.key_after(step),
            sum: evaluation.after(self.sum, &self.state, step),
            draws,
            reversible: if king_moves { self.reversible + 1 } else { 0 },
            state,
        }
    }

    /// Returns the key of the position after a move.
    pub(super) fn key_after(&self, step: &Step<G>) -> u64 {
        key_after(self.key, &self.state, step)
    }

    /// Returns true if the position has occurred before or a limit of the draw rules is reached. `keys` ends with the key
    /// of this node.
    pub(super) fn is_draw(&self, keys: &[u64], generator: &dyn Generator<G>) -> bool {
        // A position recurs after four plies at the earliest, and always with the same side to move.
        let earlier = keys.iter().rev().take(self.reversible + 1).skip(4).step_by(2);
        // The first recurrence counts as a draw already: a side that can repeat once can repeat again.
        self.reversible >= 4 && earlier.into_iter().any(|&key| key == self.key)
            || self.state.kings.any() && self.draws.is_draw(&generator.spec().draws, &self.state)
    }
}

/// The search window: the search must be exact for scores strictly between alpha and beta.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Returns true if the score is known.
    pub(super) const fn is_exact(self) -> bool {
        self.alpha == self.beta
    }

    pub(super) const fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Returns the same window from the point of view of the other side.
    pub(super) const fn negated(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Returns the relation of the true score to a result of a search with this window.
    pub(super) fn bound_of(self, value: i32) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if value > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Returns the stored score if it cuts off a node with this window and depth.
    pub(super) fn cutoff(self, entry: Entry, depth: i32, ply: usize) -> Option<i32> {
        // Converted before it is compared: near the end of a game, the ply decides whether a bound reaches the window.
        let value = from_table(i32::from(entry.score), ply);
        let cuts_off = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= self.beta,
            Bound::Upper => value <= self.alpha,
        };
        (i32::from(entry.depth) >= depth && cuts_off).then_some(value)
    }
}

/// Converts a score for the table, where distances to the end count from the position instead of from the root.
pub(super) fn to_table(value: i32, ply: usize) -> i32 {
    if value > Score::MAX_UNKNOWN {
        value + ply as i32
    } else if value < -Score::MAX_UNKNOWN {
        value - ply as i32
    } else {
        value
    }
}

/// Converts a score from the table back: the inverse of [`to_table`].
pub(super) fn from_table(value: i32, ply: usize) -> i32 {
    if value > Score::MAX_UNKNOWN {
        value - ply as i32
    } else if value < -Score::MAX_UNKNOWN {
        value + ply as i32
    } else {
        value
    }
}
