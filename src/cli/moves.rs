//! `pdn moves`: the legal moves of positions.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::context::{Context, Status};
use super::options::{Endgames, Format, PLAIN_OR_JSON, formats};
use crate::egdb::{Databases, EndgameTables, Probe, Value};
use crate::error::{Error, Result};
use crate::notation::Numbering;
use crate::rules::{Move, Position, Variant};
use crate::source::Input;

/// List the legal moves of one or more positions
///
/// With --egdb each move has its value, and the plies to the end where they are known.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn moves --fen W:W31,32:B19,20
  pdn moves --variant russian --fens positions.txt --format json")]
pub(super) struct Options {
    /// Position
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

/// The legal moves of a position. Squares are the internal numbers of the variant.
#[derive(Serialize)]
struct Answer<'a> {
    variant: &'a str,
    fen: &'a str,
    moves: Vec<MoveRow>,
}

impl Answer<'_> {
    /// Returns the moves, each on a line or all on one.
    fn text(&self, on_one_line: bool) -> String {
        let endgame = |row: &MoveRow| row.endgame.as_ref().map(EndgameColumns::text).unwrap_or_default();
        let names: Vec<_> = self.moves.iter().map(|row| format!("{}{}", row.notation, endgame(row))).collect();
        if names.is_empty() && !on_one_line {
            return String::new();
        }
        names.join(if on_one_line { " " } else { "\n" }) + "\n"
    }
}

#[derive(Serialize)]
struct MoveRow {
    notation: String,
    from: u8,
    to: u8,
    captured: Vec<u8>,
    path: Vec<u8>,
    /// What the side to move gets with the move, if endgame tables were asked for.
    #[serde(flatten)]
    endgame: Option<EndgameColumns>,
}

#[derive(Serialize)]
struct EndgameColumns {
    value: Option<Value>,
    plies: Option<u32>,
}

impl From<Option<Probe>> for EndgameColumns {
    fn from(probe: Option<Probe>) -> Self {
        Self { value: probe.map(|probe| probe.value()), plies: probe.and_then(|probe| probe.plies()) }
    }
}

impl EndgameColumns {
    /// Returns the columns as text after a move.
    fn text(&self) -> String {
        let value = self.value.map(|value| format!(" {}", value.name())).unwrap_or_default();
        value + &self.plies.map(|plies| format!(" {plies}")).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct BadFen<'a> {
    fen: &'a str,
    error: &'a str,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.variant.unwrap_or(Variant::INTERNATIONAL);
    let databases = context.databases(variant);
    let tables = (databases != Databases::embedded()).then(|| databases.tables(variant));
    let tables = tables.as_ref();
    let text = options.fens.as_deref().map(read_text).transpose()?;
    let fens: Vec<_> = match &text {
        Some(text) => text.split(['\n', '\r']).filter(|line| !line.trim().is_empty()).collect(),
        None => options.fen.iter().map(String::as_str).collect(),
    };
    let mut status = Status::Clean;
    for fen in fens {
        let position = match Position::from_fen(variant, fen) {
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
        let answer = answer(fen, &position, tables);
        context.answer(options.format, &answer, || answer.text(text.is_some()))?;
    }
    Ok(status)
}

fn read_text(path: &Path) -> Result<String> {
    let input = if path == Path::new("-") { Input::stdin() } else { Input::file(path) };
    let mut bytes = Vec::new();
    input.open()?.read_to_end(&mut bytes).map_err(|error| Error::read(path, error))?;
    Ok(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned())
}

fn answer<'a>(fen: &'a str, position: &Position, tables: Option<&EndgameTables>) -> Answer<'a> {
    let variant = position.variant();
    let numbering = Numbering::internal(variant);
    let probed = tables.map(|tables| tables.probe_moves(position));
    let row = |(n, played): (usize, &Move)| {
        let endgame = probed.as_ref().map(|probed| probed[n].1.into());
        row(position, played, numbering, endgame)
    };
    let mut moves: Vec<_> = position.legal_moves().iter().enumerate().map(row).collect();
    moves.sort_unstable_by(|a, b| (a.from, a.to, &a.captured).cmp(&(b.from, b.to, &b.captured)));
    Answer { variant: variant.name(), fen, moves }
}

fn row(position: &Position, played: &Move, numbering: Numbering, endgame: Option<EndgameColumns>) -> MoveRow {
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
        endgame,
    }
}
