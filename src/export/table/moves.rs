//! The table of moves.

use super::Cells;
use super::column::{Column, Kind, columns};
use super::games::{plain_comment, win_side, write_origin};
use crate::pdn::Evaluation;
use crate::records::{Assessment, Expectation, GameRow, Judgement, MoveRow, MoveRows, MoveShot, PositionRow};
use crate::rules::LineKeys;

pub(super) const COLUMNS: &[Column] = columns! {
    schema_version Integer, file Word, game Count, ply Count, move_no Count, side Word, legal Boolean, written Word,
    notation Word, from_sq Integer, to_sq Integer, captured Integers, fen Text, position_key Key, clock Decimal,
    elapsed Decimal, eval_cm Integer, win_in Integer, win_side Word, nags Integers, comment Text, judgement Word,
    best Word, expectation_before Decimal, expectation_after Decimal, forced Boolean, shots Word, shot_gains Integers,
    shot_lines Text, captures Integer;
    canonical_key Key
};

/// Writes a row for each move of the main line of a game.
pub(super) fn write(cells: &mut impl Cells, game: &GameRow<'_>, moves: &MoveRows<'_>) {
    let (mut keys, mut is_again) = (LineKeys::default(), false);
    moves.for_each(|row| {
        cells.repeated(is_again, |cells| write_origin(cells, game));
        write_move(cells, row, &mut keys);
        is_again = true;
    });
}

fn write_move(cells: &mut impl Cells, row: &MoveRow<'_>, keys: &mut LineKeys) {
    cells.integer(Some(row.ply.into()));
    cells.integer(Some(row.move_no.into()));
    cells.symbol(Some(if row.side == 'W' { "W" } else { "B" }));
    cells.boolean(Some(row.legal));
    match row.notation.as_deref() {
        // Most moves are written in this notation, which needs no quotes.
        Some(notation) if notation == row.written => {
            cells.symbol(Some(notation));
            cells.symbol(Some(notation));
        }
        notation => {
            cells.text(Some(&row.written));
            cells.symbol(notation);
        }
    }
    cells.integer(row.from.map(i64::from));
    cells.integer(row.to.map(i64::from));
    cells.integers(row.captured.iter().map(|&square| Some(square.into())));
    match &row.fen {
        Some(after) => after.with_fen(|fen| cells.fen(Some(fen))),
        None => cells.fen(None),
    }
    let is_typed = cells.is_typed();
    let [own, canonical] = match row.fen.as_ref().map(PositionRow::position) {
        None => [None; 2],
        Some(after) if is_typed => keys.own_and_canonical_key(after).map(Some),
        Some(after) => [Some(keys.variant_key(after)), None],
    };
    cells.key(own);
    cells.decimal(row.clock);
    cells.decimal(row.elapsed);
    write_evaluation(cells, row.eval);
    cells.integers(row.nags.iter().map(|&nag| Some(nag.into())));
    cells.text(plain_comment(row.comment.as_deref()).as_deref());
    write_assessment(cells, row.assessment.as_ref());
    write_shots(cells, &row.shots);
    cells.integer(row.legal.then_some(row.captured.len() as i64));
    if is_typed {
        cells.key(canonical);
    }
    cells.end_row();
}

/// Writes the columns of an evaluation.
pub(super) fn write_evaluation(cells: &mut impl Cells, evaluation: Option<Evaluation>) {
    let Some(found) = evaluation else { return cells.nulls(3) };
    cells.integer(found.centi_men().map(i64::from));
    cells.integer(found.win_in().map(i64::from));
    cells.symbol(win_side(evaluation));
}

fn write_assessment(cells: &mut impl Cells, assessment: Option<&Assessment>) {
    let Some(found) = assessment else { return cells.nulls(5) };
    let Expectation { before, after } = found.expectation;
    cells.word(found.judgement.map(Judgement::name));
    cells.symbol(found.best.as_deref());
    cells.decimal(Some(f64::from(before) / 1000.0));
    cells.decimal(Some(f64::from(after) / 1000.0));
    cells.boolean(Some(found.forced));
}

/// Writes the columns of shots, with an item for each: what `--shot` asks for, what it gains, and its moves.
fn write_shots(cells: &mut impl Cells, shots: &[MoveShot]) {
    if shots.is_empty() {
        return cells.nulls(3);
    }
    let joined = |item: fn(&MoveShot) -> String, separator| shots.iter().map(item).collect::<Vec<_>>().join(separator);
    cells.text(Some(&joined(|shot| format!("{}:{}", shot.shot.as_deref().unwrap_or("any"), shot.fate), " ")));
    cells.integers(shots.iter().map(|shot| Some(shot.gain.into())));
    cells.text(Some(&joined(|shot| shot.line.join(" "), "; ")));
}
