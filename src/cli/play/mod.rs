//! `pdn play`: a game against the engine in the terminal.

mod session;

use std::io::{BufRead, stdin};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use super::options::{Endgames, Evaluation, parse_seconds};
use crate::board::Side;
use crate::engine::{EngineOptions, Limit};
use crate::error::{Error, Result};
use crate::rules::{Position, Variant};
use session::Session;

/// Time for each move of the engine if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Play against the engine
///
/// Type a move in any notation of PDN, or a command; `help` lists the commands. Commands are read from standard input, so
/// they can also come from a file.
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
    /// Seconds for each move of the engine [default: 1 unless another limit is given]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Nodes for each move of the engine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of the search for each move of the engine, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    evaluation: Evaluation,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    /// Number of search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
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
    let start = match &options.fen {
        None => Position::start(variant),
        Some(fen) => match Position::from_fen(variant, fen) {
            Ok(position) => position,
            Err(error) => {
                context.print(&Error::usage(format!("invalid FEN: {error}")));
                return Ok(Status::Errors);
            }
        },
    };
    let engine = options.engine_options().with_databases(context.databases(variant));
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
    fn engine_options(&self) -> EngineOptions {
        let options = EngineOptions::default().with_hash_mb(self.hash as usize);
        options.with_threads(usize::from(self.threads)).with_knowledge(self.evaluation.knowledge())
    }

    fn limit(&self) -> Limit {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        let mut limit = Limit::none();
        limit.depth = self.depth;
        limit.nodes = self.nodes;
        limit.time = self.time.or(unlimited.then_some(DEFAULT_TIME));
        limit
    }
}
