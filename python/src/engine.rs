//! Engines: the built-in one, and programs that speak Hub.

#![expect(
    clippy::needless_pass_by_value,
    reason = "boards are copies: other threads may use them while an engine thinks"
)]

use std::path::PathBuf;
use std::sync::Arc;

use pdn::egdb::Databases;
use pdn::engine::{Asker, Engine as Search, EngineOptions, Knowledge};
use pdn::link::{CommandLine, HubEngine as Program, HubSearch, Timeouts};
use pdn::rules::Variant as Rules;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyMapping};

use crate::analysis::{Analysis, Limit};
use crate::board::{Board, Moves};
use crate::errors::{ArgumentError, EngineError, exception};
use crate::interrupt::{Exclusive, Worker, interruptible};
use crate::numbers::{self, Seconds};
use crate::search::{Answer, Asked, Background, PlayResult, RunningAnalysis, Stops};
use crate::values::duration;
use crate::variant::{AnyVariant, Variant, optional};

/// Returns the options of the built-in engine.
pub(crate) fn engine_options(
    hash_mb: usize,
    threads: usize,
    weights: Option<&str>,
    egdb: Option<PathBuf>,
) -> PyResult<EngineOptions> {
    let databases =
        egdb.map_or(Ok(Databases::embedded()), |folder| Databases::in_folder(&folder)).map_err(exception)?;
    let knowledge = weights.map_or(Ok(Knowledge::BuiltIn), str::parse).map_err(exception)?;
    let options = EngineOptions::checked(hash_mb, threads, Asker::Owner).map_err(exception)?;
    Ok(options.with_knowledge(knowledge).with_databases(databases))
}

/// Returns the command line of an engine, given as a shell-like string or a list of words.
pub(crate) fn command_line(command: &Bound<'_, PyAny>) -> PyResult<CommandLine> {
    let text = match command.extract::<String>() {
        Ok(text) => text,
        Err(_) => command.py().import("shlex")?.call_method1("join", (command,))?.extract()?,
    };
    text.parse().map_err(|error: pdn::link::ParseCommandError| ArgumentError::new_err(error.to_string()))
}

/// What searches for an engine.
trait Searcher: Send + Sync {
    /// Begins a search, for a move to play if `plays` is true.
    fn begin(&self, asked: Asked, stops: &Stops, plays: bool) -> PyResult<Background>;

    /// Begins a new game, after the searches.
    fn new_game(&self, py: Python<'_>, stops: &Stops) -> PyResult<()>;
}

/// The built-in engine or an external one: what both can do.
#[pyclass(frozen, subclass, module = "pdn.engine")]
pub(crate) struct BaseEngine {
    variant: Rules,
    searcher: Arc<dyn Searcher>,
    stops: Stops,
}

impl BaseEngine {
    fn new(variant: Rules, searcher: Arc<dyn Searcher>) -> Self {
        Self { variant, searcher, stops: Stops::default() }
    }

    fn begin(&self, asked: Asked, plays: bool) -> PyResult<Background> {
        self.searcher.begin(asked, &self.stops, plays)
    }
}

#[pymethods]
impl BaseEngine {
    /// The variant.
    #[getter]
    const fn variant(&self) -> Variant {
        Variant(self.variant)
    }

    /// Begins a new game: results of earlier searches are forgotten. It waits for the end of a search that is running; an analysis
    /// without a limit must be stopped first.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.searcher.new_game(py, &self.stops)
    }

