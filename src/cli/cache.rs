//! `pdn cache`: the searches that `annotate --cache` keeps.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::context::Context;
use super::options::{Format, PLAIN_OR_JSON, formats};
use super::words::count;
use crate::annotate::{GameJournal, JournalCount, SavedSearch};
use crate::engine::Score;
use crate::error::{Error, Result};
use crate::rules::{Position, Variant};

/// Manage the searches that `annotate --cache` or `--checkpoint` saves
///
/// A cache is a journal of games: for each, the searches of its positions. They are used again for the same moves, if the engine
/// with its version, weights and limit is the same.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  pdn cache stats searches.jsonl
  pdn cache merge all.jsonl part1.jsonl part2.jsonl"
)]
pub(super) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Count the games and searches of each engine, and their size in bytes
    #[command(after_help = "\
Examples:
  pdn cache stats searches.jsonl
  pdn cache stats --format json searches.jsonl")]
    Stats {
        /// The cache
        cache: PathBuf,
        /// Output format
        #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
        format: Format,
    },
    /// Add the games of other caches to a cache, which is created if it does not exist
    #[command(after_help = "\
Examples:
  pdn cache merge all.jsonl part1.jsonl part2.jsonl")]
    Merge {
        /// The cache to add to
        cache: PathBuf,
        /// Other caches
        #[arg(required = true)]
        others: Vec<PathBuf>,
    },
    /// Write all searches as JSON, one object per line
    #[command(after_help = "\
Examples:
  pdn cache export searches.jsonl -o positions.jsonl")]
    Export {
        /// The cache
        cache: PathBuf,
    },
    /// Remove the searches by other versions of the program, or by other engines
    #[command(after_help = "\
Examples:
  pdn cache prune searches.jsonl
  pdn cache prune --keep 'nodes 20000' searches.jsonl")]
    Prune {
        /// The cache
        cache: PathBuf,
        /// Keep only the searches by engines whose name, as shown by `stats`, contains TEXT
        #[arg(long, value_name = "TEXT")]
        keep: Option<String>,
    },
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    match &options.what {
        What::Stats { cache, format } => stats(&existing(cache)?, *format, context),
        What::Merge { cache, others } => merge(cache, others, context),
        What::Export { cache } => existing(cache)?.each(|_, record| {
            record.searches.iter().try_for_each(|search| context.json(&SearchRow::of(&record.engine, search)))
        }),
        What::Prune { cache, keep } => prune(existing(cache)?, keep.as_deref(), context),
    }
}

/// Opens a journal that must exist.
fn existing(path: &Path) -> Result<GameJournal> {
    let metadata = std::fs::metadata(path).map_err(|error| Error::read(path, error))?;
    // Opening an empty file would make a journal of it.
    if metadata.len() == 0 {
        return Err(Error::unavailable(format!("{}: an empty file, not a journal of annotated games", path.display())));
    }
    GameJournal::open(path)
}

#[derive(Serialize)]
struct CountRow<'a> {
    engine: &'a str,
    games: u64,
    positions: u64,
    bytes: u64,
}

fn stats(journal: &GameJournal, format: Format, context: &mut Context) -> Result<()> {
    for (engine, JournalCount { games, positions, bytes }) in journal.counts()? {
        let row = CountRow { engine: &engine, games, positions, bytes };
        let games = count(games, "game");
        context.answer(format, &row, || format!("{games}, {positions} positions, {bytes} bytes: {engine}\n"))?;
    }
    Ok(())
}

/// Adds all games of `others`, or none. A new file is removed if that fails.
fn merge(path: &Path, others: &[PathBuf], context: &mut Context) -> Result<()> {
    let file = path.canonicalize().ok();
    let is_same = |other: &PathBuf| file.is_some() && other.canonicalize().ok() == file;
    if others.iter().any(is_same) {
        return Err(Error::usage(format!("{}: a cache cannot be merged with itself", path.display())));
    }
    let is_new = !path.exists();
    let merged = GameJournal::open(path).and_then(|journal| journal.merge(others.iter().map(|other| existing(other))));
    if merged.is_err() && is_new {
        let _ = std::fs::remove_file(path);
    }
    context.inform(&format!("{} added", count(merged?, "game")));
    Ok(())
}

fn prune(journal: GameJournal, keep: Option<&str>, context: &mut Context) -> Result<()> {
    let current = format!("pdn {} ", env!("CARGO_PKG_VERSION"));
    let is_kept = |engine: &str| keep.map_or_else(|| engine.starts_with(&current), |text| engine.contains(text));
    let removed = journal.prune(is_kept)?;
    context.inform(&format!("{} removed", count(removed, "game")));
    Ok(())
}

/// A search; the score is that of the side to move.
#[derive(Serialize)]
struct SearchRow<'a> {
    engine: &'a str,
    variant: Option<&'static str>,
    fen: &'a str,
    history: usize,
    score: Option<ScoreRow>,
    depth: u32,
    nodes: u64,
    line: Vec<String>,
}

impl<'a> SearchRow<'a> {
    fn of(engine: &'a str, search: &'a SavedSearch) -> Self {
        let SavedSearch { fen, history, depth, nodes, .. } = search;
        // Only the name of the engine says of which variant a position is.
        let variant = engine.split(' ').find_map(|word| word.strip_prefix("variant=")).and_then(Variant::by_name);
        let position = variant.and_then(|variant| Position::from_fen(variant, fen).ok());
        let found = position.and_then(|position| Some((position, search.read(position)?)));
        Self {
            engine,
            variant: variant.map(Variant::name),
            fen,
            history: *history,
            score: found.as_ref().map(|(_, found)| ScoreRow::of(found.score())),
            depth: *depth,
            nodes: *nodes,
            line: found.map_or_else(Vec::new, |(position, found)| position.short_line(found.pv())),
        }
    }
}

/// A score in centi-men, or the plies to a win or a loss.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ScoreRow {
    Cm(i32),
    Win(u32),
    Loss(u32),
}

impl ScoreRow {
    fn of(score: Score) -> Self {
        match score.plies_to_end() {
            Some(plies) if score.is_win() => Self::Win(plies),
            Some(plies) => Self::Loss(plies),
            None => Self::Cm(score.value()),
        }
    }
}
