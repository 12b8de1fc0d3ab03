//! The table of diagnostics.

use super::Cells;
use super::column::{Column, Kind, always};
use crate::records::{DiagnosticRow, GameRow, SCHEMA};

pub(super) const COLUMNS: [Column; 11] = [
    always("schema_version", Kind::Integer),
    always("file", Kind::Word),
    always("game", Kind::Count),
    always("byte_offset", Kind::Count),
    always("byte_length", Kind::Integer),
    always("line", Kind::Count),
    always("column_no", Kind::Integer),
    always("severity", Kind::Word),
    always("code", Kind::Word),
    always("message", Kind::Word),
    always("help", Kind::Word),
];

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
