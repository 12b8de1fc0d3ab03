//! The table of diagnostics.

use super::Cells;
use super::column::{Column, Kind, columns};
use crate::records::{DiagnosticRow, GameRow, SCHEMA};

pub(super) const COLUMNS: &[Column] = columns! {
    schema_version Integer, file Word, game Count, byte_offset Count, byte_length Integer, line Count,
    column_no Integer, severity Word, code Word, message Word, help Word
};

/// Writes a row for each diagnostic of a game.
pub(super) fn write(cells: &mut impl Cells, game: &GameRow<'_>) {
    game.diagnostics.iter().for_each(|row| write_diagnostic(cells, row));
}

/// Writes the row of a diagnostic.
pub(in crate::export) fn write_diagnostic(cells: &mut impl Cells, row: &DiagnosticRow) {
    cells.count(SCHEMA.into());
    cells.text(Some(&row.file));
    cells.count(row.game);
    cells.count(row.offset);
    cells.count(row.length);
    cells.count(row.line);
    cells.count(row.column);
    cells.word(Some(row.severity.name()));
    cells.word(Some(row.code.name()));
    cells.text(Some(&row.message));
    cells.text(row.help.as_deref());
    cells.end_row();
}
