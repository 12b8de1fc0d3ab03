//! A batch on several threads, with results in the order of the games.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::batch::Batch;
use crate::error::{Error, Result};

/// Pending games per thread: being annotated, waiting to be, or waiting for an earlier one. Enough that no thread waits
/// for the one with the longest game.
const PENDING_PER_JOB: usize = 16;

/// The annotation of the games of a [`Batch`], in order: on several threads, or on the calling one.
///
/// Games are added as inputs of any type. On a thread, `work` has the batch annotate the game in an input, and turns
/// the outcome into a result.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::sync::Arc;
///
/// use pdn::annotate::{AnalystPool, AnnotateOptions, Batch, BatchOptions, BatchRun};
/// use pdn::check::{CheckOptions, reviews};
/// use pdn::engine::{EngineOptions, Limit};
///
/// let analysts = AnalystPool::built_in(EngineOptions::default().with_hash_mb(4));
/// let batch = Arc::new(Batch::new(analysts, BatchOptions::new(AnnotateOptions::new(Limit::depth(3)))));
/// let mut run = BatchRun::new(batch, NonZeroUsize::MIN, |batch, review| batch.annotate(review))?;
/// let mut evaluated = 0;
/// for review in reviews(b"1. 32-28 19-23 *\n\n1. 33-29 *", CheckOptions::default()) {
///     while !run.has_room() {
///         evaluated += run.wait().map_or(0, |game| game.unwrap().annotations().len());
///     }
///     run.add(review);
/// }
/// while let Some(game) = run.wait() {
///     evaluated += game?.annotations().len();
/// }
/// assert_eq!(evaluated, 3);
/// # Ok::<(), pdn::Error>(())
/// ```
pub struct BatchRun<I, O> {
    shared: Arc<Shared<I, O>>,
    /// Empty if the work is done on the calling thread.
    threads: Vec<JoinHandle<()>>,
    added: usize,
    /// Number of results that were returned.
    returned: usize,
}

struct Shared<I, O> {
    batch: Arc<Batch>,
    work: Box<Work<I, O>>,
    state: Mutex<State<I, O>>,
    /// Notified when an input is waiting, or there will be no more.
    waiting: Condvar,
    /// Notified when a result is ready.
    ready: Condvar,
}

type Work<I, O> = dyn Fn(&Batch, I) -> O + Send + Sync;

struct State<I, O> {
    inputs: VecDeque<(usize, I)>,
    /// Results by number, including those after one that is not ready. A panic is an error.
    results: BTreeMap<usize, thread::Result<O>>,
    is_closed: bool,
}

impl<I, O> fmt::Debug for BatchRun<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchRun").field("threads", &self.threads.len()).finish_non_exhaustive()
    }
}

impl<I: Send + 'static, O: Send + 'static> BatchRun<I, O> {
    /// Begins a run with this number of jobs. With one job, or without the feature `parallel`, the work is done on the calling
    /// thread when an input is added.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    pub fn new(
        batch: Arc<Batch>,
        jobs: NonZeroUsize,
        work: impl Fn(&Batch, I) -> O + Send + Sync + 'static,
    ) -> Result<Self> {
        let threads = if cfg!(feature = "parallel") && jobs > NonZeroUsize::MIN { jobs.get() } else { 0 };
        Self::with_threads(batch, threads, work)
    }

    /// Begins a run with this number of other threads, even a single one, so that the calling thread is never blocked
    /// for long.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    #[cfg(feature = "parallel")]
    pub fn in_background(
        batch: Arc<Batch>,
        threads: NonZeroUsize,
        work: impl Fn(&Batch, I) -> O + Send + Sync + 'static,
    ) -> Result<Self> {
        Self::with_threads(batch, threads.get(), work)
    }

    fn with_threads(
        batch: Arc<Batch>,
        threads: usize,
        work: impl Fn(&Batch, I) -> O + Send + Sync + 'static,
    ) -> Result<Self> {
        let state = State { inputs: VecDeque::new(), results: BTreeMap::new(), is_closed: false };
        let (waiting, ready) = (Condvar::new(), Condvar::new());
        let shared = Arc::new(Shared { batch, work: Box::new(work), state: Mutex::new(state), waiting, ready });
        let mut run = Self { shared, threads: Vec::with_capacity(threads), added: 0, returned: 0 };
        for _ in 0..threads {
            let shared = Arc::clone(&run.shared);
            let thread = thread::Builder::new().spawn(move || shared.work_on());
            run.threads.push(thread.map_err(|error| Error::unavailable(format!("cannot start threads: {error}")))?);
        }
        Ok(run)
    }

    /// Returns the number of inputs whose results have not been returned yet.
    pub const fn pending(&self) -> usize {
        self.added - self.returned
    }

    /// Returns true if another input can be added without having too many in memory.
    pub fn has_room(&self) -> bool {
        // Without threads the result of one input is ready when it is added.
        self.pending() < (self.threads.len() * PENDING_PER_JOB).max(1)
    }

    /// Adds an input.
    pub fn add(&mut self, input: I) {
        if self.threads.is_empty() {
            let result = self.shared.result(input);
            return self.finish(result);
        }
        self.shared.lock().inputs.push_back((self.added, input));
        self.added += 1;
        self.shared.waiting.notify_one();
    }

    /// Adds a result that needs no work; it comes after those of earlier inputs.
    pub fn pass(&mut self, output: O) {
        self.finish(Ok(output));
    }

    fn finish(&mut self, result: thread::Result<O>) {
        self.shared.lock().results.insert(self.added, result);
        self.added += 1;
    }

    /// Returns the next result if it is ready.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub(crate) fn ready(&mut self) -> Option<O> {
        self.take(|_, state| state)
    }

    /// Waits for the next result; `None` if there are no more.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub fn wait(&mut self) -> Option<O> {
        let (next, end) = (self.returned, self.added);
        self.take(|shared, state| {
            let is_pending = |state: &mut State<I, O>| next < end && !state.results.contains_key(&next);
            shared.ready.wait_while(state, is_pending).unwrap_or_else(PoisonError::into_inner)
        })
    }

    /// Waits at most this long for the next result; `None` if it is not ready by then or there are no more.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub fn wait_for(&mut self, time: Duration) -> Option<O> {
        let (next, end) = (self.returned, self.added);
        self.take(|shared, state| {
            let is_pending = |state: &mut State<I, O>| next < end && !state.results.contains_key(&next);
            shared.ready.wait_timeout_while(state, time, is_pending).unwrap_or_else(PoisonError::into_inner).0
        })
    }

    fn take(
        &mut self,
        wait: impl for<'a> FnOnce(&'a Shared<I, O>, MutexGuard<'a, State<I, O>>) -> MutexGuard<'a, State<I, O>>,
    ) -> Option<O> {
        let mut state = wait(&self.shared, self.shared.lock());
        let result = state.results.remove(&self.returned)?;
        self.returned += 1;
        drop(state);
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }

    /// Waits for the threads to end. Inputs whose work has not begun are dropped.
    pub(crate) fn join(mut self) {
        self.shared.close();
        for thread in self.threads.drain(..) {
            // Its panics are passed on with the results.
            let _ = thread.join();
        }
    }
}

