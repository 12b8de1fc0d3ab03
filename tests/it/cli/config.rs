//! Settings in `pdn.toml`.

use serde_json::Value;

use crate::support::binary::{Folder, Run};
use crate::support::library;

/// Legal in Russian draughts only.
const RUSSIAN: &str = "[Event \"x\"]\n[Date \"1995.11.1\"]\n1. c3-d4 d6-c5 *\n\n";

fn check(folder: &Folder, arguments: &[&str]) -> Run {
    folder.run(&[&["check", "--format", "json"], arguments].concat())
}

fn codes(run: &Run) -> Vec<String> {
    let name = |row: &Value| row["code"].as_str().expect("a code").to_owned();
    run.diagnostics().iter().map(name).collect()
}

#[test]
fn the_nearest_file_above_the_records_is_read() {
    let folder = Folder::with("archive/deep/a.pdn", RUSSIAN);
    folder.write("other/b.pdn", RUSSIAN);
    folder.write("archive/pdn.toml", "variant = 'russian'\nignore = ['tag/date']\nrequire-tags = ['Site']\n");
    for path in ["archive", "archive/deep", "archive/deep/a.pdn", "archive/deep/*.pdn"] {
        assert_eq!(codes(&check(&folder, &[path]).is(0)), ["tag/missing"], "{path}");
    }
    assert_eq!(codes(&check(&folder, &["archive", "--no-config", "--variant", "25"])), ["tag/date"]);
    let both = check(&folder, &["archive", "other"]);
    let missing: Vec<_> = both.diagnostics().into_iter().filter(|row| row["code"] == "tag/missing").collect();
    assert!(matches!(&missing[..], [row] if row["file"] == "archive/deep/a.pdn"), "{}", both.text());
    let config = ["--config", "archive/pdn.toml", "other"];
    assert_eq!(codes(&check(&folder, &config)), ["tag/missing"]);
    let mut inside = folder.command(&["check", "--format", "json", "-"]);
    inside.current_dir(folder.path("archive")).stdin(std::fs::File::open(folder.path("other/b.pdn")).expect("a file"));
    assert_eq!(codes(&Run::of(&mut inside)), ["tag/missing"]);
}

#[test]
fn each_input_has_the_nearest_settings() {
    let folder = Folder::with("club/a.pdn", RUSSIAN);
    folder.write("club/old/b.pdn", RUSSIAN);
    folder.write("c.pdn", RUSSIAN);
    folder.write("pdn.toml", "variant = 'italian'\nignore = ['result']\nstrict = true\n");
    folder.write("club/pdn.toml", "variant = 'russian'\nrequire-tags = ['Site']\ndeny = ['tag/missing']\n");
    folder.write("club/old/pdn.toml", "variant = 'brazilian'\nseverity = 'error'\n");
    let run = check(&folder, &["club", "c.pdn"]);
    let found = |file: &str| {
        let rows = run.diagnostics().into_iter().filter(|row| row["file"] == file);
        rows.map(|row| (row["code"].clone(), row["severity"].clone())).collect::<Vec<_>>()
    };
    let row = |code: &str, severity: &str| (Value::from(code), Value::from(severity));
    assert_eq!(found("club/a.pdn"), [row("tag/missing", "error"), row("tag/date", "warning")]);
    assert!(found("club/old/b.pdn").is_empty(), "{}", run.text());
    assert!(found("c.pdn").contains(&row("move/illegal", "error")));
    assert!(found("c.pdn").contains(&row("tag/strict-roster", "error")), "{:?}", found("c.pdn"));
    let games = folder.run(&["convert", "--to", "jsonl", "club", "c.pdn"]).values();
    let variants: Vec<_> = games.iter().map(|game| game["variant"].as_str().expect("a variant")).collect();
    assert_eq!(variants, ["russian", "brazilian", "italian"]);
}

