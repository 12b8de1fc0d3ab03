//! Iterators over games, which are read ahead on other threads.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use pdn::check::{CheckOptions, CheckedGame, Checking, ChunkOrigin, GameWork, Needs};
use pdn::query::{BoardFinder, Question, SearchOptions};
use pdn::records::outside_row;
use pdn::replay::ReplayOptions;
use pdn::source::{Chunk, ChunkOptions, Event, Input, MAX_JOBS, Pipeline, Work};
use pdn::{Flow, Outside, Tag, Visitor, read};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::GameData;
use crate::diagnostic::Diagnostic;
use crate::errors::{ArgumentError, exception};
use crate::game::Game;
use crate::inputs::{Inputs, inputs};
use crate::interrupt::{Exclusive, Worker, receive};
use crate::numbers::{self, Jobs, Last};
use crate::variant::{AnyVariant, optional};
use crate::work::{call_options, refused};

/// The range of all game numbers in a file.
const ALL: RangeInclusive<u64> = 1..=u64::MAX;

/// Maximum number of chunks that wait to be read.
const READ_AHEAD: usize = 2;

/// Returns the options of a check, and of cutting files into chunks.
pub(crate) fn check_options(
    variant: Option<AnyVariant>,
    strict: bool,
    encoding: Option<&str>,
) -> PyResult<(CheckOptions, ChunkOptions)> {
    let (mut options, mut chunks) = (CheckOptions::default(), ChunkOptions::default());
    options.replay = ReplayOptions::of(optional(variant)?);
    options.strict = strict;
    if let Some(name) = encoding {
        (chunks, options.encoding) = chunks.in_encoding(name).map_err(exception)?;
    }
    Ok((options, chunks))
}

/// Returns this number of threads, up to [`MAX_JOBS`], or one per processor.
pub(crate) fn threads(jobs: Option<Jobs>) -> NonZeroUsize {
    let given = jobs.and_then(|jobs| NonZeroUsize::new(jobs.0));
    given.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN).min(MAX_JOBS)
}

/// Reads and reviews games.
#[derive(Debug)]
struct Reading {
    checking: Checking<Collecting>,
}

impl Reading {
    fn numbers(&self) -> &RangeInclusive<u64> {
        &self.checking.work().numbers
    }
}

/// What the reading of a file needs.
type FileOptions = <Checking<Collecting> as Work>::File;

/// A chunk whose games are read, or only counted if it may be skipped, which is many times faster.
enum Found {
    Read(<Checking<Collecting> as Work>::Read),
    Counted(u64, FileOptions),
}

impl Work for Reading {
    const HEAD: usize = Checking::<Collecting>::HEAD;
    type File = FileOptions;
    type Read = Found;
    type Done = Collected;

    fn begin(&self, input: &Input, head: Arc<[u8]>) -> FileOptions {
        self.checking.begin(input, head)
    }

    fn read(&self, options: &FileOptions, chunk: &Chunk) -> Found {
        if *self.numbers() == ALL {
            Found::Read(self.checking.read(options, chunk))
        } else {
            Found::Counted(count(chunk), options.clone())
        }
    }

    fn games(&self, found: &Found) -> u64 {
        match found {
            Found::Read(read) => self.checking.games(read),
            Found::Counted(games, _) => *games,
        }
    }

    fn finish(&self, input: &Input, chunk: &Chunk, found: Found, first: u64) -> Collected {
        let is_past = first > *self.numbers().end();
        // A chunk without games counts as one: what is outside any game may be the first there is.
        if is_past || first + self.games(&found).max(1) <= *self.numbers().start() {
            return Collected { is_past, ..Collected::default() };
        }
        let read = match found {
            Found::Read(read) => read,
            Found::Counted(_, options) => self.checking.read(&options, chunk),
        };
        self.checking.finish(input, chunk, read, first)
    }
}

/// Counts games.
struct Counter(u64);

impl Visitor for Counter {
    fn begin_game(&mut self, _: usize) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}

/// Returns the number of games in a chunk.
fn count(chunk: &Chunk) -> u64 {
    let mut counter = Counter(0);
    let _ = read(chunk.bytes(), &mut counter);
    counter.0
}

/// Counts the games of files.
struct Counting;

impl Work for Counting {
    type File = ();
    type Read = u64;
    type Done = u64;

    fn begin(&self, _: &Input, _: Arc<[u8]>) {}

    fn read(&self, (): &(), chunk: &Chunk) -> u64 {
        count(chunk)
    }

    fn games(&self, games: &u64) -> u64 {
        *games
    }

    fn finish(&self, _: &Input, _: &Chunk, games: u64, _: u64) -> u64 {
        games
    }
}

