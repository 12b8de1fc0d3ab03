//! Options that all commands share, and the parsers of their values.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::context::Context;
use super::words::counted;
use crate::diag::Code;
use crate::engine::{Asker, Engine, EngineOptions, Knowledge};
use crate::error::Result;
use crate::export::{CsvOptions, Excel};
use crate::link::{read_book, set_varied_book};
use crate::notation::{GameType, GameTypeError};
use crate::options::Named;
pub(super) use crate::options::{ADVANCED, parse_memory, parse_seconds};
use crate::rules::Variant;
use crate::source::ChunkOptions;
pub(super) use crate::source::RequestedEncoding;

/// Options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Common {
    /// Read every game as this variant, given as a name, a GameType number or a GameType value
    #[arg(long, global = true, value_name = "V", value_parser = variants(), hide_possible_values = true)]
    pub(super) variant: Option<Variant>,
    /// Read every game by the rules in FILE; `pdn variants NAME` writes such a file
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "variant")]
    pub(super) rules: Option<PathBuf>,
    /// Replace names of players and events as listed in FILE, in lines `alias = name`; `pdn players` suggests such lines
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) aliases: Option<PathBuf>,
    /// Number of threads; values above 256 count as 256 [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Write to FILE instead of standard output; FILE is replaced only when the output is complete
    #[arg(short, long, global = true, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Print nothing but results and errors
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Read settings from FILE instead of the nearest pdn.toml in or above the folder of each record
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config")]
    pub(super) config: Option<PathBuf>,
    /// Read no pdn.toml
    #[arg(long, global = true)]
    pub(super) no_config: bool,
    /// Use the settings of [profiles.NAME] in pdn.toml
    #[arg(long, global = true, value_name = "NAME", conflicts_with = "no_config")]
    pub(super) profile: Option<String>,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: When,
}

/// The format of an output. Each command has some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Plain,
    Text,
    Table,
    Human,
    Json,
    Csv,
    Pdn,
    Html,
    Pdf,
    Svg,
    Png,
    Gif,
    Xlsx,
    Sarif,
    Github,
}

/// The formats of commands with short answers.
pub(super) const PLAIN_OR_JSON: [(Format, &str); 2] = [(Format::Plain, ""), (Format::Json, "")];

/// Returns the parser of some formats, each with its meaning for the command unless the name is clear.
pub(super) fn formats<const N: usize>(allowed: [(Format, &'static str); N]) -> impl TypedValueParser<Value = Format> {
    let value = |(format, help): (Format, &'static str)| {
        let value = format.to_possible_value().expect("no format is skipped");
        if help.is_empty() { value } else { value.help(help) }
    };
    let parse = |name: String| Format::from_str(&name, false).expect("the name of a format");
    PossibleValuesParser::new(allowed.map(value)).map(parse)
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    /// On a terminal, unless the environment variable `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The files that a command reads.
#[derive(Clone, Debug, Args)]
pub(super) struct Files {
    /// Files, folders (every `*.pdn` below them) or `-` for standard input; gzip, zstd, bzip2 and xz are decompressed, and ZIP
    /// archives are read member by member
    #[arg(required_unless_present = "list", value_name = "FILE")]
    pub(super) paths: Vec<PathBuf>,
    /// Also read the files listed in LIST, one per line or separated by NUL bytes; `-` for standard input
    #[arg(long = "files-from", value_name = "LIST", help_heading = ADVANCED)]
    pub(super) list: Option<PathBuf>,
    /// Also read files in folders and archives whose names match PATTERN, such as `*.LDF*`; may be repeated
    #[arg(long, value_name = "PATTERN", value_parser = glob::Pattern::new, help_heading = ADVANCED)]
    pub(super) include: Vec<glob::Pattern>,
    /// Maximum size of a game; a larger one is reported, and the rest of it is not read
    #[arg(long, value_name = "SIZE", default_value = "64MB", value_parser = parse_size, help_heading = ADVANCED)]
    pub(super) max_game: usize,
    /// Encoding of all games: any web encoding label, such as utf-8, utf-16le, windows-1251 or koi8-r, or cp437 or cp850 [default:
    /// detected]
    #[arg(long, value_name = "NAME", help_heading = ADVANCED)]
    pub(super) encoding: Option<RequestedEncoding>,
}

impl Files {
    /// Returns the paths of the records; the command has settings.
    #[expect(clippy::unnecessary_wraps, reason = "other commands may read no records")]
    pub(super) fn records(&self) -> Option<&[PathBuf]> {
        Some(&self.paths)
    }

    /// Returns how files are cut into chunks.
    pub(super) fn chunk_options(&self) -> ChunkOptions {
        let utf16 = self.encoding.and_then(RequestedEncoding::utf16);
        let recode = self.encoding.and_then(RequestedEncoding::recode);
        ChunkOptions { max_game: self.max_game, utf16, recode, ..ChunkOptions::default() }
    }
}

/// Returns the parser of variants: names, GameType numbers and values.
pub(super) fn variants() -> Named<Variant> {
    Named::with(variant_names, parse_variant)
}

fn variant_names() -> Vec<&'static str> {
    Variant::ALL.iter().map(|variant| variant.name()).collect()
}

pub(super) fn parse_variant(text: &str) -> Result<Variant, String> {
    text.parse().map_err(|_| match GameType::read(text) {
        Err(error @ (GameTypeError::American(_) | GameTypeError::OtherGame { .. })) => error.to_string(),
        _ => format!("expected a GameType number or one of {}", variant_names().join(", ")),
    })
}

/// Returns the parser of codes.
pub(super) fn codes() -> Named<Code> {
    Named::new(|| Code::all().map(Code::name).collect())
}

/// Parses a positive integer.
pub(super) fn positive<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected an integer, at least 1".to_owned())
}

/// Parses a number of bytes: `1000`, `64kB`, `64MB`, `1GiB`.
fn parse_size(text: &str) -> Result<usize, String> {
    // Spans within a game have 32 bits.
    const MAX_SIZE: u64 = 2 << 30;
    let size = parse_memory(text)?;
    if size <= MAX_SIZE { Ok(size as usize) } else { Err("expected a size from 1 byte to 2GiB".to_owned()) }
}

/// The evaluation of the built-in engine.
#[derive(Clone, Debug, Args)]
pub(super) struct Evaluation {
    /// Evaluate with the weights in FILE, or without weights if FILE is `hand-made` [default: the built-in weights]
    #[arg(long, value_name = "FILE", help_heading = ADVANCED)]
    weights: Option<Knowledge>,
}

impl Evaluation {
    pub(super) fn knowledge(&self) -> Knowledge {
        self.weights.clone().unwrap_or_default()
    }

    /// Returns the evaluation for a command that plays only one variant.
    ///
    /// # Errors
    ///
    /// If the weights are for another variant.
    pub(super) fn knowledge_for(&self, variant: Variant) -> Result<Knowledge> {
        let knowledge = self.knowledge();
        knowledge.check(variant).map(|()| knowledge)
    }
}

/// The engine of each job.
#[derive(Clone, Debug, Args)]
pub(super) struct JobEngine {
    /// Size of each job's transposition table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, help_heading = ADVANCED)]
    hash: usize,
    #[command(flatten)]
    evaluation: Evaluation,
}

impl JobEngine {
    /// Returns the options of the engine.
    ///
    /// # Errors
    ///
    /// If the size of its table is invalid or does not fit into memory.
    pub(super) fn options(&self) -> Result<EngineOptions> {
        let options = EngineOptions::checked(self.hash, 1, Asker::Owner)?;
        Ok(options.with_knowledge(self.evaluation.knowledge()))
    }
}

/// CSV options, for commands whose JSON options do not include them.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Csv {
    /// For CSV: put an apostrophe before text that a spreadsheet would treat as a formula because it starts with `=`, `+`, `-` or `@`
    #[arg(long, help_heading = ADVANCED)]
    escape_formulas: bool,
    /// For CSV: write for spreadsheets, with a byte order mark, CRLF and escaped formulas, and keep results and moves from becoming dates
    #[arg(long, value_name = "SEPARATOR", num_args = 0..=1, require_equals = true, default_missing_value = "auto", help_heading = ADVANCED)]
    excel: Option<Excel>,
}

