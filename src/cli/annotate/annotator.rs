//! Annotates games, each to the text of its output.

use std::borrow::Cow;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::counters::Counters;
use super::options::{Layout, Options};
use super::sink::MOVES;
use crate::annotate::{AnalystPool, AnnotateOptions, AnnotationCheckpoint};
use crate::board::Side;
use crate::check::{Around, Review, Summary};
use crate::egdb::Databases;
use crate::error::{Error, Result};
use crate::export::{
    self, ChunkOrigin, FormerEvaluations, GameWork, SEPARATOR, Table, remove_former, remove_former_lines,
};
use crate::pdn::Outside;
use crate::records::{Aliases, Annotation, DiagnosticRow, GameRow, Origin, PlayerTable, annotate_row, game_row};
use crate::replay::ReplayedGame;
use crate::rules::Variant;

/// Annotates games on several threads.
pub(super) struct Annotator {
    analysts: AnalystPool,
    options: AnnotateOptions,
    checkpoint: Option<AnnotationCheckpoint>,
    /// Value of the tag `Annotator`, without the endgame databases.
    name: String,
    databases: Databases,
    layout: Layout,
    evaluations: FormerEvaluations,
    /// Part of the name of the players whose moves are annotated.
    player: Option<String>,
    aliases: Aliases,
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
    pub(super) players: PlayerTable,
}

