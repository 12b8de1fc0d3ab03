//! `pdn annotate --engine`: working engines, and engines that fail in every way.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::{TempDir, tempdir};

const PDN: &str = env!("CARGO_BIN_EXE_pdn");
const GAMES: &str = "samples/games/brazilian.pdn";
const NUMBER_OF_GAMES: usize = 8;

/// Writes an engine that answers `hub` and `init`, and other messages by the given cases of a shell script.
fn script(folder: &TempDir, cases: &str) -> PathBuf {
    let values = "brazilian international";
    program(
        folder,
        &format!(
            "while read -r line; do case \"$line\" in\n\
             hub) echo 'id name=Script'; echo 'param name=variant values=\"{values}\"'; echo wait;;\n\
             init) echo ready;;\n{cases}\nesac; done"
        ),
    )
}

fn program(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("engine");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
    path
}

fn annotate(engine: &str, more: &[&str]) -> Output {
    let mut command = Command::new(PDN);
    command.args(["annotate", "--nodes", "300", "--engine", engine]).args(more);
    command.arg(GAMES).output().expect("the program runs")
}

fn annotate_with(engine: &Path, more: &[&str]) -> Output {
    annotate(&format!("'{}'", engine.display()), more)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn without_annotator(output: &Output) -> String {
    let text = text(&output.stdout);
    text.lines().filter(|line| !line.starts_with("[Annotator")).collect::<Vec<_>>().join("\n")
}

fn evaluations(output: &Output) -> usize {
    text(&output.stdout).matches("[%eval").count()
}

/// Asserts that every game is reported as not annotated, and that the output is otherwise complete.
fn assert_nothing_annotated_or_lost(output: &Output, reason: &str) {
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    for game in 1..=NUMBER_OF_GAMES {
        assert_eq!(errors.matches(&format!("{GAMES}: game {game}: not annotated: ")).count(), 1, "{errors}");
    }
    assert!(errors.contains(reason), "{errors}");
    assert_eq!(evaluations(output), 0);
    let check = |input: &str| {
        let output = Command::new(PDN).args(["convert", "--to", "csv", "--table", "moves", input]).output();
        text(&output.expect("the program runs").stdout).replace(input, "")
    };
    let folder = tempdir().expect("a folder");
    let copy = folder.path().join("copy.pdn");
    fs::write(&copy, &output.stdout).expect("written");
    assert_eq!(check(copy.to_str().expect("a name")), check(GAMES));
}

#[test]
fn the_built_in_engine_gives_the_same_evaluations_over_the_protocol() {
    let here = Command::new(PDN).args(["annotate", "--nodes", "300", GAMES]).output().expect("the program runs");
    let there = annotate(&format!("'{PDN}' hub"), &["--jobs", "2"]);
    assert_eq!(there.status.code(), Some(0), "{}", text(&there.stderr));
    assert_eq!(without_annotator(&there), without_annotator(&here));
}

#[test]
fn an_engine_that_exits_is_restarted() {
    let folder = tempdir().expect("a folder");
    let engine = program(
        &folder,
        &format!(
            "n=0; while read -r line; do case \"$line\" in go*) n=$((n+1));\n\
             if [ $n = 30 ]; then exit 1; fi;; esac; echo \"$line\"; done | '{PDN}' hub"
        ),
    );
    let output = annotate_with(&engine, &["--jobs", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).matches("[Annotator ").count(), NUMBER_OF_GAMES);
}

#[test]
fn an_engine_that_exits_at_every_search_is_given_up() {
    let folder = tempdir().expect("a folder");
    let output = annotate_with(&script(&folder, "go*) exit 1;;"), &[]);
    assert_nothing_annotated_or_lost(&output, "the engine exited");
}

#[test]
fn an_engine_that_does_not_exist() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("annotated.pdn");
    fs::write(&file, "before").expect("written");
    for more in [vec!["--jobs", "1"], vec!["-o", file.to_str().expect("a name")]] {
        let output = annotate("/no/such/engine hub", &more);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(output.stdout.is_empty());
        assert!(errors.contains("the engine cannot be started"), "{errors}");
        assert_eq!(errors.matches('\n').count(), 1, "{errors}");
    }
    assert_eq!(fs::read_to_string(&file).expect("a file"), "before");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing beside it");
}

#[test]
fn an_engine_that_disappears_is_given_up() {
    let folder = tempdir().expect("a folder");
    let engine = program(&folder, "rm -f \"$0\"; exit 1");
    let output = annotate_with(&engine, &["--jobs", "1"]);
    assert_nothing_annotated_or_lost(&output, "the engine cannot be started");
    assert_nothing_annotated_or_lost(&output, "the engine was given up");
}

