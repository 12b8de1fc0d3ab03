//! What is computed over all games: tables and texts, by the calls that the application has too.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use pdn::calls::{CallOptions, Outlet, begin};
use pdn::rules::Variant as Rules;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::exception;
use crate::inputs::{Inputs, inputs};
use crate::numbers::{self, Jobs};
use crate::reader::threads;
use crate::variant::{AnyVariant, optional};
use crate::work::{camel_case, json_of, refused, signals, text_of};

/// What a call answers.
#[derive(Default)]
struct Answer {
    output: Vec<u8>,
    /// The result as JSON.
    result: String,
    /// Why the call ended early.
    failure: Option<PyErr>,
}

/// Collects what a call answers.
struct Collector {
    answer: Mutex<Answer>,
    begun: Instant,
}

impl Collector {
    fn with<T>(&self, change: impl FnOnce(&mut Answer) -> T) -> T {
        change(&mut self.answer.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Outlet for Collector {
    fn output(&self, bytes: &[u8]) -> pdn::Result<()> {
        self.with(|answer| answer.output.extend_from_slice(bytes));
        Ok(())
    }

    fn message(&self, json: &str) -> pdn::Result<()> {
        let value = |name: &str| Some(json.strip_prefix(name)?.strip_suffix('}')?.to_owned());
        if let Some(result) = value("{\"result\":") {
            self.with(|answer| answer.result = result);
        }
        let failed = value("{\"failure\":").map(|failure| pdn::Error::unavailable(failure_text(&failure)));
        let interrupted = Python::attach(signals).err();
        let failure = interrupted.or_else(|| failed.map(exception));
        let Some(failure) = failure else { return Ok(()) };
        self.with(|answer| answer.failure = Some(failure));
        Err(pdn::Error::unavailable("interrupted"))
    }

    fn now(&self) -> f64 {
        self.begun.elapsed().as_secs_f64() * 1000.0
    }
}

/// Returns the text of a failure: the file, and why it cannot be read.
fn failure_text(failure: &str) -> String {
    let read = CallOptions::parse(failure.as_bytes()).and_then(|mut failure| {
        let part = |name: &str, failure: &mut CallOptions| failure.take::<String>(name).map(Option::unwrap_or_default);
        Ok((part("file", &mut failure)?, part("message", &mut failure)?))
    });
    match read {
        Ok((file, message)) if file.is_empty() => message,
        Ok((file, message)) => format!("{file}: {message}"),
        Err(error) => error.to_string(),
    }
}

/// How a source is read.
struct Reading {
    variant: Option<AnyVariant>,
    encoding: Option<String>,
    jobs: Option<Jobs>,
}

/// Makes a call about a source.
fn call(
    name: &str,
    source: &Bound<'_, PyAny>,
    reading: Reading,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Answer> {
    let (py, question) = (source.py(), PyDict::new(source.py()));
    let is_encoded = reading.encoding.is_some();
    let rules = PyDict::new(py);
    rules.set_item("variant", optional(reading.variant)?.map(Rules::name))?;
    question.set_item("rules", rules)?;
    question.set_item("encoding", reading.encoding)?;
    question.set_item("options", camel_case(py, options)?)?;
    let question = CallOptions::parse(json_of(&question)?.as_bytes()).map_err(exception)?;
    // An input that does not exist has an exception of its own.
    let inputs = inputs(source, is_encoded)?.into_iter().map(|input| Ok(Ok(input?))).collect::<pdn::Result<Inputs>>();
    let (inputs, jobs) = (inputs.map_err(exception)?, threads(reading.jobs));
    let collector = Arc::new(Collector { answer: Mutex::default(), begun: Instant::now() });
    let outlet: Arc<dyn Outlet> = Arc::<Collector>::clone(&collector);
    let ended = py.detach(move || begin(name, question, inputs, outlet, None)?.run(jobs));
    let mut answer = collector.with(std::mem::take);
    match (answer.failure.take(), ended) {
        (Some(failure), _) => Err(failure),
        (None, Err(error)) if matches!(error.kind(), pdn::ErrorKind::Usage(_)) => Err(refused(error)),
        (None, Err(error)) => Err(exception(error)),
        (None, Ok(())) => Ok(answer),
    }
}

/// Returns the result of an answer as Python objects.
fn result<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (&answer.result,))
}

/// Returns the output of an answer as text.
fn output<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyAny>> {
    text_of(py, &answer.output).map(Bound::into_any)
}

/// Declares functions that pass their options to the call of their name, with what is made of its answer.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident -> $made:ident;)+) => {$(
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = (source, *, variant=None, encoding=None, jobs=None, **options))]
        pub(crate) fn $name<'py>(
            source: &Bound<'py, PyAny>,
            variant: Option<AnyVariant>,
            encoding: Option<String>,
            jobs: Option<Jobs>,
            options: Option<&Bound<'_, PyDict>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            $made(source.py(), &call(stringify!($name), source, Reading { variant, encoding, jobs }, options)?)
        }
    )+};
}

