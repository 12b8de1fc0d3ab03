//! `pdn check`: positions in the text, severities, counts, exit status, writing rules, duplicates, encodings, SARIF.

use std::fmt::Write as _;

use std::io::Write;

use crate::support::binary::{Folder, Run, fed, numbers, only, pdn_with};
use crate::support::library::{self, codes};
use serde_json::{Value, json};

const GOOD: &str = "[Event \"good\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n";

/// A game of 20 plies.
const LONG: &str = "[Event \"a\"]\n[GameType \"20\"]\n\n1. 33-29 19-23 2. 34-30 23x25 3. 31-27 18-22 4. 27x18 13x22 5. 32-27 22x31 \
6. 36x27 20-24 7. 40-34 15-20 8. 37-32 14-19 9. 45-40 17-22 10. 27x18 12x23 *\n\n";

fn diagnostics(options: &[&str], bytes: impl AsRef<[u8]>) -> Vec<Value> {
    if options.is_empty() {
        return library::diagnostics(bytes);
    }
    pdn_with(bytes, &[&["check", "--format", "json"], options, &["-"]].concat()).diagnostics()
}

fn of<'a>(rows: &'a [Value], code: &str) -> Vec<&'a Value> {
    rows.iter().filter(|row| row["code"] == code).collect()
}

fn check(bytes: impl AsRef<[u8]>) -> Run {
    pdn_with(bytes, &["check", "--format", "json", "-"])
}

/// Game, offset, length, line and column.
#[track_caller]
fn position(bytes: impl AsRef<[u8]>, code: &str) -> [u64; 5] {
    numbers(only(&library::diagnostics(bytes), code), ["game", "offset", "length", "line", "column"])
}

#[test]
fn a_diagnostic_has_these_fields_in_this_order() {
    let folder = Folder::with("a.pdn", format!("{GOOD}[GameType \"20\"]\n1. 32-28! 31-13!? *\n"));
    let run = folder.run(&["check", "--format", "json", "a.pdn"]).is(1);
    let found = run.diagnostics();
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
    wanted.extend(["replayed_games", "games_without_errors", "games_not_replayed"]);
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
    let wanted = "1 file, 1 game: 1 without errors, 1 replayed to the end\n0 errors, 0 warnings, 0 notes, 4 plies in ";
    assert!(human.text().starts_with(wanted), "{}", human.text());
}

#[test]
fn lines_and_columns_in_texts_of_any_kind() {
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
        assert_eq!(position(&text, "move/illegal"), wanted, "{text:?}");
    }
    assert_eq!(
        position(b"[Event \"\xe9\xe9\"]\n[GameType \"20\"]\n{\xe9\xe9}1. 32-28 31-13 *", "move/illegal"),
        [1, 42, 5, 3, 14]
    );
}

#[test]
fn offsets_in_utf_16_are_those_of_the_original_bytes() {
    let text = "[GameType \"20\"]\n1. 32-28 {é} 31-13 *\n";
    for (mark, bytes) in [([0xFF, 0xFE], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xFE, 0xFF], u16::to_be_bytes)] {
        let encoded: Vec<u8> = mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect();
        assert_eq!(position(encoded, "move/illegal"), [1, 60, 10, 2, 14]);
    }
}

#[test]
fn offsets_in_compressed_files_are_those_of_the_decompressed_bytes() {
    let text = format!("{}[GameType \"20\"]\n1. 32-28 31-13 *\n", GOOD.repeat(50));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).expect("memory");
    let gzip = gzip.finish().expect("memory");
    let zstd = ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    let wanted = [51, 50 * GOOD.len() as u64 + 25, 5, 252, 10];
    for stored in [text.as_bytes(), &gzip, &zstd] {
        assert_eq!(position(stored, "move/illegal"), wanted);
    }
    let folder = Folder::with("below/deep/a.pdn.gz", gzip);
    folder.write("below/b.pdn.zst", zstd);
    folder.write("below/C.PDN", &text);
    folder.write("below/no.txt", "[");
    let run = folder.run(&["check", "--format", "json", "below"]).is(1);
    let found = run.diagnostics();
    let files: Vec<_> = found.iter().map(|found| found["file"].as_str().expect("a name")).collect();
    assert_eq!(files, ["below/C.PDN", "below/b.pdn.zst", "below/deep/a.pdn.gz"]);
    assert_eq!(numbers(&run.summary(), ["files", "games", "errors"]), [3, 153, 3]);
}

