//! An engine that runs as another program and speaks the Hub protocol.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::codec::read_move;
use super::dialect::{Dialect, Reply, SearchInfo, reported};
use super::game_engine::{EngineError, EngineTurn, GameEngine, Thought, Timeouts};
use super::message::{InputLine, Message};
use super::program::{Process, deadline};
use super::settings::name_for;
use super::spec::{CommandLine, Launch};
use crate::board::Side;
use crate::engine::{Analysis, Limit, Score, ScoredLine};
use crate::rules::{Move, Position, Variant};
use crate::text::printable;

/// Time between two looks at what stops a search.
const POLL: Duration = Duration::from_millis(20);

/// A running engine. When it is dropped, it is asked to quit, and killed with its children if it does not.
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

/// A search that an engine is asked for.
///
/// # Examples
///
/// ```no_run
/// use std::sync::atomic::AtomicBool;
///
/// use pdn::engine::Limit;
/// use pdn::link::{HubEngine, HubSearch, Timeouts};
/// use pdn::rules::{Position, Variant};
///
/// let start = Position::start(Variant::INTERNATIONAL);
/// let engine = HubEngine::start(&"hub:scan hub{threads=2}".parse()?, start.variant(), Timeouts::default())?;
/// let search = HubSearch { lines: 3, ..HubSearch::new(&start, Limit::depth(15)) };
/// let found = engine.search(&search, &AtomicBool::new(false), &mut |so_far| println!("{}", so_far.score()))?;
/// assert_eq!(found.lines().count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HubSearch<'a> {
    /// The position, which has a legal move.
    pub position: &'a Position,
    /// The earlier positions of the game, oldest first.
    pub history: &'a [Position],
    /// The limits; without any, the search ends when it is stopped.
    pub limit: Limit,
    /// The moves to choose from; none for all legal moves.
    pub moves: &'a [Move],
    /// Number of lines to find, at least one.
    pub lines: usize,
}

impl<'a> HubSearch<'a> {
    /// Returns the search for the best line in a position.
    pub const fn new(position: &'a Position, limit: Limit) -> Self {
        Self { position, history: &[], limit, moves: &[], lines: 1 }
    }
}

/// The messages of an engine before it is ready.
#[derive(Default)]
struct Introduction {
    name: Option<String>,
    is_first_version: bool,
    /// The values of the parameter `variant`.
    variants: Option<String>,
    /// The names of all parameters.
    parameters: Vec<String>,
}

impl HubEngine {
    /// Starts a program and ends it at once.
    ///
    /// # Errors
    ///
    /// If the program cannot be started. Any program will do: no message is exchanged.
    pub(crate) fn try_start(command: &CommandLine) -> Result<(), EngineError> {
        Process::start(command).map(drop).map_err(EngineError::CannotStart)
    }

