//! Damaged and hostile records: what can be read is kept, and the work is linear.

use std::fs;

use pdn::MAX_ITEMS;
use pdn::check::{CheckOptions, reviews};
use pdn::diag::{Code, Diagnostic};
use pdn::import::games;
use pdn::source::{ChunkOptions, Chunks};
use pdn::text::Format;

use crate::support::corpus::long_tests;
use crate::support::random::Dice;
use crate::support::sources::root;

fn sample(name: &str) -> Vec<u8> {
    fs::read(root().join("samples").join(name)).expect("a sample")
}

fn codes(bytes: &[u8]) -> Vec<Code> {
    games(bytes).flat_map(|game| game.diagnostics().iter().map(Diagnostic::code).collect::<Vec<_>>()).collect()
}

#[test]
fn a_log_is_replayed_past_a_missing_line() {
    let review = reviews(&sample("reject/missing-line.ldf"), CheckOptions::default()).next().expect("a game");
    let missing =
        review.diagnostics().iter().find(|found| found.code() == Code::LOG_MISSING_LINE).expect("a diagnostic");
    assert_eq!(missing.to_string(), "lines are missing between ply 5 and ply 7; only 10-14 fits the boards");
    // The position that is set up after the gap lets the rest be replayed.
    let last = review.game().final_fen().expect("a position");
    let whole = sample("accept/board.ldf");
    let whole = reviews(&whole, CheckOptions::default()).next().expect("a game");
    assert_eq!(Some(last), whole.game().final_fen());
}

#[test]
fn a_move_that_cannot_be_played_is_named_by_the_board() {
    let text = String::from_utf8(sample("accept/board.ldf")).expect("ASCII").replace("14-19]", "14-20]");
    let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
    let board = review.diagnostics().iter().find(|found| found.code() == Code::LOG_BOARD).expect("a diagnostic");
    assert!(board.to_string().contains("14-20"), "{board}");
    let text = text.replace("14-20]", "34-99]");
    let review = reviews(text.as_bytes(), CheckOptions::default()).next().expect("a game");
    let board = review.diagnostics().iter().find(|found| found.code() == Code::LOG_BOARD).expect("a diagnostic");
    assert_eq!(board.to_string(), "34-99 cannot be played; only 14-19 fits the board in the log");
    assert!(review.diagnostics().iter().any(|found| found.code() == Code::MOVE_ILLEGAL));
}

/// Whatever is overwritten, moves are lost only with diagnostics.
#[test]
fn damage_never_loses_moves_silently() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for name in ["accept/board.ldf", "accept/turbo.txt", "accept/lidraughts.ndjson", "accept/round.json"] {
        let whole = sample(name);
        let count = |bytes: &[u8]| games(bytes).map(|game| game.tree().written_moves()).sum::<usize>();
        for _ in 0..300 {
            let mut bytes = whole.clone();
            let (at, length) = (dice.below(bytes.len()), 1 + dice.below(60));
            let end = (at + length).min(bytes.len());
            bytes[at..end].fill(b'#');
            crate::fuzz::targets::import::check(&bytes);
            if Format::of(&bytes) == Format::of(&whole) && count(&bytes) < count(&whole) {
                let mut reader = games(&bytes);
                let found = reader.by_ref().map(|game| game.diagnostics().len()).sum::<usize>();
                assert!(found + reader.take_outside().len() > 0, "{name}: {}", String::from_utf8_lossy(&bytes));
            }
        }
    }
}

#[test]
fn objects_nested_a_hundred_thousand_deep_are_refused() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for closed in [0, 100_000] {
            let deep = format!("{}1{}", open.repeat(100_000), close.repeat(closed));
            let text = format!(
                "{{\"id\":\"a\",\"moves\":\"32-28 19-23\",\"x\":{deep}}}\n{{\"id\":\"b\",\"moves\":\"32-28\"}}\n"
            );
            let read: Vec<_> = games(text.as_bytes()).collect();
            assert_eq!(read.iter().map(|game| game.tree().written_moves()).collect::<Vec<_>>(), [2, 1]);
            assert_eq!(codes(text.as_bytes()), [Code::LOG_NESTING]);
        }
    }
}

/// A search for the line end from each position would take hours.
#[test]
fn a_log_without_line_ends_takes_linear_time() {
    let line = "[N,\"bbbbbbbbbbbbbbbbbbbb       w  w wwwwwwwwwwwwwwwwww\",B,n/a    ,n/a    ,  1,32-28]";
    let size = if long_tests() { 64_000_000 } else { 4_000_000 };
    for piece in [line, "[N,\"bb  ", "[N,", "x", "[White\"a\"]"] {
        let text = format!("[White\"a\"]{line}{}", piece.repeat(size / piece.len()));
        let chunks = Chunks::new("-", Box::new(std::io::Cursor::new(text)), &ChunkOptions::default()).expect("memory");
        let mut found = 0;
        for chunk in chunks.map(|chunk| chunk.expect("memory")) {
            assert_eq!(chunk.format(), Format::BoardLog, "{piece}");
            for game in games(chunk.bytes()) {
                found += 1;
                assert!(game.tree().nodes().len() <= MAX_ITEMS && game.diagnostics().len() < 10_000, "{piece}");
            }
        }
        assert_eq!(found, 1, "{piece}");
    }
}

#[test]
fn a_line_of_moves_of_any_length_is_read() {
    let moves = "1.32-28 ".repeat(100_000);
    let text = format!("(1) A,B. - C,D.\nCup, 01-02-1980\n\n{moves}2-0 (1.00/2.00)\n");
    assert_eq!(games(text.as_bytes()).count(), 1);
    let text = format!("{{\"id\":\"a\",\"moves\":\"{}\"}}", "32-28 ".repeat(200_000));
    assert_eq!(codes(text.as_bytes()), [Code::REPLAY_TOO_LARGE]);
}

/// The encoding of a record is that of all of it: looking for it at each pairing would take minutes.
#[test]
fn a_hundred_thousand_pairings_take_linear_time() {
    let pairing = r#"{"white":{"fname":"Ann","lname":"Adams"},"black":{"lname":"Bell"},"result":"2-0"}"#;
    let text = format!(r#"{{"pairings":[{}{pairing}]}}"#, format!("{pairing},").repeat(99_999));
    assert_eq!(games(text.as_bytes()).count(), 100_000);
}
