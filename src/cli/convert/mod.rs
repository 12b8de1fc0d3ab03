//! `pdn convert`: records into other formats.

#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
mod parquet {
    //! In a build without Parquet.

    use super::{Context, Options};
    use crate::cli::context::Status;
    use crate::error::{Error, Result};

    pub(super) fn run(_: &Options, _: &mut Context) -> Result<Status> {
        Err(Error::usage("this build cannot write Parquet: it needs the feature `parquet`"))
    }
}

use std::path::Path;

use clap::{Args, ValueEnum};

use super::context::{Context, Status, Step};
use super::options::Files;
use super::words::counted;
use crate::check::Summary;
use crate::error::{Error, Result};
use crate::export::{CsvOptions, Reviewing, Table, TextFormat, TextOutput};

/// Convert records to CSV, JSON, PDN, FEN or Parquet
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn convert games.pdn -o games.jsonl
  pdn convert --to csv --table moves archive/
  pdn convert --to csv --table players annotated.pdn
  pdn convert --table positions archive/ -o positions.parquet

Without --to the name of the output file decides: .csv, .json, .jsonl, .pdn, .fen or .parquet.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// What to write [default: by the name of the output file]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// For CSV and Parquet: a row for each game, move, position or diagnostic, or, of annotated records, for each player
    #[arg(long, value_name = "TABLE", default_value = "games")]
    table: TableName,
    /// For CSV: put an apostrophe before text that a spreadsheet would take for a formula (`=`, `+`, `-` or `@` first)
    #[arg(long)]
    escape_formulas: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Json,
    Jsonl,
    Pdn,
    Fen,
    Parquet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableName {
    Games,
    Moves,
    Positions,
    Players,
    Diagnostics,
}

impl From<TableName> for Table {
    fn from(name: TableName) -> Self {
        match name {
            TableName::Games => Self::Games,
            TableName::Moves => Self::Moves,
            TableName::Positions => Self::Positions,
            TableName::Players => Self::Players,
            TableName::Diagnostics => Self::Diagnostics,
        }
    }
}

impl Format {
    /// Returns the format that the extension of a file names.
    fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::from_str(extension, true).ok()
    }
}

impl Options {
    /// Returns the format that was requested, or else the one that the name of the output file has.
    fn format(&self, context: &Context) -> Result<Format> {
        let named = || context.out.path().and_then(Format::of);
        let unknown = "the format is unknown: use --to, or -o with a name that ends in .csv, .json, .jsonl, .pdn, .fen or \
                       .parquet";
        self.to.or_else(named).ok_or_else(|| Error::usage(unknown))
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let format = match options.format(context)? {
        Format::Parquet => return parquet::run(options, context),
        Format::Csv => {
            let csv = CsvOptions::default().escape_formulas(options.escape_formulas);
            TextFormat::Csv(options.table.into(), csv)
        }
        Format::Json => TextFormat::Json,
        Format::Jsonl => TextFormat::JsonLines,
        Format::Fen => TextFormat::Fen,
        Format::Pdn => TextFormat::Pdn,
    };
    let mut output = TextOutput::new(format);
    context.out.bytes(&output.header())?;
    let work = Reviewing::new(format, context.check_options(&options.files));
    context.read(&options.files, &work, |context, step| {
        let Step::Done(chunk) = step else { return Ok(()) };
        context.out.bytes(&output.add(chunk))
    })?;
    let status = status(output.summary(), context);
    context.out.bytes(&output.finish())?;
    Ok(status)
}

/// Returns the status of a conversion, and says if there were errors.
fn status(summary: &Summary, context: &Context) -> Status {
    if summary.errors() == 0 {
        return Status::Clean;
    }
    let errors = counted(summary.errors(), "error was", "errors were");
    context.inform(&format!("{errors} found in the records; `pdn check` shows them"));
    Status::Errors
}