    /// Starts an engine and initialises it for a variant.
    ///
    /// # Errors
    ///
    /// If the program cannot be started, does not support the variant, lacks a parameter or does not answer.
    pub fn start(command: &CommandLine, variant: Variant, timeouts: Timeouts) -> Result<Self, EngineError> {
        let process = Process::start(command).map_err(EngineError::CannotStart)?;
        let mut engine = Self { process, dialect: Dialect::Two, name: command.to_string(), timeouts };
        // One deadline for all of the introduction: an engine that sends a line now and then cannot delay it for ever.
        let until = deadline(timeouts.start);
        engine.process.send("hub");
        let introduction = engine.introduction(until).map_err(EngineError::of_start)?;
        if introduction.is_first_version {
            engine.dialect = Dialect::One;
        }
        engine.set_parameters(command.parameters(), &introduction.parameters)?;
        engine.set_variant(variant, introduction.variants.as_deref())?;
        if let Some(name) = introduction.name {
            // It is shown on terminals, and another program may have put any character into it.
            engine.name = printable(&name).into_owned();
        }
        engine.process.send("init");
        engine.await_ready(variant, until).map_err(EngineError::of_start)?;
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
    /// If the engine gives no valid answer with a score; it must not be used afterwards.
    pub fn analyse(&self, position: &Position, history: &[Position], limit: Limit) -> Result<Analysis, EngineError> {
        self.search(&HubSearch { history, ..HubSearch::new(position, limit) }, &AtomicBool::new(false), &mut |_| {})
    }

    /// Analyses a position until a limit is reached or `stop` is set, and passes on what is found on the way. The protocol asks for
    /// one line from all moves: several lines, or those of chosen moves, take a search with these limits for each of the moves.
    ///
    /// # Errors
    ///
    /// If the engine gives no valid answer with a score; it must not be used afterwards. A search that is stopped at once may have
    /// no score.
    pub fn search(
        &self,
        search: &HubSearch<'_>,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, EngineError> {
        if search.lines > 1 || !search.moves.is_empty() {
            return self.search_each_move(search, stop, report);
        }
        let (_, info) = self.ask(search, true, stop, report)?;
        info.analysis().ok_or(EngineError::NoScore)
    }

    /// Lets the engine move in a game until a limit is reached or `stop` is set, and passes on what is found on the way. Returns the
    /// line that it expects, from its move on, and its analysis, if it gives a score.
    ///
    /// # Errors
    ///
    /// If the engine gives no valid answer; it must not be used afterwards.
    pub fn play(
        &self,
        search: &HubSearch<'_>,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Analysis),
    ) -> Result<(Vec<Move>, Option<Analysis>), EngineError> {
        if !search.moves.is_empty() {
            let found = self.search_each_move(search, stop, report)?;
            return Ok((found.pv().to_vec(), Some(found)));
        }
        let (_, info) = self.ask(search, false, stop, report)?;
        let analysis = info.analysis();
        Ok((info.pv.unwrap_or_default(), analysis))
    }

    /// Analyses the positions after all moves, or the chosen ones, and returns the best lines.
    fn search_each_move(
        &self,
        search: &HubSearch<'_>,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, EngineError> {
        let HubSearch { position, history, limit, moves, lines } = *search;
        let history = [history, &[*position]].concat();
        let (mut found, mut nodes) = (Vec::new(), 0);
        let wanted = position.legal_moves().into_iter().filter(|step| moves.is_empty() || moves.contains(step));
        for played in wanted {
            // After a capture or a move of a man no earlier position can occur again.
            let is_reversible = !played.is_capture() && position.kings().contains(played.from());
            let history = if is_reversible { &history[..] } else { &[] };
            let after = position.play_unchecked(&played);
            let reply = match over(&after) {
                Some(reply) => reply,
                None => self.search(&HubSearch { history, ..HubSearch::new(&after, limit) }, stop, &mut |_| {})?,
            };
            nodes += reply.nodes();
            let moves = std::iter::once(played).chain(reply.pv().iter().copied()).collect();
            found.push((reply.depth() + 1, ScoredLine::new(reply.score().one_ply_earlier(), moves)));
            found.sort_by_key(|(_, line)| std::cmp::Reverse(line.score()));
            if let Some(so_far) = best_of(&found, lines, nodes) {
                report(&so_far);
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        best_of(&found, lines, nodes).ok_or(EngineError::NoMove)
    }

    /// Searches a position, to analyse it or to play a move in a game. Returns the move, and a report with the line from it on.
    fn ask(
        &self,
        search: &HubSearch<'_>,
        analyse: bool,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Analysis),
    ) -> Result<(Move, SearchInfo), EngineError> {
        let HubSearch { position, history, limit, .. } = *search;
        let level = self.dialect.level(limit).ok_or(EngineError::UnsupportedLimit)?;
        // Late messages about the previous query would be mistaken for messages about this one.
        self.process.discard_output();
        let (start, moves) = moves_to(position, history);
        let lines = self.dialect.position(&start, &moves).into_iter().chain(level);
        lines.for_each(|line| self.process.send(&line));
        self.process.send(self.dialect.go(analyse));
        // A game clock lets the engine think about one move for all of the time that is left.
        let on_clock = limit.clock.map(|clock| clock.left.saturating_add(clock.increment));
        let thinking = limit.time.into_iter().chain(on_clock).min().unwrap_or_default();
        let timeout = thinking.saturating_add(self.timeouts.answer);
        // Only a stop ends a search without limits.
        let mut until = deadline(if limit.is_none() { Duration::MAX } else { timeout });
        let (mut info, mut is_stopped) = (SearchInfo::default(), false);
        loop {
            if stop.load(Ordering::Relaxed) && !is_stopped {
                self.process.send("stop");
                (is_stopped, until) = (true, deadline(self.timeouts.answer));
            }
            let line = match self.line(until.min(deadline(POLL)), timeout) {
                Err(EngineError::TimedOut(_)) if Instant::now() < until => continue,
                line => line?,
            };
            match self.dialect.read(&line, position) {
                Reply::Info(later) => {
                    info.update(later);
                    if let Some(so_far) = info.analysis() {
                        report(&so_far);
                    }
                }
                Reply::Error(message) => return Err(EngineError::Reported(message)),
                Reply::Done { best, ponder } => return answer(position, best, ponder, info),
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
                "id" => {
                    let words = ["name", "version"].into_iter().filter_map(|name| message.value(name));
                    let name = words.collect::<Vec<_>>().join(" ");
                    introduction.name = Some(name).filter(|name| !name.is_empty());
                }
                // The second version has its name in `id`.
                "name" => {
                    introduction.is_first_version = true;
                    introduction.name = line.trim().strip_prefix("name ").map(str::to_owned);
                }
                "param" => {
                    let name = message.value("name").unwrap_or_default();
                    if name == "variant" {
                        introduction.variants = message.value("values").map(str::to_owned);
                    }
                    introduction.parameters.push(name.to_owned());
                }
                "error" => return Err(EngineError::Reported(reported(&line))),
                _ => {}
            }
        }
    }

    /// Waits until the engine is ready. An error message means that it refuses a parameter and would play without it.
    fn await_ready(&self, variant: Variant, until: Instant) -> Result<(), EngineError> {
        let start = Position::start(variant);
        loop {
            let line = self.line(until, self.timeouts.start)?;
            match self.dialect.read(&line, &start) {
                Reply::Error(message) => return Err(EngineError::Reported(message)),
                _ if line.trim() == "ready" => return Ok(()),
                _ => {}
            }
        }
    }

    /// Sets parameters, which the engine must have.
    fn set_parameters(&self, parameters: &[(String, String)], known: &[String]) -> Result<(), EngineError> {
        for (name, value) in parameters {
            if !known.contains(name) {
                let known = printable(&known.join(", ")).into_owned();
                return Err(EngineError::UnknownParameter { name: name.clone(), known });
            }
            let message = Message::new("set-param").with("name", name).with("value", value);
            self.process.send(&message.to_string());
        }
        Ok(())
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
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Exited),
                Err(RecvTimeoutError::Timeout) => return Err(EngineError::TimedOut(timeout)),
            }
        }
    }
}

