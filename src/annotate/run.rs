//! Work on several threads, with results in the order of the inputs.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::error::{Error, Result};

/// Pending games per thread: being annotated, waiting to be, or waiting for an earlier one. Enough that no thread waits
/// for the one with the longest game.
const PENDING_PER_JOB: usize = 16;

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
    work: Arc<Work<I, O>>,
    /// Empty if the work is done on the calling thread.
    threads: Vec<JoinHandle<()>>,
    /// `None` once the run is closed.
    inputs: Option<Sender<(usize, I)>>,
    /// Never locked: it lets other threads hold a reference to the run.
    results: Mutex<Results<O>>,
    is_closed: Arc<AtomicBool>,
    added: usize,
    /// Number of results that were returned.
    returned: usize,
}

type Work<I, O> = dyn Fn(I) -> O + Send + Sync;

/// A result with its number. A panic is an error.
type Numbered<O> = (usize, thread::Result<O>);

struct Results<O> {
    done: Receiver<Numbered<O>>,
    /// Results that came before an earlier one, by number.
    early: BTreeMap<usize, thread::Result<O>>,
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
        let ((inputs, waiting), (done, results)) = (channel::<(usize, I)>(), channel());
        let (waiting, is_closed) = (Arc::new(Mutex::new(waiting)), Arc::new(AtomicBool::new(false)));
        let work: Arc<Work<I, O>> = Arc::new(work);
        let begin = |_| {
            let (work, waiting) = (Arc::clone(&work), Arc::clone(&waiting));
            let (done, is_closed) = (done.clone(), Arc::clone(&is_closed));
            thread::Builder::new().spawn(move || {
                let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((number, input)) = next() {
                    // Inputs that wait are dropped with the run.
                    if is_closed.load(Ordering::Relaxed) || done.send((number, result(&*work, input))).is_err() {
                        return;
                    }
                }
            })
        };
        let threads: io::Result<Vec<_>> = (0..threads).map(begin).collect();
        let threads = threads.map_err(|error| Error::unavailable(format!("cannot start threads: {error}")))?;
        let results = Mutex::new(Results { done: results, early: BTreeMap::new() });
        Ok(Self { work, threads, inputs: Some(inputs), results, is_closed, added: 0, returned: 0 })
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
        let inputs = self.inputs.as_ref().filter(|_| !self.threads.is_empty());
        if let Some(inputs) = inputs {
            // The threads receive inputs until the run is closed.
            let _ = inputs.send((self.added, input));
            self.added += 1;
        } else {
            let result = result(&*self.work, input);
            self.finish(result);
        }
    }

    /// Adds a result that needs no work; it comes after those of earlier inputs.
    pub(crate) fn pass(&mut self, output: O) {
        self.finish(Ok(output));
    }

    fn finish(&mut self, result: thread::Result<O>) {
        self.results.get_mut().unwrap_or_else(PoisonError::into_inner).early.insert(self.added, result);
        self.added += 1;
    }

    /// Returns the next result if it is ready.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub(crate) fn ready(&mut self) -> Option<O> {
        self.take(|results| results.try_recv().ok())
    }

    /// Waits for the next result; `None` if there are no more.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub fn wait(&mut self) -> Option<O> {
        self.take(|results| results.recv().ok())
    }

    /// Waits for the next result until no result arrives for this long; `None` if it is not ready by then or there are no more.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub fn wait_for(&mut self, time: Duration) -> Option<O> {
        self.take(|results| results.recv_timeout(time).ok())
    }

    /// Returns the next result; `receive` returns results in any order, or `None` to give up.
    fn take(&mut self, receive: impl Fn(&Receiver<Numbered<O>>) -> Option<Numbered<O>>) -> Option<O> {
        if self.pending() == 0 {
            return None;
        }
        let Results { done, early } = self.results.get_mut().unwrap_or_else(PoisonError::into_inner);
        let result = loop {
            match early.remove(&self.returned) {
                Some(result) => break result,
                None => early.extend([receive(done)?]),
            }
        };
        self.returned += 1;
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }

    /// Waits for the threads to end. Inputs whose work has not begun are dropped.
    pub(crate) fn join(mut self) {
        self.close();
        for thread in self.threads.drain(..) {
            // Its panics are passed on with the results.
            let _ = thread.join();
        }
    }
}

impl<I, O> BatchRun<I, O> {
    fn close(&mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.inputs = None;
    }
}

impl<I, O> Drop for BatchRun<I, O> {
    /// Makes the threads end after the work they have begun.
    fn drop(&mut self) {
        self.close();
    }
}

fn result<I, O>(work: &Work<I, O>, input: I) -> thread::Result<O> {
    catch_unwind(AssertUnwindSafe(|| work(input)))
}

#[cfg(test)]
mod tests {
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
