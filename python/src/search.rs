//! Searches of engines, which run on threads of their own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread;

use crossbeam_channel::{Receiver, unbounded};
use pdn::engine::{Analysis as Found, Limit as EngineLimit};
use pdn::rules::{Move as Played, Position, Variant as Rules};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::analysis::{Analysis, Limit};
use crate::board::{Board, Moves, wrong_variant};
use crate::errors::{ArgumentError, EngineError};
use crate::interrupt::{Worker, receive};
use crate::moves::Move;

/// What an engine is asked.
pub(crate) struct Asked {
    pub(crate) position: Position,
    pub(crate) history: Vec<Position>,
    pub(crate) limit: EngineLimit,
    /// The moves to choose from; none for all legal moves.
    pub(crate) moves: Vec<Played>,
    pub(crate) lines: usize,
}

impl Asked {
    /// Returns the question about a board of a variant.
    pub(crate) fn of(
        variant: Rules,
        board: &Board,
        limit: Option<Limit>,
        lines: usize,
        moves: Option<Moves>,
    ) -> PyResult<Self> {
        let position = board.position;
        if position.variant() != variant {
            return Err(wrong_variant(variant, position.variant()));
        }
        let legal = |made| {
            let made = board.given(made)?;
            if board.is_legal(made) { Ok(made.played) } else { Err(board.illegal(&made)) }
        };
        let moves = moves.map(|Moves(moves)| moves.into_iter().map(legal).collect::<PyResult<Vec<_>>>()).transpose()?;
        if moves.as_ref().is_some_and(Vec::is_empty) {
            return Err(ArgumentError::new_err("`root_moves` has no moves"));
        }
        Ok(Self {
            position,
            history: board.earlier(),
            limit: limit.map(|limit| limit.of_side(position.turn())).unwrap_or_default(),
            moves: moves.unwrap_or_default(),
            lines,
        })
    }

    /// Returns true if only a stop ends the search.
    fn is_endless(&self) -> bool {
        self.limit == EngineLimit::none()
    }

    /// Returns the question if there is a move to play.
    pub(crate) fn with_move(self) -> PyResult<Self> {
        if self.position.winner().is_some() { Err(ArgumentError::new_err("the game is over")) } else { Ok(self) }
    }
}

/// The flags that stop the searches of an engine, each set at the end of its search at the latest.
#[derive(Default)]
pub(crate) struct Stops(Mutex<Vec<(Weak<AtomicBool>, bool)>>);

impl Stops {
    /// Adds a search, with true if only a stop ends it.
    fn add(&self, is_endless: bool) -> PyResult<Arc<AtomicBool>> {
        self.check()?;
        let flag = Arc::new(AtomicBool::new(false));
        let mut flags = self.lock();
        flags.retain(|(flag, _)| flag.strong_count() > 0);
        flags.push((Arc::downgrade(&flag), is_endless));
        Ok(flag)
    }

    /// Raises an exception if a search would have to end before the next one, and only a stop ends it.
    pub(crate) fn check(&self) -> PyResult<()> {
        let runs = |flag: Arc<AtomicBool>| !flag.load(Ordering::Relaxed);
        if self.lock().iter().any(|(flag, is_endless)| *is_endless && flag.upgrade().is_some_and(runs)) {
            return Err(EngineError::new_err("the engine is analysing without a limit; stop that analysis first"));
        }
        Ok(())
    }

