//! `pdn play`, with input from a pipe.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::tempdir;

fn play(folder: &Path, arguments: &[&str], lines: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pdn"));
    command.current_dir(folder).args(["play", "--nodes", "3000", "--hash", "1"]).args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_game_is_played_and_saved() {
    let folder = tempdir().expect("a folder");
    let output = play(folder.path(), &[], "32-28\nmoves\nboard\nsave game.pdn\nquit\nnever read\n");
    assert!(output.contains("Black plays "), "{output}");
    assert!(output.contains("saved as game.pdn"), "{output}");
    let game = fs::read_to_string(folder.path().join("game.pdn")).expect("there");
    assert!(game.contains("\n1. 32-28 ") && game.ends_with("*\n\n"), "{game}");
    let check = Command::new(env!("CARGO_BIN_EXE_pdn")).args(["check", "game.pdn"]).current_dir(folder.path()).status();
    assert_eq!(check.expect("it runs").code(), Some(0));
}

#[test]
fn moves_are_read_in_any_notation() {
    let folder = tempdir().expect("a folder");
    let output = play(folder.path(), &["--variant", "brazilian", "--side", "both"], "cd4\nb6-c5\nd4b6\nsave g\n");
    assert!(output.contains("saved as g"), "{output}");
    let game = fs::read_to_string(folder.path().join("g")).expect("there");
    assert!(game.contains("1. c3-d4 b6-c5 2. d4xb6"), "{game}");
}

#[test]
fn invalid_input_is_explained() {
    let folder = tempdir().expect("a folder");
    let output = play(folder.path(), &[], "potato\n1-2\n32-27-1\nback\nsave\nsave /no/such/folder/x\n\nhelp\n");
    for answer in
        ["`potato` is neither", "illegal move", "no move to take back", "name of a file", "cannot write", "take back"]
    {
        assert!(output.contains(answer), "{answer}: {output}");
    }
}

#[test]
fn moves_are_taken_back_and_evaluated() {
    let folder = tempdir().expect("a folder");
    let output = play(folder.path(), &[], "31-26\nback\nboard\nhint\neval 3\neval x\nnew\ngo\n");
    assert!(output.contains("W:W31,32,33,"), "the start position is back: {output}");
    assert_eq!(output.matches(", depth ").count(), 3, "{output}");
    assert!(output.contains("expected a number of moves, found `x`"), "{output}");
    assert!(output.contains("White plays ") && output.contains("Black plays "), "{output}");
}

#[test]
fn the_engine_starts_where_it_has_the_first_move() {
    let folder = tempdir().expect("a folder");
    assert!(play(folder.path(), &["--side", "black"], "").contains("White plays "));
    assert!(play(folder.path(), &["--variant", "english"], "").contains("Black plays "));
}

#[test]
fn the_end_of_a_game_is_reported() {
    let folder = tempdir().expect("a folder");
    let output = play(folder.path(), &["--fen", "W:W28:B22"], "28x17\nhint\ngo\n");
    assert!(output.contains("White has won") && output.contains("there is no legal move"), "{output}");
}