#[test]
fn a_result_mismatch_is_reported_at_the_terminator() {
    let text = "[Result \"1-0\"]\n[GameType \"25\"]\n1. c3-d4 b6-a5 0-1\n";
    assert_eq!(position(text, "result/mismatch"), [1, 46, 3, 3, 16]);
    assert_eq!(only(&check(text).is(0).diagnostics(), "result/mismatch")["severity"], "warning");
    let board = "[GameType \"20\"]\n[Result \"0-2\"]\n[FEN \"W:W31:B27\"]\n1. 31x22\n";
    assert_eq!(position(board, "result/board"), [1, 16, 14, 2, 1]);
}

#[test]
fn text_outside_any_game_has_game_0() {
    let run = check(format!("1-0\n\n{GOOD}\n2-0\n")).is(0);
    let found = run.diagnostics();
    let games: Vec<_> = found.iter().map(|found| (&found["game"], &found["line"])).collect();
    assert_eq!(games, [(&json!(0), &json!(1)), (&json!(0), &json!(9))]);
    assert_eq!(run.summary()["games"], 1);
}

#[test]
fn games_are_numbered_within_each_file() {
    let bad = format!("{GOOD}[GameType \"20\"]\n1. 31-13 *\n");
    let folder = Folder::with("a.pdn", &bad);
    folder.write("b.pdn", format!("{GOOD}{bad}"));
    let run = folder.run(&["check", "--format", "json", "a.pdn", "b.pdn", "./a.pdn"]).is(1);
    let found = run.diagnostics();
    let places: Vec<_> = found.iter().map(|found| format!("{} {}", found["file"], found["game"])).collect();
    assert_eq!(places, ["\"a.pdn\" 2", "\"b.pdn\" 3", "\"./a.pdn\" 2"]);
}

#[test]
fn severities_follow_the_contract() {
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
        assert!(check(text).is(worst).diagnostics().iter().all(|found| found["severity"] != "error" || worst == 1));
    }
}

