//! `pdn show`: a board as text or picture.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use crate::error::{Error, Result};

/// Show the board of a FEN, or of a game after some plies
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn show --fen W:W31,32:B19,20
  pdn show games.pdn --game 3 --ply 40 --format svg -o board.svg")]
pub(super) struct Options {
    /// File with the game
    #[arg(value_name = "FILE", required_unless_present = "fen", conflicts_with = "fen")]
    file: Option<PathBuf>,
    /// Position to show
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    /// Number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: u64,
    /// Plies played; without it all of them
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// How to draw
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Svg,
}

pub(super) fn run(_: &Options, _: &mut Context) -> Result<Status> {
    Err(Error::unavailable("show is not in this build"))
}
