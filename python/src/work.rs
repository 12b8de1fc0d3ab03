//! Work on whole collections: check, convert, format.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::Outside;
use pdn::calls::CallOptions;
use pdn::canon::FormatOptions;
use pdn::check::{CheckedGame, Checking, ChunkOrigin, DiagnosticOptions, GameWork, Needs, Summary as Counted};
use pdn::diag::Selection;
use pdn::export::{
    Conversion, ConvertOptions, Excel, Formatted, FormattedOutput, Formatting, TextOutput, cannot_replace,
};
use pdn::records::{DiagnosticRow, diagnostic_rows, outside_row};
use pdn::source::{Event, Input, Pipeline, compressed_extension};
use pdn::text::Format;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::diagnostic::{CheckReport, Diagnostic, Summary};
use crate::errors::{ArgumentError, FileError, exception};
use crate::inputs::{Inputs, inputs};
use crate::numbers::Jobs;
use crate::reader::{check_options, threads};
use crate::variant::AnyVariant;

/// Runs work on inputs without the GIL; `take` receives what was collected from each chunk. Ctrl-C or an unreadable input stops
/// the work.
fn run<G: GameWork + Send>(
    py: Python<'_>,
    (inputs, work, pipeline): (Inputs, Checking<G>, Pipeline),
    mut take: impl FnMut(G::Done) -> PyResult<()> + Send,
) -> PyResult<u64> {
    let (mut failed, mut files) = (None, 0);
    let ended = py.detach(|| {
        pipeline.run(inputs, &work, |event| {
            let done = match event {
                Event::Begin(_) => {
                    files += 1;
                    return Ok(());
                }
                Event::Error(error) => return Err(error),
                Event::Done(done) => done,
            };
            let taken = Python::attach(signals).and_then(|()| take(done));
            taken.map_err(|error| {
                failed = Some(error);
                pdn::Error::unavailable("interrupted")
            })
        })
    });
    match (failed, ended) {
        (Some(error), _) => Err(error),
        (None, ended) => ended.map(|()| files).map_err(exception),
    }
}

/// Raises the exception of a pending signal.
pub(crate) fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

/// Returns keyword arguments with names in camel case, as JSON has them, without those that are ``None``.
pub(crate) fn camel_case<'py>(py: Python<'py>, given: Option<&Bound<'_, PyDict>>) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    for (name, value) in given.into_iter().flatten().filter(|(_, value)| !value.is_none()) {
        let name: String = name.extract()?;
        let camel = name.chars().fold((String::new(), false), |(mut camel, is_first), letter| {
            camel.extend((letter != '_').then(|| if is_first { letter.to_ascii_uppercase() } else { letter }));
            (camel, letter == '_')
        });
        named.set_item(camel.0, value)?;
    }
    Ok(named)
}

/// Returns a dictionary as JSON, with paths as texts.
pub(crate) fn json_of(given: &Bound<'_, PyDict>) -> PyResult<String> {
    let (py, settings) = (given.py(), PyDict::new(given.py()));
    settings.set_item("default", py.import("os")?.getattr("fspath")?)?;
    settings.set_item("allow_nan", false)?;
    let text = py.import("json")?.call_method("dumps", (given,), Some(&settings)).map_err(|error| {
        // A number that is not finite, or a list that contains itself.
        let has_no_form = error.is_instance_of::<PyValueError>(py);
        let refused = || ArgumentError::new_err(format!("an option has no form in JSON: {}", error.value(py)));
        if has_no_form { refused() } else { error }
    })?;
    text.extract()
}

/// Reads keyword arguments as the options of a command, which has them in camel case.
///
/// # Errors
///
/// If a value has no form in JSON.
pub(crate) fn call_options(given: Option<&Bound<'_, PyDict>>) -> PyResult<CallOptions> {
    let Some(given) = given else { return Ok(CallOptions::default()) };
    let text = json_of(&camel_case(given.py(), Some(given))?)?;
    CallOptions::parse(text.as_bytes()).map_err(exception)
}

