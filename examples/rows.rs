//! Writes custom rows with `serde`: the players, the outcome of the game, and whether its moves are legal.
//!
//! ```console
//! $ cargo run --release --example rows -- samples/games
//! ```

use std::error::Error;
use std::io::{Write, stdout};

use pdn::check::{CheckOptions, Review, input_reviews};
use pdn::notation::Outcome;
use pdn::rules::Variant;
use pdn::source::{ChunkOptions, expand};
use serde::Serialize;

/// The row of a game.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    game: u64,
    variant: Option<&'static str>,
    white: Option<&'a str>,
    black: Option<&'a str>,
    /// `W`, `B` or `draw`.
    winner: Option<&'static str>,
    plies: usize,
    legal: bool,
    last_position: Option<String>,
}

impl<'a> Row<'a> {
    fn new(file: &'a str, review: &'a Review) -> Self {
        let game = review.game();
        Self {
            file,
            game: review.number(),
            variant: game.variant().map(Variant::name),
            white: game.tree().tag("White"),
            black: game.tree().tag("Black"),
            winner: review.winner().map(Outcome::word),
            plies: game.plies_played(),
            legal: game.is_legal(),
            last_position: game.final_fen(),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args().skip(1), &mut stdout().lock())
}

// A test calls this.
pub(crate) fn run(files: impl Iterator<Item = String>, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for input in expand(files) {
        let input = input?;
        for review in input_reviews(&input, CheckOptions::default(), &ChunkOptions::default())? {
            serde_json::to_writer(&mut *out, &Row::new(input.label(), &review?))?;
            writeln!(out)?;
        }
    }
    Ok(())
}
