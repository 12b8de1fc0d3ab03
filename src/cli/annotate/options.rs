//! The options of `pdn annotate`.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::annotate::{AnnotateOptions, EnginePool, GameAnnotator, Shard};
use crate::cli::options::{ADVANCED, Csv, Endgames, Files, JobEngine, parse_seconds};
use crate::cli::output::Growth;
use crate::egdb::Databases;
use crate::error::{Error, Result};
use crate::export::{RecordFormat, RecordWriter, Table};
use crate::link::{CommandLine, Timeouts};

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
/// With --plain, the output has no commands, only signs, variations and words. --clean removes what earlier runs added, as far as
/// commands or the Annotator tag name it, and reports what stays because a person may have written it.
///
/// With -o FILE, annotated games are in FILE.part until all are done. With --checkpoint or --cache, repeating the command continues
/// an interrupted run; otherwise, the FILE.part of an interrupted run is not replaced. With --shard I/N, N runs share a collection: their
/// outputs, joined in order, are the output of one run. With --out-dir, each input belongs to one run, which writes its file.
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
  pdn annotate --plain --words games.pdn -o book.pdn
  pdn annotate --clean annotated.pdn -o games.pdn
  pdn annotate --multipv 3 --variations games.pdn -o annotated.pdn
  pdn annotate --cache searches.jsonl games.pdn -o annotated.pdn
  pdn annotate --shard 2/5 games.pdn -o part2.pdn
  pdn annotate --depth 15 --engine 'scan hub' games.pdn")]
pub(in crate::cli) struct Options {
    #[command(flatten)]
    pub(in crate::cli) files: Files,
    #[command(flatten)]
    pub(super) annotate: AnnotateOptions,
    /// Command line of an engine that speaks Hub, to use instead of the built-in engine; with parameters, as
    /// 'hub:scan hub{threads=2}'
    #[arg(long, value_name = "CMD", conflicts_with_all = ["hash", "weights", "egdb", "clean"])]
    engine: Option<CommandLine>,
    /// Seconds the engine may take to start, and to answer beyond its time limit
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, requires = "engine", help_heading = ADVANCED)]
    engine_timeout: Duration,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "pdn", value_parser = formats())]
    pub(super) to: String,
    /// For CSV: one row per game, move or player [default: moves]
    #[arg(long, value_name = "TABLE", value_parser = PossibleValuesParser::new(["games", "moves", "players"]))]
    table: Option<String>,
    /// Write one file per input to DIR, with the name of the input
    #[arg(long, value_name = "DIR")]
    pub(super) out_dir: Option<PathBuf>,
    /// Annotate and write only the I-th of N parts, which have nearly the same number of games; with --out-dir, each input belongs to one part
    #[arg(long, value_name = "I/N", help_heading = ADVANCED)]
    pub(in crate::cli) shard: Option<Shard>,
    /// Print the summary at the end even if standard error is not a terminal
    #[arg(long, conflicts_with = "clean", help_heading = ADVANCED)]
    summary: bool,
    /// Save the searches of finished games to FILE; if FILE exists, continue from there
    #[arg(long, value_name = "FILE", conflicts_with = "clean")]
    pub(in crate::cli) checkpoint: Option<PathBuf>,
    /// The same as --checkpoint; the output is the same, but no game is searched twice in the same way
    #[arg(long, value_name = "FILE", conflicts_with = "clean")]
    pub(in crate::cli) cache: Option<PathBuf>,
    #[command(flatten)]
    job: JobEngine,
    #[command(flatten)]
    pub(in crate::cli) endgames: Endgames,
    #[command(flatten)]
    csv: Csv,
}

/// Returns the names of the formats.
fn formats() -> PossibleValuesParser {
    let formats = [
        ("pdn", "The records with evaluations, marks and best lines"),
        ("json", "A JSON array of games"),
        ("jsonl", "One JSON object per game"),
        ("csv", "One row per game, move or player"),
        ("lidraughts", "Games of Lidraughts, one JSON object per game"),
    ];
    PossibleValuesParser::new(formats.map(|(name, help)| PossibleValue::new(name).help(help)))
}

