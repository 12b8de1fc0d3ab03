//! The options of `pdn annotate`.

use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::annotate::{AnnotateOptions, EnginePool, FormerEvaluations, GameAnnotator, JudgementScale, Shard};
use crate::board::Side;
use crate::cli::options::{ADVANCED, Endgames, Evaluation, Files, parse_command, parse_seconds};
use crate::cli::output::Growth;
use crate::egdb::Databases;
use crate::engine::{EngineOptions, Limit};
use crate::error::{Error, Result};
use crate::export::{CsvOptions, RecordFormat, RecordWriter, Table};
use crate::link::{CommandLine, Timeouts};
use crate::text::Language;

/// Nodes for each position if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Add engine evaluations to records
///
/// Each move of the main line, and with --variations of every line, gets the evaluation of the position after it, from White's
/// point of view. A move that gives away too much is marked as an inaccuracy, a mistake or a blunder (?! ? ??) if deeper searches
/// of the move and the best alternative confirm it, and the best line is added as a variation. With limits on depth or nodes,
/// the output is the same on every machine and with any number of jobs. On a terminal, a summary with the players' accuracy is
/// printed at the end.
///
/// Annotating again replaces earlier evaluations, marks and best lines; with the same limits, the output is the same. A command
/// [%pdn mark=… line=…] after an evaluation names the mark and, by checksum, the best lines that were added with it. Anything
/// else, including lines that were edited, is left unchanged.
///
/// With -o FILE, annotated games are in FILE.part until all are done. With --checkpoint, repeating the command continues an
/// interrupted run. With --shard I/N, N runs share a collection: their outputs, joined in order, are the output of one run.
///
/// With --engine, an external engine is used instead of the built-in one, with one process per job. It is restarted after a
/// failure. Games that fail are reported and left unchanged, and the exit status is 2.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn annotate games.pdn -o annotated.pdn
  pdn annotate --depth 12 --to csv games.pdn
  pdn annotate --nodes 20000 --to csv --table players games.pdn
  pdn annotate --nodes 1000000 --checkpoint run.jsonl archive/ -o annotated.pdn
  pdn annotate --words --lang nl games.pdn -o annotated.pdn
  pdn annotate --multipv 3 --variations games.pdn -o annotated.pdn
  pdn annotate --cache searches.jsonl games.pdn -o annotated.pdn
  pdn annotate --shard 2/5 games.pdn -o part2.pdn
  pdn annotate --depth 15 --engine 'scan hub' games.pdn")]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(in crate::cli) struct Options {
    #[command(flatten)]
    pub(in crate::cli) files: Files,
    /// Search depth for each position, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes for each position, in the mean of a game [default: 100000 unless another limit is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds for each position, in the mean of a game
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Add the N best moves of each position, each with its evaluation and line; their search gets N times the limit
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    multipv: u32,
    /// Annotate the moves of variations too, except for best lines added by an earlier run
    #[arg(long)]
    variations: bool,
    /// Explain marked moves and shots in words, as comments after the moves
    #[arg(long)]
    words: bool,
    /// Language of the words and of the summary: en, nl, fr, it, pt or ru
    #[arg(long, value_name = "LANG", default_value_t)]
    pub(super) lang: Language,
    /// Find the shots that were played, missed, allowed or prevented [always with --words]
    #[arg(long)]
    shots: bool,
    /// Command line of an engine that speaks Hub, to use instead of the built-in engine
    #[arg(long, value_name = "CMD", value_parser = parse_command, conflicts_with_all = ["hash", "weights", "egdb"])]
    engine: Option<CommandLine>,
    /// Seconds the engine may take to start, and to answer beyond its time limit
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, requires = "engine", help_heading = ADVANCED)]
    engine_timeout: Duration,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "pdn")]
    to: Format,
    /// For CSV: one row per move or one row per player [default: moves]
    #[arg(long, value_name = "TABLE")]
    table: Option<TableName>,
    /// Write one file per input to DIR, with the name of the input
    #[arg(long, value_name = "DIR", conflicts_with = "shard")]
    pub(super) out_dir: Option<PathBuf>,
    /// Annotate and write only the I-th of N parts, which have nearly the same number of games
    #[arg(long, value_name = "I/N", help_heading = ADVANCED)]
    pub(super) shard: Option<Shard>,
    /// Keep the evaluations in the records; other moves get new ones
    #[arg(long)]
    keep_evals: bool,
    /// Annotate only the moves of players whose name contains NAME; all other moves stay unchanged
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Annotate only the moves of this side
    #[arg(long, value_name = "SIDE")]
    side: Option<SideName>,
    /// First ply to annotate, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), help_heading = ADVANCED)]
    from_ply: u32,
    /// Last ply to annotate
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = ADVANCED)]
    to_ply: Option<u32>,
    /// Print the summary at the end even if standard error is not a terminal
    #[arg(long, help_heading = ADVANCED)]
    summary: bool,
    /// Save the searches of finished games to FILE; if FILE exists, continue from there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// The same as --checkpoint; the output is the same, but no game is searched twice in the same way
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Size of each job's transposition table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536), help_heading = ADVANCED)]
    hash: u32,
    #[command(flatten)]
    evaluation: Evaluation,
    #[command(flatten)]
    pub(in crate::cli) endgames: Endgames,
    /// Evaluation, in centi-men, at which about 85 % of the points are expected, in all phases [default: depends on variant and
    /// phase]
    #[arg(long, value_name = "CM", value_parser = clap::value_parser!(u32).range(1..), help_heading = ADVANCED)]
    scale: Option<u32>,
    // The margin is quoted in the help, so this is not a documentation comment.
    #[arg(long, value_name = "LOSSES", default_value = "0.1,0.15,0.2", value_parser = parse_thresholds, help_heading = ADVANCED)]
    #[arg(help = thresholds_help())]
    thresholds: Thresholds,
}

