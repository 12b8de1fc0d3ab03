//! `pdn cache`: the analyses that `annotate --cache` keeps.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::context::{Context, Status};
use super::options::{Format, PLAIN_OR_JSON, formats};
use super::output::Growth;
use super::pending::{Pending, folder_of};
use super::words::count;
use crate::annotate::{AnalysisCache, CacheCount, CachedAnswer};
use crate::engine::Score;
use crate::error::{Error, Result};
use crate::notation::Numbering;
use crate::rules::{Move, Position};

/// Manage the analyses that `annotate --cache` saves
///
/// A cache stores analyses. An analysis is used again only if the position, the earlier positions that can occur again, and the
/// engine with its version, weights and limit are the same.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  pdn cache stats positions.cache
  pdn cache merge all.cache part1.cache part2.cache"
)]
pub(super) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Count the analyses of each engine, and their size in bytes
    #[command(after_help = "\
Examples:
  pdn cache stats positions.cache
  pdn cache stats --format json positions.cache")]
    Stats {
        /// The cache
        cache: PathBuf,
        /// Output format
        #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
        format: Format,
    },
    /// Add the analyses of other caches to a cache, which is created if it does not exist
    #[command(after_help = "\
Examples:
  pdn cache merge all.cache part1.cache part2.cache")]
    Merge {
        /// The cache to add to
        cache: PathBuf,
        /// Other caches
        #[arg(required = true)]
        others: Vec<PathBuf>,
    },
    /// Write all analyses as JSON, one object per line
    #[command(after_help = "\
Examples:
  pdn cache export positions.cache -o positions.jsonl")]
    Export {
        /// The cache
        cache: PathBuf,
    },
    /// Remove the analyses by other versions of the program, or by other engines
    #[command(after_help = "\
Examples:
  pdn cache prune positions.cache
  pdn cache prune --keep 'nodes 20000' positions.cache")]
    Prune {
        /// The cache
        cache: PathBuf,
        /// Keep only the analyses by engines whose name, as shown by `stats`, contains TEXT
        #[arg(long, value_name = "TEXT")]
        keep: Option<String>,
    },
}

impl Options {
    /// Returns the caches.
    fn caches(&self) -> impl Iterator<Item = &PathBuf> {
        let (cache, others) = match &self.what {
            What::Stats { cache, .. } | What::Export { cache } | What::Prune { cache, .. } => (cache, &[][..]),
            What::Merge { cache, others } => (cache, &others[..]),
        };
        std::iter::once(cache).chain(others)
    }
}

/// Suppresses the panic messages of the database, which panics on damaged files; the damage is reported instead.
pub(super) fn hide_panics_of_the_database() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !panic.location().is_some_and(|place| place.file().contains("redb")) {
            others(panic);
        }
    }));
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if let Some(output) = context.out.path()
        && options.caches().any(|cache| Growth::Hidden.replaces(output, cache))
    {
        return Err(Error::usage(format!("{}: the cache and the output are the same file", output.display())));
    }
    hide_panics_of_the_database();
    match &options.what {
        What::Stats { cache, format } => stats(&existing(cache)?, *format, context)?,
        What::Merge { cache, others } => merge(cache, others, context)?,
        What::Export { cache } => existing(cache)?.each(|answer| context.json(&AnswerRow::of(&answer)))?,
        What::Prune { cache, keep } => prune(&mut existing(cache)?, keep.as_deref(), context)?,
    }
    Ok(Status::Clean)
}

/// Opens a cache that must exist.
fn existing(path: &Path) -> Result<AnalysisCache> {
    let metadata = std::fs::metadata(path).map_err(|error| Error::read(path, error))?;
    if metadata.len() == 0 {
        return Err(Error::unavailable(format!("{}: an empty file, not a cache", path.display())));
    }
    AnalysisCache::open(path)
}

#[derive(Serialize)]
struct CountRow<'a> {
    engine: &'a str,
    positions: u64,
    bytes: u64,
}

fn stats(cache: &AnalysisCache, format: Format, context: &mut Context) -> Result<()> {
    for (engine, CacheCount { answers, bytes, .. }) in cache.counts()? {
        let row = CountRow { engine: &engine, positions: answers, bytes };
        context.answer(format, &row, || format!("{answers} positions, {bytes} bytes: {engine}\n"))?;
    }
    Ok(())
}

/// Adds all analyses of `others`, or none. A new cache gets its final name when it is complete.
fn merge(cache: &Path, others: &[PathBuf], context: &mut Context) -> Result<()> {
    if others.iter().any(|other| is_same(cache, other)) {
        return Err(Error::usage(format!("{}: a cache cannot be merged with itself", cache.display())));
    }
    let opened = others.iter().map(|other| existing(other));
    let added =
        if cache.exists() { AnalysisCache::open(cache)?.merge(opened)? } else { merge_into_new(cache, opened)? };
    context.inform(&format!("{} added", count(added, "position")));
    Ok(())
}

fn merge_into_new(path: &Path, others: impl Iterator<Item = Result<AnalysisCache>>) -> Result<u64> {
    let failed = |error| Error::write(path, error);
    let pending = Pending::create(folder_of(path), None).map_err(failed)?;
    let added = AnalysisCache::create_in(pending.file().try_clone().map_err(failed)?, path)?.merge(others)?;
    pending.persist(path).map_err(failed)?;
    Ok(added)
}

/// Returns true if both paths refer to the same file.
fn is_same(a: &Path, b: &Path) -> bool {
    a.canonicalize().ok().zip(b.canonicalize().ok()).is_some_and(|(a, b)| a == b)
}

fn prune(cache: &mut AnalysisCache, keep: Option<&str>, context: &mut Context) -> Result<()> {
    let current = format!("pdn {} ", env!("CARGO_PKG_VERSION"));
    let removed =
        cache.prune(|engine| keep.map_or_else(|| engine.starts_with(&current), |text| engine.contains(text)))?;
    context.inform(&format!("{} removed", count(removed, "position")));
    Ok(())
}

/// An analysis; the score is that of the side to move.
#[derive(Serialize)]
struct AnswerRow<'a> {
    engine: &'a str,
    variant: Option<&'static str>,
    fen: Option<String>,
    history: usize,
    score: Option<ScoreRow>,
    depth: Option<u32>,
    nodes: Option<u64>,
    line: Vec<String>,
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

impl<'a> AnswerRow<'a> {
    fn of(answer: &CachedAnswer<'a>) -> Self {
        let variant = answer.position().map(|position| position.variant());
        let analysis = answer.analysis();
        Self {
            engine: answer.engine(),
            variant: variant.map(crate::rules::Variant::name),
            fen: answer.position().map(|position| position.fen_in(Numbering::for_variant(position.variant()))),
            history: answer.history(),
            score: analysis.map(|analysis| ScoreRow::of(analysis.score())),
            depth: analysis.map(crate::engine::Analysis::depth),
            nodes: analysis.map(crate::engine::Analysis::nodes),
            line: answer
                .position()
                .zip(analysis)
                .map_or_else(Vec::new, |(position, analysis)| names(position, analysis.pv())),
        }
    }
}

/// Returns the notations of a line.
fn names(mut position: Position, line: &[Move]) -> Vec<String> {
    let name = |played: &Move| {
        let name = position.short(played);
        position = position.play_unchecked(played);
        name
    };
    line.iter().map(name).collect()
}
