//! Checks, and the meaning of codes.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

use crate::check::{CheckedGame, ChunkOrigin, DiagnosticOptions, GameWork, Summary};
use crate::diag::{Code, Diagnostic, Selection};
use crate::error::{Error, Result};
use crate::export::{LastLine, write_json_line};
use crate::pdn::Outside;
use crate::records::placed_row;
use crate::shared::lock;
use crate::text::Language;
use serde_json::{Value, json};

use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Session, Sink, Walk};

pub(super) fn check(mut reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    // Diagnostics are lines of output, as those of the command line, or else messages.
    let lines = options.take("lines")?.unwrap_or_default();
    let options: DiagnosticOptions = options.rest()?;
    reading.checks.strict = options.strict;
    let begun = reading.out.now();
    let work = Checker { selection: options.selection(), options, lines, said: Mutex::default() };
    Walk::new(reading, work, Report { summary: Summary::default(), lines, begun })
}

struct Checker {
    options: DiagnosticOptions,
    selection: Selection,
    lines: bool,
    /// The codes that stand for all of a file, with the files that have them.
    said: Mutex<HashSet<(Code, String)>>,
}

/// The diagnostics of a chunk.
#[derive(Default)]
struct Checked {
    rows: Vec<u8>,
    summary: Summary,
}

impl Checker {
    fn write(&self, found: &Diagnostic, game: u64, start: usize, origin: &ChunkOrigin<'_>, done: &mut Checked) {
        if self.options.severity.is_some_and(|least| found.severity() < least) {
            return;
        }
        if found.code().is_once_per_file() {
            let mut said = lock(&self.said);
            if !said.insert((found.code(), origin.input().label().to_owned())) {
                return done.summary.discount(found.severity(), u64::from(found.count()));
            }
        }
        let mut row = placed_row(found, game, start, origin);
        row.translate(self.options.lang);
        write_json_line(&mut done.rows, &row);
        if !self.lines {
            // A line break, which no JSON has otherwise, becomes what separates values of an array.
            let end = done.rows.len() - 1;
            done.rows[end] = b',';
        }
    }
}

impl GameWork for Checker {
    type Done = Checked;

    fn game(&self, mut game: CheckedGame<'_>, done: &mut Checked) {
        self.options.apply(&self.selection, &mut game);
        done.summary.count_game(game.review());
        for found in game.diagnostics() {
            self.write(found, game.number(), game.range().start, game.origin(), done);
        }
    }

    fn outside(&self, outside: &Outside, origin: &ChunkOrigin<'_>, done: &mut Checked) {
        let mut found = outside.diagnostic().clone();
        if self.selection.admit(&mut found) {
            done.summary.count(&found);
            self.write(&found, 0, outside.offset(), origin, done);
        }
    }
}

struct Report {
    summary: Summary,
    lines: bool,
    begun: f64,
}

impl Sink<Checked> for Report {
    fn begin(&mut self) {
        self.summary.count_file();
    }

    fn take(&mut self, done: Checked, out: &Out) -> Result<()> {
        self.summary += &done.summary;
        if self.lines {
            return out.output(&done.rows);
        }
        if let Some((_, rows)) = done.rows.split_last() {
            out.send_array("diagnostics", &[String::from_utf8_lossy(rows).into_owned()])?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        self.summary.set_time(Duration::try_from_secs_f64((out.now() - self.begun) / 1000.0).unwrap_or_default());
        let last = LastLine { summary: &self.summary };
        if self.lines {
            let mut line = Vec::new();
            write_json_line(&mut line, &last);
            out.output(&line)?;
        }
        out.result(&last)
    }
}

pub(super) fn codes() -> Value {
    json!(Code::all().map(Code::name).collect::<Vec<_>>())
}

pub(super) fn explain(mut options: CallOptions) -> Result<Value> {
    let name: String = options.take("code")?.unwrap_or_default();
    let language: String = options.take("lang")?.unwrap_or_default();
    options.end()?;
    let code: Code = name.parse().map_err(|error| Error::usage(format!("{error}")))?;
    let language = if language.is_empty() { Language::English } else { language.parse().map_err(Error::usage)? };
    let example = code.example().map(String::from_utf8_lossy);
    let severity = code.severity().name();
    Ok(json!({ "code": code.name(), "severity": severity, "meaning": code.meaning_in(language), "example": example }))
}
