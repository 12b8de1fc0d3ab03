//! What `pdn check` promises: places, severities, counts, exit status.

use std::io::Write;

use crate::support::binary::{Folder, Run, codes, numbers, only, pdn_with};
use serde_json::{Value, json};

const GOOD: &str = "[Event \"good\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n";

fn check(bytes: impl AsRef<[u8]>) -> Run {
    pdn_with(bytes, &["check", "--format", "json", "-"])
}

/// Game, offset, length, line and column.
#[track_caller]
fn place(bytes: impl AsRef<[u8]>, code: &str) -> [u64; 5] {
    numbers(only(&check(bytes).findings(), code), ["game", "offset", "length", "line", "column"])
}

#[test]
fn a_finding_has_these_fields_in_this_order() {
    let folder = Folder::with("a.pdn", format!("{GOOD}[GameType \"20\"]\n1. 32-28! 31-13!? *\n"));
    let run = folder.run(&["check", "--format", "json", "a.pdn"]).is(1);
    let found = run.findings();
    let illegal = only(&found, "move/illegal");
    let names: Vec<_> = illegal.as_object().expect("an object").keys().map(String::as_str).collect();
    let mut wanted =
        ["file", "game", "offset", "length", "line", "column", "severity", "code", "message", "help"].to_vec();
    wanted.sort_unstable();
    assert_eq!(names, wanted);
    assert_eq!((&illegal["file"], &illegal["severity"]), (&json!("a.pdn"), &json!("error")));
    assert!(illegal["message"].is_string() && (illegal["help"].is_string() || illegal["help"].is_null()));
    assert!(run.text().starts_with("{\"file\":\"a.pdn\",\"game\":2,\"offset\":"), "{}", run.text());
}

#[test]
fn the_summary_is_the_last_line() {
    let mut wanted = ["files", "games", "clean_games", "plies", "errors", "warnings", "notes", "seconds"].to_vec();
    wanted.sort_unstable();
    for input in ["", GOOD] {
        let run = check(input).is(0);
        let summary = run.summary();
        assert_eq!(summary.as_object().expect("an object").keys().collect::<Vec<_>>(), wanted);
        assert!(summary["seconds"].is_number());
    }
    let summary = check(GOOD.repeat(3)).summary();
    assert_eq!(numbers(&summary, ["files", "games", "clean_games", "plies"]), [1, 3, 3, 12]);
    let human = pdn_with(GOOD, &["check", "-"]).is(0);
    assert!(human.text().starts_with("1 file, 1 game (1 clean), 4 plies: 0 errors, 0 warnings, 0 notes in "));
}

#[test]
fn places_in_all_kinds_of_text() {
    let tags = "[GameType \"20\"]";
    for (text, wanted) in [
        (format!("{tags}\n1. 32-28 31-13 *\n"), [1, 25, 5, 2, 10]),
        (format!("{tags}\r\n\r\n1. 32-28\r\n31-13!! *\r\n"), [1, 29, 5, 4, 1]),
        (format!("{tags}\r\r1. 32-28\r\t 31-13 *\r"), [1, 28, 5, 4, 3]),
        (format!("{tags}\n1. 32-28\t\t31-13 *\n"), [1, 26, 5, 2, 11]),
        (format!("{tags}\n1. 32-28 {{é€😀}} 1... 31-13(?) *\n"), [1, 42, 5, 2, 21]),
        (format!("\u{feff}{tags}\n1. 32-28 31-13 *\n"), [1, 28, 5, 2, 10]),
        (format!("{GOOD}{tags}\n1. 32-28 18x27x36 *"), [2, GOOD.len() as u64 + 25, 8, 7, 10]),
    ] {
        assert_eq!(place(&text, "move/illegal"), wanted, "{text:?}");
    }
    assert_eq!(
        place(b"[Event \"\xe9\xe9\"]\n[GameType \"20\"]\n{\xe9\xe9}1. 32-28 31-13 *", "move/illegal"),
        [1, 42, 5, 3, 14]
    );
}

