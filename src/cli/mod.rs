//! The command line: arguments, one module per command, exit status. Only this room prints.

mod annotate;
mod bench;
mod check;
mod completions;
mod context;
mod convert;
mod fmt;
mod games;
mod house;
mod hub;
mod interrupt;
mod man;
mod matches;
mod moves;
mod options;
mod output;
mod perft;
mod play;
mod progress;
mod show;
mod values;
mod variants;
mod words;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::error::Result;
use context::{Context, Status};
use options::Common;

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
    Show(show::Options),
    Moves(moves::Options),
    Perft(perft::Options),
    Variants(variants::Options),
    Bench(bench::Options),
    Hub(hub::Options),
    Match(Box<matches::Options>),
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
            Self::Show(options) => show::run(options, context),
            Self::Moves(options) => moves::run(options, context),
            Self::Perft(options) => perft::run(options, context),
            Self::Variants(options) => variants::run(options, context),
            Self::Bench(options) => bench::run(options, context),
            Self::Hub(options) => hub::run(options, context),
            Self::Match(options) => matches::run(options, context),
            Self::Play(options) => play::run(options, context),
            Self::Completions(options) => completions::run(options, context),
            Self::Man(options) => man::run(options, context),
        }
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
        Err(message) => {
            // A closed pipe is not a failure, a full disk is.
            let failed = message.print().is_err_and(|error| error.kind() != ErrorKind::BrokenPipe);
            let status = if failed { 2 } else { message.exit_code() };
            return ExitCode::from(u8::try_from(status).unwrap_or(2));
        }
    };
    interrupt::install();
    let status = run(&arguments).unwrap_or_else(|error| {
        if error.is_broken_pipe() {
            return Status::Clean;
        }
        context::print_error(&error);
        Status::Failed
    });
    status.into()
}

fn run(arguments: &Arguments) -> Result<Status> {
    let mut context = Context::new(&arguments.common)?;
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