/// Returns the move with which an engine ends a search, and its reports with the line from that move on.
fn answer(
    position: &Position,
    text: String,
    ponder: Option<String>,
    info: SearchInfo,
) -> Result<(Move, SearchInfo), EngineError> {
    let Some(best) = read_move(position, &text) else { return Err(EngineError::IllegalMove(text)) };
    let pv = info.pv.filter(|pv| pv.first() == Some(&best)).unwrap_or_else(|| {
        let reply = ponder.and_then(|ponder| read_move(&position.play_unchecked(&best), &ponder));
        std::iter::once(best).chain(reply).collect()
    });
    Ok((best, SearchInfo { pv: Some(pv), ..info }))
}

/// Returns the analysis of a position in which the game is over: the protocol has no answer without a move.
fn over(position: &Position) -> Option<Analysis> {
    let winner = position.winner()?;
    let score = if winner == position.turn() { Score::win_in(0) } else { Score::loss_in(0) };
    Some(Analysis::new(score, Vec::new(), 0, 0))
}

/// Returns the first of sorted lines, which have their depths, as an analysis.
fn best_of(found: &[(u32, ScoredLine)], lines: usize, nodes: u64) -> Option<Analysis> {
    let ((depth, best), others) = found.split_first()?;
    let others = others.iter().take(lines.saturating_sub(1)).map(|(_, line)| line.clone()).collect();
    Some(Analysis::new(best.score(), best.moves().to_vec(), *depth, nodes).with_others(others))
}

/// Returns the oldest position of the history from which moves lead to a position, and these moves.
fn moves_to(position: &Position, history: &[Position]) -> (Position, Vec<Move>) {
    let (mut start, mut moves) = (*position, Vec::new());
    for before in history.iter().rev() {
        let Some(step) = before.legal_moves().into_iter().find(|step| before.play_unchecked(step) == start) else {
            break;
        };
        moves.push(step);
        start = *before;
    }
    moves.reverse();
    (start, moves)
}

