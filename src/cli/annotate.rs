//! `pdn annotate`: engine evaluations into records.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::context::{Context, Status, Step};
use super::games::{self, Finding, Game, Games, Place, Replaying};
use super::options::{Files, parse_command, parse_seconds};
use crate::annotate::{Checkpoint, Judge, LinkedPool, LinkedSetup, Pool, annotate};
use crate::engine::Limits;
use crate::error::{Error, Result};
use crate::export::{self, SEPARATOR};
use crate::link::{CommandLine, Patience};
use crate::notation::rules_label;
use crate::records::{Annotation, GameRow, Summary, annotate_row};
use crate::replay::ReplayOptions;
use crate::rules::Variant;

/// Positions searched for each move where no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Add engine evaluations to records
///
/// Each move of a main line gets its value, from White's point of view; a move that loses something worth telling gets a
/// mark (?! ? ??) and the better line as a variation. Limits on depth or nodes give the same output on every machine and
/// with any number of jobs.
///
/// With --engine another program is asked instead of the built-in engine, one process for each job. It is started again
/// when it fails; a game that it cannot do is told and written as it was, and the exit status is 2.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn annotate games.pdn -o annotated.pdn
  pdn annotate --depth 12 --to csv games.pdn
  pdn annotate --nodes 1000000 --checkpoint run.jsonl archive/ -o annotated.pdn
  pdn annotate --depth 15 --engine 'scan hub' games.pdn")]
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
    /// Ask this program, which speaks Hub, instead of the built-in engine
    #[arg(long, value_name = "CMD", value_parser = parse_command)]
    engine: Option<CommandLine>,
    /// Seconds that such a program may take to start, and for an answer beyond its time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    engine_timeout: Duration,
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
    let annotating = Annotating::new(options, context.variant)?;
    if let Some(checkpoint) = annotating.checkpoint.as_ref().filter(|checkpoint| !checkpoint.is_empty()) {
        context.inform(&format!("{} games are known from the checkpoint", checkpoint.len()));
    }
    let work = Replaying {
        games: &annotating,
        options: ReplayOptions { variant: context.variant },
        strict: false,
        encoding: options.files.encoding(),
    };
    context.out.bytes(&options.to.header())?;
    let (mut summary, mut empty) = (Summary::default(), true);
    context.read(&options.files, &work, |context, step| {
        let Step::Done(done) = step else { return Ok(()) };
        games::add(&mut summary, &done.summary);
        for entry in done.entries {
            let Written { text, fault } = entry.written?;
            let skipped = if options.to == Format::Json && empty { SEPARATOR.len() } else { 0 };
            context.out.bytes(&text[skipped..])?;
            empty = false;
            if let Some(fault) = fault {
                let place = entry.place;
                context.report(&Error::unavailable(format!("{place}: not annotated: {fault}")));
            }
        }
        Ok(())
    })?;
    context.out.bytes(options.to.footer(empty))?;
    Ok(if summary.errors > 0 { Status::Errors } else { Status::Clean })
}

