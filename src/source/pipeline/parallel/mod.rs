//! The pipeline on several threads: one fetches chunks, the workers read and finish them, and the calling thread consumes
//! the results in order. No thread waits until others have done the same step.

mod queue;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::{Builder, scope};

use super::{Consumer, Event, Pipeline, Shared, UntypedWork};
use crate::error::{Error, Result};
use crate::source::{Chunk, ChunkOptions, Input};
use queue::{Job, Queue};

/// Groups per worker between fetching and consumption: enough that no worker waits, few enough to bound the memory.
const GROUPS_PER_JOB: usize = 4;

pub(super) fn run(
    pipeline: &Pipeline,
    inputs: Vec<Result<Input>>,
    work: &dyn UntypedWork,
    consume: &mut Consumer<'_>,
) -> Result<()> {
    let no_threads = |error| Error::unavailable(format!("cannot start threads: {error}"));
    let jobs = pipeline.jobs.get();
    let queue = Queue::new((jobs * GROUPS_PER_JOB).saturating_mul(pipeline.options.chunk_size));
    let queue = Arc::new(queue);
    scope(|scope| {
        // A guard, because an error of `consume` leaves early and the scope then waits for the workers.
        let stop = Stop(&queue);
        for _ in 0..jobs {
            Builder::new().spawn_scoped(scope, || guarded(&queue, || work_on(&queue, work))).map_err(no_threads)?;
        }
        // Not scoped: if nothing more is needed, it may be blocked on a terminal, and must not be waited for.
        let (fetched, options) = (Arc::clone(&queue), pipeline.options.clone());
        let reader = move || guarded(&fetched, || fetch(inputs, &options, &fetched));
        Builder::new().name("reader".to_owned()).spawn(reader).map_err(no_threads)?;
        while let Some(group) = queue.next_done() {
            for item in group {
                match item {
                    Item::Begin(input) => consume(Event::Begin(&input)),
                    Item::Chunk(done) => consume(Event::Done(done)),
                    Item::Error(error) => consume(Event::Error(error)),
                }?;
            }
        }
        drop(stop);
        queue.take_panic().map_or(Ok(()), |panic| resume_unwind(panic))
    })
}

/// Ends the work when the calling thread does not consume any more.
struct Stop<'a>(&'a Queue);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.stop(None);
    }
}

/// Stops the work if a thread panics.
fn guarded(queue: &Queue, thread: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(thread)) {
        queue.stop(Some(panic));
    }
}

/// Does jobs until the work is stopped.
fn work_on(queue: &Queue, work: &dyn UntypedWork) {
    while let Some(job) = queue.next_job(work) {
        match job {
            Job::Read(number, group) => {
                let read = |Step { input, chunk, state }: Step<Shared>| {
                    let state = work.read(&state, &chunk);
                    Step { input, chunk, state }
                };
                queue.was_read(number, each(group, read), work);
            }
            Job::Finish(number, group) => {
                let finish = |Step { input, chunk, state: (read, first) }| work.finish(&input, &chunk, read, first);
                queue.was_finished(number, each(group, finish));
            }
        }
    }
}

/// Chunks that are passed on together, with the events between them.
type Group<C> = Vec<Item<C>>;

/// A part of a group, with a chunk in some state.
enum Item<C> {
    Begin(Arc<Input>),
    Chunk(C),
    Error(Error),
}

/// Changes the chunks of a group.
fn each<C, D>(group: Group<C>, mut change: impl FnMut(C) -> D) -> Group<D> {
    let item = |item| match item {
        Item::Begin(input) => Item::Begin(input),
        Item::Chunk(chunk) => Item::Chunk(change(chunk)),
        Item::Error(error) => Item::Error(error),
    };
    group.into_iter().map(item).collect()
}

/// A chunk with the result of the last step.
struct Step<T> {
    input: Arc<Input>,
    chunk: Chunk,
    state: T,
}

/// Maximum number of inputs in a group; small ones share the cost of passing them on.
const INPUTS_PER_GROUP: usize = 64;

/// Fetches the chunks of the inputs, in groups of about the size of a chunk of a large input.
fn fetch(inputs: Vec<Result<Input>>, options: &ChunkOptions, queue: &Queue) {
    let mut fetcher = Fetcher { options, queue, group: Vec::new(), size: 0 };
    // Either all is fetched, or no more is needed.
    let _ = inputs.into_iter().all(|input| fetcher.input(input)) && fetcher.send();
    queue.complete();
}

/// The thread that fetches chunks. Its methods return false if no more is needed.
struct Fetcher<'a> {
    options: &'a ChunkOptions,
    queue: &'a Queue,
    group: Group<(Arc<Input>, Chunk)>,
    /// Number of bytes of the group, with some for each input.
    size: usize,
}

impl Fetcher<'_> {
    fn input(&mut self, input: Result<Input>) -> bool {
        let input = match input {
            Ok(input) => Arc::new(input),
            Err(error) => return self.add(Item::Error(error)),
        };
        // Nothing waits for input that is typed or comes through a slow pipe.
        if input.stored_size().is_none() && !self.send() || !self.add(Item::Begin(Arc::clone(&input))) {
            return false;
        }
        match input.chunks(self.options) {
            Ok(mut chunks) => chunks.all(|chunk| {
                self.add(chunk.map_or_else(Item::Error, |chunk| Item::Chunk((Arc::clone(&input), chunk))))
            }),
            Err(error) => self.add(Item::Error(error)),
        }
    }

    fn add(&mut self, item: Item<(Arc<Input>, Chunk)>) -> bool {
        self.size += match &item {
            Item::Chunk((_, chunk)) => chunk.bytes().len(),
            Item::Begin(_) | Item::Error(_) => self.options.chunk_size.div_ceil(INPUTS_PER_GROUP),
        };
        self.group.push(item);
        self.size < self.options.chunk_size || self.send()
    }

    fn send(&mut self) -> bool {
        let (group, size) = (std::mem::take(&mut self.group), std::mem::take(&mut self.size));
        group.is_empty() || self.queue.add(group, size)
    }
}
