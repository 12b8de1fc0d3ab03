//! An engine that runs as another program and speaks the Hub protocol.

use std::time::{Duration, Instant};

use super::codec::read_move;
use super::command_line::CommandLine;
use super::dialect::{Dialect, Reply, SearchInfo};
use super::error::EngineError;
use super::lines::InputLine;
use super::message::Message;
use super::process::{Process, ReceiveError, deadline};
use super::settings::name_for;
use crate::engine::{Analysis, Limit, Score};
use crate::rules::{Move, Position, Variant};

/// How long an engine may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    start: Duration,
    answer: Duration,
}

impl Timeouts {
    /// Returns timeouts for starting up and for an answer, the latter in addition to the time limit of the search.
    pub const fn new(start: Duration, answer: Duration) -> Self {
        Self { start, answer }
    }

    /// Returns the time within which the engine must be ready.
    pub const fn start(&self) -> Duration {
        self.start
    }

    /// Returns the time within which the engine must answer, in addition to the time limit of the search.
    pub const fn answer(&self) -> Duration {
        self.answer
    }
}

impl Default for Timeouts {
    /// Returns a minute for each.
    fn default() -> Self {
        Self::new(Duration::from_mins(1), Duration::from_mins(1))
    }
}

/// A running engine. When this is dropped, it is asked to quit, and killed with its children if it does not.
///
/// # Examples
///
/// ```no_run
/// use pdn::engine::Limit;
/// use pdn::link::{HubEngine, Timeouts};
/// use pdn::rules::{Position, Variant};
///
/// let variant = Variant::INTERNATIONAL;
/// let engine = HubEngine::start(&"scan hub".parse()?, variant, Timeouts::default())?;
/// let analysis = engine.analyse(&Position::start(variant), &[], Limit::depth(15))?;
/// println!("{}: {}", engine.name(), analysis.score());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HubEngine {
    process: Process,
    dialect: Dialect,
    name: String,
    timeouts: Timeouts,
}

/// The messages of an engine before it is ready.
#[derive(Default)]
struct Introduction {
    name: Option<String>,
    is_first_version: bool,
    /// The values of the parameter `variant`.
    variants: Option<String>,
}

/// A position to search and how to search it.
struct Query<'a> {
    position: &'a Position,
    history: &'a [Position],
    limit: Limit,
    /// Whether to analyse the position rather than to play a move in a game.
    analyse: bool,
}

/// The move that an engine plays, with what it said about its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    best: Move,
    score: Option<Score>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Choice {
    /// Returns the move.
    pub const fn best_move(&self) -> Move {
        self.best
    }

    /// Returns the score for the side to move.
    pub const fn score(&self) -> Option<Score> {
        self.score
    }

    /// Returns the depth of the search, in plies.
    pub const fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// Returns the number of nodes visited.
    pub const fn nodes(&self) -> Option<u64> {
        self.nodes
    }
}

/// The answer of an engine.
struct Answer {
    best: Move,
    pv: Vec<Move>,
    info: SearchInfo,
}

impl HubEngine {
    /// Starts a program and ends it at once.
    ///
    /// # Errors
    ///
    /// If the program cannot be started. Whether it is an engine is not examined.
    pub fn try_start(command: &CommandLine) -> Result<(), EngineError> {
        Process::start(command).map(drop).map_err(EngineError::CannotStart)
    }

    /// Starts an engine and initialises it for a variant.
    ///
    /// # Errors
    ///
    /// If the program cannot be started, does not support the variant or does not answer.
    pub fn start(command: &CommandLine, variant: Variant, timeouts: Timeouts) -> Result<Self, EngineError> {
        let process = Process::start(command).map_err(EngineError::CannotStart)?;
        let mut engine = Self { process, dialect: Dialect::Two, name: command.to_string(), timeouts };
        let until = deadline(timeouts.start);
        engine.process.send("hub");
        let introduction = engine.introduction(until)?;
        if introduction.is_first_version {
            engine.dialect = Dialect::One;
        }
        engine.set_variant(variant, introduction.variants.as_deref())?;
        if let Some(name) = introduction.name {
            engine.name = name;
        }
        engine.process.send("init");
        while engine.line(until, timeouts.start)?.trim() != "ready" {}
        Ok(engine)
    }

    /// Returns the name and version that the engine reports, or else its command line.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Starts another game.
    pub fn new_game(&self) {
        self.process.send(self.dialect.new_game());
    }

    /// Analyses a position that has a legal move. `history` holds the earlier positions of the game, oldest first.
    ///
    /// # Errors
    ///
    /// If the engine gives no valid answer with a score; it must not be used any more.
    pub fn analyse(&self, position: &Position, history: &[Position], limit: Limit) -> Result<Analysis, EngineError> {
        let answer = self.ask(&Query { position, history, limit, analyse: true })?;
        let SearchInfo { score, depth, nodes, .. } = answer.info;
        let score = score.ok_or(EngineError::NoScore)?;
        Ok(Analysis::new(score, answer.pv, depth.unwrap_or(0), nodes.unwrap_or(0)))
    }

