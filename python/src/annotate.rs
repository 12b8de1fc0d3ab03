//! Annotating games on several threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use pdn::annotate::{AnalystPool, AnnotateOptions, JudgementScale};
use pdn::egdb::Databases;
use pdn::export::{FormerEvaluations, remove_former, remove_former_lines};
use pdn::link::Timeouts;
use pdn::records::Annotation;
use pdn::replay::ReplayedGame;
use pdn::rules::Variant;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::analysis::Limit;
use crate::engine::{command_line, engine_options};
use crate::errors::exception;
use crate::game::{Game, GameData};
use crate::interrupt::receive;

/// Games for each thread that are annotated, wait to be, or wait for an earlier one.
const PENDING_PER_JOB: usize = 16;

/// How games are annotated.
struct Annotator {
    analysts: AnalystPool,
    options: AnnotateOptions,
    evaluations: FormerEvaluations,
    /// Value of the tag `Annotator`, without the endgame databases.
    name: String,
    databases: Databases,
    stopped: Arc<AtomicBool>,
}

impl Annotator {
    /// Analyses a game: where variations are annotated too, without the best lines of an earlier run.
    fn analyse(&self, game: &ReplayedGame) -> pdn::Result<Vec<Annotation>> {
        if !self.options.has_variations() {
            return self.analysts.annotate(game, &self.options);
        }
        let mut game = game.clone();
        remove_former_lines(&mut game);
        self.analysts.annotate(&game, &self.options)
    }

    fn annotate(&self, game: &GameData) -> pdn::Result<GameData> {
        let mut annotations = self.analyse(game.review.game())?;
        let mut annotated = game.clone();
        remove_former(annotated.review.game_mut(), &mut annotations, self.evaluations);
        annotated.annotations = annotations;
        annotated.annotator = self.name_for(game.review.game().variant());
        Ok(annotated)
    }

    fn name_for(&self, variant: Option<Variant>) -> String {
        let databases = self.databases.label(variant.as_slice());
        if databases.is_empty() { self.name.clone() } else { format!("{} egdb {databases}", self.name) }
    }
}

/// A game to annotate, with its index.
type Job = (u64, Game);
type Done = (u64, pdn::Result<GameData>);

/// An iterator over annotated games, in the order of the games; see :func:`pdn.annotate`.
#[pyclass(module = "pdn")]
pub(crate) struct AnnotatedGames {
    games: Py<PyAny>,
    jobs: Option<Sender<Job>>,
    done: Receiver<Done>,
    /// Games that are done before an earlier one.
    early: BTreeMap<u64, pdn::Result<GameData>>,
    begun: u64,
    returned: u64,
    max_pending: u64,
    stopped: Arc<AtomicBool>,
}

impl Drop for AnnotatedGames {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl AnnotatedGames {
    fn start(games: Py<PyAny>, annotator: Annotator, threads: usize) -> PyResult<Self> {
        let (jobs, waiting) = unbounded::<Job>();
        let (sender, done) = unbounded();
        let stopped = Arc::clone(&annotator.stopped);
        let annotator = Arc::new(annotator);
        for _ in 0..threads {
            let (annotator, waiting, sender) =
                (Arc::clone(&annotator), Receiver::clone(&waiting), Sender::clone(&sender));
            thread::Builder::new().spawn(move || work(&annotator, &waiting, &sender))?;
        }
        let max_pending = (threads * PENDING_PER_JOB) as u64;
        let early = BTreeMap::new();
        Ok(Self { games, jobs: Some(jobs), done, early, begun: 0, returned: 0, max_pending, stopped })
    }

