//! The built-in engine for programs that speak version 2 of the Hub protocol.
//!
//! There are three threads: one reads commands, one searches, and one, the caller's, answers. The first two send events to
//! the third, so that commands are accepted during a search and answers are never interleaved.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::codec::{read_level, read_move, read_position, write_line, write_move, write_score};
use super::message::{InputLine, Message, next_line};
use super::settings::Settings;
use crate::engine::{Analysis, Engine, EngineOptions, Limit, Score, ScoredLine};
use crate::rules::{Position, Variant};

/// Serves commands until `quit` or the end of the input. `variant` and the file with an opening book, `book`, apply unless a command
/// sets others.
///
/// # Errors
///
/// If an answer cannot be written or a thread cannot be started.
pub fn serve(
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
    variant: Variant,
    options: EngineOptions,
    book: Option<PathBuf>,
) -> io::Result<()> {
    let (sender, events) = channel();
    let lines = sender.clone();
    // Not joined, because it may be blocked in a read.
    thread::Builder::new().name("commands".to_owned()).spawn(move || read_commands(input, &lines))?;
    let mut server = Server {
        output,
        sender,
        settings: Settings::new(variant, options, book),
        phase: Phase::Initial,
        game: None,
        limit: Limit::none(),
        search: None,
        new_game: false,
        backlog: VecDeque::new(),
    };
    let result = server.serve(&events);
    server.stop();
    result
}

enum Event {
    Input(Input),
    Report(Analysis),
    Done(Box<Engine>, Analysis),
    /// The search panicked, and its engine is lost.
    Panicked,
}

/// The messages of the reading thread.
enum Input {
    Command(Message),
    /// A line that is too long for a command.
    TooLong,
    End,
}

fn read_commands(input: impl Read, events: &Sender<Event>) {
    let mut input = BufReader::new(input);
    while let Ok(Some(line)) = next_line(&mut input) {
        let input = match line {
            InputLine::Text(text) => Input::Command(Message::parse(&text)),
            InputLine::TooLong => Input::TooLong,
        };
        if events.send(Event::Input(input)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::Input(Input::End));
}

/// The phase of the conversation.
enum Phase {
    /// Before `hub`.
    Initial,
    /// Between `wait` and `init`: parameters may be set.
    Waiting,
    /// After `init`. The engine is absent during a search.
    Ready(Option<Box<Engine>>),
}

/// A position and the earlier positions of the game, oldest first.
struct Game {
    history: Vec<Position>,
    position: Position,
}

/// A search that was started and not answered yet.
struct Search {
    stop: Arc<AtomicBool>,
    position: Position,
    started: Instant,
    /// The time limit after a ponder hit.
    deadline: Option<Instant>,
    /// True until the opponent moves.
    pondering: bool,
    /// Time for the move after a ponder hit.
    move_time: Option<Duration>,
    /// True if only a command ends the search.
    infinite: bool,
    reported: Option<Analysis>,
    /// The result, while the answer is held back.
    finished: Option<Analysis>,
}

impl Search {
    fn stop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        (self.pondering, self.infinite) = (false, false);
    }
}

/// The reason why a command was not carried out.
enum CommandError {
    /// The command is invalid; the reason.
    Invalid(String),
    /// An answer cannot be written or a thread cannot be started.
    Io(io::Error),
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<String> for CommandError {
    fn from(reason: String) -> Self {
        Self::Invalid(reason)
    }
}

impl From<&str> for CommandError {
    fn from(reason: &str) -> Self {
        Self::Invalid(reason.to_owned())
    }
}

struct Server<'a> {
    output: &'a mut dyn Write,
    sender: Sender<Event>,
    settings: Settings,
    phase: Phase,
    game: Option<Game>,
    limit: Limit,
    search: Option<Search>,
    /// True if a new game has started since the last search.
    new_game: bool,
    /// Input not carried out yet, oldest first: a `go` waits until a stopped search is answered.
    backlog: VecDeque<Input>,
}

