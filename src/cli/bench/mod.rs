//! `pdn bench`: measurements of speed.

mod problems;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use clap::{Args, Subcommand};

use super::context::{Context, Status};
use super::inputs::read_whole;
use super::options::Endgames;
use super::words::count;
use crate::arena::{BENCH_DEPTH, bench_search};
use crate::check::{CheckOptions, Tally, tally};
use crate::diag::Span;
use crate::egdb::EndgameTables;
use crate::error::{Error, Result};
use crate::import::games;
use crate::link::EngineSpec;
use crate::pdn::{self, Flow, MoveText, RawTag, Visitor, WrittenNumber};
use crate::replay::ReplayOptions;
use crate::rules::Position;
use crate::text::Format;

/// Measure the speed of reading, replaying and searching
///
/// Reading and searching are measured on one thread, with the input in memory.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  pdn bench read games.pdn
  pdn bench search"
)]
pub(super) struct Options {
    #[command(subcommand)]
    pub(super) what: What,
}

#[derive(Debug, Subcommand)]
pub(super) enum What {
    /// Read all tokens of a file without building games
    #[command(after_help = "Example:\n  pdn bench read games.pdn")]
    Read(File),
    /// Read the games of a file and replay them
    #[command(after_help = "Example:\n  pdn bench replay games.pdn")]
    Replay(File),
    /// Search a fixed set of positions of International, Italian and Brazilian draughts
    #[command(after_help = "Example:\n  pdn bench search")]
    Search(Search),
    /// Let the engine solve problems: games that start from a FEN tag, with the solution as first move
    #[command(
        after_help = "Example:\n  pdn bench problems samples/problems --nodes 100000\n\nExit status: 1 if a problem is not solved or cannot be used."
    )]
    Problems(Box<problems::Options>),
    /// Look up random positions in endgame databases, on --jobs threads: first with an empty cache, then again
    #[command(after_help = "Example:\n  pdn bench egdb --variant brazilian --jobs 1")]
    Egdb(Probing),
}

#[derive(Debug, Args)]
pub(super) struct Search {
    /// Search depth for each position, in plies
    #[arg(long, value_name = "N", default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
}

#[derive(Debug, Args)]
pub(super) struct File {
    /// File to read, which may be compressed
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl What {
    /// Returns the paths of the problems; the other benchmarks use no settings.
    pub(super) fn records(&self) -> Option<&[PathBuf]> {
        if let Self::Problems(options) = self { options.files.records() } else { None }
    }

    /// Returns the engine that solves the problems, if one is named.
    pub(super) fn engine(&self) -> &[EngineSpec] {
        if let Self::Problems(options) = self { options.engine.as_slice() } else { &[] }
    }

    pub(super) fn egdb(&self) -> Option<&Path> {
        match self {
            Self::Problems(options) => options.endgames.egdb(),
            Self::Egdb(options) => options.endgames.egdb(),
            _ => None,
        }
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let checks = CheckOptions { replay: ReplayOptions::of(context.variant), ..CheckOptions::default() };
    let line = match &options.what {
        What::Read(file) => measure(file, read)?,
        What::Replay(file) => measure(file, |bytes| play(bytes, &checks))?,
        What::Search(search) => measure_search(search.depth),
        What::Problems(options) => return problems::run(options, context),
        What::Egdb(options) => measure_probes(options, context)?,
    };
    context.out.text(&line)?;
    Ok(Status::Clean)
}

fn measure(file: &File, work: impl FnOnce(&[u8]) -> Count) -> Result<String> {
    let bytes = read_whole(&file.file)?;
    let clock = Instant::now();
    let count = work(&bytes);
    Ok(count.line(bytes.len(), clock.elapsed().as_secs_f64()))
}

fn measure_search(depth: u32) -> String {
    let clock = Instant::now();
    let nodes = bench_search(depth);
    format!("{nodes} nodes, {:.2} M nodes/s\n", nodes as f64 / 1e6 / clock.elapsed().as_secs_f64())
}

#[derive(Debug, Args)]
pub(super) struct Probing {
    /// Number of pieces in the positions [default: the maximum in the tables]
    #[arg(long, value_name = "N")]
    pieces: Option<u8>,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    probes: u32,
    #[command(flatten)]
    endgames: Endgames,
}

/// Looks up random positions twice: first with nothing in memory, then again.
fn measure_probes(options: &Probing, context: &mut Context) -> Result<String> {
    let variant = context.rules();
    let tables = context.databases(variant).tables(variant);
    let pieces = options.pieces.unwrap_or(tables.max_pieces());
    let positions = tables.random_positions(pieces, options.probes as usize);
    if positions.is_empty() {
        return Err(Error::unavailable(format!("no tables of {variant} with {pieces} pieces")));
    }
    let threads = context.jobs.get();
    let [cold, warm] = [(); 2].map(|()| millions_a_second(&tables, &positions, threads));
    Ok(format!(
        "{} positions of {pieces} pieces, {threads} threads: cold {cold:.2} M probes/s, warm {warm:.2} M probes/s\n",
        positions.len()
    ))
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

/// What was read.
#[derive(Default)]
struct Count {
    games: u64,
    moves: u64,
    /// Depends on every token, so that the compiler cannot remove any of the work.
    checksum: u64,
}

impl Count {
    fn line(&self, bytes: usize, seconds: f64) -> String {
        black_box(self.checksum);
        let (megabytes, millions) = (bytes as f64 / 1e6 / seconds, self.moves as f64 / 1e6 / seconds);
        let (games, moves) = (count(self.games, "game"), count(self.moves, "move"));
        format!("{megabytes:.0} MB/s, {games}, {moves}, {millions:.1} M moves/s\n")
    }

    const fn see(&mut self, span: Span) -> Flow {
        self.checksum = self.checksum.wrapping_add(span.end as u64);
        Flow::Continue(())
    }
}

impl Visitor for Count {
    fn tag(&mut self, tag: RawTag<'_>) -> Flow {
        self.see(tag.span)
    }

    fn number(&mut self, _: WrittenNumber, span: Span) -> Flow {
        self.see(span)
    }

    fn game_move(&mut self, number: Option<(WrittenNumber, Span)>, _: MoveText, span: Span) -> Flow {
        self.moves += 1;
        if let Some((_, number)) = number {
            self.see(number)?;
        }
        self.see(span)
    }

    fn null_move(&mut self, span: Span) -> Flow {
        self.moves += 1;
        self.see(span)
    }

    fn comment(&mut self, _: &[u8], span: Span) -> Flow {
        self.see(span)
    }

    fn terminator(&mut self, _: &[u8], span: Span) -> Flow {
        self.see(span)
    }

    fn end_game(&mut self, _: u32) -> Flow {
        self.games += 1;
        Flow::Continue(())
    }
}

fn read(bytes: &[u8]) -> Count {
    let mut count = Count::default();
    if Format::of(bytes) == Format::Pdn {
        let _ = pdn::read(bytes, &mut count);
        return count;
    }
    for game in games(bytes) {
        count.games += 1;
        count.moves += game.tree().nodes().iter().filter(|node| node.kind().is_written_move()).count() as u64;
    }
    count
}

fn play(bytes: &[u8], options: &CheckOptions) -> Count {
    let Tally { games, moves, diagnostics, .. } = tally(bytes, options);
    Count { games, moves, checksum: diagnostics }
}
