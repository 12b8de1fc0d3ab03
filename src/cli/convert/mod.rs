//! `pdn convert`: records into other formats.

#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
mod parquet {
    //! In a build without Parquet.

    use super::{Context, Options};
    use crate::cli::context::Status;
    use crate::error::Result;

    pub(super) fn run(_: &Options, _: &mut Context) -> Result<Status> {
        Err(crate::cli::failure::lacks_feature("write Parquet", "parquet"))
    }
}

use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::context::{Context, Status, Step};
use super::options::{ADVANCED, Files};
use super::words::counted;
use crate::check::Checking;
use crate::check::Summary;
use crate::error::{Error, Result};
use crate::export::{Conversion, CsvOptions, FORMATS, RecordFormat, Table, TextOutput};

/// Convert records to CSV, JSON, PDN, FEN or Parquet
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn convert games.pdn -o games.jsonl
  pdn convert --to csv --table moves archive/
  pdn convert --to csv --table players annotated.pdn
  pdn convert --table positions archive/ -o positions.parquet

Without --to, the name of the output file determines the format: .csv, .json, .jsonl, .pdn, .fen or .parquet.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Output format [default: from the name of the output file]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(format_names()))]
    to: Option<String>,
    /// For CSV and Parquet: one row per game, move, position, diagnostic or (for annotated records) player [default: games]
    #[arg(long, value_name = "TABLE", value_parser = table_parser())]
    table: Option<Table>,
    /// For CSV: put an apostrophe before text that a spreadsheet would treat as a formula because it starts with `=`, `+`, `-` or `@`
    #[arg(long, help_heading = ADVANCED)]
    escape_formulas: bool,
}

/// The format that is not text.
const PARQUET: &str = "parquet";

/// Returns the names of all formats.
fn format_names() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(RecordFormat::name).chain([PARQUET])
}

fn table_parser() -> impl TypedValueParser<Value = Table> {
    let named = |name: String| Table::ALL.into_iter().find(|table| table.name() == name).expect("a possible value");
    PossibleValuesParser::new(Table::ALL.map(Table::name)).map(named)
}

impl Options {
    fn table(&self) -> Table {
        self.table.unwrap_or(Table::Games)
    }

    /// Returns the name of the requested format, or else of the format given by the extension of the output file.
    fn format(&self, context: &Context) -> Result<String> {
        let extension = || context.out.path()?.extension()?.to_str().map(str::to_ascii_lowercase);
        let known = |name: &String| format_names().any(|known| known == name);
        let unknown = "the format is unknown: use --to, or -o with a name that ends in .csv, .json, .jsonl, .pdn, .lidraughts, .fen or \
                       .parquet";
        self.to.clone().or_else(|| extension().filter(known)).ok_or_else(|| Error::usage(unknown))
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let name = options.format(context)?;
    let Some(format) = RecordFormat::named(&name) else { return parquet::run(options, context) };
    if let Some(table) = options.table.filter(|_| !format.has_tables()) {
        context.inform(&format!("--table {} has no effect: {name} has no tables", table.name()));
    }
    let writer = format.writer(options.table(), CsvOptions::default().escape_formulas(options.escape_formulas));
    let mut output = TextOutput::new(Arc::clone(&writer));
    context.out.bytes(&output.header())?;
    let work = Checking::new(Conversion::new(writer), context.check_options(&options.files));
    context.read(&options.files, &work, |context, step| {
        let Step::Done(chunk) = step else { return Ok(()) };
        output.add(chunk, |text| context.out.bytes(text))
    })?;
    let status = status(output.summary(), context);
    context.out.bytes(&output.finish())?;
    Ok(status)
}

/// Returns the status of a conversion, and reports the number of errors.
fn status(summary: &Summary, context: &Context) -> Status {
    if summary.errors() == 0 {
        return Status::Clean;
    }
    let errors = counted(summary.errors(), "error was", "errors were");
    context.inform(&format!("{errors} found in the records; `pdn check` shows them"));
    Status::Errors
}
