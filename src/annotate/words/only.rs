//! The only move that keeps what a position is worth, as the databases know.

use crate::egdb::{EndgameTables, Value};
use crate::records::{FactClause, SentenceFacts};
use crate::rules::{Move, Position};

/// Returns what is said about a move if it alone keeps the win or the draw, and the databases know the positions after all moves.
pub(in crate::annotate) fn only_move(
    before: &Position,
    played: &Move,
    tables: &EndgameTables,
) -> Option<SentenceFacts> {
    let value = |step: &Move| Some(tables.probe(&before.play_unchecked(step))?.value().reversed());
    // Most positions are in no table, which the first of these shows.
    let own = value(played)?;
    let key = match own {
        Value::Win => "only-win",
        Value::Draw => "only-draw",
        Value::Loss => return None,
    };
    let moves = before.legal_moves();
    let is_worse = |step: &Move| Some(step == played || value(step)? < own);
    let others: Option<Vec<bool>> = moves.iter().map(is_worse).collect();
    let is_only = moves.len() > 1 && others?.into_iter().all(|worse| worse);
    is_only.then(|| SentenceFacts::new([FactClause::new(key, [])]))
}
