//! The command line: arguments, one module per command, exit status. Only this room prints.

mod annotate;
mod bench;
mod cache;
mod chart;
mod check;
mod completions;
mod config;
mod context;
mod convert;
mod curve;
mod defaults;
mod diagram;
mod differences;
mod dxp;
mod edit;
mod egdb;
mod event;
mod failure;
mod file_settings;
mod fmt;
mod folders;
mod hub;
mod index;
mod inputs;
mod interrupt;
mod lesson;
mod man;
mod matches;
mod merge;
mod moves;
mod openings;
mod options;
mod output;
mod pending;
mod perft;
mod play;
mod players;
mod prepare;
mod progress;
mod puzzles;
mod ratings;
mod report;
mod search;
mod serve;
mod sheet;
mod shots;
mod show;
mod site;
mod spool;
mod stats;
mod train;
mod variants;
mod verify;
mod words;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::error::{Error, Result};
use crate::link::EngineSpec;
use crate::text::{Format, printable_lines};
use context::{Context, REPLACES_INPUT, Status};
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
    /// The existing files that arguments name, except outputs.
    #[arg(skip)]
    files: Vec<NamedFile>,
}

/// An existing file that an argument names.
#[derive(Clone, Debug)]
struct NamedFile {
    /// The option; `None` for an input.
    option: Option<String>,
    path: PathBuf,
}

const EXAMPLES: &str = "\
`pdn help COMMAND` lists the options of a command.

Examples:
  pdn check games.pdn
  pdn convert --to csv archive/ -o games.csv

Exit status: 0 on success; 1 if a record contains an error (`check`, `fmt`, `convert`, `annotate`, `event`), or as the help of \
a command says; 2 if part of the work could not be done; 130 if interrupted.";

/// Declares the commands: their options, by group; the field, or its options as a whole, with the paths of the records that a
/// command `reads`, whose settings then apply; and the field with the folder of the endgame databases that it `probes`.
macro_rules! commands {
    ($($group:literal: $($name:ident($module:ident) $(reads($($files:ident).*))? $(probes($($tables:ident).+))?,)*)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($($name(Box<$module::Options>),)*)*
        }

        impl Command {
            /// The groups of the help, with the identifiers of their commands.
            const GROUPS: &[(&str, &[&str])] = &[$(($group, &[$(stringify!($name)),*])),*];

            fn run(&self, context: &mut Context) -> Result<Status> {
                match self {
                    $($(Self::$name(options) => $module::run(options, context).map(Into::into),)*)*
                }
            }

            /// Returns the paths of the records that the command reads; `None` if it reads none, and thus no settings.
            #[expect(unused_variables, reason = "some commands read no records")]
            fn paths(&self) -> Option<&[PathBuf]> {
                match self {
                    $($(Self::$name(options) => None$(.or(options$(.$files)*.records()))?,)*)*
                }
            }

            /// Returns the folder of endgame databases that the command names.
            #[expect(unused_variables, reason = "some commands probe nothing")]
            fn egdb(&self) -> Option<&Path> {
                match self {
                    $($(Self::$name(options) => None$(.or(options.$($tables).+.egdb()))?,)*)*
                }
            }
        }
    };
}

commands! {
    "Records":
        Check(check) reads(files) probes(endgames),
        Fmt(fmt) reads(files),
        Convert(convert) reads(files),
        Edit(edit) reads(files),
        Diff(differences) reads(files),
    "Annotation":
        Annotate(annotate) reads(files) probes(endgames),
        Report(report) reads(files),
        Sheet(sheet) reads(files),
        Puzzles(puzzles) reads(files) probes(endgames),
        Lesson(lesson) reads(files) probes(endgames),
        Verify(verify) reads(files) probes(endgames),
        Cache(cache),
    "Collections":
        Search(search) reads(files),
        Index(index) reads(files),
        Stats(stats) reads(files),
        Chart(chart) reads(files),
        Shots(shots) reads(files),
        Openings(openings) reads(files),
        Players(players) reads(files),
        Ratings(ratings) reads(files),
        Prepare(prepare) reads(files) probes(endgames),
        Event(event) reads(files),
        Merge(merge) reads(files),
        Serve(serve) probes(endgames),
    "Positions":
        Show(show) reads() probes(endgames),
        Diagram(diagram) reads(),
        Moves(moves) probes(endgames),
        Perft(perft),
        Egdb(egdb),
    "Engines":
        Play(play) probes(player.endgames),
        Match(matches) probes(endgames),
        Hub(hub) probes(endgames),
        Dxp(dxp) probes(player.endgames),
        Train(train),
        Bench(bench) reads(what) probes(what),
    "Other":
        Variants(variants),
        Completions(completions),
        Man(man),
}

