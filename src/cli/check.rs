//! `pdn check`: validates records.

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use super::options::Files;
use crate::diag::Code;
use crate::error::{Error, Result};

/// Validate records: syntax, tags, legality, positions, results, draws
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn check games.pdn
  pdn check --format json --strict archive/ -
  pdn check --explain move/illegal")]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// Hold records to the writing rules too, and take warnings as errors
    #[arg(long)]
    strict: bool,
    /// How to write findings
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
    /// Show no more than this many errors
    #[arg(long, value_name = "N")]
    max_errors: Option<u64>,
    /// Say what a code of a finding means, and how to mend it
    #[arg(long, value_name = "CODE", exclusive = true, value_parser = parse_code)]
    explain: Option<Code>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

fn parse_code(text: &str) -> Result<Code, String> {
    Code::by_name(text).ok_or_else(|| "no such code".to_owned())
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if let Some(code) = options.explain {
        return explain(code, context);
    }
    Err(Error::unavailable("check is not in this build"))
}

fn explain(code: Code, context: &mut Context) -> Result<Status> {
    context.out.text(&format!("{code} ({})\n\n{}\n", code.severity(), code.meaning()))?;
    Ok(Status::Clean)
}
