//! `pdn annotate`: engine evaluations for records.

mod annotator;
mod counters;
mod files;
mod meter;
mod options;
mod ordered;
mod shard;
mod sink;
mod summary;

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::ScopeFifo;

use self::annotator::{Annotator, Collector};
use self::counters::Counters;
use self::files::files_for;
use self::meter::{all_games, meter};
pub(super) use self::options::Options;
use self::ordered::Ordered;
use self::sink::{Piece, Sink};
use super::context::{Context, Status};
use super::interrupt;
use super::output::Output;
use super::words::count;
use crate::check::Summary;
use crate::error::{Error, Result};
use crate::export::Reviewing;
use crate::source::{ChunkOptions, Event, Input, Pipeline};

/// Size of a chunk in bytes: small, since its games wait in memory for hours rather than milliseconds.
const CHUNK_SIZE: usize = 32 * 1024;

/// Games for each thread that are annotated, wait to be, or wait for an earlier one.
const PENDING_PER_JOB: usize = 16;

/// What a run reads.
struct Plan {
    inputs: Vec<Result<Input>>,
    /// The file for each input by its label, if each has one.
    files: Option<HashMap<String, PathBuf>>,
    /// The indices of the games to annotate, from 0 over all inputs.
    games: Range<u64>,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    options.check(context.out.is_file())?;
    let counters = Arc::new(Counters::new());
    let databases = context.databases(context.variant);
    let annotator = Annotator::new(options, context.variant, databases, Arc::clone(&counters))?;
    if annotator.restored() > 0 {
        context.inform(&format!("{} restored from the checkpoint", count(annotator.restored() as u64, "game")));
    }
    interrupt::set_farewell(farewell(options, &context.out, &counters));
    let plan = plan(options, context)?;
    let known = plan.inputs.iter().flatten().cloned().collect();
    let bar = meter(&counters, known, context.chunk_options(&options.files), context.quiet);
    let mut sink = Sink::new(context, bar, Arc::clone(&counters), options.layout(), plan.games.start == 0);
    let whole = plan.files.is_none();
    if whole && options.shard().is_none_or(shard::Shard::is_first) {
        sink.begin()?;
    }
    let read = sink.context.pool()?.in_place_scope_fifo(|scope| {
        let read = annotate_inputs(options, plan, &annotator, &mut sink, scope);
        if read.is_err() {
            annotator.stop();
        }
        read
    });
    sink.clear();
    let Read { summary, any } = read?;
    sink.end_file()?;
    if whole && options.shard().is_none_or(shard::Shard::is_last) {
        sink.end()?;
    }
    if let Err(error) = annotator.finish_cache() {
        sink.context.report(&error);
    }
    if options.wants_summary() {
        sink.context.inform(&summary::summary(counters.games(), &sink.players));
    }
    if !any {
        sink.context.discard_if_failed();
    }
    Ok(if summary.errors() > 0 { Status::Errors } else { Status::Clean })
}

/// Finds the inputs, their files and the games to annotate.
fn plan(options: &Options, context: &Context) -> Result<Plan> {
    let inputs = options.files.inputs()?;
    let found: Vec<_> = inputs.iter().flatten().collect();
    let files_in = |folder| files_for(&found, &options.files.paths, folder, options.layout());
    let files = options.out_dir().map(files_in).transpose()?;
    let games = match options.shard() {
        None => 0..u64::MAX,
        Some(_) if found.iter().any(|input| input.stored_size().is_none()) => {
            return Err(Error::usage("--shard needs files, as the games are counted first"));
        }
        Some(shard) => shard.range(all_games(&found, &context.chunk_options(&options.files))),
    };
    Ok(Plan { inputs, files, games })
}

/// The outcome of reading all inputs.
struct Read {
    summary: Summary,
    /// True if at least one chunk was read.
    any: bool,
}

/// Annotates all games, several at a time, and writes them in order as soon as they are done.
fn annotate_inputs<'a>(
    options: &Options,
    plan: Plan,
    annotator: &'a Annotator,
    sink: &mut Sink<'_>,
    scope: &ScopeFifo<'a>,
) -> Result<Read> {
    let collector = Collector { layout: options.layout() };
    let work = Reviewing::new(collector, sink.context.check_options(&options.files));
    let chunks = ChunkOptions { chunk_size: CHUNK_SIZE, ..sink.context.chunk_options(&options.files) };
    let max_pending = sink.context.jobs.get() * PENDING_PER_JOB;
    let mut read = Read { summary: Summary::default(), any: false };
    let mut tasks = Ordered::new(scope);
    let mut index = 0;
    Pipeline::new(sink.context.jobs, chunks).run(plan.inputs, &work, |event| match event {
        Event::Begin(input) => {
            let file = plan.files.as_ref().and_then(|files| files.get(input.label()).cloned());
            if let Some(file) = file {
                tasks.start(move || Ok(Piece::File(file)));
            }
            Ok(())
        }
        Event::Error(error) => {
            sink.report(&error);
            Ok(())
        }
        Event::Done(done) => {
            read.any = true;
            read.summary += &done.summary;
            let first = index;
            index += done.entries.len() as u64;
            (first..).zip(done.entries).filter(|(index, _)| plan.games.contains(index)).try_for_each(|(_, entry)| {
                while tasks.pending() >= max_pending {
                    tasks.wait().map_or(Ok(()), |piece| sink.write(piece))?;
                }
                tasks.start(move || annotator.write(entry).map(Piece::Game));
                std::iter::from_fn(|| tasks.ready()).try_for_each(|piece| sink.write(piece))
            })
        }
    })?;
    std::iter::from_fn(|| tasks.wait()).try_for_each(|piece| sink.write(piece))?;
    Ok(read)
}

/// Returns the message for an interrupt.
fn farewell(options: &Options, out: &Output, counters: &Arc<Counters>) -> impl Fn() -> String + Send + 'static {
    let (checkpoint, part, counters) =
        (options.checkpoint().map(PathBuf::from), out.growing_path(), Arc::clone(counters));
    move || {
        let written = count(counters.games(), "game");
        let written = match &part {
            Some(path) => format!("{written} written to {}", path.display()),
            None => format!("{written} written"),
        };
        match &checkpoint {
            Some(path) => {
                let saved = count(counters.saved(), "game");
                format!("interrupted: {saved} saved in {}, {written}; repeat the command to continue", path.display())
            }
            None => format!("interrupted: {written}; with --checkpoint FILE a run can be continued"),
        }
    }
}
