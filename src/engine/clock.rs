//! What ends a search before its depth.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::limits::Limits;

/// Positions between two looks at the clock and the flags.
const INTERVAL: u64 = 1024;

/// What the threads of one search tell each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals {
    /// Set from outside: the search is no longer wanted.
    pub(super) stop: Arc<AtomicBool>,
    /// Set when the leading thread has finished: the others are no longer needed.
    pub(super) finished: Arc<AtomicBool>,
    /// Positions visited by all threads, told in steps of [`INTERVAL`].
    pub(super) visited: Arc<AtomicU64>,
}

/// Limits, the clock and the flags, as one thread sees them.
pub(super) struct Clock {
    most_nodes: u64,
    started: Instant,
    /// Time after which the search is cut.
    most_time: Option<Duration>,
    signals: Signals,
    /// Positions that this thread visited.
    nodes: u64,
    pub(super) stopped: bool,
}

impl Clock {
    pub(super) fn start(limits: &Limits, signals: Signals) -> Self {
        Self {
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            started: Instant::now(),
            most_time: limits.budget().map(|budget| budget.most),
            signals,
            nodes: 0,
            stopped: false,
        }
    }

    /// Counts a position; returns whether the search must end. Once it must, nothing is counted any more.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        self.stopped = self.nodes >= self.most_nodes;
        if self.nodes.is_multiple_of(INTERVAL) {
            self.look();
        }
        self.stopped
    }

    #[cold]
    fn look(&mut self) {
        let Signals { stop, finished, visited } = &self.signals;
        let all = visited.fetch_add(INTERVAL, Ordering::Relaxed) + INTERVAL;
        let late = self.most_time.is_some_and(|most| self.elapsed() >= most);
        self.stopped |= late || all >= self.most_nodes;
        self.stopped |= stop.load(Ordering::Relaxed) || finished.load(Ordering::Relaxed);
    }

    /// Time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Positions visited by all threads, as far as they told of them.
    pub(super) fn all_nodes(&self) -> u64 {
        self.signals.visited.load(Ordering::Relaxed) + self.nodes % INTERVAL
    }
}
