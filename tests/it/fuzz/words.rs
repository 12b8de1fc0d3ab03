//! Every word of a record is in its JSON.

use std::collections::BTreeSet;
use std::path::Path;

use pdn::check::{CheckOptions, Review, reviews};
use pdn::records::{Origin, game_row};
use serde_json::Value;

use super::mutator::Mutator;
use crate::support::binary::{pdn, pdn_with};
use crate::support::corpus::{corpus, records};
use crate::support::library::games;

/// Returns the words of a text: letters in a row and digits in a row, without the syntax of move numbers, NAGs, setups and
/// typed escape sequences, and without a letter that is typed after a number.
fn words(text: &str) -> BTreeSet<&str> {
    let kind = |letter: char| (letter.is_alphabetic(), letter.is_numeric());
    let mut found = BTreeSet::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| kind(letter) != kind(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let before = &text[..text.len() - rest.len()];
        let is_count = first.is_numeric() && (after.starts_with('.') || before.ends_with('$'));
        let is_escape = before.ends_with('\\') || word == "FEN";
        let is_typo = word.len() == 1 && before.ends_with(|letter: char| letter.is_ascii_digit());
        if first.is_alphanumeric() && !is_count && !is_escape && !is_typo {
            found.insert(word);
        }
        rest = after;
    }
    found
}

/// Returns a text without the markup of web pages: a note tells of it once, and it is no part of the record.
fn without_markup(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['<', '[']) {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        let name = rest[1..].trim_start_matches('/');
        let closing = if rest.starts_with('<') { '>' } else { ']' };
        let is_markup = ["br", "p", "pdn", "pdn_compat"].iter().any(|tag| {
            name.strip_prefix(tag).is_some_and(|after| after.trim_start_matches([' ', '/']).starts_with(closing))
        });
        let len = if is_markup { rest.find(closing).map_or(1, |at| at + 1) } else { 1 };
        plain.push_str(if is_markup { " " } else { &rest[..1] });
        rest = &rest[len..];
    }
    plain + rest
}

/// Returns a text as it is seen: without invisible characters, and with plain letters and digits for those that look like them.
fn as_seen(text: &str) -> String {
    const LETTERS: [(&str, &str); 2] = [("авекнс", "abekhc"), ("АВЕКНС", "ABEKHC")];
    let seen = |letter: char| {
        let place = |(foreign, plain): &(&str, &str)| plain.chars().nth(foreign.chars().position(|own| own == letter)?);
        let wide =
            matches!(letter, '\u{ff01}'..='\u{ff5e}').then(|| u32::from(letter) - 0xFEE0).and_then(char::from_u32);
        LETTERS.iter().find_map(place).or(wide).unwrap_or(letter)
    };
    let is_hidden = |letter: &char| matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    text.chars().filter(|letter| !is_hidden(letter)).map(seen).collect()
}

/// Appends all texts and numbers of a value.
fn append(value: &Value, text: &mut String) {
    match value {
        Value::String(own) => text.push_str(own),
        Value::Number(number) => text.push_str(&number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| append(item, text)),
        Value::Object(fields) => fields.iter().for_each(|(name, field)| {
            text.extend([name, " "]);
            append(field, text);
        }),
        Value::Null | Value::Bool(_) => {}
    }
    text.push(' ');
}

/// Returns the words of a game that are not in its JSON.
fn lost(review: &Review, bytes: &[u8]) -> Vec<String> {
    let row = game_row(review, Origin { file: "-", game: 1, offset: 0 }, Vec::new());
    let (mut kept, tree) = (String::new(), review.game().tree());
    append(&serde_json::to_value(&row).expect("JSON"), &mut kept);
    let text = tree.encoding().decode(&bytes[review.offset()..][..tree.byte_len() as usize]);
    let (text, kept) = (as_seen(&without_markup(&text)), as_seen(&kept));
    words(&text).difference(&words(&kept)).map(|word| (*word).to_owned()).collect()
}

/// Requires that the JSON of each game has its words, those of digits only if all numbers belong to moves.
fn assert_kept(name: &str, bytes: &[u8], numbers: bool) {
    for review in reviews(bytes, CheckOptions::default()) {
        let mut lost = lost(&review, bytes);
        lost.retain(|word| numbers || word.contains(char::is_alphabetic));
        let text = String::from_utf8_lossy(&bytes[review.offset()..][..review.game().tree().byte_len() as usize]);
        assert!(lost.is_empty(), "{name}: {lost:?} of {text}");
    }
}

#[test]
fn every_word_of_a_record_is_in_its_json() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    for record in records(&samples) {
        assert_kept(&record.name, &record.bytes, true);
    }
    let mut mutator = Mutator::new(&[samples], 20);
    for n in 0..2000 {
        let input = mutator.input();
        // Halves of characters may be read as whitespace.
        if str::from_utf8(&input).is_ok() {
            assert_kept(&n.to_string(), &input, false);
        }
    }
}

#[test]
fn every_word_outside_games_is_in_the_json_of_a_game_beside_it() {
    let text = "A preface.\n\n[Event \"a\"]\n1. 32-28 * drawn by agreement\nand more\n\n[Event \"b\"]\n1. 32-28 {c} *\n\n\
        % a comment\n[Event \"c\"]\n1. 32-28 *\nThe end.\n{Not quite}";
    let found = games(text);
    let comments = |n: usize| [found[n]["comment"].as_str(), found[n]["end_comment"].as_str()];
    assert_eq!(comments(0), [Some("A preface."), Some("drawn by agreement and more")]);
    assert_eq!(comments(1), [None, None]);
    assert_eq!(comments(2), [Some("a comment"), Some("The end. Not quite")]);
    let csv = pdn_with(text, &["convert", "--to", "csv", "-"]).is(0);
    assert!(csv.text().contains("drawn by agreement and more") && csv.text().contains("Not quite"), "{}", csv.text());
    let annotated = pdn_with(text, &["annotate", "--nodes", "10", "--to", "jsonl", "-"]).is(0).values();
    assert_eq!(annotated[0]["end_comment"], found[0]["end_comment"]);
}

#[test]
fn every_word_of_a_file_is_in_the_json_of_its_games() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let rows = pdn(&["convert", "--to", "jsonl", samples.to_str().expect("a path")]).values();
    for record in records(&samples) {
        let mut kept = String::new();
        let file = samples.join(&record.name);
        let own = |row: &&Value| row["file"].as_str().is_some_and(|name| Path::new(name) == file);
        rows.iter().filter(own).for_each(|row| append(row, &mut kept));
        if let (Ok(text), false) = (str::from_utf8(&record.bytes), kept.is_empty()) {
            let (text, kept) = (as_seen(&without_markup(text)), as_seen(&kept));
            let lost: Vec<_> = words(&text).difference(&words(&kept)).copied().collect();
            assert!(lost.iter().all(|word| !word.contains(char::is_alphabetic)), "{}: {lost:?}", record.name);
        }
    }
}

#[test]
fn every_word_of_the_corpus_is_in_its_json() {
    let Some(folder) = corpus() else { return };
    for record in records(&folder).step_by(5) {
        assert_kept(&record.name, &record.bytes, true);
    }
}
