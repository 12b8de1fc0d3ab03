//! Work on several threads, with results in the order of the inputs.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};
#[cfg(any(test, feature = "annotate"))]
use std::time::Duration;

#[cfg(feature = "parallel")]
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::error::{Error, Result};

/// Maps values, in parallel if possible, and returns the results in order.
pub(crate) fn map<T: Send, U: Send>(items: Vec<T>, work: impl Fn(T) -> U + Send + Sync) -> Vec<U> {
    #[cfg(feature = "parallel")]
    let items = items.into_par_iter();
    #[cfg(not(feature = "parallel"))]
    let items = items.into_iter();
    items.map(work).collect()
}

/// Inputs for threads, and results in the order of the inputs.
///
/// Inputs are added by any thread, [`run`](Self::run) or the threads that call [`work`](Self::work) turn them into results,
/// and one thread takes these. Memory is bounded if the thread that adds inputs waits for room, as [`feed`](Self::feed) does.
pub(crate) struct OrderedPool<I, O> {
    state: Mutex<State<I, O>>,
    /// Notified when an input is waiting, or there will be no more.
    waiting: Condvar,
    /// Notified when the next result is ready, or there are no more.
    ready: Condvar,
    /// Notified when there is room for another input.
    room: Condvar,
    /// Weight of the inputs in the pool from which on it has no room for another one.
    capacity: usize,
}

struct State<I, O> {
    inputs: VecDeque<(usize, I)>,
    /// Results by number, including those after one that is not ready. A panic is an error.
    results: BTreeMap<usize, thread::Result<O>>,
    /// Number of results that were taken.
    taken: usize,
    /// The weights of the inputs whose results were not taken, and their sum.
    weights: VecDeque<usize>,
    weight: usize,
    is_complete: bool,
    is_stopped: bool,
}

impl<I, O> fmt::Debug for OrderedPool<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrderedPool").field("capacity", &self.capacity).finish_non_exhaustive()
    }
}

impl<I, O> OrderedPool<I, O> {
    /// Returns a pool with room for another input while those in it, from being added until their results are taken, weigh less
    /// than this.
    pub(crate) fn new(capacity: usize) -> Self {
        let state = State {
            inputs: VecDeque::new(),
            results: BTreeMap::new(),
            taken: 0,
            weights: VecDeque::new(),
            weight: 0,
            is_complete: false,
            is_stopped: false,
        };
        let (waiting, ready, room) = (Condvar::new(), Condvar::new(), Condvar::new());
        Self { state: Mutex::new(state), waiting, ready, room, capacity }
    }

    fn lock(&self) -> MutexGuard<'_, State<I, O>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an input.
    pub(crate) fn add(&self, input: I, weight: usize) {
        let mut state = self.lock();
        let number = state.number(weight);
        state.inputs.push_back((number, input));
        self.waiting.notify_one();
    }

    /// Adds a result that needs no thread; it comes after those of the inputs added before. A panic is passed on when it is taken.
    pub(crate) fn pass(&self, result: thread::Result<O>, weight: usize) {
        let mut state = self.lock();
        let number = state.number(weight);
        state.results.insert(number, result);
        self.ready.notify_one();
    }

    /// Adds inputs with their weights whenever there is room, until the work is stopped, and completes them. If the iterator
    /// panics, the panic is the last result.
    pub(crate) fn feed(&self, inputs: impl Iterator<Item = (I, usize)>) {
        let add_all = || {
            for (input, weight) in inputs {
                self.add(input, weight);
                let is_full = |state: &mut State<I, O>| state.weight >= self.capacity && !state.is_stopped;
                if self.room.wait_while(self.lock(), is_full).unwrap_or_else(PoisonError::into_inner).is_stopped {
                    break;
                }
            }
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(add_all)) {
            self.pass(Err(panic), 0);
        }
        self.complete();
    }

    /// Declares that nothing more will be added.
    pub(crate) fn complete(&self) {
        self.lock().is_complete = true;
        self.waiting.notify_all();
        self.ready.notify_all();
    }

