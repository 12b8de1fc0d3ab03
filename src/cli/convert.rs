//! `pdn convert`: records into other formats.

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use super::options::Files;
use crate::error::{Error, Result};

/// Convert records to CSV, JSON, PDN or FEN
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn convert --to jsonl games.pdn -o games.jsonl
  pdn convert --to csv --table moves archive/")]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// What to write
    #[arg(long, value_name = "FORMAT")]
    to: Format,
    /// For CSV: a row for each game or for each move
    #[arg(long, value_name = "TABLE", default_value = "games")]
    table: Table,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Json,
    Jsonl,
    Pdn,
    Fen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    Games,
    Moves,
}

pub(super) fn run(_: &Options, _: &mut Context) -> Result<Status> {
    Err(Error::unavailable("convert is not in this build"))
}
