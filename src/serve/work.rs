//! Calls of the application: work on records, and thoughts of the engine, made by threads while the client reads.

use std::io::Cursor;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Pieces;
use super::folder::{FileError, Folder};
use super::host::NativeHost;
use crate::calls::{self, CallOptions, Outlet, SearchedPosition, Session, error_row};
use crate::egdb::Databases;
use crate::engine::{Asker, Engine, EngineOptions, Limit, checked_lines};
use crate::error::{Error, Result};
use crate::link::{EngineSpec, GameEngine, Timeouts};
use crate::rules::Variant;
use crate::shared::lock;
use crate::source::Input;

/// What a piece of an answer to work begins with; its length follows, in four bytes, the lowest first.
const OUTPUT: u8 = 0;
const MESSAGE: u8 = 1;

/// The time of the first search of another program; each search takes twice the time of the one before it, since the program
/// says nothing between its question and its answer.
const FIRST_THOUGHT: Duration = Duration::from_millis(100);

/// The longest search of another program.
const LONGEST_THOUGHT: Duration = Duration::from_secs(20);

/// Passes answers to a client, with the kind and the length of each piece before it.
struct Framed {
    pieces: Pieces,
    begun: Instant,
}

impl Framed {
    fn send(&self, kind: u8, content: &[u8]) -> Result<()> {
        let mut piece = Vec::with_capacity(content.len() + 5);
        piece.push(kind);
        let length = u32::try_from(content.len()).map_err(|_| Error::unavailable("a piece is larger than 4 GB"))?;
        piece.extend(length.to_le_bytes());
        piece.extend(content);
        self.pieces.send(piece)
    }
}

impl Outlet for Framed {
    fn output(&self, bytes: &[u8]) -> Result<()> {
        self.send(OUTPUT, bytes)
    }

    fn message(&self, json: &str) -> Result<()> {
        self.send(MESSAGE, json.as_bytes())
    }

    fn now(&self) -> f64 {
        self.begun.elapsed().as_secs_f64() * 1000.0
    }
}

#[derive(Deserialize)]
struct RequestedInput {
    name: String,
    /// The number of its bytes in the request.
    size: Option<usize>,
    /// Or else its path in the folder, and its version.
    path: Option<String>,
    version: Option<String>,
}

impl RequestedInput {
    /// Returns the input; its bytes, if they are in the request, are the next ones.
    fn input(&self, bytes: &mut Bytes, folder: &Folder) -> Result<Input> {
        let Some(path) = &self.path else {
            let size = self.size.unwrap_or_default();
            if size > bytes.len() {
                return Err(Error::usage(format!("{}: the request ends early", self.name)));
            }
            return Ok(Input::stream(&self.name, Cursor::new(bytes.split_to(size))));
        };
        match folder.find_version(path, self.version.as_deref()) {
            Ok(found) => Ok(Input::with_label(&self.name, found)),
            Err(FileError::Changed) => Err(Error::unavailable(format!("{path} has changed: open it again"))),
            Err(_) => Err(Error::unavailable(format!("{path} cannot be read"))),
        }
    }
}

/// Does work on records, on all cores.
pub(super) fn work(
    name: &str,
    request: Bytes,
    folder: &Folder,
    host: &Arc<NativeHost>,
    jobs: NonZeroUsize,
    pieces: Pieces,
) {
    let outlet = Arc::new(Framed { pieces, begun: Instant::now() });
    let begun = begin(name, request, folder, Arc::clone(host), Arc::clone(&outlet) as _);
    let done = begun.and_then(|session| session.run(jobs));
    if let Err(error) = done {
        // A client that is gone needs no reason.
        let _ = outlet.message(&json!({ "error": error_row(&error) }).to_string());
    }
}

fn begin(
    name: &str,
    mut request: Bytes,
    folder: &Folder,
    host: Arc<NativeHost>,
    outlet: Arc<dyn Outlet>,
) -> Result<Box<dyn Session>> {
    let end = memchr::memchr(b'\n', &request).unwrap_or(request.len());
    // The options are on the first line; the bytes of the inputs follow.
    let mut options = CallOptions::parse(&request.split_to(end))?;
    let inputs: Vec<RequestedInput> = options.take("inputs")?.unwrap_or_default();
    // Without the line end after the options; there is none if nothing follows.
    let mut bytes = request.split_off(request.len().min(1));
    let inputs: Result<Vec<_>> = inputs.iter().map(|input| input.input(&mut bytes, folder)).collect();
    calls::begin(name, options, inputs?.into_iter().map(Ok).collect(), outlet, Some(host))
}

/// Engines that think for pages, kept for the next question.
pub(super) struct Thinkers {
    spec: Option<EngineSpec>,
    databases: Databases,
    threads: usize,
    idle: Mutex<Vec<Thinker>>,
    /// The number of questions that wait for another one to end.
    waiting: Arc<AtomicUsize>,
}

/// Time for a question while others wait.
const TURN: Duration = Duration::from_secs(5);

/// Most engines that are kept.
const MOST_IDLE: usize = 4;

enum Thinker {
    BuiltIn { engine: Box<Engine>, hash: usize },
    Program { engine: Box<dyn GameEngine>, variant: Variant },
}

