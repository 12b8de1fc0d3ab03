//! The real binary on records: `check`, `convert`, `show` and `bench`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

const CLEAN: &str =
    "[Event \"one\"]\n[GameType \"20\"]\n[Result \"1-1\"]\n\n1. 32-28! {good} 19-23 2. 28x19 14x23 1-1\n\n";
/// Its second move of White cannot be played.
const ILLEGAL: &str = "[Event \"two\"]\r\n[GameType \"20\"]\r\n\r\n1. 32-28 19-23\r\n2. 31-13 20-24 *\r\n\r\n";

fn folder() -> TempDir {
    let folder = tempdir().expect("a folder");
    fs::write(folder.path().join("a.pdn"), CLEAN).expect("written");
    fs::write(folder.path().join("b.pdn"), format!("{CLEAN}{ILLEGAL}")).expect("written");
    folder
}

fn pdn_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pdn"));
    command.current_dir(folder).stdin(Stdio::null()).args(arguments).output().expect("started")
}

fn pdn_with(stdin: &[u8], arguments: &[&str]) -> Output {
    crate::support::binary::fed(Path::new("."), stdin, arguments)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn assert_status(output: &Output, status: i32) {
    assert_eq!(output.status.code(), Some(status), "{}{}", text(&output.stdout), text(&output.stderr));
}

fn lines(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn clean_files_are_0() {
    let folder = folder();
    let output = pdn_in(folder.path(), &["check", "a.pdn"]);
    assert_status(&output, 0);
    let last = text(&output.stdout).lines().last().expect("a summary");
    assert!(last.starts_with("0 errors, 0 warnings, 1 note, 4 plies in "), "{last}");
    assert!(output.stderr.is_empty());
}

#[test]
fn an_illegal_move_is_reported_with_its_position() {
    let folder = folder();
    let output = pdn_in(folder.path(), &["check", "--format", "json", "."]);
    assert_status(&output, 1);
    let lines = lines(&output);
    let (last, found) = lines.split_last().expect("a summary");
    let illegal: Vec<_> = found.iter().filter(|line| line["code"] == "move/illegal").collect();
    let [illegal] = illegal[..] else { panic!("{found:?}") };
    let offset = CLEAN.len() + ILLEGAL.find("31-13").expect("there");
    let place = ["game", "offset", "length", "line", "column"].map(|name| illegal[name].as_u64().expect("a number"));
    assert_eq!(place, [2, offset as u64, 5, 11, 4]);
    assert_eq!((illegal["file"].as_str(), illegal["severity"].as_str()), (Some("./b.pdn"), Some("error")));
    assert!(illegal["message"].is_string() && illegal.get("help").is_some());
    let summary = &last["summary"];
    let counts =
        ["files", "games", "clean_games", "plies", "errors"].map(|name| summary[name].as_u64().expect("a number"));
    assert_eq!(counts, [2, 3, 2, 10, 1]);
    assert!(summary["warnings"].is_u64() && summary["notes"].is_u64() && summary["seconds"].is_f64());
}

#[test]
fn people_see_the_line_and_a_caret() {
    let folder = folder();
    let output = pdn_in(folder.path(), &["check", "b.pdn"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("error[move/illegal]: "), "{shown}");
    assert!(shown.contains("--> b.pdn:11:4 (game 2)\n   |\n11 | 2. 31-13 20-24 *\n   |    ^^^^^\n"), "{shown}");
    assert!(!shown.contains('\x1b'));
    let colored = pdn_in(folder.path(), &["check", "b.pdn", "--color", "always"]);
    assert!(text(&colored.stdout).contains("\x1b[1;31merror[move/illegal]\x1b[0m"));
}

#[test]
fn unreadable_files_exit_with_2_and_the_rest_is_checked() {
    let folder = folder();
    fs::write(folder.path().join("c.pdn.gz"), b"\x1f\x8b\x08 no gzip").expect("written");
    let output = pdn_in(folder.path(), &["check", "--format", "json", "missing.pdn", "c.pdn.gz", "b.pdn"]);
    assert_status(&output, 2);
    assert_eq!(lines(&output).last().expect("a summary")["summary"]["games"], 2);
    let errors = text(&output.stderr);
    assert!(errors.lines().count() == 2 && errors.contains("missing.pdn") && errors.contains("c.pdn.gz"), "{errors}");
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    assert_status(&pdn_in(folder.path(), &["check", "empty"]), 2);
}

#[test]
fn standard_input_and_compressed_files() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(ILLEGAL.as_bytes()).expect("memory");
    let gzip = gzip.finish().expect("memory");
    let zstd = ruzstd::encoding::compress_to_vec(ILLEGAL.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    for stored in [ILLEGAL.as_bytes(), &gzip, &zstd] {
        let output = pdn_with(stored, &["check", "--format", "json", "-"]);
        assert_status(&output, 1);
        let lines = lines(&output);
        let illegal = lines.iter().find(|line| line["code"] == "move/illegal").expect("found");
        assert_eq!((illegal["file"].as_str(), illegal["line"].as_u64()), (Some("-"), Some(5)));
    }
}

#[test]
fn strict_raises_warnings_and_max_errors_limits_what_is_shown() {
    let mismatch = CLEAN.replace("23 1-1", "23 2-0");
    assert_status(&pdn_with(mismatch.as_bytes(), &["check", "-"]), 0);
    assert_status(&pdn_with(mismatch.as_bytes(), &["check", "--strict", "-"]), 1);
    let many = ILLEGAL.repeat(5);
    let output = pdn_with(many.as_bytes(), &["check", "--format", "json", "--max-errors", "2", "-"]);
    let lines = lines(&output);
    assert_eq!(lines.iter().filter(|line| line["severity"] == "error").count(), 2);
    assert_eq!(lines.last().expect("a summary")["summary"]["errors"], 5);
}

#[test]
fn a_game_that_is_too_large_is_reported_and_the_next_one_is_kept() {
    let huge = CLEAN.replace("good", &"x".repeat(5000));
    let output =
        pdn_with(format!("{CLEAN}{huge}{CLEAN}").as_bytes(), &["check", "--format", "json", "--max-game", "1kB", "-"]);
    assert_status(&output, 1);
    let lines = lines(&output);
    let found = lines.iter().find(|line| line["code"] == "replay/too-large").expect("found");
    assert_eq!(found["game"], 2);
    assert_eq!(lines.last().expect("a summary")["summary"]["games"], 3);
}

#[test]
fn jsonl_is_a_game_a_line() {
    let folder = folder();
    let output = pdn_in(folder.path(), &["convert", "--to", "jsonl", "b.pdn"]);
    assert_status(&output, 1);
    let games = lines(&output);
    assert_eq!(games.len(), 2);
    let keys: Vec<_> = games[0].as_object().expect("an object").keys().map(String::as_str).collect();
    let mut wanted = [
        "schema",
        "file",
        "game",
        "offset",
        "variant",
        "gametype",
        "tags",
        "start_fen",
        "final_fen",
        "written",
        "plies",
        "result",
        "legal",
        "comment",
        "variations",
        "diagnostics",
        "moves",
    ];
    wanted.sort_unstable();
    assert_eq!(keys, wanted);
    let first = &games[0]["moves"][0];
    let mut keys: Vec<_> = first.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    let mut wanted = [
        "ply",
        "number",
        "side",
        "legal",
        "written",
        "notation",
        "from",
        "to",
        "captured",
        "fen",
        "clock",
        "eval",
        "nags",
        "comment",
        "variations",
    ];
    wanted.sort_unstable();
    assert_eq!(keys, wanted);
    assert_eq!(
        games[0]["result"],
        serde_json::json!({"tag": "1-1", "terminator": "1-1", "board": null, "winner": "draw"})
    );
    assert_eq!(games[1]["offset"], CLEAN.len());
    assert_eq!((games[1]["written"].as_u64(), games[1]["plies"].as_u64()), (Some(4), Some(2)));
    assert_eq!(games[1]["moves"][2]["legal"], false);
}

#[test]
fn json_is_one_array_even_of_nothing() {
    let folder = folder();
    let output = pdn_in(folder.path(), &["convert", "--to", "json", "a.pdn", "b.pdn"]);
    let games: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(games.as_array().expect("an array").len(), 3);
    let output = pdn_with(b"", &["convert", "--to", "json", "-"]);
    assert_status(&output, 0);
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).expect("JSON"), serde_json::json!([]));
}

#[test]
fn csv_has_a_header_and_a_row_each() {
    let folder = folder();
    let games = pdn_in(folder.path(), &["convert", "--to", "csv", "a.pdn", "b.pdn"]);
    let rows: Vec<_> = text(&games.stdout).lines().collect();
    assert_eq!(rows.len(), 4);
    assert!(rows[0].starts_with(
        "schema_version,file,game,byte_offset,variant,gametype,Event,Site,Date,Round,White,Black,Result,"
    ));
    let moves = pdn_in(folder.path(), &["convert", "--to", "csv", "--table", "moves", "a.pdn"]);
    assert_eq!(text(&moves.stdout).lines().count(), 5);
    assert_eq!(text(&pdn_with(b"", &["convert", "--to", "csv", "-"]).stdout).lines().count(), 1);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let many = format!("{CLEAN}{ILLEGAL}").repeat(4000);
    let run = |jobs| pdn_with(many.as_bytes(), &["convert", "--to", "csv", "-", "--jobs", jobs]).stdout;
    let one = run("1");
    assert_eq!(text(&one).lines().count(), 8001);
    assert!(one == run("4"));
}

#[test]
fn an_output_without_any_input_is_not_touched() {
    let folder = folder();
    fs::write(folder.path().join("out"), "before").expect("written");
    assert_status(&pdn_in(folder.path(), &["convert", "--to", "csv", "missing.pdn", "-o", "out"]), 2);
    assert_eq!(fs::read_to_string(folder.path().join("out")).expect("there"), "before");
    assert_status(&pdn_in(folder.path(), &["convert", "--to", "csv", "missing.pdn", "a.pdn", "-o", "out"]), 2);
    assert_eq!(fs::read_to_string(folder.path().join("out")).expect("there").lines().count(), 2);
}

#[test]
fn boards_of_positions_and_games() {
    let folder = folder();
    let output = pdn_in(folder.path(), &["show", "b.pdn", "--game", "2", "--ply", "1"]);
    assert_status(&output, 0);
    assert!(text(&output.stdout).ends_with("Black to move\n"));
    assert!(text(&pdn_in(folder.path(), &["show", "a.pdn", "--format", "svg"]).stdout).starts_with("<svg"));
    assert_status(&pdn_in(folder.path(), &["show", "a.pdn", "--game", "2"]), 2);
    assert_status(&pdn_in(folder.path(), &["show", "b.pdn", "--game", "2", "--ply", "4"]), 2);
    assert_status(&pdn_in(folder.path(), &["show", "--fen", "nonsense"]), 1);
}

#[test]
fn benchmarks_end_with_their_figures() {
    let folder = folder();
    for what in ["read", "replay"] {
        let output = pdn_in(folder.path(), &["bench", what, "b.pdn"]);
        assert_status(&output, 0);
        let last = text(&output.stdout).lines().last().expect("a line");
        assert!(last.contains(" MB/s, 2 games, 8 moves, ") && last.ends_with(" M moves/s"), "{last}");
    }
}

#[test]
fn pdn_and_fen() {
    let folder = folder();
    let output = pdn_in(folder.path(), &["convert", "--to", "pdn", "b.pdn", "-o", "c.pdn"]);
    assert_status(&output, 1);
    let again = pdn_in(folder.path(), &["convert", "--to", "pdn", "c.pdn"]);
    assert_eq!(text(&again.stdout), fs::read_to_string(folder.path().join("c.pdn")).expect("there"));
    let fens = pdn_in(folder.path(), &["convert", "--to", "fen", "b.pdn"]);
    let fens: Vec<_> = text(&fens.stdout).lines().collect();
    assert!(fens.len() == 2 && fens.iter().all(|fen| fen.starts_with("W:W")), "{fens:?}");
}

#[test]
fn a_truncated_compressed_file_is_not_read_as_text() {
    let folder = folder();
    for (name, head) in
        [("a.pdn.gz", &b"\x1f"[..]), ("a.pdn.zst", b"\x28\xb5\x2f"), ("a.pdn.bz2", b"BZh"), ("a.pdn.xz", b"")]
    {
        fs::write(folder.path().join(name), head).expect("written");
        let output = pdn_in(folder.path(), &["check", name]);
        assert_status(&output, 2);
        assert!(
            text(&output.stderr).contains(name) && text(&output.stderr).contains("truncated"),
            "{}",
            text(&output.stderr)
        );
    }
}
