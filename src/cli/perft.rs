//! `pdn perft`: leaf counts.

use std::time::Instant;

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde::Serialize;

use super::context::{Context, Status, complain};
use super::position;
use crate::error::{Error, Result};
use crate::rules::{Counting, PerftOverflow, Position, Variant, perft};

/// Count the positions reached after so many plies
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pdn perft --depth 8 --variant brazilian")]
pub(super) struct Options {
    /// Plies
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Where to start [default: the first position of the variant, International if none is named]
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    /// Count every capture path, not only moves that differ
    #[arg(long)]
    paths: bool,
    /// Show the count below each first move
    #[arg(long)]
    divide: bool,
    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Plain,
    Json,
}

#[derive(Serialize)]
struct Answer<'a> {
    variant: &'a str,
    depth: u32,
    leaves: u64,
    seconds: f64,
    leaves_per_second: f64,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.variant.unwrap_or(Variant::INTERNATIONAL);
    let start = match options.fen.as_deref().map(|fen| position::read(fen, variant)) {
        None => Position::start(variant),
        Some(Ok(position)) => position,
        Some(Err(fault)) => {
            complain(&Error::usage(format!("the FEN cannot be used: {fault}")));
            return Ok(Status::Findings);
        }
    };
    if options.divide {
        return Err(Error::unavailable("perft --divide is not in this build"));
    }
    let clock = Instant::now();
    let leaves = count(&start, options, context).map_err(|fault| Error::unavailable(fault.to_string()))?;
    let seconds = clock.elapsed().as_secs_f64();
    match options.format {
        Format::Plain => context.out.text(&format!("{leaves}\n"))?,
        Format::Json => {
            let leaves_per_second = leaves as f64 / seconds.max(1e-9);
            let answer = Answer { variant: variant.name(), depth: options.depth, leaves, seconds, leaves_per_second };
            context.json(&answer)?;
        }
    }
    Ok(Status::Clean)
}

fn count(start: &Position, options: &Options, context: &Context) -> Result<u64, PerftOverflow> {
    if options.paths || options.depth < 4 || context.jobs.get() == 1 {
        let counting = if options.paths { Counting::Paths } else { Counting::Distinct };
        return perft(start, options.depth, counting);
    }
    let after_two: Vec<_> = replies(start).iter().flat_map(replies).collect();
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(context.jobs.get()).build() else {
        return perft(start, options.depth, Counting::Distinct);
    };
    let below = |position: &Position| perft(position, options.depth - 2, Counting::Distinct);
    let add = |a: u64, b: u64| a.checked_add(b).ok_or(PerftOverflow);
    pool.install(|| after_two.par_iter().with_max_len(1).map(below).try_reduce(|| 0, add))
}

fn replies(position: &Position) -> Vec<Position> {
    position.legal_moves().iter().map(|played| position.play_unchecked(played)).collect()
}