#[test]
fn each_input_has_the_encoding_baseline_and_style_of_its_settings() {
    let folder = Folder::with(
        "a/x.pdn",
        b"[Date \"1995.1.1\"]\n[White \"\xC8\xE2\xE0\"]\n[Result \"1-0\"]\n[GameType \"25\"]\n1. c3-d4 1-0\n",
    );
    folder.write(
        "b/x.pdn",
        b"[Date \"1995.1.1\"]\n[White \"\xE9va\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n1. 32-28 2-0\n",
    );
    let wide: Vec<u8> = "[White \"Zo\u{eb}\"] 1. 32-28 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("c/x.pdn", wide);
    folder.write("a/pdn.toml", "encoding = 'cp1251'\nresult-style = '2-0'\nbaseline = 'known.json'\n");
    folder.write("b/pdn.toml", "encoding = 'cp1252'\nresult-style = '1-0'\n");
    folder.write("c/pdn.toml", "encoding = 'utf-16le'\n");
    folder.run(&["check", "--no-config", "--encoding", "cp1251", "--write-baseline", "a/known.json", "a"]).is(0);
    let names: Vec<_> = folder.run(&["convert", "--to", "jsonl", "a", "b", "c"]).values();
    let names: Vec<_> = names.iter().map(|game| game["tags"]["White"].as_str().expect("a name")).collect();
    assert_eq!(names, ["Ива", "éva", "Zoë"]);
    let text = folder.run(&["fmt", "a", "b"]).is(0).text().to_owned();
    assert!(
        text.contains("[Result \"2-0\"]\n[GameType \"25") && text.contains("[Result \"1-0\"]\n[GameType \"20"),
        "{text}"
    );
    let found = check(&folder, &["a", "b"]).diagnostics();
    assert!(!found.is_empty() && found.iter().all(|row| row["file"] == "b/x.pdn"), "{found:?}");
}

#[test]
fn the_settings_of_every_input_are_valid_before_anything_is_written() {
    let folder = Folder::with("a/x.pdn", RUSSIAN);
    folder.write("b/x.pdn", RUSSIAN);
    folder.write("b/pdn.toml", "variant = 'ludo'\n");
    let run = folder.run(&["convert", "--to", "jsonl", "a", "b"]).is(2);
    assert!(run.text().is_empty() && run.errors.contains("expected a GameType number"), "{}", run.errors);
    folder.write("a/pdn.toml", "[profiles.club]\nvariant = 'russian'\n");
    folder.write("b/pdn.toml", "[profiles.club]\nvariant = 'brazilian'\n");
    folder.run(&["convert", "--to", "jsonl", "--profile", "club", "a", "b"]).is(0);
    let run = folder.run(&["convert", "--to", "jsonl", "--profile", "team", "a", "b"]).is(2);
    assert!(run.errors.contains("no profile `team`"), "{}", run.errors);
}

#[test]
fn options_take_precedence_over_settings() {
    let folder = Folder::with("a.pdn", RUSSIAN);
    folder.write("pdn.toml", "variant = 'italian'\nignore = ['tag']\nseverity = 'error'\nstrict = true\n");
    let strict = check(&folder, &["a.pdn"]).is(1);
    assert!(!codes(&strict).contains(&"tag/date".to_owned()));
    assert!(codes(&strict).iter().any(|code| code == "move/illegal"), "{}", strict.text());
    let given = check(&folder, &["a.pdn", "--variant", "russian", "--ignore", "result", "--severity", "note"]);
    assert!(codes(&given).contains(&"tag/date".to_owned()), "{}", given.text());
    assert!(!codes(&given).contains(&"move/illegal".to_owned()), "{}", given.text());
}

