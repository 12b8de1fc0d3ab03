//! Checked games as rows; games with plain moves need no tree.

use super::game_rows::{Origin, RowNames, count_moves, game_row, head_row, repeated_tags, set_played, written_row};
use super::rows::{DiagnosticRow, GameRow, MoveRow, ResultRow, SCHEMA, Tags};
use crate::check::{CheckedGame, ChunkOrigin, Needs, PlainGame, PlainPly};
use crate::notation::Numbering;
use crate::pdn::{NodeId, Outside};
use crate::rules::Position;

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
        Some(plain) => plain_row(game, plain, origin, needs),
        None if needs == Needs::Moves => game_row(game.review(), origin, Vec::new()),
        None => head_row(game.review(), origin),
    };
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

/// Returns a game with plain moves as the row that [`game_row`] or [`head_row`] would return for its tree.
fn plain_row<'r>(game: &'r CheckedGame<'_>, plain: &'r PlainGame, origin: Origin<'r>, needs: Needs) -> GameRow<'r> {
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
        moves: if needs == Needs::Moves { move_rows(plain.line(), text, plain.start()) } else { Vec::new() },
    }
}

fn move_rows<'a>(line: &[PlainPly], game: &'a [u8], start: &Position) -> Vec<MoveRow<'a>> {
    let (names, text) = (RowNames::of(start.variant()), str::from_utf8(game).ok());
    let (mut rows, mut before) = (Vec::with_capacity(line.len()), *start);
    for (ply, found) in (1..).zip(line) {
        let after = before.play_unchecked(found.played());
        // The tree of a game with plain moves has no other nodes.
        let (number, node) = (found.number(), Some(NodeId::new(ply - 1)));
        rows.push(MoveRow { number, node, ..written_row(ply, before.turn(), found.text(game, text).into()) });
        if let Some(row) = rows.last_mut() {
            set_played(row, &before, found.played(), &after, &names);
        }
        before = after;
    }
    count_moves(&mut rows, start.variant().starts());
    rows
}
