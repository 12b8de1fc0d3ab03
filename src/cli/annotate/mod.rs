//! `pdn annotate`: engine evaluations for records.

mod annotator;
mod counters;
mod meter;
mod ordered;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use rayon::ScopeFifo;

use self::annotator::{Annotator, Collector, Written};
use self::counters::Counters;
use self::meter::meter;
use self::ordered::Ordered;
use super::context::{Context, Status};
use super::games::Reviewing;
use super::interrupt;
use super::options::{Endgames, Evaluation, Files, parse_command, parse_seconds};
use super::output::Output;
use super::words::count;
use crate::annotate::{AnalystPool, JudgementScale};
use crate::check::Summary;
use crate::egdb::Databases;
use crate::engine::{EngineOptions, Knowledge, Limit};
use crate::error::{Error, Result};
use crate::export::{self, SEPARATOR};
use crate::link::{CommandLine, Timeouts};
use crate::notation::rules_label;
use crate::rules::Variant;
use crate::source::{ChunkOptions, Event, Input, Pipeline};

/// Nodes for each position if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Size of a chunk in bytes: small, since its games wait in memory for hours rather than milliseconds.
const CHUNK_SIZE: usize = 32 * 1024;

/// Games for each thread that are annotated, wait to be, or wait for an earlier one.
const PENDING_PER_JOB: usize = 16;

/// Add engine evaluations to records
///
/// Each move of a main line gets the evaluation of the position after it, from White's point of view. A move that gives
/// away too much is marked as dubious, a mistake or a blunder (?! ? ??), with the best line as a variation. With limits on
/// depth or nodes, the output is the same on every machine and with any number of jobs.
///
/// Annotating annotated records replaces the former evaluations, marks and best lines; with the same limits the output is the
/// same. A command [%pdn mark=… line=…] after an evaluation names the mark and the best line that were added with it, the line
/// by a checksum: what it does not name, and a line that was edited, belongs to others and stays.
///
/// With -o FILE, the annotated games are in FILE.part until all are done.
///
/// With --engine, another program is used instead of the built-in engine, with one process for each job. It is restarted
/// after a failure. Games that fail are reported and left unchanged, and the exit status is 2.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn annotate games.pdn -o annotated.pdn
  pdn annotate --depth 12 --to csv games.pdn
  pdn annotate --nodes 1000000 --checkpoint run.jsonl archive/ -o annotated.pdn
  pdn annotate --depth 15 --engine 'scan hub' games.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Depth of the search of each position, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes for each position [default: 100000 unless another limit is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds for each position
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Command line of an engine that speaks Hub, to be used instead of the built-in engine
    #[arg(long, value_name = "CMD", value_parser = parse_command)]
    engine: Option<CommandLine>,
    /// Seconds that such an engine may take to start, and for an answer in addition to its time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    engine_timeout: Duration,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "pdn")]
    to: Format,
    /// Keep the evaluations that the records have; other moves get new ones
    #[arg(long)]
    keep_evals: bool,
    /// Save finished games to FILE and, if it exists, continue from there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Size of the transposition table of each job in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    evaluation: Evaluation,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    /// Evaluation in centi-men at which about 85 % of the points are expected, in all phases [default: by variant and phase]
    #[arg(long, value_name = "CM", value_parser = clap::value_parser!(u32).range(1..))]
    scale: Option<u32>,
    /// Least losses of an inaccuracy, a mistake and a blunder, in points
    #[arg(long, value_name = "LOSSES", default_value = "0.1,0.18,0.25", value_parser = parse_thresholds)]
    thresholds: [u16; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The records with evaluations, marks and best lines
    Pdn,
    /// A JSON array of games
    Json,
    /// One JSON object per game
    Jsonl,
    /// One row per move
    Csv,
}

/// Parses three losses from 0 to 1, such as `0.1,0.18,0.25`, into thousandths of a point.
fn parse_thresholds(text: &str) -> Result<[u16; 3], String> {
    let loss = |text: &str| text.trim().parse::<f64>().ok().filter(|loss| (0.001..=1.0).contains(loss));
    let losses: Option<Vec<u16>> = text.split(',').map(|text| Some((1000.0 * loss(text)?).round() as u16)).collect();
    let losses = losses.and_then(|losses| <[u16; 3]>::try_from(losses).ok());
    losses
        .filter(|losses| losses.is_sorted())
        .ok_or_else(|| "expected three losses that increase, such as 0.1,0.18,0.25".to_owned())
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if options.engine.is_none() {
        options.engine_options().check_memory()?;
    }
    let databases = context.databases(context.variant);
    let counters = Arc::new(Counters::new());
    let annotator = Annotator::new(options, context.variant, databases, Arc::clone(&counters))?;
    if annotator.restored() > 0 {
        context.inform(&format!("{} restored from the checkpoint", count(annotator.restored() as u64, "game")));
    }
    interrupt::set_farewell(options.farewell(&context.out, &counters));
    let inputs = context.inputs(&options.files)?;
    let known = inputs.iter().flatten().cloned().collect();
    let bar = meter(&counters, known, context.chunk_options(&options.files), context.quiet);
    let mut sink = Sink { context, bar, counters, to: options.to, empty: true };
    sink.context.out.bytes(&options.to.header())?;
    let read = sink.context.pool()?.in_place_scope_fifo(|scope| {
        let read = annotate_inputs(options, inputs, &annotator, &mut sink, scope);
        if read.is_err() {
            annotator.stop();
        }
        read
    });
    sink.bar.finish_and_clear();
    let Read { summary, any } = read?;
    sink.context.out.bytes(options.to.footer(sink.empty))?;
    if !any {
        sink.context.discard_if_failed();
    }
    Ok(if summary.errors() > 0 { Status::Errors } else { Status::Clean })
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
    inputs: Vec<Result<Input>>,
    annotator: &'a Annotator,
    sink: &mut Sink<'_>,
    scope: &ScopeFifo<'a>,
) -> Result<Read> {
    let collector = Collector { format: options.to };
    let work = Reviewing { games: &collector, options: sink.context.check_options(&options.files) };
    let chunks = ChunkOptions { chunk_size: CHUNK_SIZE, ..sink.context.chunk_options(&options.files) };
    let max_pending = sink.context.jobs.get() * PENDING_PER_JOB;
    let mut read = Read { summary: Summary::default(), any: false };
    let mut tasks = Ordered::new(scope);
    Pipeline::new(sink.context.jobs, chunks).run(inputs, &work, |event| match event {
        Event::Begin(_) => Ok(()),
        Event::Error(error) => {
            sink.report(&error);
            Ok(())
        }
        Event::Done(done) => {
            read.any = true;
            read.summary += &done.summary;
            done.entries.into_iter().try_for_each(|entry| {
                while tasks.pending() >= max_pending {
                    tasks.wait().map_or(Ok(()), |written| sink.write(written))?;
                }
                tasks.start(move || annotator.write(entry));
                std::iter::from_fn(|| tasks.ready()).try_for_each(|written| sink.write(written))
            })
        }
    })?;
    std::iter::from_fn(|| tasks.wait()).try_for_each(|written| sink.write(written))?;
    Ok(read)
}

/// Where annotated games go.
struct Sink<'a> {
    context: &'a mut Context,
    bar: ProgressBar,
    counters: Arc<Counters>,
    to: Format,
    /// True until the first game.
    empty: bool,
}

