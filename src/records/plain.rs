//! Games with plain moves as rows.

use super::game::{Origin, RowNames, count_moves, played_row, repeated_tags};
use super::rows::{GameRow, MoveRow, ResultRow, SCHEMA, Tags};
use crate::check::{PlainGame, PlainPly};
use crate::notation::Numbering;
use crate::pdn::NodeId;
use crate::rules::Position;

/// Returns a game with plain moves as the row that [`game_row`](super::game_row) returns of its tree; `text` is the text of
/// the game. Its moves are those that were kept; it has no diagnostics.
///
/// # Panics
///
/// Panics if the text is that of another game.
pub fn plain_row<'a>(game: &PlainGame, text: &'a str, origin: Origin<'a>) -> GameRow<'a> {
    let own = Numbering::for_variant(game.variant());
    let tags: Tags<'_> = game.tags(text).collect();
    let has_repeated = tags.len() < game.tags(text).count();
    GameRow {
        schema: SCHEMA,
        file: origin.file,
        game: origin.game,
        offset: origin.offset,
        variant: Some(game.variant().name()),
        gametype: tags.get("GameType"),
        repeated_tags: if has_repeated { repeated_tags(game.tags(text)) } else { Vec::new() },
        tags,
        start_fen: Some(game.start().fen_in(own)),
        final_fen: Some(game.final_position().fen_in(own)),
        written: game.plies() as u64,
        plies: game.plies() as u64,
        result: ResultRow::new(game.result_tag(text), game.terminator(text), game.board(), game.winner()),
        legal: true,
        comment: None,
        end_comment: None,
        variations: Vec::new(),
        diagnostics: Vec::new(),
        performance: None,
        moves: move_rows(game.line(), text, game.start()),
    }
}

fn move_rows<'a>(line: &[PlainPly], text: &'a str, start: &Position) -> Vec<MoveRow<'a>> {
    if line.is_empty() {
        return Vec::new();
    }
    let names = RowNames::of(start.variant());
    let mut after = *start;
    let row = |(ply, found): (u32, &PlainPly)| {
        let before = after;
        after = before.play_unchecked(found.played());
        let row = played_row((ply, found.text(text).into()), &before, found.played(), &after, &names);
        // The tree of a game with plain moves has no other nodes.
        MoveRow { number: found.number(), node: Some(NodeId::new(ply - 1)), ..row }
    };
    let mut rows: Vec<_> = (1..).zip(line).map(row).collect();
    count_moves(&mut rows, start.variant().starts());
    rows
}
