//! The chunks of many inputs, one after another, and the two steps of the work on each.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::vec::IntoIter;

use super::{Event, Output, Shared, UntypedWork};
use crate::error::Result;
use crate::source::{Chunk, ChunkOptions, Chunks, Input};

/// The inputs, and the chunks of each.
#[derive(Debug)]
pub(super) struct Walk {
    inputs: IntoIter<Result<Input>>,
    options: ChunkOptions,
    current: Option<Current>,
}

/// An input in progress.
struct Current {
    input: Arc<Input>,
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
    pub(super) fn new(inputs: Vec<Result<Input>>, options: ChunkOptions) -> Self {
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
}

impl Iterator for Walk {
    type Item = Event<Piece>;

    fn next(&mut self) -> Option<Event<Piece>> {
        if let Some(item) = self.current.as_mut().and_then(|current| current.next(&self.options)) {
            return Some(item);
        }
        self.current = None;
        Some(match self.inputs.next()? {
            Err(error) => Event::Error(error),
            Ok(input) => {
                let input = Arc::new(input);
                let begun = Current { input: Arc::clone(&input), chunks: None, is_opened: false, file: None };
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
            match self.input.chunks(options) {
                Ok(chunks) => self.chunks = Some(chunks),
                Err(error) => return Some(Event::Error(error)),
            }
        }
        let chunk = match self.chunks.as_mut()?.next()? {
            Ok(chunk) => chunk,
            Err(error) => return Some(Event::Error(error)),
        };
        let begun = || {
            let (input, head) = (Arc::clone(&self.input), chunk.head().cloned().unwrap_or_default());
            Arc::new(File { input, head, shared: OnceLock::new() })
        };
        let file = Arc::clone(self.file.get_or_insert_with(begun));
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
        if read.piece.chunk.head().is_some() {
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
