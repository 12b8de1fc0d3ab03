//! `pdn egdb`: building, verifying and querying endgame databases.

use std::fs;
use std::process::Command;
use std::time::Duration;

use crate::support::binary::{Folder, Run, program};

/// Builds the tables of English draughts in a folder.
fn built(pieces: &str) -> Folder {
    let folder = Folder::new();
    run(&folder, "build", &["--pieces", pieces, "--dtw"]).is(0);
    folder
}

fn run(folder: &Folder, command: &str, arguments: &[&str]) -> Run {
    folder.run(&[&["egdb", command, "--variant", "english", "--egdb", "tables"], arguments].concat())
}

/// Returns the tables with their bytes.
fn tables(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder.path("tables/english")).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut tables: Vec<_> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a table")))
        .collect();
    tables.sort();
    tables
}

#[test]
fn counts_and_longest_wins_are_the_known_ones() {
    let rows = run(&built("2"), "stats", &["--pieces", "2", "--format", "json"]).is(0).values();
    assert_eq!(rows.len(), 4);
    let kings = &rows[0];
    assert_eq!(
        kings.to_string(),
        concat!(
            r#"{"all":{"draw":654,"loss":108,"win":230},"black":{"kings":1,"men":0},"longest_win":11,"#,
            r#""quiet":{"draw":654,"loss":108,"win":158},"turn":"W","variant":"english","white":{"kings":1,"men":0}}"#
        )
    );
    let text = run(&built("2"), "stats", &["--pieces", "2"]).is(0);
    assert!(text.lines()[1].starts_with("KvK ") && text.lines()[1].ends_with(" 11"), "{}", text.text());
}