#[test]
fn a_silent_engine() {
    let folder = tempdir().expect("a folder");
    let output = annotate_with(&script(&folder, "go*) ;;"), &["--jobs", "1", "--engine-timeout", "0.3"]);
    assert_nothing_annotated_or_lost(&output, "the engine gave no answer within 0.3 s");
}

#[test]
fn an_engine_that_is_never_ready() {
    let folder = tempdir().expect("a folder");
    let engine = program(&folder, "exec sleep 1000");
    let output = annotate_with(&engine, &["--jobs", "1", "--engine-timeout", "0.2"]);
    assert_nothing_annotated_or_lost(&output, "the engine gave no answer within 0.2 s");
}

#[test]
fn an_engine_that_answers_illegal_moves() {
    let folder = tempdir().expect("a folder");
    let engine = script(&folder, "go*) echo 'info depth=1 score=0.10 pv=1-2'; echo 'done move=1-2';;");
    assert_nothing_annotated_or_lost(&annotate_with(&engine, &[]), "the engine answered with an illegal move: `1-2`");
}

#[test]
fn an_engine_that_answers_nonsense_or_reports_an_error() {
    let folder = tempdir().expect("a folder");
    let engine = script(&folder, "go*) echo; echo '=\"'; echo done;;");
    assert_nothing_annotated_or_lost(&annotate_with(&engine, &[]), "the engine answered with an illegal move: ``");
    let engine = script(&folder, "pos*) echo 'error message=\"bad position\"';;");
    assert_nothing_annotated_or_lost(&annotate_with(&engine, &[]), "the engine reported an error: bad position");
}

#[test]
fn an_engine_that_never_stops_talking() {
    let folder = tempdir().expect("a folder");
    let engine = script(&folder, "go*) while echo 'info depth=1 score=0.00'; do :; done;;");
    let output = annotate_with(&engine, &["--jobs", "1", "--engine-timeout", "0.3"]);
    assert_nothing_annotated_or_lost(&output, "the engine gave no answer within 0.3 s");
}

#[test]
fn an_engine_of_another_variant_is_reported_for_each_game() {
    let folder = tempdir().expect("a folder");
    let engine =
        program(&folder, "while read -r line; do case \"$line\" in hub) echo wait;; init) echo ready;; esac; done");
    assert_nothing_annotated_or_lost(&annotate_with(&engine, &[]), "the engine does not support brazilian");
}

#[test]
fn failed_games_are_annotated_in_the_next_run() {
    let folder = tempdir().expect("a folder");
    let checkpoint = folder.path().join("run.jsonl");
    let more = ["--checkpoint", checkpoint.to_str().expect("a name"), "--jobs", "1"];
    let engine = program(&folder, "exit 1");
    assert_eq!(annotate_with(&engine, &more).status.code(), Some(2));
    program(&folder, &format!("exec '{PDN}' hub"));
    let output = annotate_with(&engine, &more);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(evaluations(&output) > 400);
}

#[test]
fn the_first_version_of_the_protocol_is_supported() {
    let folder = tempdir().expect("a folder");
    let games = folder.path().join("games.pdn");
    fs::write(&games, "[GameType \"20\"]\n1. 32-28 *\n").expect("written");
    // Answers for the two positions of the game, which White's and Black's turn distinguish.
    let engine = program(
        &folder,
        "while read -r line; do case \"$line\" in\n\
         hub) echo 'name Old 1.0'; echo wait;; init) echo ready;;\n\
         pos*) case \"$line\" in 'pos wb'*) moves=;; 'pos bb'*) moves=1;; *) exit 1;; esac;;\n\
         analyse) if [ \"$moves\" ]; then echo 'info 12 13.0 25 1000 0.10 1.0 19-23'; echo 'move 19-23 28x19x23';\n\
         else echo 'info 12 13.0 -5 1000 0.10 1.0 32-28'; echo 'move 32-28'; fi;;\nesac; done",
    );
    let mut command = Command::new(PDN);
    command.args(["annotate", "--depth", "12", "--engine", engine.to_str().expect("a name")]).arg(&games);
    let output = command.output().expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("1. 32-28 {[%eval -0.25]}"), "{}", text(&output.stdout));
}

#[test]
fn an_invalid_command_line_is_status_2() {
    for engine in ["", "'scan hub"] {
        let output = annotate(engine, &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn answers_of_engines_are_shown_without_escape_sequences() {
    let folder = tempdir().expect("a folder");
    let engine = script(&folder, r#""go "*) printf 'error message="no \033[2J\007 answer"\n';;"#);
    let output = annotate_with(&engine, &[]);
    let errors = text(&output.stderr);
    assert!(errors.contains("no \u{fffd}[2J\u{fffd} answer"), "{errors:?}");
    assert!(!errors.contains(['\x1b', '\x07']), "{errors:?}");
}
