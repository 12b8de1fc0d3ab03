//! Records as text: converted, and in canonical form.

use std::sync::Arc;

use crate::canon::{FormatOptions, MoveStyle};
use crate::check::CheckOptions;
use crate::error::{Error, Result};
use crate::export::{
    Conversion, ConvertedText, CsvOptions, Formatted, FormattedOutput, Formatting, RecordFormat, RecordWriter, Table,
    TextOutput,
};
use crate::notation::GameType;
use crate::rules::ResultStyle;
use serde::Deserialize;
use serde_json::json;

use super::options::Reading;
use super::outlet::Out;
use super::session::{Session, Sink, Walk};

/// Returns the writer of a format and, for CSV, a table.
pub(super) fn writer(to: &str, table: Option<&str>, csv: CsvOptions, usual: Table) -> Result<Arc<dyn RecordWriter>> {
    let format = RecordFormat::named(to).ok_or_else(|| Error::usage(format!("unknown format `{to}`")))?;
    Ok(format.writer(self::table(table, usual)?, csv))
}

fn table(name: Option<&str>, usual: Table) -> Result<Table> {
    let Some(name) = name else { return Ok(usual) };
    let found = Table::ALL.into_iter().find(|table| table.name() == name);
    found.ok_or_else(|| Error::usage(format!("unknown table `{name}`")))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ConvertOptions {
    to: String,
    table: Option<String>,
    #[serde(default)]
    escape_formulas: bool,
}

pub(super) fn convert(reading: Reading, options: &ConvertOptions) -> Result<Box<dyn Session>> {
    #[cfg(feature = "parquet")]
    if options.to == "parquet" {
        return super::parquet::convert(reading, table(options.table.as_deref(), Table::Games)?);
    }
    let csv = CsvOptions::default().escape_formulas(options.escape_formulas);
    let writer = writer(&options.to, options.table.as_deref(), csv, Table::Games)?;
    let output = TextOutput::new(Arc::clone(&writer));
    reading.out.output(&output.header())?;
    Walk::new(reading, Conversion::new(writer), Converted(Some(output)))
}

struct Converted(Option<TextOutput>);

impl Sink<ConvertedText> for Converted {
    fn take(&mut self, done: ConvertedText, out: &Out) -> Result<()> {
        self.0.as_mut().map_or(Ok(()), |output| output.add(done, |bytes| out.output(bytes)))
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        let Some(output) = self.0.take() else { return Ok(()) };
        let errors = output.summary().errors();
        out.output(&output.finish())?;
        out.result(&json!({ "errors": errors }))
    }
}

#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct FmtOptions {
    fix: bool,
    width: usize,
    notation: String,
    result_style: Option<String>,
    game_type: Option<String>,
    comments: bool,
    variations: bool,
    results: bool,
    strict: bool,
}

impl Default for FmtOptions {
    fn default() -> Self {
        Self {
            fix: false,
            width: 80,
            notation: "short".to_owned(),
            result_style: None,
            game_type: None,
            comments: true,
            variations: true,
            results: false,
            strict: false,
        }
    }
}

impl FmtOptions {
    fn format(&self) -> Result<FormatOptions> {
        let unknown = |what: &str, value: &str| Error::usage(format!("unknown {what} `{value}`"));
        let style = match self.notation.as_str() {
            "short" => MoveStyle::Short,
            "full" => MoveStyle::Full,
            "written" => MoveStyle::Written,
            other => return Err(unknown("notation", other)),
        };
        let result_style = match self.result_style.as_deref() {
            None => None,
            Some("2-0") => Some(ResultStyle::TwoPoints),
            Some("1-0") => Some(ResultStyle::OnePoint),
            Some(other) => return Err(unknown("style of results", other)),
        };
        let game_type = |text: &String| {
            let read = GameType::parse(text).ok().filter(|read| read.variant().is_some());
            read.ok_or_else(|| unknown("GameType", text))
        };
        Ok(FormatOptions::default()
            .width(self.width.max(20))
            .comments(self.comments)
            .variations(self.variations)
            .moves(style)
            .results(self.results)
            .result_style(result_style)
            .game_type(self.game_type.as_ref().map(game_type).transpose()?)
            .strict(self.strict))
    }
}

pub(super) fn fmt(reading: Reading, options: &FmtOptions) -> Result<Box<dyn Session>> {
    let work: Formatting<FormatOptions, CheckOptions> = Formatting::new(options.format()?, reading.checks.clone());
    Walk::new(reading, work.fixing(options.fix), Canonical::default())
}

#[derive(Default)]
struct Canonical {
    output: FormattedOutput,
    errors: u64,
}

impl Sink<Formatted> for Canonical {
    fn take(&mut self, done: Formatted, out: &Out) -> Result<()> {
        self.errors += done.errors();
        if !done.edits().is_empty() {
            out.send("edits", &done.edits())?;
        }
        out.output(self.output.gap(&done))?;
        out.output(done.text())
    }

    fn finish(&mut self, out: &Out) -> Result<()> {
        out.result(&json!({ "errors": self.errors }))
    }
}
