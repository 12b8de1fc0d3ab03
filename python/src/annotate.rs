//! Annotating games on several threads.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use pdn::annotate::{AnnotateOptions, BatchRun, EnginePool, GameAnnotator};
use pdn::link::Timeouts;
use pdn::records::{AnnotatedGame, NotAnnotated};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::analysis::Limit;
use crate::data::{Annotated, GameData};
use crate::engine::{command_line, engine_options};
use crate::errors::{EngineError, exception};
use crate::game::Game;
use crate::interrupt::{Exclusive, INTERVAL, Worker};
use crate::numbers::{self, Jobs, Seconds};
use crate::reader::threads;
use crate::values::duration;
use crate::work::{call_options, refused};

/// An iterator over annotated games, in their original order; see :func:`pdn.annotate`.
#[pyclass(frozen, module = "pdn")]
pub(crate) struct AnnotatedGames(Exclusive<Annotating>);

struct Annotating {
    games: Option<Py<PyAny>>,
    annotator: Arc<GameAnnotator>,
    run: BatchRun<Game, pdn::Result<GameData>>,
    worker: Worker,
}

impl Drop for Annotating {
    fn drop(&mut self) {
        self.annotator.stop();
    }
}

impl Annotating {
    /// Passes games to the threads while there is room.
    fn fill(&mut self, py: Python<'_>) -> PyResult<()> {
        while let Some(games) = self.games.as_ref().filter(|_| self.run.has_room()) {
            match games.bind(py).try_iter()?.next().transpose()? {
                Some(game) => self.run.add(game.extract()?),
                None => self.games = None,
            }
        }
        Ok(())
    }
}

fn annotated(annotator: &GameAnnotator, game: &GameData) -> pdn::Result<GameData> {
    let made = annotator.annotate(game.review().clone());
    if let Some(NotAnnotated::Failed(error)) = made.failure {
        return Err(error);
    }
    let AnnotatedGame { review, annotations, annotator, plain, .. } = made;
    let annotated = Arc::new(Annotated { review, annotations, annotator, plain });
    Ok(GameData { annotated: Some(annotated), main: OnceLock::new(), ..game.clone() })
}

#[pymethods]
impl AnnotatedGames {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let mut annotating = self.0.wait(py)?;
        annotating.worker.check()?;
        annotating.fill(py)?;
        while annotating.run.pending() > 0 {
            let run = &mut annotating.run;
            if let Some(done) = py.detach(|| run.wait_for(INTERVAL)) {
                return done.map(|game| Some(Game::of(game))).map_err(|error| EngineError::new_err(error.to_string()));
            }
            py.check_signals()?;
        }
        Ok(None)
    }
}

/// Reads keyword arguments as options, besides those that are parameters.
fn annotate_options(limit: Limit, lines: usize, given: Option<&Bound<'_, PyDict>>) -> PyResult<AnnotateOptions> {
    for name in ["depth", "nodes", "time", "lines"] {
        if given.is_some_and(|given| given.contains(name).unwrap_or_default()) {
            return Err(PyTypeError::new_err(format!(
                "unexpected keyword argument '{name}': use `limit` and `multipv`"
            )));
        }
    }
    let (limit, options) = (limit.of_games()?, call_options(given)?.rest::<AnnotateOptions>().map_err(refused)?);
    options.check().map_err(exception)?;
    Ok(AnnotateOptions { depth: limit.depth, nodes: limit.nodes, time: limit.time, lines: lines as u32, ..options })
}

/// Adds engine evaluations and judgements to games, in order, on ``jobs`` threads (default: one per processor).
///
/// ``games`` is an iterable of :class:`Game`, such as :func:`read_games` returns. Options and results are those of
/// ``pdn annotate``: with limits on depth or nodes, the results are the same on every machine. With ``multipv=N``, each move has
/// the N best lines from the position before it; their search gets N times the limit. The other ``options`` are those of
/// ``pdn annotate`` that choose moves and what is added to them, such as ``variations``, ``keep_evals``, ``player`` and ``words``.
/// With ``plain``, :meth:`Game.to_pdn` writes no commands; with ``clean``, what earlier runs added is removed and nothing searched.
///
/// >>> import pdn
/// >>> games = pdn.read_games("samples/games/italian.pdn")
/// >>> game = next(pdn.annotate(games, pdn.engine.Limit(nodes=200)))
/// >>> len([node for node in game.main_line if node.evaluation is not None]) == game.plies
/// True
/// >>> games = pdn.read_games(b"1. 32-28 (1. 31-27) 19-23 *")
/// >>> game = next(pdn.annotate(games, pdn.engine.Limit(nodes=200), multipv=3, variations=True))
/// >>> len(game.main_line[0].annotation.lines), game.main_line[0].variations[0][0].evaluation is not None
/// (3, True)
#[pyfunction]
#[pyo3(signature = (
    games, limit, *, jobs=None, engine=None, timeout=10.0, hash_mb=16, weights=None, egdb=None,
    multipv=1, **options
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn annotate(
    games: &Bound<'_, PyAny>,
    limit: Limit,
    jobs: Option<Jobs>,
    engine: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = Seconds::of)] timeout: f64,
    #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
    weights: Option<&str>,
    egdb: Option<PathBuf>,
    #[pyo3(from_py_with = numbers::lines)] multipv: usize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<AnnotatedGames> {
    let engines = match engine {
        Some(command) => {
            let timeout = duration(Seconds(timeout))?;
            EnginePool::hub(command_line(command)?, Timeouts::new(timeout, timeout))
        }
        None => EnginePool::built_in(engine_options(hash_mb, 1, weights, egdb)?),
    };
    let annotator = Arc::new(GameAnnotator::new(engines, annotate_options(limit, multipv, options)?));
    let working = Arc::clone(&annotator);
    let work = move |game: Game| annotated(&working, &game.data());
    let run = BatchRun::in_background(threads(jobs), work).map_err(exception)?;
    let games = Some(games.try_iter()?.into_any().unbind());
    Ok(AnnotatedGames(Exclusive::new(Annotating { games, annotator, run, worker: Worker::this() })))
}
