//! Decides when a search stops before it reaches its depth.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::limit::Limit;

// At 5 to 8 million nodes a second, the clock is read every 0.2 ms or less often.
/// Nodes between two checks of the time and the flags.
const INTERVAL: u64 = 1024;

/// The clock set by [`set_clock`].
static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Sets the clock of the whole process for searches with a limit on time, where the standard library has none, as in a
/// browser: a function that returns the time since any fixed moment. Only the first call counts.
pub fn set_clock(clock: fn() -> Duration) {
    // A clock set earlier is kept.
    let _ = CLOCK.set(clock);
}

/// Returns the time since a moment that is the same for the whole process.
fn now() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    CLOCK.get().map_or_else(|| FIRST.get_or_init(Instant::now).elapsed(), |clock| clock())
}

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
    /// Start of a search with a limit on time. Other searches read no clock, since not every platform has one.
    started: Option<Duration>,
    /// Time after which the search is interrupted.
    max_time: Option<Duration>,
    signals: Signals,
    /// Nodes visited by this thread.
    nodes: u64,
    pub(super) stopped: bool,
}

impl Clock {
    pub(super) fn start(limit: Limit, signals: Signals) -> Self {
        let max_time = limit.budget().map(|budget| budget.maximum);
        Self {
            max_nodes: limit.nodes.unwrap_or(u64::MAX),
            started: max_time.map(|_| now()),
            max_time,
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
        // Compared at every node, not once in an interval: with one thread a limit on nodes is exact, and results
        // repeat.
        self.stopped = self.nodes >= self.max_nodes;
        if self.nodes.is_multiple_of(INTERVAL) {
            self.check();
        }
        self.stopped
    }

    #[cold]
    fn check(&mut self) {
        let Signals { stop, finished, visited } = &self.signals;
        // Relaxed, because no other memory depends on the counter and the flags: a thread that sees them late only
        // searches a few more nodes.
        let all = visited.fetch_add(INTERVAL, Ordering::Relaxed) + INTERVAL;
        let late = self.max_time.is_some_and(|maximum| self.elapsed() >= maximum);
        self.stopped |= late || all >= self.max_nodes;
        self.stopped |= stop.load(Ordering::Relaxed) || finished.load(Ordering::Relaxed);
    }

    /// Returns the time since the start, zero in a search without a limit on time.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.map(|started| now().saturating_sub(started)).unwrap_or_default()
    }

    /// Returns the number of nodes visited by all threads, to within [`INTERVAL`] nodes for each helper thread.
    pub(super) fn all_nodes(&self) -> u64 {
        // The full intervals of this thread are in the shared counter already.
        self.signals.visited.load(Ordering::Relaxed) + self.nodes % INTERVAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_limit_on_time_reads_the_clock() {
        let starts = |limit| Clock::start(limit, Signals::default()).started.is_some();
        assert!(!starts(Limit { nodes: Some(100), ..Limit::depth(5) }) && !starts(Limit::none()));
        assert!(starts(Limit::time(Duration::from_secs(1))) && starts("clock 60+1".parse().expect("a limit")));
    }
}
