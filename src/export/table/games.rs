//! The table of games.

use std::borrow::Cow;

use super::Cells;
use super::column::{Column, Kind, columns};
use crate::board::Side;
use crate::check::Play;
use crate::notation::{DateParts, date_of, rating};
use crate::pdn::{Evaluation, ROSTER, text_without_commands};
use crate::records::{GameRow, Judgement, MoveRow, Performance, Tags};

pub(super) const COLUMNS: &[Column] = columns! {
    schema_version Integer, file Word, game Count, byte_offset Count, variant Word, gametype Word,
    Event Word, Site Word, Date Word, Round Word, White Word, Black Word, Result Word,
    start_fen Word, final_fen Text, written Integer, plies Integer, legal Boolean,
    result_tag Word, result_terminator Word, result_board Word, winner Word, comment Text, end_comment Text, tags Text,
    year Integer, month Integer, day Integer, played_on Day,
    white_rating Integer, black_rating Integer, white_points Integer, black_points Integer,
    white_accuracy Decimal, white_average_loss_cm Decimal,
    white_inaccuracies Integer, white_mistakes Integer, white_blunders Integer,
    black_accuracy Decimal, black_average_loss_cm Decimal,
    black_inaccuracies Integer, black_mistakes Integer, black_blunders Integer,
    white_team Word, black_team Word, played Word, opening Word, opening_ply Integer;
    moves Texts, clock Integers, elapsed Integers, eval_cm Integers, win_in Integers, win_side Texts, judgement Texts
};

/// Writes the row of a game.
pub(super) fn write(cells: &mut impl Cells, game: &GameRow<'_>) {
    write_origin(cells, game);
    cells.count(game.offset);
    cells.word(game.variant);
    cells.text(game.gametype);
    for name in ROSTER {
        cells.text(game.tags.get(name));
    }
    cells.fen(game.start_fen.as_deref().map(str::as_bytes));
    cells.fen(game.final_fen.as_deref().map(str::as_bytes));
    cells.count(game.written);
    cells.count(game.plies);
    cells.boolean(Some(game.legal));
    cells.text(game.result.tag);
    cells.text(game.result.terminator);
    cells.word(game.result.board);
    cells.word(game.result.winner);
    cells.text(plain_comment(game.comment.as_deref()).as_deref());
    cells.text(plain_comment(game.end_comment.as_deref()).as_deref());
    cells.text(Some(&other_tags(game)));
    write_date(cells, date(game));
    for side in [Side::White, Side::Black] {
        cells.integer(rating_of(game, side).map(i64::from));
    }
    for side in [Side::White, Side::Black] {
        cells.integer(points(game, side));
    }
    match &game.performance {
        Some(found) => Side::ALL.into_iter().for_each(|side| write_performance(cells, &found.side(side).all)),
        // Five columns for each side.
        None => cells.nulls(10),
    }
    let tag = |name: &str| game.tags.get(name);
    for team in ["WhiteTeam", "BlackTeam"] {
        cells.text(tag(team));
    }
    cells.word(Some(Play::of(tag, tag("Result").or(game.result.terminator), game.written > 0).word()));
    cells.word(game.opening);
    cells.integer(game.opening_ply.map(|ply| ply as i64));
    if cells.is_typed() {
        write_lists(cells, &game.moves);
    }
    cells.end_row();
}

/// Writes the columns that all tables of games and their parts begin with.
pub(super) fn write_origin(cells: &mut impl Cells, game: &GameRow<'_>) {
    cells.count(u64::from(game.schema));
    cells.text(Some(game.file));
    cells.count(game.game);
}

/// Returns a comment without its commands.
pub(super) fn plain_comment(comment: Option<&str>) -> Option<Cow<'_, str>> {
    comment.map(|text| if text.contains("[%") { text_without_commands(text).into() } else { text.into() })
}

/// Returns the tags outside the roster as a JSON object.
fn other_tags(game: &GameRow<'_>) -> String {
    let others = game.tags.iter().filter(|(name, _)| !ROSTER.contains(name));
    let others: Tags<'_> = others.map(|(name, value)| (name, value.trim())).collect();
    serde_json::to_string(&others).unwrap_or_default()
}

/// Returns the known parts of the date of a game.
pub(super) fn date(game: &GameRow<'_>) -> DateParts {
    date_of(|name| game.tags.get(name))
}

/// Returns the rating of a player.
pub(super) fn rating_of(game: &GameRow<'_>, side: Side) -> Option<u32> {
    rating(side, |name| game.tags.get(name))
}

/// Returns the points of a side: 2 for a win, 1 for a draw.
pub(super) fn points(game: &GameRow<'_>, side: Side) -> Option<i64> {
    let own = if side == Side::White { "W" } else { "B" };
    game.result.winner.map(|winner| if winner == "draw" { 1 } else { 2 * i64::from(winner == own) })
}

fn write_date(cells: &mut impl Cells, date: DateParts) {
    for part in date {
        cells.integer(part.map(i64::from));
    }
    cells.day(date);
}

fn write_performance(cells: &mut impl Cells, found: &Performance) {
    cells.decimal(found.accuracy);
    cells.decimal(found.average_loss_cm);
    for marks in [found.inaccuracies, found.mistakes, found.blunders] {
        cells.integer(Some(marks.into()));
    }
}

/// Writes lists with an item for each move of the main line. Those of annotations are null where no move has any.
fn write_lists(cells: &mut impl Cells, moves: &[MoveRow<'_>]) {
    cells.texts(moves.iter().map(|row| Some(row.notation.as_deref().unwrap_or(&row.written))));
    cells.integers(moves.iter().map(|row| row.clock.map(|seconds| seconds as i64)));
    cells.integers(moves.iter().map(|row| row.elapsed.map(|seconds| seconds as i64)));
    cells.integers(moves.iter().map(|row| row.eval.and_then(Evaluation::centi_men).map(i64::from)));
    cells.integers(moves.iter().map(|row| row.eval.and_then(Evaluation::win_in).map(i64::from)));
    cells.texts(moves.iter().map(|row| win_side(row.eval)));
    cells.texts(moves.iter().map(|row| row.assessment.as_ref()?.judgement.map(Judgement::name)));
}

/// Returns the side that wins by an evaluation.
pub(super) fn win_side(evaluation: Option<Evaluation>) -> Option<&'static str> {
    Some(if evaluation?.winner()? == 'W' { "W" } else { "B" })
}
