//! The page `docs/commands.md` is generated from the help of the program: run this test with `UPDATE_DOCS=1` to update it.

use std::fmt::Write as _;
use std::fs;

use crate::support::binary::{Folder, Run};
use crate::support::sources::root;

/// Returns a help text, with lines of the same width everywhere.
fn help(words: &[&str]) -> String {
    let folder = Folder::new();
    let mut command = folder.command(&[words, &["--help"]].concat());
    Run::of(command.env("COLUMNS", "100")).is(0).text().trim_end().to_owned()
}

/// Returns the names of the commands that a help text, or the rest of one, lists before its options.
fn names(help: &str) -> Vec<&str> {
    let before = help.split("\nOptions:").next().unwrap_or_default();
    let lines = before.lines().filter_map(|line| line.strip_prefix("  "));
    let names = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    names.filter_map(|line| line.split_whitespace().next()).filter(|&name| name != "help").collect()
}

/// Returns a help text without the options that all commands have, which the page lists once.
fn without_common(help: &str) -> String {
    let Some((own, common)) = help.split_once("\n\nCommon options:\n") else { return help.to_owned() };
    let after = common.split("\n\n").skip_while(|part| part.starts_with("  ")).collect::<Vec<_>>();
    [vec![own], after].concat().join("\n\n")
}

/// Appends a command, its schema and the commands that it has.
fn describe(words: &[&str], page: &mut String) {
    let text = without_common(&help(words));
    let level = "#".repeat(words.len() + 1);
    let _ = writeln!(page, "\n{level} pdn {}\n\n```text\n{text}\n```", words.join(" "));
    let schema = format!("schema/{}.json", words.join("-"));
    if root().join("docs").join(&schema).exists() {
        let _ = writeln!(page, "\nSchema of the JSON output: [{schema}]({schema}).");
    }
    for name in text.split("\nCommands:\n").nth(1).map(names).unwrap_or_default() {
        describe(&[words, &[name]].concat(), page);
    }
}

fn page() -> String {
    let whole = help(&[]);
    let mut page = format!(
        "# Commands\n\nGenerated from the help of the program by `tests/it/docs/reference.rs`. `pdn help COMMAND` shows the same text. The\n\
         options of `pdn` itself, except `--version`, can follow every command; they are listed only here.\n\n\
         ```text\n{whole}\n```\n"
    );
    for name in names(&whole) {
        describe(&[name], &mut page);
    }
    page
}

#[test]
fn the_page_of_commands_is_current() {
    // Some features add to the help.
    if cfg!(any(feature = "parquet", feature = "png")) {
        return;
    }
    let path = root().join("docs/commands.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).expect("written");
    }
    assert!(fs::read_to_string(&path).unwrap_or_default() == page, "run with UPDATE_DOCS=1");
    assert!(page.matches("\n## pdn ").count() >= 34 && page.contains("\n### pdn egdb probe\n"), "commands are missing");
}
