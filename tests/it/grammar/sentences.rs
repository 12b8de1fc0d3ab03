//! Sentences made from the grammars: the reader takes each without a finding of the group `syntax/`, and tells of each
//! that was made wrong.

use std::collections::BTreeMap;

use crate::ebnf::maker::Maker;
use crate::ebnf::{Dice, Grammar};
use pdn::games;

/// The findings of the group `syntax/`, those outside games too.
fn faults(text: &str) -> Vec<&'static str> {
    let mut reader = games(text.as_bytes());
    let mut codes: Vec<_> =
        reader.by_ref().flat_map(|game| game.into_parts().1).map(|found| found.code().name()).collect();
    codes.extend(reader.take_outside().into_iter().map(|found| found.diagnostic().code().name()));
    codes.retain(|code| code.starts_with("syntax/"));
    codes
}

fn grammars() -> (Grammar, Grammar) {
    (Grammar::read("reading.ebnf"), Grammar::read("movetext.ebnf"))
}

#[test]
fn every_rule_that_is_used_is_there() {
    let (reading, movetext) = grammars();
    for name in reading.used().into_iter().chain(movetext.used()) {
        assert!(reading.rule(&name).is_some() || movetext.rule(&name).is_some(), "{name}");
    }
}

/// Each production with the text around a sentence of it that makes a record.
const PRODUCTIONS: [(&str, &str, &str); 37] = [
    ("white space", "1. 32-28 ", "19-23 *"),
    ("records", "", ""),
    ("lead", "", "\n[Event \"a\"] *"),
    ("separator", "1. 32-28 ", "\n"),
    ("tail", "1. 32-28 * ", "\n"),
    ("game", "", " *"),
    ("opening", "", " *"),
    ("tag", "", " *"),
    ("identifier", "[", " \"a\"] *"),
    ("movetext", "[Event \"a\"] ", " *"),
    ("element", "[Event \"a\"] ", " *"),
    ("game move", "[Event \"a\"] ", " *"),
    ("count", "[Event \"a\"] ", " 32-28 *"),
    ("first count", "", " 32-28 *"),
    ("variation", "1. 32-28 ", " *"),
    ("digit", "1. 3", "-28 *"),
    ("file", "1. ", "3-d4 *"),
    ("blank", "1. 32-28 ", "19-23 *"),
    ("gap", "1. 32-", "28 *"),
    ("number", "", " 32-28 *"),
    ("numeral", "1. ", "-28 *"),
    ("cell", "1. ", "-d4 *"),
    ("move sign", "1. 32", "28 *"),
    ("capture sign", "1. 32", "28 *"),
    ("quiet move", "1. ", " *"),
    ("capture", "1. ", " *"),
    ("ellipsis", "1. ", " 19-23 *"),
    ("move", "1. ", " *"),
    ("marks", "1. 32-28", " *"),
    ("mark", "1. 32-28", " *"),
    ("nag", "1. 32-28 ", " *"),
    ("comment", "1. 32-28 ", " *"),
    ("line comment", "1. 32-28\n", "\n*"),
    ("command", "1. 32-28 {", "} *"),
    ("setup", "1. 32-28 ", " *"),
    ("result", "1. 32-28 ", ""),
    ("string", "[Event ", "] *"),
];

#[test]
fn sentences_of_each_production_are_taken() {
    let (reading, movetext) = grammars();
    let mut maker =
        Maker { outer: &reading, inner: &movetext, dice: Dice::new(3), tight: &["identifier"], fixed: BTreeMap::new() };
    for name in reading.names().chain(movetext.names()) {
        // A name and its letters are parts of a command.
        let known = PRODUCTIONS.iter().find(|(production, ..)| *production == name);
        let Some((_, before, after)) = known else {
            assert!(["name", "letter"].contains(&name), "{name}: no sentences");
            continue;
        };
        for _ in 0..300 {
            let mut tokens = Vec::new();
            let sentence = if reading.rule(name).is_some() && !["tail", "white space"].contains(&name) {
                maker.tokens(name, 0, &mut tokens);
                maker.join(&tokens)
            } else {
                maker.text(match name {
                    "tail" => "comment",
                    "white space" => "gap",
                    _ => name,
                })
            };
            let text = format!("{before}{sentence}{after}");
            let found = faults(&text);
            assert!(found.is_empty(), "{name}: {found:?} in\n{text}");
        }
    }
}

