//! The moves that threads are searching, so that other threads search other moves first.
//!
//! A simplified form of ABDADA (Weill 1996), as described by Kerrigan: a thread that comes to a move which another thread is
//! searching to the same depth postpones it; by then, its result may be in the transposition table.

use std::sync::atomic::{AtomicU64, Ordering};

/// Number of slots. A move whose slot is taken is not marked.
const SLOTS: usize = 1 << 12;

/// The moves being searched, each by the key of the position after it and by its depth.
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

    fn slot(&self, id: u64) -> &AtomicU64 {
        &self.0[(id >> 40) as usize % SLOTS]
    }

    /// Marks a move; `None` if its slot is taken.
    pub(super) fn mark(&self, key: u64, depth: i32) -> Option<Mark<'_>> {
        let id = id(key, depth);
        let slot = self.slot(id);
        let is_free = slot.compare_exchange(0, id, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        is_free.then(|| Mark(slot))
    }

    /// Returns true if a move is marked.
    pub(super) fn contains(&self, key: u64, depth: i32) -> bool {
        let id = id(key, depth);
        self.slot(id).load(Ordering::Relaxed) == id
    }
}

/// Identifies a move at a depth. 0 means an empty slot; no real move is likely to have it.
const fn id(key: u64, depth: i32) -> u64 {
    key ^ depth as u64
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
