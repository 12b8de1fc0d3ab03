//! Diagnostics in other languages, and the options that choose them.

use std::collections::BTreeSet;
use std::fs;

use pdn::rules::Variant;
use pdn::text::Language;
use serde_json::Value;

use crate::support::binary::{Folder, pdn};
use crate::support::sources::root;

/// Words that stay as they are: parts of the names of encodings and files, and of articles that are quoted.
const KEPT: [&str; 5] = ["annex", "koi", "pdn", "rule", "rules"];

/// Returns the words in small Latin letters, outside quoted parts of records and paths.
fn latin_words(text: &str) -> BTreeSet<String> {
    let unquoted: String = text.split('`').step_by(2).collect();
    let words = unquoted.split_whitespace().filter(|word| !word.contains(['/', '_', ':']));
    let words = words.flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric()));
    let latin = words.filter(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
    latin.map(str::to_owned).collect()
}

/// Returns the diagnostics of the samples, and those of tournaments.
fn diagnostics_of_samples(language: &str) -> Vec<Value> {
    let check = [
        "check",
        "--strict",
        "--duplicates",
        "--require-tags",
        "Foo",
        "--format",
        "json",
        "--lang",
        language,
        "samples",
    ];
    let mut found: Vec<_> = pdn(&check).values().into_iter().filter(|row| row["message"].is_string()).collect();
    let entries = fs::read_dir(root().join("samples/diagnostics")).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| name.starts_with("event-")).collect();
    names.sort();
    for name in names {
        let path = format!("samples/diagnostics/{name}");
        let trf = format!("samples/trf/{}.trf", name.trim_start_matches("event-").trim_end_matches(".pdn"));
        let compared = if root().join(&trf).exists() { vec!["--trf", &trf] } else { Vec::new() };
        let run = pdn(&[&["event", "--format", "json", "--lang", language, &path], &compared[..]].concat());
        found.extend(
            run.values().into_iter().flat_map(|row| row["diagnostics"].as_array().cloned().unwrap_or_default()),
        );
    }
    found
}

#[test]
fn nothing_in_a_diagnostic_stays_english() {
    let english = diagnostics_of_samples("en");
    assert!(english.len() > 500);
    let variants = Variant::ALL.iter().flat_map(|variant| variant.name().split('-'));
    let kept: BTreeSet<&str> = variants.chain(KEPT).collect();
    let russian = diagnostics_of_samples("ru");
    assert_eq!(russian.len(), english.len());
    for (own, english) in russian.iter().zip(&english) {
        assert_eq!(
            (&own["code"], &own["severity"], &own["offset"]),
            (&english["code"], &english["severity"], &english["offset"])
        );
        for part in ["message", "help"] {
            let left: Vec<_> = latin_words(own[part].as_str().unwrap_or_default()).into_iter().collect();
            assert!(left.iter().all(|word| kept.contains(word.as_str())), "{left:?}: {own}");
        }
    }
}

#[test]
fn text_has_the_language_of_the_option_or_the_settings_and_data_that_of_the_option() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"] [Result \"2-0\"]\n1. 28-32 18-22 0-2\n");
    let dutch = "fout[move/illegal]: `28-32` is niet toegestaan: op 28 staat geen stuk\n --> a.pdn:2:4 (partij 1)";
    let given = folder.run(&["check", "--lang", "nl", "a.pdn"]).is(1);
    assert!(given.text().starts_with(dutch), "{}", given.text());
    assert!(given.text().contains("= advies: bedoelde wit 32-28?\n"), "{}", given.text());
    let message = |run: &[&str]| folder.run(run).is(1).values()[0]["message"].as_str().expect("a message").to_owned();
    assert!(message(&["check", "--format", "json", "--lang", "fr", "a.pdn"]).starts_with("`28-32` n’est pas légal"));
    folder.write("pdn.toml", "lang = 'nl'\n");
    assert!(folder.run(&["check", "a.pdn"]).is(1).text().starts_with(dutch));
    assert!(folder.run(&["check", "--lang", "en", "a.pdn"]).is(1).text().starts_with("error[move/illegal]"));
    for format in ["json", "sarif", "github"] {
        let run = folder.run(&["check", "--format", format, "a.pdn"]).is(1);
        assert!(run.text().contains("there is no piece on 28"), "{}", run.text());
    }
    folder.run(&["check", "a.pdn", "-o", "a.json"]).is(1);
    assert!(folder.read("a.json").contains("there is no piece on 28"));
    let event = folder.run(&["event", "--format", "html", "--all", "a.pdn"]);
    assert!(event.text().contains("<html lang=\"nl\">") && event.text().contains("<td>fout</td>"), "{}", event.text());
    folder.write("pdn.toml", "lang = 'xx'\n");
    assert!(folder.run(&["check", "a.pdn"]).is(2).errors.contains("expected one of en, nl, fr, it, pt, ru"));
}

#[test]
fn codes_are_explained_in_every_language() {
    let mut first = BTreeSet::new();
    for language in Language::ALL {
        let run = pdn(&["check", "--explain", "move/illegal", "--lang", language.code()]).is(0);
        assert!(run.text().starts_with("move/illegal ("), "{}", run.text());
        first.insert(run.text().lines().nth(2).unwrap_or_default().to_owned());
    }
    assert_eq!(first.len(), Language::ALL.len());
}
