//! Options that all commands share, and the parsers of their values.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::diag::Code;
use crate::engine::{Asker, EngineOptions, Knowledge};
use crate::error::Result;
use crate::export::{CsvOptions, Excel};
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
    /// Number of threads, at most 256 [default: one per core]
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
    /// Maximum size of a game; the rest of a larger game is skipped
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
    text.parse().map_err(|_| format!("expected a GameType number or one of {}", variant_names().join(", ")))
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
        CsvOptions { escape_formulas: self.escape_formulas, excel: localized(self.excel) }
    }
}

/// Languages that write decimals with a comma, so that spreadsheets separate the cells of CSV by semicolons.
const COMMA_LANGUAGES: &str = "af az be bg bs ca cs da de el es et eu fi fr fy gl hr hu hy id is it ka kk lb lt lv mk nb nl nn no pl pt ro \
                               ru sk sl sq sr sv tr uk uz vi";

/// Countries that write decimals with a point in such a language.
const POINT_COUNTRIES: &str = "CH DO GT HN LI MX NI PA PE PR SV US";

/// Returns a separator in place of the one that the environment decides: on Windows the list separator of the user's settings, which
/// Excel uses; elsewhere, that of the first of `LC_ALL`, `LC_NUMERIC` and `LANG` that is set.
pub(super) fn localized(separator: Option<Excel>) -> Option<Excel> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = || ["LC_ALL", "LC_NUMERIC", "LANG"].into_iter().find_map(set).unwrap_or_default();
    let found = || list_separator().unwrap_or_else(|| separator_of(&locale()));
    separator.map(|separator| if separator == Excel::Auto { found() } else { separator })
}

/// Returns the list separator of the regional settings of Windows; `None` on other systems.
fn list_separator() -> Option<Excel> {
    let mut query = cfg!(windows).then(|| Command::new("reg"))?;
    let answer = query.args(["query", r"HKCU\Control Panel\International", "/v", "sList"]).output().ok()?;
    separator_in(&String::from_utf8_lossy(&answer.stdout))
}

/// Reads the list separator in the answer of `reg query`.
fn separator_in(answer: &str) -> Option<Excel> {
    let value = answer.lines().find_map(|line| line.trim().strip_prefix("sList"))?;
    match value.trim_start().strip_prefix("REG_SZ")?.trim() {
        ";" => Some(Excel::Semicolon),
        "," => Some(Excel::Comma),
        _ => None,
    }
}

/// Returns the separator of a locale such as `nl_NL.UTF-8`.
fn separator_of(locale: &str) -> Excel {
    let name = locale.split(['.', '@']).next().unwrap_or_default();
    let (language, country) = name.split_once(['_', '-']).unwrap_or((name, ""));
    let has = |list: &str, word: &str| list.split_whitespace().any(|known| known == word);
    if has(COMMA_LANGUAGES, language) && !has(POINT_COUNTRIES, country) { Excel::Semicolon } else { Excel::Comma }
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
    fn languages_have_separators() {
        for locale in ["nl_NL.UTF-8", "de_DE@euro", "fr", "pt_BR.UTF-8", "ru_RU", "es_ES"] {
            assert_eq!(separator_of(locale), Excel::Semicolon, "{locale}");
        }
        for locale in ["", "C", "C.UTF-8", "POSIX", "en_GB.UTF-8", "es_MX.UTF-8", "de_CH", "ja_JP.UTF-8"] {
            assert_eq!(separator_of(locale), Excel::Comma, "{locale}");
        }
    }

    #[test]
    fn windows_has_a_list_separator() {
        let answer = |sign| {
            format!("\r\nHKEY_CURRENT_USER\\Control Panel\\International\r\n    sList    REG_SZ    {sign}\r\n\r\n")
        };
        assert_eq!(separator_in(&answer(";")), Some(Excel::Semicolon));
        assert_eq!(separator_in(&answer(",")), Some(Excel::Comma));
        assert_eq!((separator_in(&answer("|")), separator_in("")), (None, None));
    }

    #[test]
    fn variants_by_name_and_game_type() {
        assert_eq!(parse_variant("russian"), Ok(Variant::RUSSIAN));
        assert_eq!(parse_variant("20"), Ok(Variant::INTERNATIONAL));
        assert!(parse_variant("ludo").is_err_and(|message| message.contains("international")));
    }
}
