//! The pipeline on several threads: one reads the next batch of chunks while the others work on the current one.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::{Event, Pipeline, Work};
use crate::error::{Error, Result};
use crate::source::{Chunk, Input};

/// Chunks per thread in a batch: enough that no thread waits long for the slowest, few enough to bound the memory.
const CHUNKS_PER_THREAD: usize = 4;

pub(super) fn run<W: Work>(
    pipeline: &Pipeline,
    inputs: Vec<Result<Input>>,
    work: &W,
    mut consume: impl FnMut(Event<'_, W::Done>) -> Result<()>,
) -> Result<()> {
    let no_threads = |error: &dyn std::fmt::Display| Error::unavailable(format!("cannot start threads: {error}"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(pipeline.jobs.get()).build();
    let pool = pool.map_err(|error| no_threads(&error))?;
    // No capacity: while one batch is worked on the next one is read, and there is no third.
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
    for batch in batches {
        let files = pool.install(|| begin_files(&batch.chunks, work, &mut file));
        let unread = batch.chunks.par_iter().zip(files).with_max_len(1);
        let read: Vec<_> = pool.install(|| unread.map(|((_, chunk), file)| work.read(&file, chunk)).collect());
        let firsts = first_games(&batch.items, &read, work, &mut games);
        let numbered = batch.chunks.into_par_iter().zip(read).zip(firsts).with_max_len(1);
        let finish =
            |(((input, chunk), read), first): (((Arc<Input>, Chunk), _), _)| work.finish(&input, &chunk, read, first);
        let done: Vec<_> = pool.install(|| numbered.map(finish).collect());
        emit(batch.items, done, consume)?;
    }
    Ok(())
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
