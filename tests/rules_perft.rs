//! Leaf counts of every variant against `tests/data/rules/perft.json`.

mod common;

use std::collections::BTreeMap;
use std::fs;

use common::position;
use pdn::rules::{Counting, Position, Variant, perft, perft_parallel};
use serde::Deserialize;

#[derive(Deserialize)]
struct Data {
    start: BTreeMap<String, Counts>,
    positions: Vec<Named>,
}

#[derive(Deserialize)]
struct Counts {
    #[serde(default)]
    distinct: Vec<u64>,
    #[serde(default)]
    paths: Vec<u64>,
    #[serde(default)]
    at_depth: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    variant: String,
    fen: String,
    #[serde(flatten)]
    counts: Counts,
}

/// Most leaves of one count in the variants that come first, and in the others.
const MOST_LEAVES: u64 = 60_000_000;
const FEWER_LEAVES: u64 = 6_000_000;

fn data() -> Data {
    let text = fs::read_to_string("tests/data/rules/perft.json").expect("the data lies in the repository");
    serde_json::from_str(&text).expect("the data is JSON")
}

fn check(name: &str, position: &Position, counts: &Counts, most: u64) {
    let at_depth = counts.at_depth.iter().map(|(depth, &leaves)| (depth.parse().expect("a depth"), leaves));
    let distinct = (1..).zip(counts.distinct.iter().copied()).chain(at_depth);
    let paths = (1..).zip(counts.paths.iter().copied());
    let all = distinct.map(|c| (Counting::Distinct, c)).chain(paths.map(|c| (Counting::Paths, c)));
    for (counting, (depth, leaves)) in all.filter(|(_, (_, leaves))| *leaves <= most) {
        assert_eq!(perft(position, depth, counting), Ok(leaves), "{name}, depth {depth}, {counting:?}");
    }
}

fn start_positions(wanted: impl Fn(Variant) -> bool, most: u64) {
    let data = data();
    let mut met = 0;
    for (name, counts) in &data.start {
        let variant = Variant::by_name(name).unwrap_or_else(|| panic!("no variant {name}"));
        if wanted(variant) {
            check(name, &Position::start(variant), counts, most);
            met += 1;
        }
    }
    assert!(met > 0);
}

fn is_main(variant: Variant) -> bool {
    [Variant::INTERNATIONAL, Variant::ITALIAN, Variant::BRAZILIAN].contains(&variant)
}

#[test]
fn start_positions_of_the_main_variants() {
    start_positions(is_main, MOST_LEAVES);
}

#[test]
fn start_positions_of_the_other_variants() {
    start_positions(|variant| !is_main(variant), FEWER_LEAVES);
}

#[test]
fn other_positions() {
    for named in data().positions {
        let variant = Variant::by_name(&named.variant).unwrap_or_else(|| panic!("no variant {}", named.variant));
        check(&named.name, &position(variant, &named.fen), &named.counts, MOST_LEAVES);
    }
}

#[test]
fn threads_count_the_same() {
    for &variant in Variant::ALL {
        let start = Position::start(variant);
        for depth in 0..8 {
            for counting in [Counting::Distinct, Counting::Paths] {
                let expected = perft(&start, depth, counting);
                assert_eq!(perft_parallel(&start, depth, counting), expected, "{variant} {depth} {counting:?}");
            }
        }
    }
}

#[test]
fn a_decided_game_has_no_leaves() {
    let lost = position(Variant::INTERNATIONAL, "W:W46:B41,37");
    assert!(lost.legal_moves().is_empty());
    assert_eq!(perft_parallel(&lost, 9, Counting::Distinct), Ok(0));
    assert_eq!(perft(&lost, 0, Counting::Distinct), Ok(1));
}
