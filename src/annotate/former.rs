//! The annotations of an earlier run, which new ones replace.

use std::collections::{HashMap, HashSet};

use crate::pdn::{Attachment, LineId, NodeId, NodeKind, parse_commands, without_commands};
use crate::records::{
    Annotation, Annotators, Signature, comment_text, line_checksum, text_checksum, written_evaluation,
};
use crate::replay::ReplayedGame;
use crate::rules::Move;

/// What an earlier run added to a game: for each move that has such annotations, what is left of its attachments without them.
///
/// # Examples
///
/// ```
/// use pdn::annotate::FormerAnnotations;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let text = b"[GameType \"20\"]\n1. 32-28 {[%eval 0.10] [%pdn line=de719fa4]} (1. 31-27 {[%eval 0.20]}) (1. 34-29) *";
/// let game = replay(pdn::games(text).next().unwrap().into_tree(), &ReplayOptions::default());
/// let game = FormerAnnotations::lines(&game).removed_from(game);
/// let first = game.main_moves().next().unwrap();
/// assert_eq!(game.tree().node(first).attachments().len(), 2, "the comment and the other variation");
/// ```
#[derive(Debug)]
pub struct FormerAnnotations(Vec<(NodeId, Vec<Attachment>)>);

impl FormerAnnotations {
    /// Finds what an earlier run added to the moves that have new annotations.
    ///
    /// That is all evaluations of these moves, unless `keeps` them, and the mark, the variations and the sentence that the first
    /// command `[%pdn mark=… line=… text=…]` after the move names: the mark by its number, before the comment with the command,
    /// a variation and the sentence, a comment after that one, by a checksum, so that an edited one stays. Evaluations that are
    /// kept, from comments with this command, become those of the new annotations.
    pub fn of_moves(game: &ReplayedGame, annotations: &mut [Annotation], keeps: bool) -> Self {
        let mut left = Vec::new();
        for annotation in annotations {
            let after = game.tree().node(annotation.node).attachments();
            if !after.iter().any(has_command) {
                continue;
            }
            if keeps
                && let Some(kept) = after.iter().filter(|item| signature(item).is_some()).find_map(written_evaluation)
            {
                annotation.evaluation = kept;
            }
            left.push((annotation.node, others(game, after, keeps)));
        }
        Self(left)
    }

    /// Finds what earlier runs added to all moves: what the signatures name, and the evaluations in comments with one. Other
    /// evaluations belong to a run if the tag `Annotator` says that it left none of others.
    pub fn all(game: &ReplayedGame) -> Self {
        let (tree, names) = (game.tree(), Annotators::of(game.tree()));
        let mut left = Vec::new();
        for line in tree.line_ids() {
            let keeps = !names.owns_evaluations(line);
            for &id in tree.line(line).nodes() {
                let after = tree.node(id).attachments();
                if after.iter().any(has_command) {
                    let others = others(game, after, keeps);
                    left.extend((others != after).then_some((id, others)));
                }
            }
        }
        Self(left)
    }

    /// Finds the best lines that an earlier run added to any move, and nothing else.
    pub fn lines(game: &ReplayedGame) -> Self {
        let mut left = Vec::new();
        for id in game.tree().node_ids() {
            let after = game.tree().node(id).attachments();
            // Most moves have no variation, and no signature has to be read for them.
            if !after.iter().any(|item| item.variation().is_some()) {
                continue;
            }
            let signed = signed(game, after);
            let is_line = |n: usize, item: &Attachment| item.variation().is_some() && signed.contains(&n);
            let kept = after.iter().enumerate().filter(|(n, item)| !is_line(*n, item));
            let kept: Vec<_> = kept.map(|(_, item)| item.clone()).collect();
            if kept.len() < after.len() {
                left.push((id, kept));
            }
        }
        Self(left)
    }

    /// Returns true if there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the game without them; everything else stays in its order.
    #[must_use]
    pub fn removed_from(self, mut game: ReplayedGame) -> ReplayedGame {
        self.remove_from(&mut game);
        game
    }

    pub(super) fn remove_from(self, game: &mut ReplayedGame) {
        self.0.into_iter().for_each(|(id, left)| game.set_attachments(id, left));
    }
}

/// Returns the attachments of a move without those of an earlier run.
fn others(game: &ReplayedGame, after: &[Attachment], keeps: bool) -> Vec<Attachment> {
    let signed = signed(game, after);
    let kept = |(n, item): (usize, &Attachment)| {
        if signed.contains(&n) {
            return None;
        }
        if !has_command(item) {
            return Some(item.clone());
        }
        let replaces = !keeps || signature(item).is_some();
        without(item, if replaces { &[Signature::NAME, "eval"] } else { &[Signature::NAME] })
    };
    after.iter().enumerate().filter_map(kept).collect()
}

