//! Work on many inputs, with results in the order of the inputs.

#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
mod parallel;
mod steps;
mod walk;

use std::any::Any;
use std::num::NonZeroUsize;
use std::sync::Arc;

pub(crate) use self::steps::Steps;
use self::walk::{Numbers, Walk};
use super::{Chunk, ChunkOptions, Input};
use crate::error::{Error, Result};

/// Most threads that programs should use for one run, as each holds chunks of games in memory.
pub const MAX_JOBS: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

/// The two steps of the work on a chunk. Both run on many threads at once; between them the games are counted in order, so
/// that the second step knows their numbers.
pub trait Work: Sync {
    /// Number of bytes at the beginning of an input that decide what all its chunks share.
    const HEAD: usize = 0;
    /// The data shared by all chunks of an input.
    type File: Send + Sync + 'static;
    /// The result of the first step.
    type Read: Send + 'static;
    /// The result of the second step.
    type Done: Send + 'static;

    /// Begins an input, of which these are the first bytes: [`HEAD`](Self::HEAD), or all of a smaller one. Other
    /// threads wait for it, so costly work is better left to the first step that needs it.
    fn begin(&self, input: &Input, head: Arc<[u8]>) -> Self::File;

    /// Reads a chunk.
    fn read(&self, file: &Self::File, chunk: &Chunk) -> Self::Read;

    /// Returns the number of games in the result of the first step.
    fn games(&self, read: &Self::Read) -> u64;

    /// Returns a function that checks that no game of a text depends on other parts of the input, if games should be processed as soon
    /// as they are complete, even while the input waits for more bytes.
    #[doc(hidden)]
    fn independent(&self, _input: &Input) -> Option<fn(&[u8]) -> bool> {
        None
    }

    /// Completes a chunk; `first` is the number, from 1, of its first game in the input.
    fn finish(&self, input: &Input, chunk: &Chunk, read: Self::Read, first: u64) -> Self::Done;
}

/// An event of a [`Pipeline`], in the order of the inputs.
#[derive(Debug)]
pub enum Event<T> {
    /// An input begins.
    Begin(Arc<Input>),
    /// A chunk of the current input is done.
    Done(T),
    /// The rest of an input could not be read; other inputs follow.
    Error(Error),
}

impl<T> Event<T> {
    fn map<D>(self, change: impl FnOnce(T) -> D) -> Event<D> {
        match self {
            Self::Begin(input) => Event::Begin(input),
            Self::Done(done) => Event::Done(change(done)),
            Self::Error(error) => Event::Error(error),
        }
    }
}

/// Works on the chunks of many inputs, on several threads with the feature `parallel`.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::sync::Arc;
///
/// use pdn::source::{Chunk, ChunkOptions, Event, Input, Pipeline, Work, expand};
///
/// struct Counter;
///
/// impl Work for Counter {
///     type File = ();
///     type Read = u64;
///     type Done = u64;
///
///     fn begin(&self, _: &Input, _: Arc<[u8]>) {}
///
///     fn read(&self, (): &(), chunk: &Chunk) -> u64 {
///         pdn::games(chunk.bytes()).count() as u64
///     }
///
///     fn games(&self, games: &u64) -> u64 {
///         *games
///     }
///
///     fn finish(&self, _: &Input, _: &Chunk, games: u64, _first: u64) -> u64 {
///         games
///     }
/// }
///
/// let mut total = 0;
/// let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
/// pipeline.run(expand(["samples/games"]), &Counter, |event| {
///     match event {
///         Event::Begin(_) => {}
///         Event::Done(games) => total += games,
///         Event::Error(error) => return Err(error),
///     }
///     Ok(())
/// })?;
/// assert_eq!(total, 24);
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pipeline {
    jobs: NonZeroUsize,
    options: ChunkOptions,
}

impl Pipeline {
    /// Returns a pipeline with a number of worker threads; the calling thread does all the work of one, or without the
    /// feature `parallel`.
    pub const fn new(jobs: NonZeroUsize, options: ChunkOptions) -> Self {
        Self { jobs, options }
    }

    /// Returns how inputs are cut into chunks.
    pub const fn options(&self) -> &ChunkOptions {
        &self.options
    }

    /// Reads inputs and works on their chunks; `consume` receives the events in order, on the calling thread. Inputs that
    /// are already errors, as [`expand`](super::expand) may return them, become [`Event::Error`].
    ///
    /// # Errors
    ///
    /// If `consume` returns an error, which ends the work at once, or if threads cannot be started.
    ///
    /// # Panics
    ///
    /// If the work panics.
    pub fn run<W: Work>(
        &self,
        inputs: Vec<Result<Input>>,
        work: &W,
        mut consume: impl FnMut(Event<W::Done>) -> Result<()>,
    ) -> Result<()> {
        let options = ChunkOptions { head: W::HEAD, ..self.options.clone() };
        let eager = |input: &Input| work.independent(input).filter(|_| input.stored_size().is_none());
        run_untyped(self.jobs, Walk::new(inputs, options, eager), work, &mut |event| consume(event.map(typed)))
    }
}

#[cfg_attr(
    any(not(feature = "parallel"), target_family = "wasm"),
    expect(unused_variables, reason = "there is only one thread")
)]
fn run_untyped(jobs: NonZeroUsize, walk: Walk, work: &dyn UntypedWork, consume: &mut Consumer<'_>) -> Result<()> {
    // A single worker would only pass chunks back and forth.
    #[cfg(all(feature = "parallel", not(target_family = "wasm")))]
    if jobs > NonZeroUsize::MIN {
        return parallel::run(jobs, walk, work, consume);
    }
    let mut numbers = Numbers::default();
    for event in walk {
        consume(event.map(|piece| piece.done(work, &mut numbers)))?;
    }
    Ok(())
}

// Results have no type inside the pipeline, so that its machinery is compiled once and not again for each work.

/// The data shared by all chunks of an input.
type Shared = Box<dyn Any + Send + Sync>;

/// The result of a step.
type Output = Box<dyn Any + Send>;

/// The receiver of the events.
type Consumer<'a> = dyn FnMut(Event<Output>) -> Result<()> + 'a;

/// [`Work`] without its types.
trait UntypedWork: Sync {
    fn begin(&self, input: &Input, head: Arc<[u8]>) -> Shared;
    /// Returns the result of the first step and its number of games.
    fn read(&self, file: &Shared, chunk: &Chunk) -> (Output, u64);
    fn finish(&self, input: &Input, chunk: &Chunk, read: Output, first: u64) -> Output;
}

impl<W: Work> UntypedWork for W {
    fn begin(&self, input: &Input, head: Arc<[u8]>) -> Shared {
        Box::new(Work::begin(self, input, head))
    }

    fn read(&self, file: &Shared, chunk: &Chunk) -> (Output, u64) {
        let read = Work::read(self, file.downcast_ref().expect(OF_THIS_WORK), chunk);
        let games = self.games(&read);
        (Box::new(read), games)
    }

    fn finish(&self, input: &Input, chunk: &Chunk, read: Output, first: u64) -> Output {
        Box::new(Work::finish(self, input, chunk, typed(read), first))
    }
}

const OF_THIS_WORK: &str = "a pipeline has one work";

/// Returns a result with its type again.
fn typed<T: 'static>(output: Output) -> T {
    *output.downcast().expect(OF_THIS_WORK)
}
