//! `pdn fmt`: records in canonical form.

mod diff;
mod files;

use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::context::{Context, Status};
use super::edit::{How, run_edits};
use super::file_settings::Checks;
use super::options::{ADVANCED, Files};
use crate::canon::FormatOptions;
use crate::check::Checking;
use crate::edit::Repairs;
use crate::error::{Error, Result};
use crate::notation::DateOrder;
pub(super) use diff::UnifiedDiff;
pub(super) use files::left_unchanged;

/// Write records in canonical PDN 3.0
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
#[command(after_help = "\
Examples:
  pdn fmt games.pdn > canonical.pdn
  pdn fmt --fix --write archive/
  pdn fmt --fix --only-repairs --write archive/
  pdn fmt --fix --date-order dmy games.pdn
  pdn fmt --check archive/
  pdn fmt --diff games.pdn
  pdn fmt --strip evals,clocks games.pdn
  pdn fmt --game-type 25,W,8,8,N0,0 --result-style 2-0 russian.pdn

A game ends with `*` and keeps its result in the Result tag, as the standard requires; --results repeats it after the moves.
Illegal moves stay as written. Stray brackets and periods, and numbers without a move, are removed.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Repair anything that has exactly one reading, and report each repair
    #[arg(long)]
    fix: bool,
    /// Change only what is repaired, and leave every other byte as it is
    #[arg(long, requires = "fix", conflicts_with_all = FORM)]
    only_repairs: bool,
    /// What comes first in dates such as 05/06/1999 [default: as in the other dates of the event or the file]
    #[arg(long, value_name = "ORDER", requires = "fix", help_heading = ADVANCED)]
    date_order: Option<DateOrder>,
    /// Write nothing, but list the files that would change; exit status 1 if there are any
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Write only the changes, as a unified diff; exit status 1 if there are any
    #[arg(long, conflicts_with_all = ["check", "write"])]
    diff: bool,
    /// Replace the files that change
    #[arg(short = 'i', long, visible_alias = "in-place")]
    write: bool,
    /// Replace files even if their encoding was detected, or if bytes of them cannot be read
    #[arg(long, requires = "write", help_heading = ADVANCED)]
    yes: bool,
    #[command(flatten)]
    format: FormatOptions,
}

impl Options {
    /// Returns true if the output is the records themselves.
    pub(super) fn writes_records(&self) -> bool {
        !self.check && !self.diff
    }
}

/// Options of the canonical form, which repairs alone do not need.
const FORM: [&str; 9] =
    ["width", "notation", "result_style", "game_type", "comments", "variations", "strip", "results", "strict"];

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    if options.write && context.out.is_file() {
        return Err(Error::usage("--write replaces the files themselves and cannot be used with --output"));
    }
    if options.write && options.files.paths.iter().any(|file| file == Path::new("-")) {
        return Err(Error::usage("--write cannot replace standard input"));
    }
    context.rewrites = options.write;
    if !options.only_repairs {
        return files::run(options, context);
    }
    let Options { check, diff, write, yes, .. } = *options;
    let how = How { files: &options.files, diff, check, write, yes };
    let (aliases, date_order) = (Arc::default(), options.date_order);
    let checks = Checks { aliases, date_order, ..context.check_options(&options.files) };
    let [changed, errors] = run_edits(how, Checking::by_input(Repairs, checks), context)?;
    Ok(Status::with_errors(errors > 0 || changed > 0 && (check || diff)))
}