#[test]
fn a_probe_has_value_distance_and_moves() {
    let folder = built("3");
    let answer = run(&folder, "probe", &["--fen", "W:WK32,K31:BK1", "--format", "json"]).is(0).values().remove(0);
    assert_eq!((answer["fen"].as_str(), answer["value"].as_str()), (Some("W:WK32,K31:BK1"), Some("win")));
    let plies = answer["plies"].as_u64().expect("a distance");
    let moves = answer["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 4);
    assert_eq!((moves[0]["value"].as_str(), moves[0]["plies"].as_u64()), (Some("win"), Some(plies)));
    assert!(moves[0]["notation"].is_string());
    // A quick win: the last piece is captured.
    let answer = run(&folder, "probe", &["--fen", "W:WK18:B14", "--format", "json"]).is(0).values().remove(0);
    assert_eq!((answer["value"].as_str(), answer["plies"].as_u64()), (Some("win"), Some(1)));
    assert_eq!(answer["moves"][0]["plies"], 1);
    // A side without moves has lost already.
    let answer = run(&folder, "probe", &["--fen", "W:W5:B1,K9", "--format", "json"]);
    assert!(answer.status.is_some());
    let text = run(&folder, "probe", &["--fen", "B:WK18:B14"]).is(0);
    assert_eq!(text.lines()[0], "win in 1 ply", "{}", text.text());
}

#[test]
fn every_line_of_best_moves_ends() {
    let folder = built("3");
    let mut fen = "W:WK32,K31:BK1".to_owned();
    let mut left = None;
    loop {
        let answer = run(&folder, "probe", &["--fen", &fen, "--format", "json"]).values().remove(0);
        let plies = answer["plies"].as_u64().expect("a distance");
        assert!(left.is_none_or(|left| plies + 1 == left), "{fen}");
        let Some(best) = answer["moves"].as_array().and_then(|moves| moves.first()) else { break };
        let text = format!("[GameType \"21\"]\n[FEN \"{fen}\"]\n\n{}\n", best["notation"].as_str().expect("a move"));
        folder.write("line.pdn", &text);
        let game = folder.run(&["convert", "--to", "jsonl", "line.pdn"]).is(0).values().remove(0);
        fen = game["final_fen"].as_str().expect("a position").to_owned();
        left = Some(plies);
        if plies == 1 {
            break;
        }
    }
    assert_eq!(left, Some(1));
}

#[test]
fn what_cannot_be_answered_has_a_status() {
    let folder = built("2");
    run(&folder, "probe", &["--fen", "nonsense"]).is(1);
    let unknown = run(&folder, "probe", &["--fen", "W:W21,22,23:B1,2,3", "--format", "json"]).is(2);
    assert_eq!(unknown.values()[0]["value"], serde_json::Value::Null);
    assert!(unknown.errors.contains("no table"));
    folder.run(&["egdb", "stats", "--variant", "frisian", "--egdb", "tables"]).is(2);
    folder.run(&["egdb", "verify", "--variant", "frisian", "--egdb", "tables"]).is(2);
    // The built-in tables do not answer for a folder that was named by mistake.
    folder.write("empty/file", "");
    for named in ["missing", "empty", "empty/file"] {
        for command in [&["egdb", "probe", "--fen", "W:WK32:BK1"][..], &["egdb", "stats"]] {
            let refused = folder.run(&[command, &["--variant", "english", "--egdb", named]].concat()).is(2);
            assert!(refused.text().is_empty() && refused.errors.contains(named), "{}", refused.errors);
        }
    }
    run(&folder, "build", &["--pieces", "1"]).is(2);
    run(&folder, "build", &["--pieces", "99"]).is(2);
    let little = run(&folder, "build", &["--pieces", "3", "--memory", "1kB"]).is(2);
    assert!(little.errors.contains("MB of memory"), "{}", little.errors);
}

#[test]
fn verification_names_damaged_tables() {
    let folder = built("3");
    let clean = run(&folder, "verify", &["--format", "json"]).is(0).values().remove(0);
    assert_eq!((clean["classes"].as_u64(), clean["classes_with_distances"].as_u64()), (Some(16), Some(16)));
    let path = folder.path("tables/english/KKvK.egdb");
    let mut bytes = fs::read(&path).expect("a table");
    *bytes.last_mut().expect("a byte") ^= 1;
    fs::write(&path, bytes).expect("written");
    let damaged = run(&folder, "verify", &[]).is(1);
    assert!(damaged.text().contains("KKvK.egdb: the table is damaged"), "{}", damaged.text());
    folder.write("tables/english/MMMvM.egdb", "not a table");
    let probe = run(&folder, "probe", &["--fen", "W:WK32:BK1"]).is(2);
    assert!(probe.errors.contains("MMMvM.egdb: not an endgame table") && probe.text().starts_with("draw"));
}

#[test]
fn a_build_that_was_killed_continues() {
    let whole = built("3");
    let folder = Folder::new();
    for wait in [1, 5, 9, 20, 37, 60, 88, 150, 3, 210] {
        let arguments = ["egdb", "build", "--variant", "english", "--egdb", "tables", "--pieces", "3", "--dtw"];
        let mut build = folder.command(&arguments).spawn().expect("the binary starts");
        std::thread::sleep(Duration::from_millis(wait));
        build.kill().expect("killed");
        build.wait().expect("ended");
    }
    run(&folder, "build", &["--pieces", "3", "--dtw", "--jobs", "1"]).is(0);
    assert_eq!(tables(&folder), tables(&whole));
    let again = run(&folder, "build", &["--pieces", "3", "--dtw", "--format", "json"]).is(0).values().remove(0);
    assert_eq!((again["solved_pairs"].as_u64(), again["kept_pairs"].as_u64()), (Some(0), Some(9)));
}

#[cfg(target_os = "linux")]
#[test]
fn the_default_folder_is_in_the_data_folder_of_the_user() {
    let folder = Folder::new();
    let mut command = folder.command(&["egdb", "build", "--variant", "english", "--pieces", "2"]);
    Run::of(command.env("XDG_DATA_HOME", folder.path("data"))).is(0);
    assert!(folder.path("data/pdn/egdb/english/KvK.egdb").exists());
    let mut command = folder.command(&["egdb", "build", "--variant", "english", "--pieces", "2"]);
    Run::of(command.env_remove("XDG_DATA_HOME").env("HOME", folder.path("home"))).is(0);
    assert!(folder.path("home/.local/share/pdn/egdb/english/KvK.egdb").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_cannot_be_written_is_an_error() {
    let folder = Folder::with("tables/english/KvK.egdb/x", "");
    let run = run(&folder, "build", &["--pieces", "2"]).is(2);
    assert!(run.errors.contains("cannot write") && run.errors.contains("KvK.egdb"), "{}", run.errors);
    assert_eq!(folder.names(), ["tables"]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_only_complete_tables() {
    let (whole, folder) = (built("3"), Folder::new());
    // Blocks of 512 or 1024 bytes: the first tables without distances are small enough, those with distances are not.
    let build = "ulimit -f 2; exec \"$0\" egdb build --variant english --pieces 3 --dtw --egdb tables";
    let mut command = Command::new("sh");
    command.current_dir(folder.path(".")).args(["-c", build, program()]);
    let run = Run::of(&mut command).is(2);
    assert!(run.errors.contains("cannot write"), "{}", run.errors);
    let (kept, complete) = (tables(&folder), tables(&whole));
    assert!(!kept.is_empty() && kept.len() < complete.len(), "{} tables", kept.len());
    assert!(kept.iter().all(|table| complete.contains(table)));
}

#[test]
fn a_sample_of_positions_is_verified() {
    let folder = built("3");
    let answer = run(&folder, "verify", &["--sample", "50", "--format", "json"]).is(0).values().remove(0);
    assert_eq!(answer["classes"], 9, "{answer}");
    let all = run(&folder, "verify", &["--format", "json"]).is(0).values().remove(0);
    assert!(answer["positions"].as_u64() > Some(0) && answer["positions"].as_u64() < all["positions"].as_u64());
}

#[test]
fn moves_have_values_where_tables_are_given() {
    let folder = built("3");
    let moves = ["moves", "--variant", "english", "--fen", "W:WK18:B14", "--egdb", "tables"];
    let answer = folder.run(&[&moves[..], &["--format", "json"]].concat()).is(0).values().remove(0);
    let row = &answer["moves"][0];
    assert_eq!((row["value"].as_str(), row["plies"].as_u64()), (Some("win"), Some(1)));
    assert_eq!(folder.run(&moves).is(0).text(), "18x9 win 1\n");
    // The tables in the program have no distances.
    let inside = ["moves", "--variant", "russian", "--fen", "W:WKc1:BKh8", "--egdb", "tables", "--format", "json"];
    let answer = folder.run(&inside).is(0).values().remove(0);
    assert_eq!((answer["moves"][0]["value"].as_str(), answer["moves"][0]["plies"].as_u64()), (Some("draw"), None));
    let plain = folder.run(&["moves", "--variant", "english", "--fen", "W:WK32:BK1", "--format", "json"]).is(0);
    assert!(plain.values()[0]["moves"][0].get("value").is_none());
}

#[test]
fn a_result_that_contradicts_the_tables_has_a_note() {
    let game = |result: &str, start: &str, moves: &str| {
        let text = format!("[GameType \"20\"]\n[Result \"{result}\"]\n[FEN \"{start}\"]\n\n1. {moves} *\n");
        let folder = Folder::with("a.pdn", text);
        let run = folder.run(&["check", "--format", "json", "a.pdn"]).is(0);
        let diagnostics = run.diagnostics();
        diagnostics.into_iter().find(|row| row["code"] == "result/endgame")
    };
    assert!(game("2-0", "W:WK46:B20", "46-5 20-24").is_none());
    let kept = game("1-1", "W:WK46:B20", "46-5 20-24").expect("a note");
    assert_eq!(kept["severity"], "note");
    assert_eq!(kept["message"], "with best play, the final position is a win for White, but the result is a draw");
    let lost = game("2-0", "W:WK50:B25,30", "50-6 30-34").expect("a note");
    assert_eq!((lost["line"].as_u64(), lost["column"].as_u64()), (Some(5), Some(4)));
    let message = lost["message"].as_str().expect("a message");
    assert!(message.contains("is a draw") && message.contains("(ply 1)") && message.contains("was a win for White"));
}