/// Returns the number of games in files; ``source`` and ``jobs`` are as in :func:`read_games`.
#[pyfunction]
#[pyo3(signature = (source, *, jobs=None))]
pub(crate) fn count_games(source: &Bound<'_, PyAny>, jobs: Option<Jobs>) -> PyResult<u64> {
    let ahead = Ahead::new(inputs(source, false)?, Counting, jobs, ChunkOptions::default())?;
    let mut games = 0;
    while let Some(counted) = ahead.next(source.py())? {
        games += counted;
    }
    Ok(games)
}

/// Collects games.
#[derive(Debug)]
struct Collecting {
    /// The numbers of the games to return, from 1 in each file.
    numbers: RangeInclusive<u64>,
    /// What games must match.
    question: Option<Question>,
}

/// The games of a chunk, and the diagnostics outside any game.
#[derive(Default)]
struct Collected {
    file: Arc<str>,
    games: Vec<GameData>,
    outside: Vec<Diagnostic>,
    /// True if all games to return from the file come before this chunk.
    is_past: bool,
    finder: Option<BoardFinder>,
}

impl GameWork for Collecting {
    type Done = Collected;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn begin(&self, origin: &ChunkOrigin<'_>) -> Collected {
        Collected { file: origin.input().label().into(), ..Collected::default() }
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut Collected) {
        let fits = |question: &Question| question.fits(&game, &mut done.finder);
        if !self.numbers.contains(&game.number()) || !self.question.as_ref().is_none_or(fits) {
            return;
        }
        done.games.push(GameData::of(game, Arc::clone(&done.file)));
    }

    fn outside(&self, outside: &Outside, origin: &ChunkOrigin<'_>, done: &mut Collected) {
        done.outside.push(Diagnostic(outside_row(outside, origin)));
    }
}

/// The results of work on chunks, done on other threads on request.
pub(crate) struct Ahead<T> {
    results: Receiver<pdn::Result<T>>,
    worker: Worker,
}

impl<T: Send + 'static> Ahead<T> {
    /// Begins work, which ends when the results are dropped.
    pub(crate) fn new<W: Work<Done = T> + Send + 'static>(
        inputs: Inputs,
        work: W,
        jobs: Option<Jobs>,
        chunks: ChunkOptions,
    ) -> PyResult<Self> {
        let (sender, receiver) = bounded(READ_AHEAD);
        let pipeline = Pipeline::new(threads(jobs), chunks);
        thread::Builder::new().spawn(move || {
            let sent = |item| sender.send(item).map_err(|_| pdn::Error::unavailable("the games are no longer read"));
            let ended = pipeline.run(inputs, &work, |event| match event {
                Event::Begin(_) => Ok(()),
                Event::Done(done) => sent(Ok(done)),
                Event::Error(error) => sent(Err(error)),
            });
            // The work may have ended because the receiver is gone.
            drop(ended.map_err(|error| sender.send(Err(error))));
        })?;
        Ok(Self { results: receiver, worker: Worker::this() })
    }

    /// Stops the work early.
    fn stop(&mut self) {
        self.results = bounded(0).1;
    }

    /// Waits for the next result.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        self.worker.check()?;
        receive(py, &self.results)?.transpose().map_err(exception)
    }
}

/// An iterator over games, which threads may share; see :func:`pdn.read_games`.
#[pyclass(frozen, module = "pdn")]
pub(crate) struct GameReader(Exclusive<Reader>);

struct Reader {
    ahead: Ahead<Collected>,
    /// True if there is only one file, which need not be read beyond the last game to return.
    has_one_input: bool,
    games: VecDeque<GameData>,
    outside: Vec<Diagnostic>,
}

#[pymethods]
impl GameReader {
    /// The diagnostics outside any game that have been found so far.
    #[getter]
    fn diagnostics(&self, py: Python<'_>) -> PyResult<Vec<Diagnostic>> {
        Ok(self.0.wait(py)?.outside.clone())
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let mut reader = self.0.wait(py)?;
        while reader.games.is_empty() {
            let Some(mut done) = reader.ahead.next(py)? else { return Ok(None) };
            if done.is_past && reader.has_one_input {
                reader.ahead.stop();
            }
            reader.outside.append(&mut done.outside);
            reader.games = done.games.into();
        }
        Ok(reader.games.pop_front().map(Game::of))
    }
}

