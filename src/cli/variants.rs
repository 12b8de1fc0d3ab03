//! `pdn variants`: what can be played.

use clap::Args;

use super::context::{Context, Status};
use crate::error::Result;
use crate::notation::{Numbering, full_game_type};
use crate::rules::Variant;

/// List the built-in variants
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pdn variants")]
pub(super) struct Options {}

pub(super) fn run(_: &Options, context: &mut Context) -> Result<Status> {
    let mut table = row(["NAME", "GAMETYPE", "BOARD", "FIRST", "SQUARES"].map(str::to_owned));
    for &variant in Variant::ALL {
        if context.variant.is_none_or(|chosen| chosen == variant) {
            table += &row(cells(variant));
        }
    }
    context.out.text(&table)?;
    Ok(Status::Clean)
}

fn cells(variant: Variant) -> [String; 5] {
    let shape = variant.shape();
    [
        variant.name().to_owned(),
        full_game_type(variant).map_or_else(|| "-".to_owned(), |game_type| game_type.to_string()),
        format!("{}x{}", shape.width(), shape.height()),
        variant.starts().to_string(),
        if Numbering::for_variant(variant).is_algebraic() { "letters" } else { "numbers" }.to_owned(),
    ]
}

fn row([name, game_type, board, first, squares]: [String; 5]) -> String {
    format!("{name:<14} {game_type:<17} {board:<6} {first:<6} {squares}\n")
}