#[test]
fn every_command_that_reads_records_has_the_settings() {
    let folder = Folder::with("a.pdn", b"[White \"\xC8\xE2\xE0\"]\n1. c3-d4 d6-c5 *\n");
    folder.write("pdn.toml", "variant = 'brazilian'\nencoding = 'cp1251'\n");
    let game = folder.run(&["convert", "--to", "jsonl", "a.pdn"]).is(0).values().remove(0);
    assert_eq!((&game["variant"], &game["tags"]["White"]), (&Value::from("brazilian"), &Value::from("Ива")));
    for command in [&["fmt"][..], &["annotate", "--nodes", "10"]] {
        let run = folder.run(&[command, &["a.pdn"]].concat()).is(0);
        assert_eq!(library::game(run.text())["tags"]["White"], "Ива", "{command:?}");
    }
    folder.run(&["show", "a.pdn"]).is(0);
    // Positions alone have no settings.
    let answer = folder.run(&["moves", "--format", "json", "--fen", "W:W31:B1"]).is(0).values().remove(0);
    assert_eq!(answer["variant"], "international");
}

#[test]
fn profiles_are_chosen_by_name() {
    let folder = Folder::with("a.pdn", RUSSIAN);
    folder.write(
        "pdn.toml",
        "variant = 'russian'\nprofile = 'club'\n[profiles.club]\nignore = ['tag/date']\n\
        [profiles.federation]\nrequire-tags = ['Round']\ndeny = ['tag/missing']\n",
    );
    assert!(codes(&check(&folder, &["a.pdn"]).is(0)).is_empty());
    let federation = check(&folder, &["a.pdn", "--profile", "federation"]).is(1);
    assert_eq!(codes(&federation), ["tag/missing", "tag/date"]);
    let run = check(&folder, &["a.pdn", "--profile", "league"]).is(2);
    assert!(run.errors.contains("no profile `league`"), "{}", run.errors);
}

#[test]
fn fmt_has_the_style_of_results() {
    let folder = Folder::with("a.pdn", "[Result \"1-0\"]\n[GameType \"20\"]\n1. 32-28 *\n");
    folder.write("pdn.toml", "[profiles.points]\nresult-style = '2-0'\n[profiles.wins]\nresult-style = '1-0'\n");
    for (options, result) in [
        (&["--profile", "points"][..], "2-0"),
        (&["--profile", "wins"], "1-0"),
        (&["--profile", "wins", "--result-style", "2-0"], "2-0"),
    ] {
        let run = folder.run(&[&["fmt", "a.pdn"], options].concat()).is(0);
        assert_eq!(library::game(run.text())["result"]["tag"], result, "{options:?}");
    }
}

#[test]
fn paths_in_the_settings_are_relative_to_their_file() {
    let folder = Folder::with("archive/a.pdn", RUSSIAN);
    folder.write("archive/pdn.toml", "variant = 'russian'\nbaseline = 'known.json'\n");
    let run = check(&folder, &["archive"]).is(2);
    assert!(run.errors.contains("archive/known.json"), "{}", run.errors);
    check(&folder, &["archive", "--write-baseline", "archive/known.json"]).is(0);
    assert!(codes(&check(&folder, &["archive"]).is(0)).is_empty());
}

#[test]
fn an_invalid_file_exits_with_2() {
    let folder = Folder::with("a.pdn", RUSSIAN);
    folder.write("pdn.toml", "variant = 'ludo'\n");
    let run = folder.run(&["check", "a.pdn"]).is(2);
    assert!(run.errors.contains("pdn.toml:1:11: expected a GameType number"), "{}", run.errors);
    folder.run(&["check", "--no-config", "a.pdn"]).is(0);
    folder.run(&["check", "--no-config", "--config", "pdn.toml", "a.pdn"]).is(2);
}

#[test]
fn rules_and_settings_are_read_up_to_1_mb() {
    let folder = Folder::with("a.pdn", RUSSIAN);
    folder.write("large.toml", "#".repeat(1_000_001));
    for option in ["--rules", "--config"] {
        let run = folder.run(&["check", option, "large.toml", "a.pdn"]).is(2);
        assert!(run.errors.contains("cannot read large.toml: the file is larger than 1 MB"), "{}", run.errors);
    }
    #[cfg(unix)]
    folder.run(&["check", "--rules", "/dev/zero", "a.pdn"]).is(2);
}
