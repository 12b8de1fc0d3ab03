//! The table of players.

use super::Cells;
use super::column::{Column, Kind, columns};
use crate::records::AccuracyRow;

pub(super) const COLUMNS: &[Column] = columns! {
    player Word, games Integer, moves Integer, accuracy Decimal, average_loss_cm Decimal, inaccuracies Integer,
    mistakes Integer, blunders Integer
};

/// Writes the row of a player.
pub(super) fn write_player(cells: &mut impl Cells, row: &AccuracyRow<'_>) {
    cells.text(Some(row.player));
    cells.count(row.games);
    cells.count(row.moves);
    cells.decimal(row.accuracy);
    cells.decimal(row.average_loss_cm);
    cells.count(row.inaccuracies);
    cells.count(row.mistakes);
    cells.count(row.blunders);
    cells.end_row();
}
