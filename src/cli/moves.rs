//! `pdn moves`: the legal moves of positions.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::context::{Context, Status, complain};
use super::options::Format;
use super::position;
use crate::error::{Error, Result};
use crate::notation::Numbering;
use crate::rules::{Move, Position, Variant};
use crate::source::Input;

/// List the legal moves of a position, or of many
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn moves --fen W:W31,32:B19,20
  pdn moves --variant russian --fens positions.txt --format json")]
pub(super) struct Options {
    /// The position
    #[arg(long, value_name = "F", required_unless_present = "fens", conflicts_with = "fens")]
    fen: Option<String>,
    /// File with a position on each line, or `-`
    #[arg(long, value_name = "FILE")]
    fens: Option<PathBuf>,
    /// How to write the moves
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: Format,
}

/// The moves of one position. Squares have the internal numbers of the variant.
#[derive(Serialize)]
struct Answer<'a> {
    variant: &'a str,
    fen: &'a str,
    moves: Vec<MoveRow>,
}

#[derive(Serialize)]
struct MoveRow {
    notation: String,
    from: u8,
    to: u8,
    captured: Vec<u8>,
    path: Vec<u8>,
}

#[derive(Serialize)]
struct Refusal<'a> {
    fen: &'a str,
    error: String,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.variant.unwrap_or(Variant::INTERNATIONAL);
    if let Some(path) = &options.fens {
        return answer_all(path, variant, options.format, context);
    }
    let fen = options.fen.as_deref().unwrap_or_default();
    match (position::read(fen, variant), options.format) {
        (Ok(position), Format::Json) => context.json(&answer(fen, &position))?,
        (Ok(position), Format::Plain) => context.out.text(&plain(&position, "\n"))?,
        (Err(fault), format) => {
            if format == Format::Json {
                context.json(&Refusal { fen, error: fault.to_string() })?;
            }
            complain(&Error::usage(format!("the FEN cannot be used: {fault}")));
            return Ok(Status::Findings);
        }
    }
    Ok(Status::Clean)
}

/// Answers a file of positions, a line for each.
fn answer_all(path: &Path, variant: Variant, format: Format, context: &mut Context) -> Result<Status> {
    let mut status = Status::Clean;
    let text = read_text(path)?;
    let lines = text.split(['\n', '\r']).filter(|line| !line.trim().is_empty());
    for fen in lines {
        match (position::read(fen, variant), format) {
            (Ok(position), Format::Json) => context.json(&answer(fen, &position))?,
            (Ok(position), Format::Plain) => context.out.text(&format!("{}\n", plain(&position, " ").trim_end()))?,
            (Err(fault), format) => {
                status = Status::Findings;
                let error = fault.to_string();
                match format {
                    Format::Json => context.json(&Refusal { fen, error })?,
                    Format::Plain => context.out.text(&format!("error: {error}\n"))?,
                }
            }
        }
    }
    Ok(status)
}

fn read_text(path: &Path) -> Result<String> {
    let input = if path == Path::new("-") { Input::stdin() } else { Input::file(path) };
    let mut bytes = Vec::new();
    input.open()?.read_to_end(&mut bytes).map_err(|fault| Error::read(path, fault))?;
    Ok(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned())
}

fn answer<'a>(fen: &'a str, position: &Position) -> Answer<'a> {
    let variant = position.variant();
    let numbering = Numbering::internal(variant);
    let mut moves: Vec<_> = position.legal_moves().iter().map(|played| row(position, played, numbering)).collect();
    moves.sort_unstable_by(|a, b| (a.from, a.to, &a.captured).cmp(&(b.from, b.to, &b.captured)));
    Answer { variant: variant.name(), fen, moves }
}

fn row(position: &Position, played: &Move, numbering: Numbering) -> MoveRow {
    let number = |square| numbering.number(square);
    let mut captured: Vec<u8> = played.captured().iter().map(number).collect();
    captured.sort_unstable();
    let paths = position.paths(played).into_iter().map(|path| path.into_iter().map(number).collect());
    MoveRow {
        notation: position.short(played),
        from: number(played.from()),
        to: number(played.to()),
        captured,
        path: paths.min().unwrap_or_default(),
    }
}

fn plain(position: &Position, separator: &str) -> String {
    let rows = answer("", position).moves;
    rows.into_iter().map(|row| row.notation + separator).collect()
}
