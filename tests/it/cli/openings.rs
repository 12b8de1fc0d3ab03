//! `pdn openings` and `pdn stats`: trees and numbers against naive counts.

use std::collections::{BTreeMap, HashSet};

use pdn::check::{CheckOptions, file_reviews};
use pdn::rules::{Position, Variant};
use serde_json::Value;

use crate::support::binary::{Folder, pdn, pdn_with};

const GAMES: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Date \"1999.01.02\"]\n[WhiteRating \"2000\"]\n[BlackRating \"2101\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\
1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
[White \"B\"]\n[Black \"A\"]\n[Date \"2001.??.??\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n\
1. 33-28 (1. 31-27) 18-23 2. 32-27 1-1\n\n\
[White \"=1+1\"]\n[Black \"A\"]\n[Result \"0-2\"]\n[GameType \"20\"]\n\
1. 32-27 18-23 2. 33-28 0-2\n\n\
[Result \"*\"]\n[GameType \"25\"]\n1. c3-d4 *\n\n\
[Result \"*\"]\n[GameType \"20\"]\n[FEN \"W:WK3:B30,31\"]\n1. 3-8 *\n\n";

fn tree(arguments: &[&str]) -> Value {
    let run = pdn_with(GAMES, &[&["openings", "--format", "json"], arguments, &["-"]].concat()).is(0);
    run.values().pop().expect("an object")
}

#[test]
fn transpositions_are_joined() {
    let tree = tree(&["--plies", "4"]);
    assert_eq!(
        (tree["games"].as_u64(), tree["fen"].as_str()),
        (Some(3), Some(&*Position::start(Variant::INTERNATIONAL).fen()))
    );
    let moves: Vec<_> = tree["moves"].as_array().expect("moves").iter().map(|row| row["notation"].as_str()).collect();
    assert_eq!(moves, [Some("32-27"), Some("32-28"), Some("33-28")]);
    let first = &tree["moves"][1];
    let keys = ["white_wins", "draws", "black_wins", "unknown", "average_rating", "last_year"];
    let numbers: Vec<_> = keys.iter().map(|key| first[key].as_u64()).collect();
    assert_eq!(numbers, [Some(1), Some(0), Some(0), Some(0), Some(2051), Some(1999)]);
    // Both games reach the position after 1. 32-27 18-23 2. 33-28.
    let fen = &tree["moves"][0]["moves"][0]["moves"][0]["fen"];
    let joined = self::tree(&["--fen", fen.as_str().expect("a FEN")]);
    assert_eq!((joined["games"].as_u64(), joined["moves"].as_array().map(Vec::len)), (Some(2), Some(0)));
}

#[test]
fn a_tree_begins_at_any_position() {
    let start = tree(&["--fen", "B:W27,31,33-50:B1-20"]);
    assert_eq!((start["games"].as_u64(), start["moves"][0]["notation"].as_str()), (Some(1), Some("18-23")));
    assert_eq!(tree(&["--fen", "W:WK3:B30,31"])["games"], 1);
    assert_eq!(tree(&["--min-games", "2"])["moves"].as_array().map(Vec::len), Some(0));
    let bad = pdn_with(GAMES, &["openings", "--fen", "W:Wz", "-"]).is(2);
    assert!(bad.errors.starts_with("pdn: --fen: "), "{}", bad.errors);
}

#[test]
fn trees_are_tables_and_games_too() {
    let table = pdn_with(GAMES, &["openings", "--plies", "1", "-"]).is(0);
    let row = "1. 32-28      1  100.0 %      1      0      0    2051  1999";
    assert!(table.lines().contains(&row), "{}", table.text());
    let text = pdn_with(GAMES, &["openings", "--format", "pdn", "--plies", "3", "-"]).is(0);
    assert!(text.text().contains("1. 32-27 {1 game, 0.0 %} (1. 32-28 {1 game, 100.0 %}"), "{}", text.text());
    let check = pdn_with(&text.bytes, &["check", "--format", "json", "-"]).is(0);
    assert_eq!(check.summary()["clean_games"], 1);
}

const ENGLISH: &str = "[White \"A\"]\n[GameType \"21\"]\n[Result \"1-0\"]\n1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 1-0\n\n\
    [White \"B\"]\n[Opening \"x\"]\n[GameType \"21\"]\n1. 9-13 23-19 2. 11-15 (2. 12-16) 22-18 1/2-1/2\n\n[GameType \"21\"]\n*\n\n";

#[test]
fn openings_have_names() {
    let run = pdn_with(ENGLISH, &["openings", "--plies", "5", "-"]).is(0);
    for line in ["1. 11-15 ", "1. 9-13 "] {
        let row = run.lines().into_iter().find(|row| row.starts_with(line)).expect("a row").to_owned();
        assert!(row.ends_with(if line.contains("11") { "  Old Faithful" } else { "  Edinburgh" }), "{row}");
    }
    assert!(run.text().contains("Old Fourteenth\n") && run.text().contains("Will o' the Wisp\n"), "{}", run.text());
    let json = pdn_with(ENGLISH, &["openings", "--format", "json", "-"]).is(0).values().remove(0);
    assert_eq!(json["moves"][0]["name"], "Old Faithful");
    assert!(json.get("name").is_none() && json["moves"][0]["moves"][0].get("name").is_none());
    let game = pdn_with(ENGLISH, &["openings", "--format", "pdn", "--plies", "1", "-"]).is(0);
    assert!(game.text().contains("{Old Faithful: 1 game,"), "{}", game.text());
    let stats = pdn_with(ENGLISH, &["stats", "--format", "json", "-"]).is(0).values().remove(0);
    let rows = stats["named_openings"].as_array().expect("a list");
    let names: Vec<_> = rows.iter().map(|row| (row["name"].as_str(), row["games"].as_u64())).collect();
    assert_eq!(names, [(Some("Old Fourteenth"), Some(1)), (Some("Will o' the Wisp"), Some(1))]);
    let table = pdn_with(ENGLISH, &["stats", "-"]).is(0);
    assert!(table.text().contains("\nNAMED OPENING     VARIANT"), "{}", table.text());
}

#[test]
fn openings_are_tags_on_request() {
    let run = pdn_with(ENGLISH, &["edit", "--openings", "--set", "Site=Perth", "-"]).is(0);
    let expected = ENGLISH
        .replace("\"x\"]\n[GameType \"21\"]", "\"Will o' the Wisp\"]\n[GameType \"21\"]\n[Site \"Perth\"]")
        .replace("\"1-0\"]", "\"1-0\"]\n[Site \"Perth\"]\n[Opening \"Old Fourteenth\"]")
        .replace("[GameType \"21\"]\n*", "[GameType \"21\"]\n[Site \"Perth\"]\n*");
    assert_eq!(run.text(), expected);
    assert_eq!(pdn_with(&run.bytes, &["edit", "--openings", "-"]).is(0).bytes, run.bytes);
    let found = pdn_with(&run.bytes, &["search", "--count", "--where", "Opening ~ fourteenth", "-"]).is(0);
    assert_eq!(found.text(), "1\n");
    // The variant of games without a GameType is inferred for the file.
    let bare = ENGLISH.replace("[GameType \"21\"]\n", "");
    let run = pdn_with(&bare, &["edit", "--openings", "-"]).is(0);
    assert!(run.lines().contains(&"[Opening \"Old Fourteenth\"]"), "{}", run.text());
}

#[test]
fn names_of_a_file_replace_those_of_the_program() {
    let folder = Folder::with("a.pdn", ENGLISH);
    folder.write("names.txt", "# ours\n32-28 = International\n[english]\n1. 11-15 = Alt} \"(\n[20]\n31-27 = Other\n");
    for (arguments, text) in [
        (&["openings", "a.pdn"][..], "  Alt} \"("),
        (&["openings", "--format", "pdn", "a.pdn"], "{Alt) \"(: 1 game, 100.0 %}"),
        (&["stats", "a.pdn"], "Will o' the Wisp"),
    ] {
        let run = folder.run(&[arguments, &["--names", "names.txt"]].concat()).is(0);
        assert!(run.text().contains(text), "{arguments:?}: {}", run.text());
    }
    folder.write("bad.txt", "[english]\n11-15 = A\n11-15 15-18 = B\n9-13\n[chess]\ne2-e4 = C\n");
    let run = folder.run(&["openings", "--names", "bad.txt", "a.pdn"]).is(2);
    assert!(run.text().contains("  A\n"), "the other rows are used: {}", run.text());
    let expected = "pdn: bad.txt:3: illegal move\n  | 11-15 15-18 = B\n  |       ^^^^^\n\
        pdn: bad.txt:4: expected `MOVES = NAME`\n  | 9-13\n  |     ^\n\
        pdn: bad.txt:5: unknown variant `chess`\n  | [chess]\n  |  ^^^^^\n";
    assert_eq!(run.errors, expected);
    folder.write("binary.txt", b"11-15 = \xff\n");
    folder.run(&["stats", "--names", "binary.txt", "a.pdn"]).is(2);
    folder.run(&["stats", "--names", "none.txt", "a.pdn"]).is(2);
    folder.run(&["edit", "--names", "names.txt", "--set", "Site=x", "a.pdn"]).is(2);
}

/// The moves from each position of the first plies, with the number of games: by FEN and notation.
fn naive(path: &str, plies: usize) -> BTreeMap<(String, String), u64> {
    let mut counts = BTreeMap::new();
    for review in file_reviews(path, CheckOptions::default()).expect("a file") {
        let review = review.expect("a game");
        let game = review.game();
        if game.start() != Some(&Position::start(Variant::INTERNATIONAL)) {
            continue;
        }
        let mut passed = HashSet::new();
        for id in game.main_moves().take(plies) {
            let ply = game.ply(id).expect("a ply");
            let (Some(before), Some(notation)) = (ply.before(), game.notation(id)) else { break };
            if passed.insert(before.fen()) {
                *counts.entry((before.fen(), notation)).or_default() += 1;
            }
        }
    }
    counts
}

fn collect(fen: &str, moves: &Value, all: &mut BTreeMap<(String, String), u64>) {
    for row in moves.as_array().into_iter().flatten() {
        let notation = row["notation"].as_str().expect("a move").to_owned();
        all.insert((fen.to_owned(), notation), row["games"].as_u64().expect("a number"));
        collect(row["fen"].as_str().expect("a FEN"), &row["moves"], all);
    }
}

#[test]
fn a_tree_has_the_counts_of_a_naive_scan() {
    let path = "samples/games/international.pdn";
    for jobs in ["1", "3"] {
        let run = pdn(&["openings", "--format", "json", "--plies", "12", "--jobs", jobs, path]).is(0);
        let tree = run.values().pop().expect("an object");
        let mut counts = BTreeMap::new();
        collect(tree["fen"].as_str().expect("a FEN"), &tree["moves"], &mut counts);
        assert_eq!(counts, naive(path, 12));
    }
}

fn stats(arguments: &[&str]) -> Value {
    let run = pdn_with(GAMES, &[&["stats", "--format", "json"], arguments, &["-"]].concat()).is(0);
    run.values().pop().expect("an object")
}

#[test]
fn stats_count_games_moves_and_players() {
    let stats = stats(&[]);
    for (name, number) in [
        ("games", 5),
        ("replayed_games", 5),
        ("plies", 12),
        ("captures", 2),
        ("king_moves", 1),
        ("promotions", 0),
        ("games_with_kings", 1),
    ] {
        assert_eq!(stats[name], number, "{name}");
    }
    assert_eq!(stats["results"]["unknown"], 2);
    assert_eq!(
        (&stats["length"]["least"], &stats["length"]["median"], &stats["length"]["most"]),
        (&1.into(), &3.into(), &4.into())
    );
    assert_eq!(stats["length"]["mean"], 2.4);
    assert_eq!(stats["variants"][0]["name"], "international");
    assert_eq!(stats["variants"][0]["games"], 4);
    let years: Vec<_> = stats["years"].as_array().expect("years").iter().map(|row| row["name"].clone()).collect();
    assert_eq!(years, [Value::Null, "1999".into(), "2001".into()]);
    let player = &stats["players"][0];
    assert_eq!(
        [&player["name"], &player["games"], &player["wins"], &player["draws"], &player["losses"]],
        [&Value::from("A"), &3.into(), &2.into(), &1.into(), &0.into()]
    );
    assert_eq!(stats["openings"][0]["moves"], "32-28 19-23 28x19 14x23");
    assert_eq!(stats["openings"][0]["white_wins"], 1);
}

#[test]
fn stats_are_the_sums_of_check_and_convert() {
    for path in ["samples/games", "samples/diagnostics", "samples/reject"] {
        let stats = pdn(&["stats", "--format", "json", path]).is(0).values().pop().expect("an object");
        let summary = pdn(&["check", "--format", "json", path]).summary();
        for (name, same) in [("games", "games"), ("replayed_games", "replayed_games"), ("plies", "plies")] {
            assert_eq!(stats[name], summary[same], "{path}: {name}");
        }
        for name in ["errors", "warnings", "notes"] {
            assert_eq!(stats["diagnostics"][name], summary[name], "{path}: {name}");
        }
        let sum: u64 = stats["diagnostics"]["codes"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|row| row["count"].as_u64())
            .sum();
        assert_eq!(Some(sum), ["errors", "warnings", "notes"].iter().map(|name| summary[name].as_u64()).sum());
        let rows = pdn(&["convert", "--to", "jsonl", path]).values();
        let is_capture =
            |row: &Value| row["legal"] == true && row["captured"].as_array().is_some_and(|list| !list.is_empty());
        let captures =
            rows.iter().flat_map(|row| row["moves"].as_array().expect("moves")).filter(|row| is_capture(row)).count();
        assert_eq!(stats["captures"], captures, "{path}");
    }
}

#[test]
fn stats_are_a_table() {
    let run = pdn_with(GAMES, &["stats", "-"]).is(0);
    let games = format!("{:<19}  {:>6}\n", "games", 5);
    let captures = format!("{:<19}  {:>6}  {:>7}\n", "captures", 2, "16.7 %");
    for line in [games.as_str(), &captures, "(unknown)      5  100.0 %\n", "=1+1"] {
        assert!(run.text().contains(line), "{line}:\n{}", run.text());
    }
    let folder = Folder::with("a.pdn", "");
    folder.run(&["stats", "a.pdn"]).is(0);
    folder.run(&["openings", "a.pdn"]).is(0);
    let many: Vec<_> = (0..10_000).map(|n| format!("[White \"Player {n}\"]\n1. 32-28 *\n\n")).collect();
    let many = many.concat();
    let run = pdn_with(&many, &["stats", "--top", "2", "--jobs", "2", "-"]).is(0);
    assert_eq!(run.text().matches("Player ").count(), 2);
}
