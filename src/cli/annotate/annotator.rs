//! Annotates games, each to the text of its output.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::counters::Counters;
use super::{Format, Options};
use crate::annotate::{AnalystPool, AnnotationCheckpoint, JudgementScale};
use crate::check::{Review, Summary};
use crate::cli::games::{Around, ChunkOrigin, Games};
use crate::egdb::Databases;
use crate::error::{Error, Result};
use crate::export::{self, CsvOptions, FormerEvaluations, remove_former};
use crate::pdn::Outside;
use crate::records::{Annotation, DiagnosticRow, GameRow, Origin, annotate_row, game_row};
use crate::rules::Variant;

/// Annotates games on several threads.
pub(super) struct Annotator {
    analysts: AnalystPool,
    scale: JudgementScale,
    checkpoint: Option<AnnotationCheckpoint>,
    /// Value of the tag `Annotator`, without the endgame databases.
    name: String,
    databases: Databases,
    format: Format,
    evaluations: FormerEvaluations,
    counters: Arc<Counters>,
    /// Set when the output cannot be written, so that no more games are annotated.
    stopped: AtomicBool,
}

/// A game to annotate.
pub(super) struct Entry {
    review: Review,
    file: String,
    offset: u64,
    /// The text around the game.
    around: Around,
    /// The diagnostics, for the formats that have them.
    diagnostics: Vec<DiagnosticRow>,
}

/// The output for a game, and the error if it could not be annotated.
#[derive(Default)]
pub(super) struct Written {
    pub(super) text: Vec<u8>,
    pub(super) error: Option<Error>,
}

impl Entry {
    /// Returns the game as a row.
    fn row(&self) -> GameRow<'_> {
        let origin = Origin { file: &self.file, game: self.review.number(), offset: self.offset };
        let mut row = game_row(&self.review, origin, self.diagnostics.clone());
        self.around.add_to(&mut row);
        row
    }
}

impl Annotator {
    pub(super) fn new(
        options: &Options,
        variant: Option<Variant>,
        databases: Databases,
        counters: Arc<Counters>,
    ) -> Result<Self> {
        let name = options.settings(variant);
        let databases = if options.engine.is_none() { databases } else { Databases::embedded() };
        let all: Vec<_> = Variant::ALL.iter().copied().chain(variant.filter(|variant| variant.is_house())).collect();
        let settings = with_databases(&name, &databases.label(&all));
        let checkpoint = options.checkpoint().map(|path| AnnotationCheckpoint::open(path, &settings)).transpose()?;
        counters.add_saved(checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.len() as u64));
        Ok(Self {
            analysts: options.analysts(databases),
            scale: options.scale(),
            checkpoint,
            name,
            databases,
            format: options.to,
            evaluations: if options.keep_evals { FormerEvaluations::Keep } else { FormerEvaluations::Replace },
            counters,
            stopped: AtomicBool::new(false),
        })
    }

    /// Returns the number of games from earlier runs.
    pub(super) fn restored(&self) -> usize {
        self.checkpoint.as_ref().map_or(0, AnnotationCheckpoint::len)
    }

    /// Lets all games that are not begun have no output.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Annotates a game and returns its output.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be written.
    pub(super) fn write(&self, mut entry: Entry) -> Result<Written> {
        if self.stopped.load(Ordering::Relaxed) {
            return Ok(Written::default());
        }
        let (mut annotations, error) = self.annotate(&entry.review)?;
        remove_former(entry.review.game_mut(), &mut annotations, self.evaluations);
        let text = self.text(&entry, &annotations);
        let (file, game) = (&entry.file, entry.review.number());
        let named = |error| Error::unavailable(format!("{file}: game {game}: not annotated: {error}"));
        Ok(Written { text, error: error.map(named) })
    }

    /// Annotates a game. If the engine fails, there are no annotations, and the error is returned with them.
    fn annotate(&self, review: &Review) -> Result<(Vec<Annotation>, Option<Error>)> {
        let (game, analysed) = (review.game(), Cell::new(0));
        let progress = || {
            analysed.set(analysed.get() + 1);
            self.counters.add_analysed_move();
        };
        let known = self.checkpoint.as_ref().and_then(|checkpoint| checkpoint.find(game));
        let is_new = known.is_none();
        let made = known.map_or_else(|| self.analysts.annotate_with(game, &self.scale, &progress), Ok);
        self.counters.add_skipped_moves((game.written() as u64).saturating_sub(analysed.get()));
        match made {
            Err(error) => Ok((Vec::new(), Some(error))),
            Ok(annotations) => {
                if let Some(checkpoint) = self.checkpoint.as_ref().filter(|_| is_new && game.variant().is_some()) {
                    checkpoint.add(game, &annotations)?;
                    self.counters.add_saved(1);
                }
                Ok((annotations, None))
            }
        }
    }

    fn text(&self, entry: &Entry, annotations: &[Annotation]) -> Vec<u8> {
        if self.format == Format::Pdn {
            let label = self.databases.label(entry.review.game().variant().as_slice());
            let name = with_databases(&self.name, &label);
            let mut text = export::annotated_pdn(entry.review.game(), annotations, &name);
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

/// Returns the name of an annotator with the endgame databases that it uses.
fn with_databases(name: &str, databases: &str) -> String {
    if databases.is_empty() { name.to_owned() } else { format!("{name} egdb {databases}") }
}

/// Collects the games of a chunk.
pub(super) struct Collector {
    pub(super) format: Format,
}

/// The games of a chunk.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) entries: Vec<Entry>,
    pub(super) summary: Summary,
}

impl Games for Collector {
    type Done = Collected;

    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, done: &mut Collected) {
        done.summary.count_game(&review);
        let has_diagnostics = matches!(self.format, Format::Json | Format::Jsonl);
        let diagnostics = if has_diagnostics { origin.diagnostic_rows(&review) } else { Vec::new() };
        let Origin { file, offset, .. } = origin.of_game(&review);
        let file = file.to_owned();
        done.entries.push(Entry { review, file, offset, around: origin.around.clone(), diagnostics });
    }

    fn outside(&self, outside: &Outside, _: &mut ChunkOrigin<'_>, done: &mut Collected) {
        done.summary.count(&outside.diagnostic);
    }
}
