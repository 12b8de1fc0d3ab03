//! House rules through the real binary: files that cannot be used, and every command that plays by them. The answers to
//! the invalid files are beside them: `UPDATE_GOLDEN=1` rewrites them.

use std::fs;
use std::path::PathBuf;

use crate::support::binary::{Folder, Run, only, pdn, pdn_with};

const BAD_FILES: &str = "tests/data/rules/files";
const FREE_CHOICE: &str = "samples/rules/free-choice.toml";
const SHORT_DRAWS: &str = "samples/rules/short-draws.toml";

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    files
}

fn with_rules(arguments: &[&str], rules: &str) -> Run {
    pdn(&[arguments, &["--rules", rules]].concat())
}

#[test]
fn invalid_files_are_refused_with_the_position_of_the_first_error() {
    let files = files(BAD_FILES);
    assert!(files.len() >= 15);
    for path in files {
        let run = with_rules(&["perft", "--depth", "1"], path.to_str().expect("a name")).is(2);
        assert!(run.bytes.is_empty(), "{}", run.text());
        let golden = path.with_extension("txt");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&golden, &run.errors).expect("written");
        }
        assert_eq!(run.errors, fs::read_to_string(&golden).unwrap_or_default(), "{}", path.display());
    }
}

#[test]
fn files_that_are_not_utf_8_are_refused() {
    assert!(with_rules(&["perft", "--depth", "1"], "nowhere.toml").is(2).errors.contains("cannot read nowhere.toml"));
    let folder = Folder::with("rules.toml", b"name = \"x\"\nbase = \"\xff\"");
    let run = folder.run(&["perft", "--depth", "1", "--rules", "rules.toml"]).is(2);
    assert!(run.errors.contains("rules.toml:2:9: the rules file is not UTF-8"), "{}", run.errors);
    let run = pdn(&["perft", "--depth", "1", "--rules", FREE_CHOICE, "--variant", "italian"]).is(2);
    assert!(run.errors.contains("cannot be used with"), "{}", run.errors);
}

#[test]
fn samples_can_be_played() {
    let samples = files("samples/rules");
    assert!(samples.len() >= 3);
    for path in samples {
        let path = path.to_str().expect("a name");
        for command in [&["perft", "--depth", "4"][..], &["variants"], &["show", "--fen", "W:WK1:BK4"]] {
            assert!(!with_rules(command, path).is(0).bytes.is_empty(), "{path}");
        }
    }
}

#[test]
fn a_written_file_plays_like_the_variant() {
    for variant in ["italian", "turkish", "frisian", "thai"] {
        let folder = Folder::new();
        folder.run(&["variants", variant, "-o", "rules.toml"]).is(0);
        let leaves = |option, value| folder.run(&["perft", "--depth", "6", option, value]).is(0).bytes;
        assert_eq!(leaves("--rules", "rules.toml"), leaves("--variant", variant), "{variant}");
    }
}

#[test]
fn moves_follow_the_house_rules() {
    // Two pieces can be taken, or one.
    let fen = "W:Wa1,h2:Bb2,d4,g3";
    let lines = |run: Run| run.is(0).lines().len();
    assert_eq!(lines(pdn(&["moves", "--variant", "brazilian", "--fen", fen])), 1);
    assert_eq!(lines(with_rules(&["moves", "--fen", fen], FREE_CHOICE)), 2);
    let answer = with_rules(&["moves", "--format", "json", "--fen", fen], FREE_CHOICE).is(0).values().remove(0);
    assert_eq!(answer["variant"], "free-choice");
}

#[test]
fn a_game_without_moves_has_a_position_however_it_is_read() {
    // With a comment, it is read as a tree.
    let games = "[FEN \"W:W31:B20\"]\n*\n\n[FEN \"W:W31:B20\"]\n{x} *\n";
    let arguments = ["convert", "--to", "csv", "--table", "positions", "--rules", FREE_CHOICE, "-"];
    let run = pdn_with(games, &arguments).is(0);
    let rows: Vec<_> = run.lines().into_iter().skip(1).map(|row| row.split(',').skip(3).collect::<Vec<_>>()).collect();
    assert_eq!((rows.len(), &rows[0]), (2, &rows[1]));
    assert_eq!(rows[0][3], "free-choice");
}