/// Smallest losses for an inaccuracy, a mistake and a blunder, in thousandths of a point.
type Thresholds = [u16; 3];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The records with evaluations, marks and best lines
    Pdn,
    /// A JSON array of games
    Json,
    /// One JSON object per game
    Jsonl,
    /// One row per move or player
    Csv,
    /// Games of Lidraughts, one JSON object per game
    Lidraughts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableName {
    Moves,
    Players,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SideName {
    #[value(name = "W", alias = "w", alias = "white")]
    White,
    #[value(name = "B", alias = "b", alias = "black")]
    Black,
}

fn thresholds_help() -> String {
    let margin = f64::from(JudgementScale::MARGIN) / 1000.0;
    format!(
        "Smallest losses for an inaccuracy, a mistake and a blunder, in points; to be marked, a move must lose {margin} more"
    )
}

/// Parses three losses from 0 to 1, such as `0.15,0.2,0.25`, into thousandths of a point.
fn parse_thresholds(text: &str) -> Result<Thresholds, String> {
    let loss = |text: &str| text.trim().parse::<f64>().ok().filter(|loss| (0.001..=1.0).contains(loss));
    let losses: Option<Vec<u16>> = text.split(',').map(|text| Some((1000.0 * loss(text)?).round() as u16)).collect();
    let losses = losses.and_then(|losses| Thresholds::try_from(losses).ok());
    let message = "expected three increasing losses, such as 0.15,0.2,0.25";
    losses.filter(|losses| losses.is_sorted()).ok_or_else(|| message.to_owned())
}

impl Options {
    fn limit(&self) -> Limit {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        let mut limit = Limit::none();
        limit.depth = self.depth;
        limit.nodes = self.nodes.or(unlimited.then_some(DEFAULT_NODES));
        limit.time = self.time;
        limit
    }

    /// Returns the checkpoint, if there is one.
    pub(in crate::cli) fn checkpoint(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// Returns the cache, if there is one.
    pub(in crate::cli) fn cache(&self) -> Option<&Path> {
        self.cache.as_deref()
    }

    /// Returns true if the output is the records themselves.
    pub(in crate::cli) fn writes_records(&self) -> bool {
        self.to == Format::Pdn
    }

    /// Checks what can be checked before anything is read or written.
    ///
    /// # Errors
    ///
    /// If options contradict each other, or if the engine does not fit into memory.
    pub(super) fn check(&self, has_output: bool) -> Result<()> {
        if self.out_dir.is_some() && has_output {
            return Err(Error::usage("--out-dir cannot be used with -o"));
        }
        if self.table.is_some() && self.to != Format::Csv {
            return Err(Error::usage("--table needs --to csv"));
        }
        if let Some(last) = self.to_ply.filter(|&last| last < self.from_ply) {
            return Err(Error::usage(format!(
                "--from-ply {} is after --to-ply {last}: no move is annotated",
                self.from_ply
            )));
        }
        let is_whole = self.shard.is_none() && self.out_dir.is_none();
        if self.table == Some(TableName::Players) && !is_whole {
            let advice = "annotate the records to PDN, and then use `pdn convert --to csv --table players`";
            return Err(Error::usage(format!("the table of players needs all games: {advice}")));
        }
        if self.to == Format::Csv && (self.multipv > 1 || self.variations) {
            let option = if self.variations { "--variations" } else { "--multipv" };
            return Err(Error::usage(format!("{option} needs PDN or JSON: tables hold only the moves of main lines")));
        }
        if self.engine.is_none() {
            self.engine_options().check_memory()?;
        }
        Ok(())
    }

    /// Returns the name of the format.
    pub(super) const fn format(&self) -> &'static str {
        match self.to {
            Format::Pdn => "pdn",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            Format::Lidraughts => "lidraughts",
        }
    }

    /// Returns what writes the games.
    pub(super) fn writer(&self) -> Arc<dyn RecordWriter> {
        let table = if self.table == Some(TableName::Players) { Table::Players } else { Table::Moves };
        let format = RecordFormat::named(self.format()).expect("each format of this command is one of records");
        format.writer(table, CsvOptions::new())
    }

    /// Returns true if the summary is printed.
    pub(super) fn wants_summary(&self) -> bool {
        self.summary || stderr().is_terminal()
    }

    /// Returns what annotates the games.
    ///
    /// # Errors
    ///
    /// If an engine does not start, or a file cannot be read or written.
    pub(super) fn annotator(&self, databases: Databases) -> Result<GameAnnotator> {
        let scale = JudgementScale::default().with_thresholds(self.thresholds);
        let options = AnnotateOptions::new(self.limit())
            .with_scale(self.scale.map_or(scale, |centi_men| scale.with_scale(centi_men)))
            .with_side(self.side.map(Side::from))
            .with_plies(self.from_ply..=self.to_ply.unwrap_or(u32::MAX))
            .with_lines(self.multipv as usize)
            .with_variations(self.variations)
            .with_shots(self.shots)
            .with_former(if self.keep_evals { FormerEvaluations::Keep } else { FormerEvaluations::Replace })
            .with_player(self.player.clone())
            .with_words(self.words.then_some(self.lang));
        let engines = match &self.engine {
            Some(command) => EnginePool::try_hub(command, Timeouts::new(self.engine_timeout, self.engine_timeout))?,
            None => EnginePool::built_in(self.engine_options().with_databases(databases)),
        };
        let annotator = GameAnnotator::new(engines, options);
        self.journals().into_iter().try_fold(annotator, GameAnnotator::with_journal)
    }

    /// Returns the files of searches, without one that is named twice.
    fn journals(&self) -> Vec<&Path> {
        let is_second = |path: &&Path| !self.checkpoint().is_some_and(|first| Growth::Hidden.replaces(first, path));
        self.checkpoint().into_iter().chain(self.cache().filter(is_second)).collect()
    }

    fn engine_options(&self) -> EngineOptions {
        let options = EngineOptions::default().with_hash_mb(self.hash as usize);
        options.with_knowledge(self.evaluation.knowledge())
    }
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Self {
        match name {
            SideName::White => Self::White,
            SideName::Black => Self::Black,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_increase() {
        assert_eq!(parse_thresholds("0.1, 0.18,0.25"), Ok([100, 180, 250]));
        for text in ["", "0.1", "0.2,0.1,0.3", "0,0.1,0.2", "0.1,0.2,1.5", "0.1,0.2,0.3,0.4", "a,b,c"] {
            assert!(parse_thresholds(text).is_err(), "{text}");
        }
    }
}
