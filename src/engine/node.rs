//! Positions on the way down, and between which scores the search must tell the truth.

use super::evaluation::{Evaluate, Sum};
use super::generator::Generator;
use super::score::Score;
use super::table::{Bound, Entry};
use crate::board::{Geometry, Word};
use crate::rules::{DrawCounters, State, Step, key_after, position_key};

/// A position on the way down.
#[derive(Clone, Copy)]
pub(super) struct Node<G: Geometry> {
    pub(super) state: State<G>,
    pub(super) key: u64,
    pub(super) sum: Sum,
    pub(super) draws: DrawCounters,
    /// Plies since the last capture or man move, as far as known.
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
        let king_moves = !step.is_capture() && (self.state.kings & G::Word::bit(step.from)).any();
        // Without kings every move is progress and all counts begin anew.
        let draws = if state.kings.is_zero() {
            DrawCounters::default()
        } else {
            self.draws.follow(&generator.spec().draws, &self.state, step, &state)
        };
        Self {
            key: key_after(self.key, &self.state, step),
            sum: evaluation.after(self.sum, &self.state, step),
            draws,
            reversible: if king_moves { self.reversible + 1 } else { 0 },
            state,
        }
    }

    /// Whether the position has been on the board before, or a limit of the draw rules is reached. `keys` ends with the
    /// node's own.
    pub(super) fn is_draw(&self, keys: &[u64], generator: &dyn Generator<G>) -> bool {
        // No position comes back in less than four plies, and then the same side is to move.
        let earlier = keys.iter().rev().take(self.reversible + 1).skip(4).step_by(2);
        self.reversible >= 4 && earlier.into_iter().any(|&key| key == self.key)
            || self.state.kings.any() && self.draws.is_draw(&generator.spec().draws, &self.state)
    }
}

/// Scores between which the search must tell the truth.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    pub(super) const fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// The same window from the other side's point of view.
    pub(super) const fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    pub(super) fn bound_of(self, value: i32) -> Bound {
        if value >= self.beta {
            Bound::AtLeast
        } else if value > self.alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        }
    }

    /// Returns the stored score, if it decides a node with this window and depth.
    pub(super) fn decided_by(self, entry: Entry, depth: i32, ply: usize) -> Option<i32> {
        let value = from_table(i32::from(entry.score), ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= self.beta,
            Bound::AtMost => value <= self.alpha,
        };
        (i32::from(entry.depth) >= depth && decides).then_some(value)
    }
}

/// Distances to the end are stored as seen from the position itself, not from the root.
pub(super) fn to_table(value: i32, ply: usize) -> i32 {
    if value > Score::LIMIT {
        value + ply as i32
    } else if value < -Score::LIMIT {
        value - ply as i32
    } else {
        value
    }
}

pub(super) fn from_table(value: i32, ply: usize) -> i32 {
    if value > Score::LIMIT {
        value - ply as i32
    } else if value < -Score::LIMIT {
        value + ply as i32
    } else {
        value
    }
}
