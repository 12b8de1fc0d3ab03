//! Annotations in the rows of a game.

use std::borrow::Cow;

use super::annotation::{Annotation, Judgement};
use super::assessment::Assessment;
use super::game::{RowNames, played_row};
use super::rows::{GameRow, MoveRow};
use crate::replay::ReplayedGame;
use crate::rules::Position;

/// Adds annotations to the row of their game: evaluations where the game has none, NAGs that the moves do not have, best
/// lines as further variations, and the assessment of each move and of the play of both sides.
pub fn annotate_row(row: &mut GameRow<'_>, game: &ReplayedGame, annotations: &[Annotation]) {
    let mut annotations = annotations.iter().peekable();
    for (node, row) in game.main_moves().zip(&mut row.moves) {
        let Some(annotation) = annotations.next_if(|annotation| annotation.node == node) else { continue };
        row.eval.get_or_insert(annotation.evaluation);
        let nag = annotation.judgement.map(Judgement::nag);
        row.nags.extend(nag.filter(|nag| !row.nags.contains(nag)));
        let Some(before) = game.ply(node).and_then(|ply| ply.before().copied()) else { continue };
        let line = line_rows(before, row.ply, annotation);
        let best = line.first().and_then(|best| best.notation.clone());
        row.assessment = Some(Assessment::new(annotation, &before, best));
        row.variations.extend(Some(line).filter(|line| !line.is_empty()));
    }
    row.assess();
}

fn line_rows(mut position: Position, first_ply: u32, annotation: &Annotation) -> Vec<MoveRow<'static>> {
    let names = RowNames::of(position.variant());
    let mut rows = Vec::with_capacity(annotation.best_line.len());
    for (ply, step) in (first_ply..).zip(&annotation.best_line) {
        let after = position.play_unchecked(step);
        let eval = (ply == first_ply).then_some(annotation.best_evaluation);
        let row = played_row((ply, Cow::Borrowed("")), &position, step, &after, &names);
        let written = row.notation.as_deref().map(str::to_owned).unwrap_or_default().into();
        rows.push(MoveRow { written, eval, ..row });
        position = after;
    }
    rows
}
