//! The command line: arguments, one module per command, exit status. Only this room prints.

mod annotate;
mod bench;
mod cache;
mod check;
mod checks;
mod completions;
mod config;
mod context;
mod convert;
mod curve;
mod diagram;
mod differences;
mod dxp;
mod edit;
mod egdb;
mod event;
mod failure;
mod file_settings;
mod fmt;
mod house;
mod hub;
mod index;
mod inputs;
mod interrupt;
mod man;
mod matches;
mod merge;
mod moves;
mod opening_names;
mod openings;
mod options;
mod output;
mod pending;
mod perft;
mod play;
mod player;
mod progress;
mod puzzles;
mod report;
mod search;
mod show;
mod stats;
mod table;
mod train;
mod values;
mod variants;
mod verify;
mod words;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{ErrorKind, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::error::{Error, Result};
use crate::text::printable_lines;
use context::{Context, Status};
use failure::ErrorStyle;
use options::Common;
use output::Growth;

/// Validates, converts and annotates draughts game records (Portable Draughts Notation)
#[derive(Debug, Parser)]
#[command(name = "pdn", version, max_term_width = 100, arg_required_else_help = true, after_help = EXAMPLES)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  pdn check games.pdn
  pdn convert --to csv archive/ -o games.csv

Exit status: 0 if there are no errors; 1 if a record contains an error; 2 if part of the work could not be done; 130 if interrupted.";

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Options),
    Fmt(fmt::Options),
    Convert(convert::Options),
    Annotate(annotate::Options),
    Cache(cache::Options),
    Puzzles(puzzles::Options),
    Verify(verify::Options),
    Report(report::Options),
    Diagram(Box<diagram::Options>),
    Search(Box<search::Options>),
    Index(index::Options),
    Stats(stats::Options),
    Openings(openings::Options),
    Event(event::Options),
    Edit(edit::Options),
    Merge(merge::Options),
    Diff(differences::Options),
    Show(show::Options),
    Moves(moves::Options),
    Perft(perft::Options),
    Variants(variants::Options),
    Egdb(egdb::Options),
    Bench(bench::Options),
    Hub(hub::Options),
    Dxp(Box<dxp::Options>),
    Match(Box<matches::Options>),
    Train(Box<train::Options>),
    Play(play::Options),
    Completions(completions::Options),
    Man(man::Options),
}

impl Command {
    fn run(&self, context: &mut Context) -> Result<Status> {
        match self {
            Self::Check(options) => check::run(options, context),
            Self::Fmt(options) => fmt::run(options, context),
            Self::Convert(options) => convert::run(options, context),
            Self::Annotate(options) => annotate::run(options, context),
            Self::Cache(options) => cache::run(options, context),
            Self::Puzzles(options) => puzzles::run(options, context),
            Self::Verify(options) => verify::run(options, context),
            Self::Report(options) => report::run(options, context),
            Self::Diagram(options) => diagram::run(options, context),
            Self::Search(options) => search::run(options, context),
            Self::Index(options) => index::run(options, context),
            Self::Stats(options) => stats::run(options, context),
            Self::Openings(options) => openings::run(options, context),
            Self::Event(options) => event::run(options, context),
            Self::Edit(options) => edit::run(options, context),
            Self::Merge(options) => merge::run(options, context),
            Self::Diff(options) => differences::run(options, context),
            Self::Show(options) => show::run(options, context),
            Self::Moves(options) => moves::run(options, context),
            Self::Perft(options) => perft::run(options, context),
            Self::Variants(options) => variants::run(options, context),
            Self::Egdb(options) => egdb::run(options, context),
            Self::Bench(options) => bench::run(options, context),
            Self::Hub(options) => hub::run(options, context),
            Self::Dxp(options) => dxp::run(options, context),
            Self::Match(options) => matches::run(options, context),
            Self::Train(options) => train::run(options, context),
            Self::Play(options) => play::run(options, context),
            Self::Completions(options) => completions::run(options, context),
            Self::Man(options) => man::run(options, context),
        }
    }
}

impl Command {
    /// Returns the paths of the records that the command reads; `None` if it reads none, and thus no settings.
    fn paths(&self) -> Option<&[PathBuf]> {
        match self {
            Self::Check(options) => Some(&options.files.paths),
            Self::Fmt(options) => Some(&options.files.paths),
            Self::Convert(options) => Some(&options.files.paths),
            Self::Annotate(options) => Some(&options.files.paths),
            Self::Report(options) => Some(&options.files.paths),
            Self::Diagram(options) => Some(options.paths()),
            Self::Search(options) => Some(&options.files.paths),
            Self::Index(options) => Some(&options.files.paths),
            Self::Stats(options) => Some(&options.files.paths),
            Self::Openings(options) => Some(&options.files.paths),
            Self::Event(options) => Some(&options.files.paths),
            Self::Edit(options) => Some(&options.files.paths),
            Self::Merge(options) => Some(&options.files.paths),
            Self::Diff(options) => Some(&options.files.paths),
            Self::Show(options) => options.paths(),
            Self::Puzzles(options) => Some(options.paths()),
            Self::Verify(options) => Some(options.paths()),
            Self::Bench(options) => options.paths(),
            _ => None,
        }
    }

    /// Returns the folder of endgame databases that the command names.
    fn egdb(&self) -> Option<&Path> {
        let endgames = match self {
            Self::Check(options) => &options.endgames,
            Self::Annotate(options) => &options.endgames,
            Self::Show(options) => &options.endgames,
            Self::Moves(options) => &options.endgames,
            Self::Hub(options) => &options.endgames,
            Self::Dxp(options) => options.player.endgames(),
            Self::Match(options) => &options.endgames,
            Self::Puzzles(options) => &options.endgames,
            Self::Verify(options) => &options.endgames,
            Self::Play(options) => options.player.endgames(),
            Self::Bench(options) => return options.egdb(),
            _ => return None,
        };
        endgames.egdb.as_deref()
    }

