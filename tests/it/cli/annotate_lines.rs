//! `pdn annotate --multipv` and `--variations`.

use serde_json::Value;

use crate::support::binary::{Folder, Run, pdn_with, program};
use crate::support::samples::first_games;

/// A blunder, a forced reply, and variations in variations.
const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[GameType \"20\"]\n\n1. 33-28 16-21 (1... 19-23 2. 28x19 14x23 {mine} \
                    (2... 13x24 3. 32-28)) 2. 28-23 (2. 39-33 $6 {[%eval 1.00] old} 19-24) 19x28 3. 32x23 *\n";

fn annotate(text: &str, arguments: &[&str]) -> Run {
    pdn_with(text, &[&["annotate", "-", "--nodes", "300"], arguments].concat())
}

/// Returns the annotated record.
fn annotated(text: &str, arguments: &[&str]) -> String {
    annotate(text, arguments).is(0).text().to_owned()
}

fn only_game(text: &str, arguments: &[&str]) -> Value {
    annotate(text, &[arguments, &["--to", "jsonl"]].concat()).is(0).values().remove(0)
}

fn moves(game: &Value) -> Vec<Value> {
    game["moves"].as_array().expect("a list").clone()
}

fn lines(row: &Value) -> Vec<Value> {
    row["lines"].as_array().expect("a list").clone()
}

/// Returns the evaluation of a line or a move as a number, greater if it is better for a side.
fn value(of: &Value, side: &Value) -> i64 {
    let eval = &of["eval"];
    let sign = if *side == "W" { 1 } else { -1 };
    let win = |plies: i64| if eval["winner"] == "W" { 100_000 - plies } else { plies - 100_000 };
    sign * eval["cm"].as_i64().unwrap_or_else(|| win(eval["win"].as_i64().expect("plies")))
}

#[test]
fn each_position_has_its_best_moves() {
    let game = only_game(GAME, &["--multipv", "3"]);
    let mut played = 0;
    for (row, count) in moves(&game).iter().zip([3, 3, 3, 2, 1]) {
        let lines = lines(row);
        assert_eq!(lines.len(), count, "{row}");
        let values: Vec<_> = lines.iter().map(|line| value(line, &row["side"])).collect();
        assert!(values.windows(2).all(|pair| pair[0] >= pair[1]), "{values:?}");
        let firsts: Vec<_> = lines.iter().map(|line| &line["moves"][0]).collect();
        assert!((1..firsts.len()).all(|n| !firsts[..n].contains(&firsts[n])), "{firsts:?}");
        if let Some(own) = lines.iter().find(|line| line["moves"][0] == row["notation"]) {
            assert_eq!(own["eval"], row["eval"], "{row}");
            played += 1;
        }
        if !row["best"].is_null() {
            assert_eq!(firsts[0], &row["best"]);
        }
    }
    assert!(played >= 3, "{played} moves that were played are among the best");
    assert!(moves(&only_game(GAME, &[])).iter().all(|row| row.get("lines").is_none()));
}

#[test]
fn forced_moves_have_one_line() {
    let game = only_game("[GameType \"20\"]\n[FEN \"W:W28,48:B22,1\"]\n1. 28x17 1-6 *", &["--multipv", "4"]);
    let capture = &moves(&game)[0];
    assert_eq!((lines(capture).len(), &capture["forced"]), (1, &Value::Bool(true)));
    assert_eq!(lines(capture)[0]["moves"][0], "28x17");
    assert_eq!(lines(capture)[0]["eval"]["winner"], capture["eval"]["winner"]);
}

#[test]
fn more_lines_change_neither_evaluations_nor_marks() {
    let text = first_games("brazilian", 1);
    for (one, three) in moves(&only_game(&text, &[])).iter().zip(moves(&only_game(&text, &["--multipv", "3"]))) {
        for name in ["eval", "nags", "judgement", "best", "expectation", "forced"] {
            assert_eq!(one[name], three[name], "{name} of {one}");
        }
    }
}

#[test]
fn the_other_best_moves_are_variations() {
    let text = annotated(GAME, &["--multipv", "2", "--from-ply", "3", "--to-ply", "3"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("[Annotator \"pdn "), "{text}");
    assert!(text.contains("multipv 2\"]"), "{text}");
    let blunder = &text[text.find("2. 28-23 $4").expect("a blunder")..text.find("19x28").expect("the reply")];
    assert_eq!(blunder.matches("line=").count(), 2, "{blunder}");
    assert_eq!(blunder.matches("(2. ").count(), 3, "two, and that of the record: {blunder}");
}

#[test]
fn variations_are_annotated_like_the_main_line() {
    let text = annotated(GAME, &["--variations"]);
    assert!(!text.contains("1.00") && text.contains("old") && text.contains("mine") && text.contains("$6"), "{text}");
    let game = only_game(GAME, &["--variations"]);
    let (mut lines, mut count) = (vec![moves(&game)], 0);
    while let Some(line) = lines.pop() {
        // Best lines have an evaluation after the first move only, and no judgement.
        let is_best_line = line[0].get("judgement").is_none();
        for row in &line {
            let further = row["variations"].as_array().expect("a list");
            lines.extend(further.iter().map(|line| line.as_array().expect("moves").clone()));
            assert!(is_best_line || row["eval"].is_object() && row.get("expectation").is_some(), "{row}");
            count += usize::from(!is_best_line);
        }
    }
    assert_eq!(count, 5 + 3 + 2 + 2);
    let main = |game: &Value| moves(game).into_iter().map(|row| row["eval"].clone()).collect::<Vec<_>>();
    assert_eq!(main(&game), main(&only_game(GAME, &[])), "the main line does not depend on variations");
}

#[test]
fn selected_moves_of_variations() {
    let text = annotated(GAME, &["--variations", "--side", "B", "--to-ply", "2"]);
    assert_eq!(text.matches("[%eval").count(), 2 + 1, "16-21, 19-23 and the old one: {text}");
}

#[test]
fn annotating_twice_gives_the_same_bytes() {
    let everything = &["--multipv", "3", "--variations"][..];
    for arguments in [everything, &["--multipv", "2"], &["--variations"], &["--variations", "--side", "W"]] {
        let once = annotated(GAME, arguments);
        assert_eq!(annotated(&once, arguments), once, "{arguments:?}");
    }
    let once = annotated(GAME, everything);
    assert_eq!(annotated(&once, &["--variations"]), annotated(GAME, &["--variations"]));
    let three = annotated(GAME, &["--multipv", "3"]);
    assert_eq!(annotated(&three, &[]), annotated(GAME, &[]));
}

#[test]
fn a_best_line_that_was_edited_is_annotated_as_a_variation() {
    let once = annotated(GAME, &["--variations"]);
    let start = once.find("(2. ").expect("the best line is the first variation or that of the record");
    let edited = format!("{}{{seen}} {}", &once[..=start], &once[start + 1..]);
    let again = annotated(&edited, &["--variations"]);
    assert!(again.contains("{seen}"), "{again}");
    assert_eq!(annotated(&again, &["--variations"]), again);
}

#[test]
fn the_output_does_not_depend_on_how_it_is_made() {
    let folder = Folder::with("a.pdn", GAME.repeat(2) + &GAME.replace("19x28 3. 32x23", "18x29"));
    folder.write("half.pdn", GAME);
    let everything = ["annotate", "--nodes", "100", "--multipv", "2", "--variations"];
    let run = |more: &[&str]| folder.run(&[&everything, more].concat()).is(0);
    for format in ["pdn", "jsonl", "json"] {
        let whole = run(&["a.pdn", "--to", format, "--jobs", "1"]).bytes;
        let file = format!("{format}.cache");
        run(&["half.pdn", "--cache", &file]);
        for more in [
            &["--jobs", "2"][..],
            &["--jobs", "7"],
            &["--cache", &file],
            &["--cache", &file, "--jobs", "2"],
            &["--checkpoint", "run"],
            &["--checkpoint", "run"],
        ] {
            assert!(run(&[&["a.pdn", "--to", format], more].concat()).bytes == whole, "{format} {more:?}");
        }
        let shard = |part: &str| run(&["a.pdn", "--to", format, "--shard", part]).bytes;
        assert!(["1/2", "2/2"].map(shard).concat() == whole, "{format} in two parts");
    }
    let saved = folder.read("run");
    assert_eq!(saved.lines().count(), 1 + 3, "the header, and each game once");
    let plain = ["annotate", "--nodes", "100", "a.pdn"];
    let direct = folder.run(&plain).is(0).bytes;
    assert!(folder.run(&[&plain[..], &["--checkpoint", "run"]].concat()).is(0).bytes == direct, "without the lines");
}

#[test]
fn all_lines_come_from_the_cache() {
    let folder = Folder::with("a.pdn", GAME);
    let run = |more: &[&str]| {
        folder.run(&[&["annotate", "--nodes", "100", "a.pdn", "--cache", "c", "--multipv", "2"], more].concat()).is(0);
        folder.run(&["cache", "stats", "c", "--format", "json"]).is(0).text().to_owned()
    };
    let first = run(&[]);
    assert!(first.contains("nodes 100 lines 2"), "{first}");
    assert_eq!(run(&[]), first);
    assert_ne!(run(&["--variations"]), first);
}

#[test]
fn tables_refuse_lines_and_variations() {
    for arguments in [&["--multipv", "2"][..], &["--variations"], &["--variations", "--table", "players"]] {
        let run = annotate(GAME, &[arguments, &["--to", "csv"]].concat()).is(2);
        assert!(run.errors.contains(&format!("{} needs PDN or JSON", arguments[0])), "{}", run.errors);
    }
    for number in ["0", "101", "x"] {
        annotate(GAME, &["--multipv", number]).is(2);
    }
}

#[cfg(unix)]
#[test]
fn another_engine_analyses_each_move() {
    let engine = format!("'{}' hub", program());
    let text = "[GameType \"20\"]\n[FEN \"W:W28,48:B22,1,2\"]\n1. 28x17 1-6 2. 48-43 *";
    let game = only_game(text, &["--engine", &engine, "--multipv", "2", "--jobs", "1"]);
    let counts: Vec<_> = moves(&game).iter().map(|row| lines(row).len()).collect();
    assert_eq!(counts, [1, 2, 2]);
    let values: Vec<_> = lines(&moves(&game)[1]).iter().map(|line| value(line, &"B".into())).collect();
    assert!(values[0] >= values[1], "{values:?}");
}

#[test]
fn best_lines_have_the_numbers_of_the_record() {
    let fragment = "[SetUp \"1\"]\n[FEN \"W:W28,32,37,38,42,43,48:B8,9,13,18,19,23,24\"]\n[GameType \"20\"]\n\n\
                    34. 28-22 18x27 35. 32x21 23-28 36. 37-31 28-33 *\n";
    let text = annotated(fragment, &["--multipv", "2"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let numbers: Vec<_> = text.split('(').skip(1).filter_map(|line| line.split('.').next()).collect();
    assert!(!numbers.is_empty() && numbers.iter().all(|number| ["34", "35", "36"].contains(number)), "{text}");
    assert!(text.contains("(34. "), "{text}");
    let whole = annotated(GAME, &["--multipv", "2"]);
    assert!(whole.contains("(1. ") && whole.contains("(1... "), "{whole}");
}
