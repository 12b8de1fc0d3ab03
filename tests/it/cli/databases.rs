//! The option `--egdb` of commands that use endgame databases.

use std::fs;

use serde_json::{Value, json};

use crate::support::binary::{Folder, Run, fed, pdn};

/// A game that ends with a king against a king.
const GAME: &str = "[GameType \"40\"]\n[Result \"1/2-1/2\"]\n[FEN \"W:WK46:B20\"]\n\n1. 46-5 20-24 1-1\n";

/// Returns a folder with Frisian tables of two pieces, with distances, and a game.
fn folder() -> Folder {
    let folder = Folder::with("game.pdn", GAME);
    let build = ["egdb", "build", "--variant", "frisian", "--pieces", "2", "--dtw", "--egdb", "tables"];
    folder.run(&build).is(0);
    folder
}

fn has_endgame_note(run: &Run) -> bool {
    run.values().iter().any(|row| row["code"] == "result/endgame")
}

#[test]
fn check_compares_results_with_given_tables() {
    let folder = folder();
    let check = ["check", "--format", "json", "game.pdn"];
    assert!(!has_endgame_note(&folder.run(&check).is(0)));
    assert!(has_endgame_note(&folder.run(&[&check[..], &["--egdb", "tables"]].concat()).is(0)));
    folder.write("pdn.toml", "egdb = 'tables'\n");
    assert!(has_endgame_note(&folder.run(&check).is(0)));
    assert!(!has_endgame_note(&folder.run(&[&check[..], &["--no-config"]].concat()).is(0)));
}

#[test]
fn annotations_have_the_distances_of_given_tables_and_name_them() {
    let folder = folder();
    let annotate = ["annotate", "--nodes", "100", "--to"];
    let plain = folder.run(&[&annotate[..], &["pdn", "game.pdn"]].concat()).is(0);
    assert!(!plain.text().contains("egdb"), "{}", plain.text());
    let named = folder.run(&[&annotate[..], &["pdn", "game.pdn", "--egdb", "tables"]].concat()).is(0);
    assert!(named.text().contains("egdb frisian 2 dtw 2"), "{}", named.text());
    let rows = folder.run(&[&annotate[..], &["jsonl", "game.pdn", "--egdb", "tables"]].concat()).is(0).values();
    assert_eq!(rows[0]["moves"][0]["eval"]["winner"], "W", "{}", rows[0]);
}

#[test]
fn a_checkpoint_belongs_to_its_tables() {
    let folder = folder();
    let annotate = ["annotate", "--nodes", "100", "game.pdn", "--checkpoint", "run.jsonl"];
    folder.run(&annotate).is(0);
    assert!(folder.run(&annotate).is(0).errors.contains("1 game restored"));
    assert!(!folder.run(&[&annotate[..], &["--egdb", "tables"]].concat()).is(0).errors.contains("restored"));
}

#[test]
fn the_board_has_the_value_of_the_position() {
    let folder = folder();
    let show = ["show", "--variant", "frisian", "--fen", "W:WK46:B20"];
    assert!(!folder.run(&show).is(0).text().contains("Endgame"));
    let shown = folder.run(&[&show[..], &["--egdb", "tables"]].concat()).is(0);
    assert!(shown.text().contains("Endgame: White wins in "), "{}", shown.text());
    let embedded = folder.run(&["show", "--variant", "russian", "--fen", "W:WKa1:BKc1"]).is(0);
    assert!(embedded.text().contains("Endgame: draw"), "{}", embedded.text());
}

#[test]
fn the_engine_of_other_programs_and_of_people_has_given_tables() {
    let folder = folder();
    let play = ["play", "--variant", "frisian", "--fen", "W:WK46:B20", "--side", "both", "--nodes", "50"];
    let hint = |more: &[&str]| Run::from(fed(&folder.path("."), b"eval\n", &[&play[..], more].concat())).is(0);
    assert!(hint(&["--egdb", "tables"]).text().contains("> #"), "{}", hint(&["--egdb", "tables"]).text());
    let hub = Run::from(fed(&folder.path("."), b"hub\nquit\n", &["hub", "--variant", "frisian", "--egdb", "tables"]));
    assert!(hub.is(0).text().contains("wait"));
}

