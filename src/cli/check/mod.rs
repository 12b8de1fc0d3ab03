//! `pdn check`: validates records.

mod duplicates;
mod explain;
mod report;

use std::time::Instant;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::context::{Context, Status, Step};
use super::games::Reviewing;
use super::options::Files;
use crate::check::Summary;
use crate::diag::Code;
use crate::error::Result;
use crate::export::{SEPARATOR, sarif_footer, sarif_header};
use crate::source::{Input, expand};
use duplicates::Inputs;
use report::Checker;

/// Validate records: syntax, tags, legality, positions, results, draws
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn check games.pdn
  pdn check --format json --strict archive/ -
  pdn check --duplicates --format sarif archive/ -o diagnostics.sarif
  pdn check --explain move/illegal")]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// Check the writing rules too, and raise warnings to errors
    #[arg(long)]
    strict: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
    /// Show at most this many errors
    #[arg(long, value_name = "N")]
    max_errors: Option<u64>,
    /// Report games with the same moves, and games that are the beginning of another
    #[arg(long)]
    duplicates: bool,
    /// Explain a diagnostic code, with an example
    #[arg(long, value_name = "CODE", exclusive = true, value_parser = clap::value_parser!(Code))]
    explain: Option<Code>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
    Sarif,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if let Some(code) = options.explain {
        context.out.text(&explain::explain(code))?;
        return Ok(Status::Clean);
    }
    let clock = Instant::now();
    let mut inputs = options.duplicates.then(|| Inputs::new(&options.files)).transpose()?;
    let index = match &inputs {
        Some(inputs) => Some(duplicates::index(inputs, &options.files, context)?),
        None => None,
    };
    let checker = Checker { format: options.format, paint: context.paint, hide_notes: context.quiet, index };
    let mut checks = context.check_options(&options.files);
    checks.strict = options.strict;
    let found =
        inputs.as_mut().map_or_else(|| expand(&options.files.paths), |inputs| std::mem::take(&mut inputs.inputs));
    let mut summary = check(found, options, &Reviewing { games: &checker, options: checks }, context)?;
    summary.seconds = clock.elapsed().as_secs_f64();
    match options.format {
        Format::Human => context.out.text(&human_summary(&summary))?,
        Format::Json => context.json(&LastLine { summary: &summary })?,
        Format::Sarif => context.out.bytes(sarif_footer())?,
    }
    Ok(if summary.errors > 0 { Status::Errors } else { Status::Clean })
}

/// Checks all inputs and writes their diagnostics.
fn check(
    inputs: Vec<Result<Input>>,
    options: &Options,
    work: &Reviewing<'_, Checker>,
    context: &mut Context,
) -> Result<Summary> {
    let mut summary = Summary::default();
    let mut remaining = options.max_errors.unwrap_or(u64::MAX);
    if options.format == Format::Sarif {
        context.out.bytes(&sarif_header())?;
    }
    let mut begun = false;
    context.read_found(inputs, &options.files, work, |context, step| match step {
        Step::Begin => {
            summary.files += 1;
            Ok(())
        }
        Step::Done(report) => {
            summary += &report.summary;
            let text = report.shown(&mut remaining);
            let first = options.format == Format::Sarif && !begun;
            begun |= !text.is_empty();
            context.out.bytes(if first && !text.is_empty() { &text[SEPARATOR.len()..] } else { text })
        }
    })?;
    Ok(summary)
}

/// The last line of the JSON output.
#[derive(Serialize)]
struct LastLine<'a> {
    summary: &'a Summary,
}

fn human_summary(summary: &Summary) -> String {
    let count = |number: u64, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    format!(
        "{}, {} ({} clean), {}: {}, {}, {} in {:.2} s\n",
        count(summary.files, "file"),
        count(summary.games, "game"),
        summary.clean_games,
        if summary.plies == 1 { "1 ply".to_owned() } else { format!("{} plies", summary.plies) },
        count(summary.errors, "error"),
        count(summary.warnings, "warning"),
        count(summary.notes, "note"),
        summary.seconds,
    )
}
