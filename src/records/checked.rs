//! Checked games as rows.

use super::game_rows::{Origin, game_row, head_row};
use super::rows::{DiagnosticRow, GameRow};
use crate::check::{CheckedGame, ChunkOrigin};
use crate::diag::Diagnostic;
use crate::pdn::Outside;

impl<'a> Origin<'a> {
    /// Returns the location of a game.
    pub(crate) fn of(game: &CheckedGame<'a>) -> Self {
        Self { file: game.input().label(), game: game.number(), offset: game.offset() }
    }
}

/// Returns a game as a row, with its moves and the text around it, without the rows of its diagnostics.
pub fn checked_row<'r>(game: &'r CheckedGame<'_>) -> GameRow<'r> {
    let mut row = game_row(game.review(), Origin::of(game), Vec::new());
    row.add_around(game.around());
    row
}

/// Returns a game as a row with the text around it, without moves and without the rows of its diagnostics.
pub fn checked_head<'r>(game: &'r CheckedGame<'_>) -> GameRow<'r> {
    let mut row = head_row(game.review(), Origin::of(game));
    row.add_around(game.around());
    row
}

/// Returns the diagnostics of a game as rows.
pub fn diagnostic_rows(game: &CheckedGame<'_>) -> Vec<DiagnosticRow> {
    let (label, number) = (game.input().label(), game.number());
    let row = |found: &Diagnostic| DiagnosticRow::new(label, number, game.locate(found.span()), found);
    game.diagnostics().iter().map(row).collect()
}

/// Returns a diagnostic outside any game as a row.
pub fn outside_row(outside: &Outside, origin: &ChunkOrigin<'_>) -> DiagnosticRow {
    placed_row(outside.diagnostic(), 0, outside.offset(), origin)
}

/// Returns a diagnostic of a game, or of a part outside any with the number 0, as a row; the part starts here in the chunk.
pub(crate) fn placed_row(found: &Diagnostic, game: u64, start: usize, origin: &ChunkOrigin<'_>) -> DiagnosticRow {
    let span = found.span();
    let location = origin.locate(start + span.start as usize, span.len() as usize);
    DiagnosticRow::new(origin.input().label(), game, location, found)
}
