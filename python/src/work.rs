//! Work on whole collections: check, convert, format.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::canon::{FormatOptions, canonical_tree, repair, write_canonical};
use pdn::check::{Around, CheckOptions, PlainDetail, ReadChunk, Review, Reviewed, Summary as Counted};
use pdn::diag::{Diagnostic as Found, Span};
use pdn::export::{
    CsvOptions, SEPARATOR, Table, csv_header, write_csv_player, write_csv_rows, write_json_game, write_pdn,
};
use pdn::pdn::{Attachment, GameTree, Outside};
use pdn::records::{Aliases, DiagnosticRow, Origin, PlayerTable, game_row};
use pdn::replay::EVIDENCE_BYTES;
use pdn::source::{Chunk, Event, Input, Locator, Work};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::diagnostic::{CheckReport, Diagnostic, Summary};
use crate::errors::exception;
use crate::inputs::{Inputs, inputs};
use crate::reader::{check_options, pipeline};
use crate::variant::AnyVariant;

/// What is done with each game of a chunk.
trait Each: Sync {
    /// What is collected of a chunk.
    type Done: Default + Send + 'static;

    /// True if plain games need no trees: their diagnostics are enough.
    const PLAIN: bool = false;

    /// Takes a game, a plain game, or a diagnostic outside any.
    fn take(&self, reviewed: Reviewed, at: &mut GameOrigin<'_>, done: &mut Self::Done);

    /// Completes what was collected of a chunk.
    fn end(&self, _done: &mut Self::Done) {}
}

/// Where a game is.
struct GameOrigin<'a> {
    file: &'a str,
    chunk: &'a Chunk,
    locator: Locator<'a>,
    /// Number of the game, from 1.
    number: u64,
    /// The text around the game.
    around: Around,
}

impl GameOrigin<'_> {
    fn row(&mut self, game: u64, start: usize, found: &Found) -> DiagnosticRow {
        let span = found.span();
        let location = self.locator.locate(start + span.start as usize, span.len() as usize);
        DiagnosticRow::new(self.file, game, location, found)
    }
}

/// Reads chunks and reviews their games.
struct Reviewing<E> {
    each: E,
    options: CheckOptions,
}

impl<E: Each> Work for Reviewing<E> {
    const HEAD: usize = EVIDENCE_BYTES;
    type File = CheckOptions;
    type Read = ReadChunk;
    type Done = E::Done;

    fn begin(&self, _: &Input, head: Arc<[u8]>) -> CheckOptions {
        self.options.clone().for_file(head)
    }

    fn read(&self, options: &CheckOptions, chunk: &Chunk) -> ReadChunk {
        if E::PLAIN {
            ReadChunk::with_plain_games(chunk, options, PlainDetail::Diagnostics)
        } else {
            ReadChunk::new(chunk, options)
        }
    }

    fn games(&self, read: &ReadChunk) -> u64 {
        read.games() as u64
    }

    fn finish(&self, input: &Input, chunk: &Chunk, mut read: ReadChunk, first: u64) -> E::Done {
        let mut done = E::Done::default();
        let around = Around::default();
        let mut origin = GameOrigin { file: input.label(), chunk, locator: chunk.locator(), number: first, around };
        while let Some(reviewed) = read.review(chunk, origin.number) {
            let is_game = !matches!(reviewed, Reviewed::Outside(_));
            if is_game {
                origin.around.clone_from(read.around());
            }
            self.each.take(reviewed, &mut origin, &mut done);
            origin.number += u64::from(is_game);
        }
        self.each.end(&mut done);
        done
    }
}