    /// Searches a position. Earlier positions of the board count towards draws by repetition. Ctrl-C and :meth:`stop` end the search.
    ///
    /// ``root_moves`` are the moves to choose from. ``info`` is called with the :class:`Analysis` of each iteration. An engine makes one
    /// search after another: a search waits for the end of those before it, and is refused with an :exc:`EngineError` while
    /// an analysis without a limit is not stopped.
    ///
    /// >>> import pdn
    /// >>> from pdn.engine import Engine, Limit
    /// >>> engine, depths = Engine(), []
    /// >>> found = engine.analyse(pdn.Board(), Limit(depth=3), root_moves=["31-26"], info=lambda info: depths.append(info.depth))
    /// >>> str(found.best_move), depths
    /// ('31-26', [1, 2, 3])
    #[pyo3(signature = (board, limit, *, multipv=1, root_moves=None, info=None))]
    fn analyse(
        &self,
        py: Python<'_>,
        board: Board,
        limit: Limit,
        #[pyo3(from_py_with = numbers::lines)] multipv: usize,
        root_moves: Option<Moves>,
        info: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Analysis> {
        let asked = Asked::of(self.variant, &board, Some(limit), multipv, root_moves)?;
        self.begin(asked, false)?.analysis(py, info)
    }

    /// Begins the analysis of a position in the background, and returns an iterator over its iterations. Without a limit, it ends when
    /// it is stopped, and no other search of the engine can begin before. Searches wait for each other as in :meth:`analyse`.
    ///
    /// >>> import pdn
    /// >>> from pdn.engine import Engine
    /// >>> with Engine().analysis(pdn.Board()) as analysis:
    /// ...     for info in analysis:
    /// ...         if info.depth == 4:
    /// ...             analysis.stop()
    /// >>> analysis.wait().best_move in pdn.Board().legal_moves
    /// True
    #[pyo3(signature = (board, limit=None, *, multipv=1, root_moves=None))]
    fn analysis(
        &self,
        board: Board,
        limit: Option<Limit>,
        #[pyo3(from_py_with = numbers::lines)] multipv: usize,
        root_moves: Option<Moves>,
    ) -> PyResult<RunningAnalysis> {
        let asked = Asked::of(self.variant, &board, limit, multipv, root_moves)?;
        self.begin(asked, false).map(RunningAnalysis)
    }

    /// Chooses a move, for which a game clock may be the limit. Searches wait for each other as in :meth:`analyse`.
    ///
    /// >>> import pdn
    /// >>> from pdn.engine import Engine, Limit
    /// >>> board, engine = pdn.Board(), Engine()
    /// >>> for _ in range(4):
    /// ...     board.push(engine.play(board, Limit(nodes=200)).move)
    /// >>> board.ply()
    /// 4
    #[pyo3(signature = (board, limit, *, root_moves=None, info=None))]
    fn play(
        &self,
        py: Python<'_>,
        board: Board,
        limit: Limit,
        root_moves: Option<Moves>,
        info: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PlayResult> {
        let asked = Asked::of(self.variant, &board, Some(limit), 1, root_moves)?.with_move()?;
        self.begin(asked, true)?.play(py, info)
    }

    /// Stops all searches of this engine, which return what they have found. Another thread can call it.
    fn stop(&self) {
        self.stops.stop();
    }
}

impl Searcher for Arc<Exclusive<Search>> {
    fn begin(&self, asked: Asked, stops: &Stops, _: bool) -> PyResult<Background> {
        self.check()?;
        let search = Self::clone(self);
        Background::start(asked, stops, move |asked, stop, report| {
            let Asked { position, history, limit, moves, lines } = asked;
            let mut search = search.lock();
            search.set_stop_flag(Arc::clone(stop));
            search.set_multipv(lines);
            search.set_root_moves(moves);
            let found = search.analyse_with(&position, &history, limit, report);
            Ok(Answer { line: found.pv().to_vec(), analysis: Some(found) })
        })
    }

    fn new_game(&self, py: Python<'_>, stops: &Stops) -> PyResult<()> {
        self.check()?;
        stops.check()?;
        let search = Self::clone(self);
        interruptible(py, || {}, move || search.lock().new_game())
    }
}

/// The built-in engine, with the results of its earlier searches.
///
/// >>> import pdn
/// >>> from pdn.engine import Engine, Limit
/// >>> engine = Engine("russian")
/// >>> analysis = engine.analyse(pdn.Board(variant="russian"), Limit(depth=5), multipv=2)
/// >>> analysis.depth, len(analysis.lines), analysis.best_move in pdn.Board(variant="russian").legal_moves
/// (5, 2, True)
#[pyclass(frozen, extends = BaseEngine, module = "pdn.engine")]
pub(crate) struct Engine;

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (variant=None, *, hash_mb=64, threads=1, weights=None, egdb=None))]
    fn new(
        variant: Option<AnyVariant>,
        #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
        #[pyo3(from_py_with = numbers::engine_threads)] threads: usize,
        weights: Option<&str>,
        egdb: Option<PathBuf>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let variant = optional(variant)?.unwrap_or(Rules::INTERNATIONAL);
        let options = engine_options(hash_mb, threads, weights, egdb)?;
        let search =
            Search::try_with_options(variant, options).map_err(|error| EngineError::new_err(error.to_string()))?;
        let base = BaseEngine::new(variant, Arc::new(Arc::new(Exclusive::new(search))));
        Ok(PyClassInitializer::from(base).add_subclass(Self))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("Engine('{}')", slf.as_super().get().variant)
    }
}

