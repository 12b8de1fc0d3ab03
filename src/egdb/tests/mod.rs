//! Solved classes against published counts and against a slow solver that shares no code with the fast one.

mod files;
mod fixpoint;

use std::sync::Arc;

use super::endgame::Endgame;
use super::material::Material;
use super::solve::solve;
use super::solved::Finished;
use super::values::{ClassCounts, Counts, Value};
use crate::board::Geometry;
use crate::rules::{Variant, with_rules};

/// Solves all classes of up to this many pieces and returns them with their counts.
pub(super) fn solve_all<G: Geometry>(
    game: &Arc<Endgame<G>>,
    pieces: u8,
    distances: bool,
) -> (Finished<G>, Vec<(Material, ClassCounts)>) {
    let (mut finished, mut counts) = (Finished::new(Arc::clone(game)), Vec::new());
    for class in (2..=pieces).flat_map(|pieces| game.groups(pieces)).flatten() {
        for solution in solve(game, &finished, class, &|_| {}).expect("short wins") {
            counts.push((solution.index.material, solution.counts));
            finished.add(solution.pack(distances));
        }
    }
    (finished, counts)
}

/// Returns the counts of all classes of up to this many pieces.
fn class_counts(variant: Variant, pieces: u8, distances: bool) -> Vec<(Material, ClassCounts)> {
    let options = (pieces, distances);
    with_rules!(variant, <'a, R>(rules, options: (u8, bool) = options) -> Vec<(Material, ClassCounts)> {
        solve_all(&Endgame::of(rules), options.0, options.1).1
    })
}

/// Returns win/draw/loss over all positions and over those without a capture.
fn text(counts: ClassCounts) -> String {
    let part = |values: [Value; 3], counts: Counts| values.map(|value| counts.of(value).to_string()).join("/");
    let values = [Value::Win, Value::Draw, Value::Loss];
    format!("{} {}", part(values, counts.all), part(values, counts.quiet))
}

const INTERNATIONAL: [(&str, &str); 16] = [
    ("MvM", "736/799/450 616/799/450"),
    ("MvK", "121/574/1510 1/574/1510"),
    ("KvM", "1924/281/0 1516/281/0"),
    ("KvK", "424/2024/2 16/2024/2"),
    ("MvMM", "3343/19298/20149 1858/17204/18801"),
    ("MvMK", "1745/24414/69121 0/21465/63377"),
    ("MvKK", "245/8645/44030 0/7807/39602"),
    ("KvMM", "26807/20636/77 14028/17809/7"),
    ("KvMK", "16367/88967/506 15/72355/150"),
    ("KvKK", "3240/54988/572 0/40920/236"),
    ("MMvM", "28464/13754/572 23532/13754/572"),
    ("MMvK", "5269/30939/11312 337/30939/11312"),
    ("MKvM", "85503/9776/1 64099/9776/1"),
    ("MKvK", "24373/81465/2 2969/81465/2"),
    ("KKvM", "51041/1879/0 33973/1879/0"),
    ("KKvK", "19398/39402/0 2330/39402/0"),
];

#[test]
fn international_counts_are_the_published_ones() {
    for distances in [true, false] {
        let mut found: Vec<_> = class_counts(Variant::INTERNATIONAL, 3, distances)
            .into_iter()
            .map(|(material, counts)| (material.to_string(), text(counts)))
            .collect();
        let mut known = INTERNATIONAL.map(|(material, counts)| (material.to_owned(), counts.to_owned()));
        found.sort();
        known.sort();
        assert_eq!(found, known, "with distances: {distances}");
    }
}

#[test]
fn longest_wins_are_the_published_ones() {
    let longest = |variant, pieces| {
        let counts = class_counts(variant, pieces, true);
        counts.iter().filter(|class| class.0.pieces() == pieces).filter_map(|class| class.1.longest_win).max()
    };
    assert_eq!([longest(Variant::INTERNATIONAL, 2), longest(Variant::INTERNATIONAL, 3)], [Some(17), Some(33)]);
    assert_eq!([longest(Variant::BRAZILIAN, 2), longest(Variant::BRAZILIAN, 3)], [Some(13), Some(25)]);
}

#[test]
fn a_king_against_a_king_is_the_same_in_english_and_italian() {
    for variant in [Variant::ENGLISH, Variant::ITALIAN] {
        let (material, counts) = class_counts(variant, 2, true)[0];
        assert_eq!(material.to_string(), "KvK");
        assert_eq!((text(counts).split(' ').next(), counts.longest_win), (Some("230/654/108"), Some(11)), "{variant}");
    }
}

#[test]
fn the_numbers_of_four_pieces_are_the_published_ones() {
    if std::env::var_os("PDN_LONG_TESTS").is_none() {
        return;
    }
    let counts = class_counts(Variant::INTERNATIONAL, 4, true);
    let four = counts.iter().filter(|class| class.0.pieces() == 4).map(|class| class.1);
    assert_eq!(four.clone().map(|counts| counts.all.total()).sum::<u64>(), 41_971_200);
    assert_eq!(four.filter_map(|counts| counts.longest_win).max(), Some(43));
}

/// A worker that waits for its part of the work while it holds a lock may take another job of its pool, which waits for
/// the same lock. The positions are won and belong to classes so large that several threads solve them.
#[cfg(all(feature = "engine", feature = "parallel"))]
#[test]
fn jobs_of_one_pool_do_not_wait_for_each_other() {
    use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

    let fens = ["W:Wa1,Kc1:Bh2,Kh8", "W:Wa1,c1,Ke1:Bh8", "W:Wa1,Kc1,Ke1:Bh8", "W:Wa1,c1,e1:BKh8"];
    let positions = fens.map(|fen| crate::rules::Position::from_fen(Variant::BRAZILIAN, fen).expect("a position"));
    let tables = super::EndgameTables::embedded(Variant::BRAZILIAN);
    let tables = tables.typed::<crate::board::Board8x8>().expect("tables of this board");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads");
    let decided: Vec<bool> = pool.install(|| {
        let jobs = (0..16).into_par_iter().with_max_len(1);
        jobs.map(|n: usize| tables.best_line(&positions[n % positions.len()].state(), |_, _| true).is_some()).collect()
    });
    assert!(decided.iter().any(|&is_decided| is_decided));
    assert!((0..16).all(|n| decided[n] == decided[n % positions.len()]));
}
