//! Fetching chunks.

use std::sync::Arc;

use super::line::Line;
use super::{Group, Item};
use crate::error::Result;
use crate::source::{Chunk, ChunkOptions, Input};

/// Most inputs in a group; small ones share the cost of handing them on.
const INPUTS_PER_GROUP: usize = 64;

/// Fetches the chunks of the inputs, in groups of about the size of a chunk of a large input.
pub(super) fn fetch(inputs: Vec<Result<Input>>, options: &ChunkOptions, line: &Line) {
    let mut fetcher = Fetcher { options, line, group: Vec::new(), size: 0 };
    // Either all is fetched, or no more is needed.
    let _ = inputs.into_iter().all(|input| fetcher.input(input)) && fetcher.send();
    line.complete();
}

/// The thread that fetches chunks. Its methods return false if no more is needed.
struct Fetcher<'a> {
    options: &'a ChunkOptions,
    line: &'a Line,
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
        group.is_empty() || self.line.add(group, size)
    }
}
