//! `pdn annotate`: judgements, accuracy, the tables of moves and players.

use serde_json::{Value, json};

use crate::support::binary::{Folder, Run, pdn_with};
use crate::support::library::games;
use crate::support::samples::first_games;

/// White loses a man with 2. 28-23.
const BLUNDER: &str = "[White \"A\"]\n[Black \"B\"]\n[GameType \"20\"]\n1. 33-28 18-22 2. 28-23 19x28 *\n";

fn annotate(text: &str, arguments: &[&str]) -> Run {
    pdn_with(text, &[&["annotate", "-"], arguments].concat())
}

fn only_game(run: &Run) -> Value {
    run.values().remove(0)
}

fn moves(game: &Value) -> &Vec<Value> {
    game["moves"].as_array().expect("a list")
}

#[test]
fn a_blunder_is_judged_with_the_best_move() {
    let game = only_game(&annotate(BLUNDER, &["--depth", "7", "--to", "jsonl"]).is(0));
    let judgements: Vec<_> = moves(&game).iter().map(|row| row["judgement"].clone()).collect();
    assert_eq!(judgements[2], "blunder");
    assert_eq!(judgements.iter().filter(|judgement| !judgement.is_null()).count(), 1, "{judgements:?}");
    let blunder = &moves(&game)[2];
    assert!(blunder["best"].is_string() && blunder["best"] != blunder["notation"], "{blunder}");
    let [before, after] = [0, 1].map(|n| blunder["expectation"][n].as_f64().expect("a number"));
    assert!(before - after >= 0.25 && before <= 1.0 && after >= 0.0, "{before} {after}");
    assert_eq!(
        game["marks"],
        json!({"W": {"inaccuracies": 0, "mistakes": 0, "blunders": 1}, "B": {"inaccuracies": 0, "mistakes": 0, "blunders": 0}})
    );
    let accuracy = |side: &str| game["accuracy"][side].as_f64().expect("a number");
    assert!(accuracy("W") < accuracy("B") && accuracy("B") > 90.0, "{}", game["accuracy"]);
    assert!(game["average_loss_cm"]["W"].as_f64().expect("a number") > 20.0);
}

#[test]
fn evaluations_agree_from_move_to_move() {
    let text = first_games("brazilian", 4);
    let run = annotate(&text, &["--nodes", "500", "--scale", "150", "--to", "jsonl"]).is(0);
    let mut forced = 0;
    for game in run.values() {
        for (row, next) in moves(&game).iter().zip(moves(&game).iter().skip(1)) {
            let (after, before) = (&row["expectation"][1], &next["expectation"][0]);
            let sum = after.as_f64().expect("a number") + before.as_f64().expect("a number");
            assert!((sum - 1.0).abs() < 1e-9, "{row} {next}");
            if next["forced"] == true {
                forced += 1;
                assert_eq!((&next["judgement"], &next["expectation"][0]), (&Value::Null, &next["expectation"][1]));
            }
            assert_eq!(row["judgement"].is_null(), row["best"].is_null());
            assert_ne!(row["best"], row["notation"]);
        }
    }
    assert!(forced > 5, "{forced} forced moves");
}

#[test]
fn thresholds_decide_what_is_judged() {
    let judged = |thresholds: &str| {
        let game = only_game(&annotate(BLUNDER, &["--depth", "7", "--to", "jsonl", "--thresholds", thresholds]).is(0));
        moves(&game)[2]["judgement"].clone()
    };
    assert_eq!(judged("0.1,0.2,0.99"), "mistake");
    assert_eq!(judged("0.1,0.98,0.99"), "inaccuracy");
    assert_eq!(judged("0.97,0.98,0.99"), Value::Null);
    annotate(BLUNDER, &["--thresholds", "0.3,0.2,0.1"]).is(2);
}

#[test]
fn the_table_of_moves_has_judgements() {
    let run = annotate(BLUNDER, &["--depth", "7", "--to", "csv"]).is(0);
    let lines = run.lines();
    let column = |name: &str| lines[0].split(',').position(|cell| cell == name).expect(name);
    // The cells are counted from the end, since cells before them have commas.
    let count = lines[0].split(',').count();
    let cell = |line: usize, name: &str| lines[line].rsplit(',').nth(count - 1 - column(name)).expect(name).to_owned();
    assert_eq!((cell(3, "judgement"), cell(1, "judgement")), ("blunder".to_owned(), String::new()));
    assert!(!cell(3, "best").is_empty() && cell(1, "best").is_empty());
    assert!(cell(3, "expectation_before") > cell(3, "expectation_after"));
    assert_eq!(cell(3, "forced"), "false");
}

#[test]
fn the_table_of_players_is_that_of_the_annotated_records() {
    let two = format!("{BLUNDER}\n{}", BLUNDER.replace("\"A\"", "\"C, D\"").replace("\"B\"", "\"A\""));
    let direct = annotate(&two, &["--depth", "5", "--to", "csv", "--table", "players"]).is(0);
    let lines = direct.lines();
    assert_eq!(lines[0], "player,games,moves,accuracy,average_loss_cm,inaccuracies,mistakes,blunders");
    let names: Vec<_> = lines[1..].iter().map(|line| line.split(",2,").next().expect("a cell")).collect();
    assert!(
        lines[1].starts_with("A,2,") && lines[2].starts_with("B,1,") && lines[3].starts_with("\"C, D\",1,"),
        "{names:?}"
    );
    let annotated = annotate(&two, &["--depth", "5"]).is(0);
    let later = pdn_with(annotated.text(), &["convert", "-", "--to", "csv", "--table", "players"]).is(0);
    assert_eq!(later.lines(), lines);
}

