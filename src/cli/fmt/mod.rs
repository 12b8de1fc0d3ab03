//! `pdn fmt`: records in canonical form.

mod files;
mod format;
mod same;

use std::path::Path;

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use super::options::Files;
use crate::canon::{FormatOptions, MoveStyle};
use crate::error::{Error, Result};

/// Write records in canonical PDN 3.0
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(after_help = "\
Examples:
  pdn fmt games.pdn > canonical.pdn
  pdn fmt --fix --write archive/
  pdn fmt --check archive/

A game ends with `*` and keeps its result in the Result tag, as the standard wants it; --results repeats it behind the moves.
Moves that cannot be played stay as they are written. What is not kept: lone brackets and points, numbers without a move.")]
pub(super) struct Options {
    #[command(flatten)]
    files: Files,
    /// Repair what has exactly one reading, and say what was done
    #[arg(long)]
    fix: bool,
    /// Write nothing, list the files that would change; exit status 1 if there are any
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Replace the files that change
    #[arg(short = 'i', long, visible_alias = "in-place")]
    write: bool,
    /// Columns of a line at most, where a single token is not longer
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u16).range(20..))]
    width: u16,
    /// How to write moves
    #[arg(long, value_name = "STYLE", default_value = "short")]
    notation: Notation,
    /// Leave out all comments
    #[arg(long)]
    no_comments: bool,
    /// Leave out all variations
    #[arg(long)]
    no_variations: bool,
    /// End games with their results, as many programs want it
    #[arg(long, conflicts_with = "strict")]
    results: bool,
    /// Leave nothing that the strict grammar has another form for, such as comments to the end of a line, before the tags or
    /// behind the end of a game
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Notation {
    /// First and last square, the whole path only where that is ambiguous
    Short,
    /// Captures with their whole path
    Full,
    /// As they stand in the record
    Written,
}

impl Options {
    fn format(&self) -> FormatOptions {
        FormatOptions {
            width: usize::from(self.width),
            comments: !self.no_comments,
            variations: !self.no_variations,
            moves: match self.notation {
                Notation::Short => MoveStyle::Short,
                Notation::Full => MoveStyle::Full,
                Notation::Written => MoveStyle::Written,
            },
            results: self.results,
            strict: self.strict,
        }
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if options.write && context.out.is_file() {
        return Err(Error::usage("--write replaces the files themselves; it does not go with --output"));
    }
    if options.write && options.files.paths.iter().any(|file| file == Path::new("-")) {
        return Err(Error::usage("--write cannot replace standard input"));
    }
    files::run(options, context)
}
