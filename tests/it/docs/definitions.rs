//! The options in the definitions for TypeScript and Python are generated from the structs that the command line reads: run this
//! test with `UPDATE_DOCS=1` to update them.

use std::any::TypeId;
use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use clap::{Arg, ArgAction, Args, Command};
use pdn::annotate::{AnnotateOptions, FindingOptions};
use pdn::arena::MatchOptions;
use pdn::calls::CallOptions;
use pdn::canon::FormatOptions;
use pdn::check::DiagnosticOptions;
use pdn::export::ConvertOptions;
use pdn::query::{EventOptions, OpeningsOptions, SearchOptions, StatsOptions};
use pdn::report::{ChartOptions, ReportOptions};

use crate::support::sources::root;

/// The options of a command, as JSON has them.
struct Struct {
    name: &'static str,
    arguments: Vec<Arg>,
    /// The message for an unknown option, which lists the known ones.
    unknown: String,
}

fn of<T: Args + serde::de::DeserializeOwned>(name: &'static str) -> Struct {
    let command = T::augment_args(Command::new(name));
    let unknown = CallOptions::parse(br#"{ "none": 1 }"#).and_then(CallOptions::rest::<T>);
    let unknown = unknown.err().expect("no such option").to_string();
    Struct { name, arguments: command.get_arguments().cloned().collect(), unknown }
}

fn structs() -> [Struct; 12] {
    [
        of::<AnnotateOptions>("annotate"),
        of::<ChartOptions>("chart"),
        of::<DiagnosticOptions>("check"),
        of::<ConvertOptions>("convert"),
        of::<EventOptions>("event"),
        of::<FormatOptions>("fmt"),
        of::<MatchOptions>("match"),
        of::<OpeningsOptions>("openings"),
        of::<FindingOptions>("puzzles"),
        of::<ReportOptions>("report"),
        of::<SearchOptions>("search"),
        of::<StatsOptions>("stats"),
    ]
}

/// The type of a value in a language.
struct Types {
    number: &'static str,
    /// The type of a number that need not be whole.
    real: &'static str,
    boolean: &'static str,
    text: &'static str,
    /// Returns the type of one of some words.
    words: fn(Vec<String>) -> String,
    /// Returns the type of a list.
    list: fn(String) -> String,
}

const TYPESCRIPT: Types = Types {
    number: "number",
    real: "number",
    boolean: "boolean",
    text: "string",
    words: |words| words.join(" | "),
    list: |item| if item.contains('|') { format!("({item})[]") } else { format!("{item}[]") },
};

const PYTHON: Types = Types {
    number: "int",
    real: "float",
    boolean: "bool",
    text: "str",
    words: |words| format!("Literal[{}]", words.join(", ")),
    list: |item| format!("Sequence[{item}]"),
};

fn type_of(argument: &Arg, types: &Types) -> String {
    if matches!(argument.get_action(), ArgAction::SetTrue | ArgAction::SetFalse) {
        return types.boolean.to_owned();
    }
    let of = argument.get_value_parser().type_id();
    let numbers = [TypeId::of::<u8>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    // Codes are too many to list.
    let words: Vec<_> =
        argument.get_possible_values().iter().map(|value| format!("\"{}\"", value.get_name())).collect();
    let one = if of == TypeId::of::<[u32; 3]>() {
        (types.list)(types.number.to_owned())
    } else if of == TypeId::of::<[u16; 3]>() {
        // In thousandths, from fractions.
        (types.list)(types.real.to_owned())
    } else if of == TypeId::of::<Duration>() {
        types.real.to_owned()
    } else if numbers.iter().any(|number| of == *number) {
        types.number.to_owned()
    } else if words.is_empty() || argument.is_hide_possible_values_set() {
        types.text.to_owned()
    } else {
        (types.words)(words)
    };
    if matches!(argument.get_action(), ArgAction::Append) { (types.list)(one) } else { one }
}

/// Returns the help as a sentence, with the default value.
fn sentence(argument: &Arg) -> String {
    let mut text = argument.get_help().map(ToString::to_string).unwrap_or_default();
    // Libraries take lists, and open no files of regulations.
    for part in [", separated by commas", ", or as a file does"] {
        text = text.replace(part, "");
    }
    // `--no-comments` is `comments: false`.
    if matches!(argument.get_action(), ArgAction::SetFalse) {
        return format!("If false: {}{}. Default: true.", text[..1].to_lowercase(), &text[1..]);
    }
    let default: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !matches!(argument.get_action(), ArgAction::SetTrue) && !default.is_empty() {
        let _ = write!(text, " [default: {}]", default.join(","));
    }
    match text.split_once(" [default: ") {
        Some((text, default)) => format!("{text}. Default: {}.", default.trim_end_matches(']')),
        None => format!("{text}."),
    }
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

fn typescript(options: &Struct) -> String {
    let line = |argument: &Arg| {
        let (name, of) = (camel(argument.get_id().as_str()), type_of(argument, &TYPESCRIPT));
        format!("  /** {} */\n  {name}?: {of};\n", sentence(argument))
    };
    options.arguments.iter().map(line).collect()
}

fn python(options: &Struct) -> String {
    let line = |argument: &Arg| {
        let (name, of) = (argument.get_id().as_str(), type_of(argument, &PYTHON));
        format!("    {name}: {of}\n    \"\"\"{}\"\"\"\n", sentence(argument))
    };
    let parameters: &[&str] = match options.name {
        "annotate" => &["depth", "nodes", "time", "lines"],
        "convert" => &["to"],
        // Tournaments are returned as dictionaries.
        "event" => &["escape_formulas", "excel"],
        // Games are returned as objects.
        "search" => &["to", "escape_formulas", "excel"],
        _ => &[],
    };
    let is_option = |argument: &&Arg| !parameters.contains(&argument.get_id().as_str());
    options.arguments.iter().filter(is_option).map(line).collect()
}

/// Returns a file with the parts between `start NAME` and `end` replaced.
fn updated(text: &str, (start, end): (&str, &str), part: impl Fn(&Struct) -> String) -> String {
    structs().iter().fold(text.to_owned(), |text, options| {
        let head = format!("{start} {}\n", options.name);
        let Some((before, rest)) = text.split_once(&head) else { return text };
        let (_, after) = rest.split_once(&format!("{end}\n")).expect("the end of the part");
        format!("{before}{head}{}{end}\n{after}", part(options))
    })
}

#[test]
fn the_definitions_have_the_options_of_the_commands() {
    for (path, marks, part) in [
        ("web/wasm/pdn.d.ts", ("  // Generated: pdn", "  // End"), typescript as fn(&Struct) -> String),
        ("python/lib/pdn/_core.pyi", ("    # Generated: pdn", "    # End"), python),
    ] {
        let path = root().join(path);
        let before = fs::read_to_string(&path).expect("the definitions");
        let after = updated(&before, marks, part);
        assert!(after.contains(marks.0), "{}: nothing is generated", path.display());
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &after).expect("written");
        } else {
            assert!(before == after, "{}: run with UPDATE_DOCS=1", path.display());
        }
    }
}

/// Returns the names of the fields of an interface for TypeScript.
fn fields<'a>(definitions: &'a str, interface: &str) -> Vec<&'a str> {
    let (_, rest) = definitions.split_once(&format!("export interface {interface} {{\n")).expect(interface);
    let (body, _) = rest.split_once("\n}").expect(interface);
    let field = |line: &'a str| line.strip_prefix("  ")?.split_once(':').map(|(name, _)| name.trim_end_matches('?'));
    body.lines().filter_map(field).collect()
}