/// Returns the indices of the mark, the sentence and the variations that the first signature names.
fn signed(game: &ReplayedGame, after: &[Attachment]) -> HashSet<usize> {
    let first = after.iter().enumerate().find_map(|(n, item)| Some((n, signature(item)?)));
    let Some((comment, Signature { mark, lines, text: sentence, .. })) = first else { return HashSet::new() };
    let mark = mark.and_then(|mark| after[..comment].iter().position(|item| *item == Attachment::Nag(mark)));
    let is_sentence = |item: &Attachment| comment_text(item).map(text_checksum) == sentence;
    let sentence = sentence.and_then(|_| after[comment..].iter().position(is_sentence)).map(|n| comment + n);
    let checksum = |item: &Attachment| variation_checksum(game, item.variation()?);
    let mut signed: HashSet<usize> = mark.into_iter().chain(sentence).collect();
    let mut places: HashMap<u32, Vec<usize>> = HashMap::new();
    for (n, item) in after.iter().enumerate().filter(|_| !lines.is_empty()) {
        if let Some(checksum) = checksum(item) {
            places.entry(checksum).or_default().push(n);
        }
    }
    // Lines are written after the variations of the record, so of equal ones the last are the program's.
    signed.extend(lines.iter().filter_map(|line| places.get_mut(line)?.pop()));
    signed
}

/// Returns the checksum of a variation in the form that the program writes: moves, and one comment after the first. Any other
/// variation has none.
fn variation_checksum(game: &ReplayedGame, line: LineId) -> Option<u32> {
    let (tree, variant) = (game.tree(), game.variant()?);
    let line = tree.line(line);
    let (first, later) = line.nodes().split_first()?;
    let [Attachment::Comment { text: comment, .. }] = tree.node(*first).attachments() else { return None };
    let is_plain = |id| matches!(tree.node(id).kind(), NodeKind::Move(_)) && tree.node(id).strength().is_none();
    let is_ours = line.intro().is_empty()
        && line.nodes().iter().all(|&id| is_plain(id))
        && later.iter().all(|&id| tree.node(id).attachments().is_empty());
    let moves: Vec<Move> = line.nodes().iter().map(|&id| game.played(id)).collect::<Option<_>>()?;
    is_ours.then(|| line_checksum(variant, &moves, comment))
}

fn has_command(attachment: &Attachment) -> bool {
    comment_text(attachment).is_some_and(|text| text.contains("[%"))
}

fn signature(attachment: &Attachment) -> Option<Signature> {
    comment_text(attachment).and_then(read_signature)
}

/// Reads the signature in a comment.
fn read_signature(comment: &str) -> Option<Signature> {
    // Most comments have none, and parsing costs more than searching.
    memchr::memmem::find(comment.as_bytes(), b"[%pdn")?;
    parse_commands(comment).iter().find_map(Signature::of)
}

/// Returns a comment without the commands of these names; `None` if nothing is left of it.
fn without(attachment: &Attachment, names: &[&str]) -> Option<Attachment> {
    let mut rest = attachment.clone();
    let (Attachment::Comment { text, .. } | Attachment::LineComment { text, .. }) = &mut rest else {
        return Some(rest);
    };
    let left = without_commands(text, |name| names.contains(&name));
    let is_gone = left.is_empty() && !text.is_empty();
    *text = left;
    (!is_gone).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::Evaluation;

    #[test]
    fn signatures_are_read_as_they_are_written() {
        let before = Some(Evaluation::BlackWins(7));
        for (mark, lines, before) in [
            (Some(6), vec![0x1a, 7], None),
            (None, vec![u32::MAX], Some(Evaluation::CentiMen(-32))),
            (Some(4), vec![], before),
            (None, vec![], before),
            (None, vec![], None),
        ] {
            let signature = Signature { mark, lines, before, ..Signature::default() };
            assert_eq!(read_signature(&format!("text {signature}")).as_ref(), Some(&signature), "{signature}");
        }
        let signature = Signature { mark: Some(6), lines: vec![0x1a, 7], before, ..Signature::default() };
        assert_eq!(signature.to_string(), "[%pdn mark=6 line=0000001a line=00000007 before=#-7]");
        let signature = Signature {
            text: Some(0x1a),
            words: Some("loses|m1|27-22,18x27".to_owned()),
            shots: vec!["missed:-:1:c3:e5,d6:f4".to_owned()],
            ..Signature::default()
        };
        let written = signature.to_string();
        assert_eq!(written, "[%pdn shot=missed:-:1:c3:e5,d6:f4 text=0000001a words=loses|m1|27-22,18x27]");
        assert_eq!(read_signature(&written), Some(signature));
        assert_eq!(read_signature("[%pdn x line=zz before=x more]"), Some(Signature::default()));
        assert_eq!(read_signature("[%eval 0.1] pdn [%pdnx mark=6]"), None);
    }
}
