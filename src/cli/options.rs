//! Options that all commands share, and how values are written.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::diag::Encoding;
use crate::link::{CommandLine, ParseCommandError};
use crate::notation::variant_by_name;
use crate::rules::Variant;
use crate::source::Utf16Order;

/// Options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Common {
    /// Take every game as this variant: a name, a GameType number or value
    #[arg(long, global = true, value_name = "V", value_parser = parse_variant)]
    pub(super) variant: Option<Variant>,
    /// Take every game by the house rules in FILE; `pdn variants V` writes such a file
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "variant")]
    pub(super) rules: Option<PathBuf>,
    /// Threads to work with, 256 at most [default: one for each core]
    #[arg(long, global = true, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Write to FILE, which only changes when all is done
    #[arg(short, long, global = true, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Show no progress and no remarks
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: When,
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Plain,
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What a command reads.
#[derive(Clone, Debug, Args)]
pub(super) struct Files {
    /// Files, folders with all `*.pdn` below them, or `-` for standard input; compressed or not
    #[arg(required = true, value_name = "FILE")]
    pub(super) paths: Vec<PathBuf>,
    /// Largest size of a game, such as 64MB; the rest of a larger one is not read
    #[arg(long, value_name = "SIZE", default_value = "64MB", value_parser = parse_size)]
    pub(super) max_game: usize,
    /// Read all games in this encoding: utf-8, utf-16le, utf-16be, cp1250, cp1251, cp1252 or latin-1 [default: what their
    /// bytes tell]
    #[arg(long, value_name = "NAME", value_parser = parse_encoding)]
    encoding: Option<Asked>,
}

/// An encoding that is asked for: that of the games, or of the whole file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    Games(Encoding),
    Utf16(Utf16Order),
}

fn parse_encoding(text: &str) -> Result<Asked, String> {
    match text.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
        "utf16le" => Ok(Asked::Utf16(Utf16Order::Little)),
        "utf16be" => Ok(Asked::Utf16(Utf16Order::Big)),
        _ => Encoding::by_name(text)
            .map(Asked::Games)
            .ok_or_else(|| "there are utf-8, utf-16le, utf-16be, cp1250, cp1251, cp1252 and latin-1".to_owned()),
    }
}

impl Files {
    /// The encoding of all games, if one of single bytes is asked for.
    pub(super) const fn encoding(&self) -> Option<Encoding> {
        match self.encoding {
            Some(Asked::Games(encoding)) => Some(encoding),
            _ => None,
        }
    }

    /// The order of UTF-16, if that is asked for.
    pub(super) const fn utf16(&self) -> Option<Utf16Order> {
        match self.encoding {
            Some(Asked::Utf16(order)) => Some(order),
            _ => None,
        }
    }
}

pub(super) fn parse_variant(text: &str) -> Result<Variant, String> {
    variant_by_name(text).ok_or_else(|| {
        let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        format!("no such variant; there are {}, and GameType numbers", names.join(" "))
    })
}

/// Reads a number of bytes: `1000`, `64kB`, `64MB`, `1GiB`.
fn parse_size(text: &str) -> Result<usize, String> {
    const LARGEST: usize = 2 << 30;
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "kib" => 1 << 10,
        "m" | "mb" => 1_000_000,
        "mib" => 1 << 20,
        "g" | "gb" => 1_000_000_000,
        "gib" => 1 << 30,
        _ => return Err("units are kB, MB, GB, KiB, MiB, GiB".to_owned()),
    };
    let number: usize = digits.trim().parse().map_err(|_| "not a size such as 64MB".to_owned())?;
    let size = number.checked_mul(unit).filter(|size| (1..=LARGEST).contains(size));
    size.ok_or_else(|| "sizes go from 1 byte to 2GiB".to_owned())
}

/// Reads a number of seconds, such as `0.5`.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds).map_err(|fault| fault.to_string())?;
    if time.is_zero() { Err("the time must be more than nothing".to_owned()) } else { Ok(time) }
}

/// Reads the command line of an engine.
pub(super) fn parse_command(text: &str) -> Result<CommandLine, String> {
    text.parse().map_err(|error: ParseCommandError| error.to_string())
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
    }
}
