//! The positions of a page are those of the rules, for every variant.

use std::fmt::Write as _;

use pdn::rules::{Position, Variant};

use crate::support::binary::Folder;
use crate::support::browser::Browser;
use crate::support::random::Dice;

const PLIES: usize = 60;

/// Returns a random game as a record, and the FEN after each ply.
fn game(variant: Variant, dice: &mut Dice) -> (String, Vec<String>) {
    let mut position = Position::start(variant);
    let (mut moves, mut fens) = (String::new(), vec![position.fen()]);
    for _ in 0..PLIES {
        let legal = position.legal_moves();
        let Some(played) = legal.get(dice.below(legal.len())) else { break };
        let _ = write!(moves, "{} ", position.full(played));
        position = position.play_unchecked(played);
        fens.push(position.fen());
    }
    (format!("[Result \"*\"]\n\n{moves}*\n"), fens)
}

#[test]
fn positions_are_those_of_the_rules() {
    let folder = Folder::new();
    let Some(mut browser) = Browser::start() else { return };
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for &variant in Variant::ALL {
        let (record, fens) = game(variant, &mut dice);
        folder.write("game.pdn", &record);
        folder.run(&["report", "game.pdn", "--variant", variant.name(), "-o", "report.html"]).is(0);
        browser.open(&folder.path("report.html"), "");
        for (ply, fen) in fens.iter().enumerate() {
            assert_eq!(browser.text("document.querySelector('#fen').value"), *fen, "{variant} {ply}: {record}");
            browser.press("ArrowRight");
        }
        let size = variant.shape().square_count();
        assert_eq!(browser.value("document.querySelectorAll('#board .names text').length"), size, "{variant}");
    }
    browser.is_quiet(&["report.html"]);
}