/// Returns bytes as text. Bytes that are not UTF-8 become lone surrogates, from which the error handler `surrogateescape` makes the
/// same bytes again.
pub(crate) fn text_of<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyString>> {
    PyString::from_encoded_object(&PyBytes::new(py, text), Some(c"utf-8"), Some(c"surrogateescape"))
}

/// Returns the exception for invalid options: an unknown one is an unexpected argument.
#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
pub(crate) fn refused(error: pdn::Error) -> PyErr {
    let text = error.to_string();
    if text.starts_with("unknown option") {
        return PyTypeError::new_err(in_snake_case(&text));
    }
    let (name, reason) = text.split_once(':').unwrap_or((&text, ""));
    ArgumentError::new_err(if reason.is_empty() { text } else { format!("{}:{reason}", in_snake_case(name)) })
}

/// Returns a message with the names of options as Python has them.
fn in_snake_case(text: &str) -> String {
    let mut before = ' ';
    let mut letters = String::new();
    for letter in text.chars() {
        if before.is_ascii_lowercase() && letter.is_ascii_uppercase() {
            letters.push('_');
        }
        letters.push(if before.is_ascii_lowercase() { letter.to_ascii_lowercase() } else { letter });
        before = letter;
    }
    letters
}

/// Collects diagnostics.
struct Diagnosing {
    options: DiagnosticOptions,
    selection: Selection,
}

impl Diagnosing {
    /// Adds a diagnostic that is severe enough.
    fn add(&self, mut row: DiagnosticRow, done: &mut Checked) {
        row.translate(self.options.lang);
        if self.options.severity.is_none_or(|least| row.severity >= least) {
            done.diagnostics.push(row);
        }
    }
}

#[derive(Default)]
struct Checked {
    diagnostics: Vec<DiagnosticRow>,
    summary: Counted,
}

impl GameWork for Diagnosing {
    type Done = Checked;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, mut game: CheckedGame<'_>, done: &mut Checked) {
        self.options.apply(&self.selection, &mut game);
        for row in diagnostic_rows(&game) {
            self.add(row, done);
        }
        done.summary.count_game(game.review());
    }

    fn outside(&self, outside: &Outside, origin: &ChunkOrigin<'_>, done: &mut Checked) {
        let mut found = outside.diagnostic().clone();
        if self.selection.admit(&mut found) {
            let mut row = outside_row(outside, origin);
            row.severity = found.severity();
            self.add(row, done);
            done.summary.count(&found);
        }
    }
}

