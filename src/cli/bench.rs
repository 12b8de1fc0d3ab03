//! `pdn bench`: how fast this is.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::context::{Context, Status};
use crate::error::{Error, Result};

/// Measure reading and replaying, on one thread, with the input in memory
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Example:
  pdn bench read games.pdn"
)]
pub(super) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// See every token of a file, without building games
    #[command(after_help = "Example:\n  pdn bench read games.pdn")]
    Read(File),
    /// Read the games of a file and play them
    #[command(after_help = "Example:\n  pdn bench replay games.pdn")]
    Replay(File),
}

#[derive(Debug, Args)]
struct File {
    /// The file, compressed or not
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(_: &Options, _: &mut Context) -> Result<Status> {
    Err(Error::unavailable("bench is not in this build"))
}