    /// Returns how errors are printed: as the results are.
    fn error_style(&self) -> ErrorStyle {
        ErrorStyle::json_if(match self {
            Self::Check(options) => options.wants_json(),
            Self::Moves(options) => options.wants_json(),
            Self::Perft(options) => options.wants_json(),
            Self::Variants(options) => options.wants_json(),
            Self::Cache(options) => options.wants_json(),
            Self::Verify(options) => options.wants_json(),
            Self::Egdb(options) => options.wants_json(),
            Self::Bench(options) => options.wants_json(),
            Self::Stats(options) => options.wants_json(),
            Self::Openings(options) => options.wants_json(),
            Self::Event(options) => options.wants_json(),
            Self::Diff(options) => options.wants_json(),
            _ => false,
        })
    }

    /// Returns where the output is until it is complete.
    const fn growth(&self) -> Growth {
        match self {
            Self::Annotate(_) | Self::Dxp(_) | Self::Match(_) => Growth::Visible,
            Self::Report(_) | Self::Diagram(_) => Growth::HiddenOrFolder,
            Self::Index(_) => Growth::Folder,
            _ => Growth::Hidden,
        }
    }

    /// Returns the files that the command reads and adds to, each with what it is.
    fn kept(&self) -> [Option<(&'static str, &Path)>; 2] {
        let (checkpoint, cache) = match self {
            Self::Annotate(options) => (options.checkpoint(), options.cache()),
            Self::Match(options) => (options.checkpoint(), None),
            _ => (None, None),
        };
        [checkpoint.map(|path| ("checkpoint", path)), cache.map(|path| ("cache", path))]
    }

    /// Returns true if the output must not be an input: it does not have its games.
    fn spares_inputs(&self) -> bool {
        match self {
            Self::Annotate(options) => !options.writes_records(),
            Self::Report(_) | Self::Diagram(_) | Self::Puzzles(_) | Self::Verify(_) => true,
            _ => false,
        }
    }
}

impl Arguments {
    /// Opens the output, unless it would destroy a file that is needed.
    fn context(&self) -> Result<Context> {
        let (paths, growth) = (self.command.paths(), self.command.growth());
        if let Some((path, reason)) = self.destroyed(paths.unwrap_or_default(), growth) {
            return Err(Error::usage(format!("{}: {reason}", path.display())));
        }
        Context::new(&self.common, paths, self.command.egdb(), self.command.error_style(), growth)
    }

    /// Returns a file that would be destroyed, and why.
    fn destroyed<'a>(&'a self, inputs: &'a [PathBuf], growth: Growth) -> Option<(&'a Path, String)> {
        let kept = self.command.kept();
        if let [Some((_, checkpoint)), Some((_, cache))] = kept
            && Growth::Hidden.replaces(checkpoint, cache)
        {
            return Some((cache, "the checkpoint and the cache are the same file".to_owned()));
        }
        let output = self.common.output.as_deref()?;
        if let Some((what, path)) = kept.into_iter().flatten().find(|(_, path)| growth.replaces(output, path)) {
            return Some((path, format!("the {what} and the output are the same file")));
        }
        if let Some(path) = inputs.iter().find(|path| growth.is_part(output, path)) {
            return Some((path, "the output is written to this input before it is read".to_owned()));
        }
        let is_input =
            |path: &&PathBuf| self.command.spares_inputs() && path.is_file() && growth.replaces(output, path);
        inputs.iter().find(is_input).map(|path| (&**path, "the output would replace an input".to_owned()))
    }
}

/// Returns the command with all its options, as needed for help, completions and the manual.
fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the command given by the arguments of the process and returns its exit status.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(message) => return print_usage(&message),
    };
    interrupt::install();
    let status = run(&arguments).unwrap_or_else(|error| {
        if error.is_broken_pipe() {
            return Status::Clean;
        }
        arguments.command.error_style().print(&error);
        Status::Failed
    });
    status.into()
}

/// Prints help, the version or what is wrong with the arguments, and returns the exit status.
fn print_usage(message: &clap::Error) -> ExitCode {
    if message.use_stderr() && ErrorStyle::requested(std::env::args_os()) == ErrorStyle::Json {
        ErrorStyle::Json.print(&Error::usage(first_paragraph(&message.render().to_string())));
        return Status::Failed.into();
    }
    let is_unsafe = |argument: OsString| matches!(printable_lines(&argument.to_string_lossy()), Cow::Owned(_));
    // Arguments are quoted as they are, whatever characters they have.
    let printed = if message.use_stderr() && std::env::args_os().any(is_unsafe) {
        write!(stderr(), "{}", printable_lines(&message.render().to_string()))
    } else {
        message.print()
    };
    // A closed pipe is not a failure, a full disk is.
    let failed = printed.is_err_and(|error| error.kind() != ErrorKind::BrokenPipe);
    let status = if failed { 2 } else { message.exit_code() };
    ExitCode::from(u8::try_from(status).unwrap_or(2))
}

/// Returns what is wrong with the arguments without the advice after it, on one line.
fn first_paragraph(message: &str) -> String {
    let paragraph = message.split("\n\n").next().unwrap_or_default();
    let words: Vec<_> = paragraph.trim_start_matches("error:").split_whitespace().collect();
    words.join(" ")
}

fn run(arguments: &Arguments) -> Result<Status> {
    let mut context = arguments.context()?;
    let status = arguments.command.run(&mut context)?;
    context.finish(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        for command in command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "{}", command.get_name());
            assert!(command.get_about().is_some(), "{}", command.get_name());
        }
    }
}