impl Command {
    /// Returns where the output is kept until it is complete.
    const fn growth(&self) -> Growth {
        match self {
            Self::Annotate(_) | Self::Dxp(_) | Self::Match(_) => Growth::Visible,
            Self::Report(_) | Self::Diagram(_) => Growth::HiddenOrFolder,
            Self::Index(_) => Growth::Folder,
            _ => Growth::Hidden,
        }
    }

    /// Returns the files that the command reads and adds to, each with a description.
    fn kept(&self) -> [Option<(&'static str, &Path)>; 2] {
        let (checkpoint, cache) = match self {
            Self::Annotate(options) => (options.checkpoint.as_deref(), options.cache.as_deref()),
            Self::Match(options) => (options.checkpoint.as_deref(), None),
            _ => (None, None),
        };
        let second = self.second_output().map(|path| ("second output", path));
        let read = if let Self::Match(options) = self { options.matches.openings.as_deref() } else { None };
        [
            checkpoint.map(|path| ("checkpoint", path)).or(second),
            cache.map(|path| ("cache", path)).or(read.map(|path| ("file of openings", path))),
        ]
    }

    /// Returns the engines that the command names.
    fn engines(&self) -> &[EngineSpec] {
        match self {
            Self::Match(options) => &options.players,
            Self::Bench(options) => options.what.engine(),
            _ => &[],
        }
    }

    /// Returns true if the command continues an interrupted run, whose results are in a checkpoint.
    fn continues(&self) -> bool {
        match self {
            Self::Annotate(options) => options.continues(),
            Self::Match(options) => options.continues(),
            _ => false,
        }
    }

    /// Returns the file that the command writes besides its output.
    fn second_output(&self) -> Option<&Path> {
        match self {
            Self::Search(options) => options.dedupe.dropped.as_deref(),
            Self::Merge(options) => options.dedupe.dropped.as_deref(),
            Self::Players(options) => options.write_aliases.as_deref(),
            Self::Check(options) => options.write_baseline.as_deref(),
            _ => None,
        }
    }

    /// Returns the format of records that are written.
    fn record_format(&self, output: &Path) -> Option<Format> {
        match self {
            Self::Convert(options) => options.what.record_format(output),
            _ => self.writes_records(output).then_some(Format::Pdn),
        }
    }

    /// Returns true if the output holds all records of the inputs, and may thus replace them.
    fn writes_records(&self, output: &Path) -> bool {
        // Each command is named, so that a new one has to decide.
        match self {
            Self::Fmt(options) => options.writes_records(),
            Self::Merge(_) => true,
            Self::Edit(options) => !options.diff,
            Self::Annotate(options) => options.writes_records() && options.shard.is_none(),
            Self::Convert(options) => options.what.record_format(output).is_some(),
            Self::Check(_)
            | Self::Diff(_)
            | Self::Report(_)
            | Self::Sheet(_)
            | Self::Puzzles(_)
            | Self::Lesson(_)
            | Self::Verify(_)
            | Self::Cache(_)
            | Self::Search(_)
            | Self::Index(_)
            | Self::Stats(_)
            | Self::Chart(_)
            | Self::Shots(_)
            | Self::Openings(_)
            | Self::Players(_)
            | Self::Ratings(_)
            | Self::Prepare(_)
            | Self::Event(_)
            | Self::Serve(_)
            | Self::Show(_)
            | Self::Diagram(_)
            | Self::Moves(_)
            | Self::Perft(_)
            | Self::Egdb(_)
            | Self::Play(_)
            | Self::Match(_)
            | Self::Hub(_)
            | Self::Dxp(_)
            | Self::Train(_)
            | Self::Bench(_)
            | Self::Variants(_)
            | Self::Completions(_)
            | Self::Man(_) => false,
        }
    }
}

impl Arguments {
    /// Opens the output, unless it would destroy a file that is needed, and runs the command.
    fn run(&self) -> Result<Status> {
        let (paths, growth) = (self.command.paths(), self.command.growth());
        if let Some((path, reason)) = self.destroyed(growth) {
            return Err(Error::usage(format!("{}: {reason}", path.display())));
        }
        let mut context = Context::new(&self.common, paths, self.command.egdb(), growth)?;
        context.replaces = self.replaces();
        let status = self.command.run(&mut context)?;
        context.finish(status)
    }

