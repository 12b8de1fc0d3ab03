//! Annotated games as PDN.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::notation::Numbering;
use crate::pdn::{AsWritten, Evaluation, ExtraMove, NodeId, Overlay, WriteOptions, WrittenNumber, write_game};
use crate::records::{Annotation, Judgement};
use crate::replay::{Ply, ReplayedGame};
use crate::rules::Variant;

/// Maximum length of a best line, in plies.
const MAX_LINE: usize = 12;

/// Returns a game with annotations: the evaluation after each move as `[%eval …]`, from White's point of view, a NAG for
/// each judgement, and the best line as a variation. What the game holds is kept. `annotator` is added to the Annotator tag.
pub fn annotated_pdn(game: &ReplayedGame, annotations: &[Annotation], annotator: &str) -> String {
    let options = WriteOptions::default();
    if annotations.is_empty() {
        return write_game(game.tree(), options, &AsWritten);
    }
    let by_node = annotations.iter().map(|annotation| (annotation.node, annotation)).collect();
    let present = game.tree().tag("Annotator").filter(|name| !matches!(*name, "" | "?"));
    let annotators = match present {
        None => annotator.to_owned(),
        Some(present) if present.ends_with(annotator) => present.to_owned(),
        Some(present) => format!("{present}; {annotator}"),
    };
    let tags = [("Annotator".to_owned(), Some(annotators))];
    write_game(game.tree(), options, &Annotated { game, by_node, tags })
}

struct Annotated<'a> {
    game: &'a ReplayedGame,
    by_node: HashMap<NodeId, &'a Annotation>,
    tags: [(String, Option<String>); 1],
}

impl Overlay for Annotated<'_> {
    fn tags(&self) -> &[(String, Option<String>)] {
        &self.tags
    }

    fn nags(&self, id: NodeId) -> Vec<u16> {
        let judgement = self.by_node.get(&id).and_then(|annotation| annotation.judgement);
        judgement.map(Judgement::nag).into_iter().collect()
    }

    fn comment(&self, id: NodeId) -> Option<Cow<'_, str>> {
        Some(eval(self.by_node.get(&id)?.evaluation).into())
    }

    fn variations(&self, id: NodeId) -> Vec<Vec<ExtraMove>> {
        let judged = self.by_node.get(&id).filter(|annotation| !annotation.best_line.is_empty());
        judged.zip(self.game.ply(id)).map(|(annotation, ply)| line(annotation, ply)).into_iter().collect()
    }
}

fn eval(evaluation: Evaluation) -> String {
    format!("[%eval {evaluation}]")
}

/// Returns the best line, numbered from the move that it replaces.
fn line(annotation: &Annotation, ply: &Ply) -> Vec<ExtraMove> {
    let Some(mut position) = ply.before().copied() else { return Vec::new() };
    let numbering = Numbering::for_variant(position.variant());
    let mut moves = Vec::new();
    for (n, step) in annotation.best_line.iter().take(MAX_LINE).enumerate() {
        moves.push(ExtraMove {
            number: number(position.variant(), ply, n),
            text: position.short_in(step, numbering),
            comment: (n == 0).then(|| eval(annotation.best_evaluation)),
        });
        position = position.play_unchecked(step);
    }
    moves
}

/// Returns the number before the n-th move of a line: before each move of the side that starts games, and before the first.
fn number(variant: Variant, first: &Ply, n: usize) -> Option<WrittenNumber> {
    let starts = (first.side() == variant.starts()) == n.is_multiple_of(2);
    // Where the second player moves first, the first half of the move pair is missing.
    let shifted = u32::from((first.number() % 2 == 1) != (first.side() == variant.starts()));
    let value = (first.number() + shifted + n as u32).div_ceil(2);
    (starts || n == 0).then_some(WrittenNumber { value, dots: if starts { 1 } else { 3 } })
}