#[test]
fn sentences_of_the_grammar_are_taken() {
    let (reading, movetext) = grammars();
    let mut writer =
        Maker { outer: &reading, inner: &movetext, dice: Dice::new(1), tight: &["identifier"], fixed: BTreeMap::new() };
    let mut longest = 0;
    for _ in 0..4000 {
        let mut tokens = Vec::new();
        writer.tokens("records", 0, &mut tokens);
        let text = writer.join(&tokens);
        longest = longest.max(tokens.len());
        let found = faults(&text);
        assert!(found.is_empty(), "{found:?} in\n{text}\n{tokens:?}");
    }
    assert!(longest > 40, "{longest}");
}

/// Each way to make a sentence wrong: what is done to the tokens of a game, and the kinds of fault of which there is one.
type Damage = (&'static str, fn(&mut Vec<String>, &mut Dice) -> bool, &'static [&'static str]);

const DAMAGES: [Damage; 8] = [
    (
        "a parenthesis is not closed",
        |tokens, _| remove(tokens, ")"),
        &["syntax/unclosed-variation", "syntax/result-in-variation"],
    ),
    (
        "a parenthesis is not opened",
        |tokens, dice| insert(tokens, dice, ")"),
        &["syntax/unopened-variation", "syntax/unclosed-variation", "syntax/stray-text"],
    ),
    (
        "a brace is not opened",
        |tokens, dice| insert(tokens, dice, "}"),
        &["syntax/stray-brace", "syntax/nested-comment", "syntax/prose-in-parentheses", "syntax/stray-text"],
    ),
    (
        "a word stands alone",
        |tokens, dice| insert(tokens, dice, "prose"),
        &["syntax/stray-text", "syntax/prose-in-parentheses"],
    ),
    (
        "a bracket stands alone",
        |tokens, dice| insert(tokens, dice, "]"),
        &["syntax/stray-bracket", "syntax/prose-in-parentheses", "syntax/stray-text"],
    ),
    ("a number stands alone", |tokens, _| push_before_end(tokens, "99."), &["syntax/number-without-move"]),
    ("a tag is not closed", |tokens, _| remove(tokens, "]"), &["syntax/missing-bracket"]),
    ("a value is not quoted", |tokens, _| unquote(tokens), &["syntax/unquoted-value", "syntax/empty-tag"]),
];

fn remove(tokens: &mut Vec<String>, token: &str) -> bool {
    let place = tokens.iter().position(|other| other == token);
    place.map(|place| tokens.remove(place)).is_some()
}

/// Puts a token between two others of the movetext.
fn insert(tokens: &mut Vec<String>, dice: &mut Dice, token: &str) -> bool {
    let first = tokens.iter().rposition(|other| other == "]").map_or(1, |last| last + 1);
    let places: Vec<_> = (first..tokens.len()).filter(|&at| at > 0 && !tokens[at - 1].ends_with('.')).collect();
    let place = places.get(dice.below(places.len().max(1))).copied();
    place.map(|place| tokens.insert(place, token.to_owned())).is_some()
}

fn push_before_end(tokens: &mut Vec<String>, token: &str) -> bool {
    let at = tokens.len() - 1;
    let moves = tokens[..at].last().is_some_and(|last| last.ends_with(|letter: char| letter.is_ascii_digit()));
    if moves {
        tokens.insert(at, token.to_owned());
    }
    moves
}

fn unquote(tokens: &mut [String]) -> bool {
    let Some(bracket) = tokens.iter().position(|token| token == "[") else { return false };
    "Amsterdam".clone_into(&mut tokens[bracket + 2]);
    true
}

#[test]
fn wrong_sentences_are_reported() {
    let (reading, movetext) = grammars();
    for (name, damage, codes) in DAMAGES {
        let mut writer = Maker {
            outer: &reading,
            inner: &movetext,
            dice: Dice::new(7),
            tight: &["identifier"],
            fixed: BTreeMap::new(),
        };
        let mut count = 0;
        for _ in 0..2000 {
            let mut tokens = Vec::new();
            writer.tokens("game", 0, &mut tokens);
            tokens.push("*".to_owned());
            let mut dice = Dice::new(writer.dice.below(1 << 20) as u64 + 1);
            if damage(&mut tokens, &mut dice) {
                count += 1;
                let text = tokens.join(" ");
                let found = faults(&text);
                assert!(found.iter().any(|code| codes.contains(code)), "{name}: {found:?} in\n{text}");
            }
        }
        assert!(count > 100, "{name}: {count}");
    }
}