/// Runs work on inputs without the GIL; `take` receives what was collected of each chunk. Ctrl-C ends it, and so does an
/// input that cannot be read.
fn run<E: Each + Send>(
    py: Python<'_>,
    (inputs, work, jobs): (Inputs, Reviewing<E>, Option<NonZeroUsize>),
    mut take: impl FnMut(E::Done) -> PyResult<()> + Send,
) -> PyResult<u64> {
    let (mut failed, mut files) = (None, 0);
    let ended = py.detach(|| {
        pipeline(jobs).run(inputs, &work, |event| {
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

/// Raises the exception of a signal that arrived.
fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

/// Collects diagnostics.
struct Checking;

#[derive(Default)]
struct Checked {
    diagnostics: Vec<DiagnosticRow>,
    summary: Counted,
}

impl Each for Checking {
    type Done = Checked;
    const PLAIN: bool = true;

    fn take(&self, reviewed: Reviewed, at: &mut GameOrigin<'_>, done: &mut Checked) {
        let number = at.number;
        let mut rows = |game, start, found: &[Found]| {
            done.diagnostics.extend(found.iter().map(|found| at.row(game, start, found)));
        };
        match reviewed {
            Reviewed::Game(review) => {
                rows(review.number(), review.offset(), review.diagnostics());
                done.summary.count_game(&review);
            }
            Reviewed::Plain(game) => {
                rows(number, game.offset(), game.diagnostics());
                done.summary.count_plain(&game);
            }
            Reviewed::Outside(outside) => {
                rows(0, outside.offset, std::slice::from_ref(&outside.diagnostic));
                done.summary.count(&outside.diagnostic);
            }
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
#[pyfunction]
#[pyo3(signature = (source, *, variant=None, strict=false, encoding=None, jobs=None))]
pub(crate) fn check(
    source: &Bound<'_, PyAny>,
    variant: Option<AnyVariant>,
    strict: bool,
    encoding: Option<&str>,
    jobs: Option<NonZeroUsize>,
) -> PyResult<CheckReport> {
    let options = check_options(variant, strict, encoding)?;
    let work = Reviewing { each: Checking, options };
    let (mut diagnostics, mut summary) = (Vec::new(), Counted::default());
    let files = run(source.py(), (inputs(source)?, work, jobs), |done: Checked| {
        diagnostics.extend(done.diagnostics.into_iter().map(Diagnostic));
        summary += &done.summary;
        Ok(())
    })?;
    (0..files).for_each(|_| summary.count_file());
    Ok(CheckReport { diagnostics, summary: Summary(summary) })
}

/// What games are converted to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Games,
    Moves,
    Players,
    Json,
    JsonLines,
    Pdn,
    Fen,
}

const CSV: CsvOptions = CsvOptions::new();

impl Format {
    fn new(to: &str, table: &str) -> PyResult<Self> {
        Ok(match (to, table) {
            ("csv", "games") => Self::Games,
            ("csv", "moves") => Self::Moves,
            ("csv", "players") => Self::Players,
            ("json", _) => Self::Json,
            ("jsonl", _) => Self::JsonLines,
            ("pdn", _) => Self::Pdn,
            ("fen", _) => Self::Fen,
            ("csv", _) => return Err(PyValueError::new_err(format!("unknown table `{table}`"))),
            _ => return Err(PyValueError::new_err(format!("unknown format `{to}`"))),
        })
    }

    fn header(self) -> Vec<u8> {
        match self {
            Self::Games => csv_header(Table::Games, CSV),
            Self::Moves => csv_header(Table::Moves, CSV),
            Self::Players => csv_header(Table::Players, CSV),
            Self::Json => b"[".to_vec(),
            Self::JsonLines | Self::Pdn | Self::Fen => Vec::new(),
        }
    }

    fn write(self, review: &Review, at: &mut GameOrigin<'_>, done: &mut Converted) {
        match self {
            Self::Pdn => done.text.extend_from_slice(write_pdn(review.game()).as_bytes()),
            Self::Fen => {
                let fen = review.game().final_fen().map(|fen| fen + "\n");
                done.text.extend_from_slice(fen.unwrap_or_default().as_bytes());
            }
            _ => self.write_row(review, at, done),
        }
    }

    fn write_row(self, review: &Review, at: &mut GameOrigin<'_>, done: &mut Converted) {
        let (game, start) = (review.number(), review.offset());
        let offset = at.locator.locate(start, 0).offset;
        let has_diagnostics = matches!(self, Self::Json | Self::JsonLines);
        let found = review.diagnostics().iter().filter(|_| has_diagnostics);
        let diagnostics = found.map(|found| at.row(game, start, found)).collect();
        let mut row = game_row(review, Origin { file: at.file, game, offset }, diagnostics);
        row.add_around(&at.around);
        match self {
            Self::Games => write_csv_rows(&mut done.text, Table::Games, &row, CSV),
            Self::Moves => write_csv_rows(&mut done.text, Table::Moves, &row, CSV),
            Self::Players => {
                row.assess();
                done.players += PlayerTable::of(&row, &Aliases::default());
            }
            Self::Json => {
                done.text.extend_from_slice(SEPARATOR);
                write_json_game(&mut done.text, row);
            }
            _ => {
                write_json_game(&mut done.text, row);
                done.text.push(b'\n');
            }
        }
    }

    /// Returns what comes after all games.
    fn footer(self, players: &PlayerTable) -> Vec<u8> {
        let mut text = Vec::new();
        if self == Self::Json {
            text.extend_from_slice(b"\n]\n");
        }
        players.rows().for_each(|row| write_csv_player(&mut text, &row, CSV));
        text
    }
}

#[derive(Default)]
struct Converted {
    text: Vec<u8>,
    players: PlayerTable,
}

impl Each for Format {
    type Done = Converted;

    fn take(&self, reviewed: Reviewed, at: &mut GameOrigin<'_>, done: &mut Converted) {
        if let Reviewed::Game(review) = reviewed {
            self.write(&review, at, done);
        }
    }
}

/// Where text goes: to memory, or to a file that gets its name when it is complete.
enum Sink {
    Memory(Vec<u8>),
    File { out: BufWriter<File>, growing: PathBuf, path: PathBuf },
}

impl Sink {
    fn new(path: Option<PathBuf>) -> PyResult<Self> {
        let Some(path) = path else { return Ok(Self::Memory(Vec::new())) };
        let growing = path.with_added_extension("part");
        let out = BufWriter::new(File::create(&growing).map_err(|error| unwritten(&growing, &error))?);
        Ok(Self::File { out, growing, path })
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

    /// Returns the text, if it is in memory.
    fn finish(self) -> PyResult<Option<String>> {
        match self {
            Self::Memory(memory) => Ok(Some(String::from_utf8(memory)?)),
            Self::File { out, growing, path } => {
                let written = out.into_inner().map_err(std::io::IntoInnerError::into_error);
                let renamed = written.and_then(|_| std::fs::rename(growing, &path));
                renamed.map(|()| None).map_err(|error| unwritten(&path, &error))
            }
        }
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> PyErr {
    PyOSError::new_err(format!("{}: {error}", path.display()))
}

/// Converts records to ``"csv"``, ``"json"``, ``"jsonl"``, ``"pdn"`` or ``"fen"``, as ``pdn convert`` does.
///
/// Returns the text, or writes it to the file ``out``. For CSV, ``table`` is ``"games"``, ``"moves"`` or ``"players"``.
///
/// >>> import pdn
/// >>> pdn.convert(b"1. 32-28 19-23 *", to="fen")[:12]
/// 'W:W28,31,33,'
#[pyfunction]
#[pyo3(signature = (source, *, to, out=None, table="games", variant=None, encoding=None, jobs=None))]
pub(crate) fn convert(
    source: &Bound<'_, PyAny>,
    to: &str,
    out: Option<PathBuf>,
    table: &str,
    variant: Option<AnyVariant>,
    encoding: Option<&str>,
    jobs: Option<NonZeroUsize>,
) -> PyResult<Option<String>> {
    let format = Format::new(to, table)?;
    let work = Reviewing { each: format, options: check_options(variant, false, encoding)? };
    let (inputs, mut sink) = (inputs(source)?, Sink::new(out)?);
    sink.write(&format.header())?;
    let (mut players, mut empty) = (PlayerTable::default(), true);
    run(source.py(), (inputs, work, jobs), |done: Converted| {
        players += done.players;
        // The first item of an array has no comma before it.
        let skipped = usize::from(format == Format::Json && empty && !done.text.is_empty());
        empty &= done.text.is_empty();
        sink.write(&done.text[skipped..])
    })?;
    sink.write(&format.footer(&players))?;
    sink.finish()
}

/// Formats games.
struct Formatting {
    fix: bool,
    options: FormatOptions,
}

/// The text of a chunk in canonical form.
#[derive(Default)]
struct Formatted {
    text: String,
    /// Text outside any game, which becomes comments of the next game.
    waiting: Vec<Attachment>,
}

impl Formatted {
    fn push(&mut self, tree: &mut GameTree, options: &FormatOptions) {
        let lead = if tree.tags.is_empty() { &mut tree.lines[0].intro } else { &mut tree.lead };
        lead.splice(0..0, self.waiting.drain(..));
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&write_canonical(tree, options));
    }

    fn wait(&mut self, outside: &Outside, chunk: &Chunk) {
        let text = outside.text(chunk.bytes(), chunk.encoding());
        self.waiting.extend(text.map(|text| Attachment::Comment { text, span: Span::default() }));
    }
}

impl Each for Formatting {
    type Done = Formatted;

    fn take(&self, reviewed: Reviewed, at: &mut GameOrigin<'_>, done: &mut Formatted) {
        match reviewed {
            Reviewed::Game(review) => {
                let game = review.into_game();
                let mut tree = if self.fix {
                    let options = game.options().clone();
                    canonical_tree(&repair(game.into_tree(), &options).0, &self.options)
                } else {
                    canonical_tree(&game, &self.options)
                };
                done.push(&mut tree, &self.options);
            }
            Reviewed::Outside(outside) => done.wait(&outside, at.chunk),
            Reviewed::Plain(_) => unreachable!("plain games are not requested"),
        }
    }

    fn end(&self, done: &mut Formatted) {
        if !done.waiting.is_empty() {
            done.push(&mut GameTree::default(), &self.options);
        }
    }
}

/// Writes records in canonical form, as ``pdn fmt`` does; with ``fix`` what has one reading is repaired.
///
/// Returns the text, or writes it to the file ``out``.
///
/// >>> import pdn
/// >>> pdn.fmt(b'[GameType "20"] 1.32-28 19-23 2.28x19 14x23 *').splitlines()[-1]
/// '1. 32-28 19-23 2. 28x19 14x23 *'
#[pyfunction]
#[pyo3(signature = (source, *, fix=false, out=None, width=80, variant=None, encoding=None, jobs=None))]
pub(crate) fn fmt(
    source: &Bound<'_, PyAny>,
    fix: bool,
    out: Option<PathBuf>,
    width: usize,
    variant: Option<AnyVariant>,
    encoding: Option<&str>,
    jobs: Option<NonZeroUsize>,
) -> PyResult<Option<String>> {
    let each = Formatting { fix, options: FormatOptions::default().width(width) };
    let work = Reviewing { each, options: check_options(variant, false, encoding)? };
    let (inputs, mut sink) = (inputs(source)?, Sink::new(out)?);
    let mut empty = true;
    run(source.py(), (inputs, work, jobs), |done: Formatted| {
        let separator = if empty || done.text.is_empty() { "" } else { "\n" };
        empty &= done.text.is_empty();
        sink.write((separator.to_owned() + &done.text).as_bytes())
    })?;
    sink.finish()
}
