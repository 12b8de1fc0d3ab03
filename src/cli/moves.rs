//! `pdn moves`: the legal moves of positions.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use crate::error::{Error, Result};

/// List the legal moves of a position, or of many
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn moves --fen W:W31,32:B19,20
  pdn moves --variant russian --fens positions.txt --format json")]
pub(super) struct Options {
    /// The position
    #[arg(long, value_name = "F", required_unless_present = "fens", conflicts_with = "fens")]
    fen: Option<String>,
    /// File with a position on each line, or `-`
    #[arg(long, value_name = "FILE")]
    fens: Option<PathBuf>,
    /// How to write the moves
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Plain,
    Json,
}

pub(super) fn run(_: &Options, _: &mut Context) -> Result<Status> {
    Err(Error::unavailable("moves is not in this build"))
}
