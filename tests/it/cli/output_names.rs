//! The name of the output determines its format, in every command.

use crate::support::binary::{Folder, Run};

const GAMES: &str = "[Event \"Club\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Round \"1\"]\n[GameType \"20\"]\n[Result \"2-0\"]\n1. 32-28 18-22 2. 37-32 12-18 2-0\n\n\
    [Event \"Club\"]\n[White \"Bob\"]\n[Black \"Cas\"]\n[Round \"2\"]\n[GameType \"20\"]\n[Result \"1-1\"]\n1. 31-26 19-23 1-1\n";

fn folder() -> Folder {
    Folder::with("a.pdn", GAMES)
}

/// Runs a command with an output of this name, and returns the beginning of the output.
fn begins(folder: &Folder, command: &[&str], name: &str) -> String {
    folder.run(&[command, &["a.pdn", "-o", name]].concat()).is(0);
    let bytes = std::fs::read(folder.path(name)).expect("an output");
    String::from_utf8_lossy(&bytes).chars().take(9).collect()
}

fn refused(run: &Run, list: &str) {
    assert!(run.errors.contains(list), "{}", run.errors);
}

#[test]
fn each_command_writes_what_the_name_says() {
    let folder = folder();
    for (command, name, wanted) in [
        (&["check"][..], "c.json", "{\"summary"),
        (&["check"], "c.sarif", "{\"$schema"),
        (&["stats"], "s.jsonl", "{\"games\":"),
        (&["search", "--where", "winner=W"], "g.csv", "schema_ve"),
        (&["search", "--where", "winner=W"], "g.ndjson", "{\"schema\""),
        (&["event"], "e.html", "<!DOCTYPE"),
        (&["event"], "e.csv", "rank,name"),
        (&["event", "--lang", "ru"], "e.pdf", "%PDF-1.7\n"),
        (&["event"], "e.TRF", "012 Club\n"),
        (&["event"], "e.txt", "Club: 3 p"),
        (&["event"], "e.tables", "Club: 3 p"),
        (&["event"], "e", "Club: 3 p"),
        (&["openings"], "o.pdn", "[Event \"O"),
        (&["openings"], "o.csv", "ply,line,"),
        (&["stats"], "s.csv", "table,nam"),
        (&["shots"], "shots.csv", "file,game"),
        (&["check"], "c.csv", "schema_ve"),
        (&["openings"], "o.json", "{\"fen\":\"W"),
        (&["annotate", "--nodes", "10"], "n.jsonl", "{\"schema\""),
        (&["convert"], "v.fen", "W:W28,31,"),
        (&["sheet"], "sheet.htm", "<!DOCTYPE"),
        (&["prepare", "--player", "Bob"], "p.html", "<!DOCTYPE"),
    ] {
        assert_eq!(begins(&folder, command, name), wanted, "{command:?} {name}");
    }
}

#[test]
fn a_name_that_a_command_cannot_write_is_refused_with_those_that_it_can() {
    let folder = folder();
    let run = folder.run(&["stats", "a.pdn", "-o", "s.xlsx"]).is(2);
    refused(&run, "the output of `pdn stats` cannot be .xlsx; it can be .csv, .json, .jsonl, .ndjson");
    refused(&folder.run(&["fmt", "a.pdn", "-o", "a.html"]).is(2), "cannot be .html; it can be .pdn");
    refused(&folder.run(&["egdb", "stats", "-o", "a.csv"]).is(2), "the output of `pdn egdb stats` cannot be .csv");
    // JSON Lines are not JSON.
    let run = folder.run(&["search", "a.pdn", "-o", "s.json"]).is(2);
    refused(&run, "the output of `pdn search` cannot be .json; it can be .csv, .jsonl, .ndjson, .pdn");
    refused(
        &folder.run(&["puzzles", "a.pdn", "-o", "p.json"]).is(2),
        "cannot be .json; it can be .jsonl, .ndjson, .pdn",
    );
    assert_eq!(folder.names(), ["a.pdn"]);
    for name in ["b.pdn.gz", "b.zst", "b.ZIP"] {
        let extension = name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let expected = format!("the output of `pdn fmt` cannot be .{extension}; it can be .pdn");
        refused(&folder.run(&["fmt", "a.pdn", "-o", name]).is(2), &expected);
    }
    assert_eq!(folder.names(), ["a.pdn"]);
    folder.run(&["fmt", "a.pdn", "-o", "b.txt"]).is(0);
}

#[test]
fn a_given_format_wins_over_the_name() {
    let folder = folder();
    let run = folder.run(&["event", "--format", "json", "a.pdn", "-o", "e.csv"]).is(0);
    assert_eq!(run.errors, "warning: the output is json, despite its name in .csv\n");
    assert!(folder.read("e.csv").starts_with("{\"event\""));
    let run = folder.run(&["event", "--quiet", "--to", "trf", "a.pdn", "-o", "e.json"]).is(0);
    assert_eq!(run.errors, "");
    assert!(folder.read("e.json").starts_with("012 Club"));
    let run = folder.run(&["check", "--format", "json", "a.pdn", "-o", "c.jsonl"]).is(0);
    assert_eq!(run.errors, "");
}

#[cfg(unix)]
#[test]
fn a_device_has_no_format() {
    let folder = folder();
    std::os::unix::fs::symlink("/dev/null", folder.path("null.csv")).expect("a link");
    folder.run(&["stats", "a.pdn", "-o", "null.csv"]).is(0);
}

#[test]
fn tables_of_answers_are_read_by_other_programs() {
    let folder = folder();
    folder.write("b.pdn", "[GameType \"20\"]\n[White \"=1+1\"]\n[Event \"a, \"\"b\"]\n1. 28-32 *\n");
    let rows = |arguments: &[&str], status: i32| {
        let run = folder.run(&[arguments, &["-o", "x.csv"]].concat()).is(status);
        assert_eq!(run.text(), "");
        let text = folder.read("x.csv");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
        let records = reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect::<Vec<_>>());
        let pairs = |row: Vec<String>| names.iter().cloned().zip(row).collect::<std::collections::HashMap<_, _>>();
        records.map(pairs).collect::<Vec<_>>()
    };
    let tree = rows(&["openings", "a.pdn"], 0);
    let row = tree.iter().find(|row| row["line"] == "1. 32-28 18-22").expect("a move");
    assert_eq!([&row["ply"], &row["games"], &row["white_wins"], &row["score"]], ["2", "1", "1", "0.000"]);
    let stats = rows(&["stats", "a.pdn", "b.pdn"], 0);
    let number = |table: &str, name: &str| {
        let row = stats.iter().find(|row| row["table"] == table && row["name"] == name);
        row.map(|row| row["number"].clone())
    };
    assert_eq!(number("summary", "games").as_deref(), Some("3"));
    assert_eq!(number("player", "Bob").as_deref(), Some("2"));
    assert_eq!(number("diagnostic", "move/illegal").as_deref(), Some("1"));
    let found = rows(&["check", "a.pdn", "b.pdn"], 1);
    assert!(found.iter().any(|row| row["code"] == "move/illegal" && row["file"] == "b.pdn"), "{found:?}");
    assert!(rows(&["shots", "a.pdn"], 0).is_empty());
}
