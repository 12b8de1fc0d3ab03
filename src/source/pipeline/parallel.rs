//! The pipeline on several threads: one fetches chunks, the workers read and finish them, and the calling thread consumes
//! the results in order.

use std::iter::Peekable;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

use super::walk::{Numbers, Piece, Walk};
use super::{Consumer, Event, Output, UntypedWork};
use crate::error::Result;
use crate::pool::{OrderedPool, no_threads};

/// Groups per worker between fetching and consumption: enough that no worker waits, few enough to bound the memory.
const GROUPS_PER_JOB: usize = 4;

pub(super) fn run(jobs: NonZeroUsize, walk: Walk, work: &dyn UntypedWork, consume: &mut Consumer<'_>) -> Result<()> {
    let groups = Groups::new(walk);
    let capacity = (jobs.get() * GROUPS_PER_JOB).saturating_mul(groups.size);
    let pool = Arc::new(OrderedPool::new(capacity));
    // Not scoped: if nothing more is needed, it may be blocked on a terminal, and must not be waited for.
    let fed = Arc::clone(&pool);
    Builder::new().name("reader".to_owned()).spawn(move || fed.feed(groups)).map_err(no_threads)?;
    pool.run(
        vec![(); jobs.get()],
        |(), group: Group| group.work(work),
        |events| {
            events.into_iter().try_for_each(&mut *consume)?;
            Ok(ControlFlow::Continue(()))
        },
    )
}

/// Chunks that are passed on together, with the events between them.
struct Group {
    events: Vec<Event<Piece>>,
    /// The numbers after the group before, and where they go after this one.
    before: Receiver<Numbers>,
    after: Sender<Numbers>,
}

impl Group {
    fn work(self, work: &dyn UntypedWork) -> Vec<Event<Output>> {
        let read: Vec<_> = self.events.into_iter().map(|event| event.map(|piece| piece.read(work))).collect();
        // Groups are begun in order, so that the one before is being read, if it is not finished. It sends nothing if it
        // panicked, after which no result is used.
        let mut numbers = self.before.recv().unwrap_or_default();
        let numbered: Vec<_> = read.into_iter().map(|event| event.map(|read| (numbers.first(&read), read))).collect();
        // It fails if nothing more is needed.
        let _ = self.after.send(numbers);
        numbered.into_iter().map(|event| event.map(|(first, read)| read.finish(work, first))).collect()
    }
}

/// Maximum number of inputs in a group; small ones share the cost of passing them on.
const INPUTS_PER_GROUP: usize = 64;

/// Fetches the chunks of the inputs, in groups of about the size of a chunk of a large input, with that size in bytes.
struct Groups {
    walk: Peekable<Walk>,
    /// Minimum size of a group, except for the last one and those before a stream.
    size: usize,
    before: Receiver<Numbers>,
}

impl Groups {
    fn new(walk: Walk) -> Self {
        let size = walk.chunk_size();
        // Nothing comes before the first group.
        let (_, before) = channel();
        Self { walk: walk.peekable(), size, before }
    }

    /// Returns the size of an event, with some bytes for each input.
    fn size_of(&self, event: &Event<Piece>) -> usize {
        match event {
            Event::Done(piece) => piece.chunk.bytes().len(),
            Event::Begin(_) | Event::Error(_) => self.size.div_ceil(INPUTS_PER_GROUP),
        }
    }
}

/// Returns true for the beginning of an input that is typed or comes through a slow pipe.
fn is_slow(event: &Event<Piece>) -> bool {
    matches!(event, Event::Begin(input) if input.stored_size().is_none())
}

impl Iterator for Groups {
    type Item = (Group, usize);

    fn next(&mut self) -> Option<(Group, usize)> {
        let (mut events, mut size) = (Vec::new(), 0);
        // Games that are read already do not wait for a slow input.
        while size < self.size
            && let Some(event) = self.walk.next_if(|event| events.is_empty() || !is_slow(event))
        {
            size += self.size_of(&event);
            let is_early = matches!(&event, Event::Done(piece) if piece.chunk.is_early());
            events.push(event);
            if is_early {
                break;
            }
        }
        if events.is_empty() {
            return None;
        }
        let (after, next_before) = channel();
        let before = std::mem::replace(&mut self.before, next_before);
        Some((Group { events, before, after }, size))
    }
}
