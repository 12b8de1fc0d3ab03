//! Games in JSON as the program writes them are read back without loss.

use std::fmt::Write as _;

use pdn::canon::{FormatOptions, format_game};
use pdn::check::{CheckOptions, Review, reviews};
use pdn::export::write_json_game;
use pdn::import::games;
use pdn::records::{Origin, game_row};
use pdn::replay::replay;

use crate::support::binary::{Folder, pdn, pdn_with};
use crate::support::corpus::{corpus, records};
use crate::support::random::Dice;
use crate::support::sources::root;

/// Returns a game in canonical form, and the same from its JSON.
fn both(review: &Review) -> [String; 2] {
    let options = FormatOptions::default();
    let mut json = Vec::new();
    write_json_game(&mut json, game_row(review, Origin { file: "-", game: 1, offset: 0 }, Vec::new()));
    let read = games(&json).next().map(|read| replay(read.into_tree(), review.game().options()));
    [
        format_game(review.game(), &options),
        read.map_or_else(|| String::from_utf8_lossy(&json).into_owned(), |game| format_game(&game, &options)),
    ]
}

fn differences<'a>(games: impl Iterator<Item = &'a Review>) -> String {
    let mut text = String::new();
    for review in games {
        let [before, after] = both(review);
        if before != after {
            let _ = writeln!(text, "{before}\nbecame\n{after}\n");
        }
    }
    text
}

#[test]
fn samples_and_odd_games_survive_json() {
    let mut all = Vec::new();
    for record in records(&root().join("samples")) {
        all.extend(reviews(&record.bytes, CheckOptions::default()).take(20));
    }
    for text in [
        "{Pre one} 1. 32-28 {post a} {Before 19-23} 1... 19-23 {Post two} (1... 18-23 {Post three} 2. 38-32) ({Pre four} 1... 17-21 2. 37-32) {Pre five} 2. 28x19 {last} *",
        "{lead} {two}\n[Event \"a\"]\n[Event \"b\"]\n[Site \"c\"]\n{intro} $3 (1. 31-27) 1. 32-28! $5 {x} $6 (1. 33-28 (1. 34-29)) 19-23 2-0 {end} {after}",
        "1. 32-28!!! 19-23??? 2. 28x19 $1 14x23!?! *",
        "/FEN \"W:W31,32:B1,20\"/ {set up} 1. 31-27 - 2. 27-22 /FEN \"B:W31:B20\"/ {again} (1. 31-26) 2... 20-24 *",
        "1. ... 7-12 2. ... *",
        "1. 32-28 ( {nothing but words} ) 19-23 ((1... 18-23)) *",
        "1. 32-28 some words 19-23 ; to the end of the line\n2. 28x19 /FEN \"W:W31:B20\"/ *",
        "{only a comment} *",
        "[White \"a\"]\n[FEN \"W:W31:B20\"]\n(1. 31-27) *",
    ] {
        all.extend(reviews(text.as_bytes(), CheckOptions::default()));
    }
    let found = differences(all.iter());
    assert!(all.len() > 60 && found.is_empty(), "{found}");
}

#[test]
fn random_trees_survive_json() {
    let mut dice = Dice(7);
    let parts = [
        "32-28",
        "19-23",
        "28x19",
        "{a}",
        "{[%eval 0.32,20] b \\\" \\\\}",
        "$3",
        "(",
        ")",
        "(1. 31-27",
        "/FEN \"W:W31:B20\"/",
        "; c\n",
        "- ",
        "5.",
        "...",
        "word",
        "!",
        "{\u{e9}\n\u{1F600}}",
    ];
    let mut all = Vec::new();
    for _ in 0..2000 {
        let mut text = String::from("[White \"a\"]\n[GameType \"20\"]\n");
        for _ in 0..dice.below(24) {
            let _ = write!(text, "{} ", parts[dice.below(parts.len())]);
        }
        text.push('*');
        all.extend(reviews(text.as_bytes(), CheckOptions::default()).take(1));
    }
    let found = differences(all.iter());
    assert!(found.is_empty(), "{}", found.chars().take(4000).collect::<String>());
}