impl Csv {
    pub(super) fn options(self) -> CsvOptions {
        CsvOptions { escape_formulas: self.escape_formulas, excel: self.excel.map(Excel::of_this_system) }
    }
}

/// The opening book of the built-in engine.
#[derive(Debug, Args)]
pub(super) struct OpeningBook {
    /// Play moves from the games in FILE, in proportion to their numbers of games: up to move 20, with variations, but without moves
    /// marked ?!, ? or ??
    #[arg(long, value_name = "FILE", help_heading = ADVANCED)]
    book: Option<PathBuf>,
}

impl OpeningBook {
    /// Returns the file.
    pub(super) fn path(&self) -> Option<PathBuf> {
        self.book.clone()
    }

    /// Checks that there is a book for a variant.
    pub(super) fn check(&self, variant: Variant, context: &Context) -> Result<()> {
        self.book.as_deref().map_or(Ok(()), |path| check_book(path, variant, context))
    }

    /// Gives an engine the book.
    pub(super) fn give(&self, engine: &mut Engine, context: &Context) -> Result<()> {
        let Some(path) = &self.book else { return Ok(()) };
        inform_of_cut_games(path, set_varied_book(engine, path)?, context);
        Ok(())
    }
}

/// Checks that a file has an opening book for a variant, and says how many of its games are not read to their ends.
pub(super) fn check_book(path: &Path, variant: Variant, context: &Context) -> Result<()> {
    inform_of_cut_games(path, read_book(path, variant)?.1, context);
    Ok(())
}

fn inform_of_cut_games(path: &Path, cut: u64, context: &Context) {
    if cut > 0 {
        let (games, path) = (counted(cut, "game stops", "games stop"), path.display());
        context.inform(&format!("{path}: {games} at an error in the opening book; run `pdn check` for details"));
    }
}

/// The endgame databases.
#[derive(Clone, Debug, Args)]
pub(super) struct Endgames {
    /// Use the endgame databases in DIR in addition to the built-in ones
    #[arg(long, value_name = "DIR", help_heading = ADVANCED)]
    egdb: Option<PathBuf>,
}

impl Endgames {
    /// Returns the folder, if one is named.
    pub(super) fn egdb(&self) -> Option<&Path> {
        self.egdb.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, size) in [("1", 1), ("10b", 10), ("64MB", 64_000_000), ("2k", 2000), ("1 MiB", 1 << 20)] {
            assert_eq!(parse_size(text), Ok(size), "{text}");
        }
        for text in ["", "0", "MB", "1.5MB", "-1", "9999999999999GB", "3GiB", "1 potato"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn variants_by_name_and_game_type() {
        assert_eq!(parse_variant("russian"), Ok(Variant::RUSSIAN));
        assert_eq!(parse_variant("20"), Ok(Variant::INTERNATIONAL));
        assert!(parse_variant("ludo").is_err_and(|message| message.contains("international")));
        assert!(
            parse_variant("american").is_err_and(|message| message.contains("GameType 21) or American pool (pool"))
        );
        assert_eq!(parse_variant("0"), Err("game type 0 is chess, which is not draughts".to_owned()));
    }
}