calls! {
    /// Returns the tree of the moves played from a position, and how they scored, as ``pdn openings --format json`` writes it.
    ///
    /// >>> import pdn
    /// >>> tree = pdn.openings("samples/games/italian.pdn", plies=2)
    /// >>> tree["games"] >= sum(move["games"] for move in tree["moves"]) > 0
    /// True
    openings -> result;

    /// Returns the statistics of a collection, as ``pdn stats --format json`` writes them.
    ///
    /// >>> import pdn
    /// >>> stats = pdn.stats("samples/games/italian.pdn", top=3)
    /// >>> stats["games"], len(stats["players"])
    /// (8, 3)
    stats -> result;

    /// Returns the tournaments of a collection, each as ``pdn event --format json`` writes it: standings, cross table and diagnostics.
    ///
    /// ``aliases`` is the text of a file of aliases.
    ///
    /// >>> import pdn
    /// >>> event, = pdn.event("samples/games/italian.pdn", one=True)
    /// >>> event["players"][0]["rank"], event["players"][0]["points"] > 0
    /// (1, True)
    event -> result;

    /// Returns games on a board as one HTML page, as ``pdn report`` does.
    ///
    /// >>> import pdn
    /// >>> pdn.report("samples/games/italian.pdn", lang="it")[:15].lower()
    /// '<!doctype html>'
    report -> output;

    /// Draws a chart as SVG, like ``pdn chart``.
    chart -> output;
}

/// Returns spellings of names that may be one player, or one event with ``events``, as ``pdn players --format json`` writes them.
///
/// >>> import pdn
/// >>> found, = pdn.players("samples/diagnostics/event-similar-names.pdn")
/// >>> sorted(found)[:3]
/// ['alias', 'event', 'events']
#[pyfunction]
#[pyo3(signature = (source, *, events=false, variant=None, encoding=None, jobs=None))]
pub(crate) fn players<'py>(
    source: &Bound<'py, PyAny>,
    events: bool,
    variant: Option<AnyVariant>,
    encoding: Option<String>,
    jobs: Option<Jobs>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(source.py());
    options.set_item("events", events)?;
    result(source.py(), &call("players", source, Reading { variant, encoding, jobs }, Some(&options))?)
}

/// Makes puzzles from the shots and mistakes in games, as ``pdn puzzles`` does: as records with solutions, or as JSON, an object a
/// line, with ``to="jsonl"``.
///
/// >>> import pdn
/// >>> record = b'[GameType "20"][SetUp "1"][FEN "W:W27,28,32,37,38:B8,12,13,18,23"]\n1. 28x19 *'
/// >>> pdn.puzzles(record, nodes=500)
/// ''
#[pyfunction]
#[pyo3(signature = (source, *, to="pdn", order="difficulty", theme=None, hash_mb=16, variant=None, encoding=None, jobs=None, **options))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn puzzles<'py>(
    source: &Bound<'py, PyAny>,
    to: &str,
    order: &str,
    theme: Option<&str>,
    #[pyo3(from_py_with = numbers::hash_mb)] hash_mb: usize,
    variant: Option<AnyVariant>,
    encoding: Option<String>,
    jobs: Option<Jobs>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let given = options.map_or_else(|| Ok(PyDict::new(source.py())), PyDictMethods::copy)?;
    given.set_item("to", to)?;
    given.set_item("order", order)?;
    given.set_item("theme", theme)?;
    given.set_item("hash", hash_mb)?;
    output(source.py(), &call("puzzles", source, Reading { variant, encoding, jobs }, Some(&given))?)
}
