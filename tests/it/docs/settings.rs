//! The JSON Schema of `pdn.toml`, `docs/schema/pdn-toml.json`, for editors. It is generated from the settings and the names that the
//! program accepts: run these tests with `UPDATE_DOCS=1` to update it.

use clap::Args as _;
use pdn::check::DiagnosticOptions;
use pdn::diag::Severity;
use pdn::rules::{ResultStyle, Variant};
use pdn::text::Language;
use serde_json::{Map, Value, json};

use crate::support::binary::Folder;
use crate::support::sources::root;

/// What each setting does.
const MEANINGS: [(&str, &str); 15] = [
    ("variant", "Reads every game as this variant: a name, a GameType number or a GameType value."),
    ("rules", "Rules file that replaces the variant, relative to this file."),
    ("encoding", "Encoding of all records."),
    ("select", "Codes or groups of codes that `pdn check` reports; all others are left out."),
    ("ignore", "Codes or groups of codes that `pdn check` leaves out."),
    ("deny", "Codes or groups of codes that `pdn check` reports as errors."),
    ("severity", "Lowest severity that `pdn check` shows."),
    ("lang", "Language of diagnostics and pages; what other programs read stays English."),
    ("require-tags", "Tags that every game must have."),
    ("strict", "Also checks the writing rules, and reports warnings as errors."),
    ("baseline", "File of known diagnostics, which are hidden; relative to this file."),
    ("egdb", "Folder of endgame databases in addition to the built-in ones, relative to this file."),
    ("result-style", "How `pdn fmt` writes results."),
    ("profile", "Profile to use without --profile."),
    ("profiles", "Settings that replace those at the top level, by the name of the profile."),
];

/// Returns the error of a check with settings, or nothing.
fn refused(settings: &str) -> String {
    let folder = Folder::with("pdn.toml", settings);
    folder.write("games.pdn", "*");
    let run = folder.command(&["check", "--quiet", "games.pdn"]).output().expect("the program runs");
    if run.status.code() == Some(2) { String::from_utf8_lossy(&run.stderr).into_owned() } else { String::new() }
}

/// Returns the names of all settings: those in the message for an unknown one.
fn names() -> Vec<String> {
    let message = refused("unknown = 1");
    let (_, names) = message.split_once("expected one of").expect("the names");
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns the names of all codes and groups of codes.
fn selectors() -> Vec<String> {
    let command = DiagnosticOptions::augment_args(clap::Command::new("check"));
    let select = command.get_arguments().find(|argument| argument.get_id() == "select").expect("an option");
    select.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
}

/// Returns the type of a setting, without its meaning.
fn values(name: &str) -> Value {
    let list = |items: Value| json!({"type": "array", "items": items, "uniqueItems": true});
    match name {
        "variant" => {
            let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
            json!({"anyOf": [{"enum": names}, {"type": "string", "pattern": "^[0-9]"}]})
        }
        "encoding" => json!({"enum": ["utf-8", "utf-16le", "utf-16be", "cp1250", "cp1251", "cp1252", "latin-1"]}),
        "select" | "ignore" | "deny" => list(json!({"enum": selectors()})),
        "severity" => {
            let names = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| severity.to_string());
            json!({"enum": names})
        }
        "lang" => json!({"enum": Language::ALL.map(Language::code)}),
        "result-style" => json!({"enum": [ResultStyle::TwoPoints, ResultStyle::OnePoint]}),
        "require-tags" => list(json!({"type": "string"})),
        "strict" => json!({"type": "boolean"}),
        "profiles" => json!({"type": "object", "additionalProperties": {"$ref": "#/$defs/profile"}}),
        _ => json!({"type": "string"}),
    }
}

fn properties(names: &[String]) -> Map<String, Value> {
    let described = |name: &String| {
        let meaning = MEANINGS.iter().find(|(setting, _)| setting == name).map(|(_, meaning)| *meaning);
        let mut property = values(name);
        property["description"] = json!(meaning.unwrap_or_else(|| panic!("{name} has no meaning in the schema")));
        (name.clone(), property)
    };
    names.iter().map(described).collect()
}

fn schema() -> Value {
    let names = names();
    let of_profiles: Vec<_> = names.iter().filter(|name| !name.starts_with("profile")).cloned().collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of pdn in `pdn.toml`",
        "type": "object",
        "properties": properties(&names),
        "additionalProperties": false,
        "$defs": {"profile": {"type": "object", "properties": properties(&of_profiles), "additionalProperties": false}},
    })
}

#[test]
fn the_schema_is_current() {
    let path = root().join("docs/schema/pdn-toml.json");
    let text = serde_json::to_string_pretty(&schema()).expect("JSON") + "\n";
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &text).expect("written");
    }
    assert!(std::fs::read_to_string(&path).unwrap_or_default() == text, "run with UPDATE_DOCS=1");
}

#[test]
fn the_values_of_the_schema_are_accepted() {
    let names = names();
    assert_eq!(names.len(), MEANINGS.len(), "{names:?}");
    for name in &names {
        let values = values(name);
        let listed = |at: &str| values.pointer(at).and_then(Value::as_array).cloned().unwrap_or_default();
        let several = listed("/items/enum");
        let one =
            [listed("/enum"), listed("/anyOf/0/enum")].concat().into_iter().map(|value| format!("{name} = {value}"));
        for text in one.chain((!several.is_empty()).then(|| format!("{name} = {}", Value::Array(several)))) {
            assert_eq!(refused(&text), "", "{text}");
        }
    }
}
