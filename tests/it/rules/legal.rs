//! Every legal move of hard positions against `tests/data/rules/legal/`.

use std::fs;

use crate::support::board::{position, square};
use pdn::board::Square;
use pdn::rules::{Move, Variant};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    fen: String,
    moves: Vec<Listed>,
    tag: String,
}

#[derive(Deserialize)]
struct Listed {
    from: u8,
    to: u8,
    captured: Vec<u8>,
}

type Plain = (Square, Square, Vec<Square>);

fn listed(variant: Variant, listed: &Listed) -> Plain {
    let mut captured: Vec<_> = listed.captured.iter().map(|&n| square(variant, n)).collect();
    captured.sort_unstable();
    (square(variant, listed.from), square(variant, listed.to), captured)
}

fn plain(played: &Move) -> Plain {
    (played.from(), played.to(), played.captured().iter().collect())
}

fn agrees(name: &str) {
    let variant = Variant::by_name(name).expect("a variant");
    let text =
        fs::read_to_string(format!("tests/data/rules/legal/{name}.jsonl")).expect("the data lies in the repository");
    let mut cases = 0;
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).expect("a position a line");
        let position = position(variant, &case.fen);
        let mut expected: Vec<_> = case.moves.iter().map(|m| listed(variant, m)).collect();
        let mut found: Vec<_> = position.legal_moves().iter().map(plain).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{name} {} ({})", case.fen, case.tag);
        assert_eq!(position.can_capture(), expected.iter().any(|m| !m.2.is_empty()), "{name} {}", case.fen);
        cases += 1;
    }
    assert!(cases > 100, "{name}: only {cases} positions");
}

#[test]
fn international() {
    agrees("international");
}

#[test]
fn italian() {
    agrees("italian");
}

#[test]
fn brazilian() {
    agrees("brazilian");
}

#[test]
fn russian() {
    agrees("russian");
}

#[test]
fn english() {
    agrees("english");
}

#[test]
fn frisian() {
    agrees("frisian");
}