/// A program, which is gone after it was closed or failed.
struct HubSearcher {
    program: Arc<Exclusive<Option<Program>>>,
    /// It has the thread that reads what the program writes.
    worker: Worker,
}

impl Searcher for HubSearcher {
    fn begin(&self, asked: Asked, stops: &Stops, plays: bool) -> PyResult<Background> {
        let asked = asked.with_move()?;
        self.worker.check()?;
        let program = Arc::clone(&self.program);
        Background::start(asked, stops, move |asked, stop, report| {
            let Asked { position, history, limit, moves, lines } = &asked;
            let search = HubSearch { history, moves, lines: *lines, ..HubSearch::new(position, *limit) };
            let mut running = program.lock();
            let Some(program) = &*running else { return Err("the engine was closed".to_owned()) };
            let answer = if plays {
                program.play(&search, stop, report).map(|(line, analysis)| Answer { line, analysis })
            } else {
                let found = program.search(&search, stop, report);
                found.map(|found| Answer { line: found.pv().to_vec(), analysis: Some(found) })
            };
            answer.map_err(|error| {
                // It may still be searching, and its next answer may be that to this question.
                *running = None;
                error.to_string()
            })
        })
    }

    fn new_game(&self, py: Python<'_>, stops: &Stops) -> PyResult<()> {
        self.worker.check()?;
        stops.check()?;
        let program = Arc::clone(&self.program);
        interruptible(py, || {}, move || program.lock().as_ref().map(Program::new_game))?;
        Ok(())
    }
}

/// An external engine that speaks Hub, version 1 or 2. ``parameters`` are set before it is used.
///
/// It searches only positions that have a legal move. The protocol asks for one line from all moves: several lines, or those of
/// ``root_moves``, take a search within the limit for each of the moves.
#[pyclass(frozen, extends = BaseEngine, module = "pdn.engine")]
pub(crate) struct HubEngine {
    name: String,
    searcher: Arc<HubSearcher>,
}

#[pymethods]
impl HubEngine {
    #[new]
    #[pyo3(signature = (command, *, variant=None, timeout=10.0, parameters=None))]
    fn new(
        py: Python<'_>,
        command: &Bound<'_, PyAny>,
        variant: Option<AnyVariant>,
        #[pyo3(from_py_with = Seconds::of)] timeout: f64,
        parameters: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let variant = optional(variant)?.unwrap_or(Rules::INTERNATIONAL);
        let mut command = command_line(command)?;
        for item in parameters.map(PyMappingMethods::items).transpose()?.iter().flatten() {
            let (name, value) = item.extract::<(String, Bound<'_, PyAny>)>()?;
            command = command.with_parameters([(name, parameter(&value)?)]);
        }
        let timeout = duration(Seconds(timeout))?;
        let timeouts = Timeouts::new(timeout, timeout);
        let started = interruptible(py, || {}, move || Program::start(&command, variant, timeouts))?;
        let program = started.map_err(|error| EngineError::new_err(error.to_string()))?;
        let name = program.name().to_owned();
        let program = Arc::new(Exclusive::new(Some(program)));
        let searcher = Arc::new(HubSearcher { program, worker: Worker::this() });
        let base = BaseEngine::new(variant, Arc::<HubSearcher>::clone(&searcher));
        Ok(PyClassInitializer::from(base).add_subclass(Self { name, searcher }))
    }

    /// The name and version reported by the engine, or else its command line.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Ends the program, and any search.
    fn close(slf: &Bound<'_, Self>) {
        let HubSearcher { program, worker } = &*slf.get().searcher;
        // A forked process leaves the program to its parent.
        if worker.check().is_ok() {
            slf.as_super().get().stops.stop();
            let program = Arc::clone(program);
            slf.py().detach(move || drop(program.lock().take()));
        }
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(slf: &Bound<'_, Self>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        Self::close(slf);
    }

    fn __repr__(&self) -> String {
        format!("<HubEngine {}>", self.name)
    }
}

/// Returns the value of a parameter as the protocol has it.
fn parameter(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyBool>() {
        Ok(value) => Ok(value.is_true().to_string()),
        Err(_) => Ok(value.str()?.to_string()),
    }
}
