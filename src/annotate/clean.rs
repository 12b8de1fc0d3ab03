//! Games without what earlier runs added to them.

use super::former::FormerAnnotations;
use crate::check::Review;
use crate::pdn::{Attachment, LineId};
use crate::records::{Annotators, Judgement, Remains, is_unsigned_evaluation, nags};
use crate::replay::ReplayedGame;

/// Removes everything from a game that earlier runs added and that cannot be a person's, and returns what may be either's.
pub(super) fn clean(review: &mut Review) -> Remains {
    let game = review.game_mut();
    let names = Annotators::of(game.tree());
    let (is_named, is_plain, others) = (names.names_run(), names.is_plain(), names.without_run());
    let former = FormerAnnotations::all(game);
    let found = !former.is_empty();
    former.remove_from(game);
    if !is_named {
        // Without the name of the run, nothing says whose evaluations without a signature are.
        return Remains { evaluations: if found { evaluations(game) } else { 0 }, ..Remains::default() };
    }
    game.set_annotator(others.as_deref());
    // Without its commands, nothing else that a run added differs from the work of a person.
    if is_plain || !found { remains(game) } else { Remains::default() }
}

/// Counts the evaluations without a signature in all lines.
fn evaluations(game: &ReplayedGame) -> usize {
    let tree = game.tree();
    let nodes = tree.written_lines().into_iter().flat_map(|line| tree.line(line).nodes());
    nodes.flat_map(|&id| tree.node(id).attachments()).filter(|item| is_unsigned_evaluation(item)).count()
}

/// Counts what runs add, in the main line.
fn remains(game: &ReplayedGame) -> Remains {
    let tree = game.tree();
    let mut found = Remains::default();
    for &id in tree.line(LineId::MAIN).nodes() {
        let node = tree.node(id);
        found.marks += nags(node).into_iter().filter(|&nag| Judgement::of_nag(nag).is_some()).count();
        found.variations += tree.variations(id).count();
        found.comments +=
            node.attachments().iter().filter_map(Attachment::comment).filter(|text| !text.contains("[%")).count();
    }
    found
}