impl Options {
    /// Returns the limit of the built-in engine for each position, in nodes; `None` for another limit or engine.
    pub(super) fn nodes(&self) -> Option<u64> {
        self.annotate.limit().nodes.filter(|_| self.engine.is_none())
    }

    /// Returns true if there is a checkpoint or a cache to continue from.
    pub(in crate::cli) fn continues(&self) -> bool {
        [&self.checkpoint, &self.cache].into_iter().flatten().any(|journal| journal.exists())
    }

    /// Returns true if the output is the records themselves.
    pub(in crate::cli) fn writes_records(&self) -> bool {
        self.to == "pdn"
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
        if self.table.is_some() && !self.is_table() {
            return Err(Error::usage("--table needs --to csv"));
        }
        let AnnotateOptions { lines, variations, plain, clean, .. } = self.annotate;
        if (plain || clean) && !self.writes_records() {
            let option = if plain { "--plain" } else { "--clean" };
            return Err(Error::usage(format!("{option} writes PDN and cannot be used with --to {}", self.to)));
        }
        self.annotate.check()?;
        let is_whole = self.shard.is_none() && self.out_dir.is_none();
        if self.rows() == Table::Players && !is_whole {
            let advice = "annotate the records to PDN, and then use `pdn convert --to csv --table players`";
            return Err(Error::usage(format!("the table of players needs all games: {advice}")));
        }
        if self.is_table() && (lines > 1 || variations) {
            let option = if variations { "--variations" } else { "--multipv" };
            return Err(Error::usage(format!("{option} needs PDN or JSON: tables hold only the moves of main lines")));
        }
        if self.engine.is_none() {
            self.job.options()?;
        }
        Ok(())
    }

    /// Returns what is said if no game has the player.
    pub(super) fn nobody(&self) -> Option<String> {
        let AnnotateOptions { player, side, from_ply, to_ply, .. } = &self.annotate;
        let player = player.as_ref().filter(|_| !self.cleans())?;
        let what = if side.is_some() || *from_ply > 1 || to_ply.is_some() { "such move" } else { "game" };
        let place = if self.shard.is_some() { " in this part" } else { "" };
        Some(format!("nothing is annotated{place}: no {what} of a player whose name contains `{player}`"))
    }

    fn is_table(&self) -> bool {
        self.to == "csv"
    }

    /// Returns what the rows of a table are.
    fn rows(&self) -> Table {
        match self.table.as_deref() {
            Some("games") => Table::Games,
            Some("players") => Table::Players,
            _ => Table::Moves,
        }
    }

    /// Returns what writes the games.
    pub(super) fn writer(&self) -> Arc<dyn RecordWriter> {
        let format = RecordFormat::named(&self.to).expect("each format of this command is one of records");
        format.writer(self.rows(), self.csv.options())
    }

    /// Returns true if the summary is printed.
    pub(super) fn wants_summary(&self) -> bool {
        self.summary || stderr().is_terminal() && !self.cleans()
    }

    /// Returns true if annotations are removed instead of added.
    pub(super) const fn cleans(&self) -> bool {
        self.annotate.clean
    }

    /// Returns what annotates the games.
    ///
    /// # Errors
    ///
    /// If an engine does not start, or a file cannot be read or written.
    pub(super) fn annotator(&self, databases: Databases) -> Result<GameAnnotator> {
        let engines = match &self.engine {
            Some(command) => EnginePool::try_hub(command, Timeouts::new(self.engine_timeout, self.engine_timeout))?,
            None => EnginePool::built_in(self.job.options()?.with_databases(databases)),
        };
        let annotator = GameAnnotator::new(engines, self.annotate.clone());
        let (first, second) = (self.checkpoint.as_deref(), self.cache.as_deref());
        // The files of searches may be one.
        let second = second.filter(|path| !first.is_some_and(|first| Growth::Hidden.replaces(first, path)));
        first.into_iter().chain(second).try_fold(annotator, GameAnnotator::with_journal)
    }
}
