//! Reads folders of records. Prints the first error of each illegal game, and for each legal game the moves that are
//! possible after ply 20, with an analysis of that position.
//!
//! ```console
//! $ cargo run --release --example first_errors -- samples/games samples/diagnostics
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::process::ExitCode;

use pdn::check::{CheckOptions, Review, input_reviews};
use pdn::diag::Severity;
use pdn::engine::{Engine, Limit};
use pdn::source::{ChunkOptions, Input, expand};

const PLY: u32 = 20;

fn main() -> ExitCode {
    for input in expand(std::env::args_os().skip(1)) {
        if let Err(error) = input.and_then(|input| read(&input)) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn read(input: &Input) -> pdn::Result<()> {
    for review in input_reviews(input, CheckOptions::default(), &ChunkOptions::default())? {
        let review = review?;
        let players = ["White", "Black"].map(|name| review.game().tree().tag(name).unwrap_or("?"));
        println!("{}, game {}: {}", input.label(), review.number(), players.join(" - "));
        match review.diagnostics().iter().find(|diagnostic| diagnostic.severity() == Severity::Error) {
            Some(error) => println!("  {error}"),
            None => analyse(&review),
        }
    }
    Ok(())
}

fn analyse(review: &Review) {
    let Some((_, _, position)) = review.game().positions().find(|(_, ply, _)| ply.number() == PLY) else { return };
    let moves: Vec<_> = position.legal_moves().iter().map(|played| position.short(played)).collect();
    println!("  {} to move: {}", position.turn(), moves.join(" "));
    let analysis = Engine::new(position.variant()).analyse(position, Limit::nodes(10_000));
    if let Some(best) = analysis.best_move() {
        println!("  best: {} ({}, depth {})", position.short(&best), analysis.score(), analysis.depth());
    }
}
