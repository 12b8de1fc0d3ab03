//! Work in steps.

use std::io;

use pdn::check::{Checking, FollowingWork};
use pdn::source::{Event, Steps};
use pdn::{Error, ErrorKind, Result};
use serde_json::json;

use crate::message;
use crate::options::Reading;

/// What a step led to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Done,
    More,
    /// An input has no bytes now.
    Pending,
    /// A file of data is needed, which a message names.
    #[cfg(feature = "engine")]
    Needs,
}

/// Work in steps.
pub(crate) trait Session {
    /// Does the next step.
    fn step(&mut self) -> Result<Step>;
}

/// What is made of the games of chunks.
pub(crate) trait Sink<T> {
    /// Begins an input.
    fn begin(&mut self) {}
    /// Takes what was made of a chunk.
    fn take(&mut self, done: T) -> Result<()>;
    /// Completes the work and sends its result.
    fn finish(&mut self) -> Result<()>;
}

/// Work on the games of inputs, a chunk a step.
pub(crate) struct Walk<W: FollowingWork, S> {
    steps: Steps<Checking<W, pdn::check::CheckOptions>>,
    sink: S,
}

impl<W, S> Walk<W, S>
where
    W: FollowingWork + 'static,
    S: Sink<W::Done> + 'static,
{
    /// Returns the session of a work on games.
    #[expect(clippy::new_ret_no_self, clippy::unnecessary_wraps, reason = "callers return it as it is")]
    pub(crate) fn new(reading: Reading, work: W, sink: S) -> Result<Box<dyn Session>> {
        let Reading { inputs, checks, chunks, .. } = reading;
        Ok(Box::new(Self { steps: Steps::new(inputs, Checking::new(work, checks), chunks), sink }))
    }
}

impl<W: FollowingWork, S: Sink<W::Done>> Session for Walk<W, S> {
    fn step(&mut self) -> Result<Step> {
        match self.steps.step() {
            None => {
                self.sink.finish()?;
                return Ok(Step::Done);
            }
            Some(Event::Begin(input)) => {
                message::send("begin", &input.label());
                self.sink.begin();
            }
            Some(Event::Done(done)) => self.sink.take(done)?,
            Some(Event::Error(error)) => return Ok(failed(&error)),
        }
        Ok(Step::More)
    }
}

/// Reports an input that could not be read to its end, or waits for its bytes.
pub(crate) fn failed(error: &Error) -> Step {
    match error.kind() {
        ErrorKind::Read { source, .. } if source.kind() == io::ErrorKind::WouldBlock => return Step::Pending,
        ErrorKind::Read { path, source, .. } => {
            message::send("failure", &json!({ "file": path.to_string_lossy(), "message": source.to_string() }));
        }
        _ => message::send("failure", &json!({ "file": "", "message": error.to_string() })),
    }
    Step::More
}
