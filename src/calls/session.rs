//! Work in steps, or on all cores.

use std::io;
use std::num::NonZeroUsize;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;

use super::options::Reading;
use super::outlet::Out;
use crate::check::{Checking, GameWork};
use crate::error::{Error, ErrorKind, Result};
use crate::source::{Event, Input, Steps};

/// What a [step](Session::step) led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The work is complete.
    Done,
    /// There are more steps.
    More,
    /// An input has no bytes now.
    Pending,
    /// A file of data is needed first, which a message names.
    Needs,
}

/// Work on records.
pub trait Session {
    /// Does the next step.
    ///
    /// # Errors
    ///
    /// If the work cannot go on.
    fn step(&mut self) -> Result<Progress>;

    /// Does all the work, on several threads where it can. After each piece of the inputs there is a message `read`, with the
    /// numbers of inputs and of bytes that were read.
    ///
    /// # Errors
    ///
    /// If the work cannot go on.
    fn run(mut self: Box<Self>, _jobs: NonZeroUsize) -> Result<()> {
        while self.step()? != Progress::Done {}
        Ok(())
    }
}

/// What is made of the games of chunks.
pub(super) trait Sink<T> {
    /// Begins an input.
    fn begin(&mut self) {}
    /// Takes the result for a chunk.
    fn take(&mut self, done: T, out: &Out) -> Result<()>;
    /// Completes the work and sends its result.
    fn finish(&mut self, out: &Out) -> Result<()>;
}

/// Returns the result for an input if it is known without reading it.
pub(super) type Known<T> = Box<dyn Fn(&Input) -> Option<T>>;

/// Work on the games of inputs, a chunk a step.
pub(super) struct Walk<W: GameWork, S> {
    steps: Steps<Checking<W>>,
    known: Option<Known<W::Done>>,
    sink: S,
    out: Out,
}

impl<W, S> Walk<W, S>
where
    W: GameWork + 'static,
    S: Sink<W::Done> + 'static,
{
    /// Returns the session of a work on games.
    #[expect(clippy::new_ret_no_self, reason = "callers return it as it is")]
    pub(super) fn new(reading: Reading, work: W, sink: S) -> Result<Box<dyn Session>> {
        Self::knowing(reading, work, sink, None)
    }

    /// Returns the session of a work on games of inputs, some of whose results may be known to a host, which runs it without steps.
    #[expect(clippy::unnecessary_wraps, reason = "callers return it as it is")]
    pub(super) fn knowing(
        reading: Reading,
        work: W,
        sink: S,
        known: Option<Known<W::Done>>,
    ) -> Result<Box<dyn Session>> {
        let Reading { inputs, checks, chunks, out, .. } = reading;
        Ok(Box::new(Self { steps: Steps::new(inputs, Checking::new(work, checks), chunks), known, sink, out }))
    }
}

impl<W: GameWork, S: Sink<W::Done>> Session for Walk<W, S> {
    fn step(&mut self) -> Result<Progress> {
        match self.steps.step() {
            Some(event) => taken(event, &mut self.sink, &self.out),
            None => self.sink.finish(&self.out).map(|()| Progress::Done),
        }
    }

    fn run(self: Box<Self>, jobs: NonZeroUsize) -> Result<()> {
        let Self { steps, known, mut sink, out } = *self;
        let (bytes, mut inputs) = (steps.counter(), 0);
        let known = |input: &Input| known.as_ref()?(input);
        steps.run(jobs, known, |event| advanced(event, &mut sink, &out, &mut inputs, &bytes))?;
        sink.finish(&out)
    }
}

/// What gathers the results for chunks, and sends what is made of all of them at the end.
pub(super) struct Gathered<T, A, E> {
    /// What was gathered, until the end.
    all: Option<T>,
    add: A,
    end: E,
}

impl<T, A, E: FnMut(T, &Out) -> Result<()>> Gathered<T, A, E> {
    /// Begins with `all`, to which `add` adds a result.
    pub(super) const fn new<D>(all: T, add: A, end: E) -> Self
    where
        A: FnMut(&mut T, D, &Out) -> Result<()>,
    {
        Self { all: Some(all), add, end }
    }
}

/// Returns what sums up the results.
pub(super) fn summed<T: AddAssign + Default>(end: impl FnMut(T, &Out) -> Result<()>) -> impl Sink<T> {
    let add = |all: &mut T, done: T, _: &Out| {
        *all += done;
        Ok(())
    };
    Gathered::new(T::default(), add, end)
}

impl<T, D, A: FnMut(&mut T, D, &Out) -> Result<()>, E: FnMut(T, &Out) -> Result<()>> Sink<D> for Gathered<T, A, E> {
    fn take(&mut self, done: D, out: &Out) -> Result<()> {
        self.all.as_mut().map_or(Ok(()), |all| (self.add)(all, done, out))
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        self.all.take().map_or(Ok(()), |all| (self.end)(all, out))
    }
}

/// Passes on the result for a chunk, and what was read so far.
fn advanced<T>(event: Event<T>, sink: &mut impl Sink<T>, out: &Out, inputs: &mut u64, bytes: &AtomicU64) -> Result<()> {
    *inputs += u64::from(matches!(event, Event::Begin(_)));
    taken(event, sink, out)?;
    out.send("read", &json!({ "inputs": inputs, "bytes": bytes.load(Ordering::Relaxed) }))
}

/// Passes on the result for a chunk.
fn taken<T>(event: Event<T>, sink: &mut impl Sink<T>, out: &Out) -> Result<Progress> {
    match event {
        Event::Begin(input) => {
            out.send("begin", &input.label())?;
            sink.begin();
        }
        Event::Done(done) => sink.take(done, out)?,
        Event::Error(error) => return failed(&error, out),
    }
    Ok(Progress::More)
}

/// Reports an input that could not be read to its end, or waits for its bytes.
pub(super) fn failed(error: &Error, out: &Out) -> Result<Progress> {
    let (file, message) = match error.kind() {
        ErrorKind::Read { source, .. } if source.kind() == io::ErrorKind::WouldBlock => return Ok(Progress::Pending),
        ErrorKind::Read { path, source, .. } => (path.to_string_lossy().into_owned(), source.to_string()),
        _ => (String::new(), error.to_string()),
    };
    out.send("failure", &json!({ "file": file, "message": message }))?;
    Ok(Progress::More)
}
