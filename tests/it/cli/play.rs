//! `pdn play`, with input from a pipe.

use crate::support::binary::{Folder, Run, fed};

/// Plays with a folder for files and returns the output.
fn play(folder: &Folder, arguments: &[&str], lines: &str) -> String {
    let common = ["play", "--nodes", "3000", "--hash", "1"];
    let run = Run::from(fed(&folder.path(""), lines.as_bytes(), &[&common, arguments].concat()));
    run.is(0).text().to_owned()
}

#[test]
fn a_game_is_played_and_saved() {
    let folder = Folder::new();
    let output = play(&folder, &[], "32-28\nmoves\nboard\nsave game.pdn\nquit\nnever read\n");
    assert!(output.contains("Black plays "), "{output}");
    assert!(output.contains("saved as game.pdn"), "{output}");
    let game = folder.read("game.pdn");
    assert!(game.contains("\n1. 32-28 ") && game.ends_with("*\n\n"), "{game}");
    folder.run(&["check", "game.pdn"]).is(0);
}

#[test]
fn moves_are_read_in_any_notation() {
    let folder = Folder::new();
    let output = play(&folder, &["--variant", "brazilian", "--side", "both"], "cd4\nb6-c5\nd4b6\nsave g\n");
    assert!(output.contains("saved as g"), "{output}");
    let game = folder.read("g");
    assert!(game.contains("1. c3-d4 b6-c5 2. d4xb6"), "{game}");
}

#[test]
fn invalid_input_is_explained() {
    let input = "potato\n1-2\n32-27-1\nback\nsave\nsave /no/such/folder/x\n\nhelp\n";
    let output = play(&Folder::new(), &[], input);
    for answer in
        ["`potato` is neither", "illegal move", "no move to take back", "name of a file", "cannot write", "take back"]
    {
        assert!(output.contains(answer), "{answer}: {output}");
    }
}

#[test]
fn moves_are_taken_back_and_evaluated() {
    let output = play(&Folder::new(), &[], "31-26\nback\nboard\nhint\neval 3\neval x\nnew\ngo\n");
    assert!(output.contains("W:W31,32,33,"), "the start position is back: {output}");
    assert_eq!(output.matches(", depth ").count(), 3, "{output}");
    assert!(output.contains("expected a number of moves, found `x`"), "{output}");
    assert!(output.contains("White plays ") && output.contains("Black plays "), "{output}");
}

#[test]
fn the_engine_starts_where_it_has_the_first_move() {
    assert!(play(&Folder::new(), &["--side", "black"], "").contains("White plays "));
    assert!(play(&Folder::new(), &["--variant", "english"], "").contains("Black plays "));
}

#[test]
fn the_end_of_a_game_is_reported() {
    let output = play(&Folder::new(), &["--fen", "W:W28:B22"], "28x17\nhint\ngo\n");
    assert!(output.contains("White has won") && output.contains("there is no legal move"), "{output}");
}

#[test]
fn the_engine_plays_from_a_book() {
    let folder = Folder::new();
    folder.write(
        "book.pdn",
        "1. 34-29 19-23 (1... 20-25 2. 40-34) *\n\n1. 34-29 19-23 2. 40-34 *\n\n1. 34-29 17-22? *\n",
    );
    let answers: Vec<_> = (0..12)
        .map(|_| {
            let output = play(&folder, &["--book", "book.pdn"], "34-29\n");
            let (_, answer) = output.split_once("Black plays ").expect("a move");
            answer.lines().next().expect("a line").to_owned()
        })
        .collect();
    assert!(answers.iter().all(|answer| ["19-23", "20-25"].contains(&&**answer)), "{answers:?}");
    let run = folder.run(&["play", "--variant", "italian", "--book", "book.pdn"]).is(2);
    assert!(run.errors.contains("book.pdn: no moves of italian for an opening book"), "{}", run.errors);
    let run = folder.run(&["play", "--book", "missing.pdn"]).is(2);
    assert!(run.errors.contains("missing.pdn"), "{}", run.errors);
}