impl<I, O> Drop for BatchRun<I, O> {
    /// Makes the threads end after the work they have begun.
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl<I, O> Shared<I, O> {
    fn lock(&self) -> MutexGuard<'_, State<I, O>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.inputs.clear();
        drop(state);
        self.waiting.notify_all();
    }

    fn result(&self, input: I) -> thread::Result<O> {
        catch_unwind(AssertUnwindSafe(|| (self.work)(&self.batch, input)))
    }

    /// Works until nothing is left.
    fn work_on(&self) {
        loop {
            let is_idle = |state: &mut State<I, O>| state.inputs.is_empty() && !state.is_closed;
            let mut state = self.waiting.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
            let Some((number, input)) = state.inputs.pop_front() else { return };
            drop(state);
            let result = self.result(input);
            self.lock().results.insert(number, result);
            self.ready.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::{AnalystPool, AnnotateOptions, BatchOptions};
    use crate::engine::{EngineOptions, Limit};

    fn batch() -> Arc<Batch> {
        let analysts = AnalystPool::built_in(EngineOptions::default());
        Arc::new(Batch::new(analysts, BatchOptions::new(AnnotateOptions::new(Limit::depth(1)))))
    }

    #[test]
    fn results_come_in_order() {
        for threads in [0, 1, 4] {
            let mut run = BatchRun::with_threads(batch(), threads, |_, n: u64| {
                // Later inputs are often ready before earlier ones.
                thread::sleep(Duration::from_millis((50 - n) % 7));
                n
            })
            .expect("threads");
            for n in 0..50 {
                if n % 10 == 0 {
                    run.pass(1000 + n);
                }
                run.add(n);
            }
            assert_eq!((run.pending(), run.has_room()), (55, threads == 4));
            let mut results: Vec<_> = run.wait_for(Duration::from_mins(1)).into_iter().collect();
            results.extend(std::iter::from_fn(|| run.ready()));
            results.extend(std::iter::from_fn(|| run.wait()));
            assert_eq!((run.pending(), run.ready(), run.wait_for(Duration::from_mins(1))), (0, None, None));
            let (passed, worked): (Vec<u64>, Vec<u64>) = results.iter().partition(|n| **n >= 1000);
            assert!(worked.into_iter().eq(0..50) && passed == [1000_u64, 1010, 1020, 1030, 1040]);
            assert_eq!(results.iter().position(|n| *n == 1010), Some(11));
            run.join();
        }
    }

    #[test]
    fn inputs_that_wait_are_dropped_at_the_end() {
        let mut run = BatchRun::with_threads(batch(), 1, |_, n: u64| n).expect("a thread");
        (0..100).for_each(|n| run.add(n));
        assert_eq!(run.wait(), Some(0));
        run.join();
    }

    #[test]
    #[should_panic(expected = "a game")]
    fn panics_are_passed_on() {
        let mut run = BatchRun::with_threads(batch(), 2, |_, ()| -> u64 { panic!("a game") }).expect("threads");
        run.add(());
        run.wait();
    }
}
