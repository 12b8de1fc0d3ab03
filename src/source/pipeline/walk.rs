//! The chunks of many inputs, one after another, and the two steps of the work on each.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::vec::IntoIter;

use super::{Event, Output, Shared, UntypedWork};
use crate::error::Result;
use crate::source::{Chunk, ChunkOptions, Chunks, Independent, Input};

/// The inputs, and the chunks of each.
#[derive(Debug)]
pub(super) struct Walk {
    /// The inputs, with what says of their games whether they can be returned before others, if they should be.
    inputs: IntoIter<(Result<Input>, Option<Independent>)>,
    options: ChunkOptions,
    current: Option<Current>,
}

/// An input in progress.
struct Current {
    input: Arc<Input>,
    eager: Option<Independent>,
    /// `None` until it is opened, and if that failed.
    chunks: Option<Chunks>,
    is_opened: bool,
    file: Option<Arc<File>>,
}

/// An input, and what its chunks share.
struct File {
    input: Arc<Input>,
    head: Arc<[u8]>,
    shared: OnceLock<Shared>,
}

/// A chunk that is not read yet.
pub(super) struct Piece {
    pub(super) chunk: Chunk,
    file: Arc<File>,
}

/// A chunk after the first step.
pub(super) struct ReadPiece {
    piece: Piece,
    read: Output,
    /// Number of games.
    games: u64,
}

/// Counts the games of each input.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Number of games so far in the current input.
    games: u64,
}

impl fmt::Debug for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Current").field("input", &self.input).finish_non_exhaustive()
    }
}

impl Walk {
    pub(super) fn new(
        inputs: Vec<Result<Input>>,
        options: ChunkOptions,
        eager: impl Fn(&Input) -> Option<Independent>,
    ) -> Self {
        let with_eager = |input: Result<Input>| {
            let eager = input.as_ref().ok().and_then(&eager);
            (input, eager)
        };
        let inputs: Vec<_> = inputs.into_iter().map(with_eager).collect();
        Self { inputs: inputs.into_iter(), options, current: None }
    }

    /// Returns the minimum size of a chunk in bytes, at least 1.
    pub(super) fn chunk_size(&self) -> usize {
        self.options.chunk_size.max(1)
    }

    /// Returns how inputs are cut into chunks.
    pub(super) const fn options(&self) -> &ChunkOptions {
        &self.options
    }

    /// Returns the inputs that are not begun, and how inputs are cut into chunks.
    pub(super) fn into_parts(self) -> (Vec<Result<Input>>, ChunkOptions) {
        (self.inputs.map(|(input, _)| input).collect(), self.options)
    }
}

impl Iterator for Walk {
    type Item = Event<Piece>;

    fn next(&mut self) -> Option<Event<Piece>> {
        if let Some(item) = self.current.as_mut().and_then(|current| current.next(&self.options)) {
            return Some(item);
        }
        self.current = None;
        Some(match self.inputs.next()? {
            (Err(error), _) => Event::Error(error),
            (Ok(input), eager) => {
                let input = Arc::new(input);
                let begun = Current { input: Arc::clone(&input), eager, chunks: None, is_opened: false, file: None };
                self.current = Some(begun);
                Event::Begin(input)
            }
        })
    }
}

impl Current {
    /// Returns the next chunk; `None` after the last one.
    fn next(&mut self, options: &ChunkOptions) -> Option<Event<Piece>> {
        if !std::mem::replace(&mut self.is_opened, true) {
            match self.input.chunks(&ChunkOptions { eager: self.eager, ..options.clone() }) {
                Ok(chunks) => self.chunks = Some(chunks),
                Err(error) => return Some(Event::Error(error)),
            }
        }
        let chunk = match self.chunks.as_mut()?.next()? {
            Ok(chunk) => chunk,
            Err(error) => return Some(Event::Error(error)),
        };
        // Games that were cut off before the first bytes of the input were known are worked on without them.
        if let Some(head) = chunk.head() {
            let (input, head) = (Arc::clone(&self.input), Arc::clone(head));
            self.file = Some(Arc::new(File { input, head, shared: OnceLock::new() }));
        }
        let file = Arc::clone(self.file.as_ref().expect("the first chunk has first bytes"));
        Some(Event::Done(Piece { chunk, file }))
    }
}

impl Piece {
    /// Does the first step.
    pub(super) fn read(self, work: &dyn UntypedWork) -> ReadPiece {
        let File { input, head, shared } = &*self.file;
        let shared = shared.get_or_init(|| work.begin(input, Arc::clone(head)));
        let (read, games) = work.read(shared, &self.chunk);
        ReadPiece { piece: self, read, games }
    }

    /// Does both steps.
    pub(super) fn done(self, work: &dyn UntypedWork, numbers: &mut Numbers) -> Output {
        let read = self.read(work);
        let first = numbers.first(&read);
        read.finish(work, first)
    }
}

impl Numbers {
    /// Returns the number of the first game of the next chunk, and counts its games.
    pub(super) fn first(&mut self, read: &ReadPiece) -> u64 {
        if read.piece.chunk.is_first() {
            self.games = 0;
        }
        let first = self.games + 1;
        self.games += read.games;
        first
    }
}

impl ReadPiece {
    /// Does the second step.
    pub(super) fn finish(self, work: &dyn UntypedWork, first: u64) -> Output {
        let Self { piece: Piece { chunk, file }, read, .. } = self;
        work.finish(&file.input, &chunk, read, first)
    }
}
