//! Tasks on several threads, with results in the order in which the tasks were started.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rayon::ScopeFifo;

/// The number of a task and its result, which is an error if the task panicked.
type Numbered<T> = (usize, thread::Result<T>);

/// Tasks of a scope of threads.
pub(super) struct Ordered<'a, 'scope, T> {
    scope: &'a ScopeFifo<'scope>,
    sender: Sender<Numbered<T>>,
    results: Receiver<Numbered<T>>,
    /// Results of tasks after one that is not done.
    early: BTreeMap<usize, thread::Result<T>>,
    started: usize,
    /// Number of results that were returned.
    returned: usize,
}

impl<'a, 'scope, T: Send + 'scope> Ordered<'a, 'scope, T> {
    pub(super) fn new(scope: &'a ScopeFifo<'scope>) -> Self {
        let (sender, results) = channel();
        Self { scope, sender, results, early: BTreeMap::new(), started: 0, returned: 0 }
    }

    /// Starts a task, or queues it until a thread is free.
    pub(super) fn start(&mut self, task: impl FnOnce() -> T + Send + 'scope) {
        let (number, sender) = (self.started, self.sender.clone());
        self.started += 1;
        self.scope.spawn_fifo(move |_| {
            // Without a receiver no result is wanted any more.
            let _ = sender.send((number, catch_unwind(AssertUnwindSafe(task))));
        });
    }

    /// Returns the number of tasks whose results were not returned.
    pub(super) const fn pending(&self) -> usize {
        self.started - self.returned
    }

    /// Returns the result of the oldest task if it is done.
    pub(super) fn ready(&mut self) -> Option<T> {
        self.early.extend(self.results.try_iter());
        self.take()
    }

    /// Waits for the result of the oldest task; `None` if there is no task.
    pub(super) fn wait(&mut self) -> Option<T> {
        while self.pending() > 0 && !self.early.contains_key(&self.returned) {
            let (number, result) = self.results.recv().ok()?;
            self.early.insert(number, result);
        }
        self.take()
    }

    fn take(&mut self) -> Option<T> {
        let result = self.early.remove(&self.returned)?;
        self.returned += 1;
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn pool() -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads")
    }

    #[test]
    fn results_come_in_order() {
        let results = pool().in_place_scope_fifo(|scope| {
            let mut tasks = Ordered::new(scope);
            for n in 0..50 {
                tasks.start(move || {
                    thread::sleep(Duration::from_millis((50 - n) % 7));
                    n
                });
            }
            assert_eq!(tasks.pending(), 50);
            let mut results: Vec<_> = std::iter::from_fn(|| tasks.ready()).collect();
            results.extend(std::iter::from_fn(|| tasks.wait()));
            assert_eq!((tasks.pending(), tasks.ready()), (0, None));
            results
        });
        assert!(results.into_iter().eq(0..50));
    }

    #[test]
    #[should_panic(expected = "a task")]
    fn panics_are_passed_on() {
        pool().in_place_scope_fifo(|scope| {
            let mut tasks = Ordered::new(scope);
            tasks.start(|| panic!("a task"));
            tasks.wait();
        });
    }
}
