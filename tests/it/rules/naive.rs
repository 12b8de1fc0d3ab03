//! The move generator against a slow one, on random positions of every variant. `PROPTEST_CASES` sets how many:
//! `PROPTEST_CASES=1000000 cargo test --release --test it rules::naive`.

#![allow(clippy::print_stdout)] // how many positions were compared

use std::cell::Cell;

use crate::naive::{self, Board};
use crate::support::positions::{for_positions, for_positions_of};
use pdn::notation::read_rules;
use pdn::rules::{Counting, Position, Variant, perft};

/// Positions that were compared and that were skipped.
#[derive(Default)]
struct Counts {
    compared: Cell<u64>,
    skipped: Cell<u64>,
}

impl Counts {
    fn compare(&self, position: Position) {
        // Two null moves forget the repeated king moves, which the naive generator does not know.
        let position = position.pass().pass();
        let count = if crate::fuzz::targets::rules::compare(&position) { &self.compared } else { &self.skipped };
        count.set(count.get() + 1);
    }

    fn report(&self, name: &str) {
        let (compared, skipped) = (self.compared.get(), self.skipped.get());
        println!("{name}: {compared} positions agree, {skipped} skipped");
        assert!(skipped * 20 < compared.max(1));
    }
}

fn agrees(name: &str) {
    let counts = Counts::default();
    for_positions(name, |position| {
        counts.compare(position);
        Ok(())
    });
    counts.report(name);
}

/// One of the values that a number chooses; what is left of the number chooses others.
fn choose<T: Copy>(number: &mut u32, values: &[T]) -> T {
    let chosen = values[*number as usize % values.len()];
    *number /= values.len() as u32;
    chosen
}

/// A rules file with house rules of any kind that the boards allow.
fn house_rules(mut n: u32) -> String {
    let n = &mut n;
    let base = choose(n, &["brazilian", "international", "spantsiretti", "turkish"]);
    let mut text = format!("name = 'random'\nbase = '{base}'\n");
    let mut add = |name: &str, value: &str| text.extend([name, " = ", value, "\n"]);
    if base != "turkish" {
        add("man-captures", choose(n, &["'diagonally-forward'", "'diagonally'", "'eight-ways'"]));
    }
    add("men-take-kings", choose(n, &["true", "false"]));
    let range = choose(n, &["'flying'", "'flying'", "'flying'", "'short'"]);
    add("king-range", range);
    let landings = ["'anywhere'", "'directly-behind'", "'directly-behind-king'"];
    add("king-landing", if range == "'flying'" { choose(n, &landings) } else { landings[0] });
    let (removal, may_turn_back) =
        choose(n, &[("'after-move'", "true"), ("'at-once'", "true"), ("'at-once'", "false")]);
    add("removal", removal);
    add("may-turn-back", may_turn_back);
    add("promotion", choose(n, &["'at-end'", "'ends-move'", "'goes-on-as-king'"]));
    let precedences = ["'free'", "'most'", "'most-then-kings'", "'italian'", "'highest-value'", "'with-king'"];
    add("precedence", choose(n, &precedences));
    add("goal", choose(n, &["'block'", "'block'", "'lose'", "'first-king'"]));
    text
}

/// How many different numbers [`house_rules`] understands.
const HOUSES: u32 = 4 * 3 * 2 * 4 * 3 * 3 * 3 * 6 * 4;

/// `HOUSES=1000 cargo test --release --test it rules::naive::house` compares more of them.
#[test]
fn house_rules_agree() {
    let houses: u32 = std::env::var("HOUSES").ok().and_then(|houses| houses.parse().ok()).unwrap_or(120);
    let counts = Counts::default();
    for n in 0..houses {
        // A step without a common factor meets all of them in an order that varies every rule.
        let text = house_rules((u64::from(n) * 7919 % u64::from(HOUSES)) as u32);
        let variant = read_rules(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        println!("{n}: {text}");
        for_positions_of(variant, 100, |position| {
            counts.compare(position);
            Ok(())
        });
    }
    counts.report("house rules");
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

fn leaves(variant: Variant, board: &Board, depth: u32) -> u64 {
    let moves = naive::legal_moves(variant, board).expect("few enough captures");
    if depth <= 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|(key, made)| leaves(variant, &board.after(key, made), depth - 1)).sum()
}

/// `NAIVE_DEPTH=6 cargo test --release --test it leaf_counts` compares deeper.
#[test]
fn leaf_counts() {
    let depth = std::env::var("NAIVE_DEPTH").ok().and_then(|depth| depth.parse().ok()).unwrap_or(4);
    for &variant in Variant::ALL {
        let start = Position::start(variant);
        for depth in 1..=depth {
            let count = leaves(variant, &Board::of(&start), depth);
            println!("{variant} depth {depth}: {count}");
            assert_eq!(perft(&start, depth, Counting::Distinct), Some(count), "{variant} depth {depth}");
        }
    }
}
