//! Sentences made from the writing grammar: the strict check takes each, and tells of each that was made wrong.

use std::collections::BTreeMap;

use crate::ebnf::maker::Maker;
use crate::ebnf::{Dice, Grammar};
use pdn::check::check_writing;
use pdn::games;
use pdn::replay::{ReplayOptions, replay};

/// Rules whose parts nothing may stand between.
const TIGHT: &[&str] = &[
    "event",
    "site",
    "date",
    "round",
    "white",
    "black",
    "result tag",
    "tag",
    "number",
    "quiet move",
    "capture",
    "ellipsis",
    "setup",
];

/// A game of no variant that is known, so that its moves need not be legal.
const OF_NO_VARIANT: &str = "[GameType \"0\"]\n";

fn sentences(seed: u64, mut take: impl FnMut(&str, &mut Dice)) {
    let (writing, movetext) = (Grammar::read("writing.ebnf"), Grammar::read("movetext.ebnf"));
    let mut maker =
        Maker { outer: &writing, inner: &movetext, dice: Dice::new(seed), tight: TIGHT, fixed: BTreeMap::new() };
    let mut count = 0;
    while count < 5000 {
        // A record names squares in one way, and writes captures in one.
        for rule in ["square", "sign"] {
            let choice = maker.dice.below(2);
            maker.fixed.insert(rule, choice);
        }
        let mut tokens = Vec::new();
        maker.tokens("game", 0, &mut tokens);
        if tokens[0].starts_with('[') {
            count += 1;
            take(&joined(&tokens), &mut maker.dice);
        }
    }
}

/// Tags on lines of their own, and one space between other tokens but at the edges of parentheses.
fn joined(tokens: &[String]) -> String {
    let tags = tokens.iter().take_while(|token| token.starts_with('[')).count();
    let moves = tokens[tags..].join(" ").replace("( ", "(").replace(" )", ")");
    format!("{}{OF_NO_VARIANT}\n{moves}\n", tokens[..tags].concat())
}

/// The findings of the group `syntax/`, and those of the writing rules.
fn faults(bytes: &[u8]) -> Vec<&'static str> {
    let mut reader = games(bytes);
    let mut codes = Vec::new();
    for parsed in reader.by_ref() {
        codes.extend(parsed.diagnostics().iter().map(|found| found.code().name()));
        let text = &bytes[parsed.offset()..][..parsed.tree().byte_len() as usize];
        let game = replay(parsed.into_tree(), &ReplayOptions::default());
        codes.extend(check_writing(&game, text).iter().map(|found| found.code().name()));
    }
    codes.extend(reader.take_outside().iter().map(|found| found.diagnostic().code().name()));
    codes.retain(|code| code.starts_with("syntax/") || code.contains("/strict-"));
    codes
}

#[test]
fn every_rule_that_is_used_is_there() {
    let (writing, movetext) = (Grammar::read("writing.ebnf"), Grammar::read("movetext.ebnf"));
    for name in writing.used() {
        assert!(writing.rule(&name).is_some() || movetext.rule(&name).is_some(), "{name}");
    }
}

#[test]
fn sentences_of_the_grammar_are_taken() {
    sentences(3, |text, _| assert_eq!(faults(text.as_bytes()), [""; 0], "{text}"));
}

/// What is done to a sentence, and the one kind of finding that this makes; `None` where there is nothing to do it to.
type Damage = (&'static str, fn(&str) -> Option<Vec<u8>>);

/// Replaces the first of these with something.
fn first(text: &str, old: &str, new: &str) -> Option<Vec<u8>> {
    text.contains(old).then(|| text.replacen(old, new, 1).into_bytes())
}

/// The first move by numbers, changed by `change`.
fn first_move(text: &str, change: fn(&str) -> String) -> Option<Vec<u8>> {
    let is_move = |word: &&str| {
        let (one, other) = word.split_once('-').unwrap_or_default();
        let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        number(one) && number(other)
    };
    let (tags, moves) = text.split_once("\n\n")?;
    // Words of comments are no moves.
    let bare = moves.split(' ').take_while(|word| !word.contains(['{', '/']));
    let found = bare.clone().find(is_move)?;
    let moves = moves.split(' ').map(|word| if word == found { change(word) } else { word.to_owned() });
    Some(format!("{tags}\n\n{}", moves.collect::<Vec<_>>().join(" ")).into_bytes())
}

const DAMAGES: &[Damage] = &[
    ("result/strict-separator", |text| {
        Some(text.strip_suffix("*\n")?.to_owned().into_bytes()).map(|mut text| {
            text.extend(b" 2-0\n");
            text
        })
    }),
    ("tag/strict-roster", |text| first(text, "[Event ", "[Evening ")),
    ("tag/strict-game-type", |text| first(text, "[GameType \"0\"]", "[GameType \"0,W,8\"]")),
    ("tag/strict-encoding", |text| {
        let at = text.find('é')?;
        Some(
            [&text.as_bytes()[..at], b"\xE9", text[at..].trim_start_matches('é').replace('é', "e").as_bytes()].concat(),
        )
        .map(|bytes| String::from_utf8(bytes.clone()).map_or(bytes, String::into_bytes))
    }),
    ("fen/strict-form", |text| first(text, ":W", ": W").filter(|_| text.contains("/FEN \""))),
    ("move/strict-strength", |text| {
        let (tags, moves) = text.split_once("\n\n").filter(|(_, moves)| !moves.contains('{'))?;
        let mark = moves.find("! ").filter(|&at| moves[..at].ends_with(|sign: char| sign.is_ascii_digit()))?;
        Some(format!("{tags}\n\n{}(!){}", &moves[..mark], &moves[mark + 1..]).into_bytes())
    }),
    ("move/strict-leading-zero", |text| first_move(text, |word| format!("0{word}")).filter(|_| !text.contains("-1 "))),
    ("move/strict-blank", |text| first_move(text, |word| word.replace('-', "- "))),
];

#[test]
fn wrong_sentences_are_reported() {
    let mut counts = vec![0; DAMAGES.len()];
    sentences(9, |text, _| {
        for ((code, damage), count) in DAMAGES.iter().zip(&mut counts) {
            if let Some(damaged) = damage(text) {
                *count += 1;
                let found = faults(&damaged);
                let told = !found.is_empty() && found.iter().all(|other| other == code);
                assert!(told, "{code}: {found:?} in\n{}", String::from_utf8_lossy(&damaged));
            }
        }
    });
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}