    /// Stops the work: inputs that wait are dropped, and there are no more results.
    pub(crate) fn stop(&self) {
        let mut state = self.lock();
        state.is_stopped = true;
        // Dropped outside the lock, since inputs may have much to drop.
        let inputs = std::mem::take(&mut state.inputs);
        drop(state);
        drop(inputs);
        self.waiting.notify_all();
        self.ready.notify_all();
        self.room.notify_all();
    }

    /// Returns the number of inputs whose results have not been taken.
    #[cfg(any(test, feature = "annotate"))]
    pub(crate) fn pending(&self) -> usize {
        self.lock().weights.len()
    }

    /// Returns true if another input can be added without having too many in memory.
    pub(crate) fn has_room(&self) -> bool {
        self.lock().weight < self.capacity
    }

    /// Works on inputs until there are no more or the work is stopped.
    pub(crate) fn work(&self, mut work: impl FnMut(I) -> O) {
        let is_idle = |state: &mut State<I, O>| state.inputs.is_empty() && !state.is_complete && !state.is_stopped;
        loop {
            let mut state = self.waiting.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
            let Some((number, input)) = state.inputs.pop_front() else { return };
            drop(state);
            let result = catch_unwind(AssertUnwindSafe(|| work(input)));
            let mut state = self.lock();
            state.results.insert(number, result);
            // Nothing can be done with any other result yet, so no thread is woken up for it.
            if number == state.taken {
                self.ready.notify_one();
            }
        }
    }

