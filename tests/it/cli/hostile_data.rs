//! The worst names, questions and ends of runs for the data commands.

use std::fs;

use pdn::query::Expression;

use crate::support::binary::{Folder, Run, pdn, pdn_with};

const INTERNATIONAL: &str = "samples/games/international.pdn";

fn games(tag: &str, values: &[&str]) -> String {
    let game = |value: &&str| format!("[{tag} \"{value}\"]\n[GameType \"20\"]\n1. 32-28 *\n\n");
    values.iter().map(game).collect::<Vec<_>>().concat()
}

/// Returns the names in a folder, sorted.
fn names(folder: &Folder, name: &str) -> Vec<String> {
    let entries = fs::read_dir(folder.path(name)).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn names_of_files_stay_in_their_folder() {
    let long = ["a".repeat(255), "中".repeat(255), format!("{}1", "x".repeat(100)), format!("{}2", "x".repeat(100))];
    let values = [
        "../../x", "..", "/abs", "a/b\\\\c", "CON", "nul.txt", "com1", "A b", "a B", "-rf", ".x", "a:b", "a.part", "a",
        "~",
    ];
    let values: Vec<_> = values.into_iter().chain(long.iter().map(String::as_str)).collect();
    let folder = Folder::with("deep/a.pdn", games("Event", &values));
    folder.run(&["search", "--split", "event", "--out-dir", "deep/out", "deep/a.pdn"]).is(0);
    assert_eq!(folder.names(), ["deep"]);
    assert_eq!(names(&folder, "deep"), ["a.pdn", "out"]);
    let files = names(&folder, "deep/out");
    assert_eq!(files.len(), values.len());
    let unlike: std::collections::BTreeSet<_> = files.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(unlike.len(), files.len(), "names that differ only in case are one on some systems: {files:?}");
    for name in &files {
        assert!(name.len() <= 230 && !name.starts_with(['-', '.']), "{name}");
        assert_eq!(folder.read(&format!("deep/out/{name}")).matches("[Event").count(), 1, "{name}");
    }
    for name in ["_CON.pdn", "_nul.txt.pdn", "_com1.pdn", "_-rf.pdn"] {
        assert!(files.iter().any(|file| file == name), "{name}: {files:?}");
    }
}

#[test]
fn ten_thousand_players_have_a_file_each() {
    let game = |n| format!("[White \"Player {n}\"]\n[Black \"Jansen {n}\"]\n[GameType \"20\"]\n1. 32-28 *\n\n");
    let folder = Folder::with("a.pdn", (0..5_000).map(game).collect::<Vec<_>>().concat());
    folder.run(&["search", "--split", "player", "--out-dir", "out", "a.pdn"]).is(0);
    assert_eq!(names(&folder, "out").len(), 10_000);
    let stats = folder.run(&["stats", "--format", "json", "a.pdn"]).is(0).values().remove(0);
    assert_eq!(stats["players"].as_array().map(Vec::len), Some(10_000));
    let rows = folder.run(&["search", "--to", "csv", "--where", "player ~ \"n 4999$\"", "a.pdn"]).is(0);
    assert_eq!(rows.lines().len(), 2);
}

fn count(option: &str, question: &str) -> Run {
    pdn(&["search", "--count", option, question, INTERNATIONAL])
}

#[test]
fn questions_of_any_size_are_answered_or_refused() {
    // A system takes about 128 kB in an argument; programs have no such limit.
    let all = |number: usize| vec!["year != 1"; number].join(" and ");
    assert!(all(80_000).parse::<Expression>().is_ok());
    assert!("(".repeat(1_000_000).parse::<Expression>().is_err());
    assert!("not ".repeat(250_000).parse::<Expression>().is_err());
    assert!(format!("white = \"{}\"", "x".repeat(1_000_000)).parse::<Expression>().is_ok());
    assert!("\u{e9}".repeat(500_000).parse::<Expression>().is_err());
    assert_eq!(count("--where", &all(8_000)).is(0).text(), "8\n");
    assert_eq!(count("--where", &vec!["year = 1"; 8_000].join(" or ")).is(0).text(), "0\n");
    let refused = count("--where", &format!("{} and", all(8_000))).is(2);
    assert!(refused.errors.len() < 500, "{}", refused.errors);
    for pattern in ["*=wWbB.", "1-50=wWbB.", "*=!w *=wWbB.", &vec!["1-50=wWbB."; 8_000].join(" ")] {
        let run = count("--pattern", pattern);
        assert!(matches!(run.status, Some(0 | 2)), "{pattern:.40}: {}", run.errors);
    }
    assert_eq!(count("--pattern", "*=wWbB.").is(0).text(), "8\n");
    assert_eq!(count("--material", &vec!["all>=0"; 10_000].join(" ")).is(0).text(), "8\n");
    assert_eq!(
        count("--where", &format!("White ~ \"{}{}\"", "a?".repeat(2_000), "a".repeat(2_000))).is(0).text(),
        "0\n"
    );
}

#[test]
fn formulas_and_separators_stay_texts() {
    let hostile = ["=HYPERLINK(1)", "+1", "-1", "@x", "a,b;c\td", "x\\\"y", "\u{202e}rtl"];
    let text: String =
        hostile.map(|name| format!("[White \"{name}\"]\n[Black \"B\"]\n[Result \"1-1\"]\n1. 32-28 *\n\n")).concat();
    for command in [
        &["search", "--to", "csv", "--escape-formulas", "-"][..],
        &["convert", "--to", "csv", "--escape-formulas", "-"],
        &["event", "--format", "csv", "--escape-formulas", "-"],
    ] {
        let run = pdn_with(&text, command).is(0);
        let mut rows = csv::ReaderBuilder::new().has_headers(true).from_reader(&run.bytes[..]);
        let cells: Vec<String> =
            rows.records().flat_map(|row| row.expect("a row").iter().map(str::to_owned).collect::<Vec<_>>()).collect();
        for name in ["'=HYPERLINK(1)", "'+1", "'-1", "'@x", "x\"y"] {
            assert!(cells.iter().any(|cell| cell == name), "{command:?} {name}: {cells:?}");
        }
        assert!(!cells.iter().any(|cell| cell.starts_with("=HYPER")));
    }
    for command in [&["stats", "-"][..], &["event", "-"]] {
        let run = pdn_with(&text, command).is(0);
        assert!(!run.text().contains('\u{202e}'), "{command:?}");
    }
}

#[cfg(target_os = "linux")]
mod ends {
    use std::fs;
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

    use super::{INTERNATIONAL, games, names};
    use crate::support::binary::{Folder, program};
    use crate::support::corpus::skip;

    const COMMANDS: [&[&str]; 8] = [
        &["search"],
        &["search", "--to", "jsonl"],
        &["stats"],
        &["openings", "--plies", "20"],
        &["event"],
        &["merge", "--sort", "date"],
        &["edit", "--set", "Site=x"],
        &["diff", INTERNATIONAL],
    ];

    #[test]
    fn a_full_disk_is_an_error() {
        let full = || fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        for command in COMMANDS {
            let mut run = Command::new(program());
            let run = run.args(command).arg(INTERNATIONAL).stdin(Stdio::null()).stdout(full());
            let output = run.output().expect("the binary starts");
            assert_eq!(output.status.code(), Some(2), "{command:?}");
            assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"), "{command:?}");
        }
    }

    #[test]
    fn a_disk_that_fills_up_leaves_no_output() {
        let folder = Folder::new();
        fs::create_dir(folder.path("in")).expect("a folder");
        let all = games("Event", &["x"]).repeat(400);
        folder.write("in/a.pdn", &all);
        let commands: [&[&str]; 9] = [
            &["search", "in", "-o", "out"],
            &["search", "in", "--split", "event", "--out-dir", "out"],
            &["search", "in", "--dedupe", "--dropped", "out"],
            &["merge", "in", "-o", "out"],
            &["edit", "in", "--set", "Site=x", "-o", "out"],
            &["convert", "in", "--to", "csv", "-o", "out"],
            &["fmt", "in", "-o", "out"],
            &["convert", "in", "--to", "jsonl", "-o", "out"],
            &["report", "in", "-o", "out"],
        ];
        for command in commands {
            let output = folder.run_with_little_space(command);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command:?}: {errors}");
            assert!(errors.contains("cannot write"), "{command:?}: {errors}");
            let left = if folder.path("out").is_dir() { names(&folder, "out") } else { names(&folder, ".") };
            assert!(left.is_empty() || left == ["in"], "{command:?}: {left:?}");
            fs::remove_dir_all(folder.path("out")).ok();
        }
        assert_eq!(folder.read("in/a.pdn"), all);
    }

    #[test]
    fn a_terminal_shows_progress() {
        if Command::new("script").arg("--version").stdout(Stdio::null()).status().is_err() {
            return skip("no terminal: no script(1)");
        }
        let folder = Folder::with("a.pdn", games("Event", &["one", "two"]));
        for command in COMMANDS {
            let command: Vec<_> = command.iter().filter(|argument| **argument != INTERNATIONAL).copied().collect();
            let files = if command == ["diff"] { "a.pdn a.pdn" } else { "a.pdn" };
            let line = format!("'{}' '{}' {files}", program(), command.join("' '"));
            let mut terminal = Command::new("script");
            let terminal =
                terminal.current_dir(folder.path(".")).args(["-qec", &line, "/dev/null"]).stdin(Stdio::null());
            let output = terminal.output().expect("script(1)");
            let shown = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.code() != Some(2) && shown.contains("/s "), "{line}: {shown}");
        }
    }

    #[test]
    fn a_closed_pipe_is_no_error() {
        for command in COMMANDS {
            let mut run = Command::new(program());
            let run = run.args(command).arg(INTERNATIONAL).stdin(Stdio::null());
            let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
            drop(child.stdout.take());
            let output = child.wait_with_output().expect("the binary ends");
            assert!(matches!(output.status.code(), Some(0 | 1)) && output.stderr.is_empty(), "{command:?}: {output:?}");
        }
    }

    #[test]
    fn an_interrupted_split_leaves_no_files() {
        let folder = Folder::new();
        let mut command = folder.command(&["search", "--split", "event", "--out-dir", "out", "-"]);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let writer = thread::spawn(move || {
            // Until the pipe breaks: the run ends by the interrupt only.
            while stdin.write_all(games("Event", &["one", "two"]).as_bytes()).is_ok() {}
        });
        while !folder.path("out").exists() || names(&folder, "out").is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        assert!(killed.success());
        assert_eq!(child.wait().expect("the binary ends").code(), Some(130));
        writer.join().expect("the pipe broke");
        assert!(names(&folder, "out").is_empty(), "{:?}", names(&folder, "out"));
    }
}
