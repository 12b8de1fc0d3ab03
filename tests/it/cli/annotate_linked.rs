//! `pdn annotate --engine`: working engines, and engines that fail in every way.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::binary::{Folder, Run, pdn, program};
use crate::support::samples::first_games;

/// More games than an engine may fail in before it is given up.
const NUMBER_OF_GAMES: usize = 5;
const GIVEN_UP: &str = "the engine was abandoned after repeated failures";
/// The start of an engine: the first messages of the protocol.
const START: &str = "while read -r line; do case \"$line\" in\n\
                     hub) echo 'id name=Script'; echo 'param name=variant values=\"brazilian international\"'; echo wait;;\n\
                     init) echo ready;;\n";

/// Returns a folder with short games and an engine, which is a shell script.
fn folder(engine: &str) -> Folder {
    let game = "[GameType \"26\"]\n1. c3-d4 f6-e5 *\n\n";
    let folder = Folder::with("games.pdn", game.repeat(NUMBER_OF_GAMES));
    write_engine(&folder, engine);
    folder
}

fn write_engine(folder: &Folder, script: &str) {
    folder.write("engine", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(folder.path("engine"), fs::Permissions::from_mode(0o755)).expect("set");
}

/// Returns an engine that answers `hub` and `init`, and other messages by the given cases.
fn script(cases: &str) -> String {
    format!("{START}{cases}\nesac; done")
}

fn annotate(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["annotate", "--nodes", "300", "--engine", "./engine", "games.pdn"], more].concat())
}

fn without_annotator(run: &Run) -> String {
    run.text().lines().filter(|line| !line.starts_with("[Annotator")).collect::<Vec<_>>().join("\n")
}

/// Returns the table of moves of a file, without its name.
fn moves(folder: &Folder, name: &str) -> String {
    folder.run(&["convert", "--to", "csv", "--table", "moves", name]).is(0).text().replace(name, "")
}

/// Requires that every game is reported as not annotated, with these reasons, and that all of them are in the output.
#[track_caller]
fn assert_nothing_annotated_or_lost(folder: &Folder, run: Run, reasons: &[&str]) {
    let run = run.is(2);
    for game in 1..=NUMBER_OF_GAMES {
        let start = format!("pdn: games.pdn: game {game}: not annotated: ");
        let reported: Vec<_> = run.errors.lines().filter_map(|line| line.strip_prefix(&start)).collect();
        assert!(reported.len() == 1 && reasons.iter().any(|reason| reported[0].starts_with(reason)), "{}", run.errors);
    }
    for reason in reasons {
        assert!(run.errors.contains(reason), "{reason}: {}", run.errors);
    }
    assert!(!run.text().contains("[%eval"), "{}", run.text());
    folder.write("copy.pdn", &run.bytes);
    assert_eq!(moves(folder, "copy.pdn"), moves(folder, "games.pdn"));
}

#[test]
fn the_built_in_engine_gives_the_same_evaluations_over_the_protocol() {
    let folder = Folder::with("games.pdn", first_games("brazilian", 3));
    let here = folder.run(&["annotate", "--nodes", "300", "games.pdn"]).is(0);
    write_engine(&folder, &format!("exec '{}' hub", program()));
    let there = annotate(&folder, &["--jobs", "2"]).is(0);
    assert_eq!(without_annotator(&there), without_annotator(&here));
}

#[test]
fn an_engine_that_exits_is_restarted() {
    let engine = format!(
        "n=0; while read -r line; do case \"$line\" in go*) n=$((n+1));\n\
         if [ $n = 4 ]; then exit 1; fi;; esac; echo \"$line\"; done | '{}' hub",
        program()
    );
    let run = annotate(&folder(&engine), &["--jobs", "1"]).is(0);
    assert_eq!(run.text().matches("[Annotator ").count(), NUMBER_OF_GAMES);
}

