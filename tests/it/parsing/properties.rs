//! What holds for every text, however damaged.

use std::fmt::Write as _;

use pdn::diag::Span;
use pdn::{
    Attachment, Flow, MAX_ITEMS, MoveText, Node, Parsed, Visitor, WriteOptions, WrittenNumber, games, read, write_game,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Pieces that records are made of, sound and damaged.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "[Event \"a\"]", "[FEN \"W:W31:B20\"]", "[Result \"0-1\"]", "[Round 17]", "[Site \"x]", "Event \"y\"]", "[", "]",
    "[[", "\n", "\n\n", "\r\n", "\r", " ", "\t", "1.", "1...", "12", "1. 32-28", "32-28", "7- 2", "18x 9", "11x18",
    "18x25", "a3b4", "ed4", "C3:D4", "3228", "12-21-32", "...", "-", "--", "- -", "*", "1-0", "1/2-1/2", "1:0", "7-5",
    "!", "?!", "(!)", "$7", "$99999", "(", ")", "((", "{", "}", "{c}", "{a {b} c}", "(see 12)", "prose", "Red won",
    "% line", "; line", "/FEN \"B::\"/", "/", "<42, 29>", "<", "\\r", "\\", "\"", ".", "\0", "\u{1A}", "é", "½-½",
    "32–28", "\u{FEFF}", "9n ", "1-18", "99999999999.", "0-51",
];

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        20 => prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(0u8..128, 1..4),
    ];
    prop::collection::vec((piece, any::<bool>()), 0..40).prop_map(|pieces| {
        pieces.into_iter().flat_map(|(piece, blank)| piece.into_iter().chain(blank.then_some(b' '))).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, rng_seed: RngSeed::Fixed(64), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        crate::fuzz::targets::read::check(&bytes);
    }

    #[test]
    fn every_byte_is_told(bytes in damaged()) {
        crate::fuzz::targets::read::check(&bytes);
    }

    #[test]
    fn writing_is_stable(bytes in damaged()) {
        crate::fuzz::targets::write::check(&bytes);
    }

    #[test]
    fn sound_games_are_kept(moves in prop::collection::vec((3u8..=50, 1u8..=50, any::<bool>(), 0usize..7), 0..60)) {
        let mut text = String::from("[Event \"x\"]\n");
        for &(from, to, takes, extra) in &moves {
            let sign = if takes { 'x' } else { '-' };
            let _ = write!(text, " 7. {from}{sign}{to}");
            text += [" {a comment}", " (1. 32-28 (18-23) 19-23)", " $3", "!?", "", "", ""][extra];
        }
        text.push_str(" *");
        let parsed: Vec<Parsed> = games(text.as_bytes()).collect();
        prop_assert_eq!(parsed.len(), 1);
        prop_assert_eq!(parsed[0].tree().written_moves(), moves.len());
        prop_assert_eq!(parsed[0].diagnostics(), &[]);
        let again = write_game(parsed[0].tree(), WriteOptions::default());
        let again = games(again.as_bytes()).next().unwrap();
        prop_assert_eq!(again.tree().clone().without_spans(), parsed[0].tree().clone().without_spans());
    }
}

/// The cost of each of these is in proportion to its length; a quadratic one would not end.
#[rustfmt::skip]
#[test]
fn hostile_texts_take_linear_time() {
    const TIMES: usize = 100_000;
    for piece in [
        "(", "( ", "(a", "( a ", ")", "{", "}", "{ { }", "{a}", "{\n\n[A \"", "[A \"x\n", "[A \"", "[A \"x\\", "[", "\"",
        "1.", "1. ", "1-0 ", "*", "- ", "(32-28 ", "(1. 32-28 {x} ", "{c} x ", "{c} 1. ", "% x\n", "!", "$", "word ",
        "12 ", "32-28", "11x18 ", "18x18 ", "18x", "\\r", "\0", "/FEN \"", "<", "...", "\n\n", "[Event \"x\"]\n\n",
        "Event \"x\"\n", "a", "a1", "7", "7 ", "½", "[Result \"7-5\"] 7-5 ", "\r", "\u{1}", "/", "(!", "( {",
    ] {
        for start in ["", "[Event \"x\"]\n1. 32-28 "] {
            let text = start.to_owned() + &piece.repeat(TIMES);
            let len: usize = games(text.as_bytes()).map(|game| game.tree().byte_len() as usize).sum();
            assert!(len <= text.len(), "{piece}");
        }
    }
}

#[test]
fn deep_nesting_survives_everything() {
    const DEEP: usize = MAX_ITEMS / 2 - 1;
    let text = "1. 32-28 ".to_owned() + &"(1. 33-29 ".repeat(DEEP) + &")".repeat(DEEP) + " *";
    let game = games(text.as_bytes()).next().unwrap();
    assert_eq!(game.tree().lines().len(), DEEP + 1);
    let again = write_game(game.tree(), WriteOptions::default());
    let again = games(again.as_bytes()).next().unwrap();
    assert!(again.tree().clone().without_spans() == game.tree().clone().without_spans());
}

#[test]
fn an_early_exit_stops_the_reader() {
    struct First(usize);
    impl Visitor for First {
        fn game_move(&mut self, _: Option<(WrittenNumber, Span)>, _: MoveText, _: Span) -> Flow {
            self.0 += 1;
            Flow::Break(())
        }
    }
    let mut first = First(0);
    assert!(read(b"1. 32-28 19-23 *", &mut first).is_break());
    assert_eq!(first.0, 1);
}

#[test]
fn damage_loses_at_most_one_game() {
    let sound = "[Event \"x\"]\n[White \"w\"]\n\n1. 32-28 {c} 19-23 (1... 18-23) 2. 28x19 1-0\n\n";
    for fault in ["{", "(", "((", "[Round \"1", "\"", "}", ")", "[", "%", "/FEN \"", "<1,", "\\", "1."] {
        for cut in (0..sound.len() - 1).filter(|&cut| sound.is_char_boundary(cut)) {
            let damaged = sound[..cut].to_owned() + fault + &sound[cut..];
            let text = sound.to_owned() + &damaged + sound + sound;
            let whole = games(text.as_bytes()).filter(|game| {
                let comments = game.tree().nodes().iter().flat_map(Node::attachments);
                let comments = comments.filter(|item| matches!(item, Attachment::Comment { .. }));
                game.tree().written_moves() == 3 && game.tree().terminator().is_some() && comments.count() == 1
            });
            assert!(whole.count() >= 3, "{fault} at {cut}: {text}");
        }
    }
}