#[test]
fn strict_raises_warnings_to_errors_and_keeps_notes() {
    let text = "1. 32-28 19-23! 2. 28-19 *";
    let severities =
        |run: Run| -> Vec<Value> { run.diagnostics().into_iter().map(|found| found["severity"].clone()).collect() };
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
fn the_summary_says_why_games_are_not_replayed() {
    let text = "[GameType \"1\"] 1. 3-1 *\n\n[GameType \"20\"] [FEN \"x\"] 1. 32-28 *\n\n[GameType \"20\"] *\n\n\
        [GameType \"20\"] 1. 32-28 31-13 *\n\n[GameType \"20\"] 1. 32-28 *";
    let names = ["games", "clean_games", "replayed_games", "games_without_errors", "games_not_replayed"];
    assert_eq!(numbers(&check(text).is(1).summary(), names), [5, 1, 1, 2, 2]);
    let human = pdn_with(text, &["check", "-"]).is(1);
    let wanted = "1 file, 5 games: 2 without errors, 1 replayed to the end, 1 replayed in part, \
        1 not replayed (unknown variant), 1 not replayed (unusable position), 1 without moves\n3 errors, ";
    assert!(human.text().contains(wanted), "{}", human.text());
}

#[test]
fn a_requested_variant_overrides_the_tag_with_a_note() {
    let text = "[GameType \"25\"]\n1. 32-28 19-23 *\n";
    for variant in ["20", "20,W,10,10,N2,0", "international"] {
        let run = pdn_with(text, &["check", "--format", "json", "--variant", variant, "-"]).is(0);
        let found = run.diagnostics();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(only(&found, "replay/variant-overridden")["severity"], "note");
        assert_eq!(run.summary()["plies"], 2);
    }
    assert!(
        pdn_with("1. 32-28 *", &["check", "--format", "json", "--variant", "20", "-"]).is(0).diagnostics().is_empty()
    );
}

#[test]
fn human_output_shows_lines_and_carets() {
    let folder = Folder::with("a.pdn", "[GameType \"20\"]\n{é}\t1. 32-28 31-13 *\n");
    let shown = folder.run(&["check", "a.pdn"]).is(1);
    assert!(shown.text().contains("error[move/illegal]: "), "{}", shown.text());
    assert!(shown.text().contains("a.pdn:2:14"), "{}", shown.text());
    let summary = "1 file, 1 game: 0 without errors, 0 replayed to the end, 1 replayed in part\n1 error, ";
    assert!(shown.text().contains(summary), "{}", shown.text());
}

#[test]
fn duplicates_and_continuations_are_found_across_files() {
    let folder = Folder::new();
    let longer = LONG.replace("12x23 *", "12x23 11. 39-33 8-12 *").replace("\"a\"", "\"longer\"");
    let other = LONG.replace("33-29", "33-28").replace("34-30 23x25", "28x19 14x23");
    folder.write("a.pdn", format!("{longer}{other}"));
    folder.write("b.pdn", LONG.replace("\"a\"", "\"b\"").replace("1. 33-29", "1. 33-29 {!}"));
    let arguments = ["check", "--format", "json", "--duplicates", "a.pdn", "b.pdn", "-"];
    let rows = Run::from(fed(&folder.path("."), LONG.as_bytes(), &arguments)).diagnostics();
    let same = of(&rows, "replay/duplicate");
    assert_eq!(same.len(), 1);
    assert_eq!((&same[0]["file"], &same[0]["line"]), (&Value::from("-"), &Value::from(4)));
    assert_eq!(same[0]["message"], "the same moves as game 1 of b.pdn, line 1");
    let continued = of(&rows, "replay/continuation");
    assert_eq!(continued.len(), 1);
    assert_eq!((&continued[0]["file"], &continued[0]["game"]), (&Value::from("a.pdn"), &Value::from(1)));
    assert_eq!(continued[0]["message"], "the first 20 moves are the whole of game 1 of b.pdn, line 1");
}

#[test]
fn strict_checks_the_writing_rules() {
    let text =
        b"[Event \"e\"]\n[GameType \"20\"]\n1. 32- 28 19-23(!) 2. 28:19 14x23 1-0\n\n[Event \"e\"]\n1. 32-28 *\n";
    assert!(diagnostics(&[], text).iter().all(|row| row["severity"] != "error"));
    let rows = diagnostics(&["--strict"], text);
    let codes: Vec<_> = rows.iter().map(|row| row["code"].as_str().expect("a code")).collect();
    for code in [
        "tag/strict-roster",
        "move/strict-blank",
        "move/strict-strength",
        "move/strict-sign",
        "result/strict-separator",
    ] {
        assert!(codes.contains(&code), "{codes:?}");
    }
    let canonical = pdn_with(text, &["fmt", "-"]).bytes;
    let rows = diagnostics(&["--strict"], &canonical);
    assert!(rows.iter().all(|row| row["severity"] == "note"), "{rows:?}");
}

#[test]
fn a_code_page_is_reported_once_and_can_be_named() {
    // "Ivanov" and "Petrov" in cp1251, then a game in ASCII, then one too short for a guess.
    let cyrillic = b"[White \"\xC8\xE2\xE0\xED\xEE\xE2\"]\n[Black \"\xCF\xE5\xF2\xF0\xEE\xE2\"]\n1. c3-d4 1-0\n\n";
    let short = b"[White \"\xC8\"]\n1. c3-d4 1-0\n";
    let text = [&cyrillic[..], b"[White \"x\"]\n1. c3-d4 1-0\n\n", short].concat();
    let rows = diagnostics(&[], &text);
    let reported = of(&rows, "tag/encoding");
    assert_eq!(reported.len(), 1);
    assert_eq!((&reported[0]["offset"], &reported[0]["length"]), (&Value::from(8), &Value::from(1)));
    assert!(reported[0]["message"].as_str().expect("a message").contains("cp1251"));
    assert!(of(&diagnostics(&["--encoding", "latin-1"], &text), "tag/encoding").is_empty());
    let names = |arguments: &[&str]| {
        let games = pdn_with(&text, &[&["convert", "--to", "jsonl"], arguments].concat()).values();
        games.iter().map(|row| row["tags"]["White"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["-"]), ["Иванов", "x", "И"]);
    assert_eq!(names(&["--encoding", "cp1252", "-"]), ["Èâàíîâ", "x", "È"]);
    assert!(pdn_with(&text, &["check", "-"]).text().contains("[White \"Иванов\"]"));
}

#[test]
fn utf_16_can_be_requested() {
    let encoded = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<_>>();
    // Only the option names the encoding: there is no byte order mark and no zero byte.
    let text = "［１";
    let sound = "[White \"Иванов\"]\n[GameType \"20\"]\n1. 32-28 31-13 *\n";
    for (name, bytes) in [("utf-16le", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("utf-16be", u16::to_be_bytes)] {
        let rows = diagnostics(&["--encoding", name], encoded(text, bytes));
        let stray = of(&rows, "syntax/stray-text");
        assert_eq!((&stray[0]["offset"], &stray[0]["length"]), (&Value::from(0), &Value::from(4)), "{rows:?}");
        assert!(stray[0]["message"].as_str().expect("a message").contains(text), "{rows:?}");
        for marked in [sound.to_owned(), format!("\u{feff}{sound}")] {
            let arguments = ["convert", "--to", "jsonl", "--encoding", name, "-"];
            let row = pdn_with(encoded(&marked, bytes), &arguments).values().remove(0);
            assert_eq!(row["tags"]["White"], "Иванов", "{name}");
            let illegal = of(row["diagnostics"].as_array().expect("a list"), "move/illegal")[0];
            let at = marked.encode_utf16().count() - "31-13 *\n".len();
            assert_eq!(illegal["offset"], Value::from(2 * at), "{name}");
        }
    }
    pdn_with("", &["check", "--encoding", "utf-32", "-"]).is(2);
}

#[test]
fn sarif_is_one_json_value() {
    let text = b"[GameType \"20\"]\n1. 32-28 19-23 2. 33-29 *\n\n1. 32-28 (19-23 *\n";
    for input in [&text[..], b"", LONG.as_bytes()] {
        let run = pdn_with(input, &["check", "--format", "sarif", "-"]);
        let log: Value = serde_json::from_slice(&run.bytes).expect("JSON");
        assert_eq!(log["version"], "2.1.0");
        let results = log["runs"][0]["results"].as_array().expect("a list");
        if input == text {
            let illegal = results.iter().find(|result| result["ruleId"] == "move/illegal").expect("a result");
            let region = &illegal["locations"][0]["physicalLocation"]["region"];
            assert_eq!((&region["startLine"], &region["startColumn"]), (&Value::from(2), &Value::from(19)));
            assert_eq!(illegal["level"], "error");
        }
    }
}

/// A search of the whole line for each diagnostic would take hours.
#[test]
fn many_diagnostics_on_one_line_take_linear_time() {
    for noise in [" *", " 2-0", "\\r *"] {
        let outside = format!("1. 32-28 19-23 *\n\n{}", noise.repeat(60_000));
        assert!(diagnostics(&[], outside).len() > 1000);
        // Results after that of the game are one text.
        let after = format!("1. 32-28 19-23 2-0{}", noise.repeat(60_000));
        assert_eq!(diagnostics(&[], after).len() > 1000, noise != " 2-0", "{noise}");
    }
    let rows = format!("1. 32-28 19-23\nb{}\n2. 28x19 *", " .".repeat(60_000));
    assert!(diagnostics(&[], rows).len() < 1000);
}

#[test]
fn a_result_joined_to_the_next_number_ends_the_game() {
    const GAME: &str = "01.33-29 {0} 17-22 {0} 02.39-33 {0} 11-17 {0} 03.44-39 {0} 06-11 {0}\n";
    let results = ["0-0", "1-1", "0-2", "1/2-1/2", "1-0"];
    let mut text = String::from("[GameType \"20\"]\n\n");
    for game in 0..200 {
        text += GAME;
        text += results[game % results.len()];
    }
    let run = check(&text).is(0);
    assert_eq!((run.summary()["games"].as_u64(), run.summary()["plies"].as_u64()), (Some(200), Some(1200)));
    let found = run.diagnostics();
    let joined: Vec<_> = found.iter().filter(|row| row["code"] == "syntax/missing-blank").collect();
    assert_eq!((joined.len(), joined[3]["message"].as_str()), (199, Some("missing space: `1/2-1/2`")));
    let other = found.iter().find(|row| row["severity"] != "note" && row["code"] != "syntax/missing-blank");
    assert_eq!(other, None);
    let written = pdn_with(&text, &["fmt", "-"]).text().to_owned();
    let tags = results.map(|result| written.matches(&format!("[Result \"{result}\"]")).count());
    assert!(!written.contains("0-001") && written.matches("\n1. 33-29").count() == 200, "{}", &written[..400]);
    assert!(tags.iter().sum::<usize>() >= 80 && tags[0] >= 40, "{tags:?}");
    // Three digits are a capture or a typing error elsewhere.
    for text in ["1. 32-28 1-101 *", "1. 32-28 0-001.*", "1. 32-28 0-002. 33-29 *"] {
        assert_eq!(check(text).summary()["games"], 1, "{text}");
    }
}

#[test]
fn the_help_for_a_spaced_result_is_the_result() {
    for (written, result) in [("1 - 1", "1-1"), ("0 - 2", "0-2"), ("1/2 - 1/2", "1/2-1/2"), ("2 - 0", "2-0")] {
        let found = check(format!("[GameType \"20\"]\n1. 32-28 19-23 {written}\n")).is(0).diagnostics();
        let row = only(&found, "syntax/blank-in-result");
        assert_eq!(row["help"], format!("write `{result}`"));
    }
}

#[test]
fn text_without_games_is_a_warning() {
    let prose = "Dear Anna,\n\nthe match starts at 20 o'clock; bring 4 clocks.\n".repeat(5000);
    let log = (0..6000).fold(String::new(), |mut log, n| {
        let _ =
            writeln!(log, "2026-11-24 09:{:02}:{:02} INFO worker {n} started (pid {})", n / 60 % 60, n % 60, 1000 + n);
        log
    });
    for text in
        ["hello", "{a comment}", "{}", "{\"error\":\"Not found\"}", "{\"event\":{\"name\":\"x\"}}", &prose, &log]
    {
        let run = check(text).is(0);
        let found = run.diagnostics();
        assert_eq!(only(&found, "syntax/no-game")["severity"], "warning");
        pdn_with(text, &["check", "--strict", "-"]).is(1);
    }
    let records = [
        "",
        "\n \n",
        "1-0",
        "}",
        GOOD,
        "32-28 19-23",
        "32-28 19-23 and so on",
        "cd4 dc5 \u{434}\u{435}\u{431}\u{44e}\u{442}",
        "| 32-28 | 18-23 |\n| 34-30 |",
        "1. 32-28 and so on",
        "[Event \"a\"]\nprose",
        "prose\n\n1. 32-28 *",
    ];
    for text in records {
        assert!(check(text).diagnostics().iter().all(|row| row["code"] != "syntax/no-game"), "{text}");
    }
    // The part before the limit has no game.
    let large = format!("1-0{}\n1. 32-28 *\n", " ".repeat(2000));
    let found = pdn_with(&large, &["check", "--format", "json", "--max-game", "1kB", "-"]).is(1).diagnostics();
    assert!(found.iter().all(|row| row["code"] != "syntax/no-game"), "{found:?}");
}

#[test]
fn a_game_after_a_megabyte_of_games_with_a_game_type_is_reported() {
    const TAGGED: &str =
        "[White \"P\"]\n[Black \"Q\"]\n[GameType \"20\"]\n[Result \"1-1\"]\n\n1. 32-28 19-23 2. 28x19 14x23 1-1\n\n";
    const ILLEGAL: &str = "[White \"X\"]\n[Black \"Y\"]\n\n1. 32-28 18-23 2. 32-28 17-21 *\n";
    let large = TAGGED.repeat((1 << 20) / TAGGED.len() + 1) + ILLEGAL;
    for text in [TAGGED.repeat(2) + ILLEGAL, large] {
        for jobs in ["1", "2"] {
            let found = pdn_with(&text, &["check", "--format", "json", "--jobs", jobs, "-"]).is(1).diagnostics();
            let codes: Vec<_> = found.iter().map(|row| &row["code"]).collect();
            assert_eq!(codes, ["replay/inferred-variant", "move/illegal"], "{} bytes", text.len());
        }
        let games = pdn_with(&text, &["convert", "--to", "jsonl", "-"]).is(1);
        assert!(games.text().lines().last().is_some_and(|last| last.contains("international")));
    }
}

#[test]
fn games_of_chess_are_named_once_a_file() {
    let chess = "[White \"Ada\"]\n[Black \"Ben\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6 5. exd5 b8=Q+ 1-0\n\n";
    let draughts =
        "[White \"Ada\"]\n[Black \"Ben\"]\n\n1. c3-d4 d6-c5 2. b2-c3 {better than Nf3 Nc6 3. Bb5} f6-g5 *\n\n";
    let ultra_short = "[White \"Ada\"]\n[Black \"Ben\"]\n\n1. cd4 dc5 2. bc3 fg5 a good plan like Nf3 in chess *\n\n";
    for (text, named) in
        [(chess.repeat(40), 1), (draughts.to_owned(), 0), (ultra_short.to_owned(), 0), (draughts.repeat(30) + chess, 0)]
    {
        let found = check(&text).diagnostics();
        let of_chess: Vec<_> = found.iter().filter(|row| row["code"] == "syntax/no-game").collect();
        assert_eq!(of_chess.len(), named, "{text}");
        for row in of_chess {
            assert_eq!(
                (&row["message"], &row["line"]),
                (&"the moves are chess moves, not draughts moves".into(), &1.into())
            );
        }
    }
}
