//! Our engine for everybody who speaks Hub, version 2.
//!
//! Three threads: one reads commands, one searches, and one, the caller's, answers. What the first two find reaches the
//! third as events, so that a command is taken while the engine thinks and no two answers are mixed.

use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::codec::{read_move, read_position, write_line, write_move, write_score};
use super::level::Level;
use super::lines::{Line, next_line};
use super::message::Message;
use super::settings::Settings;
use crate::engine::{Analysis, Engine, Limits, Score};
use crate::rules::{Move, Position, Variant};

/// Serves commands until `quit` or the end of the input. `variant` is what is played unless a command says otherwise.
///
/// # Errors
///
/// If an answer cannot be written, or no thread be had.
pub fn serve(input: impl Read + Send + 'static, output: &mut dyn Write, variant: Variant) -> io::Result<()> {
    let (sender, events) = channel();
    let lines = sender.clone();
    // Not joined: it may sit in a read that never ends.
    thread::Builder::new().name("commands".to_owned()).spawn(move || read_commands(input, &lines))?;
    let settings = Settings::new(variant);
    let level = Level::default();
    let mut server =
        Server { output, sender, settings, phase: Phase::Fresh, game: None, level, search: None, forget: false };
    let result = server.serve(&events);
    server.stop();
    result
}

enum Event {
    Line(Line),
    EndOfInput,
    Found(Analysis),
    Done(Box<Engine>, Analysis),
    /// The search came to grief, and its engine with it.
    Broken,
}

fn read_commands(input: impl Read, events: &Sender<Event>) {
    let mut input = BufReader::new(input);
    while let Ok(Some(line)) = next_line(&mut input) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}

/// How far the conversation has come.
enum Phase {
    /// Nothing was said.
    Fresh,
    /// Parameters may be set.
    Waiting,
    /// Ready; the engine is away while it searches.
    Ready(Option<Box<Engine>>),
}

/// A position and those before it, oldest first.
struct Game {
    history: Vec<Position>,
    position: Position,
}

/// A search that was asked for and not answered.
struct Search {
    stop: Arc<AtomicBool>,
    position: Position,
    started: Instant,
    /// The limit of time, once the clock runs.
    deadline: Option<Instant>,
    /// Whether the other side is still to move as expected.
    pondering: bool,
    /// Our time from then on.
    time: Option<Duration>,
    /// Only a command ends it.
    infinite: bool,
    reported: Option<Analysis>,
    /// What was found, while the answer has to wait.
    finished: Option<Analysis>,
}

impl Search {
    fn stop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        (self.pondering, self.infinite) = (false, false);
    }

    const fn must_wait(&self) -> bool {
        self.pondering || self.infinite
    }
}

struct Server<'a> {
    output: &'a mut dyn Write,
    sender: Sender<Event>,
    settings: Settings,
    phase: Phase,
    game: Option<Game>,
    level: Level,
    search: Option<Search>,
    /// Whether another game has begun since the last search.
    forget: bool,
}

