//! Anybody's engine, asked through the Hub protocol.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::codec::read_move;
use super::dialect::{Dialect, Info, Said};
use super::lines::Line;
use super::message::Message;
use super::process::{CommandLine, Process, Silence, ahead};
use super::settings::name_for;
use crate::engine::{Limits, Score};
use crate::rules::{Move, Position, Variant};

/// How long an engine may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// To start and to load what it needs.
    pub start: Duration,
    /// To answer, beyond the time that it may search.
    pub answer: Duration,
}

impl Patience {
    /// Returns the same patience with both.
    pub const fn of(time: Duration) -> Self {
        Self { start: time, answer: time }
    }
}

/// What went wrong with an engine.
#[derive(Debug)]
#[non_exhaustive]
pub enum Fault {
    /// It cannot be started.
    CannotStart(io::Error),
    /// It cannot do what is wanted, and says so.
    Unsuitable(String),
    /// It went away.
    Gone,
    /// It said nothing for too long.
    Silent(Duration),
    /// It complained.
    Complained(String),
    /// It answered something that is no legal move.
    IllegalMove(String),
    /// It answered without a score where one is needed.
    NoScore,
}

impl Fault {
    /// Whether another attempt cannot help.
    pub const fn is_lasting(&self) -> bool {
        matches!(self, Self::CannotStart(_) | Self::Unsuitable(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotStart(fault) => write!(f, "it cannot be started: {fault}"),
            Self::Unsuitable(what) => f.write_str(what),
            Self::Gone => f.write_str("it went away"),
            Self::Silent(time) => write!(f, "it gave no answer in {} s", time.as_secs_f64()),
            Self::Complained(what) => write!(f, "it complained: {what}"),
            Self::IllegalMove(text) => write!(f, "it answered with an illegal move: `{text}`"),
            Self::NoScore => f.write_str("it gave no score"),
        }
    }
}

impl std::error::Error for Fault {}

/// What an engine is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position; it has a legal move.
    pub position: &'a Position,
    /// The positions before it, oldest first.
    pub history: &'a [Position],
    /// When to stop.
    pub limits: &'a Limits,
    /// Whether the score is wanted rather than a move in a game.
    pub analyse: bool,
}

/// What an engine answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its move, which is legal.
    pub best: Move,
    /// The line that it expects, beginning with its move.
    pub line: Vec<Move>,
    /// Value for the side to move, if it told one.
    pub score: Option<Score>,
    /// Depth in plies, 0 if it told none.
    pub depth: u32,
    /// Positions visited, 0 if it told none.
    pub nodes: u64,
}

/// An engine that runs. It is killed when this is dropped.
#[derive(Debug)]
pub struct HubEngine {
    process: Process,
    dialect: Dialect,
    name: String,
    patience: Patience,
}

/// What an engine tells of itself before it is ready.
#[derive(Default)]
struct Introduction {
    name: Option<String>,
    is_first_version: bool,
    /// Values of its parameter `variant`.
    variants: Option<String>,
}

impl HubEngine {
    /// Starts an engine and makes it ready for a variant.
    ///
    /// # Errors
    ///
    /// If it cannot be started, does not play the variant, or does not answer.
    pub fn start(command: &CommandLine, variant: Variant, patience: Patience) -> Result<Self, Fault> {
        let process = Process::start(command).map_err(Fault::CannotStart)?;
        let mut engine = Self { process, dialect: Dialect::Two, name: command.to_string(), patience };
        let until = ahead(patience.start);
        engine.process.send("hub");
        let introduction = engine.introduction(until)?;
        if introduction.is_first_version {
            engine.dialect = Dialect::One;
        }
        engine.choose(variant, introduction.variants.as_deref())?;
        if let Some(name) = introduction.name {
            engine.name = name;
        }
        engine.process.send("init");
        while engine.line(until, patience.start)?.trim() != "ready" {}
        Ok(engine)
    }

    /// Its name and version, as it tells them, else its command line.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Begins another game.
    pub fn new_game(&self) {
        self.process.send(self.dialect.new_game());
    }

    /// Asks for a move and a score.
    ///
    /// # Errors
    ///
    /// If there is no answer, or none that makes sense: the engine is then of no use any more.
    pub fn ask(&self, question: &Question<'_>) -> Result<Answer, Fault> {
        let unlimited =
            || Fault::Unsuitable("it speaks Hub 1, which has no word for a limit of nodes or a clock".to_owned());
        let level = self.dialect.level(question.limits).ok_or_else(unlimited)?;
        // Whatever it still had to say about the last question.
        self.process.skip();
        let (start, moves) = moves_to(question);
        let lines = self.dialect.position(&start, &moves).into_iter().chain(level);
        lines.for_each(|line| self.process.send(&line));
        self.process.send(self.dialect.go(question.analyse));
        self.answer(question)
    }

