//! `pdn moves`: the legal moves of positions.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::context::{Context, Status};
use super::inputs::read_whole;
use super::options::{Endgames, Format, PLAIN_OR_JSON, formats};
use crate::egdb::Databases;
use crate::error::{Error, Result};
use crate::records::{LegalMoveRow, LegalMovesRow};

/// List the legal moves of one or more positions
///
/// With --egdb, each move is shown with its value and, if known, the number of plies to the end.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn moves --fen W:W31,32:B19,20
  pdn moves --variant russian --fens positions.txt --format json")]
pub(super) struct Options {
    /// The position
    #[arg(long, value_name = "F", required_unless_present = "fens", conflicts_with = "fens")]
    fen: Option<String>,
    /// Read positions from FILE, or from standard input for `-`, one per line
    #[arg(long, value_name = "FILE")]
    fens: Option<PathBuf>,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
    format: Format,
}

#[derive(Serialize)]
struct BadFen<'a> {
    fen: &'a str,
    error: &'a str,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.rules();
    let databases = context.databases(variant);
    // The built-in tables know few positions, so values are shown only if a folder was asked for.
    let tables = (databases != Databases::embedded()).then(|| databases.tables(variant));
    let tables = tables.as_ref();
    let text = options.fens.as_deref().map(read_whole).transpose()?;
    let text = text.as_deref().map(String::from_utf8_lossy);
    let text = text.as_ref().map(|text| text.trim_start_matches('\u{feff}'));
    let fens: Vec<_> = match text {
        Some(text) => text.split(['\n', '\r']).filter(|line| !line.trim().is_empty()).collect(),
        None => options.fen.iter().map(String::as_str).collect(),
    };
    let mut status = Status::Clean;
    for fen in fens {
        let position = match context.read_fen(fen) {
            Ok(position) => position,
            Err(error) => {
                status = Status::Errors;
                let error = error.to_string();
                if text.is_none() {
                    context.print(&Error::usage(format!("invalid FEN: {error}")));
                }
                if text.is_some() || options.format == Format::Json {
                    context.answer(options.format, &BadFen { fen, error: &error }, || format!("error: {error}\n"))?;
                }
                continue;
            }
        };
        let row = LegalMovesRow::new(fen, &position, tables);
        context.answer(options.format, &row, || self::text(&row, text.is_some()))?;
    }
    Ok(status)
}

/// Returns the moves with their values in the endgame tables, each on a line or all on one.
fn text(row: &LegalMovesRow<'_>, on_one_line: bool) -> String {
    let name = |row: &LegalMoveRow| {
        let value = row.endgame.and_then(|endgame| endgame.value).map(|value| format!(" {}", value.name()));
        let plies = row.endgame.and_then(|endgame| endgame.plies).map(|plies| format!(" {plies}"));
        row.notation.clone() + &value.unwrap_or_default() + &plies.unwrap_or_default()
    };
    let names: Vec<_> = row.moves.iter().map(name).collect();
    if names.is_empty() && !on_one_line {
        return String::new();
    }
    names.join(if on_one_line { " " } else { "\n" }) + "\n"
}