    /// Returns a file that would be destroyed, and why.
    fn destroyed(&self, growth: Growth) -> Option<(&Path, String)> {
        let inputs = || self.files.iter().filter(|file| file.option.is_none()).map(|file| &*file.path);
        let same = |output: &Path, what: &str| {
            let mut read = self.files.iter().filter_map(|file| Some((file.option.as_deref()?, &*file.path)));
            let (option, path) = read.find(|(_, path)| growth.replaces(output, path))?;
            Some((path, format!("the file of --{option} and the {what} are the same file")))
        };
        let kept = self.command.kept();
        // A checkpoint and a cache may be one journal.
        if let [Some((first, checkpoint)), Some((second, other))] = kept
            && !matches!(self.command, Command::Annotate(_))
            && Growth::Hidden.replaces(checkpoint, other)
        {
            return Some((other, format!("the {first} and the {second} are the same file")));
        }
        if let Some(second) = self.command.second_output()
            && inputs().any(|path| growth.replaces(second, path))
        {
            return Some((second, "the second output would replace an input".to_owned()));
        }
        if let Some(found) = self.command.second_output().and_then(|second| same(second, "second output")) {
            return Some(found);
        }
        let output = self.common.output.as_deref()?;
        if let Some((what, path)) = kept.into_iter().flatten().find(|(_, path)| growth.replaces(output, path)) {
            return Some((path, format!("the {what} and the output are the same file")));
        }
        let mut read = self.command.engines().iter().flat_map(EngineSpec::files);
        if let Some((what, path)) = read.find(|(_, path)| growth.replaces(output, path)) {
            return Some((path, format!("the {what} and the output are the same file")));
        }
        if let Some(found) = same(output, "output") {
            return Some(found);
        }
        if let Some(path) = inputs().find(|path| growth.is_part(output, path)) {
            return Some((path, "the output is written to this input before it is read".to_owned()));
        }
        let mut spared = inputs().filter(|_| self.replaces().is_none());
        if let Some(path) = spared.find(|path| growth.replaces(output, path)) {
            return Some((path, REPLACES_INPUT.to_owned()));
        }
        let is_new = growth == Growth::Visible && !self.command.continues();
        output::unfinished(output).filter(|_| is_new).map(|reason| (output, reason))
    }

    /// Returns the format of the output if it may replace an input in this format, because it holds its records.
    fn replaces(&self) -> Option<Format> {
        self.command.record_format(self.common.output.as_deref()?)
    }
}

/// Returns the command with all its options and, as its help, the commands by groups.
fn command() -> clap::Command {
    let command = Arguments::command();
    let header = *command.get_styles().get_header();
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in Command::GROUPS {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(template, "\n{header}{group}:{header:#}");
        for name in names.iter().map(|name| name.to_lowercase()) {
            let about = command.find_subcommand(&name).and_then(clap::Command::get_about);
            // The longest name, `completions`, has 11 letters.
            let _ = writeln!(template, "  {name:<12} {}", about.map(ToString::to_string).unwrap_or_default());
        }
    }
    let _ = write!(template, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(template)
}

/// Runs the command given by the arguments of the process and returns its exit status.
pub fn main() -> ExitCode {
    main_of(std::env::args_os()).into()
}

/// Runs the command given by arguments, the first of which is the name of the program, and returns its exit status. Signals that
/// end the process are handled from then on: no partial output is left.
pub fn main_of(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let arguments = match defaults::parse(&arguments) {
        Ok(arguments) => arguments,
        Err(message) => return print_usage(&message),
    };
    interrupt::install();
    let status = arguments.run().unwrap_or_else(|error| {
        // The reader, such as `head`, has all that it wanted.
        if error.is_broken_pipe() {
            return Status::Clean;
        }
        ErrorStyle::requested().print(&error);
        Status::Failed
    });
    status as u8
}

/// Prints help, the version or what is wrong with the arguments, and returns the exit status.
fn print_usage(message: &clap::Error) -> u8 {
    if message.use_stderr() && ErrorStyle::requested() == ErrorStyle::Json {
        ErrorStyle::Json.print(&Error::usage(first_paragraph(&message.render().to_string())));
        return Status::Failed as u8;
    }
    let is_unsafe = |argument: OsString| matches!(printable_lines(&argument.to_string_lossy()), Cow::Owned(_));
    // Arguments are quoted unchanged, whatever characters they contain.
    let printed = if message.use_stderr() && std::env::args_os().any(is_unsafe) {
        write!(stderr(), "{}", printable_lines(&message.render().to_string()))
    } else {
        message.print()
    };
    // A closed pipe is not a failure, a full disk is.
    let failed = printed.is_err_and(|error| error.kind() != ErrorKind::BrokenPipe);
    let status = if failed { 2 } else { message.exit_code() };
    u8::try_from(status).unwrap_or(2)
}

/// Returns the error in the arguments on one line, without the advice that follows it.
fn first_paragraph(message: &str) -> String {
    let paragraph = message.split("\n\n").next().unwrap_or_default();
    let words: Vec<_> = paragraph.trim_start_matches("error:").split_whitespace().collect();
    words.join(" ")
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
