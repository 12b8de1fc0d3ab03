//! `pdn diagram`: positions as pictures.

use crate::support::binary::{Folder, pdn};

const FEN: &str = "W:W31,32,K45:B19,20";
const GAMES: &str = "[White \"A & B\"]\n[Black \"C\"]\n[GameType \"20\"]\n\n1. 32-28 {[%cal R32-28]} 19-23 *\n\n\
                     [Event \"Problem\"]\n[GameType \"20\"]\n[FEN \"B:W31:B20\"]\n\n1... 20-24 *\n";

fn folder() -> Folder {
    Folder::with("games.pdn", GAMES)
}

#[test]
fn a_position_is_a_picture() {
    let run = pdn(&["diagram", "--fen", FEN]).is(0);
    assert!(run.text().starts_with("<svg ") && run.text().contains("White to move"));
    assert_eq!(run.text().matches("<circle").count(), 6, "five pieces, one of them a king");
    assert_eq!(run.text().matches("<text").count(), 50);
    let plain = pdn(&["diagram", "--fen", FEN, "--no-numbers", "--flip"]).is(0);
    assert!(!plain.text().contains("<text"));
    // Square 45, at the right edge in the last row but one, is at the left edge in the second row.
    assert!(plain.text().contains("cx=\"20\" cy=\"60\" r=\"15\" fill=\"#ffffff\""), "{}", plain.text());
}

#[test]
fn arrows_and_squares_are_drawn() {
    let run = pdn(&["diagram", "--fen", FEN, "--arrows", "G31-27,R20-24", "--squares", "Y27"]).is(0);
    assert_eq!(run.text().matches("<polygon").count(), 2);
    assert_eq!(run.text().matches("#d0a000").count(), 1);
    assert!(pdn(&["diagram", "--fen", FEN, "--arrows", "there"]).is(2).errors.contains("G31-27"));
    for [option, wrong] in [["--arrows", "G31-27,X31-27"], ["--squares", "X27"]] {
        let run = pdn(&["diagram", "--fen", FEN, option, wrong]).is(2);
        assert!(run.errors.contains(option) && run.errors.contains("unknown colour `X`"), "{}", run.errors);
    }
    for wrong in [["--arrows", "G31-27,G99-1"], ["--squares", "Y51"]] {
        let run = pdn(&[&["diagram", "--fen", FEN], &wrong[..]].concat()).is(2);
        assert!(run.bytes.is_empty() && run.errors.contains("no such square"), "{}", run.errors);
    }
}

#[test]
fn a_game_is_drawn_at_its_plies() {
    let folder = folder();
    let run = folder.run(&["diagram", "games.pdn", "--game", "1", "--ply", "1"]).is(0);
    assert!(run.text().contains("Black to move") && run.text().contains("<polygon"), "last move and arrow");
    assert_eq!(run.text().matches("#d8b13c").count(), 2);
    folder.run(&["diagram", "games.pdn", "--game", "1", "--ply", "0,2", "-o", "pictures/"]).is(0);
    assert_eq!(
        [folder.read("pictures/1.svg"), folder.read("pictures/2.svg")].map(|svg| svg.contains("#d8b13c")),
        [false, true]
    );
    let run = folder.run(&["diagram", "games.pdn", "--ply", "2", "-o", "late.svg"]).is(1);
    assert!(run.errors.contains("game 2 has no known position after ply 2"), "{}", run.errors);
    folder.run(&["diagram", "games.pdn", "--game", "3"]).is(2);
    let missing = folder.run(&["diagram", "games.pdn", "--game", "3", "-o", "none/"]).is(2);
    assert!(missing.errors.contains("no game 3") && !folder.path("none").exists(), "{}", missing.errors);
}

#[test]
fn many_boards_fit_on_a_sheet_or_in_a_folder() {
    let folder = folder();
    let run = folder.run(&["diagram", "games.pdn", "--sheet", "2x1"]).is(0);
    for caption in [">1. A &amp; B – C</text>", ">2. Problem</text>"] {
        assert!(run.text().contains(caption), "{caption}");
    }
    let run = folder.run(&["diagram", "games.pdn", "-o", "all.svg"]).is(2);
    assert!(run.errors.contains("--sheet"), "{}", run.errors);
    assert_eq!(folder.names(), ["games.pdn"]);
    folder.run(&["diagram", "games.pdn", "--sheet", "1x1", "-o", "sheets/"]).is(0);
    assert!(folder.read("sheets/2.svg").contains(">2. Problem</text>"));
}

#[test]
fn invalid_positions_are_reported_and_the_others_drawn() {
    let folder = Folder::with("fens.txt", format!("{FEN}\n\nnonsense\nB:W31:B20\n"));
    let run = folder.run(&["diagram", "--fens", "fens.txt", "--sheet", "3x3"]).is(1);
    assert_eq!(run.text().matches("<g transform=\"translate").count(), 2);
    assert!(run.errors.contains("nonsense"));
    pdn(&["diagram", "--fen", "nonsense"]).is(1);
}

#[test]
fn options_without_effect_are_errors() {
    let folder = folder();
    folder.write("fens.txt", FEN);
    for options in [
        &["--fen", FEN, "--game", "1"][..],
        &["--fen", FEN, "--ply", "1"],
        &["--fens", "fens.txt", "--ply", "1"],
        &["--fen", FEN, "--width", "100"],
    ] {
        let run = folder.run(&[&["diagram"], options, &["-o", "board.svg"]].concat()).is(2);
        assert!(run.errors.contains(options[2]), "{}", run.errors);
        assert_eq!(folder.names(), ["fens.txt", "games.pdn"]);
    }
}
