//! The move generator against a slow one, on random positions of every variant. `PROPTEST_CASES` sets how many:
//! `PROPTEST_CASES=1000000 cargo test --release --test it rules::naive`.

#![allow(clippy::print_stdout)] // how many positions were compared

use std::cell::Cell;

use crate::naive::{self, Board};
use crate::support::positions::{for_positions, for_positions_of};
use pdn::rules::{
    Counting, Goal, KingLanding, KingRange, ManCaptures, Position, Precedence, Promotion, Removal, RuleSpec, Variant,
    perft,
};

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

/// House rules of any kind that the boards allow.
fn house_rules(mut n: u32) -> RuleSpec<'static> {
    let n = &mut n;
    let base = choose(n, &[Variant::BRAZILIAN, Variant::INTERNATIONAL, Variant::SPANTSIRETTI, Variant::TURKISH]);
    let mut spec = base.spec().clone();
    spec.name = "random";
    spec.draws = Variant::BREAKTHROUGH.spec().draws;
    if base != Variant::TURKISH {
        use ManCaptures::{Diagonally, DiagonallyForward, EightWays};
        spec.man_captures = choose(n, &[DiagonallyForward, Diagonally, EightWays]);
    }
    spec.men_take_kings = choose(n, &[true, false]);
    spec.king_landing = KingLanding::Anywhere;
    spec.king_range = choose(n, &[KingRange::Flying, KingRange::Flying, KingRange::Flying, KingRange::Short]);
    if spec.king_range == KingRange::Flying {
        use KingLanding::{Anywhere, DirectlyBehind, DirectlyBehindKing};
        spec.king_landing = choose(n, &[Anywhere, DirectlyBehind, DirectlyBehindKing]);
    }
    (spec.removal, spec.may_turn_back) =
        choose(n, &[(Removal::AfterMove, true), (Removal::AtOnce, true), (Removal::AtOnce, false)]);
    spec.promotion = choose(n, &[Promotion::AtEnd, Promotion::EndsMove, Promotion::GoesOnAsKing]);
    {
        use Precedence::{Free, HighestValue, Italian, Most, MostThenKings, WithKing};
        spec.precedence = choose(n, &[Free, Most, MostThenKings, Italian, HighestValue, WithKing]);
    }
    spec.goal = choose(n, &[Goal::Block, Goal::Block, Goal::Lose, Goal::FirstKing]);
    spec
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
        let spec = house_rules((u64::from(n) * 7919 % u64::from(HOUSES)) as u32);
        let variant =
            Variant::house(&spec, Variant::BRAZILIAN.conventions()).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
        println!("{n}: {spec:?}");
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
            assert_eq!(perft(&start, depth, Counting::Distinct), Ok(count), "{variant} depth {depth}");
        }
    }
}
