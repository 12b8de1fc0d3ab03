//! Reads folders of records. Prints the first error of each illegal game, and for each legal game the moves that are
//! possible after ply 20, with an analysis of that position.
//!
//! ```console
//! $ cargo run --release --example first_errors -- samples/games samples/diagnostics
//! ```

use std::error::Error;
use std::io::{Write, stdout};

use pdn::check::{CheckOptions, Review, input_reviews};
use pdn::diag::Severity;
use pdn::engine::{Engine, Limit};
use pdn::source::{ChunkOptions, Input, expand};

const PLY: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args().skip(1), &mut stdout().lock())
}

// A test calls this.
pub(crate) fn run(files: impl Iterator<Item = String>, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    expand(files).into_iter().try_for_each(|input| read(&input?, out))
}

fn read(input: &Input, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for review in input_reviews(input, CheckOptions::default(), &ChunkOptions::default())? {
        let review = review?;
        let players = ["White", "Black"].map(|name| review.game().tree().tag(name).unwrap_or("?"));
        writeln!(out, "{}, game {}: {}", input.label(), review.number(), players.join(" - "))?;
        match review.diagnostics().iter().find(|diagnostic| diagnostic.severity() == Severity::Error) {
            Some(error) => writeln!(out, "  {error}")?,
            None => analyse(&review, out)?,
        }
    }
    Ok(())
}

fn analyse(review: &Review, out: &mut impl Write) -> std::io::Result<()> {
    let Some((_, _, position)) = review.game().positions().find(|(_, ply, _)| ply.number() == PLY) else {
        return Ok(());
    };
    let moves: Vec<_> = position.legal_moves().iter().map(|played| position.short(played)).collect();
    writeln!(out, "  {} to move: {}", position.turn(), moves.join(" "))?;
    let analysis = Engine::new(position.variant()).analyse(position, Limit::nodes(10_000));
    match analysis.best_move() {
        Some(best) => {
            writeln!(out, "  best: {} ({}, depth {})", position.short(&best), analysis.score(), analysis.depth())
        }
        None => Ok(()),
    }
}
