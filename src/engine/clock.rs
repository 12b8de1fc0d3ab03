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
    /// Set when the first thread has finished: the others are no longer needed.
    pub(super) finished: Arc<AtomicBool>,
    /// Positions visited by the other threads, as far as they told of them.
    pub(super) elsewhere: Arc<AtomicU64>,
}

/// Limits, the clock and the flags, as one thread sees them.
pub(super) struct Clock {
    most_nodes: u64,
    started: Instant,
    /// Time after which the search is cut.
    most_time: Option<Duration>,
    signals: Signals,
    /// Whether this thread decides when the search ends.
    leads: bool,
    /// Positions that this thread visited.
    nodes: u64,
    pub(super) stopped: bool,
}

impl Clock {
    /// Starts the clock of the thread that decides when the search ends.
    pub(super) fn leading(limits: &Limits, signals: Signals) -> Self {
        let most_time = limits.budget().map(|budget| budget.most);
        Self { most_nodes: limits.nodes.unwrap_or(u64::MAX), most_time, ..Self::following(signals) }.led()
    }

    /// Starts the clock of a thread that runs until another one has finished.
    pub(super) fn following(signals: Signals) -> Self {
        let (started, most_nodes) = (Instant::now(), u64::MAX);
        Self { most_nodes, started, most_time: None, signals, leads: false, nodes: 0, stopped: false }
    }

    fn led(self) -> Self {
        Self { leads: true, ..self }
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
        let signals = &self.signals;
        self.stopped |= signals.stop.load(Ordering::Relaxed) || signals.finished.load(Ordering::Relaxed);
        if self.leads {
            let late = self.most_time.is_some_and(|most| self.elapsed() >= most);
            self.stopped |= late || self.all_nodes() >= self.most_nodes;
        } else {
            signals.elsewhere.fetch_add(INTERVAL, Ordering::Relaxed);
        }
    }

    /// Time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Positions visited by all threads, as far as known.
    pub(super) fn all_nodes(&self) -> u64 {
        self.nodes + self.signals.elsewhere.load(Ordering::Relaxed)
    }
}
