//! `pdn moves`: the legal moves of positions.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::context::{Context, Status};
use super::options::{Endgames, Format};
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
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: Format,
}

/// The legal moves of a position. Squares are the internal numbers of the variant.
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
    error: String,
}

impl Options {
    pub(super) fn wants_json(&self) -> bool {
        self.format == Format::Json
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let variant = context.variant.unwrap_or(Variant::INTERNATIONAL);
    let databases = context.databases(variant);
    let tables = (databases != Databases::embedded()).then(|| databases.tables(variant));
    let tables = tables.as_ref();
    if let Some(path) = &options.fens {
        return answer_all(path, variant, options.format, tables, context);
    }
    let fen = options.fen.as_deref().unwrap_or_default();
    match (Position::from_fen(variant, fen), options.format) {
        (Ok(position), Format::Json) => context.json(&answer(fen, &position, tables))?,
        (Ok(position), Format::Plain) => context.out.text(&plain(&position, tables, "\n"))?,
        (Err(error), format) => {
            if format == Format::Json {
                context.json(&BadFen { fen, error: error.to_string() })?;
            }
            context.print(&Error::usage(format!("invalid FEN: {error}")));
            return Ok(Status::Errors);
        }
    }
    Ok(Status::Clean)
}

/// Answers each line of a file.
fn answer_all(
    path: &Path,
    variant: Variant,
    format: Format,
    tables: Option<&EndgameTables>,
    context: &mut Context,
) -> Result<Status> {
    let mut status = Status::Clean;
    let text = read_text(path)?;
    let lines = text.split(['\n', '\r']).filter(|line| !line.trim().is_empty());
    for fen in lines {
        match (Position::from_fen(variant, fen), format) {
            (Ok(position), Format::Json) => context.json(&answer(fen, &position, tables))?,
            (Ok(position), Format::Plain) => {
                context.out.text(&format!("{}\n", plain(&position, tables, " ").trim_end()))?;
            }
            (Err(error), format) => {
                status = Status::Errors;
                let error = error.to_string();
                match format {
                    Format::Json => context.json(&BadFen { fen, error })?,
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

fn plain(position: &Position, tables: Option<&EndgameTables>, separator: &str) -> String {
    let rows = answer("", position, tables).moves.into_iter();
    let text = |row: MoveRow| row.notation + &row.endgame.map(|columns| columns.text()).unwrap_or_default() + separator;
    rows.map(text).collect()
}
