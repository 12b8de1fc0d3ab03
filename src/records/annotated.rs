//! Annotations in the rows of a game.

use super::annotation::{Annotation, Judgement};
use super::rows::{GameRow, MoveRow};
use crate::notation::Numbering;
use crate::replay::ReplayedGame;
use crate::rules::{Move, Position};

/// Adds annotations to the row of their game: evaluations where the game has none, NAGs that the moves do not have, and best
/// lines as further variations.
pub fn annotate_row(row: &mut GameRow, game: &ReplayedGame, annotations: &[Annotation]) {
    let mut annotations = annotations.iter().peekable();
    for (node, row) in game.main_moves().zip(&mut row.moves) {
        let Some(annotation) = annotations.next_if(|annotation| annotation.node == node) else { continue };
        row.eval.get_or_insert(annotation.evaluation);
        let nag = annotation.judgement.map(Judgement::nag);
        row.nags.extend(nag.filter(|nag| !row.nags.contains(nag)));
        if let Some(before) = game.ply(node).and_then(|ply| ply.before().copied())
            && !annotation.best_line.is_empty()
        {
            row.variations.push(line_rows(before, row.ply, annotation));
        }
    }
}

fn line_rows(mut position: Position, first_ply: u32, annotation: &Annotation) -> Vec<MoveRow> {
    let mut rows = Vec::with_capacity(annotation.best_line.len());
    for (ply, step) in (first_ply..).zip(&annotation.best_line) {
        let after = position.play_unchecked(step);
        let eval = (ply == first_ply).then_some(annotation.best_evaluation);
        rows.push(MoveRow { eval, ..move_row(&position, step, &after, ply) });
        position = after;
    }
    rows
}

fn move_row(before: &Position, step: &Move, after: &Position, ply: u32) -> MoveRow {
    let (own, internal) = (Numbering::for_variant(before.variant()), Numbering::internal(before.variant()));
    let notation = before.short_in(step, own);
    let mut captured: Vec<_> = step.captured().iter().map(|square| internal.number(square)).collect();
    captured.sort_unstable();
    MoveRow {
        ply,
        number: None,
        move_no: 0,
        side: before.turn().letter(),
        legal: true,
        written: notation.clone(),
        notation: Some(notation),
        from: Some(internal.number(step.from())),
        to: Some(internal.number(step.to())),
        captured,
        fen: Some(after.fen_in(own)),
        position: Some(*after),
        clock: None,
        eval: None,
        nags: Vec::new(),
        comment: None,
        intro: None,
        setups: Vec::new(),
        variations: Vec::new(),
    }
}
