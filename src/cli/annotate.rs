//! `pdn annotate`: engine evaluations for records.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::context::{Context, Status, Step};
use super::games::{ChunkOrigin, Games, Reviewing};
use super::options::{Files, parse_command, parse_seconds};
use super::words::count;
use crate::annotate::{AnalystPool, AnnotationCheckpoint, JudgementScale};
use crate::check::{Review, Summary};
use crate::engine::{EngineOptions, Limit};
use crate::error::{Error, Result};
use crate::export::{self, CsvOptions, FormerEvaluations, SEPARATOR, remove_former};
use crate::link::{CommandLine, Timeouts};
use crate::notation::rules_label;
use crate::pdn::Outside;
use crate::records::{Annotation, DiagnosticRow, GameRow, Origin, annotate_row, game_row};
use crate::rules::Variant;

/// Nodes for each position if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Add engine evaluations to records
///
/// Each move of a main line gets the evaluation of the position after it, from White's point of view. A move that gives
/// away too much is marked as dubious, a mistake or a blunder (?! ? ??), with the best line as a variation. With limits on
/// depth or nodes, the output is the same on every machine and with any number of jobs.
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
    files: Files,
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
    /// Evaluation in centi-men at which about 85 % of the points are expected; the scale on which moves are judged
    #[arg(long, value_name = "CM", default_value_t = JudgementScale::default().scale, value_parser = clap::value_parser!(u32).range(1..))]
    scale: u32,
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

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let annotator = Annotator::new(options, context.variant)?;
    if let Some(checkpoint) = annotator.checkpoint.as_ref().filter(|checkpoint| !checkpoint.is_empty()) {
        context.inform(&format!("{} restored from the checkpoint", count(checkpoint.len() as u64, "game")));
    }
    let work = Reviewing { games: &annotator, options: context.check_options(&options.files) };
    context.out.bytes(&options.to.header())?;
    let (mut summary, mut empty) = (Summary::default(), true);
    context.read(&options.files, &work, |context, step| {
        let Step::Done(done) = step else { return Ok(()) };
        summary += &done.summary;
        for entry in done.entries {
            let label = entry.label();
            let Written { text, error } = entry.written?;
            let skipped = if options.to == Format::Json && empty { SEPARATOR.len() } else { 0 };
            context.out.bytes(&text[skipped..])?;
            empty = false;
            if let Some(error) = error {
                context.report(&Error::unavailable(format!("{label}: not annotated: {error}")));
            }
        }
        Ok(())
    })?;
    context.out.bytes(options.to.footer(empty))?;
    Ok(if summary.errors() > 0 { Status::Errors } else { Status::Clean })
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

    /// Returns everything on which annotations depend besides the game.
    fn settings(&self, variant: Option<Variant>) -> String {
        let limit = self.limit();
        let by = match &self.engine {
            Some(command) => format!("engine {command} {limit}"),
            None => format!("{limit} hash {}", self.hash),
        };
        let house = variant.filter(|variant| variant.is_house());
        let rules = house.map(|house| format!(" rules {}", rules_label(house))).unwrap_or_default();
        format!("pdn {} {by} scale {}{rules}", env!("CARGO_PKG_VERSION"), self.scale)
    }

    fn analysts(&self) -> AnalystPool {
        match &self.engine {
            Some(command) => {
                let timeouts = Timeouts::new(self.engine_timeout, self.engine_timeout);
                AnalystPool::hub(command.clone(), self.limit(), timeouts)
            }
            None => AnalystPool::built_in(EngineOptions::default().with_hash_mb(self.hash as usize), self.limit()),
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

/// Annotates games on several threads.
struct Annotator {
    analysts: AnalystPool,
    scale: JudgementScale,
    checkpoint: Option<AnnotationCheckpoint>,
    /// Value of the tag `Annotator`.
    name: String,
    format: Format,
    evaluations: FormerEvaluations,
}

/// The games of a chunk.
#[derive(Default)]
struct Annotated {
    entries: Vec<Entry>,
    summary: Summary,
}

/// A game, before and after it is annotated.
struct Entry {
    review: Review,
    file: String,
    offset: u64,
    /// The diagnostics, for the formats that have them.
    diagnostics: Vec<DiagnosticRow>,
    written: Result<Written>,
}

impl Entry {
    /// Returns the game as a row.
    fn row(&mut self) -> GameRow {
        let origin = Origin { file: &self.file, game: self.review.number(), offset: self.offset };
        game_row(&self.review, origin, std::mem::take(&mut self.diagnostics))
    }

    /// Returns the file and the number of the game, for messages.
    fn label(&self) -> String {
        format!("{}: game {}", self.file, self.review.number())
    }
}

/// The output for a game, and the error if it could not be annotated.
#[derive(Default)]
struct Written {
    text: Vec<u8>,
    error: Option<Error>,
}

impl Annotator {
    fn new(options: &Options, variant: Option<Variant>) -> Result<Self> {
        let name = options.settings(variant);
        let open = |path: &PathBuf| AnnotationCheckpoint::open(path, &name);
        Ok(Self {
            analysts: options.analysts(),
            scale: JudgementScale::default().with_scale(options.scale),
            checkpoint: options.checkpoint.as_ref().map(open).transpose()?,
            name,
            format: options.to,
            evaluations: if options.keep_evals { FormerEvaluations::Keep } else { FormerEvaluations::Replace },
        })
    }

    /// Annotates a game. If the engine fails, there are no annotations, and the error is returned with them.
    fn annotate(&self, review: &Review) -> Result<(Vec<Annotation>, Option<Error>)> {
        if let Some(known) = self.checkpoint.as_ref().and_then(|checkpoint| checkpoint.find(review.game())) {
            return Ok((known, None));
        }
        let annotations = match self.analysts.annotate(review.game(), &self.scale) {
            Ok(annotations) => annotations,
            Err(error) => return Ok((Vec::new(), Some(error))),
        };
        if let (Some(checkpoint), Some(_)) = (&self.checkpoint, review.game().variant()) {
            checkpoint.add(review.game(), &annotations)?;
        }
        Ok((annotations, None))
    }

    fn write(&self, entry: &mut Entry) -> Result<Written> {
        let (mut annotations, error) = self.annotate(&entry.review)?;
        remove_former(entry.review.game_mut(), &mut annotations, self.evaluations);
        Ok(Written { text: self.text(entry, &annotations), error })
    }

    fn text(&self, entry: &mut Entry, annotations: &[Annotation]) -> Vec<u8> {
        if self.format == Format::Pdn {
            let mut text = export::annotated_pdn(entry.review.game(), annotations, &self.name);
            text.push('\n');
            return text.into_bytes();
        }
        let mut row = entry.row();
        annotate_row(&mut row, entry.review.game(), annotations);
        let mut text = Vec::new();
        match self.format {
            Format::Csv => export::write_moves(&mut text, &row, CsvOptions::default()),
            Format::Json => export::write_json_item(&mut text, &row),
            Format::Jsonl | Format::Pdn => export::write_json_line(&mut text, &row),
        }
        text
    }
}

impl Games for Annotator {
    type Done = Annotated;

    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, done: &mut Annotated) {
        done.summary.count_game(&review);
        let has_diagnostics = matches!(self.format, Format::Json | Format::Jsonl);
        let diagnostics = if has_diagnostics { origin.diagnostic_rows(&review) } else { Vec::new() };
        let Origin { file, offset, .. } = origin.of_game(&review);
        let file = file.to_owned();
        done.entries.push(Entry { review, file, offset, diagnostics, written: Ok(Written::default()) });
    }

    fn outside(&self, outside: &Outside, _: &mut ChunkOrigin<'_>, done: &mut Annotated) {
        done.summary.count(&outside.diagnostic);
    }

    fn end(&self, done: &mut Annotated) {
        // Games take long enough for each to be scheduled separately.
        done.entries.par_iter_mut().with_max_len(1).for_each(|entry| entry.written = self.write(entry));
    }
}
