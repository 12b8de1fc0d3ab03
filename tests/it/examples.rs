//! The programs in `examples` do their work on samples.

use std::error::Error;

use pdn::check::{CheckOptions, reviews};
use serde_json::Value;

use crate::support::samples::sample;
use crate::support::sources::root;

#[expect(dead_code, reason = "`main` reads the arguments of the process")]
#[path = "../../examples/diagnostics.rs"]
mod diagnostics;
#[expect(dead_code, reason = "`main` reads the arguments of the process")]
#[path = "../../examples/edit.rs"]
mod edit;
#[expect(dead_code, reason = "`main` reads the arguments of the process")]
#[path = "../../examples/first_errors.rs"]
mod first_errors;
#[expect(dead_code, reason = "`main` reads the arguments of the process")]
#[path = "../../examples/legal_moves.rs"]
mod legal_moves;
#[expect(dead_code, reason = "`main` reads the arguments of the process")]
#[path = "../../examples/openings.rs"]
mod openings;
#[expect(dead_code, reason = "`main` reads the arguments of the process")]
#[path = "../../examples/perft.rs"]
mod perft;
#[expect(dead_code, reason = "`main` reads the arguments of the process")]
#[path = "../../examples/play.rs"]
mod play;
#[expect(dead_code, reason = "`main` reads the arguments of the process")]
#[path = "../../examples/rows.rs"]
mod rows;

const NAMES: [&str; 8] = ["diagnostics", "edit", "first_errors", "legal_moves", "openings", "perft", "play", "rows"];

/// What a program does with its arguments.
type Run = fn(std::vec::IntoIter<String>, &mut Vec<u8>) -> Result<(), Box<dyn Error>>;

/// Runs a program; paths are those of the repository.
fn output(run: Run, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let path = |argument: &&str| match argument.strip_prefix("samples") {
        Some(rest) => format!("{}/samples{rest}", root().display()),
        None => (*argument).to_owned(),
    };
    let arguments: Vec<_> = arguments.iter().map(path).collect();
    let mut out = Vec::new();
    run(arguments.into_iter(), &mut out)?;
    Ok(String::from_utf8(out)?)
}

#[test]
fn every_example_is_run() {
    let files = std::fs::read_dir(root().join("examples")).expect("a folder");
    let mut names: Vec<_> = files
        .map(|file| file.expect("a file").file_name().to_string_lossy().trim_end_matches(".rs").to_owned())
        .collect();
    names.sort();
    assert_eq!(names, NAMES);
}

#[test]
fn openings_are_counted() {
    let text = output(openings::run, &["samples/games/international.pdn"]).expect("text");
    let games: u64 = text
        .split([' ', '\n'])
        .zip(text.split([' ', '\n']).skip(1))
        .filter(|(_, sign)| *sign == "×")
        .map(|(count, _)| count.parse::<u64>().expect("a number"))
        .sum();
    assert_eq!(games, 8, "{text}");
    assert!(text.contains("33-28") && text.contains("2-0"), "{text}");
    assert!(output(openings::run, &["no/such/file.pdn"]).is_err());
}

#[test]
fn a_game_is_played_and_written() {
    let text = output(play::run, &["russian", "50"]).expect("a game");
    let games: Vec<_> = reviews(text.as_bytes(), CheckOptions::default()).collect();
    assert_eq!(games.len(), 1);
    assert!(games[0].diagnostics().is_empty(), "{:?}", games[0].diagnostics());
    assert!(games[0].game().plies_played() > 20, "{text}");
    assert!(output(play::run, &["chess"]).expect_err("no such variant").to_string().contains("chess"));
}

#[test]
fn diagnostics_have_their_lines() {
    let text = output(diagnostics::run, &["samples/diagnostics/move-illegal.pdn", "samples/games"]).expect("text");
    assert!(text.contains("error[move/illegal]") && text.contains("10 | 1. 32-28 19-23 2. 33-29 *"), "{text}");
    assert!(text.ends_with("1 games with errors or warnings\n"), "{text}");
}

#[test]
fn an_edit_keeps_all_other_bytes() {
    let before = sample("italian");
    let text = output(edit::run, &["samples/games/italian.pdn", "Site", "Torino \"A\""]).expect("text");
    let changed: Vec<_> = before.lines().zip(text.lines()).filter(|(before, after)| before != after).collect();
    let sites: Vec<_> = text.lines().filter(|line| line.contains("Torino")).collect();
    assert_eq!(sites, ["[Site \"Torino \\\"A\\\"\"]"]);
    assert_eq!(text.matches("{edited}").count(), 1);
    assert!((1..=3).contains(&changed.len()), "{changed:?}");
    assert!(output(edit::run, &["samples/games/italian.pdn"]).is_err());
}

#[test]
fn leaves_are_counted() {
    let text = output(perft::run, &["english", "4"]).expect("text");
    assert!(text.ends_with("1469 leaves at depth 4\n") && text.lines().count() == 8, "{text}");
    assert!(output(perft::run, &["english", "4", "nonsense"]).is_err());
}

#[test]
fn lists_are_measured() {
    let text = output(legal_moves::run, &["3"]).expect("text");
    let lists: Vec<_> = text.lines().map(|line| line.split_once(" in ").expect("a time").0).collect();
    let expected =
        ["quiet moves: 9", "quiet moves: 9", "quiet moves: 10", "quiet moves: 7", "captures: 1", "captures: 5"];
    assert!(lists.iter().zip(expected).all(|(list, expected)| list.ends_with(expected)), "{text}");
    assert_eq!(lists.len(), expected.len());
    assert!(output(legal_moves::run, &[]).is_err());
}

#[test]
fn rows_are_json() {
    let text = output(rows::run, &["samples/games"]).expect("text");
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), 24);
    assert!(
        rows.iter().all(|row| row["legal"] == true && row["variant"].is_string() && row["plies"].as_u64() > Some(10))
    );
}

#[test]
fn games_are_analysed() {
    let text = output(first_errors::run, &["samples/diagnostics/move-illegal.pdn", "samples/games/brazilian.pdn"]);
    let text = text.expect("text");
    assert!(text.contains("is not legal") && text.matches("  best: ").count() == 8, "{text}");
}