impl Thinkers {
    pub(super) fn new(spec: Option<EngineSpec>, databases: Databases, threads: usize) -> Self {
        Self { spec, databases, threads, idle: Mutex::new(Vec::new()), waiting: Arc::default() }
    }

    /// Returns the name of the program that thinks, if it is not the built-in engine.
    pub(super) fn program(&self) -> Option<String> {
        self.spec.as_ref().map(ToString::to_string)
    }

    /// Returns the number of questions that wait.
    pub(super) const fn waiting(&self) -> &Arc<AtomicUsize> {
        &self.waiting
    }

    /// Thinks about a position until the limits of the question, until the client is gone, or until others waited. Each result
    /// is an event `info`; the last one is `result`.
    pub(super) fn think(&self, request: &[u8], pieces: &Pieces) {
        let send = |name: &str, row: &Value| pieces.send(format!("event: {name}\ndata: {row}\n\n"));
        let ended = self.answer(request, pieces, &|row| {
            // When the client is gone, the search is stopped.
            let _ = send("info", row);
        });
        let _ = match ended {
            Ok(row) => send("result", &row),
            Err(error) => send("error", &error_row(&error)),
        };
    }

    fn answer(&self, request: &[u8], pieces: &Pieces, info: &dyn Fn(&Value)) -> Result<Value> {
        let mut options = CallOptions::parse(request)?;
        let lines = checked_lines(options.take("lines")?.unwrap_or(1))?;
        let hash = options.take("hash")?.unwrap_or(16);
        let searched = SearchedPosition::of(options)?;
        let mut thinker = self.taken(searched.position().variant(), hash)?;
        let (begun, waiting) = (Instant::now(), Arc::clone(&self.waiting));
        let is_over = move || waiting.load(Ordering::Relaxed) > 0 && begun.elapsed() > TURN;
        let made = match &mut thinker {
            Thinker::BuiltIn { engine, .. } => {
                let stop = Arc::new(AtomicBool::new(false));
                engine.set_stop_flag(Arc::clone(&stop));
                engine.set_multipv(lines);
                pieces.when_over(is_over, move || stop.store(true, Ordering::Relaxed));
                let now = || begun.elapsed().as_secs_f64() * 1000.0;
                searched.search(engine, &now, &mut |row| info(&row))?
            }
            // A program that failed is not kept.
            Thinker::Program { engine, .. } => {
                let is_over = || pieces.is_gone() || is_over();
                ask(&mut **engine, &searched, lines, &is_over, info)?
            }
        };
        self.keep(thinker);
        Ok(made)
    }

    /// Returns an engine for a variant, with what it learned before if it is still there.
    fn taken(&self, variant: Variant, wanted: usize) -> Result<Thinker> {
        let options = EngineOptions::checked(wanted, self.threads, Asker::Guest)?;
        let mut idle = lock(&self.idle);
        let fits = |thinker: &Thinker| match thinker {
            Thinker::BuiltIn { engine, hash } => engine.variant() == variant && *hash == wanted,
            Thinker::Program { variant: own, .. } => *own == variant,
        };
        if let Some(place) = idle.iter().position(fits) {
            return Ok(idle.remove(place));
        }
        drop(idle);
        if let Some(spec) = &self.spec {
            let engine =
                spec.start(variant, Timeouts::default()).map_err(|error| Error::unavailable(error.to_string()))?;
            return Ok(Thinker::Program { engine, variant });
        }
        let engine = Engine::try_with_options(variant, options.with_databases(self.databases.clone()))?;
        Ok(Thinker::BuiltIn { engine: Box::new(engine), hash: wanted })
    }

    fn keep(&self, thinker: Thinker) {
        let mut idle = lock(&self.idle);
        if idle.len() == MOST_IDLE {
            idle.remove(0);
        }
        idle.push(thinker);
    }
}

/// Asks another program, for longer and longer unless the question has limits.
fn ask(
    engine: &mut dyn GameEngine,
    searched: &SearchedPosition,
    lines: usize,
    is_over: &dyn Fn() -> bool,
    info: &dyn Fn(&Value),
) -> Result<Value> {
    let begun = Instant::now();
    let mut search = |limit: Limit| {
        let made = engine.analyse(searched.position(), searched.history(), limit, lines);
        let made = made.map_err(|error| Error::unavailable(format!("the engine failed: {error}")))?;
        Ok::<_, Error>(searched.row(&made, begun.elapsed().as_secs_f64() * 1000.0))
    };
    if searched.position().legal_moves().is_empty() {
        return Err(Error::usage("there is no legal move"));
    }
    if !searched.limit().is_none() {
        return search(searched.limit());
    }
    let mut time = FIRST_THOUGHT;
    loop {
        let row = search(Limit::time(time))?;
        if is_over() || time > LONGEST_THOUGHT {
            return Ok(row);
        }
        info(&row);
        time *= 2;
    }
}

/// Answers a question that needs no input, about positions and codes.
pub(super) fn answer(name: &str, request: &[u8]) -> Value {
    let answered = CallOptions::parse(request).and_then(|options| calls::answer(name, options));
    match answered {
        Ok(result) => json!({ "result": result }),
        Err(error) => json!({ "error": error_row(&error) }),
    }
}
