//! The table of players.

use super::Cells;
use super::column::{Column, Kind, always};
use crate::records::AccuracyRow;

pub(super) const COLUMNS: [Column; 8] = [
    always("player", Kind::Word),
    always("games", Kind::Integer),
    always("moves", Kind::Integer),
    always("accuracy", Kind::Decimal),
    always("average_loss_cm", Kind::Decimal),
    always("inaccuracies", Kind::Integer),
    always("mistakes", Kind::Integer),
    always("blunders", Kind::Integer),
];

/// Writes the row of a player.
pub(super) fn write(cells: &mut impl Cells, row: &AccuracyRow<'_>) {
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
