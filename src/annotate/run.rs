//! Work on several threads, with results in the order of the inputs.

use std::fmt;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::error::Result;
use crate::pool::{OrderedPool, PENDING_PER_JOB, no_threads};

/// Work on inputs, such as the annotation of games, with results in order: on several threads, or on the calling one.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::annotate::{AnnotateOptions, BatchRun, EnginePool, GameAnnotator};
/// use pdn::check::{CheckOptions, reviews};
/// use pdn::engine::{EngineOptions, Limit};
///
/// let engines = EnginePool::built_in(EngineOptions::default().with_hash_mb(4));
/// let annotator = GameAnnotator::new(engines, AnnotateOptions::new(Limit::depth(3)));
/// let mut run = BatchRun::new(NonZeroUsize::MIN, move |review| annotator.annotate(review))?;
/// let mut evaluated = 0;
/// for review in reviews(b"1. 32-28 19-23 *\n\n1. 33-29 *", CheckOptions::default()) {
///     while !run.has_room() {
///         evaluated += run.wait().map_or(0, |game| game.annotations.len());
///     }
///     run.add(review);
/// }
/// while let Some(game) = run.wait() {
///     evaluated += game.annotations.len();
/// }
/// assert_eq!(evaluated, 3);
/// # Ok::<(), pdn::Error>(())
/// ```
pub struct BatchRun<I, O> {
    pool: Arc<OrderedPool<I, O>>,
    work: Arc<Work<I, O>>,
    /// Empty if the work is done on the calling thread.
    threads: Vec<JoinHandle<()>>,
}

type Work<I, O> = dyn Fn(I) -> O + Send + Sync;

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
    pub fn new(jobs: NonZeroUsize, work: impl Fn(I) -> O + Send + Sync + 'static) -> Result<Self> {
        let threads = if cfg!(feature = "parallel") && jobs > NonZeroUsize::MIN { jobs.get() } else { 0 };
        Self::with_threads(threads, work)
    }

    /// Begins a run with this number of other threads, even a single one, so that the calling thread is never blocked
    /// for long.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    #[cfg(feature = "parallel")]
    pub fn in_background(threads: NonZeroUsize, work: impl Fn(I) -> O + Send + Sync + 'static) -> Result<Self> {
        Self::with_threads(threads.get(), work)
    }

    fn with_threads(threads: usize, work: impl Fn(I) -> O + Send + Sync + 'static) -> Result<Self> {
        // Without threads, the result of one input is ready when it is added.
        let pool = Arc::new(OrderedPool::new((threads * PENDING_PER_JOB).max(1)));
        let mut run = Self { pool, work: Arc::new(work), threads: Vec::new() };
        for _ in 0..threads {
            let (pool, work) = (Arc::clone(&run.pool), Arc::clone(&run.work));
            let thread = Builder::new().spawn(move || pool.work(&*work)).map_err(no_threads)?;
            run.threads.push(thread);
        }
        Ok(run)
    }

    /// Returns the number of inputs whose results have not been returned yet.
    pub fn pending(&self) -> usize {
        self.pool.pending()
    }

    /// Returns true if another input can be added without having too many in memory.
    pub fn has_room(&self) -> bool {
        self.pool.has_room()
    }

    /// Adds an input.
    pub fn add(&mut self, input: I) {
        if self.threads.is_empty() {
            self.pool.pass(catch_unwind(AssertUnwindSafe(|| (self.work)(input))), 1);
        } else {
            self.pool.add(input, 1);
        }
    }

    /// Adds a result that needs no work; it comes after those of earlier inputs.
    pub(crate) fn pass(&mut self, output: O) {
        self.pool.pass(Ok(output), 1);
    }

    /// Returns the next result if it is ready.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub(crate) fn ready(&mut self) -> Option<O> {
        self.wait_for(Duration::ZERO)
    }

    /// Waits for the next result; `None` if there are no more.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub fn wait(&mut self) -> Option<O> {
        if self.pending() == 0 { None } else { self.pool.wait() }
    }

    /// Waits at most this long for the next result; `None` if it is not ready by then or there are no more.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub fn wait_for(&mut self, time: Duration) -> Option<O> {
        if self.pending() == 0 { None } else { self.pool.wait_for(time) }
    }

    /// Waits for the threads to end. Inputs whose work has not begun are dropped.
    pub(crate) fn join(mut self) {
        self.pool.stop();
        for thread in self.threads.drain(..) {
            // Its panics are passed on with the results.
            let _ = thread.join();
        }
    }
}

impl<I, O> Drop for BatchRun<I, O> {
    /// Makes the threads end after the work they have begun.
    fn drop(&mut self) {
        self.pool.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn results_come_in_order() {
        for threads in [0, 1, 4] {
            let mut run = BatchRun::with_threads(threads, |n: u64| {
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
        let mut run = BatchRun::with_threads(1, |n: u64| n).expect("a thread");
        (0..100).for_each(|n| run.add(n));
        assert_eq!(run.wait(), Some(0));
        run.join();
    }

    #[test]
    #[should_panic(expected = "a game")]
    fn panics_are_passed_on() {
        let mut run = BatchRun::with_threads(2, |()| -> u64 { panic!("a game") }).expect("threads");
        run.add(());
        run.wait();
    }
}