    /// Waits for the next result; `None` if there are no more or the work is stopped.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub(crate) fn wait(&self) -> Option<O> {
        self.take(
            self.ready.wait_while(self.lock(), |state| state.is_awaited()).unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// Waits at most this long for the next result; `None` if it is not ready by then.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    #[cfg(any(test, feature = "annotate"))]
    pub(crate) fn wait_for(&self, time: Duration) -> Option<O> {
        let waited = self.ready.wait_timeout_while(self.lock(), time, |state| state.is_awaited());
        self.take(waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    fn take(&self, mut state: MutexGuard<'_, State<I, O>>) -> Option<O> {
        let next = state.taken;
        let result = state.results.remove(&next).filter(|_| !state.is_stopped)?;
        state.taken += 1;
        state.weight -= state.weights.pop_front().unwrap_or_default();
        // Not for each result: waking up the thread that adds inputs costs time.
        if state.weight <= self.capacity / 2 {
            self.room.notify_one();
        }
        drop(state);
        Some(result.unwrap_or_else(|panic: Box<dyn Any + Send>| resume_unwind(panic)))
    }

    /// Works with a thread for each worker, and passes the results to `consume`, on the calling thread, until it breaks.
    ///
    /// # Errors
    ///
    /// If threads cannot be started, or if `consume` fails, which stops the work.
    ///
    /// # Panics
    ///
    /// Panics if the work did.
    pub(crate) fn run<W: Send>(
        &self,
        workers: Vec<W>,
        work: impl Fn(&mut W, I) -> O + Sync,
        mut consume: impl FnMut(O) -> Result<ControlFlow<()>>,
    ) -> Result<()>
    where
        I: Send,
        O: Send,
    {
        thread::scope(|scope| {
            // A guard, because the scope waits for the threads after an error or a panic, too.
            let _stop = Stop(self);
            for mut worker in workers {
                let work = &work;
                let thread = move || self.work(|input| work(&mut worker, input));
                Builder::new().spawn_scoped(scope, thread).map_err(no_threads)?;
            }
            while let Some(result) = self.wait() {
                if consume(result)?.is_break() {
                    break;
                }
            }
            Ok(())
        })
    }
}

impl<I, O> State<I, O> {
    /// Returns the number of another input.
    fn number(&mut self, weight: usize) -> usize {
        self.weights.push_back(weight);
        self.weight += weight;
        self.taken + self.weights.len() - 1
    }

    /// Returns true if the next result is not ready but will be.
    fn is_awaited(&self) -> bool {
        let is_over = self.is_stopped || self.is_complete && self.weights.is_empty();
        !is_over && !self.results.contains_key(&self.taken)
    }
}

/// Stops the work when it is dropped.
struct Stop<'a, I, O>(&'a OrderedPool<I, O>);

impl<I, O> Drop for Stop<'_, I, O> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Inputs in a pool per thread: being worked on, waiting to be, or waiting for an earlier one. Enough that no thread waits for the
/// one with the longest game.
#[cfg(any(feature = "annotate", feature = "arena"))]
pub(crate) const PENDING_PER_JOB: usize = 16;

/// Works on inputs with a thread for each worker, and passes the results to `consume` in the order of the inputs, on the calling
/// thread, until it breaks.
///
/// # Errors
///
/// Returns the first error of `work` in the order of the inputs, or an error of `consume`.
///
/// # Panics
///
/// Panics if the work did.
#[cfg(feature = "arena")]
pub(crate) fn work_in_order<I: Send, O: Send, W: Send>(
    mut inputs: impl Iterator<Item = I>,
    workers: Vec<W>,
    work: impl Fn(&mut W, I) -> Result<O> + Sync,
    mut consume: impl FnMut(O) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let pool = OrderedPool::new(workers.len() * PENDING_PER_JOB);
    let mut fill = || {
        while pool.has_room() {
            match inputs.next() {
                Some(input) => pool.add(input, 1),
                None => return pool.complete(),
            }
        }
    };
    fill();
    pool.run(workers, work, |result| {
        fill();
        consume(result?)
    })
}

/// Returns the error for threads that cannot be started.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn no_threads(error: std::io::Error) -> Error {
    Error::unavailable(format!("cannot start threads: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Later inputs are often ready before earlier ones.
    fn slowly(n: u64) -> u64 {
        thread::sleep(Duration::from_millis((50 - n) % 7));
        n
    }

    #[test]
    fn results_come_in_order_within_bounds() {
        for threads in [1, 4] {
            let pool = OrderedPool::new(8);
            let mut results = Vec::new();
            thread::scope(|scope| {
                scope.spawn(|| pool.feed((0..50).map(|n| (n, 2))));
                let consume = |n| {
                    assert!(pool.pending() <= 4, "four inputs have a weight of 8");
                    results.push(n);
                    Ok(ControlFlow::Continue(()))
                };
                pool.run(vec![(); threads], |(), n| slowly(n), consume).expect("threads");
            });
            assert!(results.into_iter().eq(0..50) && pool.has_room());
        }
    }

    #[test]
    fn results_that_need_no_work_keep_their_place() {
        let pool = OrderedPool::new(100);
        for n in 0..20 {
            pool.pass(Ok(1000 + n), 1);
            pool.add(n, 1);
        }
        assert_eq!((pool.pending(), pool.wait_for(Duration::ZERO)), (40, Some(1000)));
        assert_eq!(pool.wait_for(Duration::from_millis(1)), None, "no thread works");
        pool.complete();
        pool.work(slowly);
        let rest: Vec<_> = std::iter::from_fn(|| pool.wait()).collect();
        assert!(rest.into_iter().eq((0..40).skip(1).map(|n| if n % 2 == 0 { 1000 + n / 2 } else { n / 2 })));
    }

    #[test]
    fn an_error_or_a_break_stops_the_work() {
        for fails in [false, true] {
            let pool = OrderedPool::new(usize::MAX);
            (0..1000).for_each(|n| pool.add(n, 1));
            let mut count = 0;
            let run = pool.run(
                vec![(); 2],
                |(), n| slowly(n % 50),
                |_| {
                    count += 1;
                    if fails { Err(Error::usage("enough")) } else { Ok(ControlFlow::Break(())) }
                },
            );
            assert_eq!((run.is_err(), count, pool.wait()), (fails, 1, None));
        }
    }

    #[test]
    fn panics_of_the_work_and_of_the_inputs_are_passed_on() {
        for inputs in [Some(7), None] {
            let pool = OrderedPool::new(1);
            let mut results = Vec::new();
            let run = || {
                pool.feed((0..20).map(|n| (if n == 7 { inputs.expect("an input") } else { n }, 0)));
                pool.run(
                    vec![(); 3],
                    |(), n| assert_ne!(n, 7),
                    |()| {
                        results.push(());
                        Ok(ControlFlow::Continue(()))
                    },
                )
            };
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
            assert_eq!(results.len(), 7);
        }
    }
}
