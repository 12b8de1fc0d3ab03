//! Lists the legal moves of a position with the number of leaf nodes after each, and the total.
//!
//! ```console
//! $ cargo run --release --example perft -- english 6
//! $ cargo run --release --example perft -- frisian 4 W:WK46:B19,20
//! ```

use std::error::Error;
use std::io::{Write, stdout};

use pdn::rules::{Counting, Position, Variant, perft};

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args().skip(1), &mut stdout().lock())
}

// A test calls this.
pub(crate) fn run(mut arguments: impl Iterator<Item = String>, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let variant: Variant = arguments.next().ok_or("expected a variant")?.parse()?;
    let depth: u32 = arguments.next().ok_or("expected a depth")?.parse()?;
    let position = match arguments.next() {
        Some(fen) => Position::from_fen(variant, &fen)?,
        None => Position::start(variant),
    };
    let mut sum = 0;
    for played in position.legal_moves() {
        let leaves = perft(&position.play_unchecked(&played), depth.saturating_sub(1), Counting::Distinct);
        let leaves = leaves.ok_or("the count does not fit into 64 bits")?;
        writeln!(out, "{}: {leaves}", position.short(&played))?;
        sum += leaves;
    }
    writeln!(out, "{sum} leaves at depth {depth}")?;
    Ok(())
}