impl Entry {
    /// Returns the game as a row.
    fn row(&self) -> GameRow<'_> {
        let origin = Origin { file: &self.file, game: self.review.number(), offset: self.offset };
        let mut row = game_row(&self.review, origin, self.diagnostics.clone());
        row.add_around(&self.around);
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
        let databases = if options.uses_built_in() { databases } else { Databases::embedded() };
        let all: Vec<_> = Variant::ALL.iter().copied().chain(variant.filter(|variant| variant.is_house())).collect();
        let settings = with_databases(&name, &databases.label(&all));
        let checkpoint = options.checkpoint().map(|path| AnnotationCheckpoint::open(path, &settings)).transpose()?;
        let checkpoint = checkpoint.map(|checkpoint| checkpoint.with_variations(options.has_variations()));
        counters.add_saved(checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.len() as u64));
        Ok(Self {
            analysts: options.analysts(databases)?,
            options: options.annotate_options(),
            checkpoint,
            name,
            databases,
            layout: options.layout(),
            player: options.player().map(str::to_lowercase),
            aliases: options.aliases()?,
            evaluations: if options.keeps_evaluations() { FormerEvaluations::Keep } else { FormerEvaluations::Replace },
            counters,
            stopped: AtomicBool::new(false),
        })
    }

    /// Returns the number of games from earlier runs.
    pub(super) fn restored(&self) -> usize {
        self.checkpoint.as_ref().map_or(0, AnnotationCheckpoint::len)
    }

    /// Completes the cache.
    ///
    /// # Errors
    ///
    /// If it could not be read or written: the games were annotated without it from then on.
    pub(super) fn finish_cache(&self) -> Result<()> {
        let failed = |why| Err(Error::unavailable(format!("{why}; the run continued without the cache")));
        self.analysts.finish_cache().map_or(Ok(()), failed)
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
        let mut row = entry.row();
        annotate_row(&mut row, entry.review.game(), &annotations);
        let players =
            if annotations.is_empty() { PlayerTable::default() } else { PlayerTable::of(&row, &self.aliases) };
        let text = self.text(&entry, &annotations, row);
        let (file, game) = (&entry.file, entry.review.number());
        let named = |error| Error::unavailable(format!("{file}: game {game}: not annotated: {error}"));
        Ok(Written { text, error: error.map(named), players })
    }

    /// Annotates a game. If the engine fails, there are no annotations, and the error is returned with them.
    fn annotate(&self, review: &Review) -> Result<(Vec<Annotation>, Option<Error>)> {
        let game = self.game(review);
        let (game, analysed) = (game.as_ref(), Cell::new(0));
        let progress = || {
            analysed.set(analysed.get() + 1);
            self.counters.add_analysed_move();
        };
        let known = self.checkpoint.as_ref().and_then(|checkpoint| checkpoint.find(game));
        let is_new = known.is_none();
        let made = known.map_or_else(|| self.analyse(game, &progress), Ok);
        self.counters.add_skipped_moves((game.written() as u64).saturating_sub(analysed.get()));
        match made {
            Err(error) => Ok((Vec::new(), Some(error))),
            Ok(annotations) => {
                if let Some(checkpoint) = self.checkpoint.as_ref().filter(|_| is_new && !annotations.is_empty()) {
                    checkpoint.add(game, &annotations)?;
                    self.counters.add_saved(1);
                }
                Ok((annotations, None))
            }
        }
    }

    /// Returns the game to analyse: where variations are annotated too, without the best lines of an earlier run.
    fn game<'a>(&self, review: &'a Review) -> Cow<'a, ReplayedGame> {
        if !self.options.has_variations() {
            return Cow::Borrowed(review.game());
        }
        let mut game = review.game().clone();
        remove_former_lines(&mut game);
        Cow::Owned(game)
    }

    /// Analyses the moves of a game that are selected. A panic is an error of this game only.
    fn analyse(&self, game: &ReplayedGame, progress: &dyn Fn()) -> Result<Vec<Annotation>> {
        let Some(options) = self.options_for(game) else { return Ok(Vec::new()) };
        let analyse = || self.analysts.annotate_with(game, &options, progress);
        catch_unwind(AssertUnwindSafe(analyse)).unwrap_or_else(|_| Err(Error::unavailable("internal error")))
    }

    /// Returns how a game is annotated; `None` if it is not a game of the player who was named.
    fn options_for(&self, game: &ReplayedGame) -> Option<AnnotateOptions> {
        let Some(player) = &self.player else { return Some(self.options.clone()) };
        let plays = |tag| {
            let name = self.aliases.name(game.tree().tag(tag).unwrap_or_default());
            name.to_lowercase().contains(player)
        };
        match (plays("White"), plays("Black")) {
            (false, false) => None,
            (true, true) => Some(self.options.clone()),
            (white, _) => self.options.only(if white { Side::White } else { Side::Black }),
        }
    }

    fn text(&self, entry: &Entry, annotations: &[Annotation], row: GameRow<'_>) -> Vec<u8> {
        let mut text = Vec::new();
        match self.layout {
            Layout::Pdn => {
                let game = entry.review.game();
                let name = with_databases(&self.name, &self.databases.label(game.variant().as_slice()));
                text.extend_from_slice(export::annotated_pdn(game, annotations, &name).as_bytes());
                text.push(b'\n');
            }
            Layout::Moves => export::write_csv_rows(&mut text, Table::Moves, &row, MOVES),
            Layout::Players => {}
            Layout::Json => {
                text.extend_from_slice(SEPARATOR);
                export::write_json_game(&mut text, row);
            }
            Layout::Jsonl => {
                export::write_json_game(&mut text, row);
                text.push(b'\n');
            }
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
    pub(super) layout: Layout,
}

/// The games of a chunk.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) entries: Vec<Entry>,
    pub(super) summary: Summary,
}

impl GameWork for Collector {
    type Done = Collected;

    fn game(&self, review: Review, origin: &mut ChunkOrigin<'_>, done: &mut Collected) {
        done.summary.count_game(&review);
        let has_diagnostics = matches!(self.layout, Layout::Json | Layout::Jsonl);
        let diagnostics = if has_diagnostics { origin.diagnostic_rows(&review) } else { Vec::new() };
        let Origin { file, offset, .. } = origin.of_game(&review);
        let file = file.to_owned();
        done.entries.push(Entry { review, file, offset, around: origin.around().clone(), diagnostics });
    }

    fn outside(&self, outside: &Outside, _: &mut ChunkOrigin<'_>, done: &mut Collected) {
        done.summary.count(outside.diagnostic());
    }
}
