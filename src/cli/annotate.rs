//! `pdn annotate`: engine evaluations into records.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::context::{Context, Status, Step};
use super::games::{self, Finding, Game, Games, Place, Replaying};
use super::options::Files;
use crate::annotate::{Annotation, Checkpoint, Judge, Pool, annotate};
use crate::convert::{self, SEPARATOR};
use crate::engine::Limits;
use crate::error::Result;
use crate::records::{GameRow, Summary, annotate_row};
use crate::replay::ReplayOptions;

/// Positions searched for each move where no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Add engine evaluations to records
///
/// Each move of a main line gets its value, from White's point of view; a move that loses something worth telling gets a
/// mark (?! ? ??) and the better line as a variation. Limits on depth or nodes give the same output on every machine and
/// with any number of jobs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn annotate games.pdn -o annotated.pdn
  pdn annotate --depth 12 --to csv games.pdn
  pdn annotate --nodes 1000000 --checkpoint run.jsonl archive/ -o annotated.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// Plies to search for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Positions to search for each move [default: 100000, unless another limit is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds to search for each move
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "pdn")]
    to: Format,
    /// Keep what is done in FILE and, when it exists, go on from there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Megabytes of the table of positions of each job
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Centi-men that are worth about 85 % of a game, by which moves are judged
    #[arg(long, value_name = "CM", default_value_t = Judge::default().scale, value_parser = clap::value_parser!(u32).range(1..))]
    scale: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The records with evaluations, marks and better lines
    Pdn,
    /// A JSON array of games
    Json,
    /// A JSON object for each game
    Jsonl,
    /// A row for each move
    Csv,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let annotating = Annotating::new(options)?;
    if let Some(checkpoint) = annotating.checkpoint.as_ref().filter(|checkpoint| !checkpoint.is_empty()) {
        context.remark(&format!("{} games are known from the checkpoint", checkpoint.len()));
    }
    let work = Replaying { games: &annotating, options: ReplayOptions { variant: context.variant }, strict: false };
    context.out.bytes(&options.to.header())?;
    let (mut summary, mut empty) = (Summary::default(), true);
    context.read(&options.files, &work, |context, step| {
        let Step::Done(done) = step else { return Ok(()) };
        games::add(&mut summary, &done.summary);
        for entry in done.entries {
            let text = entry.text?;
            let skipped = if options.to == Format::Json && empty { SEPARATOR.len() } else { 0 };
            context.out.bytes(&text[skipped..])?;
            empty = false;
        }
        Ok(())
    })?;
    context.out.bytes(options.to.footer(empty))?;
    Ok(if summary.errors > 0 { Status::Findings } else { Status::Clean })
}

impl Options {
    fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        Limits { depth: self.depth, nodes: self.nodes.or(unlimited.then_some(DEFAULT_NODES)), time: self.time }
    }

    /// Everything that annotations depend on besides the game.
    fn settings(&self) -> String {
        let Limits { depth, nodes, time } = self.limits();
        let depth = depth.map(|plies| format!(" depth {plies}"));
        let nodes = nodes.map(|nodes| format!(" nodes {nodes}"));
        let time = time.map(|time| format!(" time {}", time.as_secs_f64()));
        let limits: String = [depth, nodes, time].into_iter().flatten().collect();
        format!("pdn {}{limits} hash {} scale {}", env!("CARGO_PKG_VERSION"), self.hash, self.scale)
    }
}

impl Format {
    fn header(self) -> Vec<u8> {
        match self {
            Self::Csv => convert::moves_header(),
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

/// What is done with each game.
struct Annotating {
    pool: Pool,
    judge: Judge,
    checkpoint: Option<Checkpoint>,
    annotator: String,
    format: Format,
}

/// The games of a chunk.
#[derive(Default)]
struct Annotated {
    entries: Vec<Entry>,
    summary: Summary,
}

/// A game, first as it was read, then as it is written.
struct Entry {
    game: Game,
    row: Option<GameRow>,
    text: Result<Vec<u8>>,
}

impl Annotating {
    fn new(options: &Options) -> Result<Self> {
        let settings = options.settings();
        let open = |path: &PathBuf| Checkpoint::open(path, &settings);
        Ok(Self {
            pool: Pool::new(options.hash as usize, options.limits(), Arc::new(AtomicBool::new(false))),
            judge: Judge { scale: options.scale, ..Judge::default() },
            checkpoint: options.checkpoint.as_ref().map(open).transpose()?,
            annotator: settings.clone(),
            format: options.to,
        })
    }

    fn annotate(&self, game: &Game) -> Result<Vec<Annotation>> {
        let Some(variant) = game.replayed.variant() else { return Ok(Vec::new()) };
        if let Some(known) = self.checkpoint.as_ref().and_then(|checkpoint| checkpoint.find(&game.replayed)) {
            return Ok(known);
        }
        let annotations = self.pool.with(variant, |engine| annotate(&game.replayed, engine, &self.judge))?;
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.add(&game.replayed, &annotations)?;
        }
        Ok(annotations)
    }

    fn write(&self, entry: &mut Entry) -> Result<Vec<u8>> {
        let annotations = self.annotate(&entry.game)?;
        let replayed = &entry.game.replayed;
        let Some(mut row) = entry.row.take() else {
            let mut text = convert::annotated_pdn(replayed, &annotations, &self.annotator);
            text.push('\n');
            return Ok(text.into_bytes());
        };
        annotate_row(&mut row, replayed, &annotations);
        let mut text = Vec::new();
        match self.format {
            Format::Csv => convert::write_moves(&mut text, &row),
            Format::Json => convert::write_json_item(&mut text, &row),
            Format::Jsonl | Format::Pdn => convert::write_json_line(&mut text, &row),
        }
        Ok(text)
    }
}

impl Games for Annotating {
    type Done = Annotated;

    fn game(&self, game: Game, place: &mut Place<'_>, done: &mut Annotated) {
        games::count_game(&mut done.summary, &game);
        let row = (self.format != Format::Pdn).then(|| game.row(place));
        done.entries.push(Entry { game, row, text: Ok(Vec::new()) });
    }

    fn outside(&self, finding: &Finding<'_>, _: &mut Place<'_>, done: &mut Annotated) {
        games::count_finding(&mut done.summary, finding.diagnostic);
    }

    fn end(&self, done: &mut Annotated) {
        // A game takes far longer than handing it over: each may go to another thread.
        done.entries.par_iter_mut().with_max_len(1).for_each(|entry| entry.text = self.write(entry));
    }
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds).map_err(|fault| fault.to_string())?;
    if time.is_zero() { Err("the time must be more than nothing".to_owned()) } else { Ok(time) }
}
