//! `pdn show`: a board as text or picture.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::context::{Context, Status, complain};
use super::position;
use crate::diag::{Diagnostic, Severity};
use crate::error::{Error, Result};
use crate::notation::Numbering;
use crate::pdn::{self, Parsed};
use crate::replay::{ReplayOptions, replay};
use crate::report::{board_svg, board_text};
use crate::rules::{Position, Variant};
use crate::source::{ChunkOptions, Input};

/// Show the board of a FEN, or of a game after some plies
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn show --fen W:W31,32:B19,20
  pdn show games.pdn --game 3 --ply 40 --format svg -o board.svg")]
pub(super) struct Options {
    /// File with the game
    #[arg(value_name = "FILE", required_unless_present = "fen", conflicts_with = "fen")]
    file: Option<PathBuf>,
    /// Position to show
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    /// Number of the game in the file
    #[arg(long, value_name = "N", default_value = "1")]
    game: NonZeroU64,
    /// Plies played; without it all of them
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// How to draw
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Svg,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let position = match &options.fen {
        Some(fen) => match position::read(fen, context.variant.unwrap_or(Variant::INTERNATIONAL)) {
            Ok(position) => position,
            Err(fault) => {
                complain(&Error::usage(format!("the FEN cannot be used: {fault}")));
                return Ok(Status::Findings);
            }
        },
        None => match position_in_game(options, context)? {
            Found::Position(position) => position,
            Found::Fault(fault) => {
                complain(&Error::usage(format!("{}: {}", fault.code, fault.message)));
                return Ok(Status::Findings);
            }
        },
    };
    let numbering = Numbering::for_variant(position.variant());
    let board = match options.format {
        Format::Text => board_text(&position, numbering),
        Format::Svg => board_svg(&position, numbering),
    };
    context.out.text(&board)?;
    Ok(Status::Clean)
}

/// What a game has in the place of a position.
enum Found {
    Position(Position),
    /// Why not even the start of the game is known.
    Fault(Diagnostic),
}

fn position_in_game(options: &Options, context: &Context) -> Result<Found> {
    let path = options.file.as_deref().unwrap_or(Path::new("-"));
    let missing = || Error::unavailable(format!("there is no game {} in {}", options.game, path.display()));
    let parsed = find_game(path, options.game.get())?.ok_or_else(missing)?;
    let game = replay(parsed.tree, &ReplayOptions { variant: context.variant });
    let found = match options.ply {
        None => game.final_position().copied(),
        Some(0) => game.start().copied(),
        Some(ply) => game.main_moves().nth(ply - 1).and_then(|id| game.ply(id)?.after),
    };
    let fault = || game.diagnostics().iter().find(|found| found.severity == Severity::Error).cloned();
    let none = || Error::unavailable("the game has no such position that is known");
    match (found, game.start()) {
        (Some(position), _) => Ok(Found::Position(position)),
        (None, None) => fault().map(Found::Fault).ok_or_else(none),
        (None, Some(_)) => Err(none()),
    }
}

fn find_game(path: &Path, number: u64) -> Result<Option<Parsed>> {
    let input = if path == Path::new("-") { Input::stdin() } else { Input::file(path) };
    let mut left = number;
    for chunk in input.chunks(&ChunkOptions::default())? {
        for parsed in pdn::games(chunk?.bytes()) {
            left = left.saturating_sub(1);
            if left == 0 {
                return Ok(Some(parsed));
            }
        }
    }
    Ok(None)
}
