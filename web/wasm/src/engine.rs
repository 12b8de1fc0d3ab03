//! The engine, and annotated games.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use pdn::annotate::{
    AnalystPool, AnnotateOptions as Moves, Batch, BatchOptions, BatchProgress, FormerEvaluations, JudgementScale,
    evaluation,
};
use pdn::board::Side;
use pdn::check::{CheckOptions, CheckedGame, Checking, ChunkOrigin, GameWork, Needs, Review, Summary};
use pdn::egdb::Databases;
use pdn::engine::{Analysis, Engine, EngineOptions, Limit, Weights};
use pdn::export::{CsvOptions, GamePlace, Table, TextOutput};
use pdn::pdn::Outside;
use pdn::records::PlayerTable;
use pdn::report::PageBoard;
use pdn::rules::{Position, Variant};
use pdn::source::{ChunkOptions, Event, Steps};
use pdn::{Error, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::board::{AtPosition, ends, play_moves};
use crate::message;
use crate::options::{self, Reading, Rules};
use crate::session::{Session, Sink, Step, Walk, failed};

/// The variants with weights in files beside the module.
const WITH_WEIGHTS: [&str; 6] = ["international", "brazilian", "italian", "russian", "english", "frisian"];

thread_local! {
    static ENGINES: RefCell<Vec<Option<Engine>>> = const { RefCell::new(Vec::new()) };
    /// The variants whose weights were taken.
    static TAKEN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Has searches with a limit on time read the clock of JavaScript.
pub(crate) fn set_clock() {
    pdn::engine::set_clock(|| Duration::from_secs_f64((crate::abi::now() / 1000.0).max(0.0)));
}

/// Takes the weights of a variant.
pub(crate) fn take_weights(name: &str, bytes: &[u8]) -> Result<()> {
    let unusable = |error| Error::usage(format!("{name}: {error}"));
    let weights = Weights::read(bytes).map_err(unusable)?;
    TAKEN.with_borrow_mut(|taken| taken.insert(weights.variant().to_owned()));
    weights.build_in().map_err(unusable)
}

pub(crate) fn call(name: &str, given: Value) -> Result<Value> {
    match name {
        "engine" => new(&options::of(given)?),
        "analyse" => analyse(&options::of(given)?),
        "setLines" => with(&options::of(given)?, |engine, of| engine.set_multipv(of.lines)),
        "newGame" => with(&options::of(given)?, |engine, _| engine.new_game()),
        "freeEngine" => {
            let of: OfEngine = options::of(given)?;
            ENGINES.with_borrow_mut(|engines| engines.get_mut(of.engine).map(Option::take));
            Ok(Value::Null)
        }
        _ => Err(crate::unknown(name)),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewEngine {
    #[serde(default)]
    rules: Rules,
    hash: Option<usize>,
    lines: Option<usize>,
}

fn new(given: &NewEngine) -> Result<Value> {
    let variant = given.rules.variant()?.unwrap_or(Variant::INTERNATIONAL);
    let options = EngineOptions::default().with_hash_mb(given.hash.unwrap_or(16).max(1));
    let mut engine = Engine::try_with_options(variant, options)?;
    engine.set_multipv(given.lines.unwrap_or(1));
    ENGINES.with_borrow_mut(|engines| {
        engines.push(Some(engine));
        Ok(json!({ "engine": engines.len() - 1, "variant": variant.name() }))
    })
}

#[derive(Debug, Deserialize)]
struct OfEngine {
    engine: usize,
    #[serde(default)]
    lines: usize,
}

fn with(of: &OfEngine, change: impl FnOnce(&mut Engine, &OfEngine)) -> Result<Value> {
    let freed = || Error::usage("the engine was freed");
    ENGINES.with_borrow_mut(|engines| {
        change(engines.get_mut(of.engine).and_then(Option::as_mut).ok_or_else(freed)?, of);
        Ok(Value::Null)
    })
}

#[derive(Debug, Deserialize)]
struct Question {
    engine: usize,
    #[serde(flatten)]
    at: AtPosition,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// Milliseconds.
    time: Option<f64>,
    /// Whether each iteration is reported.
    #[serde(default)]
    info: bool,
}

fn analyse(question: &Question) -> Result<Value> {
    let start = question.at.position()?;
    let mut history = Vec::new();
    let (position, error) = play_moves(start, &question.at.moves, |before, _| history.push(*before));
    if let Some(error) = error {
        return Err(Error::usage(error));
    }
    let mut limit = Limit::none();
    limit.depth = question.depth;
    limit.nodes = question.nodes;
    limit.time = question.time.map(|time| Duration::from_secs_f64(time.max(1.0) / 1000.0));
    let engine = ENGINES.with_borrow_mut(|engines| engines.get_mut(question.engine).and_then(Option::take));
    let mut engine = engine.ok_or_else(|| Error::usage("the engine was freed"))?;
    if engine.variant() != position.variant() {
        ENGINES.with_borrow_mut(|engines| engines[question.engine] = Some(engine));
        return Err(Error::usage("the position belongs to another variant than the engine"));
    }
    let board = PageBoard::of(position.variant());
    let begun = crate::abi::now();
    let row = |analysis: &Analysis| row(&board, &position, analysis, crate::abi::now() - begun);
    let made = engine.analyse_with(&position, &history, limit, &mut |analysis| {
        if question.info {
            message::send("info", &row(analysis));
        }
    });
    ENGINES.with_borrow_mut(|engines| engines[question.engine] = Some(engine));
    Ok(row(&made))
}

fn row(board: &PageBoard, position: &Position, analysis: &Analysis, time: f64) -> Value {
    let line = |line: &pdn::engine::ScoredLine| {
        let (mut at, mut names, mut places) = (*position, Vec::new(), Vec::new());
        for played in line.moves() {
            names.push(at.short(played));
            places.push(ends(board, played));
            at = at.play_unchecked(played);
        }
        json!({ "eval": evaluation(line.score(), position.turn()), "moves": names, "places": places })
    };
    let lines: Vec<_> = analysis.lines().filter(|line| !line.moves().is_empty()).map(line).collect();
    let probe = Databases::embedded().probe(position);
    json!({
        "fen": position.fen(),
        "depth": analysis.depth(),
        "nodes": analysis.nodes(),
        "time": time,
        "lines": lines,
        "value": probe.map(|probe| probe.value()),
        "plies": probe.and_then(|probe| probe.plies()),
    })
}

/// Counts games and their moves.
pub(crate) fn count(reading: Reading) -> Result<Box<dyn Session>> {
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
        Needs::Results
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Counted) {
        done.games += 1;
        done.moves += game.plies() as u64;
    }
}

impl Sink<Self> for Counted {
    fn take(&mut self, done: Self) -> Result<()> {
        self.games += done.games;
        self.moves += done.moves;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        message::result(&json!({ "games": self.games, "moves": self.moves }));
        Ok(())
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AnnotateOptions {
    depth: Option<u32>,
    nodes: Option<u64>,
    confirm: Option<u32>,
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
    table: Option<String>,
    /// The games to annotate, the second index excluded.
    range: Option<[u64; 2]>,
    /// Numbers of all games, and of their moves.
    all: [u64; 2],
}

/// Nodes for each position if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Size of a chunk in bytes: small, since its games wait in memory while they are annotated.
const CHUNK_SIZE: usize = 32 * 1024;

impl AnnotateOptions {
    fn batch(&self, variant: Option<Variant>) -> Result<Batch> {
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
        let moves = Moves::new(limit)
            .with_confirmation(self.confirm.unwrap_or(Moves::CONFIRMATION).max(1))
            .with_scale(self.scale.map_or(scale, |centi_men| scale.with_scale(centi_men)))
            .with_side(side)
            .with_plies(self.from_ply.unwrap_or(1)..=self.to_ply.unwrap_or(u32::MAX))
            .with_lines(self.lines.unwrap_or(1).clamp(1, 100))
            .with_variations(self.variations);
        let former = if self.keep_evals { FormerEvaluations::Keep } else { FormerEvaluations::Replace };
        let options =
            BatchOptions::new(moves).with_former(former).with_player(self.player.clone()).with_variant(variant);
        let engine = EngineOptions::default().with_hash_mb(self.hash.unwrap_or(16).max(1));
        engine.check_memory()?;
        let batch = Batch::new(AnalystPool::built_in(engine), options).with_observer(report_progress);
        let [first, end] = self.range.unwrap_or([0, self.all[0]]);
        let moves = self.all[1].checked_div(self.all[0]).unwrap_or_default();
        match self.range {
            // What share of the moves the range has is not known.
            Some(_) => batch.expect(end.min(self.all[0]).saturating_sub(first), moves * end.saturating_sub(first)),
            None => batch.expect(self.all[0], self.all[1]),
        }
        Ok(batch)
    }
}

fn report_progress(progress: BatchProgress) {
    let (games, moves) = progress.all().unwrap_or_default();
    message::send(
        "progress",
        &json!({
            "games": progress.games(),
            "moves": progress.moves(),
            "allGames": games,
            "allMoves": moves,
            "left": progress.left(),
        }),
    );
}

pub(crate) fn annotate(reading: Reading, options: &AnnotateOptions) -> Result<Box<dyn Session>> {
    let to = options.to.as_deref().unwrap_or("pdn");
    if to == "fen" {
        return Err(Error::usage("annotated games cannot be FENs"));
    }
    let writer = crate::text::writer(to, options.table.as_deref(), CsvOptions::new(), Table::Moves)?;
    let batch = options.batch(reading.variant)?;
    let reading = reading.with_aliases(options.aliases.as_deref())?;
    let games = options.range.map_or(0..u64::MAX, |[first, end]| first..end);
    let mut output = TextOutput::new(Arc::clone(&writer));
    if games.start > 0 {
        output = output.continued();
    } else {
        message::output(&output.header())?;
    }
    let mut chunks: ChunkOptions = reading.chunks;
    chunks.chunk_size = CHUNK_SIZE;
    Ok(Box::new(Annotating {
        steps: Steps::new(reading.inputs, Checking::new(Collecting, reading.checks), chunks),
        is_last: games.end >= options.all[0],
        waiting: VecDeque::new(),
        read: 0,
        games,
        batch,
        writer,
        output: Some(output),
        summary: Summary::default(),
        annotated: 0,
    }))
}

/// Games that are annotated one after the other, one a step.
struct Annotating {
    steps: Steps<Checking<Collecting, CheckOptions>>,
    /// The games of the last chunk, with their indices.
    waiting: VecDeque<(u64, Review, GamePlace)>,
    /// Number of games that were read.
    read: u64,
    games: Range<u64>,
    is_last: bool,
    batch: Batch,
    writer: Arc<dyn pdn::export::RecordWriter>,
    output: Option<TextOutput>,
    summary: Summary,
    annotated: u64,
}

impl Session for Annotating {
    fn step(&mut self) -> Result<Step> {
        if let Some((index, review, place)) = self.waiting.pop_front() {
            let name = review.game().variant().map(Variant::name).unwrap_or_default();
            if WITH_WEIGHTS.contains(&name) && !TAKEN.with_borrow(|taken| taken.contains(name)) {
                self.waiting.push_front((index, review, place));
                message::send("needs", &format!("{name}.pdnw"));
                return Ok(Step::Needs);
            }
            return self.annotate(index, review, place);
        }
        match self.steps.step() {
            Some(Event::Begin(input)) => {
                message::send("begin", &input.label());
                Ok(Step::More)
            }
            Some(Event::Error(error)) => Ok(failed(&error)),
            Some(Event::Done(done)) => {
                self.summary += &done.summary;
                for (review, place) in done.games {
                    if self.games.contains(&self.read) {
                        self.waiting.push_back((self.read, review, place));
                    }
                    self.read += 1;
                }
                Ok(Step::More)
            }
            None => {
                let footer = self.output.take().map(TextOutput::finish).unwrap_or_default();
                if self.is_last {
                    message::output(&footer)?;
                }
                message::result(&json!({ "games": self.annotated, "errors": self.summary.errors() }));
                Ok(Step::Done)
            }
        }
    }
}

impl Annotating {
    fn annotate(&mut self, index: u64, review: Review, place: GamePlace) -> Result<Step> {
        let game = self.batch.annotate(review)?;
        if let Some(error) = game.error() {
            let message = format!("game {}: not annotated: {error}", game.review().number());
            message::send("failure", &json!({ "file": place.file(), "message": message }));
        }
        let made = (game.review(), game.annotations(), game.annotator());
        let (text, players): (Vec<u8>, PlayerTable) = place.write(&*self.writer, made);
        if let Some(output) = &mut self.output {
            output.add_game(&text, players, message::output)?;
        }
        self.annotated += 1;
        message::send("game", &index);
        report_progress(self.batch.progress());
        Ok(Step::More)
    }
}

/// Collects the games of a chunk.
struct Collecting;

#[derive(Default)]
struct Collected {
    games: Vec<(Review, GamePlace)>,
    summary: Summary,
}

impl GameWork for Collecting {
    type Done = Collected;

    fn needs(&self) -> Needs {
        Needs::Tree
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Collected) {
        done.summary.count_game(&game);
        let place = GamePlace::of(&game);
        done.games.push((game.into_review(), place));
    }

    fn outside(&self, outside: &Outside, _: &ChunkOrigin<'_>, done: &mut Collected) {
        done.summary.count(outside.diagnostic());
    }
}
