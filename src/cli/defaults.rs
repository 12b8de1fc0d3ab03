//! Defaults of options that depend on others: the format on the name of the output, the language on the settings.

use std::ffi::OsString;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, FromArgMatches as _};

use super::config::Settings;
use super::options::Common;
use super::{Arguments, NamedFile};
use crate::source::compressed_extension;
use crate::text::printable;

/// The extensions of outputs, each with the formats that have it. A command writes the first of them that it knows. JSON Lines are not
/// JSON: the extension `json` does not stand for `jsonl`.
const EXTENSIONS: [(&str, &[&str]); 18] = [
    ("csv", &["csv"]),
    ("fen", &["fen"]),
    ("gif", &["gif"]),
    ("htm", &["html"]),
    ("html", &["html"]),
    ("json", &["json", "lidraughts"]),
    ("jsonl", &["jsonl", "json", "lidraughts"]),
    ("lidraughts", &["lidraughts"]),
    ("ndjson", &["jsonl", "json", "lidraughts"]),
    ("parquet", &["parquet"]),
    ("pdf", &["pdf"]),
    ("pdn", &["pdn"]),
    ("png", &["png"]),
    ("sarif", &["sarif"]),
    ("svg", &["svg"]),
    ("trf", &["trf"]),
    (TEXT, &["text", "table", "human", "plain"]),
    ("xlsx", &["xlsx"]),
];

/// The extension of text of any kind.
const TEXT: &str = "txt";

/// The options that choose a format.
const OPTIONS: [&str; 2] = ["to", "format"];

/// The options that name files to write.
const OUTPUTS: [&str; 4] = ["output", "dropped", "write_aliases", "write_baseline"];

/// The formats of commands without such an option.
const ONLY: [(&str, &str); 8] = [
    ("cache export", "jsonl"),
    ("dxp", "pdn"),
    ("edit", "pdn"),
    ("fmt", "pdn"),
    ("match", "pdn"),
    ("merge", "pdn"),
    ("play", "pdn"),
    ("report", "html"),
];

/// The commands without an output that a file can hold, with what they do.
const WITHOUT_OUTPUT: [(&str, &str); 4] = [
    ("cache merge", "adds to its first file"),
    ("cache prune", "changes its file"),
    ("serve", "prints the address to open"),
    ("train selfplay", "adds to its file"),
];

/// The options of commands that write other files instead of an output.
const INSTEAD_OF_OUTPUT: [(&str, &str); 3] = [("edit", "write"), ("event", "letters"), ("search", "split")];

/// The outputs that programs read, which stay English unless a language is requested for them.
const DATA: [&str; 5] = ["json", "jsonl", "csv", "sarif", "github"];

/// Parses the arguments of the process.
pub(super) fn parse(arguments: &[OsString]) -> Result<Arguments, clap::Error> {
    let command = super::command();
    let mut found = command.clone().try_get_matches_from(arguments)?;
    let mut read = Arguments::from_arg_matches(&found)?;
    let chosen = Chosen::of(&command, &found);
    chosen.require_use(&read.common)?;
    let mut defaults: Vec<_> = chosen.format(read.common.output.as_deref(), read.common.quiet)?.into_iter().collect();
    let format = defaults.first().map(|(_, format)| *format);
    chosen.require_csv(format)?;
    defaults.extend(chosen.language(&read, format));
    let files = chosen.files(&command);
    if !defaults.is_empty() {
        // The arguments are parsed again, so that clap checks and explains these defaults like all others.
        found = with_defaults(super::command(), &chosen.names, &defaults).try_get_matches_from(arguments)?;
        read = Arguments::from_arg_matches(&found)?;
    }
    Ok(Arguments { files, ..read })
}

/// Gives options of a subcommand other defaults.
fn with_defaults(command: Command, names: &[&str], defaults: &[(&'static str, &'static str)]) -> Command {
    match names.split_first() {
        Some((name, rest)) => command.mut_subcommand(name, |command| with_defaults(command, rest, defaults)),
        None => defaults.iter().fold(command, |command, &(option, value)| {
            command.mut_arg(option, |argument| argument.default_value(value))
        }),
    }
}

/// The command that was chosen.
struct Chosen<'a> {
    command: &'a Command,
    found: &'a ArgMatches,
    /// Its name, after those of the commands that it belongs to.
    names: Vec<&'a str>,
}