/// Checks records: syntax, tags, legality, positions, results, draws.
///
/// >>> import pdn
/// >>> report = pdn.check(b'[GameType "20"] 1. 32-28 19-23 2. 31-22 *')
/// >>> report.ok, str(report.diagnostics[0])[:34]
/// (False, '<bytes>:1:35: error[move/illegal]:')
/// >>> report.summary
/// <Summary games=1 plies=2 errors=1 warnings=0 notes=0>
///
/// ``options`` are those of ``pdn check`` that choose diagnostics: ``strict``, ``select``, ``ignore``, ``deny``, ``severity`` and
/// ``require_tags``; and ``lang``, the language of the messages.
///
/// >>> pdn.check(b"1. 32-28 *", ignore=["tag"], severity="error").diagnostics
/// []
#[pyfunction]
#[pyo3(signature = (source, *, variant=None, encoding=None, jobs=None, **options))]
pub(crate) fn check(
    source: &Bound<'_, PyAny>,
    variant: Option<AnyVariant>,
    encoding: Option<&str>,
    jobs: Option<Jobs>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<CheckReport> {
    let options: DiagnosticOptions = call_options(options)?.rest().map_err(refused)?;
    let (checks, chunks) = check_options(variant, options.strict, encoding)?;
    let work = Checking::new(Diagnosing { selection: options.selection(), options }, checks);
    let (mut diagnostics, mut summary) = (Vec::new(), Counted::default());
    let files = run(
        source.py(),
        (inputs(source, encoding.is_some())?, work, Pipeline::new(threads(jobs), chunks)),
        |done: Checked| {
            diagnostics.extend(done.diagnostics.into_iter().map(Diagnostic));
            summary += &done.summary;
            Ok(())
        },
    )?;
    (0..files).for_each(|_| summary.count_file());
    Ok(CheckReport { diagnostics, summary: Summary(summary) })
}

/// The destination of text: memory or a file.
enum Sink {
    Memory(Vec<u8>),
    /// A file that gets its final name when it is complete. A device or pipe is written to directly.
    File {
        out: BufWriter<File>,
        growing: Option<Growing>,
        path: PathBuf,
    },
}

/// The path of a file that is not complete. It is removed unless it gets another name.
struct Growing(PathBuf);

impl Growing {
    /// Creates a file beside the one that it becomes. No existing file is touched.
    fn create(path: &Path) -> io::Result<(File, Self)> {
        let mut number = 0;
        loop {
            let extension = if number == 0 { "part".to_owned() } else { format!("part{number}") };
            let growing = path.with_added_extension(extension);
            match File::create_new(&growing) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                file => return Ok((file?, Self(growing))),
            }
        }
    }

    fn persist(self, path: &Path) -> io::Result<()> {
        fs::rename(&self.0, path)
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl Sink {
    fn new(path: Option<PathBuf>) -> PyResult<Self> {
        let Some(path) = path else { return Ok(Self::Memory(Vec::new())) };
        let is_special = path.metadata().is_ok_and(|found| !found.is_file());
        let file = if is_special {
            File::create(&path).map(|file| (file, None))
        } else {
            Growing::create(&path).map(|(file, growing)| (file, Some(growing)))
        };
        let (file, growing) = file.map_err(|error| unwritten(&path, &error))?;
        Ok(Self::File { out: BufWriter::new(file), growing, path })
    }

    fn write(&mut self, text: &[u8]) -> PyResult<()> {
        match self {
            Self::Memory(memory) => {
                memory.extend_from_slice(text);
                Ok(())
            }
            Self::File { out, path, .. } => out.write_all(text).map_err(|error| unwritten(path, &error)),
        }
    }

    /// Returns the text if it is in memory.
    fn finish(self, py: Python<'_>) -> PyResult<Option<Bound<'_, PyString>>> {
        match self {
            Self::Memory(memory) => text_of(py, &memory).map(Some),
            Self::File { out, growing, path } => {
                let written = out.into_inner().map_err(io::IntoInnerError::into_error).map(drop);
                let named = written.and_then(|()| growing.map_or(Ok(()), |growing| growing.persist(&path)));
                named.map(|()| None).map_err(|error| unwritten(&path, &error))
            }
        }
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> PyErr {
    FileError::new_err(format!("{}: {error}", path.display()))
}

/// Refuses the name of a compressed file, which output never is.
fn require_plain_name(out: Option<&Path>) -> PyResult<()> {
    let Some((path, extension)) = out.and_then(|path| Some((path, compressed_extension(path)?))) else { return Ok(()) };
    let text = format!("{}: the output cannot be .{extension}: it is not compressed", path.display());
    Err(ArgumentError::new_err(text))
}

/// Refuses a file that is one of the inputs, unless it is replaced by its records in its own format.
fn spare(file: Option<&Path>, inputs: &Inputs, format: impl FnOnce(&Path) -> Option<Format>) -> PyResult<()> {
    let Some((file, real)) = file.and_then(|file| Some((file, file.canonicalize().ok()?))) else { return Ok(()) };
    let is_replaced = |input: &&Input| input.path().and_then(|path| path.canonicalize().ok()) == Some(real.clone());
    let Some(input) = inputs.iter().flatten().find(is_replaced) else { return Ok(()) };
    let Some(format) = format(file) else {
        return Err(ArgumentError::new_err(format!("{}: the output would replace an input", file.display())));
    };
    cannot_replace(input, format).map_or(Ok(()), |error| Err(exception(error)))
}

/// Converts records to ``"csv"``, ``"xlsx"``, ``"json"``, ``"jsonl"``, ``"pdn"``, ``"fen"`` or ``"lidraughts"``, as ``pdn convert`` does.
///
/// Returns the text, or writes it to the file ``out`` if one is given. ``out`` replaces an input only if it holds its records in the format of
/// that file: PDN, or JSON as this package wrote it; otherwise :exc:`ArgumentError` is raised. A spreadsheet, ``"xlsx"``, needs ``out``. ``options``
/// are for tables: ``table``, for CSV and XLSX, is ``"games"``, ``"moves"``, ``"positions"``, ``"players"`` or ``"diagnostics"``, and
/// ``escape_formulas`` and ``excel`` are for CSV.
///
/// >>> import pdn
/// >>> pdn.convert(b"1. 32-28 19-23 *", to="fen")[:12]
/// 'W:W28,31,33,'
#[pyfunction]
#[pyo3(signature = (source, *, to, out=None, variant=None, encoding=None, jobs=None, **options))]
pub(crate) fn convert<'py>(
    source: &Bound<'py, PyAny>,
    to: String,
    out: Option<PathBuf>,
    variant: Option<AnyVariant>,
    encoding: Option<&str>,
    jobs: Option<Jobs>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    if to == "xlsx" && out.is_none() {
        return Err(ArgumentError::new_err("a spreadsheet is not text: give a file as `out`"));
    }
    let options: ConvertOptions = call_options(options)?.rest().map_err(refused)?;
    let options = ConvertOptions { to: Some(to), excel: options.excel.map(Excel::of_this_system), ..options };
    let writer = options.known_writer().map_err(refused)?;
    let (checks, chunks) = check_options(variant, false, encoding)?;
    let inputs = inputs(source, encoding.is_some())?;
    spare(out.as_deref(), &inputs, |out| options.record_format(out))?;
    require_plain_name(out.as_deref())?;
    let (work, pipeline) =
        (Checking::new(Conversion::new(Arc::clone(&writer)), checks), Pipeline::new(threads(jobs), chunks));
    let mut sink = Sink::new(out)?;
    let mut output = TextOutput::new(writer);
    sink.write(&output.header())?;
    run(source.py(), (inputs, work, pipeline), |done| output.add(done, |text| sink.write(text)))?;
    sink.write(&output.finish())?;
    sink.finish(source.py())
}

/// Writes records in canonical form, as ``pdn fmt`` does. With ``fix``, anything with exactly one reading is repaired.
///
/// Returns the text, or writes it to the file ``out`` if one is given; an input is replaced only if it is PDN and not compressed. ``options`` are those of ``pdn fmt`` for the form of the text:
/// ``width``, ``notation``, ``result_style``, ``game_type``, ``comments``, ``variations``, ``strip``, ``results`` and ``strict``. Bytes that
/// cannot be read are kept: encode the text with ``errors="surrogateescape"``.
///
/// >>> import pdn
/// >>> pdn.fmt(b'[GameType "20"] 1.32-28 19-23 2.28x19 14x23 *').splitlines()[-1]
/// '1. 32-28 19-23 2. 28x19 14x23 *'
#[pyfunction]
#[pyo3(signature = (source, *, fix=false, out=None, variant=None, encoding=None, jobs=None, **options))]
pub(crate) fn fmt<'py>(
    source: &Bound<'py, PyAny>,
    fix: bool,
    out: Option<PathBuf>,
    variant: Option<AnyVariant>,
    encoding: Option<&str>,
    jobs: Option<Jobs>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    let (checks, chunks) = check_options(variant, false, encoding)?;
    let format: FormatOptions = call_options(options)?.rest().map_err(refused)?;
    let games = Formatting::new(format).fixing(fix);
    let inputs = inputs(source, encoding.is_some())?;
    spare(out.as_deref(), &inputs, |_| Some(Format::Pdn))?;
    require_plain_name(out.as_deref())?;
    let (mut sink, mut output) = (Sink::new(out)?, FormattedOutput::default());
    run(
        source.py(),
        (inputs, Checking::new(games, checks), Pipeline::new(threads(jobs), chunks)),
        |done: Formatted| {
            sink.write(output.gap(&done))?;
            sink.write(done.text())
        },
    )?;
    sink.finish(source.py())
}
