//! Work in steps, or on all cores.

use std::io;
use std::num::NonZeroUsize;

use serde_json::json;

use super::options::Reading;
use super::outlet::Out;
use crate::check::{CheckOptions, Checking, FollowingWork};
use crate::error::{Error, ErrorKind, Result};
use crate::source::{Event, Steps};

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

/// Work on the games of inputs, a chunk a step.
pub(super) struct Walk<W: FollowingWork, S> {
    steps: Steps<Checking<W, CheckOptions>>,
    sink: S,
    out: Out,
}

impl<W, S> Walk<W, S>
where
    W: FollowingWork + 'static,
    S: Sink<W::Done> + 'static,
{
    /// Returns the session of a work on games.
    #[expect(clippy::new_ret_no_self, clippy::unnecessary_wraps, reason = "callers return it as it is")]
    pub(super) fn new(reading: Reading, work: W, sink: S) -> Result<Box<dyn Session>> {
        let Reading { inputs, checks, chunks, out, .. } = reading;
        Ok(Box::new(Self { steps: Steps::new(inputs, Checking::new(work, checks), chunks), sink, out }))
    }
}

impl<W: FollowingWork, S: Sink<W::Done>> Session for Walk<W, S> {
    fn step(&mut self) -> Result<Progress> {
        match self.steps.step() {
            Some(event) => taken(event, &mut self.sink, &self.out),
            None => self.sink.finish(&self.out).map(|()| Progress::Done),
        }
    }

    fn run(self: Box<Self>, jobs: NonZeroUsize) -> Result<()> {
        let Self { steps, mut sink, out } = *self;
        let (bytes, mut inputs) = (steps.counter(), 0);
        steps.run(jobs, |event| {
            inputs += u64::from(matches!(event, Event::Begin(_)));
            taken(event, &mut sink, &out)?;
            let read = bytes.load(std::sync::atomic::Ordering::Relaxed);
            out.send("read", &json!({ "inputs": inputs, "bytes": read }))
        })?;
        sink.finish(&out)
    }
}

/// Passes on the result for a chunk.
fn taken<T>(event: Event<'_, T>, sink: &mut impl Sink<T>, out: &Out) -> Result<Progress> {
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
