//! The share of real games that are replayed without a tree. To see it file by file, run
//! `cargo test --test it corpus::plain -- --nocapture`.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use pdn::check::{CheckOptions, Tally, tally};

use crate::support::corpus::{corpus, records};

fn show(name: &str, found: &Tally) {
    let share = 100.0 * found.plain_games as f64 / found.games.max(1) as f64;
    println!("{name:60} {:>7} games {:>7} plain {share:>5.1} %", found.games, found.plain_games);
}

#[test]
fn nearly_all_real_games_are_plain() {
    let Some(folder) = corpus() else { return };
    let mut all = Tally::default();
    for record in records(&folder) {
        let found = tally(&record.bytes, &CheckOptions::default());
        show(&record.name, &found);
        // A large collection of clean games would hide the others, and positions of an unknown variant cannot be replayed.
        if found.games < 2000 && found.played > 0 {
            all.games += found.games;
            all.plain_games += found.plain_games;
        }
    }
    show("collections of less than 2,000 games", &all);
    assert!(100 * all.plain_games >= 95 * all.games, "{all:?}");
}