impl Sink<'_> {
    /// Writes a game, so that a reader of the output sees it at once.
    fn write(&mut self, written: Result<Written>) -> Result<()> {
        let Written { text, error } = written?;
        let skipped = if self.to == Format::Json && self.empty { SEPARATOR.len() } else { 0 };
        let Self { context, bar, counters, .. } = self;
        bar.suspend(|| {
            interrupt::while_running(|| {
                context.out.bytes(&text[skipped..])?;
                context.out.flush()?;
                counters.add_game();
                if let Some(error) = &error {
                    context.report(error);
                }
                Ok::<(), Error>(())
            })
        })?;
        self.empty = false;
        Ok(())
    }

    fn report(&mut self, error: &Error) {
        self.bar.suspend(|| interrupt::while_running(|| self.context.report(error)));
    }
}

impl Options {
    fn limit(&self) -> Limit {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        let mut limit = Limit::none();
        limit.depth = self.depth;
        limit.nodes = self.nodes.or(unlimited.then_some(DEFAULT_NODES));
        limit.time = self.time;
        limit
    }

    /// Returns the checkpoint, if there is one.
    pub(super) fn checkpoint(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// Returns everything on which annotations depend besides the game.
    fn settings(&self, variant: Option<Variant>) -> String {
        let limit = self.limit();
        let by = match &self.engine {
            Some(command) => format!("engine {command} {limit}"),
            None => match self.evaluation.knowledge() {
                Knowledge::BuiltIn => format!("{limit} hash {}", self.hash),
                knowledge => format!("{limit} hash {} {knowledge}", self.hash),
            },
        };
        let house = variant.filter(|variant| variant.is_house());
        let rules = house.map(|house| format!(" rules {}", rules_label(house))).unwrap_or_default();
        format!("pdn {} {by} scale {}{rules}", env!("CARGO_PKG_VERSION"), self.scale())
    }

    /// Returns how moves are judged.
    fn scale(&self) -> JudgementScale {
        let scale = JudgementScale::default().with_thresholds(self.thresholds);
        self.scale.map_or(scale, |centi_men| scale.with_scale(centi_men))
    }

    /// Returns the message for an interrupt.
    fn farewell(&self, out: &Output, counters: &Arc<Counters>) -> impl Fn() -> String + Send + 'static {
        let (checkpoint, part, counters) = (self.checkpoint.clone(), out.growing_path(), Arc::clone(counters));
        move || {
            let written = count(counters.games(), "game");
            let written = match &part {
                Some(path) => format!("{written} written to {}", path.display()),
                None => format!("{written} written"),
            };
            match &checkpoint {
                Some(path) => {
                    let saved = count(counters.saved(), "game");
                    format!(
                        "interrupted: {saved} saved in {}, {written}; repeat the command to continue",
                        path.display()
                    )
                }
                None => format!("interrupted: {written}; with --checkpoint FILE a run can be continued"),
            }
        }
    }

    fn analysts(&self, databases: Databases) -> AnalystPool {
        match &self.engine {
            Some(command) => {
                let timeouts = Timeouts::new(self.engine_timeout, self.engine_timeout);
                AnalystPool::hub(command.clone(), self.limit(), timeouts)
            }
            None => AnalystPool::built_in(self.engine_options().with_databases(databases), self.limit()),
        }
    }

    fn engine_options(&self) -> EngineOptions {
        let options = EngineOptions::default().with_hash_mb(self.hash as usize);
        options.with_knowledge(self.evaluation.knowledge())
    }
}

impl Format {
    fn header(self) -> Vec<u8> {
        match self {
            Self::Csv => export::moves_header(),
            Self::Json => b"[\n".to_vec(),
            Self::Pdn | Self::Jsonl => Vec::new(),
        }
    }

    const fn footer(self, empty: bool) -> &'static [u8] {
        match self {
            Self::Json if empty => b"]\n",
            Self::Json => b"\n]\n",
            Self::Pdn | Self::Jsonl | Self::Csv => b"",
        }
    }
}
