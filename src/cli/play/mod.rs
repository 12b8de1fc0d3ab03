//! `pdn play`: a game against the engine in the terminal.

mod session;

use std::io::{BufRead, stdin};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use super::player::{self, Player};
use crate::board::Side;
use crate::engine::Limit;
use crate::error::{Error, Result};
use crate::rules::Variant;
use session::Session;

/// Time for each move of the engine if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Play against the engine
///
/// Type a move in any notation of PDN, or a command; `help` lists the commands. Commands are read from standard input, so
/// they can also come from a file. Without a limit, the engine thinks for a second a move.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn play
  pdn play --variant brazilian --side black --time 3")]
pub(super) struct Options {
    /// Your side; with `both` the engine only gives hints
    #[arg(long, value_name = "SIDE", default_value = "white")]
    side: Seat,
    /// Position to start from [default: the start position of the variant]
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    #[command(flatten)]
    pub(super) player: Player,
}

/// The sides that the user plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Seat {
    White,
    Black,
    Both,
}

impl Seat {
    /// Returns the only side that the user plays.
    const fn side(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::White),
            Self::Black => Some(Side::Black),
            Self::Both => None,
        }
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.variant.unwrap_or(Variant::INTERNATIONAL);
    let start = match player::start(options.fen.as_deref(), variant) {
        Ok(start) => start,
        Err(error) => {
            context.print(&error);
            return Ok(Status::Errors);
        }
    };
    let engine = options.player.engine_options(variant, context);
    let mut session = Session::new(start, options.side, engine, options.limit())?;
    prompt(context, &session.begin())?;
    for line in stdin().lock().lines() {
        let line = line.map_err(|error| Error::read("standard input", error))?;
        match session.answer(line.trim()) {
            Some(answer) => prompt(context, &answer)?,
            None => break,
        }
    }
    Ok(Status::Clean)
}

fn prompt(context: &mut Context, text: &str) -> Result<()> {
    context.out.text(text)?;
    context.out.text("> ")?;
    context.out.flush()
}

impl Options {
    fn limit(&self) -> Limit {
        let limit = self.player.limit();
        if limit.is_none() { Limit::time(DEFAULT_TIME) } else { limit }
    }
}
