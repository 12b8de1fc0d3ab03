//! `pdn perft`: leaf counts.

use std::time::Instant;

use clap::Args;
use rayon::ThreadPool;
use serde::Serialize;

use super::context::{Context, Status};
use super::options::{ADVANCED, Format, PLAIN_OR_JSON, formats};
use crate::error::{Error, Result};
use crate::rules::{Counting, MAX_PERFT_DEPTH, Move, Position, perft, perft_parallel};

/// Count the leaves of the move tree at a depth
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pdn perft --depth 8 --variant brazilian")]
pub(super) struct Options {
    /// Depth in plies, at most 1000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Position to start from [default: the starting position of the variant]
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    /// Count every capture path, even if several lead to the same position
    #[arg(long, help_heading = ADVANCED)]
    paths: bool,
    /// Also print the count for each first move
    #[arg(long)]
    divide: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
    format: Format,
}

#[derive(Serialize)]
struct Answer<'a> {
    variant: &'a str,
    depth: u32,
    leaves: u64,
    seconds: f64,
    leaves_per_second: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    divide: Vec<Share>,
}

/// The leaves after a first move.
#[derive(Serialize)]
struct Share {
    #[serde(rename = "move")]
    notation: String,
    leaves: u64,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.rules();
    let Some(start) = context.position(options.fen.as_deref()) else { return Ok(Status::Errors) };
    let pool = context.pool()?;
    let clock = Instant::now();
    let shares = if options.divide && options.depth > 0 { divide(&start, options, &pool)? } else { Vec::new() };
    let leaves = if shares.is_empty() {
        count(&start, options.depth, options, &pool).ok_or_else(overflow)?
    } else {
        sum(shares.iter().map(|share| share.leaves)).ok_or_else(overflow)?
    };
    let seconds = clock.elapsed().as_secs_f64();
    // A small tree may take less time than the clock can measure.
    let leaves_per_second = leaves as f64 / seconds.max(1e-9);
    let (variant, depth) = (variant.name(), options.depth);
    let answer = Answer { variant, depth, leaves, seconds, leaves_per_second, divide: shares };
    context.answer(options.format, &answer, || plain(&answer)).map(Into::into)
}

fn plain(answer: &Answer<'_>) -> String {
    let lines = answer.divide.iter().map(|share| format!("{}: {}", share.notation, share.leaves));
    lines.chain([answer.leaves.to_string(), String::new()]).collect::<Vec<_>>().join("\n")
}

fn overflow() -> Error {
    Error::unavailable("the leaf count does not fit into 64 bits")
}

fn divide(start: &Position, options: &Options, pool: &ThreadPool) -> Result<Vec<Share>> {
    let moves = if options.paths { start.legal_paths() } else { start.legal_moves() };
    let share = |paths: &[Move]| {
        let below = count(&start.play_unchecked(&paths[0]), options.depth - 1, options, pool);
        let leaves = below.and_then(|leaves| leaves.checked_mul(paths.len() as u64));
        Ok(Share { notation: start.short(&paths[0]), leaves: leaves.ok_or_else(overflow)? })
    };
    moves.chunk_by(|a, b| a == b).map(share).collect()
}

/// Counts leaves on all threads.
fn count(start: &Position, depth: u32, options: &Options, pool: &ThreadPool) -> Option<u64> {
    let counting = if options.paths { Counting::Paths } else { Counting::Distinct };
    if pool.current_num_threads() == 1 {
        return perft(start, depth, counting);
    }
    pool.install(|| perft_parallel(start, depth, counting))
}

fn sum(counts: impl IntoIterator<Item = u64>) -> Option<u64> {
    counts.into_iter().try_fold(0_u64, u64::checked_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_does_not_fit_is_an_error() {
        assert_eq!(sum([u64::MAX, 0]), Some(u64::MAX));
        assert_eq!(sum([u64::MAX, 1]), None);
        assert_eq!(overflow().to_string(), "the leaf count does not fit into 64 bits");
    }
}
