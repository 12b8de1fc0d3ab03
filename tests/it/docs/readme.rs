//! Every command of the README does what it says.

use std::process::{Command, Output};

fn commands() -> Vec<String> {
    let text = include_str!("../../../README.md");
    let lines = text.lines().filter_map(|line| line.strip_prefix("$ "));
    lines.map(str::to_owned).collect()
}

/// Runs a command line on the built program.
fn run(line: &str) -> Output {
    let arguments: Vec<_> = line.split_whitespace().collect();
    Command::new(env!("CARGO_BIN_EXE_pdn")).args(arguments).output().expect("the program runs")
}

/// Commands that show a faulty record end with status 1.
const SHOWS_FAULTS: &[&str] = &[];

#[test]
fn commands_of_the_program() {
    let mut run_commands = 0;
    for line in commands() {
        let Some(arguments) = line.strip_prefix("pdn ").or_else(|| line.strip_prefix("cargo run --release -- ")) else {
            continue;
        };
        let output = run(arguments);
        let expected = i32::from(SHOWS_FAULTS.contains(&line.as_str()));
        assert_eq!(output.status.code(), Some(expected), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty(), "{line} says nothing");
        run_commands += 1;
    }
    assert!(run_commands >= 15, "{run_commands} commands");
}

#[test]
fn the_other_commands_are_those_of_cargo() {
    let others: Vec<_> = commands().into_iter().filter(|line| !line.starts_with("pdn ")).collect();
    assert_eq!(others, ["cargo run --release -- annotate --nodes 20000 samples/games/brazilian.pdn", "cargo test"]);
}

#[test]
fn the_checks_of_a_change_run_the_tests_of_the_readme() {
    assert!(include_str!("../../../.ci/run").contains("cargo test"));
}

#[test]
fn the_first_command_annotates() {
    let output = run("annotate --nodes 20000 samples/games/brazilian.pdn");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text.matches("[Annotator \"pdn ").count(), 8);
    assert!(text.matches("[%eval").count() > 400);
}
