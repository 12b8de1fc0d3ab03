//! Properties that hold for any text: nothing is lost, nothing panics, and what is called legal is.

use pdn::notation::{Numbering, parse_fen, resolve};
use pdn::pdn::MoveText;
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
fn a_game_is_plain_however_its_moves_are_written() {
    let plain = |text: &[u8]| crate::fuzz::targets::replay::check_plain(text, None);
    for text in [
        "[GameType \"20\"]\n1. 32-28 19-23 2. 28-19 14x23 3. 33x29 *",
        "[GameType \"20\"]\n1. 32-28! 19-23 (18-23) $2 3. 28x19 7. 14x23 {c} *",
        "[GameType \"20\"]\n1. 32- 28 19-23 2. 28x19 14x23 3. 37-32 *",
        "[GameType \"20\"]\n[FEN \"W:W28,32:B1,14,23\"]\n1. 28x19x10 1-6 *",
        "[GameType \"25\"]\n1. cd4 dc5 2. bc3 fg5 *",
        "[GameType \"25\"]\n1. c3d4 d6c5 2. b2-c3 f6-g5 *",
        "[GameType \"20\"]\n[White \" A. Player \"]\n[Setup \"1\"]\n[FEN \"W:W31,31,32:B19.\"]\n1. 31-27 19-23 *",
        "[GameType \"20\"]\n[SetUp \"1\"]\n1. 32-28 *",
        "[GameType \"20\"]\n[FEN \"B:W31,K5:BK17\"]\n1-0",
        "[GameType \"20\"]\n[Event \"a\"] *",
        "1. 21-17 9-13 2. 25-21 5-9 3. 23-19 1-5 4. 19-15 12x19 *",
    ] {
        assert_eq!(plain(text.as_bytes()), 1, "{text}");
    }
    // The first game that is not UTF-8 has a note on its encoding.
    let game = b"[Event \"caf\xe9 \xa0\"]\n[GameType \"20\"]\n1. 32-28 {\xe9} *\n\n";
    assert_eq!(plain(&game.repeat(3)), 2);
}

#[test]
fn results_without_games_take_bounded_memory() {
    let text = b"* ".repeat(100_000);
    let mut reader = pdn::pdn::games(&text);
    assert!(reader.next().is_none());
    let outside = reader.take_outside();
    assert_eq!(outside.iter().map(|found| found.diagnostic().count()).sum::<u32>(), 100_000);
    assert_eq!((outside.len(), outside[1000].diagnostic().to_string().as_str()), (1001, "and 99000 more like it"));
}

#[test]
fn more_games_than_are_kept_at_a_time_are_the_same() {
    let games = "[GameType \"20\"] 1. 32-28 *\n\n1-2 *\n\n{c} [E \"a\"] *\n\n";
    let text = games.repeat(4000) + "* oops\n" + games;
    // A game after text outside games is not plain.
    assert_eq!(crate::fuzz::targets::replay::check_plain(text.as_bytes(), None), 4000);
}

proptest! {
    #[test]
    fn any_soup_is_replayed(text in soup()) {
        crate::fuzz::targets::replay::check(text.as_bytes());
    }

    #[test]
    fn plain_games_are_what_their_trees_are(text in soup(), which in 0..4_usize) {
        let variants = [None, Some(Variant::INTERNATIONAL), Some(Variant::RUSSIAN), Some(Variant::THAI)];
        crate::fuzz::targets::replay::check_plain(text.as_bytes(), variants[which]);
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
            let resolved = resolve(&position, &MoveText::parse(&text).unwrap(), numbering);
            prop_assert_eq!(resolved.map(|resolved| resolved.played()), Ok(played), "{} in {}", text, fen);
        }
    }

    #[test]
    fn any_text_is_a_fen_or_none(text in "[WBK?:,0-9a-k. -]{0,30}|\\PC{0,12}") {
        for variant in [Variant::INTERNATIONAL, Variant::RUSSIAN, Variant::SPANISH] {
            if let Err(error) = parse_fen(&text, Numbering::for_variant(variant)) {
                for fault in &error {
                    prop_assert!(text.get(fault.span().range()).is_some());
                }
            }
        }
    }
}
