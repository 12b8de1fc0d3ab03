//! What ends a search before its depth.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::limits::Limits;

/// Positions between two looks at the clock and the stop flag.
const INTERVAL: u64 = 1024;

/// Limits, the clock and the stop flag.
pub(super) struct Clock {
    pub(super) limits: Limits,
    started: Instant,
    flag: Arc<AtomicBool>,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
}

impl Clock {
    pub(super) fn start(limits: Limits, flag: Arc<AtomicBool>) -> Self {
        Self { limits, started: Instant::now(), flag, nodes: 0, stopped: false }
    }

    /// Counts a position; returns whether the search must end. Once it must, nothing is counted any more.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        self.stopped = self.limits.nodes.is_some_and(|most| self.nodes >= most);
        if self.nodes.is_multiple_of(INTERVAL) {
            let late = self.limits.time.is_some_and(|most| self.started.elapsed() >= most);
            self.stopped |= late || self.flag.load(Ordering::Relaxed);
        }
        self.stopped
    }
}