#[test]
fn the_definitions_of_rows_have_the_fields_of_the_schemas() {
    let definitions = fs::read_to_string(root().join("web/wasm/pdn.d.ts")).expect("the definitions");
    for (interface, schema, place) in [
        ("GameRow", "annotate", ""),
        ("MoveRow", "annotate", "/$defs/move"),
        ("ReportSide", "annotate", "/$defs/performance"),
        ("Diagnostic", "annotate", "/$defs/diagnostic"),
        ("EventRow", "event", ""),
        ("Standing", "event", "/properties/players/items"),
        ("TeamStanding", "event", "/properties/teams/items"),
        ("OpeningTree", "openings", ""),
        ("StatsRow", "stats", ""),
        ("SpellingRow", "players", ""),
    ] {
        let text = fs::read_to_string(root().join(format!("docs/schema/{schema}.json"))).expect(schema);
        let schema: serde_json::Value = serde_json::from_str(&text).expect(schema);
        let properties = schema.pointer(&format!("{place}/properties")).and_then(serde_json::Value::as_object);
        let known = fields(&definitions, interface);
        for name in properties.expect(interface).keys() {
            assert!(known.contains(&name.as_str()), "{interface} lacks {name}");
        }
    }
}

#[test]
fn json_and_the_command_line_have_the_same_options() {
    for options in structs() {
        let mut names: Vec<_> =
            options.arguments.iter().map(|argument| format!("`{}`", camel(argument.get_id().as_str()))).collect();
        let mut known: Vec<_> = options.unknown.split('`').skip(3).step_by(2).map(|name| format!("`{name}`")).collect();
        names.sort();
        known.sort();
        assert_eq!(known, names, "{}: {}", options.name, options.unknown);
    }
}