    /// Stops all searches that have begun, or that wait for others.
    pub(crate) fn stop(&self) {
        let flags = self.lock();
        flags.iter().filter_map(|(flag, _)| flag.upgrade()).for_each(|flag| flag.store(true, Ordering::Relaxed));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Weak<AtomicBool>, bool)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer of an engine: the line that it expects, and its analysis, if it has one.
pub(crate) struct Answer {
    pub(crate) line: Vec<Played>,
    pub(crate) analysis: Option<Found>,
}

/// A search in the background, which ends when this is dropped.
pub(crate) struct Background {
    /// What the engine reports on the way, until it ends.
    reports: Receiver<Found>,
    ended: Arc<OnceLock<Result<Answer, String>>>,
    stop: Arc<AtomicBool>,
    position: Position,
    worker: Worker,
}

impl Background {
    /// Begins a search.
    pub(crate) fn start(
        asked: Asked,
        stops: &Stops,
        work: impl FnOnce(Asked, &Arc<AtomicBool>, &mut dyn FnMut(&Found)) -> Result<Answer, String> + Send + 'static,
    ) -> PyResult<Self> {
        let (sender, reports) = unbounded();
        let position = asked.position;
        let (stop, ended) = (stops.add(asked.is_endless())?, Arc::new(OnceLock::new()));
        let (stopped, end) = (Arc::clone(&stop), Arc::clone(&ended));
        thread::Builder::new().spawn(move || {
            // Nobody may be interested any more.
            let answer = work(asked, &stopped, &mut |found| drop(sender.send(found.clone())));
            let _ = end.set(answer);
            stopped.store(true, Ordering::Relaxed);
        })?;
        Ok(Self { reports, ended, stop, position, worker: Worker::this() })
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits for the next report; there is none after the end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Analysis>> {
        self.worker.check()?;
        let found = receive(py, &self.reports).inspect_err(|_| self.stop())?;
        Ok(found.map(|found| Analysis::new(&found, &self.position)))
    }

    /// Waits for the end, and passes on the reports.
    fn answer(&self, py: Python<'_>, info: Option<&Bound<'_, PyAny>>) -> PyResult<&Answer> {
        while let Some(found) = self.next(py)? {
            info.map(|info| info.call1((found,)).inspect_err(|_| self.stop())).transpose()?;
        }
        let failed = |reason: &str| EngineError::new_err(reason.to_owned());
        let answer = self.ended.get().ok_or_else(|| failed("the search failed"))?;
        answer.as_ref().map_err(|reason| failed(reason))
    }

    /// Waits for the analysis.
    pub(crate) fn analysis(&self, py: Python<'_>, info: Option<&Bound<'_, PyAny>>) -> PyResult<Analysis> {
        let found = self.answer(py, info)?.analysis.as_ref();
        Ok(found.map_or_else(Analysis::unknown, |found| Analysis::new(found, &self.position)))
    }

    /// Waits for the move.
    pub(crate) fn play(&self, py: Python<'_>, info: Option<&Bound<'_, PyAny>>) -> PyResult<PlayResult> {
        let mut line = Move::line(&self.position, &self.answer(py, info)?.line).into_iter();
        let played = line.next().ok_or_else(|| EngineError::new_err("no move was found"))?;
        Ok(PlayResult { played, ponder: line.next(), info: self.analysis(py, None)? })
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A move of an engine.
#[pyclass(frozen, module = "pdn.engine")]
pub(crate) struct PlayResult {
    played: Move,
    /// The expected reply, or ``None``.
    #[pyo3(get)]
    ponder: Option<Move>,
    /// The analysis from which the move follows; without lines if the engine gave no score.
    #[pyo3(get)]
    info: Analysis,
}

#[pymethods]
impl PlayResult {
    /// The move.
    #[getter]
    const fn r#move(&self) -> Move {
        self.played
    }

    fn __repr__(&self) -> String {
        format!("<PlayResult {}>", self.played.__str__())
    }
}

/// An analysis in the background; see :meth:`Engine.analysis`.
///
/// Its iterator waits for each iteration of the engine. A ``with`` statement stops it at its end.
#[pyclass(frozen, module = "pdn.engine")]
pub(crate) struct RunningAnalysis(pub(crate) Background);

#[pymethods]
impl RunningAnalysis {
    /// Stops the search, without waiting for its end.
    fn stop(&self) {
        self.0.stop();
    }

    /// Waits for the end, and returns the result.
    fn wait(&self, py: Python<'_>) -> PyResult<Analysis> {
        self.0.analysis(py, None)
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Analysis>> {
        let found = self.0.next(py)?;
        if found.is_none() {
            // Raises the exception of a search that failed.
            self.0.answer(py, None)?;
        }
        Ok(found)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.stop();
    }
}
