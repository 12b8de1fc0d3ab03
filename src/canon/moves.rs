//! Moves and positions in canonical form.

use super::MoveStyle;
use super::naming::{Naming, plain_fen};
use crate::notation::{Numbering, resolve};
use crate::pdn::{Attachment, GameTree, MoveText, Node, NodeId, NodeKind};
use crate::replay::{Ply, ReplayedGame};

/// The NAG of a forced move.
const FORCED: u16 = 7;

/// Rewrites each legal move in the style and each position that can be read.
pub(super) fn rewrite(tree: &mut GameTree, game: &ReplayedGame, naming: Naming, style: MoveStyle) {
    for (n, node) in tree.nodes.iter_mut().enumerate() {
        stars_to_nag(node);
        if let NodeKind::Setup { fen } = &mut node.kind
            && let Some(plain) = plain_fen(fen, naming)
        {
            *fen = plain;
        } else if let NodeKind::Move(text) = &mut node.kind
            && let Some(numbering) = naming.written
            && let Some(canonical) = game.ply(NodeId(n as u32)).and_then(|ply| move_text(ply, numbering, style))
        {
            *text = canonical;
        }
    }
}

/// Replaces a star after a move by its NAG.
fn stars_to_nag(node: &mut Node) {
    let Some(marks) = node.strength.as_mut().filter(|marks| marks.contains('*')) else { return };
    marks.retain(|mark| mark != '*');
    if marks.is_empty() {
        node.strength = None;
    }
    if !node.after.contains(&Attachment::Nag(FORCED)) {
        node.after.insert(0, Attachment::Nag(FORCED));
    }
}

/// Returns the text of a legal move if it means this move and no other.
fn move_text(ply: &Ply, numbering: Numbering, style: MoveStyle) -> Option<MoveText> {
    let (before, played) = (ply.before()?, ply.played()?);
    let text = match style {
        MoveStyle::Short => before.move_text_in(played, numbering),
        MoveStyle::Full => before.full_move_text_in(played, numbering),
        MoveStyle::Written => return None,
    };
    let is_certain = text.squares().len() == 2 && style == MoveStyle::Short;
    let is_clear = is_certain || resolve(before, &text, numbering).is_ok_and(|resolved| resolved.played == *played);
    is_clear.then_some(text)
}