    /// Chooses a move in a position that has one. `history` holds the earlier positions of the game, oldest first.
    ///
    /// # Errors
    ///
    /// If the engine gives no valid answer; it must not be used any more.
    pub fn play(&self, position: &Position, history: &[Position], limit: Limit) -> Result<Choice, EngineError> {
        let Answer { best, info, .. } = self.ask(&Query { position, history, limit, analyse: false })?;
        Ok(Choice { best, score: info.score, depth: info.depth, nodes: info.nodes })
    }

    fn ask(&self, query: &Query<'_>) -> Result<Answer, EngineError> {
        let level = self.dialect.level(query.limit).ok_or(EngineError::UnsupportedLimit)?;
        // Late messages about the last query would be taken for messages about this one.
        self.process.discard_output();
        let (start, moves) = moves_to(query);
        let lines = self.dialect.position(&start, &moves).into_iter().chain(level);
        lines.for_each(|line| self.process.send(&line));
        self.process.send(self.dialect.go(query.analyse));
        self.answer(query)
    }

    fn answer(&self, query: &Query<'_>) -> Result<Answer, EngineError> {
        let timeout = query.limit.time.unwrap_or_default().saturating_add(self.timeouts.answer);
        let (until, mut info) = (deadline(timeout), SearchInfo::default());
        loop {
            match self.dialect.read(&self.line(until, timeout)?, query.position) {
                Reply::Info(later) => info.update(later),
                Reply::Error(message) => return Err(EngineError::Reported(message)),
                Reply::Done { best, ponder } => return Answer::new(query.position, best, ponder, info),
                Reply::Other => {}
            }
        }
    }

    fn introduction(&self, until: Instant) -> Result<Introduction, EngineError> {
        let mut introduction = Introduction::default();
        loop {
            let line = self.line(until, self.timeouts.start)?;
            let message = Message::parse(&line);
            match message.command() {
                "wait" => return Ok(introduction),
                "id" => introduction.name = full_name(&message),
                "name" => {
                    introduction.is_first_version = true;
                    introduction.name = line.trim().strip_prefix("name ").map(str::to_owned);
                }
                "param" if message.value("name") == Some("variant") => {
                    introduction.variants = message.value("values").map(str::to_owned);
                }
                "error" => return Err(EngineError::Reported(message.value("message").unwrap_or_default().to_owned())),
                _ => {}
            }
        }
    }

    /// Sets the variant. An engine without the parameter supports International draughts only.
    fn set_variant(&self, variant: Variant, values: Option<&str>) -> Result<(), EngineError> {
        let unsupported = EngineError::UnsupportedVariant(variant);
        match values {
            None if variant == Variant::INTERNATIONAL => Ok(()),
            None => Err(unsupported),
            Some(values) => {
                let name = name_for(variant, values).ok_or(unsupported)?;
                let message = Message::new("set-param").with("name", "variant").with("value", name);
                self.process.send(&message.to_string());
                Ok(())
            }
        }
    }

    fn line(&self, until: Instant, timeout: Duration) -> Result<String, EngineError> {
        loop {
            match self.process.receive(until) {
                Ok(InputLine::Text(text)) => return Ok(text),
                Ok(InputLine::TooLong) => {}
                Err(ReceiveError::Closed) => return Err(EngineError::Exited),
                Err(ReceiveError::TimedOut) => return Err(EngineError::TimedOut(timeout)),
            }
        }
    }
}

fn full_name(message: &Message) -> Option<String> {
    let words: Vec<_> = ["name", "version"].into_iter().filter_map(|name| message.value(name)).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

impl Answer {
    fn new(position: &Position, text: String, ponder: Option<String>, info: SearchInfo) -> Result<Self, EngineError> {
        let Some(best) = read_move(position, &text) else { return Err(EngineError::IllegalMove(text)) };
        let pv = info.pv.clone().filter(|pv| pv.first() == Some(&best)).unwrap_or_else(|| {
            let reply = ponder.and_then(|ponder| read_move(&position.play_unchecked(&best), &ponder));
            std::iter::once(best).chain(reply).collect()
        });
        Ok(Self { best, pv, info })
    }
}

/// Returns the oldest position of the history from which moves lead to the position of the query, and these moves.
fn moves_to(query: &Query<'_>) -> (Position, Vec<Move>) {
    let (mut start, mut moves) = (*query.position, Vec::new());
    for before in query.history.iter().rev() {
        let Some(step) = before.legal_moves().into_iter().find(|step| before.play_unchecked(step) == start) else {
            break;
        };
        moves.push(step);
        start = *before;
    }
    moves.reverse();
    (start, moves)
}
