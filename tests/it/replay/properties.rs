//! Properties that hold for any text: nothing is lost, nothing panics, and what is called legal is.

use pdn::notation::{Numbering, parse_fen, resolve};
use pdn::rules::{Position, Variant};
use proptest::prelude::*;

/// Pieces of games, put together at random.
const TOKENS: [&str; 34] = [
    "1.",
    "2.",
    "1...",
    "...",
    "32-28",
    "19-23",
    "28x19",
    "14x23",
    "3-26",
    "1x4",
    "c3-d4",
    "ab4",
    "b6:d4",
    "3228",
    "-",
    "(",
    ")",
    "{c}",
    "$1",
    "!",
    "/FEN \"B::\"/",
    "/FEN \"W:W28,K1:B22\"/",
    "/FEN \"?:W28:B22,K5\"/",
    "/FEN \"W:W99\"/",
    "*",
    "1-0",
    "[GameType \"20\"]",
    "[GameType \"25,W,8,8,A0,0\"]",
    "[GameType \"31\"]",
    "[FEN \"B:W28:B17\"]",
    "[FEN \"x\"]",
    "[Result \"2-0\"]",
    "47x36 <42, 29>",
    "99-0",
];

fn soup() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(&TOKENS[..]), 0..60).prop_map(|tokens| tokens.join(" "))
}

/// A position that is reached by legal moves chosen at random, with its last move.
fn walk(variant: Variant, choices: &[u8]) -> Position {
    let mut position = Position::start(variant);
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() || position.winner().is_some() {
            break;
        }
        position = position.play_unchecked(&moves[usize::from(choice) % moves.len()]);
    }
    position
}

#[test]
fn results_without_games_take_bounded_memory() {
    let text = b"* ".repeat(100_000);
    let mut reader = pdn::games(&text);
    assert!(reader.next().is_none());
    let outside = reader.take_outside();
    assert_eq!(outside.iter().map(|found| found.diagnostic().count()).sum::<u32>(), 100_000);
    assert_eq!((outside.len(), outside[1000].diagnostic().to_string().as_str()), (1001, "and 99000 more like it"));
}

#[test]
fn more_games_than_are_kept_at_a_time_are_the_same() {
    let games = "[GameType \"20\"] 1. 32-28 *\n\n1-2 *\n\n{c} [E \"a\"] *\n\n";
    let text = games.repeat(4000) + "* oops\n" + games;
    assert_eq!(crate::fuzz::targets::replay::check_heads(text.as_bytes(), None), 12_003);
}

proptest! {
    #[test]
    fn any_soup_is_replayed(text in soup()) {
        crate::fuzz::targets::replay::check(text.as_bytes());
    }

    #[test]
    fn positions_and_moves_round_trip_in_every_variant(which in 0..Variant::ALL.len(), choices in proptest::collection::vec(any::<u8>(), 0..120)) {
        let variant = Variant::ALL[which];
        let numbering = Numbering::for_variant(variant);
        let position = walk(variant, &choices);
        let fen = position.fen();
        let setup = parse_fen(&fen, numbering).unwrap();
        prop_assert_eq!(setup.turn(), Some(position.turn()));
        if position.winner().is_none() {
            let again = Position::from_setup(variant, &setup).unwrap().0;
            prop_assert!(again.pieces().eq(position.pieces()), "{}", fen);
        }
        for played in position.legal_moves() {
            let text = position.short(&played);
            let resolved = resolve(&position, &text.parse().unwrap(), numbering);
            prop_assert_eq!(resolved.map(|(played, _)| played), Ok(played), "{} in {}", text, fen);
        }
    }

    #[test]
    fn any_text_is_a_fen_or_none(text in "[WBK?:,0-9a-k. -]{0,30}|\\PC{0,12}") {
        for variant in [Variant::INTERNATIONAL, Variant::RUSSIAN, Variant::SPANISH] {
            if let Err(error) = parse_fen(&text, Numbering::for_variant(variant)) {
                for fault in &error {
                    prop_assert!(text.get(fault.range()).is_some());
                }
            }
        }
    }
}
