//! Work whose results have no type, so that the machinery around it is compiled once and not again for each work.

use std::any::Any;
use std::sync::Arc;

use super::{Event, Work};
use crate::error::Result;
use crate::source::{Chunk, Input};

/// What all chunks of an input share.
pub(super) type Shared = Arc<dyn Any + Send + Sync>;

/// The result of a step.
pub(super) type Output = Box<dyn Any + Send>;

/// What receives the events.
pub(super) type Consumer<'a> = dyn FnMut(Event<'_, Output>) -> Result<()> + 'a;

/// [`Work`] without its types.
pub(super) trait UntypedWork: Sync {
    fn begin(&self, input: &Input, head: Arc<[u8]>) -> Shared;
    fn read(&self, file: &Shared, chunk: &Chunk) -> Output;
    fn games(&self, read: &(dyn Any + Send)) -> u64;
    fn finish(&self, input: &Input, chunk: &Chunk, read: Output, first: u64) -> Output;
}

impl<W: Work> UntypedWork for W {
    fn begin(&self, input: &Input, head: Arc<[u8]>) -> Shared {
        Arc::new(Work::begin(self, input, head))
    }

    fn read(&self, file: &Shared, chunk: &Chunk) -> Output {
        Box::new(Work::read(self, file.downcast_ref().expect(OF_THIS_WORK), chunk))
    }

    fn games(&self, read: &(dyn Any + Send)) -> u64 {
        Work::games(self, read.downcast_ref().expect(OF_THIS_WORK))
    }

    fn finish(&self, input: &Input, chunk: &Chunk, read: Output, first: u64) -> Output {
        Box::new(Work::finish(self, input, chunk, typed(read), first))
    }
}

const OF_THIS_WORK: &str = "a pipeline has one work";

/// Returns a result with its type again.
pub(super) fn typed<T: 'static>(output: Output) -> T {
    *output.downcast().expect(OF_THIS_WORK)
}