impl Server<'_> {
    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        let mut open = true;
        // After the end of the input, a running search is still stopped and answered.
        while open || self.search.is_some() {
            match self.next_event(events) {
                Some(Event::Input(input)) => self.backlog.push_back(input),
                None => open = false,
                Some(Event::Report(analysis)) => self.report(analysis)?,
                Some(Event::Done(engine, analysis)) => self.done(engine, analysis)?,
                Some(Event::Panicked) => self.panicked()?,
            }
            while open && let Some(input) = self.next_input() {
                open = self.input(&input)?;
            }
            if !open {
                self.stop();
                self.answer()?;
            }
        }
        Ok(())
    }

    /// Returns the oldest input not carried out yet, unless it has to wait.
    fn next_input(&mut self) -> Option<Input> {
        let is_stopping = self.search.as_ref().is_some_and(|search| search.stop.load(Ordering::Relaxed));
        let is_go = |input: &Input| matches!(input, Input::Command(message) if message.command() == "go");
        self.backlog.pop_front_if(|input| !(is_stopping && is_go(input)))
    }

    /// Waits for an event and stops the search when its time is up.
    fn next_event(&mut self, events: &Receiver<Event>) -> Option<Event> {
        loop {
            let Some(deadline) = self.search.as_ref().and_then(|search| search.deadline) else {
                return events.recv().ok();
            };
            // The time may be up already.
            match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(search) = &mut self.search {
                        search.stop.store(true, Ordering::Relaxed);
                        search.deadline = None;
                    }
                }
            }
        }
    }

    fn send(&mut self, message: &Message) -> io::Result<()> {
        writeln!(self.output, "{message}")?;
        // The other end waits for each line.
        self.output.flush()
    }

    fn send_error(&mut self, reason: &str) -> io::Result<()> {
        self.send(&Message::new("error").with("message", reason))
    }

    /// Carries out a command. Returns false after the last one.
    fn input(&mut self, input: &Input) -> io::Result<bool> {
        match input {
            Input::End => return Ok(false),
            Input::TooLong => self.send_error("the line is too long")?,
            Input::Command(message) if message.command() == "quit" => return Ok(false),
            Input::Command(message) => match self.command(message) {
                Ok(()) => {}
                Err(CommandError::Invalid(reason)) => self.send_error(&reason)?,
                Err(CommandError::Io(error)) => return Err(error),
            },
        }
        Ok(true)
    }

    /// Carries out a command; unknown ones are ignored.
    fn command(&mut self, message: &Message) -> Result<(), CommandError> {
        match message.command() {
            "hub" => self.introduce()?,
            "ping" => self.send(&Message::new("pong"))?,
            "stop" => {
                self.stop();
                self.answer()?;
            }
            "ponder-hit" => {
                self.ponder_hit();
                self.answer()?;
            }
            "init" if self.search.is_none() => self.initialise()?,
            "set-param" => self.set_parameter(message)?,
            "pos" => self.set_position(message)?,
            "level" => self.limit = read_level(message)?,
            "new-game" => self.new_game = true,
            "go" => self.go(message)?,
            _ => {}
        }
        Ok(())
    }

    fn introduce(&mut self) -> io::Result<()> {
        if self.search.is_some() {
            return Ok(());
        }
        self.phase = Phase::Waiting;
        let id = Message::new("id").with("name", "pdn").with("version", env!("CARGO_PKG_VERSION"));
        self.send(&id.with("author", "the pdn authors").with("country", ""))?;
        for param in self.settings.declarations() {
            self.send(&param)?;
        }
        self.send(&Message::new("wait"))
    }

    fn initialise(&mut self) -> Result<(), CommandError> {
        self.phase = Phase::Ready(Some(Box::new(self.settings.engine()?)));
        self.game = None;
        Ok(self.send(&Message::new("ready"))?)
    }

    fn set_parameter(&mut self, message: &Message) -> Result<(), CommandError> {
        if !matches!(self.phase, Phase::Waiting) {
            return Err("parameters can only be set between `wait` and `init`".into());
        }
        let name = message.value("name").ok_or("invalid parameter: no name")?;
        let value = message.value("value").ok_or("invalid parameter: no value")?;
        Ok(self.settings.set(name, value)?)
    }

    /// Sets up a position and plays the moves after it. After an error the previous position stays.
    fn set_position(&mut self, message: &Message) -> Result<(), CommandError> {
        let text = message.value("pos").unwrap_or_default();
        let mut position = read_position(text, self.settings.variant).ok_or("invalid position")?;
        let mut history = Vec::new();
        for word in message.value("moves").unwrap_or_default().split_whitespace() {
            let step = read_move(&position, word).ok_or_else(|| format!("invalid move: {word}"))?;
            history.push(position);
            position = position.play_unchecked(&step);
        }
        self.game = Some(Game { history, position });
        Ok(())
    }

    fn go(&mut self, message: &Message) -> Result<(), CommandError> {
        if self.search.is_some() {
            return Err("a search is running; stop it first".into());
        }
        let ponder = message.has("ponder");
        if !ponder && !message.has("think") && !message.has("analyze") {
            return Err("expected go think, go ponder or go analyze".into());
        }
        let game = match (&self.phase, &self.game) {
            (Phase::Initial | Phase::Waiting, _) => return Err("not ready; send `init` first".into()),
            (_, None) => return Err("there is no position".into()),
            (_, Some(game)) => game,
        };
        if game.position.legal_moves().is_empty() || game.position.winner().is_some() {
            return Err("the game is over: there is no legal move".into());
        }
        if std::mem::take(&mut self.new_game)
            && let Phase::Ready(Some(engine)) = &mut self.phase
        {
            engine.new_game();
        }
        match self.book_move().filter(|_| message.has("think")) {
            Some(done) => Ok(self.send(&done)?),
            None => self.start(ponder),
        }
    }

    /// Returns the answer with the move of the opening book, if it has one.
    fn book_move(&self) -> Option<Message> {
        let (Phase::Ready(Some(engine)), Some(game)) = (&self.phase, &self.game) else { return None };
        let step = engine.book_move(&game.position)?;
        Some(Message::new("done").with("move", write_move(&step, game.position.variant())))
    }

    fn start(&mut self, pondering: bool) -> Result<(), CommandError> {
        let (Phase::Ready(engine), Some(game)) = (&mut self.phase, &self.game) else { return Ok(()) };
        let mut engine = match engine.take() {
            Some(engine) => engine,
            // The last search panicked and took its engine with it.
            None => Box::new(self.settings.engine()?),
        };
        let mut limit = self.limit;
        let stop = Arc::new(AtomicBool::new(false));
        engine.set_stop_flag(Arc::clone(&stop));
        self.search = Some(Search {
            stop,
            position: game.position,
            started: Instant::now(),
            deadline: None,
            pondering,
            move_time: limit.move_time(),
            infinite: limit.is_none(),
            reported: None,
            finished: None,
        });
        if pondering {
            // While pondering, it is the opponent's clock that runs.
            (limit.time, limit.clock) = (None, None);
        }
        let (position, history, sender) = (game.position, game.history.clone(), self.sender.clone());
        let search = move || search(engine, &position, &history, limit, &sender);
        thread::Builder::new().name("search".to_owned()).spawn(search)?;
        Ok(())
    }

    /// Stops the search, if one is running, and releases its answer.
    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.stop();
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.pondering) {
            search.pondering = false;
            search.deadline = search.move_time.and_then(|time| Instant::now().checked_add(time));
        }
    }

    fn report(&mut self, analysis: Analysis) -> io::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        let lines: Vec<_> = (1..).zip(analysis.lines()).collect();
        // The best line comes last, for programs that ignore `line` and keep the last message.
        let messages: Vec<_> =
            lines.into_iter().rev().map(|(number, line)| info(number, line, &analysis, search)).collect();
        search.reported = Some(analysis);
        messages.iter().try_for_each(|message| self.send(message))
    }

    fn done(&mut self, engine: Box<Engine>, analysis: Analysis) -> io::Result<()> {
        self.phase = Phase::Ready(Some(engine));
        let Some(search) = &mut self.search else { return Ok(()) };
        search.finished = Some(analysis.clone());
        // An interrupted iteration may have changed the best line since the last report.
        let is_reported =
            search.reported.as_ref().and_then(|reported| reported.lines().next()) == analysis.lines().next();
        if !is_reported {
            self.report(analysis)?;
        }
        self.answer()
    }

    /// Answers a finished search unless its answer is held back.
    fn answer(&mut self) -> io::Result<()> {
        let is_due = |search: &mut Search| search.finished.is_some() && !search.pondering && !search.infinite;
        let Some(search) = self.search.take_if(is_due) else { return Ok(()) };
        let pv = search.finished.as_ref().map(Analysis::pv).unwrap_or_default();
        let mut moves = pv.iter().map(|step| write_move(step, search.position.variant()));
        let Some(best) = moves.next() else { return self.send_error("no move was found") };
        self.send(&Message::new("done").with("move", best).with_some("ponder", moves.next()))
    }

    /// Reports an internal error and answers with the best known move, or else any legal one.
    fn panicked(&mut self) -> io::Result<()> {
        self.send_error("the search failed")?;
        let Some(search) = &mut self.search else { return Ok(()) };
        search.finished = search.reported.take().or_else(|| {
            let pv = search.position.legal_moves().first().copied().into_iter().collect();
            Some(Analysis::new(Score::DRAW, pv, 0, 0))
        });
        self.answer()
    }
}

