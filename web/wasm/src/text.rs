//! Records as text: converted, and in canonical form.

use std::sync::Arc;

use pdn::canon::{FormatOptions, MoveStyle};
use pdn::check::CheckOptions;
use pdn::export::{
    Conversion, ConvertedText, CsvOptions, Formatted, FormattedOutput, Formatting, RecordFormat, RecordWriter, Table,
    TextOutput,
};
use pdn::notation::GameType;
use pdn::rules::ResultStyle;
use pdn::{Error, Result};
use serde::Deserialize;
use serde_json::json;

use crate::message;
use crate::options::Reading;
use crate::session::{Session, Sink, Walk};

/// Returns the writer of a format and, for CSV, a table.
pub(crate) fn writer(to: &str, table: Option<&str>, csv: CsvOptions, usual: Table) -> Result<Arc<dyn RecordWriter>> {
    let format = RecordFormat::named(to).ok_or_else(|| Error::usage(format!("unknown format `{to}`")))?;
    let named = |name: &str| {
        let found = Table::ALL.into_iter().find(|table| table.name() == name);
        found.ok_or_else(|| Error::usage(format!("unknown table `{name}`")))
    };
    Ok(format.writer(table.map_or(Ok(usual), named)?, csv))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ConvertOptions {
    to: String,
    table: Option<String>,
    #[serde(default)]
    escape_formulas: bool,
}

pub(crate) fn convert(reading: Reading, options: &ConvertOptions) -> Result<Box<dyn Session>> {
    let csv = CsvOptions::default().escape_formulas(options.escape_formulas);
    let writer = writer(&options.to, options.table.as_deref(), csv, Table::Games)?;
    let output = TextOutput::new(Arc::clone(&writer));
    message::output(&output.header())?;
    Walk::new(reading, Conversion::new(writer), Converted(Some(output)))
}

struct Converted(Option<TextOutput>);

impl Sink<ConvertedText> for Converted {
    fn take(&mut self, done: ConvertedText) -> Result<()> {
        self.0.as_mut().map_or(Ok(()), |output| output.add(done, message::output))
    }

    fn finish(&mut self) -> Result<()> {
        let Some(output) = self.0.take() else { return Ok(()) };
        let errors = output.summary().errors();
        message::output(&output.finish())?;
        message::result(&json!({ "errors": errors }));
        Ok(())
    }
}

#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(crate) struct FmtOptions {
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

pub(crate) fn fmt(reading: Reading, options: &FmtOptions) -> Result<Box<dyn Session>> {
    let work: Formatting<FormatOptions, CheckOptions> = Formatting::new(options.format()?, reading.checks.clone());
    Walk::new(reading, work.fixing(options.fix), Canonical::default())
}

#[derive(Default)]
struct Canonical {
    output: FormattedOutput,
    errors: u64,
}

impl Sink<Formatted> for Canonical {
    fn take(&mut self, done: Formatted) -> Result<()> {
        self.errors += done.errors();
        if !done.edits().is_empty() {
            message::send("edits", &done.edits());
        }
        message::output(self.output.gap(&done))?;
        message::output(done.text())
    }

    fn finish(&mut self) -> Result<()> {
        message::result(&json!({ "errors": self.errors }));
        Ok(())
    }
}