impl<'a> Chosen<'a> {
    fn of(mut command: &'a Command, mut found: &'a ArgMatches) -> Self {
        let mut names = Vec::new();
        while let Some((name, below)) = found.subcommand()
            && let Some(sub) = command.find_subcommand(name)
        {
            (command, found) = (sub, below);
            names.push(name);
        }
        Self { command, found, names }
    }

    /// Returns true if the command has an option.
    fn has(&self, option: &str) -> bool {
        self.command.get_arguments().any(|argument| argument.get_id() == option)
    }

    /// Returns the value of an option, or its default.
    fn value(&self, option: &str) -> Option<String> {
        let mut values = self.found.get_raw(Some(option).filter(|option| self.has(option))?)?;
        Some(values.next()?.to_string_lossy().into_owned())
    }

    /// Returns the value of an option on the command line.
    fn given(&self, option: &str) -> Option<String> {
        self.value(option).filter(|_| self.found.value_source(option) == Some(ValueSource::CommandLine))
    }

    /// Returns the existing files that the arguments name, those of the options of all commands too, except outputs.
    fn files(&self, all: &Command) -> Vec<NamedFile> {
        let is_file = |argument: &&clap::Arg| {
            let names = argument.get_value_names().unwrap_or_default();
            let is_named = argument.is_positional() || names.iter().any(|name| name.contains("FILE"));
            (is_named || argument.get_id() == "list") && !OUTPUTS.contains(&argument.get_id().as_str())
        };
        let named = |argument: &clap::Arg| {
            let option = argument.get_long().map(str::to_owned);
            let paths = self.found.get_raw(argument.get_id().as_str()).into_iter().flatten().map(PathBuf::from);
            paths.filter(|path| path.is_file()).map(move |path| NamedFile { option: option.clone(), path })
        };
        let arguments = self.command.get_arguments().chain(all.get_arguments());
        arguments.filter(is_file).flat_map(named).collect()
    }

    /// Returns the formats that the command writes, each with the option that chooses it.
    fn formats(&self) -> Vec<(&'static str, String)> {
        let of_option = |option| {
            let argument = self.command.get_arguments().find(|argument| argument.get_id() == option);
            let values = argument.into_iter().flat_map(clap::Arg::get_possible_values);
            values.map(move |value| (option, value.get_name().to_owned()))
        };
        let is_known = |format: &str| EXTENSIONS.iter().any(|(_, known)| known.contains(&format));
        OPTIONS.into_iter().flat_map(of_option).filter(|(_, format)| is_known(format)).collect()
    }

    /// Rejects -o if the command has no output, or none with its options, and how records are read if pages decide it.
    fn require_use(&self, common: &Common) -> Result<(), clap::Error> {
        let name = self.names.join(" ");
        let has_output = common.output.is_some();
        let found = WITHOUT_OUTPUT.iter().find(|(known, _)| *known == name).filter(|_| has_output);
        // Global options before the command are no part of the conflicts that it declares.
        let instead = INSTEAD_OF_OUTPUT.iter().find(|(known, option)| *known == name && self.given(option).is_some());
        if let Some((_, option)) = instead.filter(|_| has_output) {
            let message = format!("--{option} writes other files and cannot be used with -o");
            return Err(super::command().error(ErrorKind::ArgumentConflict, message));
        }
        let reading = [
            ("--variant", common.variant.is_some()),
            ("--rules", common.rules.is_some()),
            ("--aliases", common.aliases.is_some()),
        ];
        let ignored = reading.iter().find(|(_, is_given)| *is_given && name == "serve");
        let message = match (found, ignored) {
            (Some((_, what)), _) => format!("`pdn {name}` {what} and has no other output; omit -o"),
            (None, Some((option, _))) => {
                format!("in `pdn {name}`, the pages choose how records are read; omit {option}")
            }
            (None, None) => return Ok(()),
        };
        Err(super::command().error(ErrorKind::ArgumentConflict, message))
    }

