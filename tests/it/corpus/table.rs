//! The diagnostics of the real collections, file by file: each game that does not replay has one that explains it. To see
//! the table, run
//! `cargo test --test it corpus::table -- --nocapture`.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pdn::check::{CheckOptions, reviews};
use pdn::diag::{Code, Diagnostic, Severity};

use crate::support::corpus::{corpus, records};

#[derive(Default)]
struct Row {
    bytes: usize,
    games: u64,
    plies: u64,
    clean: u64,
    /// Games that are not clean, and of which no diagnostic says why.
    unexplained: u64,
    codes: BTreeMap<(Severity, &'static str), u64>,
}

impl Row {
    fn of(bytes: &[u8]) -> Self {
        let mut row = Self { bytes: bytes.len(), ..Self::default() };
        let mut reader = reviews(bytes, CheckOptions::default());
        for review in reader.by_ref() {
            let game = review.game();
            row.games += 1;
            row.plies += game.plies_played() as u64;
            row.clean += u64::from(game.is_clean());
            let says_why = |found: &Diagnostic| {
                found.severity() == Severity::Error || found.code() == Code::REPLAY_UNKNOWN_VARIANT
            };
            let explained = game.is_clean() || game.written() == 0 || review.diagnostics().iter().any(says_why);
            row.unexplained += u64::from(!explained);
            for found in review.diagnostics() {
                *row.codes.entry((found.severity(), found.code().name())).or_default() += 1;
            }
        }
        for found in reader.take_outside() {
            *row.codes.entry((found.diagnostic().severity(), found.diagnostic().code().name())).or_default() += 1;
        }
        row
    }

    fn add(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.games += other.games;
        self.plies += other.plies;
        self.clean += other.clean;
        self.unexplained += other.unexplained;
        for (code, count) in &other.codes {
            *self.codes.entry(*code).or_default() += count;
        }
    }

    fn print(&self, name: &str) {
        let codes = self.codes.iter().rev().fold(String::new(), |mut all, ((severity, name), count)| {
            let _ = write!(all, "{}{severity} {name} {count}", if all.is_empty() { "" } else { ", " });
            all
        });
        println!("| {name} | {} | {} | {} | {} | {codes} |", self.bytes, self.games, self.plies, self.clean);
    }
}

#[test]
fn table() {
    let Some(corpus) = corpus() else { return };
    let mut sum = Row::default();
    println!("| file | bytes | games | plies | clean | diagnostics |\n|---|---|---|---|---|---|");
    for record in records(&corpus) {
        let row = Row::of(&record.bytes);
        row.print(&record.name);
        sum.add(&row);
    }
    sum.print("all");
    assert!(sum.games > 0 && sum.clean > 0);
    assert_eq!(sum.unexplained, 0);
}
