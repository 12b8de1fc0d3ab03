//! Work that its caller drives, an event at a time.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::walk::{Numbers, Walk};
use super::{Event, Work, run_untyped, typed};
use crate::error::Result;
use crate::source::{ChunkOptions, Input};

/// The work of a [`Pipeline`](super::Pipeline) on the calling thread, an event at a time, for a program that does something
/// else between two events.
#[derive(Debug)]
pub(crate) struct Steps<W> {
    work: W,
    walk: Walk,
    numbers: Numbers,
}

impl<W: Work> Steps<W> {
    /// Begins work on inputs, as [`Pipeline::run`](super::Pipeline::run) does.
    pub(crate) fn new(inputs: Vec<Result<Input>>, work: W, options: ChunkOptions) -> Self {
        let walk = Walk::new(inputs, ChunkOptions { head: W::HEAD, ..options }, |_| None);
        Self { work, walk, numbers: Numbers::default() }
    }

    /// Returns the next event; `None` when all inputs are done. An error of the kind [`WouldBlock`](std::io::ErrorKind) means
    /// that a stream has no bytes now; the event is repeated until it has, and nothing is lost.
    pub(crate) fn step(&mut self) -> Option<Event<W::Done>> {
        let event = self.walk.next()?;
        Some(event.map(|piece| typed(piece.done(&self.work, &mut self.numbers))))
    }

    /// Returns what counts the stored bytes that are read.
    pub(crate) fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.walk.options().bytes_read)
    }

    /// Does the work on all inputs that were not begun, as [`Pipeline::run`](super::Pipeline::run) does; an input whose result is `known`
    /// is not read.
    pub(crate) fn run(
        self,
        jobs: NonZeroUsize,
        known: impl Fn(&Input) -> Option<W::Done>,
        mut consume: impl FnMut(Event<W::Done>) -> Result<()>,
    ) -> Result<()> {
        let (inputs, options) = self.walk.into_parts();
        let read = |inputs, consume: &mut dyn FnMut(Event<W::Done>) -> Result<()>| {
            let walk = Walk::new(inputs, options.clone(), |_| None);
            run_untyped(jobs, walk, &self.work, &mut |event| consume(event.map(typed)))
        };
        let mut unread = Vec::new();
        for input in inputs {
            let done = input.as_ref().ok().and_then(&known);
            match (input, done) {
                (Ok(input), Some(done)) => {
                    // Inputs keep their order, so those before a known one are read first.
                    read(std::mem::take(&mut unread), &mut consume)?;
                    options.bytes_read.fetch_add(input.stored_size().unwrap_or_default(), Ordering::Relaxed);
                    consume(Event::Begin(Arc::new(input)))?;
                    consume(Event::Done(done))?;
                }
                (input, _) => unread.push(input),
            }
        }
        read(unread, &mut consume)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::*;
    use crate::error::ErrorKind;
    use crate::source::Chunk;

    /// Text that arrives in pieces, with nothing between two of them.
    struct Drops {
        text: Vec<u8>,
        at: usize,
        size: usize,
        is_dry: bool,
    }

    impl Read for Drops {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            // What an input begins with is there from the start.
            let first = self.at < 16 * 1024;
            self.is_dry = !self.is_dry;
            if self.is_dry && !first {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let rest = &self.text[self.at..];
            let length = rest.len().min(buffer.len()).min(self.size);
            buffer[..length].copy_from_slice(&rest[..length]);
            self.at += length;
            Ok(length)
        }
    }

    /// The place, the bytes and the number of diagnostics of each chunk.
    struct Cuts;

    impl Work for Cuts {
        const HEAD: usize = 20_000;
        type File = usize;
        type Read = usize;
        type Done = (u64, Vec<u8>, usize, usize, u64);

        fn begin(&self, _: &Input, head: Arc<[u8]>) -> usize {
            head.len()
        }

        fn read(&self, head: &usize, _: &Chunk) -> usize {
            *head
        }

        fn games(&self, _: &usize) -> u64 {
            1
        }

        fn finish(&self, _: &Input, chunk: &Chunk, head: usize, first: u64) -> Self::Done {
            (chunk.offset(), chunk.bytes().to_vec(), chunk.diagnostics().len(), head, first)
        }
    }

    fn cuts(text: &[u8], size: usize) -> (Vec<<Cuts as Work>::Done>, usize) {
        let input = Input::stream("-", Drops { text: text.to_vec(), at: 0, size, is_dry: false });
        let options = ChunkOptions { chunk_size: 5_000, max_game: 30_000, ..ChunkOptions::default() };
        let (mut done, mut pauses) = (Vec::new(), 0);
        let mut steps = Steps::new(vec![Ok(input)], Cuts, options);
        while let Some(event) = steps.step() {
            match event {
                Event::Begin(_) => {}
                Event::Done(cut) => done.push(cut),
                Event::Error(error) => {
                    assert!(
                        matches!(error.kind(), ErrorKind::Read { source, .. } if source.kind() == io::ErrorKind::WouldBlock)
                    );
                    pauses += 1;
                }
            }
        }
        assert_eq!(steps.counter().load(std::sync::atomic::Ordering::Relaxed), text.len() as u64);
        (done, pauses)
    }

    #[test]
    fn a_stream_that_pauses_is_cut_like_one_that_does_not() {
        let game = |comment: usize| format!("[Event \"e\"]\n\n1. 32-28 {{{}}} *\n\n", "x".repeat(comment));
        // The game in the middle is larger than any may be, and skipped.
        let text = [game(900).repeat(40), game(200_000), game(20_000), game(900).repeat(40)].concat();
        let (whole, pauses) = cuts(text.as_bytes(), usize::MAX);
        assert!(whole.len() > 10 && pauses < 100, "{} chunks, {pauses} pauses", whole.len());
        for size in [100, 7_777] {
            let (parts, pauses) = cuts(text.as_bytes(), size);
            assert!(parts == whole && pauses > 10, "{size}");
        }
    }

    #[test]
    fn an_input_that_cannot_be_opened_is_one_error() {
        let inputs = vec![Ok(Input::file("no/such/file.pdn")), Ok(Input::stream("-", &b"1. 32-28 *"[..]))];
        let mut steps = Steps::new(inputs, Cuts, ChunkOptions::default());
        let mut events = Vec::new();
        while let Some(event) = steps.step() {
            events.push(match event {
                Event::Begin(_) => "begin",
                Event::Done(_) => "done",
                Event::Error(_) => "error",
            });
        }
        assert_eq!(events, ["begin", "error", "begin", "done"]);
    }
}
