//! `pdn fmt`: records in canonical form.

mod diff;
mod files;
mod same;

use std::path::Path;

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use super::options::{ADVANCED, Files};
use crate::canon::{FormatOptions, MoveStyle};
use crate::error::{Error, Result};
use crate::notation::{DateOrder, GameType};
use crate::rules::ResultStyle;
pub(super) use diff::UnifiedDiff;
pub(super) use files::cannot_replace;

/// Write records in canonical PDN 3.0
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
#[command(after_help = "\
Examples:
  pdn fmt games.pdn > canonical.pdn
  pdn fmt --fix --write archive/
  pdn fmt --fix --date-order dmy games.pdn
  pdn fmt --check archive/
  pdn fmt --diff games.pdn
  pdn fmt --game-type 25,W,8,8,N0,0 --result-style 2-0 russian.pdn

A game ends with `*` and keeps its result in the Result tag, as the standard requires; --results repeats it after the moves.
Illegal moves stay as written. Stray brackets and periods, and numbers without a move, are removed.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Repair anything that has exactly one reading, and report each repair
    #[arg(long)]
    fix: bool,
    /// What comes first in dates such as 05/06/1999 [default: as in the other dates of the event or the file]
    #[arg(long, value_name = "ORDER", requires = "fix", help_heading = ADVANCED)]
    date_order: Option<Order>,
    /// Write nothing, but list the files that would change; exit status 1 if there are any
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Write only the changes, as a unified diff; exit status 1 if there are any
    #[arg(long, conflicts_with_all = ["check", "write"])]
    diff: bool,
    /// Replace the files that change
    #[arg(short = 'i', long, visible_alias = "in-place")]
    write: bool,
    /// Maximum line width; a longer token gets a line to itself
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u16).range(20..), help_heading = ADVANCED)]
    width: u16,
    /// How to write moves
    #[arg(long, value_name = "STYLE", default_value = "short")]
    notation: Notation,
    /// How to write results [default: the usual style of the variant]
    #[arg(long, value_name = "STYLE", help_heading = ADVANCED)]
    result_style: Option<Style>,
    /// In games of the same variant, name squares as this GameType does, and write it as the tag; games with illegal moves stay
    /// unchanged
    #[arg(long, value_name = "T", value_parser = parse_game_type, help_heading = ADVANCED)]
    game_type: Option<GameType>,
    /// Remove all comments
    #[arg(long)]
    no_comments: bool,
    /// Remove all variations
    #[arg(long)]
    no_variations: bool,
    /// End games with their results, as many programs expect
    #[arg(long, conflicts_with = "strict", help_heading = ADVANCED)]
    results: bool,
    /// Write only what the strict grammar prefers: no end-of-line comments, and no comments before the tags or after a game
    #[arg(long, help_heading = ADVANCED)]
    strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Notation {
    /// First and last square, with the full path only if that is ambiguous
    Short,
    /// Captures with their full path
    Full,
    /// As in the record
    Written,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Style {
    /// `2-0`, `1-1`, `0-2`
    #[value(name = "2-0")]
    TwoPoints,
    /// `1-0`, `1/2-1/2`, `0-1`
    #[value(name = "1-0")]
    OnePoint,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// The day, the month, the year
    Dmy,
    /// The month, the day, the year
    Mdy,
}

impl From<Order> for DateOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::Dmy => Self::DayFirst,
            Order::Mdy => Self::MonthFirst,
        }
    }
}

impl From<Style> for ResultStyle {
    fn from(style: Style) -> Self {
        match style {
            Style::TwoPoints => Self::TwoPoints,
            Style::OnePoint => Self::OnePoint,
        }
    }
}

fn parse_game_type(text: &str) -> Result<GameType, String> {
    let read = GameType::parse(text).map_err(|error| error.to_string())?;
    if read.variant().is_some() { Ok(read) } else { Err("no variant has this GameType".to_owned()) }
}

impl Options {
    fn result_style(&self) -> Option<ResultStyle> {
        self.result_style.map(ResultStyle::from)
    }

    /// Returns how games are written, apart from the style of results, which may also come from the settings.
    fn format(&self) -> FormatOptions {
        let style = match self.notation {
            Notation::Short => MoveStyle::Short,
            Notation::Full => MoveStyle::Full,
            Notation::Written => MoveStyle::Written,
        };
        FormatOptions::default()
            .width(usize::from(self.width))
            .comments(!self.no_comments)
            .variations(!self.no_variations)
            .moves(style)
            .results(self.results)
            .game_type(self.game_type)
            .strict(self.strict)
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if options.write && context.out.is_file() {
        return Err(Error::usage("--write replaces the files themselves and cannot be used with --output"));
    }
    if options.write && options.files.paths.iter().any(|file| file == Path::new("-")) {
        return Err(Error::usage("--write cannot replace standard input"));
    }
    files::run(options, context)
}