#[test]
fn places_in_utf_16_are_those_of_the_original() {
    let text = "[GameType \"20\"]\n1. 32-28 {é} 31-13 *\n";
    for (mark, bytes) in [([0xFF, 0xFE], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xFE, 0xFF], u16::to_be_bytes)] {
        let encoded: Vec<u8> = mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect();
        assert_eq!(place(encoded, "move/illegal"), [1, 60, 10, 2, 14]);
    }
}

#[test]
fn compressed_files_have_the_places_of_what_is_in_them() {
    let text = format!("{}[GameType \"20\"]\n1. 32-28 31-13 *\n", GOOD.repeat(50));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).expect("memory");
    let gzip = gzip.finish().expect("memory");
    let zstd = ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    let wanted = [51, 50 * GOOD.len() as u64 + 25, 5, 252, 10];
    for stored in [text.as_bytes(), &gzip, &zstd] {
        assert_eq!(place(stored, "move/illegal"), wanted);
    }
    let folder = Folder::with("below/deep/a.pdn.gz", gzip);
    folder.write("below/b.pdn.zst", zstd);
    folder.write("below/C.PDN", &text);
    folder.write("below/no.txt", "[");
    let run = folder.run(&["check", "--format", "json", "below"]).is(1);
    let found = run.findings();
    let files: Vec<_> = found.iter().map(|found| found["file"].as_str().expect("a name")).collect();
    assert_eq!(files, ["below/C.PDN", "below/b.pdn.zst", "below/deep/a.pdn.gz"]);
    assert_eq!(numbers(&run.summary(), ["files", "games", "errors"]), [3, 153, 3]);
}

#[test]
fn a_result_mismatch_stands_at_the_terminator() {
    let text = "[Result \"1-0\"]\n[GameType \"25\"]\n1. c3-d4 b6-a5 0-1\n";
    assert_eq!(place(text, "result/mismatch"), [1, 46, 3, 3, 16]);
    assert_eq!(only(&check(text).is(0).findings(), "result/mismatch")["severity"], "warning");
    let board = "[GameType \"20\"]\n[Result \"0-2\"]\n[FEN \"W:W31:B27\"]\n1. 31x22\n";
    assert_eq!(place(board, "result/board"), [1, 16, 14, 2, 1]);
}

#[test]
fn what_stands_outside_any_game_has_game_0() {
    let run = check(format!("1-0\n\n{GOOD}\n2-0\n")).is(0);
    let found = run.findings();
    let games: Vec<_> = found.iter().map(|found| (&found["game"], &found["line"])).collect();
    assert_eq!(games, [(&json!(0), &json!(1)), (&json!(0), &json!(9))]);
    assert_eq!(run.summary()["games"], 1);
}

#[test]
fn games_are_counted_in_each_file() {
    let bad = format!("{GOOD}[GameType \"20\"]\n1. 31-13 *\n");
    let folder = Folder::with("a.pdn", &bad);
    folder.write("b.pdn", format!("{GOOD}{bad}"));
    let run = folder.run(&["check", "--format", "json", "a.pdn", "b.pdn", "./a.pdn"]).is(1);
    let found = run.findings();
    let places: Vec<_> = found.iter().map(|found| format!("{} {}", found["file"], found["game"])).collect();
    assert_eq!(places, ["\"a.pdn\" 2", "\"b.pdn\" 3", "\"./a.pdn\" 2"]);
}

