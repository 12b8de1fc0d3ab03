//! The groups of chunks between the thread that fetches them and the one that consumes the results.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::super::{Output, Shared, UntypedWork};
use super::{Group, Step, each};
use crate::source::{Chunk, Input};

/// A worker's next task: a group and its number. Groups are numbered from 0, in the order of the inputs.
pub(super) enum Job {
    Read(usize, Group<Step<Shared>>),
    Finish(usize, Group<Step<(Output, u64)>>),
}

/// All groups that are fetched but not consumed.
pub(super) struct Queue {
    state: Mutex<State>,
    /// Notified when there is a job, or the work is over.
    job: Condvar,
    /// Notified when the next group is done, or there are no more.
    done: Condvar,
    /// Notified when there is room for another group.
    room: Condvar,
}

/// A group with its number, and the number of the first game of each chunk.
type Numbered = (usize, Group<Step<(Output, u64)>>);

struct State {
    /// Groups that are not read yet, and the number of the first.
    fetched: VecDeque<Group<(Arc<Input>, Chunk)>>,
    next_read: usize,
    /// What the chunks of the current input share.
    file: Option<Shared>,
    read: InOrder<Group<Step<Output>>>,
    /// Number of games so far in the current input.
    games: u64,
    /// Groups whose games are numbered.
    numbered: VecDeque<Numbered>,
    done: InOrder<Group<Output>>,
    /// The sizes of all groups in bytes, and their sum.
    sizes: VecDeque<usize>,
    size: usize,
    /// Maximum number of bytes in the queue before another group is added.
    most: usize,
    /// True if all groups are fetched.
    is_complete: bool,
    is_stopped: bool,
    panic: Option<Box<dyn Any + Send>>,
}

impl Queue {
    pub(super) fn new(most: usize) -> Self {
        let state = State {
            fetched: VecDeque::new(),
            next_read: 0,
            file: None,
            read: InOrder::new(),
            games: 0,
            numbered: VecDeque::new(),
            done: InOrder::new(),
            sizes: VecDeque::new(),
            size: 0,
            most,
            is_complete: false,
            is_stopped: false,
            panic: None,
        };
        Self { state: Mutex::new(state), job: Condvar::new(), done: Condvar::new(), room: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The panic of a worker ends the work through `stop`; the other threads need the state to end with it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a group and waits until there is room for another; returns false if no more is needed.
    pub(super) fn add(&self, group: Group<(Arc<Input>, Chunk)>, size: usize) -> bool {
        let mut state = self.lock();
        state.fetched.push_back(group);
        state.sizes.push_back(size);
        state.size += size;
        self.job.notify_one();
        let is_full = |state: &mut State| state.size >= state.most && !state.is_stopped;
        !self.room.wait_while(state, is_full).unwrap_or_else(PoisonError::into_inner).is_stopped
    }

    /// Declares that nothing more will be added.
    pub(super) fn complete(&self) {
        self.lock().is_complete = true;
        self.done.notify_all();
    }

    /// Ends the work, because of a panic if there is one.
    pub(super) fn stop(&self, panic: Option<Box<dyn Any + Send>>) {
        let mut state = self.lock();
        state.is_stopped = true;
        state.panic = panic.or(state.panic.take());
        drop(state);
        self.job.notify_all();
        self.done.notify_all();
        self.room.notify_all();
    }

    /// Returns the payload of a worker's panic.
    pub(super) fn take_panic(&self) -> Option<Box<dyn Any + Send>> {
        self.lock().panic.take()
    }

    /// Waits for something to do; `None` if the work is stopped.
    pub(super) fn next_job(&self, work: &dyn UntypedWork) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.is_stopped {
                return None;
            }
            // Groups close to their end come first, which keeps the queue short.
            if let Some((number, group)) = state.numbered.pop_front() {
                return Some(Job::Finish(number, group));
            }
            if let Some(group) = state.fetched.pop_front() {
                state.next_read += 1;
                return Some(Job::Read(state.next_read - 1, state.begun(group, work)));
            }
            state = self.job.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes a group that was read, and numbers the games of all groups whose predecessors are numbered.
    pub(super) fn was_read(&self, number: usize, group: Group<Step<Output>>, work: &dyn UntypedWork) {
        let mut state = self.lock();
        state.read.waiting.insert(number, group);
        let mut is_first = true;
        while let Some((number, group)) = state.read.next() {
            let group = state.with_first_games(group, work);
            state.numbered.push_back((number, group));
            // This worker does the first one.
            if !std::mem::take(&mut is_first) {
                self.job.notify_one();
            }
        }
    }

    /// Takes a group that is done.
    pub(super) fn was_finished(&self, number: usize, group: Group<Output>) {
        let mut state = self.lock();
        state.done.waiting.insert(number, group);
        // The consumer can use no other group, so it is not woken up for one.
        if number == state.done.next {
            self.done.notify_one();
        }
    }

    /// Waits for the next group to be done; `None` if there are no more. The one before it is consumed.
    pub(super) fn next_done(&self) -> Option<Group<Output>> {
        let mut state = self.lock();
        loop {
            if state.is_stopped {
                return None;
            }
            if let Some((_, group)) = state.done.next() {
                state.size -= state.sizes.pop_front().unwrap_or_default();
                // Not for each group: the thread that fetches has to be woken up.
                if state.size <= state.most / 2 {
                    self.room.notify_one();
                }
                return Some(group);
            }
            if state.is_complete && state.sizes.is_empty() {
                return None;
            }
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl State {
    /// Gives each chunk the data shared by the chunks of its input.
    fn begun(&mut self, group: Group<(Arc<Input>, Chunk)>, work: &dyn UntypedWork) -> Group<Step<Shared>> {
        each(group, |(input, chunk)| {
            if let Some(head) = chunk.head() {
                self.file = Some(work.begin(&input, Arc::clone(head)));
            }
            let state = Arc::clone(self.file.get_or_insert_with(|| work.begin(&input, Arc::default())));
            Step { input, chunk, state }
        })
    }

    /// Gives each chunk the number of its first game.
    fn with_first_games(&mut self, group: Group<Step<Output>>, work: &dyn UntypedWork) -> Group<Step<(Output, u64)>> {
        each(group, |Step { input, chunk, state }| {
            if chunk.head().is_some() {
                self.games = 0;
            }
            let first = self.games + 1;
            self.games += work.games(&*state);
            Step { input, chunk, state: (state, first) }
        })
    }
}

/// Restores the order of groups that become ready in any order.
struct InOrder<T> {
    next: usize,
    waiting: BTreeMap<usize, T>,
}

impl<T> InOrder<T> {
    const fn new() -> Self {
        Self { next: 0, waiting: BTreeMap::new() }
    }

    /// Returns the next one and its number, if it is ready.
    fn next(&mut self) -> Option<(usize, T)> {
        let ready = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some((self.next - 1, ready))
    }
}
