//! Move ordering.

use super::parameters::{MAX_HISTORY, MAX_HISTORY_BONUS};
use super::table::MoveHint;
use crate::board::{Geometry, Word};
use crate::rules::Step;

const SQUARES: usize = 128;
/// Rating of the best move of an earlier search.
const BEST: i32 = 1 << 28;
/// Rating of a capture, for each captured piece.
const CAPTURE: i32 = 1 << 20;
/// Rating of a move that another thread is searching: below all other ratings.
pub(super) const DEFERRED: i32 = -1 << 20;

/// The history of cut-offs by quiet moves, indexed by side, first and last square.
pub(super) struct History(Vec<i16>);

impl History {
    pub(super) fn new() -> Self {
        Self(vec![0; 2 * SQUARES * SQUARES])
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    fn index<G: Geometry>(side: usize, step: &Step<G>) -> usize {
        (side * SQUARES + usize::from(step.from)) * SQUARES + usize::from(step.to)
    }

    /// Fills `ratings` with a number for each move; moves with larger ratings are tried earlier.
    pub(super) fn rate<G: Geometry>(&self, side: usize, steps: &[Step<G>], best: MoveHint, ratings: &mut Vec<i32>) {
        ratings.clear();
        ratings.extend(steps.iter().map(|step| {
            if best.matches(step) {
                BEST
            } else if step.is_capture() {
                CAPTURE * step.captured.count() as i32
            } else {
                i32::from(self.0[Self::index(side, step)])
            }
        }));
    }

    /// Rewards a quiet move for a cut-off and penalises the moves before it in the order.
    pub(super) fn reward<G: Geometry>(&mut self, side: usize, depth: i32, step: &Step<G>, tried: &[Step<G>]) {
        let bonus = (depth * depth).clamp(1, MAX_HISTORY_BONUS);
        self.adjust(side, step, bonus);
        for other in tried {
            self.adjust(side, other, -bonus);
        }
    }

    fn adjust<G: Geometry>(&mut self, side: usize, step: &Step<G>, bonus: i32) {
        let value = &mut self.0[Self::index(side, step)];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
    }
}

/// Moves the best-rated of the moves from index `n` on to index `n`.
pub(super) fn pick<G: Geometry>(steps: &mut [Step<G>], ratings: &mut [i32], n: usize) {
    let (Some(&first), Some(rest)) = (ratings.get(n), ratings.get(n..)) else { return };
    let (mut best, mut highest) = (n, first);
    for (k, &rating) in (n..).zip(rest) {
        if rating > highest {
            (best, highest) = (k, rating);
        }
    }
    if best != n {
        steps.swap(n, best);
        ratings.swap(n, best);
    }
}