#[test]
fn severities() {
    for (text, wanted) in [
        ("[GameType \"20\"] 1. 31-13 *", "error move/illegal"),
        ("[GameType \"20\"] [FEN \"W:WK47:B42,29,14,31,19\"] 1. 47x36 *", "error move/ambiguous"),
        ("[GameType \"20\"] [FEN \"W:W99:B1\"] *", "error fen/syntax"),
        ("[GameType \"20\"] [FEN \"W:W1:B7\"] *", "error fen/unplayable"),
        ("[GameType \"777\"] *", "error tag/game-type"),
        ("[GameType \"0\"] *", "error tag/game-type"),
        ("[GameType \"20\"] 32-28 {never", "error syntax/unclosed-comment"),
        ("[Round \"1]\n[GameType \"20\"] *", "error syntax/unclosed-string"),
        ("[GameType \"20\"] 32-28 - 18-22 *", "error move/null"),
        ("[GameType \"20\"] 32-28 -- *", "warning syntax/null-move"),
        ("[GameType \"20\"] 1. 32-28 2. *", "warning syntax/number-without-move"),
        ("[GameType \"20\"] 1. 3228 *", "warning syntax/missing-separator"),
        ("[GameType \"20\"] [Result \"2-0\"] 1. 32-28 0-2", "warning result/mismatch"),
        ("[Event \"x\"] *", "warning replay/unknown-variant"),
        ("[Event \"x\"] [Event \"y\"] [GameType \"20\"] *", "warning tag/duplicate"),
        ("1. 32-28 *", "note replay/inferred-variant"),
    ] {
        let found = codes(text);
        assert!(found.iter().any(|found| found.starts_with(wanted)), "{text}: {found:?}");
        let worst = i32::from(wanted.starts_with("error"));
        assert!(check(text).is(worst).findings().iter().all(|found| found["severity"] != "error" || worst == 1));
    }
}

#[test]
fn strict_raises_warnings_and_leaves_notes() {
    let text = "1. 32-28 19-23! 2. 28-19 *";
    let severities =
        |run: Run| -> Vec<Value> { run.findings().into_iter().map(|found| found["severity"].clone()).collect() };
    assert_eq!(severities(check(text).is(0)), ["note", "warning"]);
    let strict = pdn_with(text, &["check", "--strict", "--format", "json", "-"]).is(1);
    let severities = severities(strict);
    assert!(severities.contains(&json!("error")) && !severities.contains(&json!("warning")), "{severities:?}");
}

#[test]
fn clean_games_and_plies() {
    for (text, clean, plies) in [
        ("[GameType \"20\"] *", 0, 0),
        ("[GameType \"20\"] 1. 32-28 *", 1, 1),
        ("[GameType \"20\"] 1. 32-28 31-13 20-24 *", 0, 1),
        ("[GameType \"20\"] 1. 32-28 31-13 /FEN \"W:W32:B19\"/ 2. 32-28 *", 0, 2),
        ("[GameType \"20\"] 1. 32-28 /FEN \"W:W32:B19\"/ 2. 32-28 *", 1, 2),
        ("[GameType \"20\"] 1. 32-28 (1. 31-13) 19-23 *", 1, 2),
        ("[GameType \"20\"] 1. - - 2. - - *", 1, 4),
        ("[GameType \"20\"] 1. ... 19-23 *", 1, 1),
        ("[Event \"?\"] 1. 3-1 *", 0, 0),
        ("[GameType \"21\"] [FEN \"B:W16,24,27:B12,1\"] 1. 12x19 19x28 *", 1, 1),
    ] {
        let summary = pdn_with(text, &["check", "--format", "json", "-"]).summary();
        assert_eq!(numbers(&summary, ["games", "clean_games", "plies"]), [1, clean, plies], "{text}");
    }
}

#[test]
fn an_asked_variant_beats_the_tag_with_a_note() {
    let text = "[GameType \"25\"]\n1. 32-28 19-23 *\n";
    for variant in ["20", "20,W,10,10,N2,0", "international"] {
        let run = pdn_with(text, &["check", "--format", "json", "--variant", variant, "-"]).is(0);
        let found = run.findings();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(only(&found, "replay/variant-overridden")["severity"], "note");
        assert_eq!(run.summary()["plies"], 2);
    }
    assert!(pdn_with("1. 32-28 *", &["check", "--format", "json", "--variant", "20", "-"]).is(0).findings().is_empty());
}

#[test]
fn people_see_lines_and_carets() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n{é}\t1. 32-28 31-13 *\n");
    let shown = folder.run(&["check", "a.pdn"]).is(1);
    assert!(shown.text().contains("error[move/illegal]: "), "{}", shown.text());
    assert!(shown.text().contains("a.pdn:2:14"), "{}", shown.text());
    assert!(
        shown.text().lines().last().is_some_and(|last| last.starts_with("1 file, 1 game (0 clean), 1 ply: 1 error"))
    );
}
