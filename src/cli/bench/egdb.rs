//! `pdn bench egdb`: probes of endgame databases.

use std::hint::black_box;
use std::thread;
use std::time::Instant;

use clap::Args;

use crate::cli::context::{Context, Status};
use crate::cli::options::Endgames;
use crate::egdb::EndgameTables;
use crate::error::{Error, Result};
use crate::rules::{Position, Variant};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Number of pieces of the positions [default: the largest in the tables]
    #[arg(long, value_name = "N")]
    pieces: Option<u8>,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    probes: u32,
    #[command(flatten)]
    pub(super) endgames: Endgames,
}

/// Looks up random positions twice: when nothing was read yet, and again.
pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.variant.unwrap_or(Variant::INTERNATIONAL);
    let tables = context.databases(variant).tables(variant);
    let pieces = options.pieces.unwrap_or(tables.max_pieces());
    let positions = tables.random_positions(pieces, options.probes as usize);
    if positions.is_empty() {
        return Err(Error::unavailable(format!("no tables of {variant} with {pieces} pieces")));
    }
    let threads = context.jobs.get();
    let [cold, warm] = [(); 2].map(|()| millions_a_second(&tables, &positions, threads));
    let line = format!(
        "{} positions of {pieces} pieces, {threads} threads: cold {cold:.2} M probes/s, warm {warm:.2} M probes/s\n",
        positions.len()
    );
    context.out.text(&line)?;
    Ok(Status::Clean)
}

fn millions_a_second(tables: &EndgameTables, positions: &[Position], threads: usize) -> f64 {
    let clock = Instant::now();
    thread::scope(|scope| {
        for part in positions.chunks(positions.len().div_ceil(threads)) {
            scope.spawn(move || {
                for position in part {
                    black_box(tables.probe(position));
                }
            });
        }
    });
    positions.len() as f64 / 1e6 / clock.elapsed().as_secs_f64()
}
