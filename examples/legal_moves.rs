//! Measures how long lists of legal moves take.
//!
//! ```console
//! $ cargo run --release --example legal_moves -- 1000000
//! ```

use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::Instant;

use pdn::rules::{Position, Variant};

/// A position of the middlegame and a later one, by variant.
const POSITIONS: [(Variant, [&str; 2]); 2] = [
    (
        Variant::INTERNATIONAL,
        [
            "W:W27,28,32,33,34,36,37,38,39,40,42,43,45,48:B3,6,8,9,12,13,14,16,18,19,20,23,24,26",
            "W:W22,28,31,32,36,37,38,K44:B8,9,12,13,18,19,23,26",
        ],
    ),
    (Variant::ENGLISH, ["B:W17,19,20,22,25,26,29,30,31:B1,2,4,6,7,10,11,12,14", "B:W18,19,21,26,27:B5,6,14,15,K23"]),
];

/// Rounds of measuring.
const ROUNDS: u32 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args().skip(1), &mut stdout().lock())
}

// A test calls this.
pub(crate) fn run(mut arguments: impl Iterator<Item = String>, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let times: u32 = arguments.next().ok_or("expected a number of lists")?.parse()?;
    for (variant, fens) in POSITIONS {
        let others = fens.map(|fen| Position::from_fen(variant, fen));
        for position in [Ok(Position::start(variant))].into_iter().chain(others) {
            let position = position?;
            let (count, captures) = (position.legal_moves().len(), position.can_capture());
            let list = || {
                let start = Instant::now();
                for _ in 0..times {
                    black_box(black_box(&position).legal_moves());
                }
                start.elapsed().as_nanos() / u128::from(times.max(1))
            };
            // The fastest of several rounds, as other programs may use the processor too.
            let each = (0..ROUNDS).map(|_| list()).min().unwrap_or_default();
            let kind = if captures { "captures" } else { "quiet moves" };
            writeln!(out, "{variant}, {kind}: {count} in {each} ns")?;
        }
    }
    Ok(())
}
