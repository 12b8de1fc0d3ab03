//! What `pdn check` finds beyond single games: writing rules, games with the same moves, encodings, and SARIF.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

fn pdn(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    crate::support::binary::fed(folder, input, arguments)
}

/// The findings as JSON, without the summary.
fn findings(folder: &Path, arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let output = pdn(folder, &[&["check", "--format", "json"], arguments].concat(), input);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    rows.filter(|row| row.get("code").is_some()).collect()
}

fn of<'a>(rows: &'a [Value], code: &str) -> Vec<&'a Value> {
    rows.iter().filter(|row| row["code"] == code).collect()
}

const GAME: &str = "[Event \"a\"]\n[GameType \"20\"]\n\n1. 33-29 19-23 2. 34-30 23x25 3. 31-27 18-22 4. 27x18 13x22 5. 32-27 22x31 \
6. 36x27 20-24 7. 40-34 15-20 8. 37-32 14-19 9. 45-40 17-22 10. 27x18 12x23 *\n\n";

#[test]
fn the_same_moves_are_found_in_any_order_and_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let longer = GAME.replace("12x23 *", "12x23 11. 39-33 8-12 *").replace("\"a\"", "\"longer\"");
    let other = GAME.replace("33-29", "33-28").replace("34-30 23x25", "28x19 14x23");
    fs::write(folder.path().join("a.pdn"), format!("{longer}{other}")).expect("written");
    fs::write(folder.path().join("b.pdn"), GAME.replace("\"a\"", "\"b\"").replace("1. 33-29", "1. 33-29 {!}"))
        .expect("written");
    let rows = findings(folder.path(), &["--duplicates", "a.pdn", "b.pdn", "-"], GAME.as_bytes());
    let same = of(&rows, "replay/duplicate");
    assert_eq!(same.len(), 1);
    assert_eq!((&same[0]["file"], &same[0]["line"]), (&Value::from("-"), &Value::from(4)));
    assert_eq!(same[0]["message"], "the same moves as game 1 of b.pdn, line 1");
    let goes_on = of(&rows, "replay/continuation");
    assert_eq!(goes_on.len(), 1);
    assert_eq!((&goes_on[0]["file"], &goes_on[0]["game"]), (&Value::from("a.pdn"), &Value::from(1)));
    assert_eq!(goes_on[0]["message"], "the first 20 moves are all of game 1 of b.pdn, line 1");
}

#[test]
fn strict_asks_for_the_writing_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let text =
        b"[Event \"e\"]\n[GameType \"20\"]\n1. 32- 28 19-23(!) 2. 28:19 14x23 1-0\n\n[Event \"e\"]\n1. 32-28 *\n";
    assert!(findings(folder.path(), &["-"], text).iter().all(|row| row["severity"] != "error"));
    let rows = findings(folder.path(), &["--strict", "-"], text);
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
    let canonical = pdn(folder.path(), &["fmt", "-"], text).stdout;
    let rows = findings(folder.path(), &["--strict", "-"], &canonical);
    assert!(rows.iter().all(|row| row["severity"] == "note"), "{rows:?}");
}

#[test]
fn code_pages_are_told_once_and_can_be_named() {
    let folder = tempfile::tempdir().expect("a folder");
    // "Ivanov" and "Petrov" in cp1251, then a game in ASCII, then one too short to tell anything.
    let cyrillic = b"[White \"\xC8\xE2\xE0\xED\xEE\xE2\"]\n[Black \"\xCF\xE5\xF2\xF0\xEE\xE2\"]\n1. c3-d4 1-0\n\n";
    let short = b"[White \"\xC8\"]\n1. c3-d4 1-0\n";
    let text = [&cyrillic[..], b"[White \"x\"]\n1. c3-d4 1-0\n\n", short].concat();
    let rows = findings(folder.path(), &["-"], &text);
    let told = of(&rows, "tag/encoding");
    assert_eq!(told.len(), 1);
    assert_eq!((&told[0]["offset"], &told[0]["length"]), (&Value::from(8), &Value::from(1)));
    assert!(told[0]["message"].as_str().expect("a message").contains("cp1251"));
    assert!(of(&findings(folder.path(), &["--encoding", "latin-1", "-"], &text), "tag/encoding").is_empty());
    let names = |arguments: &[&str]| {
        let output = pdn(folder.path(), &[&["convert", "--to", "jsonl"], arguments].concat(), &text);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        rows.map(|row| row["tags"]["White"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["-"]), ["Иванов", "x", "И"]);
    assert_eq!(names(&["--encoding", "cp1252", "-"]), ["Èâàíîâ", "x", "È"]);
    let shown = pdn(folder.path(), &["check", "-"], &text).stdout;
    assert!(String::from_utf8(shown).expect("UTF-8").contains("[White \"Иванов\"]"));
}

#[test]
fn utf_16_can_be_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let encoded = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<_>>();
    // One that nothing but the option tells: no mark, and not a single zero.
    let text = "［１";
    let sound = "[White \"Иванов\"]\n[GameType \"20\"]\n1. 32-28 31-13 *\n";
    for (name, bytes) in [("utf-16le", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("utf-16be", u16::to_be_bytes)] {
        let rows = findings(folder.path(), &["--encoding", name, "-"], &encoded(text, bytes));
        let stray = of(&rows, "syntax/stray-text");
        assert_eq!((&stray[0]["offset"], &stray[0]["length"]), (&Value::from(0), &Value::from(4)), "{rows:?}");
        assert!(stray[0]["message"].as_str().expect("a message").contains(text), "{rows:?}");
        for marked in [sound.to_owned(), format!("\u{feff}{sound}")] {
            let output =
                pdn(folder.path(), &["convert", "--to", "jsonl", "--encoding", name, "-"], &encoded(&marked, bytes));
            let row: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(row["tags"]["White"], "Иванов", "{name}");
            let illegal = of(row["diagnostics"].as_array().expect("a list"), "move/illegal")[0];
            let at = marked.encode_utf16().count() - "31-13 *\n".len();
            assert_eq!(illegal["offset"], Value::from(2 * at), "{name}");
        }
    }
    let output = pdn(folder.path(), &["check", "--encoding", "utf-16", "-"], b"");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn sarif_is_one_json_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = b"[GameType \"20\"]\n1. 32-28 19-23 2. 33-29 *\n\n1. 32-28 (19-23 *\n";
    for input in [&text[..], b"", GAME.as_bytes()] {
        let output = pdn(folder.path(), &["check", "--format", "sarif", "-"], input);
        let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(log["version"], "2.1.0");
        let results = log["runs"][0]["results"].as_array().expect("a list");
        if input == text {
            let illegal = results.iter().find(|result| result["ruleId"] == "move/illegal").expect("found");
            let region = &illegal["locations"][0]["physicalLocation"]["region"];
            assert_eq!((&region["startLine"], &region["startColumn"]), (&Value::from(2), &Value::from(19)));
            assert_eq!(illegal["level"], "error");
        }
    }
}

/// Looking through the whole line for each of them would take hours.
#[test]
fn many_findings_on_one_line_are_told_in_one_go() {
    let folder = tempfile::tempdir().expect("a folder");
    for noise in [" *", " 2-0", "\\r *"] {
        let text = format!("1. 32-28 19-23 *{}", noise.repeat(300_000));
        assert!(findings(folder.path(), &["-"], text.as_bytes()).len() > 1000);
    }
}
