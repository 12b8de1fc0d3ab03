//! `pdn check`: which diagnostics are reported, how many of them, and those already known.

use serde_json::{Value, json};

use crate::support::binary::{Folder, Run, numbers, only, pdn_with};
use crate::support::library::codes;

/// A game with a note, two warnings and an error.
const MIXED: &str =
    "[Event \"?\"]\n[Date \"1995.11.1\"]\n[Nero \"x\"]\n[WhiteRating \"GM\"]\n[GameType \"20\"]\n1. 31-13 *\n\n";

fn diagnostics(options: &[&str], bytes: impl AsRef<[u8]>) -> Run {
    pdn_with(bytes, &[&["check", "--format", "json"], options, &["-"]].concat())
}

fn names(run: &Run) -> Vec<String> {
    let name = |row: &Value| row["code"].as_str().expect("a code").to_owned();
    run.diagnostics().iter().map(name).collect()
}

/// A number of games, each with an invalid date and an unusual tag.
fn dated(games: usize) -> String {
    "[Date \"1995.11.1\"]\n[Nero \"x\"]\n[GameType \"20\"]\n1. 32-28 *\n\n".repeat(games)
}

#[test]
fn the_first_few_of_each_code_in_a_file_are_shown_and_the_rest_is_counted() {
    let folder = Folder::with("a.pdn", dated(1000));
    folder.write("b.pdn", dated(6));
    folder.write("c.pdn", dated(5));
    for jobs in ["1", "3"] {
        let run = folder.run(&["check", "--jobs", jobs, "a.pdn", "b.pdn", "c.pdn"]).is(0);
        assert_eq!(run.text().matches("warning[tag/date]: Date `").count(), 15);
        let more: Vec<_> = run.lines().into_iter().filter(|line| line.contains(" more in ")).collect();
        assert_eq!(
            more,
            [
                "warning[tag/date]: 995 more in a.pdn; --all shows them",
                "note[tag/translated]: 995 more in a.pdn; --all shows them",
                "warning[tag/date]: 1 more in b.pdn; --all shows them",
                "note[tag/translated]: 1 more in b.pdn; --all shows them",
            ]
        );
        assert!(run.text().contains("\n0 errors, 1011 warnings, 1011 notes, "), "{}", run.text());
    }
    let all = folder.run(&["check", "--all", "a.pdn", "b.pdn", "c.pdn"]).is(0);
    assert_eq!((all.text().matches("tag/date").count(), all.text().matches(" more in ").count()), (1011, 0));
    let json = folder.run(&["check", "--format", "json", "a.pdn", "b.pdn", "c.pdn"]).is(0);
    assert_eq!(json.diagnostics().len(), 2022);
}

#[test]
fn statistics_replace_the_diagnostics_and_count_the_same() {
    let folder = Folder::with("a.pdn", dated(700));
    folder.write("b.pdn", MIXED);
    let run = folder.run(&["check", "--statistics", "a.pdn", "b.pdn"]).is(1);
    let lines = run.lines();
    assert_eq!(lines[0], "   count   files  severity  code");
    assert_eq!(lines[1], "       1       1  error     move/illegal");
    assert_eq!(lines[2], "     701       2  warning   tag/date");
    assert!(lines.contains(&"     701       2  note      tag/translated"), "{lines:?}");
    let rows = folder.run(&["check", "--statistics", "--format", "json", "a.pdn", "b.pdn"]).is(1).values();
    assert_eq!(rows[0], json!({"code": "move/illegal", "severity": "error", "count": 1, "files": 1}));
    assert_eq!(rows[1], json!({"code": "tag/date", "severity": "warning", "count": 701, "files": 2}));
    let summary = &rows.last().expect("a summary")["summary"];
    let total: u64 = rows.iter().filter_map(|row| row["count"].as_u64()).sum();
    assert_eq!(numbers(summary, ["errors", "warnings", "notes"]).iter().sum::<u64>(), total);
    folder.run(&["check", "--statistics", "--format", "sarif", "a.pdn"]).is(2);
}

