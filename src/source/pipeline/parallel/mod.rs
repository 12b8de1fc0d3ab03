//! The pipeline on several threads: one fetches chunks, the workers read and finish them, and the calling thread consumes
//! the results in order. No thread waits until others have done the same step.

mod fetch;
mod line;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::{Builder, scope};

use super::untyped::{Consumer, Output, Shared, UntypedWork};
use super::{Event, Pipeline};
use crate::error::{Error, Result};
use crate::source::{Chunk, Input};
use fetch::fetch;
use line::{Job, Line};

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
    let line = Line::new((jobs * GROUPS_PER_JOB).saturating_mul(pipeline.options.chunk_size));
    let line = Arc::new(line);
    scope(|scope| {
        let stop = Stop(&line);
        for _ in 0..jobs {
            Builder::new().spawn_scoped(scope, || guarded(&line, || work_on(&line, work))).map_err(no_threads)?;
        }
        // Not scoped: if nothing more is needed, it may be blocked on a terminal, and must not be waited for.
        let (fetched, options) = (Arc::clone(&line), pipeline.options.clone());
        let reader = move || guarded(&fetched, || fetch(inputs, &options, &fetched));
        Builder::new().name("reader".to_owned()).spawn(reader).map_err(no_threads)?;
        while let Some(group) = line.next_done() {
            group.into_iter().try_for_each(|item| pass(item, consume))?;
        }
        drop(stop);
        line.take_panic().map_or(Ok(()), |panic| resume_unwind(panic))
    })
}

/// Ends the work when the calling thread does not consume any more.
struct Stop<'a>(&'a Line);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.stop(None);
    }
}

/// Stops the work if a thread panics.
fn guarded(line: &Line, thread: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(thread)) {
        line.stop(Some(panic));
    }
}

/// Does jobs until the work is stopped.
fn work_on(line: &Line, work: &dyn UntypedWork) {
    while let Some(job) = line.next_job(work) {
        match job {
            Job::Read(number, group) => line.was_read(number, each(group, |step| read(work, step)), work),
            Job::Finish(number, group) => line.was_finished(number, each(group, |step| finish(work, step))),
        }
    }
}

fn read(work: &dyn UntypedWork, step: Step<Shared>) -> Step<Output> {
    let state = work.read(&step.state, &step.chunk);
    Step { input: step.input, chunk: step.chunk, state }
}

fn finish(work: &dyn UntypedWork, step: Step<(Output, u64)>) -> Output {
    let (read, first) = step.state;
    work.finish(&step.input, &step.chunk, read, first)
}

/// Chunks that are handed on together, with what is between them.
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

/// A chunk with what the last step made of it.
struct Step<T> {
    input: Arc<Input>,
    chunk: Chunk,
    state: T,
}

fn pass(item: Item<Output>, consume: &mut Consumer<'_>) -> Result<()> {
    match item {
        Item::Begin(input) => consume(Event::Begin(&input)),
        Item::Chunk(done) => consume(Event::Done(done)),
        Item::Error(error) => consume(Event::Error(error)),
    }
}
