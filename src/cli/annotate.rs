//! `pdn annotate`: engine evaluations into records.

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use super::options::Files;
use crate::error::{Error, Result};

/// Add engine evaluations to records
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pdn annotate --depth 12 games.pdn -o annotated.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// Plies to search for each move
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Nodes to search for each move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Command that starts a Hub engine, in place of the one built in
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "pdn")]
    to: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Pdn,
    Json,
    Csv,
}

pub(super) fn run(_: &Options, _: &mut Context) -> Result<Status> {
    Err(Error::unavailable("annotate is not in this build"))
}
