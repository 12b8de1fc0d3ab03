//! Engines: the built-in one, and programs that speak Hub.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pdn::egdb::Databases;
use pdn::engine::{Asker, Engine as Search, EngineOptions, Knowledge, checked_lines};
use pdn::link::{CommandLine, HubEngine as Program, Timeouts};
use pdn::rules::Variant as Rules;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::analysis::{Analysis, Limit};
use crate::board::{Board, wrong_variant};
use crate::errors::{EngineError, exception};
use crate::interrupt::{Exclusive, Worker, interruptible};
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
    text.parse().map_err(|error: pdn::link::ParseCommandError| PyValueError::new_err(error.to_string()))
}

/// The built-in engine, with the results of its earlier searches.
///
/// >>> import pdn
/// >>> from pdn.engine import Engine, Limit
/// >>> engine = Engine("russian")
/// >>> analysis = engine.analyse(pdn.Board(variant="russian"), Limit(depth=5), multipv=2)
/// >>> analysis.depth, len(analysis.lines), analysis.best_move in pdn.Board(variant="russian").legal_moves
/// (5, 2, True)
#[pyclass(frozen, module = "pdn.engine")]
pub(crate) struct Engine {
    variant: Rules,
    search: Arc<Exclusive<Search>>,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (variant=None, *, hash_mb=64, threads=1, weights=None, egdb=None))]
    fn new(
        variant: Option<AnyVariant>,
        hash_mb: usize,
        threads: usize,
        weights: Option<&str>,
        egdb: Option<PathBuf>,
    ) -> PyResult<Self> {
        let variant = optional(variant)?.unwrap_or(Rules::INTERNATIONAL);
        let options = engine_options(hash_mb, threads, weights, egdb)?;
        let search =
            Search::try_with_options(variant, options).map_err(|error| EngineError::new_err(error.to_string()))?;
        Ok(Self { variant, search: Arc::new(Exclusive::new(search)) })
    }

    /// The variant.
    #[getter]
    const fn variant(&self) -> Variant {
        Variant(self.variant)
    }

    /// Forgets the results of earlier searches.
    fn new_game(&self) -> PyResult<()> {
        self.search.check()?;
        self.search.lock().new_game();
        Ok(())
    }

    /// Searches a position. Earlier positions of the board count towards draws by repetition. Ctrl-C stops the search.
    #[pyo3(signature = (board, limit, *, multipv=1))]
    fn analyse(&self, py: Python<'_>, board: &Board, limit: Limit, multipv: usize) -> PyResult<Analysis> {
        let (position, history) = (board.position, board.earlier());
        if position.variant() != self.variant {
            return Err(wrong_variant(self.variant, position.variant()));
        }
        let multipv = checked_lines(multipv).map_err(exception)?;
        self.search.check()?;
        let stop = Arc::new(AtomicBool::new(false));
        let (search, stopped) = (Arc::clone(&self.search), Arc::clone(&stop));
        let found = interruptible(
            py,
            || stop.store(true, Ordering::Relaxed),
            move || {
                let mut search = search.lock();
                search.set_stop_flag(stopped);
                search.set_multipv(multipv);
                search.analyse_game(&position, &history, limit.of_engine())
            },
        )?;
        Ok(Analysis::new(&found, &position))
    }

    fn __repr__(&self) -> String {
        format!("Engine('{}')", self.variant)
    }
}

/// An external engine that speaks Hub, version 1 or 2.
#[pyclass(frozen, module = "pdn.engine")]
pub(crate) struct HubEngine {
    variant: Rules,
    name: String,
    program: Arc<Exclusive<Option<Program>>>,
    /// It has the thread that reads what the program writes.
    worker: Worker,
}

#[pymethods]
impl HubEngine {
    #[new]
    #[pyo3(signature = (command, *, variant=None, timeout=10.0))]
    fn new(py: Python<'_>, command: &Bound<'_, PyAny>, variant: Option<AnyVariant>, timeout: f64) -> PyResult<Self> {
        let variant = optional(variant)?.unwrap_or(Rules::INTERNATIONAL);
        let command = command_line(command)?;
        let timeout = Duration::try_from_secs_f64(timeout).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let timeouts = Timeouts::new(timeout, timeout);
        let started = interruptible(py, || {}, move || Program::start(&command, variant, timeouts))?;
        let program = started.map_err(|error| EngineError::new_err(error.to_string()))?;
        let name = program.name().to_owned();
        Ok(Self { variant, name, program: Arc::new(Exclusive::new(Some(program))), worker: Worker::this() })
    }

    /// The name and version reported by the engine, or else its command line.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The variant.
    #[getter]
    const fn variant(&self) -> Variant {
        Variant(self.variant)
    }

    /// Starts a new game.
    fn new_game(&self) -> PyResult<()> {
        self.worker.check()?;
        if let Some(program) = self.program.lock().as_ref() {
            program.new_game();
        }
        Ok(())
    }

    /// Analyses a position that has a legal move.
    #[pyo3(signature = (board, limit))]
    fn analyse(&self, py: Python<'_>, board: &Board, limit: Limit) -> PyResult<Analysis> {
        let (position, history) = (board.position, board.earlier());
        if position.variant() != self.variant {
            return Err(wrong_variant(self.variant, position.variant()));
        }
        if position.is_game_over() {
            return Err(PyValueError::new_err("the game is over"));
        }
        self.worker.check()?;
        let program = Arc::clone(&self.program);
        let found = interruptible(
            py,
            || {},
            move || program.lock().as_ref().map(|program| program.analyse(&position, &history, limit.of_engine())),
        )?;
        let found = found.ok_or_else(|| EngineError::new_err("the engine was closed"))?;
        found.map(|found| Analysis::new(&found, &position)).map_err(|error| EngineError::new_err(error.to_string()))
    }

    /// Ends the program.
    fn close(&self, py: Python<'_>) {
        // A forked process leaves the program to its parent.
        if self.worker.check().is_ok() {
            let program = Arc::clone(&self.program);
            py.detach(move || drop(program.lock().take()));
        }
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        format!("<HubEngine {}>", self.name)
    }
}