#[test]
fn real_games_survive_json() {
    let Some(corpus) = corpus() else { return };
    let (mut count, mut found) = (0, String::new());
    for record in records(&corpus) {
        // Every fifth game of each file: all of them take minutes.
        let all: Vec<_> = reviews(&record.bytes, CheckOptions::default()).step_by(5).take(60).collect();
        count += all.len();
        found += &differences(all.iter());
    }
    assert!(count > 1000 && found.is_empty(), "{count}: {}", found.chars().take(6000).collect::<String>());
}

#[test]
fn arrays_of_games_are_streamed() {
    let folder =
        Folder::with("games.pdn", "[GameType \"20\"]\n[Event \"a\"]\n1. 32-28 {x} 19-23 2. 28x19 *\n\n".repeat(3000));
    folder.run(&["convert", "--to", "json", "games.pdn", "-o", "games.json"]).is(0);
    folder.run(&["fmt", "-q", "games.pdn", "-o", "direct.pdn"]).is(0);
    folder.run(&["fmt", "-q", "games.json", "-o", "read.pdn"]).is(0);
    assert!(folder.read("direct.pdn") == folder.read("read.pdn"));
    let compact = folder.read("games.json").replace('\n', "");
    let run = pdn_with(&compact, &["check", "--format", "json", "-"]);
    assert_eq!(run.summary()["games"], 3000);
}

#[test]
fn evaluations_of_an_analysis_are_read() {
    let text = r#"{"schema":1,"tags":{"GameType":"20"},"moves":[{"side":"W","number":1,"written":"32-28","clock":61.5,"elapsed":3,
        "eval":{"cm":-32},"nags":[6],"comment":null,"variations":[[{"side":"W","number":1,"written":"31-27"}]]},
        {"side":"B","written":"19-23","eval":{"win":7,"winner":"B"}}]}"#
        .replace('\n', "");
    let run = pdn_with(text, &["fmt", "-q", "-"]);
    let moves =
        "1. 32-28 $6 {[%clk 0:01:01.5]} {[%emt 0:00:03]} {[%eval -0.32]} (1. 31-27)\n1... 19-23 {[%eval #-7]} *";
    assert!(run.text().contains(moves), "{}", run.text());
}

#[test]
fn the_variant_of_an_option_survives_json() {
    let variants = |json: &str| {
        let run = pdn_with(json, &["convert", "--to", "jsonl", "-"]).values();
        run.iter().map(|game| game["variant"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    // The last one is illegal, so that the moves do not show any variant.
    for (variant, text) in [
        ("brazilian", "1. c3-d4 d6-c5 *"),
        ("killer", "1. 32-28 19-23 2. 28x19 14x23 *"),
        ("killer", "[FEN \"W:WK28,31:B4,K23\"]\n*"),
        ("brazilian", "1. a3-b4 c3-d4 *"),
    ] {
        let json = pdn_with(text, &["convert", "--variant", variant, "--to", "jsonl", "-"]);
        assert_eq!(variants(json.text()), [Some(variant.to_owned())], "{text}");
        // Other games of the file are not of that variant.
        let file = format!("{}{}", json.text(), pdn_with("1. c3-d4 *", &["convert", "--to", "jsonl", "-"]).text());
        assert_eq!(variants(&file), [Some(variant.to_owned()), Some("russian".to_owned())], "{text}");
        let asked = pdn_with(json.text(), &["convert", "--variant", "frisian", "--to", "jsonl", "-"]);
        assert_eq!(asked.values()[0]["variant"], "frisian");
    }
    // A tag of the game is stronger.
    let tagged = r#"{"schema":1,"variant":"brazilian","tags":{"GameType":"25"},"moves":[{"written":"c3-d4"}]}"#;
    assert_eq!(variants(tagged), [Some("russian".to_owned())]);
    let named = tagged.replace(r#""GameType":"25""#, r#""Variant":"russian""#);
    assert_eq!(variants(&named), [Some("russian".to_owned())]);
}

#[test]
fn json_without_games_says_so() {
    for text in [r#"{"round":{"games":[{"id":"x1"}]}}"#, r#"{"games":[]}"#, "[{\"id\":[]},", r#"[{"games":[]}]"#] {
        let run = pdn_with(text, &["check", "--format", "json", "-"]);
        assert!(run.text().contains("no-game") || run.text().contains("log/"), "{text}: {}", run.text());
    }
    assert!(pdn(&["check", "--format", "json", "samples/wild/files/paintnet.pdn"]).text().contains("Paint.NET"));
}
