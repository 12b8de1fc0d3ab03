//! The pipeline on several threads: while one batch of chunks is read, the one before it is finished, the results of the one
//! before that are consumed, and another thread fetches the next one.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rayon::prelude::*;
use rayon::{Scope, ThreadPool};

use super::{Event, Pipeline, Work};
use crate::error::{Error, Result};
use crate::source::{Chunk, Input};

/// Chunks per thread in a batch: enough that no thread waits long for the slowest, few enough to bound the memory.
const CHUNKS_PER_THREAD: usize = 2;

pub(super) fn run<W: Work>(
    pipeline: &Pipeline,
    inputs: Vec<Result<Input>>,
    work: &W,
    mut consume: impl FnMut(Event<'_, W::Done>) -> Result<()>,
) -> Result<()> {
    let no_threads = |error: &dyn std::fmt::Display| Error::unavailable(format!("cannot start threads: {error}"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(pipeline.jobs.get()).build();
    let pool = pool.map_err(|error| no_threads(&error))?;
    // No capacity: one batch waits to be taken, and no further one is fetched.
    let (sender, batches) = sync_channel(0);
    let pipeline = pipeline.clone();
    // Not scoped: if `consume` fails, the calling thread must not wait for a reader blocked on a terminal.
    let reader = thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || Reader { pipeline, sender, batch: Batch::default() }.run(inputs))
        .map_err(|error| no_threads(&error))?;
    run_batches(&batches, &pool, work, &mut consume)?;
    if let Err(panic) = reader.join() {
        std::panic::resume_unwind(panic);
    }
    Ok(())
}

enum Item {
    Begin(Arc<Input>),
    /// The chunk with this index in the batch.
    Chunk(usize),
    Error(Error),
}

#[derive(Default)]
struct Batch {
    items: Vec<Item>,
    chunks: Vec<(Arc<Input>, Chunk)>,
    bytes: usize,
}

/// The state of the thread that reads.
struct Reader {
    pipeline: Pipeline,
    sender: SyncSender<Batch>,
    batch: Batch,
}

/// The receiver of the batches is gone.
struct Disconnected;

impl Reader {
    fn run(mut self, inputs: Vec<Result<Input>>) {
        let all = inputs.into_iter().try_for_each(|input| match input {
            Ok(input) => self.read(&Arc::new(input)),
            Err(error) => self.add(Item::Error(error)),
        });
        if all.is_ok() {
            let _ = self.send();
        }
    }

    fn read(&mut self, input: &Arc<Input>) -> Result<(), Disconnected> {
        self.add(Item::Begin(Arc::clone(input)))?;
        let chunks = match input.chunks(&self.pipeline.options) {
            Ok(chunks) => chunks,
            Err(error) => return self.add(Item::Error(error)),
        };
        for chunk in chunks {
            match chunk {
                Ok(chunk) => {
                    self.batch.bytes += chunk.bytes().len();
                    self.batch.chunks.push((Arc::clone(input), chunk));
                    self.add(Item::Chunk(self.batch.chunks.len() - 1))?;
                }
                Err(error) => self.add(Item::Error(error))?,
            }
        }
        Ok(())
    }

    fn add(&mut self, item: Item) -> Result<(), Disconnected> {
        self.batch.items.push(item);
        if self.is_full() { self.send() } else { Ok(()) }
    }

    fn is_full(&self) -> bool {
        let chunks = self.pipeline.jobs.get() * CHUNKS_PER_THREAD;
        let bytes = chunks.saturating_mul(self.pipeline.options.chunk_size);
        self.batch.bytes >= bytes || self.batch.items.len() >= 64 * chunks
    }

    fn send(&mut self) -> Result<(), Disconnected> {
        self.sender.send(std::mem::take(&mut self.batch)).map_err(|_| Disconnected)
    }
}

fn run_batches<W: Work>(
    batches: &Receiver<Batch>,
    pool: &ThreadPool,
    work: &W,
    consume: &mut impl FnMut(Event<'_, W::Done>) -> Result<()>,
) -> Result<()> {
    let (mut games, mut file) = (0, None);
    let (mut read, mut done): (Option<ReadBatch<W>>, Option<DoneBatch<W>>) = (None, None);
    loop {
        // Input that is typed or comes through a slow pipe must not hold up what was read before it.
        let is_idle = read.is_none() && done.is_none();
        let batch = if is_idle { batches.recv().ok() } else { batches.try_recv().ok() };
        if batch.is_none() && is_idle {
            return Ok(());
        }
        let files = batch.as_ref().map(|batch| pool.install(|| begin_files(&batch.chunks, work, &mut file)));
        let mut next_read = batch.as_ref().map_or_else(Vec::new, |batch| slots(batch.chunks.len()));
        let mut next_done = read.as_ref().map_or_else(Vec::new, |read| slots(read.chunks.len()));
        let items = read.as_mut().map(|read| std::mem::take(&mut read.items));
        pool.in_place_scope(|scope| {
            if let Some(read) = read.take() {
                finish(scope, read, work, &mut next_done);
            }
            if let Some((batch, files)) = batch.as_ref().zip(files) {
                read_chunks(scope, &batch.chunks, files, work, &mut next_read);
            }
            done.take().map_or(Ok(()), |(items, done)| emit(items, done, consume))
        })?;
        done = items.map(|items| (items, next_done.into_iter().flatten().collect()));
        read = batch.map(|batch| ReadBatch::new(batch, next_read.into_iter().flatten().collect(), work, &mut games));
    }
}

/// A batch after the first step of the work.
struct ReadBatch<W: Work> {
    items: Vec<Item>,
    chunks: Vec<(Arc<Input>, Chunk)>,
    read: Vec<W::Read>,
    /// The number of the first game of each chunk.
    firsts: Vec<u64>,
}

/// The items of a batch, and the results for its chunks.
type DoneBatch<W> = (Vec<Item>, Vec<<W as Work>::Done>);

impl<W: Work> ReadBatch<W> {
    fn new(batch: Batch, read: Vec<W::Read>, work: &W, games: &mut u64) -> Self {
        let firsts = first_games(&batch.items, &read, work, games);
        Self { items: batch.items, chunks: batch.chunks, read, firsts }
    }
}

/// Returns places for results.
fn slots<T>(count: usize) -> Vec<Option<T>> {
    std::iter::repeat_with(|| None).take(count).collect()
}

fn read_chunks<'s, W: Work>(
    scope: &Scope<'s>,
    chunks: &'s [(Arc<Input>, Chunk)],
    files: Vec<Arc<W::File>>,
    work: &'s W,
    results: &'s mut [Option<W::Read>],
) {
    for (((_, chunk), file), result) in chunks.iter().zip(files).zip(results) {
        scope.spawn(move |_| *result = Some(work.read(&file, chunk)));
    }
}

fn finish<'s, W: Work + 's>(scope: &Scope<'s>, batch: ReadBatch<W>, work: &'s W, results: &'s mut [Option<W::Done>]) {
    let numbered = batch.chunks.into_iter().zip(batch.read).zip(batch.firsts);
    for ((((input, chunk), read), first), result) in numbered.zip(results) {
        scope.spawn(move |_| *result = Some(work.finish(&input, &chunk, read, first)));
    }
}

/// Returns what each chunk shares with the others of its input. `last` is the file of the last chunk so far.
fn begin_files<W: Work>(
    chunks: &[(Arc<Input>, Chunk)],
    work: &W,
    last: &mut Option<Arc<W::File>>,
) -> Vec<Arc<W::File>> {
    let file_of = |(_, chunk): &(Arc<Input>, Chunk)| chunk.head().map(|head| Arc::new(work.begin(head)));
    let begun: Vec<_> = chunks.par_iter().with_max_len(1).map(file_of).collect();
    let share = |begun: Option<Arc<W::File>>| {
        if begun.is_some() {
            *last = begun;
        }
        Arc::clone(last.get_or_insert_with(|| Arc::new(work.begin(&[]))))
    };
    begun.into_iter().map(share).collect()
}

/// Returns the number of the first game of each chunk. `games` is the number of games so far in the current input.
fn first_games<W: Work>(items: &[Item], read: &[W::Read], work: &W, games: &mut u64) -> Vec<u64> {
    let mut firsts = Vec::with_capacity(read.len());
    for item in items {
        match item {
            Item::Begin(_) => *games = 0,
            Item::Chunk(n) => {
                firsts.push(*games + 1);
                *games += work.games(&read[*n]);
            }
            Item::Error(_) => {}
        }
    }
    firsts
}

/// Passes the events of a batch to `consume`.
fn emit<T>(items: Vec<Item>, done: Vec<T>, consume: &mut impl FnMut(Event<'_, T>) -> Result<()>) -> Result<()> {
    let mut done = done.into_iter();
    for item in items {
        match item {
            Item::Begin(input) => consume(Event::Begin(&input))?,
            Item::Error(error) => consume(Event::Error(error))?,
            Item::Chunk(_) => {
                if let Some(done) = done.next() {
                    consume(Event::Done(done))?;
                }
            }
        }
    }
    Ok(())
}