/// An engine that is started when it is first needed, and again after a failure.
#[derive(Debug)]
pub(crate) struct ManagedEngine {
    command: CommandLine,
    variant: Variant,
    timeouts: Timeouts,
    engine: Option<HubEngine>,
    /// The name of the engine once it has been ready; it is kept after a failure.
    name: Option<String>,
}

impl Launch for CommandLine {
    fn launch(&self, variant: Variant, timeouts: Timeouts) -> Box<dyn GameEngine> {
        Box::new(ManagedEngine::new(self.clone(), variant, timeouts))
    }

    #[cfg(feature = "serve")]
    fn command(&self) -> Option<&CommandLine> {
        Some(self)
    }
}

impl ManagedEngine {
    /// Returns an engine that is not started yet.
    pub(crate) const fn new(command: CommandLine, variant: Variant, timeouts: Timeouts) -> Self {
        Self { command, variant, timeouts, engine: None, name: None }
    }

    /// Works with the engine, which is kept for the next call unless it fails.
    fn with_engine<T>(&mut self, work: impl FnOnce(&HubEngine) -> Result<T, EngineError>) -> Result<T, EngineError> {
        // Taken out: after a failure it is dropped, which ends its process.
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                let started = HubEngine::start(&self.command, self.variant, self.timeouts);
                started.map_err(|error| if self.name.is_some() { error.of_restart() } else { error })?
            }
        };
        if self.name.is_none() {
            self.name = Some(engine.name().to_owned());
        }
        let result = work(&engine)?;
        self.engine = Some(engine);
        Ok(result)
    }

    /// Works with the engine, and once more after a failure that may not occur again.
    fn with_second_attempt<T>(
        &mut self,
        work: impl Fn(&HubEngine) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        match self.with_engine(&work) {
            Err(error) if !error.is_permanent() => self.with_engine(&work),
            answer => answer,
        }
    }
}

impl GameEngine for ManagedEngine {
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Asks the engine, unless the game is over: the protocol has no answer without a move. After a failure there is a second
    /// attempt.
    fn analyse(
        &mut self,
        position: &Position,
        history: &[Position],
        limit: Limit,
        lines: usize,
    ) -> Result<Analysis, EngineError> {
        if let Some(over) = over(position) {
            return Ok(over);
        }
        let search = HubSearch { history, lines, ..HubSearch::new(position, limit) };
        self.with_second_attempt(|engine| engine.search(&search, &AtomicBool::new(false), &mut |_| {}))
    }

    /// As [`analyse`](Self::analyse), but the move with which the engine ends its search is enough.
    fn find_move(
        &mut self,
        position: &Position,
        limit: Limit,
        report: &mut dyn FnMut(Option<Move>, u64),
    ) -> Result<(), EngineError> {
        if over(position).is_some() {
            return Ok(());
        }
        let search = HubSearch::new(position, limit);
        let ask = |engine: &HubEngine| engine.ask(&search, true, &AtomicBool::new(false), &mut |_| {});
        let (best, info) = self.with_second_attempt(ask)?;
        report(Some(best), info.nodes.unwrap_or(0));
        Ok(())
    }

    fn forget(&mut self) {
        self.engine.iter().for_each(HubEngine::new_game);
    }

    /// Starts the engine too, so that its first move does not take the time for that.
    fn begin(&mut self, _: &Position, _: Side, _: Limit) -> Result<(), EngineError> {
        self.with_engine(|engine| {
            engine.new_game();
            Ok(())
        })
    }

    fn play(&mut self, position: &Position, history: &[Position], limit: Limit) -> Result<EngineTurn, EngineError> {
        let search = HubSearch { history, ..HubSearch::new(position, limit) };
        let never = AtomicBool::new(false);
        let (best, info) = self.with_engine(|engine| engine.ask(&search, false, &never, &mut |_| {}))?;
        let SearchInfo { score, depth, nodes, .. } = info;
        let (depth, nodes) = (depth.unwrap_or(0), nodes.unwrap_or(0));
        Ok(EngineTurn::Move(best, Thought { score, depth, nodes, ..Thought::default() }))
    }
}
