//! `pdn egdb build`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;

use clap::Args;
use serde::Serialize;

use super::Request;
use crate::cli::context::Context;
use crate::cli::interrupt::set_farewell;
use crate::cli::options::{ADVANCED, parse_memory};
use crate::cli::pending::{Pending, folder_of};
use crate::cli::progress::Meter;
use crate::egdb::{BuildObserver, BuildOptions, MAX_PIECES, build};
use crate::error::{Error, Result};

/// Largest accepted number of pieces.
const MAX: i64 = MAX_PIECES as i64;

/// Build the tables of a variant
///
/// Existing tables are kept, so an interrupted build continues where it stopped. Seven pieces on 8x8 or six on 10x10 take hours
/// and several gigabytes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn egdb build --variant russian --pieces 4 --dtw
  pdn egdb build --variant international --pieces 5 --memory 1GB")]
pub(super) struct Options {
    /// Maximum number of pieces on the board
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=MAX))]
    pieces: u8,
    #[command(flatten)]
    pub(super) request: Request,
    /// Maximum memory for positions and for tables being compressed, such as 1GB
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, help_heading = ADVANCED)]
    memory: Option<u64>,
    /// Also store the distance to the end, in plies
    #[arg(long)]
    dtw: bool,
}

/// The result of a build. Pairs are a class and its mirror.
#[derive(Serialize)]
struct Answer<'a> {
    variant: &'a str,
    pieces: u8,
    folder: String,
    solved_pairs: usize,
    kept_pairs: usize,
    bytes_written: u64,
}

impl BuildObserver for Meter {
    fn save(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let write = || {
            fs::create_dir_all(folder_of(path))?;
            let mut pending = Pending::create(folder_of(path), None)?;
            if let Err(error) = pending.write_all(bytes) {
                pending.discard();
                return Err(error);
            }
            pending.persist(path)
        };
        write().map_err(|error| Error::write(path, error))?;
        self.written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let (variant, folder) = (context.rules(), options.request.folder()?);
    let wanted = BuildOptions { pieces: options.pieces, distances: options.dtw, memory: options.memory };
    set_farewell(|| "the tables built so far are kept; repeat the command to continue".to_owned());
    let meter = Meter::new(context.quiet);
    let summary = context.pool()?.install(|| build(variant, &folder, wanted, &meter))?;
    let answer = Answer {
        variant: variant.name(),
        pieces: options.pieces,
        folder: folder.to_string_lossy().into_owned(),
        solved_pairs: summary.solved,
        kept_pairs: summary.kept,
        bytes_written: meter.written.load(Ordering::Relaxed),
    };
    context.answer(options.request.format, &answer, || plain(&answer))
}

fn plain(answer: &Answer<'_>) -> String {
    let Answer { variant, pieces, folder, solved_pairs, kept_pairs, bytes_written } = answer;
    format!(
        "{variant}, 2 to {pieces} pieces: {solved_pairs} pairs of classes solved, {kept_pairs} kept; \
         {bytes_written} bytes written to {folder}\n"
    )
}
