//! Leaf counts of every variant against `tests/data/rules/perft.json`.

#![expect(clippy::print_stdout, reason = "the table of results")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Instant;

use crate::support::board::position;
use pdn::rules::{Counting, Position, Variant, perft, perft_parallel};
use serde::Deserialize;

use crate::support::corpus::long_tests;

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
    /// Other variants with the same moves from the same position, whichever side starts.
    #[serde(default)]
    also: Vec<String>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    variant: String,
    fen: String,
    #[serde(flatten)]
    counts: Counts,
}

/// Maximum number of leaves of one count, from the start in the three main variants and elsewhere. Long tests have no maximum.
const MAX_LEAVES: [u64; 2] = [60_000_000, 6_000_000];

fn data() -> Data {
    let text = fs::read_to_string("tests/data/rules/perft.json").expect("the data lies in the repository");
    serde_json::from_str(&text).expect("the data is JSON")
}

impl Data {
    /// Returns the counts from the start of each variant.
    fn of_variants(&self) -> impl Iterator<Item = (Variant, &Counts)> {
        let names = self
            .start
            .iter()
            .flat_map(|(name, counts)| [name].into_iter().chain(&counts.also).map(move |name| (name, counts)));
        names.map(|(name, counts)| (variant(name), counts))
    }
}

fn variant(name: &str) -> Variant {
    Variant::by_name(name).unwrap_or_else(|| panic!("no variant {name}"))
}

impl Counts {
    /// Every count with its way of counting and its depth.
    fn all(&self) -> Vec<(Counting, (u32, u64))> {
        let at_depth = self.at_depth.iter().map(|(depth, &leaves)| (depth.parse().expect("a depth"), leaves));
        let distinct = (1..).zip(self.distinct.iter().copied()).chain(at_depth);
        let paths = (1..).zip(self.paths.iter().copied());
        distinct.map(|c| (Counting::Distinct, c)).chain(paths.map(|c| (Counting::Paths, c))).collect()
    }
}

fn check(name: &str, position: &Position, counts: &Counts, max: u64) {
    for (counting, (depth, leaves)) in counts.all().into_iter().filter(|(_, (_, leaves))| *leaves <= max) {
        assert_eq!(perft(position, depth, counting), Some(leaves), "{name}, depth {depth}, {counting:?}");
    }
}

fn start_positions(wanted: impl Fn(Variant) -> bool, max: u64) {
    let data = data();
    let mut met = 0;
    for (variant, counts) in data.of_variants().filter(|(variant, _)| wanted(*variant)) {
        check(variant.name(), &Position::start(variant), counts, max);
        met += 1;
    }
    assert!(met > 0);
}

#[test]
fn every_variant_has_counts() {
    let counted: BTreeSet<_> = data().of_variants().map(|(variant, _)| variant).collect();
    assert_eq!(counted, Variant::ALL.iter().copied().collect());
}

fn is_main(variant: Variant) -> bool {
    [Variant::INTERNATIONAL, Variant::ITALIAN, Variant::BRAZILIAN].contains(&variant)
}

#[test]
fn start_positions_of_the_main_variants() {
    start_positions(is_main, MAX_LEAVES[0]);
}

#[test]
fn start_positions_of_the_other_variants() {
    start_positions(|variant| !is_main(variant), MAX_LEAVES[1]);
}

#[test]
fn other_positions() {
    for named in data().positions {
        let variant = variant(&named.variant);
        check(&named.name, &position(variant, &named.fen), &named.counts, MAX_LEAVES[1]);
    }
}

/// One count of the data.
struct Known {
    variant: Variant,
    start: String,
    position: Position,
    depth: u32,
    counting: Counting,
    leaves: u64,
}

fn all_known() -> Vec<Known> {
    let data = data();
    let starts =
        data.of_variants().map(|(variant, counts)| (variant, "start".to_owned(), Position::start(variant), counts));
    let others = data.positions.iter().map(|named| {
        let variant = variant(&named.variant);
        (variant, named.fen.clone(), position(variant, &named.fen), &named.counts)
    });
    let known = |(variant, start, position, counts): (_, String, _, &Counts)| {
        let known =
            |(counting, (depth, leaves))| Known { variant, start: start.clone(), position, depth, counting, leaves };
        counts.all().into_iter().map(known).collect::<Vec<_>>()
    };
    starts.chain(others).flat_map(known).collect()
}

/// All counts, on all cores. `--nocapture` shows the table of the results.
#[test]
fn all_known_counts() {
    if !long_tests() {
        return;
    }
    let mut wrong = 0;
    println!("variant\tposition\tdepth\tcounting\texpected\tgot\tseconds\tagrees");
    for Known { variant, start, position, depth, counting, leaves } in all_known() {
        let clock = Instant::now();
        let got = perft_parallel(&position, depth, counting).expect("a count that fits");
        let seconds = clock.elapsed().as_secs_f64();
        wrong += u32::from(got != leaves);
        let agrees = if got == leaves { "yes" } else { "NO" };
        println!("{variant}\t{start}\t{depth}\t{counting:?}\t{leaves}\t{got}\t{seconds:.3}\t{agrees}");
    }
    assert_eq!(wrong, 0, "counts that do not agree");
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
    assert_eq!(perft_parallel(&lost, 9, Counting::Distinct), Some(0));
    assert_eq!(perft(&lost, 0, Counting::Distinct), Some(1));
}

#[test]
fn no_depth_takes_all_memory() {
    let start = Position::start(Variant::INTERNATIONAL);
    for depth in [1001, u32::MAX] {
        assert!(perft(&start, depth, Counting::Distinct).is_none());
        assert!(perft_parallel(&start, depth, Counting::Distinct).is_none());
    }
    // A game that ends early has no leaves.
    let lost = Position::from_fen(Variant::INTERNATIONAL, "W:W6:B1").expect("a position");
    assert_eq!(perft(&lost, 1000, Counting::Distinct), Some(0));
}
