//! Annotated games.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::host::Host;
use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Progress, Session, Sink, Walk, failed};
use crate::annotate::{
    AnnotateOptions as Moves, BatchProgress, EnginePool, FormerEvaluations, GameAnnotator, JudgementScale,
};
use crate::board::Side;
use crate::check::{CheckOptions, CheckedGame, Checking, GameWork, Needs, Summary};
use crate::engine::{EngineOptions, Limit, Weights};
use crate::error::{Error, Result};
use crate::export::{ConvertOptions, PlacedReview, PlacedReviews, RecordWriter, Table, TextOutput};
use crate::records::PlayerTable;
use crate::source::{ChunkOptions, Event, Steps};

/// Counts games and their moves.
pub(super) fn count(reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    options.end()?;
    Walk::new(reading, Counting, Counted::default())
}

struct Counting;

#[derive(Default)]
struct Counted {
    games: u64,
    moves: u64,
}

impl GameWork for Counting {
    type Done = Counted;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Counted) {
        done.games += 1;
        done.moves += game.plies() as u64;
    }
}

impl Sink<Self> for Counted {
    fn take(&mut self, done: Self, _: &Out) -> Result<()> {
        self.games += done.games;
        self.moves += done.moves;
        Ok(())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        out.result(&json!({ "games": self.games, "moves": self.moves }))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AnnotateOptions {
    depth: Option<u32>,
    nodes: Option<u64>,
    lines: Option<usize>,
    variations: bool,
    keep_evals: bool,
    player: Option<String>,
    side: Option<String>,
    from_ply: Option<u32>,
    to_ply: Option<u32>,
    hash: Option<usize>,
    scale: Option<u32>,
    thresholds: Option<[f64; 3]>,
    aliases: Option<String>,
    to: Option<String>,
    table: Option<Table>,
    /// The games to annotate, the second index excluded.
    range: Option<[u64; 2]>,
    /// Numbers of all games, and of their moves.
    all: [u64; 2],
}

/// Nodes for each position, in the mean of a game, if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Size of a chunk in bytes: small, since its games wait in memory while they are annotated.
const CHUNK_SIZE: usize = 32 * 1024;

impl AnnotateOptions {
    fn annotator(&self, host: Option<&dyn Host>, out: &Out) -> Result<GameAnnotator> {
        let mut limit = Limit::none();
        limit.depth = self.depth;
        limit.nodes = self.nodes.or(self.depth.is_none().then_some(DEFAULT_NODES));
        let mut scale = JudgementScale::default();
        if let Some(losses) = self.thresholds {
            let increasing = losses.is_sorted() && losses.iter().all(|loss| (0.001..=1.0).contains(loss));
            if !increasing {
                return Err(Error::usage("thresholds: expected three losses from 0.001 to 1 that increase"));
            }
            scale = scale.with_thresholds(losses.map(|loss| (1000.0 * loss).round() as u16));
        }
        let side = match self.side.as_deref() {
            None => None,
            Some("W") => Some(Side::White),
            Some("B") => Some(Side::Black),
            Some(other) => return Err(Error::usage(format!("unknown side `{other}`"))),
        };
        let former = if self.keep_evals { FormerEvaluations::Keep } else { FormerEvaluations::Replace };
        let options = Moves::new(limit)
            .with_scale(self.scale.map_or(scale, |centi_men| scale.with_scale(centi_men)))
            .with_side(side)
            .with_plies(self.from_ply.unwrap_or(1)..=self.to_ply.unwrap_or(u32::MAX))
            .with_lines(self.lines.unwrap_or(1).clamp(1, 100))
            .with_variations(self.variations)
            .with_former(former)
            .with_player(self.player.clone());
        let engine = EngineOptions::default().with_hash_mb(self.hash.unwrap_or(16).max(1));
        engine.check_memory()?;
        let out = out.clone();
        let engines = host
            .map_or_else(|| Ok(Arc::new(EnginePool::built_in(engine.clone()))), |host| host.engines(engine.clone()))?;
        let annotator = GameAnnotator::new(engines, options).with_observer(move |progress| {
            // An outlet that is gone ends the work after the game.
            let _ = report_progress(&out, progress);
        });
        let [first, end] = self.range.unwrap_or([0, self.all[0]]);
        let moves = self.all[1].checked_div(self.all[0]).unwrap_or_default();
        match self.range {
            // What share of the moves the range has is not known.
            Some(_) => annotator.expect(end.min(self.all[0]).saturating_sub(first), moves * end.saturating_sub(first)),
            None => annotator.expect(self.all[0], self.all[1]),
        }
        Ok(annotator)
    }
}

fn report_progress(out: &Out, progress: BatchProgress) -> Result<()> {
    let (games, moves) = progress.all().unwrap_or_default();
    out.send(
        "progress",
        &json!({
            "games": progress.games(),
            "moves": progress.moves(),
            "allGames": games,
            "allMoves": moves,
            "left": progress.left(),
        }),
    )
}

pub(super) fn annotate(reading: Reading, options: &AnnotateOptions) -> Result<Box<dyn Session>> {
    let to = options.to.as_deref().unwrap_or("pdn");
    if to == "fen" {
        return Err(Error::usage("annotated games cannot be FENs"));
    }
    let writer = super::text::writer(&ConvertOptions {
        to: Some(to.to_owned()),
        table: options.table.or(Some(Table::Moves)),
        ..ConvertOptions::default()
    })?;
    let annotator = options.annotator(reading.host.as_deref(), &reading.out)?;
    let reading = reading.with_aliases(options.aliases.as_deref())?;
    let games = options.range.map_or(0..u64::MAX, |[first, end]| first..end);
    let mut output = TextOutput::new(Arc::clone(&writer));
    if games.start > 0 {
        output = output.continued();
    } else {
        reading.out.output(&output.header())?;
    }
    let mut chunks: ChunkOptions = reading.chunks;
    chunks.chunk_size = CHUNK_SIZE;
    Ok(Box::new(Annotating {
        steps: Steps::new(reading.inputs, Checking::new(PlacedReviews, reading.checks), chunks),
        is_last: games.end >= options.all[0],
        waiting: VecDeque::new(),
        read: 0,
        games,
        annotator,
        writer,
        output: Some(output),
        summary: Summary::default(),
        annotated: 0,
        out: reading.out,
    }))
}

/// Annotates games in turn, one per step.
struct Annotating {
    steps: Steps<Checking<PlacedReviews, CheckOptions>>,
    /// The games of the last chunk, with their indices.
    waiting: VecDeque<(u64, PlacedReview)>,
    /// Number of games that were read.
    read: u64,
    games: Range<u64>,
    is_last: bool,
    annotator: GameAnnotator,
    writer: Arc<dyn RecordWriter>,
    output: Option<TextOutput>,
    summary: Summary,
    annotated: u64,
    out: Out,
}

impl Session for Annotating {
    fn step(&mut self) -> Result<Progress> {
        if let Some((index, game)) = self.waiting.pop_front() {
            let data = game.review.game().variant().and_then(Weights::file);
            if let Some(data) = data.filter(|data| self.out.lacks(data)) {
                self.waiting.push_front((index, game));
                self.out.send("needs", &data)?;
                return Ok(Progress::Needs);
            }
            return self.annotate(index, game);
        }
        match self.steps.step() {
            Some(Event::Begin(input)) => {
                self.out.send("begin", &input.label())?;
                Ok(Progress::More)
            }
            Some(Event::Error(error)) => failed(&error, &self.out),
            Some(Event::Done(done)) => {
                self.summary += &done.summary;
                for game in done.games {
                    if self.games.contains(&self.read) {
                        self.waiting.push_back((self.read, game));
                    }
                    self.read += 1;
                }
                Ok(Progress::More)
            }
            None => {
                let footer = self.output.take().map(TextOutput::finish).unwrap_or_default();
                if self.is_last {
                    self.out.output(&footer)?;
                }
                self.out.result(&json!({ "games": self.annotated, "errors": self.summary.errors() }))?;
                Ok(Progress::Done)
            }
        }
    }
}

impl Annotating {
    fn annotate(&mut self, index: u64, PlacedReview { review, place }: PlacedReview) -> Result<Progress> {
        let game = self.annotator.annotate(review);
        if let Some(why) = &game.failure {
            let message = format!("game {}: not annotated: {why}", game.review.number());
            self.out.send("failure", &json!({ "file": place.file(), "message": message }))?;
        }
        let text = place.write(&*self.writer, &game);
        let players = if self.writer.has_players() { place.players(&game) } else { PlayerTable::default() };
        if let Some(output) = &mut self.output {
            output.add_game(&text, players, |bytes| self.out.output(bytes))?;
        }
        self.annotated += 1;
        self.out.send("game", &index)?;
        report_progress(&self.out, self.annotator.progress())?;
        Ok(Progress::More)
    }
}