#[test]
fn the_rows_of_games_and_moves_are_those_of_the_annotated_records() {
    let annotated = annotate(BLUNDER, &["--depth", "5"]).is(0);
    let direct = only_game(&annotate(BLUNDER, &["--depth", "5", "--to", "jsonl"]).is(0));
    let later = only_game(&pdn_with(annotated.text(), &["convert", "-", "--to", "jsonl"]).is(0));
    for name in ["accuracy", "average_loss_cm", "marks", "phases"] {
        assert!(later[name].is_object() && later[name] == direct[name], "{name}: {later}");
    }
    for (later, direct) in moves(&later).iter().zip(moves(&direct)) {
        for name in ["judgement", "best", "expectation", "forced"] {
            assert!(later.get(name).is_some() && later[name] == direct[name], "{name}: {later}");
        }
    }
    let table = annotate(BLUNDER, &["--depth", "5", "--to", "csv", "--table", "games"]).is(0);
    let inaccuracies = |text: &str| {
        let rows: Vec<Vec<String>> = text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
        let column = rows[0].iter().position(|name| name == "white_inaccuracies").expect("a column");
        rows[1][rows[1].len() + column - rows[0].len()].clone()
    };
    let converted = pdn_with(annotated.text(), &["convert", "-", "--to", "csv"]).is(0);
    assert_eq!(inaccuracies(table.text()), inaccuracies(converted.text()));
    assert_eq!(inaccuracies(table.text()), direct["marks"]["W"]["inaccuracies"].to_string());
}

#[test]
fn the_accuracy_of_one_player_is_that_of_the_annotated_record() {
    let folder = Folder::with("a.pdn", BLUNDER);
    let run = folder.run(&["annotate", "--depth", "5", "--player", "A", "--summary", "a.pdn", "-o", "b.pdn"]).is(0);
    assert!(folder.read("b.pdn").contains("before="));
    let summary = run.errors.lines().find(|line| line.ends_with("  A")).expect("the player");
    let accuracy = summary.split_whitespace().next().expect("a number").to_owned();
    let table = folder.run(&["convert", "b.pdn", "--to", "csv", "--table", "players"]).is(0);
    assert!(table.lines()[1].starts_with(&format!("A,1,2,{accuracy},")), "{summary} {}", table.text());
    folder.run(&["report", "b.pdn", "-o", "b.html"]).is(0);
    assert!(folder.read("b.html").contains(&accuracy), "{accuracy}");
}

#[test]
fn a_player_without_games_is_named() {
    let folder = Folder::with("a.pdn", BLUNDER);
    let told = |more: &[&str]| folder.run(&[&["annotate", "--depth", "1", "a.pdn"], more].concat()).is(0).errors;
    let none = "nothing is annotated: no game of a player whose name contains `Zed`";
    for more in [&["--player", "Zed"][..], &["--player", "Zed", "--summary"]] {
        assert!(told(more).contains(none), "{more:?}: {}", told(more));
    }
    assert!(told(&["--player", "A", "--from-ply", "99"]).contains("no such move of a player"));
    for more in [&["--player", "A"][..], &["--player", "Zed", "--quiet"], &["--from-ply", "99"]] {
        assert!(!told(more).contains("nothing is annotated"), "{more:?}");
    }
    let cleaned = folder.run(&["annotate", "--clean", "--player", "Zed", "a.pdn"]);
    assert!(!cleaned.errors.contains("nothing is annotated"), "{}", cleaned.errors);
}

#[test]
fn records_without_evaluations_have_no_players() {
    let run = pdn_with(BLUNDER, &["convert", "-", "--to", "csv", "--table", "players"]).is(0);
    assert_eq!(run.lines().len(), 1);
    let game = &games(BLUNDER)[0];
    assert!(game.get("accuracy").is_none() && game["moves"][0].get("expectation").is_none());
}

#[test]
fn a_run_ends_with_a_summary() {
    let folder = Folder::with("a.pdn", BLUNDER);
    folder.write("aliases.txt", "# names\nB = Bob\n");
    let run = folder.run(&["annotate", "--depth", "7", "a.pdn", "--summary", "--aliases", "aliases.txt"]).is(0);
    assert!(run.errors.contains("games: 1, ") && run.errors.contains("0 ?!, 0 ?, 1 ??"), "{}", run.errors);
    assert!(run.errors.lines().any(|line| line.ends_with("  Bob")), "{}", run.errors);
    for arguments in [&[][..], &["--summary", "--quiet"]] {
        let quiet = folder.run(&[&["annotate", "--depth", "2", "a.pdn"], arguments].concat()).is(0);
        assert_eq!(quiet.errors, "");
    }
    folder.write("bad.txt", "B Bob\n");
    let failed = folder.run(&["annotate", "a.pdn", "--aliases", "bad.txt"]).is(2);
    assert!(failed.errors.contains("bad.txt:1: expected `alias = name`"), "{}", failed.errors);
}

#[test]
fn only_the_selected_moves_are_annotated() {
    let annotated = |arguments: &[&str]| {
        let run = annotate(BLUNDER, &[&["--depth", "3", "--to", "jsonl"], arguments].concat()).is(0);
        let has = |row: &Value| if row["eval"].is_null() { '.' } else { 'x' };
        moves(&only_game(&run)).iter().map(has).collect::<String>()
    };
    assert_eq!(annotated(&[]), "xxxx");
    assert_eq!(annotated(&["--side", "B"]), ".x.x");
    assert_eq!(annotated(&["--from-ply", "3", "--to-ply", "4"]), "..xx");
    assert_eq!(annotated(&["--player", "a"]), "x.x.");
    assert_eq!(annotated(&["--player", "a", "--side", "B"]), "....");
    assert_eq!(annotated(&["--player", "nobody"]), "....");
}
