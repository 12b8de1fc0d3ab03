//! The annotations of an earlier run, which new ones replace.

use std::collections::{HashMap, HashSet};

use super::signature::{NAME, Signature, variation_checksum};
use crate::pdn::{Attachment, Command, Evaluation, parse_commands, without_commands};
use crate::records::Annotation;
use crate::replay::ReplayedGame;

/// The name of the command of an evaluation.
const EVAL: &str = "eval";

/// What happens to the evaluations that a game already has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormerEvaluations {
    /// New ones replace them.
    Replace,
    /// They stay, and their moves get no other.
    Keep,
}

/// Removes what an earlier run added to the moves that have new annotations, and everything else stays in its order.
///
/// All evaluations of these moves are removed unless they are kept. A mark and variations are removed if a command
/// `[%pdn mark=… line=…]` after the move, the first one, names them: the mark by its number, before the comment with the
/// command, and a variation by a checksum, so that one which was edited stays. Kept evaluations in comments with this
/// command become those of the annotations.
pub fn remove_former(game: &mut ReplayedGame, annotations: &mut [Annotation], evaluations: FormerEvaluations) {
    for annotation in annotations {
        let after = game.tree().node(annotation.node).attachments();
        if !after.iter().any(has_command) {
            continue;
        }
        if evaluations == FormerEvaluations::Keep
            && let Some(kept) = after.iter().filter(|item| signature(item).is_some()).find_map(written_evaluation)
        {
            annotation.evaluation = kept;
        }
        let rest = others(game, after, evaluations);
        game.set_attachments(annotation.node, rest);
    }
}

/// Removes the best lines that an earlier run added to any move, and nothing else.
///
/// # Examples
///
/// ```
/// use pdn::export::remove_former_lines;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let text = b"[GameType \"20\"]\n1. 32-28 {[%eval 0.10] [%pdn line=de719fa4]} (1. 31-27 {[%eval 0.20]}) (1. 34-29) *";
/// let mut game = replay(pdn::pdn::games(text).next().unwrap().into_tree(), &ReplayOptions::default());
/// remove_former_lines(&mut game);
/// let first = game.main_moves().next().unwrap();
/// assert_eq!(game.tree().node(first).attachments().len(), 2, "the comment and the other variation");
/// ```
pub fn remove_former_lines(game: &mut ReplayedGame) {
    for id in game.tree().node_ids() {
        let after = game.tree().node(id).attachments();
        if !after.iter().any(|item| item.variation().is_some()) {
            continue;
        }
        let signed = signed(game, after);
        let is_line = |n: usize, item: &Attachment| item.variation().is_some() && signed.contains(&n);
        let kept = after.iter().enumerate().filter(|(n, item)| !is_line(*n, item));
        let kept: Vec<_> = kept.map(|(_, item)| item.clone()).collect();
        if kept.len() < after.len() {
            game.set_attachments(id, kept);
        }
    }
}

/// Returns the attachments of a move without those of an earlier run.
fn others(game: &ReplayedGame, after: &[Attachment], evaluations: FormerEvaluations) -> Vec<Attachment> {
    let signed = signed(game, after);
    let kept = |(n, item): (usize, &Attachment)| {
        if signed.contains(&n) {
            return None;
        }
        if !has_command(item) {
            return Some(item.clone());
        }
        let replaces = evaluations == FormerEvaluations::Replace || signature(item).is_some();
        without(item, if replaces { &[NAME, EVAL] } else { &[NAME] })
    };
    after.iter().enumerate().filter_map(kept).collect()
}

/// Returns the indices of the mark and the variations that the first signature names.
fn signed(game: &ReplayedGame, after: &[Attachment]) -> HashSet<usize> {
    let first = after.iter().enumerate().find_map(|(n, item)| Some((n, signature(item)?)));
    let Some((comment, Signature { mark, lines })) = first else { return HashSet::new() };
    let mark = mark.and_then(|mark| after[..comment].iter().position(|item| *item == Attachment::Nag(mark)));
    let checksum = |item: &Attachment| variation_checksum(game, item.variation()?);
    let variations = after.iter().enumerate().filter(|_| !lines.is_empty());
    // Of equal variations the last one is ours.
    let places: HashMap<u32, usize> = variations.filter_map(|(n, item)| Some((checksum(item)?, n))).collect();
    mark.into_iter().chain(lines.iter().filter_map(|line| places.get(line).copied())).collect()
}

fn has_command(attachment: &Attachment) -> bool {
    text(attachment).is_some_and(|text| text.contains("[%"))
}

fn signature(attachment: &Attachment) -> Option<Signature> {
    text(attachment).and_then(Signature::find)
}

/// Returns the evaluation that a comment holds.
pub(super) fn written_evaluation(attachment: &Attachment) -> Option<Evaluation> {
    parse_commands(text(attachment)?).into_iter().find_map(|command| match command {
        Command::Eval(evaluation) => Some(evaluation),
        _ => None,
    })
}

/// Returns a comment without the commands of these names; `None` if nothing is left of it.
fn without(attachment: &Attachment, names: &[&str]) -> Option<Attachment> {
    let mut rest = attachment.clone();
    let (Attachment::Comment { text, .. } | Attachment::LineComment { text, .. }) = &mut rest else {
        return Some(rest);
    };
    let left = without_commands(text, names);
    let is_gone = left.is_empty() && !text.is_empty();
    *text = left;
    (!is_gone).then_some(rest)
}

fn text(attachment: &Attachment) -> Option<&str> {
    match attachment {
        Attachment::Comment { text, .. } | Attachment::LineComment { text, .. } => Some(text),
        _ => None,
    }
}
