//! The table of positions sorted by key.

use super::Cells;
use super::column::{Column, Kind, always};
use crate::board::Side;
use crate::notation::Outcome;
use crate::query::IndexEntry;
use crate::records::SCHEMA;

pub(super) const COLUMNS: [Column; 11] = [
    always("position_key", Kind::Key),
    always("canonical_key", Kind::Key),
    always("file", Kind::Word),
    always("game", Kind::Count),
    always("byte_offset", Kind::Count),
    always("byte_length", Kind::Count),
    always("variant", Kind::Word),
    always("winner", Kind::Word),
    always("white_points", Kind::Integer),
    always("year", Kind::Integer),
    always("schema_version", Kind::Integer),
];

/// Writes the row of a position of a game, given the names of its file and its variant.
pub(in crate::export) fn write_entry(cells: &mut impl Cells, entry: &IndexEntry, file: &str, variant: &str) {
    cells.integer(Some(entry.key()));
    cells.integer(Some(entry.canonical_key()));
    cells.word(Some(file));
    cells.count(entry.game());
    cells.count(entry.offset());
    cells.count(entry.length());
    cells.word(Some(variant));
    cells.word(entry.winner().map(Outcome::word));
    cells.integer(entry.winner().map(|winner| match winner {
        Outcome::Win(Side::White) => 2,
        Outcome::Draw => 1,
        Outcome::Win(Side::Black) => 0,
    }));
    cells.integer(entry.year().map(i64::from));
    cells.count(SCHEMA.into());
    cells.end_row();
}