#[test]
fn codes_and_groups_are_selected_ignored_and_denied() {
    for (options, wanted, status) in [
        (&[][..], &["tag/date", "tag/translated", "tag/rating", "move/illegal"][..], 1),
        (&["--select", "move"], &["move/illegal"], 1),
        (&["--select", "tag/date,tag/rating"], &["tag/date", "tag/rating"], 0),
        (&["--select", "tag", "--ignore", "tag/date"], &["tag/translated", "tag/rating"], 0),
        (&["--ignore", "move", "--ignore", "tag/"], &[], 0),
        (&["--ignore", "tag", "--select", "tag/date"], &["tag/date"], 0),
        (&["--ignore", "move", "--deny", "tag/translated"], &["tag/date", "tag/translated", "tag/rating"], 1),
        (&["--severity", "error"], &["move/illegal"], 1),
        (&["--severity", "warning"], &["tag/date", "tag/rating", "move/illegal"], 1),
        (&["--severity", "note"], &["tag/date", "tag/translated", "tag/rating", "move/illegal"], 1),
        (&["--max-diagnostics", "2"], &["tag/date", "tag/translated"], 1),
        (&["--max-errors", "1"], &["tag/date"], 1),
    ] {
        assert_eq!(names(&diagnostics(options, MIXED).is(status)), wanted, "{options:?}");
    }
    let denied = diagnostics(&["--deny", "tag/translated"], MIXED).is(1).diagnostics();
    assert_eq!(only(&denied, "tag/translated")["severity"], "error");
    let ignored = diagnostics(&["--ignore", "move"], MIXED).is(0).summary();
    assert_eq!(numbers(&ignored, ["games_without_errors", "replayed_games", "errors", "warnings"]), [1, 0, 0, 2]);
    // What is not shown is counted.
    let errors = diagnostics(&["--severity", "error"], MIXED).summary();
    assert_eq!(numbers(&errors, ["errors", "warnings", "notes"]), [1, 2, 1]);
    let outside = diagnostics(&["--ignore", "syntax/lone-result"], "1-0\n").is(0);
    assert!(outside.diagnostics().is_empty() && outside.summary()["warnings"] == 0);
}

#[test]
fn an_unknown_code_exits_with_2() {
    for option in ["--select", "--ignore", "--deny", "--explain"] {
        let run = diagnostics(&[option, "tag/dat"], "").is(2);
        assert!(run.errors.contains("`tag/dat`") && run.errors.lines().count() < 10, "{}", run.errors);
    }
}

#[test]
fn at_most_so_many_diagnostics_of_any_severity_are_shown() {
    let run = pdn_with(MIXED.repeat(3), &["check", "--max-diagnostics", "5", "-"]).is(1);
    assert_eq!(run.text().matches(" --> ").count(), 5, "{}", run.text());
    assert!(
        run.text().contains("\n7 more diagnostics are not shown, because of --max-diagnostics\n"),
        "{}",
        run.text()
    );
    assert!(!run.text().contains("--all"));
}

#[test]
fn quiet_hides_notes_unless_a_severity_is_given() {
    let notes =
        |options: &[&str]| pdn_with(MIXED, &[&["check", "-"], options].concat()).text().matches("note[").count();
    assert_eq!([notes(&[]), notes(&["-q"]), notes(&["-q", "--severity", "note"])], [1, 0, 1]);
}

#[test]
fn required_tags_are_reported_once_per_game() {
    let text = format!("[Event \"x\"]\n[Site \"\"]\n{MIXED}");
    let rows =
        diagnostics(&["--require-tags", "Event,Date", "--require-tags", "Site,Round"], &text).is(1).diagnostics();
    let missing = only(&rows, "tag/missing");
    assert_eq!(missing["severity"], "warning");
    assert_eq!(missing["message"], "required but missing or without a value: Site, Round");
    diagnostics(&["--select", "tag/missing", "--require-tags", "Round"], &text).is(0);
    diagnostics(&["--select", "tag/missing", "--require-tags", "Round", "--deny", "tag/missing"], &text).is(1);
    assert!(diagnostics(&["--require-tags", "Event,Nero"], dated(1)).is(0).summary()["warnings"] == 2);
}

#[test]
fn a_baseline_hides_what_is_known_wherever_it_moves() {
    let folder = Folder::with("records/a.pdn", format!("{MIXED}{}", dated(7)));
    let written = folder.run(&["check", "--write-baseline", "known.json", "records"]).is(0);
    assert!(written.text().starts_with("1 file, 8 games: 7 without errors, "), "{}", written.text());
    assert!(
        written.text().contains("\n0 errors, 0 warnings, 0 notes (18 more in the baseline), "),
        "{}",
        written.text()
    );
    let check = |path: &str| folder.run(&["check", "--format", "json", "--baseline", "known.json", path]);
    assert!(check("records").is(0).diagnostics().is_empty());
    assert_eq!(numbers(&check("./records/a.pdn").is(0).summary(), ["errors", "warnings", "notes"]), [0, 0, 0]);
    // Other lines, other numbers of games, and a repair elsewhere in the game.
    let moved = format!("{{moved}}\n\n{}{}", dated(7).replace("[Nero \"x\"]\n", ""), MIXED.replace("GM", "2400"));
    folder.write("records/a.pdn", &moved);
    assert!(check("records").is(0).diagnostics().iter().all(|row| row["game"] == 0), "{}", check("records").text());
    // One more of a kind, and another move.
    folder.write("records/a.pdn", format!("{moved}{}", MIXED.replace("31-13", "32-23")));
    let new = check("records").is(1);
    assert_eq!(
        names(&new).iter().filter(|name| *name != "syntax/stray-comment").collect::<Vec<_>>(),
        ["tag/date", "move/illegal"]
    );
    // The name of the file counts.
    folder.write("records/b.pdn", MIXED);
    assert_eq!(check("records/b.pdn").is(1).diagnostics().len(), 4);
    let human = folder.run(&["check", "--baseline", "known.json", "records/b.pdn", "records/a.pdn"]).is(1);
    assert!(human.text().contains(" more in the baseline), "), "{}", human.text());
}

