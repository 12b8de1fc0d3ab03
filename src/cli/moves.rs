//! `pdn moves`: the legal moves of positions.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::context::{Context, Status};
use super::options::{Endgames, Format, PLAIN_OR_JSON, formats};
use crate::egdb::Databases;
use crate::error::{Error, Result};
use crate::records::{LegalMoveRow, LegalMovesRow};
use crate::source::Input;

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
    let text = options.fens.as_deref().map(read_text).transpose()?;
    let fens: Vec<_> = match &text {
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

fn read_text(path: &Path) -> Result<String> {
    let input = if path == Path::new("-") { Input::stdin() } else { Input::file(path) };
    let mut bytes = Vec::new();
    input.open()?.read_to_end(&mut bytes).map_err(|error| Error::read(path, error))?;
    Ok(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned())
}

/// Returns the moves, each on a line or all on one.
fn text(row: &LegalMovesRow<'_>, on_one_line: bool) -> String {
    let names: Vec<_> = row.moves.iter().map(|row| row.notation.clone() + &columns(row)).collect();
    if names.is_empty() && !on_one_line {
        return String::new();
    }
    names.join(if on_one_line { " " } else { "\n" }) + "\n"
}

/// Returns the value in the endgame tables, as text to follow a move.
fn columns(row: &LegalMoveRow) -> String {
    let Some(endgame) = &row.endgame else { return String::new() };
    let value = endgame.value.map(|value| format!(" {}", value.name())).unwrap_or_default();
    value + &endgame.plies.map(|plies| format!(" {plies}")).unwrap_or_default()
}
