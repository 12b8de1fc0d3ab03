//! Checks, and the meaning of codes.

use std::time::Duration;

use crate::check::{CheckedGame, ChunkOrigin, GameWork, Needs, Summary, missing_tags};
use crate::diag::{Code, Diagnostic, Selection, Selector, Severity};
use crate::error::{Error, Result};
use crate::export::write_json_line;
use crate::pdn::Outside;
use crate::records::DiagnosticRow;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::options::Reading;
use super::outlet::Out;
use super::session::{Session, Sink, Walk};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Options {
    strict: bool,
    select: Vec<String>,
    ignore: Vec<String>,
    deny: Vec<String>,
    severity: Option<String>,
    require_tags: Vec<String>,
    /// Whether diagnostics are lines of output, as those of the command line.
    lines: bool,
}

fn selectors(names: &[String]) -> Result<Vec<Selector>> {
    let parse = |name: &String| name.parse().map_err(|error| Error::usage(format!("{error}")));
    names.iter().map(parse).collect()
}

pub(super) fn check(mut reading: Reading, options: Options) -> Result<Box<dyn Session>> {
    let [select, ignore, deny] = [&options.select, &options.ignore, &options.deny].map(|names| selectors(names));
    let least = match options.severity.as_deref() {
        None | Some("note") => Severity::Note,
        Some("warning") => Severity::Warning,
        Some("error") => Severity::Error,
        Some(other) => return Err(Error::usage(format!("unknown severity `{other}`"))),
    };
    reading.checks.strict = options.strict;
    let selection = Selection::new(&select?, &ignore?, &deny?);
    let begun = reading.out.now();
    let work = Checker { selection, required_tags: options.require_tags, least, lines: options.lines };
    Walk::new(reading, work, Report { summary: Summary::default(), lines: options.lines, begun })
}

struct Checker {
    selection: Selection,
    required_tags: Vec<String>,
    least: Severity,
    lines: bool,
}

/// The diagnostics of a chunk.
#[derive(Default)]
struct Checked {
    rows: Vec<u8>,
    summary: Summary,
}

impl Checker {
    fn write(&self, found: &Diagnostic, game: u64, start: usize, origin: &ChunkOrigin<'_>, done: &mut Checked) {
        if found.severity() < self.least {
            return;
        }
        let span = found.span();
        let location = origin.locate(start + span.start as usize, span.len() as usize);
        write_json_line(&mut done.rows, &DiagnosticRow::new(origin.input().label(), game, location, found));
        if !self.lines {
            // A line break, which no JSON has otherwise, becomes what separates values of an array.
            let end = done.rows.len() - 1;
            done.rows[end] = b',';
        }
    }
}

impl GameWork for Checker {
    type Done = Checked;

    fn needs(&self) -> Needs {
        Needs::Results
    }

    fn game(&self, mut game: CheckedGame<'_>, done: &mut Checked) {
        if !self.required_tags.is_empty() {
            let missing = missing_tags(&game, &self.required_tags);
            game.extend(missing);
        }
        game.select(&self.selection);
        done.summary.count_game(&game);
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
        self.summary.set_time(Duration::from_secs_f64((out.now() - self.begun).max(0.0) / 1000.0));
        let last = LastLine { summary: &self.summary };
        if self.lines {
            let mut line = Vec::new();
            write_json_line(&mut line, &last);
            out.output(&line)?;
        }
        out.result(&last)
    }
}

/// The last line of the output.
#[derive(Serialize)]
struct LastLine<'a> {
    summary: &'a Summary,
}

pub(super) fn codes() -> Value {
    json!(Code::all().map(Code::name).collect::<Vec<_>>())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    code: String,
}

pub(super) fn explain(named: &Named) -> Result<Value> {
    let code: Code = named.code.parse().map_err(|error| Error::usage(format!("{error}")))?;
    let example = code.example().map(String::from_utf8_lossy);
    let severity = code.severity().name();
    Ok(json!({ "code": code.name(), "severity": severity, "meaning": code.meaning(), "example": example }))
}