#[test]
fn a_baseline_is_the_same_with_any_number_of_jobs_and_must_be_readable() {
    let folder = Folder::with("a.pdn", format!("{}{MIXED}", dated(20_000)));
    for jobs in ["1", "4"] {
        folder.run(&["check", "--jobs", jobs, "--write-baseline", jobs, "a.pdn"]).is(0);
    }
    assert_eq!(folder.read("1"), folder.read("4"));
    assert!(folder.read("1").lines().count() == 5, "{}", folder.read("1"));
    assert!(
        folder.run(&["check", "--all", "--baseline", "4", "a.pdn"]).is(0).text().starts_with("1 file, 20001 games")
    );
    let run = folder.run(&["check", "--baseline", "a.pdn", "a.pdn"]).is(2);
    assert!(run.errors.contains("a.pdn: not a baseline"), "{}", run.errors);
    folder.run(&["check", "--baseline", "missing", "a.pdn"]).is(2);
    folder.run(&["check", "--baseline", "1", "--write-baseline", "1", "a.pdn"]).is(2);
}

#[test]
fn commands_for_github_have_a_line_each() {
    let folder = Folder::with("a,b.pdn", MIXED);
    let run = folder.run(&["check", "--format", "github", "a,b.pdn"]).is(1);
    let lines = run.lines();
    let wanted = "::error file=a%2Cb.pdn,line=6,col=4,title=move/illegal::`31-13` is not legal: ";
    assert!(lines[3].starts_with(wanted), "{lines:?}");
    assert!(lines[1].starts_with("::notice file="), "{lines:?}");
    assert!(lines[4].starts_with("1 file, 1 game: "), "{lines:?}");
}

#[test]
fn a_wrong_number_is_reported_once() {
    for (text, wrong) in [
        ("1. 32-28 19-23 3. 28x19 14x23 3. 37-32 10-14 4. 41-37 *", 1),
        ("1. 32-28 19-23 12. 28x19 14x23 13. 37-32 10-14 14. 41-37 *", 1),
        ("1. 32-28 19-23 12. 28x19 14x23 13. 37-32 10-14 4. 41-37 *", 1),
        ("1. 32-28 19-23 12. 28x19 14x23 33. 37-32 10-14 4. 41-37 *", 2),
    ] {
        let found = codes(format!("[GameType \"20\"] {text}"));
        assert_eq!(found.iter().filter(|code| code.ends_with("move/number")).count(), wrong, "{text}: {found:?}");
    }
}

#[test]
fn a_record_that_begins_late_is_no_early_draw() {
    let record = |first: u32| format!("[GameType \"20\"]\n{first}. 32-28 19-23 {}. 28x19 14x23 1-1", first + 1);
    let is_early = |first| names(&diagnostics(&["--strict"], record(first))).contains(&"draw/early".to_owned());
    assert!(is_early(1) && is_early(38) && !is_early(39));
    assert!(!codes(record(1)).contains(&"note draw/early".to_owned()));
}

#[test]
fn typed_escapes_are_one_diagnostic_of_a_game() {
    let text = "[GameType \"20\"]\n1. 32-28 \\r 19-23 \\n 2. 28x19 \\r\\n 14x23 *\n";
    let found = pdn_with(text, &["check", "--format", "json", "-"]).is(0).diagnostics();
    let message = only(&found, "syntax/typed-escape")["message"].as_str().expect("a message").to_owned();
    assert!(message.starts_with("typed escape sequence: `\\r`, and "), "{message}");
}

#[test]
fn large_numbers_of_moves_are_not_made_up() {
    let found = diagnostics(&[], "[GameType \"20\"] 1. 32-28 19-23 99999999999. 28x19 *").diagnostics();
    let message = only(&found, "move/number")["message"].as_str().expect("a message").to_owned();
    assert_eq!(message, "move number \u{2265}4294967295 does not follow 1");
}
