//! Many inputs, many threads, one order.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::{Chunk, Input, Limits, Utf16Order, chunks_as};
use crate::error::{Error, Result};

/// Chunks in work at once for each thread: enough that none waits long for the slowest, few enough to stay small.
const CHUNKS_A_THREAD: usize = 4;

/// What is done with each chunk. Both steps run on many threads at once; between them the games are counted in order,
/// so that the second knows their numbers.
pub trait Work: Sync {
    /// What the first step makes of a chunk.
    type Read: Send;
    /// What the second step makes of it.
    type Done: Send;

    /// Reads a chunk.
    fn read(&self, chunk: &Chunk) -> Self::Read;

    /// Returns the number of games in what was read.
    fn games(&self, read: &Self::Read) -> u64;

    /// Finishes a chunk; `first` is the number, from 1, of its first game in the input.
    fn finish(&self, input: &Input, chunk: &Chunk, read: Self::Read, first: u64) -> Self::Done;
}

/// What happens, in the order of the inputs.
#[derive(Debug)]
pub enum Event<'a, T> {
    /// An input begins.
    Begin(&'a Input),
    /// A chunk of the input that began last is done.
    Done(T),
    /// Something could not be read; other inputs follow.
    Fault(Error),
}

/// How the work is spread.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Threads that work.
    pub jobs: NonZeroUsize,
    /// Size of chunks and games.
    pub limits: Limits,
    /// The order of the bytes of UTF-16, where all inputs are to be taken for that.
    pub utf16: Option<Utf16Order>,
    /// Grows with the bytes as stored that were read.
    pub read: Arc<AtomicU64>,
}

impl Setup {
    /// Returns a setup with the usual limits.
    pub fn new(jobs: NonZeroUsize) -> Self {
        Self { jobs, limits: Limits::default(), utf16: None, read: Arc::default() }
    }
}

/// Reads inputs and works on their chunks on several threads; `consume` gets what comes of it in order, on the calling
/// thread. The next chunks are read while the present ones are worked on. An input that is already a fault, as
/// [`expand`](super::expand) returns them, is handed on.
///
/// # Errors
///
/// What `consume` returns, which ends the work at once; or that no threads can be had.
///
/// # Panics
///
/// If the work does.
pub fn process<W: Work>(
    inputs: Vec<Result<Input>>,
    setup: &Setup,
    work: &W,
    mut consume: impl FnMut(Event<'_, W::Done>) -> Result<()>,
) -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(setup.jobs.get()).build();
    let pool = pool.map_err(|fault| Error::unavailable(format!("cannot start threads: {fault}")))?;
    // Without room in the channel: one batch is worked on while the next one is read, and no third exists.
    let (sender, batches) = sync_channel(0);
    let reader_setup = setup.clone();
    // Not scoped: when `consume` fails nobody waits for a reader that may sit in a read from a terminal.
    let reader = thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || Reader { setup: reader_setup, sender, batch: Batch::default() }.run(inputs))
        .map_err(|fault| Error::unavailable(format!("cannot start threads: {fault}")))?;
    work_through(&batches, &pool, work, &mut consume)?;
    if let Err(panic) = reader.join() {
        std::panic::resume_unwind(panic);
    }
    Ok(())
}

enum Item {
    Begin(Arc<Input>),
    /// The chunk with this number in the batch.
    Chunk(usize),
    Fault(Error),
}

#[derive(Default)]
struct Batch {
    items: Vec<Item>,
    chunks: Vec<(Arc<Input>, Chunk)>,
    bytes: usize,
}

/// The thread that reads.
struct Reader {
    setup: Setup,
    sender: SyncSender<Batch>,
    batch: Batch,
}

/// Nobody wants the chunks any more.
struct Unwanted;

impl Reader {
    fn run(mut self, inputs: Vec<Result<Input>>) {
        let all = inputs.into_iter().try_for_each(|input| match input {
            Ok(input) => self.read(&Arc::new(input)),
            Err(fault) => self.add(Item::Fault(fault)),
        });
        if all.is_ok() {
            let _ = self.send();
        }
    }

    fn read(&mut self, input: &Arc<Input>) -> Result<(), Unwanted> {
        self.add(Item::Begin(Arc::clone(input)))?;
        let chunks = match chunks_as(input, self.setup.limits, self.setup.utf16, Arc::clone(&self.setup.read)) {
            Ok(chunks) => chunks,
            Err(fault) => return self.add(Item::Fault(fault)),
        };
        for chunk in chunks {
            match chunk {
                Ok(chunk) => {
                    self.batch.bytes += chunk.bytes.len();
                    self.batch.chunks.push((Arc::clone(input), chunk));
                    self.add(Item::Chunk(self.batch.chunks.len() - 1))?;
                }
                Err(fault) => self.add(Item::Fault(fault))?,
            }
        }
        Ok(())
    }

    fn add(&mut self, item: Item) -> Result<(), Unwanted> {
        self.batch.items.push(item);
        let chunks = self.setup.jobs.get() * CHUNKS_A_THREAD;
        let full = self.batch.bytes >= chunks * self.setup.limits.chunk || self.batch.items.len() >= 64 * chunks;
        if full { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<(), Unwanted> {
        self.sender.send(std::mem::take(&mut self.batch)).map_err(|_| Unwanted)
    }
}

fn work_through<W: Work>(
    batches: &Receiver<Batch>,
    pool: &ThreadPool,
    work: &W,
    consume: &mut impl FnMut(Event<'_, W::Done>) -> Result<()>,
) -> Result<()> {
    let mut games = 0;
    for batch in batches {
        let read: Vec<_> =
            pool.install(|| batch.chunks.par_iter().with_max_len(1).map(|(_, chunk)| work.read(chunk)).collect());
        let firsts = number(&batch.items, &read, work, &mut games);
        let numbered = batch.chunks.into_par_iter().zip(read).zip(firsts).with_max_len(1);
        let finish =
            |(((input, chunk), read), first): (((Arc<Input>, Chunk), _), _)| work.finish(&input, &chunk, read, first);
        let done: Vec<_> = pool.install(|| numbered.map(finish).collect());
        hand_on(batch.items, done, consume)?;
    }
    Ok(())
}

/// Returns the number of the first game of each chunk. `games` is the number of games met so far in the input.
fn number<W: Work>(items: &[Item], read: &[W::Read], work: &W, games: &mut u64) -> Vec<u64> {
    let mut firsts = Vec::with_capacity(read.len());
    for item in items {
        match item {
            Item::Begin(_) => *games = 0,
            Item::Chunk(n) => {
                firsts.push(*games + 1);
                *games += work.games(&read[*n]);
            }
            Item::Fault(_) => {}
        }
    }
    firsts
}

fn hand_on<T>(items: Vec<Item>, done: Vec<T>, consume: &mut impl FnMut(Event<'_, T>) -> Result<()>) -> Result<()> {
    let mut done = done.into_iter();
    for item in items {
        match item {
            Item::Begin(input) => consume(Event::Begin(&input))?,
            Item::Fault(fault) => consume(Event::Fault(fault))?,
            Item::Chunk(_) => {
                if let Some(done) = done.next() {
                    consume(Event::Done(done))?;
                }
            }
        }
    }
    Ok(())
}
