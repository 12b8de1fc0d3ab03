//! The annotations of an earlier run, which new ones replace.

use super::signature::{NAME, Signature, variation_checksum};
use crate::pdn::{Attachment, Command, Evaluation, NodeId, parse_commands, without_commands};
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
/// All evaluations of these moves are removed unless they are kept. A mark and a variation are removed if a command
/// `[%pdn mark=… line=…]` after the move names them: the mark by its number, before the comment with the command, and the
/// variation by a checksum, so that one which was edited stays. Kept evaluations in comments with this command become those
/// of the annotations.
pub fn remove_former(game: &mut ReplayedGame, annotations: &mut [Annotation], evaluations: FormerEvaluations) {
    for annotation in annotations {
        let Some(former) = Former::of(game, annotation.node) else { continue };
        if evaluations == FormerEvaluations::Keep
            && let Some(kept) = former.evaluation(game, annotation.node)
        {
            annotation.evaluation = kept;
        }
        let rest = former.rest(game, annotation.node, evaluations);
        game.set_attachments(annotation.node, rest);
    }
}

/// The attachments of a move that an earlier run added, as indices.
struct Former {
    /// Comments with commands.
    comments: Vec<usize>,
    /// Comments with signatures.
    signed: Vec<usize>,
    marks_and_lines: Vec<usize>,
}

impl Former {
    /// Finds what an earlier run added to a move; `None` if its comments have no commands.
    fn of(game: &ReplayedGame, id: NodeId) -> Option<Self> {
        let after = &game.tree().node(id).after;
        let has_command = |attachment: &Attachment| text(attachment).is_some_and(|text| text.contains("[%"));
        let comments: Vec<usize> = (0..after.len()).filter(|&n| has_command(&after[n])).collect();
        if comments.is_empty() {
            return None;
        }
        let mut former = Self { comments, signed: Vec::new(), marks_and_lines: Vec::new() };
        for n in former.comments.clone() {
            if let Some(signature) = text(&after[n]).and_then(Signature::find) {
                former.signed.push(n);
                former.claim(game, after, n, signature);
            }
        }
        Some(former)
    }

    /// Adds the mark and the variation that a signature in the comment with this index names.
    fn claim(&mut self, game: &ReplayedGame, after: &[Attachment], comment: usize, signature: Signature) {
        let is_free = |n: &usize| !self.marks_and_lines.contains(n);
        let is_mark = |n: &usize| signature.mark.is_some_and(|mark| after[*n] == Attachment::Nag(mark));
        let mark = (0..comment).filter(is_free).find(is_mark);
        let is_line = |n: &usize| {
            signature.line.is_some()
                && after[*n].variation().and_then(|line| variation_checksum(game, line)) == signature.line
        };
        let line = (0..after.len()).rev().filter(is_free).find(is_line);
        self.marks_and_lines.extend(mark.into_iter().chain(line));
    }

    /// Returns the evaluation in the comments with signatures.
    fn evaluation(&self, game: &ReplayedGame, id: NodeId) -> Option<Evaluation> {
        let after = &game.tree().node(id).after;
        self.signed.iter().find_map(|&n| written_evaluation(&after[n]))
    }

    /// Returns the other attachments.
    fn rest(&self, game: &ReplayedGame, id: NodeId, evaluations: FormerEvaluations) -> Vec<Attachment> {
        let kept = |(n, attachment): (usize, &Attachment)| {
            if self.marks_and_lines.contains(&n) {
                return None;
            }
            if !self.comments.contains(&n) {
                return Some(attachment.clone());
            }
            let replaces = evaluations == FormerEvaluations::Replace || self.signed.contains(&n);
            without(attachment, if replaces { &[NAME, EVAL] } else { &[NAME] })
        };
        game.tree().node(id).after.iter().enumerate().filter_map(kept).collect()
    }
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
