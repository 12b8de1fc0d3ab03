//! `pdn show`: a board as text or as a picture.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::context::{Context, Status};
use crate::diag::{Diagnostic, Severity};
use crate::error::{Error, Result};
use crate::notation::Numbering;
use crate::pdn;
use crate::replay::{EVIDENCE_BYTES, ReplayOptions, ReplayedGame, replay};
use crate::report::{board_svg, board_text};
use crate::rules::{Position, Variant};
use crate::source::{ChunkOptions, Input};

/// Show the board of a FEN, or of a game after a number of plies
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn show --fen W:W31,32:B19,20
  pdn show games.pdn --game 3 --ply 40 --format svg -o board.svg")]
pub(super) struct Options {
    /// File with the game, or `-` for standard input
    #[arg(value_name = "FILE", required_unless_present = "fen", conflicts_with = "fen")]
    file: Option<PathBuf>,
    /// Position
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    /// Number of the game in the file
    #[arg(long, value_name = "N", default_value = "1")]
    game: NonZeroU64,
    /// Number of plies to play [default: all]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Svg,
}

impl Options {
    pub(super) fn paths(&self) -> Option<&[PathBuf]> {
        self.file.as_ref().map(std::slice::from_ref)
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let position = match find_position(options, context)? {
        Ok(position) => position,
        Err(reason) => {
            context.print(&Error::usage(reason));
            return Ok(Status::Errors);
        }
    };
    let numbering = Numbering::for_variant(position.variant());
    let board = match options.format {
        Format::Text => board_text(&position, numbering),
        Format::Svg => board_svg(&position, numbering),
    };
    context.out.text(&board)?;
    Ok(Status::Clean)
}

/// Returns the requested position, or what is wrong with the FEN or the record.
fn find_position(options: &Options, context: &Context) -> Result<Result<Position, String>> {
    if let Some(fen) = &options.fen {
        let position = Position::from_fen(context.variant.unwrap_or(Variant::INTERNATIONAL), fen);
        return Ok(position.map_err(|error| format!("invalid FEN: {error}")));
    }
    let path = options.file.as_deref().unwrap_or(Path::new("-"));
    let missing = || Error::unavailable(format!("{}: no game {}", path.display(), options.game));
    let game = find_game(path, options.game.get(), ReplayOptions::of(context.variant))?.ok_or_else(missing)?;
    if let Some(position) = position_at(&game, options.ply) {
        return Ok(Ok(position));
    }
    match (game.start(), first_error(&game)) {
        (None, Some(found)) => Ok(Err(format!("{}: {}", found.code(), found))),
        _ => Err(Error::unavailable(no_position(options, &game))),
    }
}

/// Returns the position after a number of plies of the main line, or after all of them.
fn position_at(game: &ReplayedGame, ply: Option<usize>) -> Option<Position> {
    match ply {
        None => game.final_position().copied(),
        Some(0) => game.start().copied(),
        Some(ply) => game.main_moves().nth(ply - 1).and_then(|id| game.ply(id)?.after().copied()),
    }
}

fn first_error(game: &ReplayedGame) -> Option<&Diagnostic> {
    game.diagnostics().iter().find(|found| found.severity() == Severity::Error)
}

fn no_position(options: &Options, game: &ReplayedGame) -> String {
    let number = options.game;
    match options.ply {
        Some(ply) if game.variant().is_some() => {
            format!("game {number} has {} plies; ply {ply} was requested", game.plies_played())
        }
        _ => format!("game {number} cannot be replayed: its variant is unknown"),
    }
}

fn find_game(path: &Path, number: u64, mut options: ReplayOptions) -> Result<Option<ReplayedGame>> {
    let input = if path == Path::new("-") { Input::stdin() } else { Input::file(path) };
    let mut chunk_options = ChunkOptions::default();
    chunk_options.head = EVIDENCE_BYTES;
    let mut remaining = number;
    for chunk in input.chunks(&chunk_options)? {
        let chunk = chunk?;
        if let Some(head) = chunk.head() {
            options = options.for_file(head);
        }
        for parsed in pdn::games(chunk.bytes()) {
            remaining = remaining.saturating_sub(1);
            if remaining == 0 {
                return Ok(Some(replay(parsed.tree, &options)));
            }
        }
    }
    Ok(None)
}