    /// Returns the format that the name of the output asks for, and the option that chooses it, unless one is given.
    fn format(&self, output: Option<&Path>, quiet: bool) -> Result<Option<(&'static str, &'static str)>, clap::Error> {
        let Some((extension, wanted)) = output.and_then(extension) else { return Ok(None) };
        let formats = self.formats();
        let given = OPTIONS.iter().find_map(|option| self.given(option)).filter(|_| !formats.is_empty());
        if let Some(given) = given {
            if !wanted.contains(&given.as_str()) && extension != TEXT && !quiet {
                let _ = writeln!(
                    stderr(),
                    "warning: the output is {}, despite its name in .{extension}",
                    printable(&given)
                );
            }
            return Ok(None);
        }
        let option_of = |format: &str| formats.iter().find(|(_, known)| known == format).map(|(option, _)| *option);
        if let Some(found) = wanted.iter().find_map(|&format| Some((option_of(format)?, format))) {
            return Ok(Some(found));
        }
        let command = self.names.join(" ");
        let only = ONLY.iter().find(|(name, _)| *name == command).map(|(_, format)| *format);
        let is_written = |names: &[&str]| names.iter().any(|name| option_of(name).is_some() || only == Some(name));
        if is_written(wanted) || extension == TEXT {
            return Ok(None);
        }
        let names = EXTENSIONS.iter().filter(|(_, formats)| is_written(formats)).map(|(name, _)| format!(".{name}"));
        let names = names.collect::<Vec<_>>().join(", ");
        let advice = if names.is_empty() { String::new() } else { format!("; it can be {names}") };
        let message = format!("the output of `pdn {command}` cannot be .{extension}{advice}");
        Err(super::command().error(ErrorKind::InvalidValue, message))
    }

    /// Requires that the output is CSV if options are about that.
    fn require_csv(&self, format: Option<&str>) -> Result<(), clap::Error> {
        let value = || OPTIONS.iter().find_map(|option| self.value(option));
        let written = format.map(str::to_owned).or_else(value).unwrap_or_default();
        let options = [("excel", "--excel"), ("escape_formulas", "--escape-formulas")];
        let given = options.into_iter().find(|(option, _)| self.given(option).is_some());
        let Some((_, option)) = given.filter(|_| !written.is_empty() && written != "csv") else { return Ok(()) };
        let message = format!("{option} is for CSV, but the output is {}", printable(&written));
        Err(super::command().error(ErrorKind::ArgumentConflict, message))
    }

    /// Returns the language of the settings, unless one is given or the output is for programs.
    fn language(&self, arguments: &Arguments, format: Option<&str>) -> Option<(&'static str, &'static str)> {
        if !self.has("lang") || self.given("lang").is_some() {
            return None;
        }
        let chosen = OPTIONS.iter().find_map(|option| self.given(option));
        if chosen.as_deref().or(format).is_some_and(|format| DATA.contains(&format)) {
            return None;
        }
        // Settings that cannot be read are reported when they are needed.
        let settings = Settings::find(&arguments.common, arguments.command.paths()).ok()?;
        settings.lang.map(|language| ("lang", language.code()))
    }
}

/// Returns the extension of an output that is known, and its formats: none if it is that of a compressed file, since no output is
/// compressed. A device or a folder has no extension.
fn extension(output: &Path) -> Option<(&'static str, &'static [&'static str])> {
    let extension = output.extension()?.to_str()?.to_ascii_lowercase();
    let is_replaced = std::fs::metadata(output).is_ok_and(|found| !found.is_file());
    let known = EXTENSIONS.iter().find(|(name, _)| *name == extension).copied();
    known.or_else(|| Some((compressed_extension(output)?, &[]))).filter(|_| !is_replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds the examples in the help of a command, and of those that belong to it, that name an output.
    fn add_examples(command: &Command, examples: &mut Vec<String>) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let lines = help.lines().map(str::trim).filter(|line| line.starts_with("pdn ") && line.contains(" -o "));
        examples.extend(lines.map(str::to_owned));
        for command in command.get_subcommands() {
            add_examples(command, examples);
        }
    }

    /// Returns the words of a command line, in which single quotes hold spaces.
    fn words(line: &str) -> Vec<OsString> {
        let (mut words, mut is_quoted) = (vec![String::new()], false);
        for letter in line.chars() {
            match letter {
                '\'' => is_quoted = !is_quoted,
                ' ' if !is_quoted => words.push(String::new()),
                _ => words.last_mut().expect("a word").push(letter),
            }
        }
        words.into_iter().map(OsString::from).collect()
    }

    #[test]
    fn the_examples_of_help_have_outputs_that_their_commands_write() {
        let mut examples = Vec::new();
        add_examples(&crate::cli::command(), &mut examples);
        assert!(examples.len() > 40 && examples.iter().any(|line| line.starts_with("pdn cache export")));
        for line in examples {
            if let Err(error) = parse(&words(&line)) {
                panic!("{line}: {error}");
            }
        }
    }
}