#[test]
fn matches_are_adjudicated_by_the_databases() {
    let folder = Folder::with("openings.fen", "W:WK46,31:BK5\n");
    let players = ["match", "builtin:nodes=20,hash=1", "builtin:nodes=20,hash=1", "--openings", "openings.fen"];
    let played = [&players[..], &["--adjudicate", "-o", "games.pdn", "--quiet"]].concat();
    let summary = folder.run(&played).is(0);
    assert!(summary.text().contains("2 games: "), "{}", summary.text());
    let games = folder.read("games.pdn");
    assert_eq!(games.matches("adjudicated by endgame databases").count(), 2, "{games}");
    folder.run(&["check", "games.pdn"]).is(0);
    folder.run(&[&players[..], &["--egdb", "none"]].concat()).is(2);
    folder.run(&["match", "builtin:egdb=none", "builtin"]).is(2);
}

#[test]
fn a_folder_without_tables_is_an_error() {
    let folder = Folder::with("game.pdn", GAME);
    folder.write("empty/readme.txt", "no tables");
    for command in [["check", "game.pdn"], ["annotate", "game.pdn"], ["show", "game.pdn"], ["moves", "--fen=W:W31:B1"]]
    {
        for (name, reason) in [("none", "none"), ("empty", "empty: no endgame tables in this folder")] {
            let run = folder.run(&[&command[..], &["--egdb", name, "-o", "out"]].concat()).is(2);
            assert!(run.errors.contains(reason), "{}", run.errors);
        }
    }
    assert_eq!(folder.names(), ["empty", "game.pdn"]);
}

#[test]
fn damaged_tables_are_named_and_the_work_is_done_without_them() {
    let folder = folder();
    let path = folder.path("tables/frisian/KvM.egdb");
    let mut bytes = fs::read(&path).expect("a table");
    bytes[20] ^= 1;
    fs::write(&path, bytes).expect("written");
    fs::remove_file(folder.path("tables/frisian/KvM.dtw.egdb")).expect("removed");
    for command in [["check", "game.pdn"], ["annotate", "game.pdn"], ["show", "game.pdn"]] {
        let run = folder.run(&[&command[..], &["--egdb", "tables"]].concat()).is(2);
        assert_eq!(run.errors.matches("KvM.egdb: the table is damaged").count(), 1, "{}", run.errors);
        assert!(!run.text().is_empty(), "{command:?}");
    }
}

#[test]
fn a_win_at_an_unknown_distance_is_worth_89_men() {
    let game = "[GameType \"21\"]\n[FEN \"W:WK32,K31:BK1\"]\n\n1. 31-26 *\n";
    let folder = Folder::with("game.pdn", game);
    let annotated = |nodes, more: &[&str]| {
        let run = folder.run(&[&["annotate", "--nodes", nodes, "game.pdn", "--to"], more].concat()).is(0);
        run.text().to_owned()
    };
    let evaluation = |nodes, more: &[&str]| {
        let row: Value = serde_json::from_str(&annotated(nodes, &[&["jsonl"], more].concat())).expect("a game");
        row["moves"][0]["eval"].clone()
    };
    assert_eq!(evaluation("100", &[]), json!({"cm": 8900, "winner": "W"}));
    assert!(annotated("100", &["pdn"]).contains("[%eval 89.00]"));
    let row = annotated("100", &["csv"]);
    assert!(row.lines().nth(1).is_some_and(|row| row.contains(",8900,,W,")), "{row}");
    // With more nodes, the endgame is solved to its end, which gives the distances of stored tables.
    let solved = evaluation("2000", &[]);
    assert!(solved["win"].as_u64().is_some_and(|plies| plies > 5) && solved["winner"] == "W", "{solved}");
    folder.run(&["egdb", "build", "--variant", "english", "--pieces", "3", "--dtw", "--egdb", "tables"]).is(0);
    assert_eq!(evaluation("100", &["--egdb", "tables"]), solved);
}

#[test]
fn probes_are_measured() {
    let measured = pdn(&["bench", "egdb", "--variant", "italian", "--probes", "1000", "--pieces", "3", "--jobs", "2"]);
    let line = measured.is(0);
    assert!(line.text().starts_with("1000 positions of 3 pieces, 2 threads: cold "), "{}", line.text());
    pdn(&["bench", "egdb", "--variant", "frisian"]).is(2);
}
