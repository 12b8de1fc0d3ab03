//! The commands of the README, of the pages on tasks and of the changelog are those of the program, and their outputs are real.

use std::process::{Command, Output};

use crate::support::binary::{pdn_with, program};

const README: &str = include_str!("../../../README.md");
/// Pages with commands that work on samples.
const PAGES: [&str; 11] = [
    include_str!("../../../docs/annotations.md"),
    include_str!("../../../docs/charts.md"),
    include_str!("../../../docs/check.md"),
    include_str!("../../../docs/convert.md"),
    include_str!("../../../docs/data.md"),
    include_str!("../../../docs/engine.md"),
    include_str!("../../../docs/formats.md"),
    include_str!("../../../docs/lessons.md"),
    include_str!("../../../docs/prepare.md"),
    include_str!("../../../docs/report.md"),
    include_str!("../../../docs/sheets.md"),
];
const CHANGELOG: &str = include_str!("../../../CHANGELOG.md");

/// The first command, which annotates eight games.
const FIRST: &str = "cargo run --release -- annotate --nodes 20000 samples/games/brazilian.pdn";

/// The second command, which writes a report of these games.
const SECOND: &str = "cargo run --release -- annotate --nodes 20000 samples/games/brazilian.pdn | \
                      cargo run --release -- report - -o report.html";

/// Commands that exit with status 1, because they show a record with errors.
const WITH_ERRORS: [&str; 3] = [
    "pdn check samples/diagnostics/move-illegal.pdn",
    "pdn check --lang nl samples/diagnostics/move-illegal.pdn",
    "pdn fmt --fix --only-repairs --diff samples/diagnostics/tag-date.pdn",
];

/// Returns the commands of a page, each with the output shown below it.
fn commands(page: &'static str) -> Vec<(&'static str, String)> {
    let mut commands: Vec<(&str, String)> = Vec::new();
    let mut in_console = false;
    for line in page.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((command, String::new())),
            None if line.starts_with("```") => in_console = line == "```console",
            None if in_console => {
                let (_, output) = commands.last_mut().expect("a command before its output");
                output.extend([line, "\n"]);
            }
            None => {}
        }
    }
    commands
}

/// Runs a command line with the program that was built.
fn run(arguments: &str) -> Output {
    let arguments: Vec<_> = arguments.split_whitespace().collect();
    let mut command = Command::new(program());
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output().expect("the program runs")
}

#[test]
fn the_commands_of_the_readme_and_of_the_pages_run() {
    let mut count = 0;
    // Other commands of the pages have files of the reader.
    let has_files =
        |line: &str| [".pdn", "archive/", "tournament/", "positions"].iter().any(|name| line.contains(name));
    let is_runnable = |line: &str| line.contains("samples/") || !has_files(line);
    let pages = PAGES.into_iter().flat_map(commands).filter(|(line, _)| is_runnable(line));
    for (line, shown) in commands(README).into_iter().chain(pages) {
        if line == SECOND {
            continue;
        }
        let Some(arguments) = line.strip_prefix("pdn ").or_else(|| line.strip_prefix("cargo run --release -- ")) else {
            continue;
        };
        // The number of nodes is for readers; any other shows that the command does its work, but solves no problems.
        let nodes = if arguments.starts_with("bench") { "--nodes 20000" } else { "--nodes 50" };
        let output = run(&arguments.replace("--nodes 20000", nodes));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let expected = i32::from(WITH_ERRORS.contains(&line));
        assert_eq!(output.status.code(), Some(expected), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!text.is_empty() && text.starts_with(&shown), "{line}:\n{text}");
        if line == FIRST {
            assert_eq!(text.matches("[Annotator \"pdn ").count(), 8);
            assert!(text.matches("[%eval").count() > 400);
            let report = pdn_with(&text, &["report", "-"]).is(0);
            let figures =
                report.text().matches("\"accuracy\":").count() - report.text().matches("\"accuracy\":\"").count();
            assert_eq!(figures, 16, "both sides of eight games");
        }
        count += 1;
    }
    assert!(count >= 35, "{count} commands");
}

#[test]
fn the_other_commands_of_the_readme_are_those_of_cargo() {
    let others: Vec<_> =
        commands(README).into_iter().map(|(line, _)| line).filter(|line| !line.starts_with("pdn ")).collect();
    let expected = [FIRST, SECOND, "cargo test", "cargo add --path ../pdn --no-default-features"];
    assert_eq!(others, expected);
}

/// Returns the pieces of a text between backticks that are command lines of the program.
fn command_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("pdn "))
}

#[test]
fn commands_within_sentences_exist_with_their_options() {
    let mut count = 0;
    for line in command_lines(CHANGELOG).chain(command_lines(README)).chain(PAGES.into_iter().flat_map(command_lines)) {
        let words: Vec<_> = line.split_whitespace().collect();
        if words[0] == "help" {
            assert!(run(line).status.success(), "{line}");
            continue;
        }
        let help = run(&format!("{} --help", words[0]));
        let help = String::from_utf8(help.stdout).expect("UTF-8");
        assert!(help.contains(&format!("pdn {}", words[0])), "{line}: no such command");
        for option in words.iter().filter(|word| word.starts_with("--")) {
            assert!(help.contains(option), "{line}: no option {option}");
        }
        count += 1;
    }
    assert!(count >= 8, "{count} command lines");
}