/// Reads games from the path of a file or folder, bytes, an open file, or several of these.
///
/// Games are read ahead in chunks, on ``jobs`` threads (default: one per processor). Memory does not grow with the number of
/// games. All encodings and compression formats of the command line are recognised. A file that cannot be read raises
/// :exc:`OSError`; iteration can then continue with the next file. With ``first`` and ``last``, only the games from ``first`` to
/// ``last`` in each file are returned. Other games are skipped quickly, and a single file is read no further than needed.
///
/// >>> import pdn
/// >>> for game in pdn.read_games(b"1. 32-28 19-23 2. 28x19 14x23 *"):
/// ...     print(game.variant, game.plies, game.end().turn == pdn.WHITE)
/// international 4 True
#[pyfunction]
#[pyo3(signature = (source, *, variant=None, strict=false, encoding=None, jobs=None, first=1, last=None))]
pub(crate) fn read_games(
    source: &Bound<'_, PyAny>,
    variant: Option<AnyVariant>,
    strict: bool,
    encoding: Option<&str>,
    jobs: Option<Jobs>,
    #[pyo3(from_py_with = numbers::first)] first: u64,
    last: Option<Last>,
) -> PyResult<GameReader> {
    let options = check_options(variant, strict, encoding)?;
    reader(
        source,
        Collecting { numbers: first..=last.map_or(*ALL.end(), |last| last.0), question: None },
        options,
        jobs,
    )
}

fn reader(
    source: &Bound<'_, PyAny>,
    games: Collecting,
    (options, chunks): (CheckOptions, ChunkOptions),
    jobs: Option<Jobs>,
) -> PyResult<GameReader> {
    let inputs = inputs(source, options.encoding.is_some())?;
    let work = Reading { checking: Checking::new(games, options) };
    let has_one_input = inputs.len() == 1;
    let ahead = Ahead::new(inputs, work, jobs, chunks)?;
    let reader = Reader { ahead, has_one_input, games: VecDeque::new(), outside: Vec::new() };
    Ok(GameReader(Exclusive::new(reader)))
}

/// Finds games by tags, positions and moves, like ``pdn search``; they are read as :func:`read_games` reads them.
///
/// >>> import pdn
/// >>> found = pdn.search("samples/games", where="year >= 1990", sequence="32-28 19-23")
/// >>> all("1990" <= game.tags["Date"][:4] for game in found)
/// True
#[pyfunction]
#[pyo3(signature = (source, *, variant=None, encoding=None, jobs=None, **options))]
pub(crate) fn search(
    source: &Bound<'_, PyAny>,
    variant: Option<AnyVariant>,
    encoding: Option<&str>,
    jobs: Option<Jobs>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<GameReader> {
    let checks = check_options(variant, false, encoding)?;
    let options: SearchOptions = call_options(options)?.rest().map_err(refused)?;
    let question =
        options.question(checks.0.replay.variant).map_err(|error| ArgumentError::new_err(error.to_string()))?;
    reader(source, Collecting { numbers: ALL, question: Some(question) }, checks, jobs)
}

/// Reads tags.
struct ReadingTags;

/// The names and values of the tags of a game.
type Tags = Vec<(String, String)>;

impl Work for ReadingTags {
    type File = ();
    type Read = Vec<Tags>;
    type Done = Vec<Tags>;

    fn begin(&self, _: &Input, _: Arc<[u8]>) {}

    fn read(&self, (): &(), chunk: &Chunk) -> Vec<Tags> {
        let written = |tag: &Tag| (tag.name().to_owned(), tag.value().to_owned());
        pdn::games(chunk.bytes()).map(|game| game.tree().tags().iter().map(written).collect()).collect()
    }

    fn games(&self, read: &Vec<Tags>) -> u64 {
        read.len() as u64
    }

    fn finish(&self, _: &Input, _: &Chunk, read: Vec<Tags>, _: u64) -> Vec<Tags> {
        read
    }
}

/// An iterator over the tags of games; see :func:`pdn.read_headers`.
#[pyclass(frozen, module = "pdn")]
pub(crate) struct HeaderReader(Exclusive<Headers>);

struct Headers {
    ahead: Ahead<Vec<Tags>>,
    games: VecDeque<Tags>,
}

#[pymethods]
impl HeaderReader {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut reader = self.0.wait(py)?;
        while reader.games.is_empty() {
            let Some(done) = reader.ahead.next(py)? else { return Ok(None) };
            reader.games = done.into();
        }
        let tags = PyDict::new(py);
        for (name, value) in reader.games.pop_front().unwrap_or_default() {
            if !tags.contains(&name)? {
                tags.set_item(name, value)?;
            }
        }
        Ok(Some(tags))
    }
}

/// Reads only the tags of games, as dictionaries.
///
/// >>> import pdn
/// >>> list(pdn.read_headers(b'[Event "Final"] 1. 32-28 *'))
/// [{'Event': 'Final'}]
#[pyfunction]
#[pyo3(signature = (source, *, jobs=None))]
pub(crate) fn read_headers(source: &Bound<'_, PyAny>, jobs: Option<Jobs>) -> PyResult<HeaderReader> {
    let ahead = Ahead::new(inputs(source, false)?, ReadingTags, jobs, ChunkOptions::default())?;
    Ok(HeaderReader(Exclusive::new(Headers { ahead, games: VecDeque::new() })))
}
