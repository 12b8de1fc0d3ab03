//! `pdn annotate`: engine evaluations for records.

mod meter;
mod options;
mod output;

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use self::meter::{all_games_and_moves, meter};
pub(super) use self::options::Options;
use self::output::{Piece, Sink, Written, files_for};
use super::context::{Context, Remarks, Status};
use super::interrupt;
use super::output::unfinished;
use super::words::count;
use crate::annotate::{BatchRun, CHUNK_SIZE, GameAnnotator, Shard};
use crate::check::{Checking, Summary};
use crate::diag::Severity;
use crate::error::{Error, Result};
use crate::export::{PlacedReview, PlacedReviews};
use crate::source::{ChunkOptions, Event, Input, Pipeline};

/// What a run reads.
struct Plan {
    inputs: Vec<Result<Input>>,
    /// The file for each input by its label, if each has one.
    files: Option<HashMap<String, PathBuf>>,
    /// The indices of the games to annotate, from 0 over all inputs.
    games: Range<u64>,
}

/// The games of inputs being annotated.
type Run = BatchRun<PlacedReview, Piece>;

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    options.check(context.out.is_file())?;
    let databases = context.databases(context.variant);
    let annotator = Arc::new(options.annotator(databases)?);
    let written = Arc::new(AtomicU64::new(0));
    interrupt::set_farewell(farewell(options, context.out.growing_path(), &annotator, &written));
    let plan = plan(options, context)?;
    let known = plan.inputs.iter().flatten().cloned().collect();
    let bar = meter(&annotator, known, options.files.chunk_options(), context.quiet || options.cleans());
    let writer = options.writer();
    let mut sink = Sink::new(context, bar, Arc::clone(&written), Arc::clone(&writer), plan.games.start == 0);
    let whole = plan.files.is_none();
    // The parts that the shards write, joined in order, are the output of a single run: one header, one end.
    if whole && options.shard.is_none_or(Shard::is_first) {
        sink.begin()?;
    }
    let (working, counts) = (Arc::clone(&annotator), writer.has_players() || options.wants_summary());
    let mut run = BatchRun::new(sink.context.jobs, move |entry: PlacedReview| {
        let game = working.annotate(entry.review);
        Piece::Game(Written::new(&*writer, &game, &entry.place, counts))
    })?;
    let read = annotate_inputs(options, plan, &mut run, &mut sink);
    if read.is_err() {
        annotator.stop();
    }
    run.join();
    sink.clear();
    let Read { summary, any } = read?;
    sink.context.remarks = Remarks::of_records(options.writes_records());
    sink.context.report_doubts(&options.files);
    sink.end_file()?;
    if whole && options.shard.is_none_or(Shard::is_last) {
        sink.end()?;
    }
    annotator.journal_errors().iter().for_each(|error| sink.context.report(error));
    let restored = annotator.progress().restored();
    if restored > 0 && options.checkpoint.is_some() {
        sink.context.inform(&format!("{} restored from the checkpoint", count(restored, "game")));
    }
    let written = written.load(Ordering::Relaxed);
    if let Some(nobody) = options.nobody().filter(|_| written > 0 && sink.chosen == 0) {
        sink.context.inform(&nobody);
    }
    if options.wants_summary() {
        let text = sink.summary(written, options.nodes(), options.annotate.lang);
        sink.context.inform(&text);
    }
    if !any {
        sink.context.discard_if_failed();
    }
    Ok(context.conclude(summary.diagnostics(Severity::Error)))
}

/// Finds the inputs, their files and the games to annotate.
fn plan(options: &Options, context: &Context) -> Result<Plan> {
    let mut inputs = options.files.inputs(context)?;
    context.spare_uncertain(&inputs, &options.files)?;
    let found: Vec<_> = inputs.iter().flatten().collect();
    let files_in = |folder| files_for(&found, &options.files.paths, folder, &options.to);
    let mut files = options.out_dir.as_deref().map(files_in).transpose()?;
    let mut games = 0..u64::MAX;
    if let Some(shard) = options.shard {
        if found.iter().any(|input| input.stored_size().is_none()) {
            return Err(Error::usage("--shard needs files, because the games are counted first"));
        }
        let chunks = options.files.chunk_options();
        let counts: Vec<_> = found.iter().map(|&input| all_games_and_moves([input], &chunks).0).collect();
        let all = counts.iter().sum();
        if let Some(files) = &mut files {
            let (mut first, mut counts) = (0, counts.into_iter());
            inputs.retain(|input| {
                let Ok(input) = input else { return true };
                let is_here = shard.has_file(first, all);
                first += counts.next().unwrap_or(0);
                if !is_here {
                    files.remove(input.label());
                }
                is_here
            });
        } else {
            games = shard.range(all);
        }
    }
    let outputs = files.iter().flat_map(HashMap::values).filter(|_| !options.continues());
    if let Some(reason) = outputs.filter_map(|file| unfinished(file)).min() {
        return Err(Error::usage(reason));
    }
    Ok(Plan { inputs, files, games })
}

/// The outcome of reading all inputs.
struct Read {
    summary: Summary,
    /// True if at least one chunk was read.
    any: bool,
}

/// Annotates all games, several at a time, and writes them in order as soon as they are done.
fn annotate_inputs(options: &Options, plan: Plan, run: &mut Run, sink: &mut Sink<'_>) -> Result<Read> {
    let work = Checking::by_input(PlacedReviews, sink.context.check_options(&options.files));
    let chunks = ChunkOptions { chunk_size: CHUNK_SIZE, ..options.files.chunk_options() };
    let mut read = Read { summary: Summary::default(), any: false };
    let mut index = 0;
    Pipeline::new(sink.context.jobs, chunks).run(plan.inputs, &work, |event| match event {
        Event::Begin(input) => {
            if let Some(file) = plan.files.as_ref().and_then(|files| files.get(input.label())) {
                run.pass(Piece::File(file.clone()));
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
            index += done.games.len() as u64;
            (first..).zip(done.games).filter(|(index, _)| plan.games.contains(index)).try_for_each(|(_, entry)| {
                while !run.has_room() {
                    run.wait().map_or(Ok(()), |piece| sink.write(piece))?;
                }
                run.add(entry);
                std::iter::from_fn(|| run.ready()).try_for_each(|piece| sink.write(piece))
            })
        }
    })?;
    std::iter::from_fn(|| run.wait()).try_for_each(|piece| sink.write(piece))?;
    Ok(read)
}

/// Returns the message for an interrupt.
fn farewell(
    options: &Options,
    part: Option<PathBuf>,
    annotator: &Arc<GameAnnotator>,
    written: &Arc<AtomicU64>,
) -> impl Fn() -> String + Send + 'static {
    let checkpoint = options.checkpoint.clone();
    // The message outlives the run, whose engines end with the annotator.
    let (annotator, written) = (Arc::downgrade(annotator), Arc::clone(written));
    move || {
        let written = count(written.load(Ordering::Relaxed), "game");
        let part = part.as_ref().map(|path| format!(" to {}", path.display())).unwrap_or_default();
        let Some(path) = &checkpoint else {
            return format!("interrupted: {written} written{part}; a run with --checkpoint FILE can be continued");
        };
        let saved = count(Weak::upgrade(&annotator).map_or(0, |annotator| annotator.progress().saved()), "game");
        let path = path.display();
        format!("interrupted: {saved} saved in {path}, {written} written{part}; repeat the command to continue")
    }
}
