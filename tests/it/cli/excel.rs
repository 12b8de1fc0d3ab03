//! CSV for spreadsheets, and the CSV of all commands with formulas.

use std::process::Command;

use crate::support::binary::{Folder, Run};
use crate::support::corpus::skip;

/// Names with formulas, results and moves that spreadsheets take for dates, and letters that need an encoding.
const GAMES: &str = "\
[Event \"2-1 Open\"]
[Round \"3.2\"]
[White \"=1+1\"]
[Black \"Müller; \\\"Jan\\\"\"]
[Date \"2020.03.01\"]
[Result \"1-1\"]
[GameType \"20\"]
[WhiteRating \"2100\"]
[BlackRating \"2000\"]

1. 32-28 {[%eval 0.10]} 20-24 {[%eval 0.12]} 2. 28-22 $4 {[%eval -1.50] +1} 17x28 {[%eval -1.45]} 3. 33x22 18x27 1-1

[Event \"2-1 Open\"]
[Round \"4\"]
[White \"Müller; \\\"Jan\\\"\"]
[Black \"=1+1\"]
[Date \"2020.03.08\"]
[Result \"2-0\"]
[GameType \"20\"]

1. 32-28 20-24 2. 28-22 17x28 2-0
";

/// The commands that write CSV.
const COMMANDS: [&[&str]; 14] = [
    &["convert", "--to", "csv"],
    &["convert", "--to", "csv", "--table", "moves"],
    &["convert", "--to", "csv", "--table", "positions"],
    &["convert", "--to", "csv", "--table", "players"],
    &["convert", "--to", "csv", "--table", "diagnostics"],
    &["annotate", "--to", "csv", "--nodes", "10"],
    &["search", "--to", "csv"],
    &["event", "--format", "csv"],
    &["stats", "--format", "csv"],
    &["openings", "--format", "csv"],
    &["ratings", "--format", "csv"],
    &["shots", "--format", "csv"],
    &["check", "--format", "csv"],
    &["chart", "--kind", "openings", "--format", "csv"],
];

fn folder() -> Folder {
    Folder::with("games.pdn", GAMES)
}

/// Runs a command that may find errors in records.
fn run(folder: &Folder, command: &[&str], more: &[&str]) -> Run {
    let run = folder.run(&[command, more, &["games.pdn"]].concat());
    assert!(matches!(run.status, Some(0 | 1)), "{command:?} {more:?}: {}", run.errors);
    run
}

fn table(bytes: &[u8], separator: u8) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).delimiter(separator).from_reader(bytes);
    reader.into_records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect()
}

/// Returns what a spreadsheet shows of a cell.
fn shown(cell: &str) -> String {
    let text = cell.strip_prefix("=\"").and_then(|cell| cell.strip_suffix('"'));
    text.map_or_else(|| cell.to_owned(), |text| text.replace("\"\"", "\""))
}

#[test]
fn every_command_writes_the_same_cells_for_spreadsheets() {
    let folder = folder();
    for command in COMMANDS {
        let plain = table(&run(&folder, command, &["--escape-formulas"]).bytes, b',');
        assert!(!plain.is_empty(), "{command:?}");
        for (name, separator) in [("comma", b','), ("semicolon", b';'), ("tab", b'\t')] {
            let excel = run(&folder, command, &[&format!("--excel={name}")]);
            let text = excel.text();
            assert!(text.starts_with('\u{feff}') && text.ends_with("\r\n"), "{command:?}: {text}");
            assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{command:?}");
            let rows = table(text.trim_start_matches('\u{feff}').as_bytes(), separator);
            assert_eq!(rows.len(), plain.len(), "{command:?}");
            for (row, plain) in rows.iter().zip(&plain) {
                assert_eq!(row.len(), plain.len(), "{command:?}");
                for (cell, plain) in row.iter().zip(plain) {
                    let is_number = plain.parse::<f64>().is_ok() && !cell.starts_with('=');
                    let expected =
                        if is_number && name == "semicolon" { plain.replace('.', ",") } else { plain.clone() };
                    assert_eq!(shown(cell), expected, "{command:?} {name}");
                    // Nothing that looks like a date is left to the spreadsheet, apart from whole days.
                    let is_open = cell.starts_with(|first: char| first.is_ascii_digit());
                    let is_day = cell.len() == 10 && cell.starts_with("2020-03-0");
                    assert!(!is_open || is_number || is_day, "{command:?}: {cell}");
                }
            }
        }
    }
}

#[test]
fn no_command_writes_a_formula_of_a_record() {
    let folder = folder();
    let mut found = 0;
    for command in COMMANDS {
        let rows = |more: &[&str]| table(&run(&folder, command, more).bytes, b',');
        let (plain, escaped) = (rows(&[]), rows(&["--escape-formulas"]));
        for (plain, escaped) in plain.iter().flatten().zip(escaped.iter().flatten()) {
            let is_formula = plain.starts_with(['=', '+', '-', '@']) && plain.parse::<f64>().is_err();
            if is_formula {
                found += 1;
                assert_eq!(*escaped, format!("'{plain}"), "{command:?}");
            } else if plain != "+1" {
                assert_eq!(escaped, plain, "{command:?}");
            }
        }
    }
    assert!(found > 6, "{found} formulas");
}

#[test]
fn the_language_decides_the_separator() {
    let folder = folder();
    let header = |variables: &[(&str, &str)], option: &str| {
        let mut command = folder.command(&["convert", "--to", "csv", option, "games.pdn"]);
        for name in ["LC_ALL", "LC_NUMERIC", "LANG"] {
            command.env_remove(name);
        }
        let run = Run::of(command.envs(variables.iter().copied())).is(0);
        run.text().lines().next().expect("a header").to_owned()
    };
    for (variables, separator) in [
        (&[][..], ','),
        (&[("LANG", "nl_NL.UTF-8")], ';'),
        (&[("LANG", "nl_NL.UTF-8"), ("LC_NUMERIC", "en_GB.UTF-8")], ','),
        (&[("LANG", "en_GB.UTF-8"), ("LC_NUMERIC", "en_GB.UTF-8"), ("LC_ALL", "ru_RU.UTF-8")], ';'),
        (&[("LC_ALL", ""), ("LANG", "fr_FR.UTF-8")], ';'),
    ] {
        let expected = format!("\u{feff}schema_version{separator}file{separator}game{separator}");
        assert!(header(variables, "--excel").starts_with(&expected), "{variables:?}");
    }
    assert!(header(&[("LANG", "nl_NL.UTF-8")], "--excel=comma").starts_with("\u{feff}schema_version,file,"));
    // Without the option, no variable changes anything.
    assert!(header(&[("LANG", "nl_NL.UTF-8")], "--escape-formulas").starts_with("schema_version,file,"));
}

#[test]
fn other_formats_are_refused() {
    let folder = folder();
    for arguments in [
        &["convert", "games.pdn", "--excel", "-o", "games.jsonl"][..],
        &["search", "games.pdn", "--excel"],
        &["stats", "games.pdn", "--excel"],
        &["event", "games.pdn", "--excel=tab", "--format", "json"],
    ] {
        let run = folder.run(arguments).is(2);
        assert!(run.errors.contains("--excel is for CSV"), "{arguments:?}: {}", run.errors);
    }
    let run = folder.run(&["convert", "games.pdn", "--escape-formulas", "--to", "jsonl"]).is(2);
    assert!(run.errors.contains("--escape-formulas is for CSV, but the output is jsonl"), "{}", run.errors);
    folder.run(&["stats", "games.pdn", "--excel", "-o", "stats.csv"]).is(0);
    folder.run(&["convert", "games.pdn", "--to", "csv", "--excel=pipe"]).is(2);
}

#[test]
fn a_spreadsheet_program_shows_the_cells() {
    let folder = folder();
    let moves: &[&str] =
        &["convert", "games.pdn", "--to", "csv", "--table", "moves", "--excel=comma", "-o", "moves.csv"];
    for command in [&["convert", "games.pdn", "--to", "csv", "--excel=comma", "-o", "games.csv"], moves] {
        folder.run(command).is(0);
    }
    folder.run(&["convert", "games.pdn", "--to", "csv", "--excel=semicolon", "-o", "half.csv"]).is(0);
    let profile = format!("-env:UserInstallation=file://{}", folder.path("profile").display());
    // What its dialogue asks for: the separator, quotes, UTF-8, the language, and that formulas are evaluated.
    let open = |name: &str, [separator, language]: [u16; 2]| {
        let filter = format!("--infilter=Text - txt - csv (StarCalc):{separator},34,76,1,,{language},false,true,false");
        let mut office = Command::new("soffice");
        office.current_dir(folder.path(".")).args([&profile, "--headless", "--convert-to", "fods", &filter]);
        office.args(["--outdir", "shown", name]).output().ok()
    };
    let (english, dutch) = ([44, 1033], [59, 1043]);
    let opened = [open("games.csv", english), open("moves.csv", english), open("half.csv", dutch)];
    if opened.iter().any(Option::is_none) {
        assert!(std::env::var_os("PDN_REQUIRE_OFFICE").is_none(), "no LibreOffice");
        return skip("no LibreOffice");
    }
    for (name, cells) in [
        ("games", &["=1+1", "Müller; \"Jan\"", "2-1 Open", "3.2", "1-1", "2-0", "2020.03.01"][..]),
        ("moves", &["32-28", "20-24", "17x28", "'+1"]),
        ("half", &["=1+1", "Müller; \"Jan\"", "2-1 Open", "3.2", "1-1", "2-0", "2020.03.01"]),
    ] {
        let sheet = folder.read(&format!("shown/{name}.fods")).replace("&quot;", "\"").replace("&apos;", "'");
        for cell in cells {
            let apostrophe = if cell.starts_with('=') { "'" } else { "" };
            assert!(sheet.contains(&format!("<text:p>{apostrophe}{cell}</text:p>")), "{name}: {cell}");
        }
        assert!(sheet.contains("<text:p>schema_version</text:p>"), "{name}: no byte order mark in the cell");
        let dates = sheet.matches("office:value-type=\"date\"").count();
        // Only the column of days.
        assert_eq!(dates, if name == "moves" { 0 } else { 2 }, "{name}");
    }
    let sheet = folder.read("shown/half.fods");
    assert!(sheet.contains("office:value-type=\"float\" office:value=\"2100\""), "ratings are numbers");
}
