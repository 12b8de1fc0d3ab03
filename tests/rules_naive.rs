//! The move generator against a slow one, on random positions of every variant. `PROPTEST_CASES` sets how many:
//! `PROPTEST_CASES=1000000 cargo test --release --test rules_naive`.

#![allow(clippy::print_stdout)] // how many positions were compared

#[path = "fuzz/targets/rules.rs"]
#[allow(dead_code, reason = "the positions here are made otherwise")]
mod compared;
#[path = "common/strategy.rs"]
mod strategy;

use std::cell::Cell;

use compared::naive::{self, Board};
use pdn::rules::{Counting, Position, Variant, perft};
use strategy::for_positions;

fn agrees(name: &str) {
    let (compared, skipped) = (Cell::new(0_u64), Cell::new(0_u64));
    for_positions(name, |position| {
        // Two null moves forget the repeated king moves, which the naive generator does not know.
        let position = position.pass().pass();
        let count = if compared::compare(&position) { &compared } else { &skipped };
        count.set(count.get() + 1);
        Ok(())
    });
    println!("{name}: {} positions agree, {} skipped", compared.get(), skipped.get());
    assert!(skipped.get() * 20 < compared.get());
}

macro_rules! variants {
    ($($test:ident $name:literal)*) => {
        $(#[test]
        fn $test() {
            agrees($name);
        })*

        #[test]
        fn every_variant_is_compared() {
            let compared = [$($name),*];
            assert!(Variant::ALL.iter().all(|variant| compared.contains(&variant.name())));
        }
    };
}

variants! {
    international "international"
    english "english"
    italian "italian"
    pool "pool"
    pool_unified "pool-unified"
    jamaican "jamaican"
    spanish "spanish"
    russian "russian"
    brazilian "brazilian"
    canadian "canadian"
    portuguese "portuguese"
    czech "czech"
    turkish "turkish"
    thai "thai"
    frisian "frisian"
    spantsiretti "spantsiretti"
    killer "killer"
    breakthrough "breakthrough"
    antidraughts "antidraughts"
    frysk "frysk"
}

fn leaves(variant: &str, board: &Board, depth: u32) -> u64 {
    let moves = naive::legal_moves(variant, board).expect("few enough captures");
    if depth <= 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|(key, made)| leaves(variant, &board.after(key, made), depth - 1)).sum()
}

/// `NAIVE_DEPTH=6 cargo test --release --test rules_naive leaf_counts` compares deeper.
#[test]
fn leaf_counts() {
    let depth = std::env::var("NAIVE_DEPTH").ok().and_then(|depth| depth.parse().ok()).unwrap_or(4);
    for &variant in Variant::ALL {
        let start = Position::start(variant);
        for depth in 1..=depth {
            let count = leaves(variant.name(), &Board::of(&start), depth);
            println!("{variant} depth {depth}: {count}");
            assert_eq!(perft(&start, depth, Counting::Distinct), Ok(count), "{variant} depth {depth}");
        }
    }
}