#[test]
fn records_are_checked_converted_and_annotated_by_house_rules() {
    let game = "[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"W:Wa1,h2:Bb2,d4,g3\"]\n\n1. h2xf4 d4-c3 *\n";
    let run = |arguments: &[&str]| pdn_with(game, &[arguments, &["--rules", FREE_CHOICE, "-"]].concat()).is(0);
    let brazilian = pdn_with(game, &["check", "--variant", "brazilian", "--format", "json", "-"]).is(1);
    only(&brazilian.diagnostics(), "move/illegal");
    assert_eq!(run(&["check", "--format", "json"]).summary()["clean_games"], 1);
    let row = run(&["convert", "--to", "jsonl"]).values().remove(0);
    assert_eq!((row["variant"].as_str(), row["legal"].as_bool()), (Some("free-choice"), Some(true)));
    assert_eq!(run(&["fmt"]).lines().last(), Some(&"1. h2xf4 d4-c3 *"));
    let annotated = run(&["annotate", "--depth", "3"]);
    assert!(annotated.text().matches("[%eval").count() >= 2, "{}", annotated.text());
}

#[test]
fn draws_follow_the_house_rules() {
    let game = "[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"W:WK1:BK4\"]\n\n1. 1-5 4-8 2. 5-1 8-4 3. 1-5 4-8 *\n";
    let run = pdn_with(game, &["check", "--format", "json", "--rules", SHORT_DRAWS, "-"]).is(0);
    let codes: Vec<_> =
        run.diagnostics().iter().map(|found| found["code"].as_str().expect("a code").to_owned()).collect();
    assert_eq!(codes, ["draw/repetition", "draw/limit"]);
}

#[test]
fn a_contradicting_game_type_is_noted() {
    let game = "[Event \"?\"]\n[GameType \"26,W,8,8,A0,0\"]\n\n1. c3-b4 *\n";
    let run = pdn_with(game, &["check", "--format", "json", "--rules", FREE_CHOICE, "-"]).is(0);
    assert_eq!(run.diagnostics()[0]["code"], "replay/variant-overridden");
}

#[test]
fn the_engine_plays_by_house_rules() {
    let run = pdn_with("quit\n", &["play", "--rules", FREE_CHOICE, "--depth", "2"]);
    assert_eq!(run.status, Some(0), "{}", run.errors);
    let run = with_rules(&["match", "builtin:depth=2", "builtin:depth=1", "--games", "2"], FREE_CHOICE).is(0);
    assert!(run.text().contains("free-choice"), "{}", run.text());
    let hub = "hub\ninit\npos pos=Weeeeeeeeeeeeeeeeeeeeeeeewwwwbbbb\nquit\n";
    let run = pdn_with(hub, &["hub", "--rules", FREE_CHOICE]).is(0);
    assert!(run.text().contains("value=free-choice") && run.text().contains("values=\"free-choice international"));
}

#[test]
fn a_checkpoint_belongs_to_its_rules() {
    let folder = Folder::with("rules.toml", "name = 'mine'\nbase = 'italian'");
    folder.write("game.pdn", "[Event \"?\"]\n\n1. 21-17 *\n");
    let annotate = ["annotate", "--depth", "1", "--rules", "rules.toml", "--checkpoint", "done", "game.pdn"];
    folder.run(&annotate).is(0);
    assert!(folder.run(&annotate).is(0).errors.contains("1 game restored"));
    folder.write("rules.toml", "name = 'mine'\nbase = 'english'");
    assert!(!folder.run(&annotate).errors.contains("restored"));
}

#[test]
fn variants_are_listed_with_their_rules() {
    let table = pdn(&["variants"]).is(0);
    assert!(table.lines().iter().all(|line| line.len() <= 112), "{}", table.text());
    assert_eq!(table.lines().len(), 21);
    let objects = pdn(&["variants", "--format", "json"]).is(0).values();
    assert_eq!(objects.len(), 20);
    for object in objects {
        assert!(object["man_captures"].is_string() && object["draws"]["limits"].is_array(), "{object}");
    }
    assert_eq!(pdn(&["variants", "ludo"]).is(2).text(), "");
    assert!(with_rules(&["variants"], FREE_CHOICE).is(0).lines()[1].starts_with("free-choice"));
}

#[test]
fn the_page_of_rules_names_every_field_and_value() {
    let page = include_str!("../../../docs/rules.md");
    for variant in ["international", "italian", "russian", "pool", "turkish", "breakthrough"] {
        let run = pdn(&["variants", variant]).is(0);
        for line in run.lines() {
            if let Some(words) = line.strip_prefix("#   ") {
                assert!(words.split(", ").all(|word| page.contains(&format!("`{word}`"))), "{words}");
            } else if let Some((field, _)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) {
                assert!(page.contains(&format!("`{field}`")), "{field}");
            }
        }
    }
}
