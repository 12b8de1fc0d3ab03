//! Records in files, compressed or not, and on standard input: where diagnostics are, and what cannot be read.

use std::io::Write;

use crate::support::binary::{Folder, numbers, only, pdn_with};

const CLEAN: &str =
    "[Event \"one\"]\n[GameType \"20\"]\n[Result \"1-1\"]\n\n1. 32-28! {good} 19-23 2. 28x19 14x23 1-1\n\n";
/// Its second move of White cannot be played.
const ILLEGAL: &str = "[Event \"two\"]\r\n[GameType \"20\"]\r\n\r\n1. 32-28 19-23\r\n2. 31-13 20-24 *\r\n\r\n";

fn folder() -> Folder {
    let folder = Folder::with("a.pdn", CLEAN);
    folder.write("b.pdn", format!("{CLEAN}{ILLEGAL}"));
    folder
}

#[test]
fn clean_files_are_0() {
    let run = folder().run(&["check", "a.pdn"]).is(0);
    let last = run.text().lines().last().expect("a summary");
    assert!(last.starts_with("0 errors, 0 warnings, 0 notes, 4 plies in ") && run.errors.is_empty(), "{last}");
}

#[test]
fn an_illegal_move_is_reported_with_its_position() {
    let run = folder().run(&["check", "--format", "json", "."]).is(1);
    let found = run.diagnostics();
    let illegal = only(&found, "move/illegal");
    let offset = CLEAN.len() + ILLEGAL.find("31-13").expect("there");
    assert_eq!(numbers(illegal, ["game", "offset", "length", "line", "column"]), [2, offset as u64, 5, 11, 4]);
    assert_eq!((illegal["file"].as_str(), illegal["severity"].as_str()), (Some("./b.pdn"), Some("error")));
    assert!(illegal["message"].is_string() && illegal.get("help").is_some());
    let summary = run.summary();
    assert_eq!(numbers(&summary, ["files", "games", "clean_games", "plies", "errors"]), [2, 3, 2, 10, 1]);
    assert!(summary["warnings"].is_u64() && summary["notes"].is_u64() && summary["seconds"].is_f64());
}

#[test]
fn people_see_the_line_and_a_caret() {
    let folder = folder();
    let run = folder.run(&["check", "b.pdn"]);
    let shown = run.text();
    assert!(shown.contains("error[move/illegal]: "), "{shown}");
    assert!(shown.contains("--> b.pdn:11:4 (game 2)\n   |\n11 | 2. 31-13 20-24 *\n   |    ^^^^^\n"), "{shown}");
    assert!(!shown.contains('\x1b'));
    let colored = folder.run(&["check", "b.pdn", "--color", "always"]);
    assert!(colored.text().contains("\x1b[1;31merror[move/illegal]\x1b[0m"));
}

#[test]
fn unreadable_files_exit_with_2_and_the_rest_is_checked() {
    let folder = folder();
    folder.write("c.pdn.gz", b"\x1f\x8b\x08 no gzip");
    let run = folder.run(&["check", "--format", "json", "missing.pdn", "c.pdn.gz", "b.pdn"]).is(2);
    assert_eq!(run.summary()["games"], 2);
    let errors = run.errors;
    assert!(errors.lines().count() == 2 && errors.contains("missing.pdn") && errors.contains("c.pdn.gz"), "{errors}");
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    folder.run(&["check", "empty"]).is(2);
}

#[test]
fn standard_input_and_compressed_files() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(ILLEGAL.as_bytes()).expect("memory");
    let gzip = gzip.finish().expect("memory");
    let zstd = ruzstd::encoding::compress_to_vec(ILLEGAL.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    for stored in [ILLEGAL.as_bytes(), &gzip, &zstd] {
        let found = pdn_with(stored, &["check", "--format", "json", "-"]).is(1).diagnostics();
        let illegal = only(&found, "move/illegal");
        assert_eq!((illegal["file"].as_str(), illegal["line"].as_u64()), (Some("-"), Some(5)));
    }
}

#[test]
fn a_truncated_compressed_file_is_not_read_as_text() {
    let folder = folder();
    for (name, head) in
        [("a.pdn.gz", &b"\x1f"[..]), ("a.pdn.zst", b"\x28\xb5\x2f"), ("a.pdn.bz2", b"BZh"), ("a.pdn.xz", b"")]
    {
        folder.write(name, head);
        let run = folder.run(&["check", name]).is(2);
        assert!(run.errors.contains(name) && run.errors.contains("truncated"), "{}", run.errors);
    }
}

#[test]
fn strict_raises_warnings_and_max_errors_limits_what_is_shown() {
    let mismatch = CLEAN.replace("23 1-1", "23 2-0");
    pdn_with(&mismatch, &["check", "-"]).is(0);
    pdn_with(&mismatch, &["check", "--strict", "-"]).is(1);
    let run = pdn_with(ILLEGAL.repeat(5), &["check", "--format", "json", "--max-errors", "2", "-"]);
    assert_eq!(run.diagnostics().iter().filter(|row| row["severity"] == "error").count(), 2);
    assert_eq!(run.summary()["errors"], 5);
}

#[test]
fn a_game_that_is_too_large_is_reported_and_the_next_one_is_kept() {
    let huge = CLEAN.replace("good", &"x".repeat(5000));
    let text = format!("{CLEAN}{huge}{CLEAN}");
    let run = pdn_with(text, &["check", "--format", "json", "--max-game", "1kB", "-"]).is(1);
    assert_eq!(only(&run.diagnostics(), "replay/too-large")["game"], 2);
    assert_eq!(run.summary()["games"], 3);
}

#[test]
fn boards_of_positions_and_games() {
    let folder = folder();
    let run = folder.run(&["show", "b.pdn", "--game", "2", "--ply", "1"]).is(0);
    assert!(run.text().ends_with("Black to move\n"));
    assert!(folder.run(&["show", "a.pdn", "--format", "svg"]).text().starts_with("<svg"));
    folder.run(&["show", "a.pdn", "--game", "2"]).is(2);
    folder.run(&["show", "b.pdn", "--game", "2", "--ply", "4"]).is(2);
    folder.run(&["show", "--fen", "nonsense"]).is(1);
}

#[test]
fn benchmarks_end_with_their_figures() {
    let folder = folder();
    for what in ["read", "replay"] {
        let run = folder.run(&["bench", what, "b.pdn"]).is(0);
        let last = run.text().lines().last().expect("a line");
        assert!(last.contains(" MB/s, 2 games, 8 moves, ") && last.ends_with(" M moves/s"), "{last}");
    }
}
