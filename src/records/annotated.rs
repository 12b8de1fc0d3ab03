//! Annotations in the rows of a game.

use std::borrow::Cow;
use std::collections::HashMap;

use super::annotation::{Annotation, EvaluatedLine, Judgement};
use super::assessment::{Assessment, LineRow};
use super::game::{RowNames, played_row};
use super::rows::{GameRow, MoveRow};
use crate::pdn::NodeId;
use crate::replay::ReplayedGame;
use crate::rules::Position;

/// Adds annotations to the row of their game: evaluations where the game has none, NAGs that the moves do not have, best
/// lines as further variations, and the assessment of each move and of the play of both sides.
pub fn annotate_row(row: &mut GameRow<'_>, game: &ReplayedGame, annotations: &[Annotation]) {
    let by_node = annotations.iter().map(|annotation| (annotation.node, annotation)).collect();
    let annotated = Annotated { game, by_node };
    annotated.add_to_line(&mut row.moves);
    row.variations.iter_mut().for_each(|line| annotated.add_to_line(line));
    row.assess();
}

struct Annotated<'a> {
    game: &'a ReplayedGame,
    by_node: HashMap<NodeId, &'a Annotation>,
}

impl Annotated<'_> {
    fn add_to_line(&self, rows: &mut [MoveRow<'_>]) {
        for row in rows {
            row.variations.iter_mut().for_each(|line| self.add_to_line(line));
            if let Some(annotation) = row.node.and_then(|node| self.by_node.get(&node)) {
                self.add(row, annotation);
            }
        }
    }

    fn add(&self, row: &mut MoveRow<'_>, annotation: &Annotation) {
        row.eval.get_or_insert(annotation.evaluation);
        let nag = annotation.judgement.map(Judgement::nag);
        row.nags.extend(nag.filter(|nag| !row.nags.contains(nag)));
        let Some(before) = self.game.ply(annotation.node).and_then(|ply| ply.before().copied()) else { return };
        let lines = annotation.alternatives(self.game.played(annotation.node));
        let lines: Vec<_> = lines.iter().map(|line| line_rows(before, row.ply, line)).collect();
        let best = lines.first().and_then(|line| line.first()).and_then(|best| best.notation.clone());
        let listed = annotation.lines.iter().map(|line| listed(before, line)).collect();
        row.assessment = Some(Assessment::new(annotation, &before, best, listed));
        row.variations.extend(lines);
    }
}

fn line_rows(mut position: Position, first_ply: u32, line: &EvaluatedLine) -> Vec<MoveRow<'static>> {
    let names = RowNames::of(position.variant());
    let mut rows = Vec::with_capacity(line.moves().len());
    for (ply, step) in (first_ply..).zip(line.moves()) {
        let after = position.play_unchecked(step);
        let eval = (ply == first_ply).then_some(line.evaluation());
        let row = played_row((ply, Cow::Borrowed("")), &position, step, &after, &names);
        let written = row.notation.as_deref().map(str::to_owned).unwrap_or_default().into();
        rows.push(MoveRow { written, eval, ..row });
        position = after;
    }
    rows
}

/// Returns a line as an element of a list of lines.
fn listed(before: Position, line: &EvaluatedLine) -> LineRow {
    let moves = line_rows(before, 1, line).into_iter().filter_map(|row| row.notation).map(String::from).collect();
    LineRow { eval: line.evaluation(), moves }
}
