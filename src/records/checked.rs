//! Checked games as rows; games with plain moves need no tree.

use super::game_rows::{Origin, game_row, head_row, repeated_tags};
use super::move_rows::MoveRows;
use super::rows::{DiagnosticRow, GameRow, ResultRow, SCHEMA, Tags};
use crate::check::{CheckedGame, ChunkOrigin, Needs, PlainGame};
use crate::notation::Numbering;
use crate::pdn::Outside;

impl<'a> Origin<'a> {
    /// Returns the location of a game.
    pub fn of(game: &CheckedGame<'a>) -> Self {
        Self { file: game.input().label(), game: game.number(), offset: game.offset() }
    }
}

/// Returns a game as a row, with its moves and the text around it, without the rows of its diagnostics.
pub fn checked_row<'r>(game: &'r CheckedGame<'_>) -> GameRow<'r> {
    row_with(game, Needs::Moves)
}

/// Returns a game as a row with the text around it, without moves and without the rows of its diagnostics.
pub fn checked_head<'r>(game: &'r CheckedGame<'_>) -> GameRow<'r> {
    row_with(game, Needs::Outline)
}

fn row_with<'r>(game: &'r CheckedGame<'_>, needs: Needs) -> GameRow<'r> {
    let origin = Origin::of(game);
    let mut row = match game.plain().filter(|plain| plain.needs() >= needs) {
        Some(plain) => plain_head(game, plain, origin),
        None if needs == Needs::Moves => game_row(game.review(), origin, Vec::new()),
        None => head_row(game.review(), origin),
    };
    if let Some(moves) = MoveRows::plain(game).filter(|_| needs == Needs::Moves) {
        row.moves = moves.rows();
    }
    row.add_around(game.around());
    row
}

/// Returns the diagnostics of a game as rows.
pub fn diagnostic_rows(game: &CheckedGame<'_>) -> Vec<DiagnosticRow> {
    let (label, number) = (game.input().label(), game.number());
    let row = |found| DiagnosticRow::new(label, number, game.locate(crate::diag::Diagnostic::span(found)), found);
    game.diagnostics().iter().map(row).collect()
}

/// Returns a diagnostic outside any game as a row.
pub fn outside_row(outside: &Outside, origin: &ChunkOrigin<'_>) -> DiagnosticRow {
    let (start, span) = (outside.offset(), outside.diagnostic().span());
    let location = origin.locate(start + span.start as usize, span.len() as usize);
    DiagnosticRow::new(origin.input().label(), 0, location, outside.diagnostic())
}

/// Returns a game with plain moves as the row that [`head_row`] would return for its tree.
fn plain_head<'r>(game: &'r CheckedGame<'_>, plain: &'r PlainGame, origin: Origin<'r>) -> GameRow<'r> {
    let text = game.bytes();
    let own = Numbering::for_variant(plain.variant());
    let tags: Tags<'_> = game.tags().collect();
    let has_repeated = tags.len() < game.tags().count();
    GameRow {
        schema: SCHEMA,
        file: origin.file,
        game: origin.game,
        offset: origin.offset,
        variant: Some(plain.variant().name()),
        rules: Some(plain.variant()),
        gametype: tags.get("GameType"),
        repeated_tags: if has_repeated { repeated_tags(game.tags()) } else { Vec::new() },
        tags,
        start_fen: Some(plain.start().fen_in(own)),
        final_fen: Some(plain.final_position().fen_in(own)),
        written: plain.plies() as u64,
        plies: plain.plies() as u64,
        result: ResultRow::new(plain.result_tag(text), game.terminator(), plain.board(), plain.winner()),
        legal: true,
        comment: None,
        end_comment: None,
        variations: Vec::new(),
        diagnostics: Vec::new(),
        performance: None,
        moves: Vec::new(),
    }
}