impl Options {
    fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        Limits {
            depth: self.depth,
            nodes: self.nodes.or(unlimited.then_some(DEFAULT_NODES)),
            time: self.time,
            clock: None,
        }
    }

    /// Everything that annotations depend on besides the game.
    fn settings(&self, variant: Option<Variant>) -> String {
        let Limits { depth, nodes, time, .. } = self.limits();
        let depth = depth.map(|plies| format!(" depth {plies}"));
        let nodes = nodes.map(|nodes| format!(" nodes {nodes}"));
        let time = time.map(|time| format!(" time {}", time.as_secs_f64()));
        let limits: String = [depth, nodes, time].into_iter().flatten().collect();
        let by = match &self.engine {
            Some(command) => format!(" engine {command}{limits}"),
            None => format!("{limits} hash {}", self.hash),
        };
        let house = variant.filter(|variant| variant.is_house());
        let rules = house.map(|house| format!(" rules {}", rules_label(house))).unwrap_or_default();
        format!("pdn {}{by} scale {}{rules}", env!("CARGO_PKG_VERSION"), self.scale)
    }

    fn analysts(&self) -> Analysts {
        let limits = self.limits();
        match &self.engine {
            Some(command) => {
                let (command, patience) = (command.clone(), Patience::of(self.engine_timeout));
                Analysts::Linked(LinkedPool::new(LinkedSetup { command, limits, patience }))
            }
            None => Analysts::BuiltIn(Pool::new(self.hash as usize, limits, Arc::new(AtomicBool::new(false)))),
        }
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

/// Who is asked.
enum Analysts {
    BuiltIn(Pool),
    Linked(LinkedPool),
}

impl Analysts {
    fn annotate(&self, game: &Game, variant: Variant, judge: &Judge) -> Result<Vec<Annotation>> {
        match self {
            Self::BuiltIn(pool) => pool.with(variant, |engine| annotate(&game.replayed, engine, judge)),
            Self::Linked(pool) => pool.with(variant, |engine| annotate(&game.replayed, engine, judge)),
        }
    }
}

/// What is done with each game.
struct Annotating {
    analysts: Analysts,
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
    /// File and number of the game, for messages.
    place: String,
    written: Result<Written>,
}

/// The text of a game, and why it has no annotations where the engine failed.
#[derive(Default)]
struct Written {
    text: Vec<u8>,
    fault: Option<Error>,
}

impl Annotating {
    fn new(options: &Options, variant: Option<Variant>) -> Result<Self> {
        let settings = options.settings(variant);
        let open = |path: &PathBuf| Checkpoint::open(path, &settings);
        Ok(Self {
            analysts: options.analysts(),
            judge: Judge { scale: options.scale, ..Judge::default() },
            checkpoint: options.checkpoint.as_ref().map(open).transpose()?,
            annotator: settings.clone(),
            format: options.to,
        })
    }

    /// Annotates a game; a fault of the engine leaves it without annotations.
    fn annotate(&self, game: &Game) -> Result<(Vec<Annotation>, Option<Error>)> {
        let Some(variant) = game.replayed.variant() else { return Ok(Default::default()) };
        if let Some(known) = self.checkpoint.as_ref().and_then(|checkpoint| checkpoint.find(&game.replayed)) {
            return Ok((known, None));
        }
        let annotations = match self.analysts.annotate(game, variant, &self.judge) {
            Ok(annotations) => annotations,
            Err(fault) => return Ok((Vec::new(), Some(fault))),
        };
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.add(&game.replayed, &annotations)?;
        }
        Ok((annotations, None))
    }

    fn write(&self, entry: &mut Entry) -> Result<Written> {
        let (annotations, fault) = self.annotate(&entry.game)?;
        Ok(Written { text: self.text(entry, &annotations), fault })
    }

    fn text(&self, entry: &mut Entry, annotations: &[Annotation]) -> Vec<u8> {
        let replayed = &entry.game.replayed;
        let Some(mut row) = entry.row.take() else {
            let mut text = export::annotated_pdn(replayed, annotations, &self.annotator);
            text.push('\n');
            return text.into_bytes();
        };
        annotate_row(&mut row, replayed, annotations);
        let mut text = Vec::new();
        match self.format {
            Format::Csv => export::write_moves(&mut text, &row),
            Format::Json => export::write_json_item(&mut text, &row),
            Format::Jsonl | Format::Pdn => export::write_json_line(&mut text, &row),
        }
        text
    }
}

impl Games for Annotating {
    type Done = Annotated;

    fn game(&self, game: Game, place: &mut Place<'_>, done: &mut Annotated) {
        games::count_game(&mut done.summary, &game);
        let row = (self.format != Format::Pdn).then(|| game.row(place));
        let name = format!("{}: game {}", place.input.label(), game.number);
        done.entries.push(Entry { game, row, place: name, written: Ok(Written::default()) });
    }

    fn outside(&self, finding: &Finding<'_>, _: &mut Place<'_>, done: &mut Annotated) {
        games::count_finding(&mut done.summary, finding.diagnostic);
    }

    fn end(&self, done: &mut Annotated) {
        // A game takes far longer than handing it over: each may go to another thread.
        done.entries.par_iter_mut().with_max_len(1).for_each(|entry| entry.written = self.write(entry));
    }
}
