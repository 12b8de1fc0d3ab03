//! Charts: the evaluation graph of a game, which pages draw too, accuracy by year, scores of openings, and results by difference in
//! rating.

#[cfg(feature = "query")]
mod accuracy;
#[cfg(feature = "query")]
mod canvas;
#[cfg(feature = "query")]
mod evaluation;
#[cfg(feature = "query")]
mod openings;
#[cfg(feature = "query")]
mod query;
#[cfg(feature = "query")]
mod ratings;
#[cfg(feature = "query")]
mod words;

#[cfg(feature = "query")]
pub use query::{Chart, ChartData, ChartKind, ChartOptions, ChartQuery};
#[cfg(feature = "query")]
use words::{Words, joined, step, table};

use crate::records::{ExpectationCurve, GameRow, MoveRow, Phase};

/// Returns the expected score of White after each move of the main line, in thousandths of a point; nothing if no move has an evaluation.
pub(super) fn curve(row: &GameRow<'_>) -> Vec<Option<u16>> {
    if row.moves.iter().all(|row| row.eval.is_none()) {
        return Vec::new();
    }
    row.moves.iter().map(white_share).collect()
}

fn white_share(row: &MoveRow<'_>) -> Option<u16> {
    let position = row.fen.as_ref()?.position();
    Some(ExpectationCurve::of(position.variant()).white(Phase::of(position), row.eval?))
}