/// Searches and sends the results as events.
fn search(mut engine: Box<Engine>, position: &Position, history: &[Position], limit: Limit, events: &Sender<Event>) {
    // Sending fails only when the server has ended.
    let mut report = |analysis: &Analysis| {
        let _ = events.send(Event::Report(analysis.clone()));
    };
    let result = catch_unwind(AssertUnwindSafe(|| engine.analyse_with(position, history, limit, &mut report)));
    let _ = events.send(match result {
        Ok(analysis) => Event::Done(engine, analysis),
        Err(_) => Event::Panicked,
    });
}

/// Returns the `info` message for a line; the number of the best line is 1.
fn info(number: usize, line: &ScoredLine, analysis: &Analysis, search: &Search) -> Message {
    let seconds = search.started.elapsed().as_secs_f64();
    // The speed over a shorter time is meaningless.
    let speed = (seconds >= 0.01).then(|| format!("{:.1}", analysis.nodes() as f64 / seconds / 1e6));
    Message::new("info")
        .with("depth", analysis.depth())
        .with("score", write_score(line.score()))
        .with("nodes", analysis.nodes())
        .with("time", format!("{seconds:.3}"))
        .with_some("nps", speed)
        .with("pv", write_line(line.moves(), search.position.variant()))
        .with_some("line", (number > 1).then_some(number))
}