/// Engines that fail, and the reasons that are reported.
const FAILURES: [(&str, &[&str], &str); 9] = [
    ("go*) exit 1;;", &[], "the engine exited"),
    ("go*) ;;", &["--engine-timeout", "0.2"], "the engine gave no answer within 0.2 s"),
    (
        "go*) while echo 'info depth=1 score=0.00'; do :; done;;",
        &["--engine-timeout", "0.2"],
        "the engine gave no answer within 0.2 s",
    ),
    (
        "go*) echo 'info depth=1 score=0.10 pv=1-2'; echo 'done move=1-2';;",
        &[],
        "the engine answered with an illegal move: `1-2`",
    ),
    ("go*) echo; echo '=\"'; echo done;;", &[], "the engine answered with an illegal move: ``"),
    ("pos*) echo 'error message=\"bad position\"';;", &[], "the engine reported an error: bad position"),
    ("pos*) echo 'error bad position';;", &[], "the engine reported an error: bad position"),
    // Escape sequences are replaced.
    (
        "\"go \"*) printf 'error message=\"no \\033[2J\\007 answer\"\\n';;",
        &[],
        "the engine reported an error: no \u{fffd}[2J\u{fffd} answer",
    ),
    ("pos*) rm -f engine; exit 1;;", &[], "the engine cannot be started"),
];

#[test]
fn engines_that_fail_are_given_up() {
    for (cases, more, reason) in FAILURES {
        let folder = folder(&script(cases));
        let run = annotate(&folder, &[&["--jobs", "1"], more].concat());
        assert_nothing_annotated_or_lost(&folder, run, &[reason, GIVEN_UP]);
    }
}

#[test]
fn an_engine_of_another_variant_is_given_up() {
    let folder = folder("while read -r line; do case \"$line\" in hub) echo wait;; init) echo ready;; esac; done");
    let run = annotate(&folder, &["--jobs", "1"]);
    assert_nothing_annotated_or_lost(&folder, run, &["the engine does not support brazilian", GIVEN_UP]);
}

#[test]
fn an_engine_that_is_never_ready() {
    let folder = folder("exec sleep 1000");
    let run = annotate(&folder, &["--jobs", "1", "--engine-timeout", "0.2"]);
    assert_nothing_annotated_or_lost(&folder, run, &["the engine gave no answer within 0.2 s", GIVEN_UP]);
}

#[test]
fn an_engine_that_does_not_exist() {
    let folder = Folder::with("games.pdn", first_games("brazilian", 1));
    folder.write("annotated.pdn", "before");
    for more in [["--jobs", "1"], ["-o", "annotated.pdn"]] {
        let run = annotate(&folder, &more).is(2);
        assert!(run.bytes.is_empty());
        assert!(
            run.errors.contains("the engine cannot be started") && run.errors.lines().count() == 1,
            "{}",
            run.errors
        );
    }
    assert_eq!((folder.read("annotated.pdn"), folder.names().len()), ("before".to_owned(), 2), "nothing beside it");
}

#[test]
fn failed_games_are_annotated_in_the_next_run() {
    let folder = folder("exit 1");
    let more = ["--checkpoint", "run.jsonl", "--jobs", "1"];
    annotate(&folder, &more).is(2);
    write_engine(&folder, &format!("exec '{}' hub", program()));
    let run = annotate(&folder, &more).is(0);
    assert!(run.text().matches("[%eval").count() >= 2 * NUMBER_OF_GAMES, "{}", run.text());
}

#[test]
fn the_first_version_of_the_protocol_is_supported() {
    // Answers for the two positions of the game, which White's and Black's turn distinguish.
    let folder = folder(
        "while read -r line; do case \"$line\" in\n\
         hub) echo 'name Old 1.0'; echo wait;; init) echo ready;;\n\
         pos*) case \"$line\" in 'pos wb'*) moves=;; 'pos bb'*) moves=1;; *) exit 1;; esac;;\n\
         analyse) if [ \"$moves\" ]; then echo 'info 12 13.0 25 1000 0.10 1.0 19-23'; echo 'move 19-23 28x19x23';\n\
         else echo 'info 12 13.0 -5 1000 0.10 1.0 32-28'; echo 'move 32-28'; fi;;\nesac; done",
    );
    folder.write("games.pdn", "[GameType \"20\"]\n1. 32-28 *\n");
    let run = folder.run(&["annotate", "--depth", "12", "--engine", "./engine", "games.pdn"]).is(0);
    assert!(run.lines().contains(&"1. 32-28 {[%eval -0.25]} *"), "{}", run.text());
}

#[test]
fn an_invalid_command_line_is_status_2() {
    for engine in ["", "'scan hub"] {
        let run = pdn(&["annotate", "--engine", engine, "samples/games/brazilian.pdn"]).is(2);
        assert!(run.bytes.is_empty());
    }
}