impl Server<'_> {
    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        let mut open = true;
        while open || self.search.is_some() {
            match self.next(events) {
                Some(Event::Line(line)) if open => open = self.line(&line)?,
                Some(Event::Line(_)) => {}
                Some(Event::EndOfInput) | None => open = false,
                Some(Event::Found(found)) => self.found(&found)?,
                Some(Event::Done(engine, found)) => self.done(engine, found)?,
                Some(Event::Broken) => self.broken()?,
            }
            if !open {
                self.stop();
                self.answer()?;
            }
        }
        Ok(())
    }

    /// Waits for an event, and stops the search when its time is over.
    fn next(&mut self, events: &Receiver<Event>) -> Option<Event> {
        loop {
            let Some(deadline) = self.search.as_ref().and_then(|search| search.deadline) else {
                return events.recv().ok();
            };
            match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => self.time_is_over(),
            }
        }
    }

    fn time_is_over(&mut self) {
        if let Some(search) = &mut self.search {
            search.stop.store(true, Ordering::Relaxed);
            search.deadline = None;
        }
    }

    fn say(&mut self, message: &Message) -> io::Result<()> {
        writeln!(self.output, "{message}")?;
        self.output.flush()
    }

    fn complain(&mut self, what: &str) -> io::Result<()> {
        self.say(&Message::new("error").with("message", what))
    }

    /// Takes a command and tells whether more are wanted.
    fn line(&mut self, line: &Line) -> io::Result<bool> {
        let Line::Text(text) = line else {
            self.complain("the line is too long")?;
            return Ok(true);
        };
        let message = Message::parse(text);
        if message.command() == "quit" {
            return Ok(false);
        }
        if let Err(fault) = self.command(&message)? {
            self.complain(&fault)?;
        }
        Ok(true)
    }

    /// Takes a command; what is wrong with it is told. Commands that are not known are passed over.
    fn command(&mut self, message: &Message) -> io::Result<Result<(), String>> {
        match message.command() {
            "hub" => self.introduce()?,
            "ping" => self.say(&Message::new("pong"))?,
            "stop" => {
                self.stop();
                self.answer()?;
            }
            "ponder-hit" => {
                self.ponder_hit();
                self.answer()?;
            }
            "init" if self.search.is_none() => {
                self.phase = Phase::Ready(Some(Box::new(self.settings.engine())));
                self.game = None;
                self.say(&Message::new("ready"))?;
            }
            "set-param" => return Ok(self.set(message)),
            "pos" => return Ok(self.place(message)),
            "level" => return Ok(Level::read(message).map(|level| self.level = level)),
            "new-game" => self.forget = true,
            "go" => return self.go(message),
            _ => {}
        }
        Ok(Ok(()))
    }

    fn introduce(&mut self) -> io::Result<()> {
        if self.search.is_some() {
            return Ok(());
        }
        self.phase = Phase::Waiting;
        let id = Message::new("id").with("name", "pdn").with("version", env!("CARGO_PKG_VERSION"));
        self.say(&id.with("author", "the pdn authors").with("country", ""))?;
        for param in self.settings.declare() {
            self.say(&param)?;
        }
        self.say(&Message::new("wait"))
    }

    fn set(&mut self, message: &Message) -> Result<(), String> {
        if !matches!(self.phase, Phase::Waiting) {
            return Err("parameters are set between `wait` and `init`".to_owned());
        }
        let name = message.value("name").ok_or("bad parameter: no name")?;
        let value = message.value("value").ok_or("bad parameter: no value")?;
        self.settings.set(name, value)
    }

    /// Takes a position and the moves that follow it. After a fault the position before stays.
    fn place(&mut self, message: &Message) -> Result<(), String> {
        let text = message.value("pos").unwrap_or_default();
        let mut position = read_position(text, self.settings.variant).ok_or("bad position")?;
        let mut history = Vec::new();
        for word in message.value("moves").unwrap_or_default().split_whitespace() {
            let step = read_move(&position, word).ok_or_else(|| format!("bad move: {word}"))?;
            history.push(position);
            position = position.play_unchecked(&step);
        }
        self.game = Some(Game { history, position });
        Ok(())
    }

    fn go(&mut self, message: &Message) -> io::Result<Result<(), String>> {
        if self.search.is_some() {
            return Ok(Err("a search is under way: stop it first".to_owned()));
        }
        let ponder = message.has("ponder");
        if !ponder && !message.has("think") && !message.has("analyze") {
            return Ok(Err("go think, go ponder or go analyze?".to_owned()));
        }
        let game = match (&self.phase, &self.game) {
            (Phase::Fresh | Phase::Waiting, _) => return Ok(Err("not ready: `init` first".to_owned())),
            (_, None) => return Ok(Err("there is no position".to_owned())),
            (_, Some(game)) => game,
        };
        if game.position.legal_moves().is_empty() || game.position.winner().is_some() {
            return Ok(Err("the game is over: there is no legal move".to_owned()));
        }
        self.start(ponder)?;
        Ok(Ok(()))
    }

    fn start(&mut self, ponder: bool) -> io::Result<()> {
        let (Phase::Ready(engine), Some(game)) = (&mut self.phase, &self.game) else { return Ok(()) };
        let mut engine = engine.take().unwrap_or_else(|| Box::new(self.settings.engine()));
        if std::mem::take(&mut self.forget) {
            engine.new_game();
        }
        let limits = self.level.limits();
        let stop = Arc::new(AtomicBool::new(false));
        engine.stop_with(Arc::clone(&stop));
        self.search = Some(Search {
            stop,
            position: game.position,
            started: Instant::now(),
            deadline: None,
            pondering: ponder,
            time: limits.time_for_move(),
            infinite: self.level.is_infinite(),
            reported: None,
            finished: None,
        });
        let limits = if ponder { Limits { time: None, clock: None, ..limits } } else { limits };
        let (position, history, sender) = (game.position, game.history.clone(), self.sender.clone());
        let search = move || run(engine, &position, &history, &limits, &sender);
        thread::Builder::new().name("search".to_owned()).spawn(search).map(drop)
    }

    /// From here on an answer is wanted as soon as possible.
    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.stop();
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.pondering) {
            search.pondering = false;
            search.deadline = search.time.and_then(|time| Instant::now().checked_add(time));
        }
    }

    fn found(&mut self, found: &Analysis) -> io::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        search.reported = Some(found.clone());
        let others = found.others.iter().enumerate();
        let others = others.map(|(n, line)| info(line.score, &line.moves, found, search).with("line", n + 2));
        let best = info(found.score, &found.line, found, search);
        // The best one last: who knows nothing of several lines takes what came last.
        let messages: Vec<_> = others.rev().chain([best]).collect();
        messages.iter().try_for_each(|message| self.say(message))
    }

    fn done(&mut self, engine: Box<Engine>, found: Analysis) -> io::Result<()> {
        self.phase = Phase::Ready(Some(engine));
        let Some(search) = &self.search else { return Ok(()) };
        let told = search.reported.as_ref().is_some_and(|told| (told.score, &told.line) == (found.score, &found.line));
        if !told {
            self.found(&found)?;
        }
        if let Some(search) = &mut self.search {
            search.finished = Some(found);
        }
        self.answer()
    }

    /// Answers a search that is finished and has nothing to wait for.
    fn answer(&mut self) -> io::Result<()> {
        let Some(search) = self.search.take_if(|search| search.finished.is_some() && !search.must_wait()) else {
            return Ok(());
        };
        let line = search.finished.map(|found| found.line).unwrap_or_default();
        let mut moves = line.iter().map(|step| write_move(step, search.position.variant()));
        let Some(best) = moves.next() else { return self.complain("no move was found") };
        self.say(&Message::new("done").with("move", best).with_some("ponder", moves.next()))
    }

    /// A fault of the engine itself; whoever asked gets a legal move all the same.
    fn broken(&mut self) -> io::Result<()> {
        self.complain("the search failed")?;
        let Some(search) = &mut self.search else { return Ok(()) };
        search.finished = search.reported.take().or_else(|| {
            let line = search.position.legal_moves().first().copied().into_iter().collect();
            Some(Analysis { score: Score::DRAW, line, others: Vec::new(), depth: 0, nodes: 0 })
        });
        self.answer()
    }
}

/// Searches, and tells of it.
fn run(mut engine: Box<Engine>, position: &Position, history: &[Position], limits: &Limits, events: &Sender<Event>) {
    let mut report = |found: &Analysis| {
        // Nobody listens any more when the program ends.
        let _ = events.send(Event::Found(found.clone()));
    };
    let found = catch_unwind(AssertUnwindSafe(|| engine.analyse_with(position, history, limits, &mut report)));
    let _ = events.send(match found {
        Ok(found) => Event::Done(engine, found),
        Err(_) => Event::Broken,
    });
}

fn info(score: Score, line: &[Move], found: &Analysis, search: &Search) -> Message {
    let seconds = search.started.elapsed().as_secs_f64();
    // Of a shorter time the speed says nothing.
    let speed = (seconds >= 0.01).then(|| format!("{:.1}", found.nodes as f64 / seconds / 1e6));
    Message::new("info")
        .with("depth", found.depth)
        .with("score", write_score(score))
        .with("nodes", found.nodes)
        .with("time", format!("{seconds:.3}"))
        .with_some("nps", speed)
        .with("pv", write_line(line, search.position.variant()))
}
