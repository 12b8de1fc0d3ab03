//! `pdn egdb probe`.

use std::cmp::Reverse;

use clap::Args;
use serde::Serialize;

use super::{Request, report_problems};
use crate::cli::context::{Context, Status};
use crate::egdb::{EndgameTables, Probe, Value};
use crate::error::{Error, Result};
use crate::records::EndgameRow;
use crate::rules::{Move, Position};

/// Look up a position and its moves
///
/// Values are for the side to move in the position. They ignore draw rules that count moves: a win may be declared drawn.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pdn egdb probe --variant english --fen W:WK32,K31:BK1

Exit status: 1 if the FEN is invalid, 2 if no table has the position.")]
pub(super) struct Options {
    /// The position
    #[arg(long, value_name = "F")]
    fen: String,
    #[command(flatten)]
    pub(super) request: Request,
}

#[derive(Serialize)]
struct Answer<'a> {
    fen: &'a str,
    #[serde(flatten)]
    endgame: EndgameRow,
    moves: Vec<MoveRow>,
}

/// A move with the value of the position if it is played.
#[derive(Serialize)]
struct MoveRow {
    notation: String,
    #[serde(flatten)]
    endgame: EndgameRow,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let Some(position) = context.position(Some(&options.fen)) else { return Ok(Status::Errors) };
    let tables = options.request.open(context)?;
    let answer = answer(&options.fen, &position, &tables);
    report_problems(&tables, context);
    if answer.endgame.value.is_none() {
        context.report(&Error::unavailable(format!("no table has the position {}", options.fen)));
    }
    context.answer(options.request.format, &answer, || plain(&answer))?;
    Ok(Status::Clean)
}

fn answer<'a>(fen: &'a str, position: &Position, tables: &EndgameTables) -> Answer<'a> {
    let endgame = tables.probe(position).into();
    let row =
        |(played, probe): (Move, Option<Probe>)| MoveRow { notation: position.short(&played), endgame: probe.into() };
    let mut moves: Vec<_> = tables.probe_moves(position).into_iter().map(row).collect();
    moves.sort_by_key(|row| Reverse(preference(row.endgame)));
    Answer { fen, endgame, moves }
}

/// Orders moves: wins, the quickest first, draws, losses, the slowest first.
fn preference(EndgameRow { value, plies }: EndgameRow) -> (Option<Value>, i64) {
    let plies = plies.map_or(0, i64::from);
    (value, if value == Some(Value::Win) { -plies } else { plies })
}

fn plain(answer: &Answer<'_>) -> String {
    let rows = answer.moves.iter().map(|row| format!("{:<12} {}\n", row.notation, text(row.endgame)));
    format!("{}\n", text(answer.endgame)) + &rows.collect::<String>()
}

fn text(EndgameRow { value, plies }: EndgameRow) -> String {
    match (value, plies) {
        (None, _) => "unknown".to_owned(),
        (Some(value), None) => value.name().to_owned(),
        (Some(value), Some(1)) => format!("{} in 1 ply", value.name()),
        (Some(value), Some(plies)) => format!("{} in {plies} plies", value.name()),
    }
}
