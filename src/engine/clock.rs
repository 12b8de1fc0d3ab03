//! Decides when a search stops before it reaches its depth.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::limit::Limit;

/// Nodes between two checks of the time and the flags.
const INTERVAL: u64 = 1024;

/// State shared by the threads of one search.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals {
    /// Set from outside to cancel the search.
    pub(super) stop: Arc<AtomicBool>,
    /// Set when the main thread has finished, to stop the helper threads.
    pub(super) finished: Arc<AtomicBool>,
    /// Nodes visited by all threads, counted in steps of [`INTERVAL`].
    pub(super) visited: Arc<AtomicU64>,
}

/// The limits, the time and the flags as one thread sees them.
pub(super) struct Clock {
    max_nodes: u64,
    started: Instant,
    /// Time after which the search is interrupted.
    max_time: Option<Duration>,
    signals: Signals,
    /// Nodes visited by this thread.
    nodes: u64,
    pub(super) stopped: bool,
}

impl Clock {
    pub(super) fn start(limit: Limit, signals: Signals) -> Self {
        Self {
            max_nodes: limit.nodes.unwrap_or(u64::MAX),
            started: Instant::now(),
            max_time: limit.budget().map(|budget| budget.maximum),
            signals,
            nodes: 0,
            stopped: false,
        }
    }

    /// Counts a node and returns true if the search must stop. After that, nodes are no longer counted.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        self.stopped = self.nodes >= self.max_nodes;
        if self.nodes.is_multiple_of(INTERVAL) {
            self.check();
        }
        self.stopped
    }

    #[cold]
    fn check(&mut self) {
        let Signals { stop, finished, visited } = &self.signals;
        let all = visited.fetch_add(INTERVAL, Ordering::Relaxed) + INTERVAL;
        let late = self.max_time.is_some_and(|maximum| self.elapsed() >= maximum);
        self.stopped |= late || all >= self.max_nodes;
        self.stopped |= stop.load(Ordering::Relaxed) || finished.load(Ordering::Relaxed);
    }

    /// Returns the time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the number of nodes visited by all threads, to within [`INTERVAL`] nodes for each helper thread.
    pub(super) fn all_nodes(&self) -> u64 {
        self.signals.visited.load(Ordering::Relaxed) + self.nodes % INTERVAL
    }
}