    fn answer(&self, question: &Question<'_>) -> Result<Answer, Fault> {
        let patience = question.limits.time.unwrap_or_default().saturating_add(self.patience.answer);
        let (until, mut known) = (ahead(patience), Info::default());
        loop {
            match self.dialect.read(&self.line(until, patience)?, question.position) {
                Said::Info(info) => known.update(info),
                Said::Error(what) => return Err(Fault::Complained(what)),
                Said::Done(text, ponder) => return answer(question.position, text, ponder, known),
                Said::Other => {}
            }
        }
    }

    fn introduction(&self, until: Instant) -> Result<Introduction, Fault> {
        let mut introduction = Introduction::default();
        loop {
            let line = self.line(until, self.patience.start)?;
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
                "error" => return Err(Fault::Complained(message.value("message").unwrap_or_default().to_owned())),
                _ => {}
            }
        }
    }

    /// Tells the engine the variant; one that knows no others plays International.
    fn choose(&self, variant: Variant, names: Option<&str>) -> Result<(), Fault> {
        let unsuitable = || Fault::Unsuitable(format!("it does not play {variant}"));
        match names {
            None if variant == Variant::INTERNATIONAL => Ok(()),
            None => Err(unsuitable()),
            Some(names) => {
                let name = name_for(variant, names).ok_or_else(unsuitable)?;
                let message = Message::new("set-param").with("name", "variant").with("value", name);
                self.process.send(&message.to_string());
                Ok(())
            }
        }
    }

    fn line(&self, until: Instant, patience: Duration) -> Result<String, Fault> {
        loop {
            match self.process.receive(until) {
                Ok(Line::Text(text)) => return Ok(text),
                Ok(Line::TooLong) => {}
                Err(Silence::Closed) => return Err(Fault::Gone),
                Err(Silence::TimedOut) => return Err(Fault::Silent(patience)),
            }
        }
    }
}

fn full_name(message: &Message) -> Option<String> {
    let words: Vec<_> = ["name", "version"].into_iter().filter_map(|name| message.value(name)).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn answer(position: &Position, text: String, ponder: Option<String>, known: Info) -> Result<Answer, Fault> {
    let Some(best) = read_move(position, &text) else { return Err(Fault::IllegalMove(text)) };
    let line = known.line.filter(|line| line.first() == Some(&best)).unwrap_or_else(|| {
        let next = ponder.and_then(|ponder| read_move(&position.play_unchecked(&best), &ponder));
        std::iter::once(best).chain(next).collect()
    });
    let (depth, nodes) = (known.depth.unwrap_or(0), known.nodes.unwrap_or(0));
    Ok(Answer { best, line, score: known.score, depth, nodes })
}

/// Returns the oldest position from which moves lead to the one asked about, and these moves.
fn moves_to(question: &Question<'_>) -> (Position, Vec<Move>) {
    let (mut start, mut moves) = (*question.position, Vec::new());
    for before in question.history.iter().rev() {
        let Some(step) = before.legal_moves().into_iter().find(|step| before.play_unchecked(step) == start) else {
            break;
        };
        moves.push(step);
        start = *before;
    }
    moves.reverse();
    (start, moves)
}

/// Times that a question is asked before it counts as failed: an engine that fails is started anew once.
const ATTEMPTS: usize = 2;

/// An engine that is started when it is needed, and again when it failed.
#[derive(Debug)]
pub struct KeptEngine {
    command: CommandLine,
    variant: Variant,
    patience: Patience,
    engine: Option<HubEngine>,
}

impl KeptEngine {
    /// Returns an engine that is not started yet.
    pub const fn new(command: CommandLine, variant: Variant, patience: Patience) -> Self {
        Self { command, variant, patience, engine: None }
    }

    /// The variant it plays.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Its name and version, once it was started; before that its command line.
    pub fn name(&self) -> String {
        self.engine.as_ref().map_or_else(|| self.command.to_string(), |engine| engine.name().to_owned())
    }

    /// Begins another game.
    pub fn new_game(&self) {
        if let Some(engine) = &self.engine {
            engine.new_game();
        }
    }

    /// Asks for a move and a score, and once more if that failed.
    ///
    /// # Errors
    ///
    /// What went wrong in the last attempt.
    pub fn ask(&mut self, question: &Question<'_>) -> Result<Answer, Fault> {
        let mut asked = self.ask_once(question);
        for _ in 1..ATTEMPTS {
            match &asked {
                Err(fault) if !fault.is_lasting() => asked = self.ask_once(question),
                _ => break,
            }
        }
        asked
    }

    /// Asks for a move and a score. An engine that failed is started anew for the next question.
    ///
    /// # Errors
    ///
    /// What went wrong.
    pub fn ask_once(&mut self, question: &Question<'_>) -> Result<Answer, Fault> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => HubEngine::start(&self.command, self.variant, self.patience)?,
        };
        let answer = engine.ask(question)?;
        if question.analyse && answer.score.is_none() {
            return Err(Fault::NoScore);
        }
        self.engine = Some(engine);
        Ok(answer)
    }
}