    /// Passes games to the threads while there is room.
    fn fill(&mut self, py: Python<'_>) -> PyResult<()> {
        while let Some(jobs) = self.jobs.as_ref().filter(|_| self.begun - self.returned < self.max_pending) {
            let next = self.games.bind(py).try_iter()?.next().transpose()?;
            let Some(game) = next else {
                self.jobs = None;
                return Ok(());
            };
            let game: Game = game.extract()?;
            // The threads end only after the last game.
            drop(jobs.send((self.begun, game)));
            self.begun += 1;
        }
        Ok(())
    }
}

fn work(annotator: &Annotator, waiting: &Receiver<Job>, sender: &Sender<Done>) {
    for (index, game) in waiting {
        if annotator.stopped.load(Ordering::Relaxed) || sender.send((index, annotator.annotate(&game.0))).is_err() {
            return;
        }
    }
}

#[pymethods]
impl AnnotatedGames {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Game>> {
        self.fill(py)?;
        if self.returned == self.begun {
            return Ok(None);
        }
        let done = loop {
            if let Some(done) = self.early.remove(&self.returned) {
                break done;
            }
            match receive(py, &self.done)? {
                Some((index, done)) => drop(self.early.insert(index, done)),
                None => return Err(crate::errors::EngineError::new_err("internal error: a game was not annotated")),
            }
        };
        self.returned += 1;
        done.map(|game| Some(Game(Arc::new(game)))).map_err(exception)
    }
}

/// Adds engine evaluations and judgements to games, in their order, on ``jobs`` threads (default: one for each processor).
///
/// ``games`` is an iterable of :class:`Game`, such as :func:`read_games` returns. The options are those of
/// ``pdn annotate``, and so are the results: with limits on depth or nodes they are the same on every machine. With ``multipv``
/// each move has the best lines from the position before it, which are searched with as many times the limit; with
/// ``variations`` the moves of variations are annotated too.
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
    confirm=AnnotateOptions::CONFIRMATION, multipv=NonZeroUsize::MIN, variations=false, keep_evals=false
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn annotate(
    games: &Bound<'_, PyAny>,
    limit: Limit,
    jobs: Option<NonZeroUsize>,
    engine: Option<&Bound<'_, PyAny>>,
    timeout: f64,
    hash_mb: usize,
    weights: Option<&str>,
    egdb: Option<PathBuf>,
    confirm: u32,
    multipv: NonZeroUsize,
    variations: bool,
    keep_evals: bool,
) -> PyResult<AnnotatedGames> {
    let limit = limit.of_engine();
    let scale = JudgementScale::default();
    let stopped = Arc::new(AtomicBool::new(false));
    let (analysts, by, databases) = match engine {
        Some(command) => {
            let command = command_line(command)?;
            let by = format!("engine {command} {limit}");
            let timeout = std::time::Duration::try_from_secs_f64(timeout)
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
            (AnalystPool::hub(command, Timeouts::new(timeout, timeout)), by, Databases::embedded())
        }
        None => {
            let options = engine_options(hash_mb, 1, weights, egdb)?;
            let databases = options.databases();
            let knowledge = weights.map(|_| format!(" {}", options.knowledge())).unwrap_or_default();
            let by = format!("{limit} hash {hash_mb}{knowledge}");
            (AnalystPool::built_in(options).with_stop_flag(Arc::clone(&stopped)), by, databases)
        }
    };
    let lines = if multipv.get() > 1 { format!(" multipv {multipv}") } else { String::new() };
    let lines = lines + if variations { " variations" } else { "" };
    let name = format!("pdn {} {by} confirm {confirm} scale {scale}{lines}", env!("CARGO_PKG_VERSION"));
    let options = AnnotateOptions::new(limit).with_confirmation(confirm).with_scale(scale);
    let annotator = Annotator {
        analysts,
        options: options.with_lines(multipv.get()).with_variations(variations),
        evaluations: if keep_evals { FormerEvaluations::Keep } else { FormerEvaluations::Replace },
        name,
        databases,
        stopped,
    };
    let threads = jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    AnnotatedGames::start(games.try_iter()?.into_any().unbind(), annotator, threads)
}
