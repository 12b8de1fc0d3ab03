//! Moves and positions in canonical form.

use super::MoveStyle;
use super::naming::{Naming, plain_fen};
use crate::notation::{Numbering, resolve};
use crate::pdn::{Attachment, GameTree, MoveText, Node, NodeKind, WrittenSquare};
use crate::replay::{Ply, ReplayedGame};

/// The NAG of a forced move.
const FORCED: u16 = 7;

/// Rewrites each legal move in the style and each position that can be read.
pub(super) fn rewrite(tree: &mut GameTree, game: &ReplayedGame, naming: Naming, style: MoveStyle) {
    for (id, node) in tree.nodes_mut() {
        stars_to_nag(node);
        if let NodeKind::Setup { fen } = node.kind_mut()
            && let Some(plain) = plain_fen(fen, naming)
        {
            *fen = plain;
        } else if let NodeKind::Move(text) = node.kind_mut()
            && let Some(numbering) = naming.written
            && let Some(ply) = game.ply(id)
            && !(style == MoveStyle::Short && naming.game_type.is_none() && is_short(text, ply, numbering))
            && let Some(canonical) = move_text(ply, numbering, style)
        {
            *text = canonical;
        }
    }
}

/// Writes null moves that could be played as the standard does: as changes of the side to move.
pub(super) fn write_nulls(tree: &mut GameTree, game: &ReplayedGame) {
    for (id, node) in tree.nodes_mut().filter(|(_, node)| *node.kind() == NodeKind::Null) {
        if let Some(after) = game.ply(id).and_then(Ply::after) {
            *node.kind_mut() = NodeKind::Setup { fen: format!("{}::", after.turn().letter()) };
            node.set_number(None);
        }
    }
}

/// Returns true if a move is in canonical short form already, which is found out faster than that form.
fn is_short(text: &MoveText, ply: Ply<'_>, numbering: Numbering) -> bool {
    let (Some(before), Some(played)) = (ply.before(), ply.played()) else { return false };
    let &[from, to] = text.squares() else { return false };
    let (Some(first), Some(second)) = (plain_length(from, numbering), plain_length(to, numbering)) else {
        return false;
    };
    let sign = if played.is_capture() { numbering.capture_sign() } else { '-' };
    let text = text.text().as_bytes();
    let is_plain = text.len() == first + 1 + second && text[first] == sign as u8;
    is_plain
        && !text.iter().any(u8::is_ascii_uppercase)
        && (!played.is_capture() || before.has_only(played.from(), played.to()))
}

/// Returns the length of the name of a square, if it is a name in the numbering.
fn plain_length(square: WrittenSquare, numbering: Numbering) -> Option<usize> {
    match square {
        WrittenSquare::Number(number) if !numbering.is_algebraic() => Some(1 + usize::from(number > 9)),
        WrittenSquare::Cell { rank, .. } if numbering.is_algebraic() => Some(2 + usize::from(rank > 9)),
        _ => None,
    }
}

/// Replaces a star after a move by its NAG.
fn stars_to_nag(node: &mut Node) {
    let Some(marks) = node.strength().filter(|marks| marks.contains('*')) else { return };
    let others = marks.replace('*', "");
    node.set_strength(Some(others).filter(|others| !others.is_empty()));
    if !node.attachments().contains(&Attachment::Nag(FORCED)) {
        node.attachments_mut().insert(0, Attachment::Nag(FORCED));
    }
}

/// Returns the text of a legal move if it means this move and no other.
fn move_text(ply: Ply<'_>, numbering: Numbering, style: MoveStyle) -> Option<MoveText> {
    let (before, played) = (ply.before()?, ply.played()?);
    let text = match style {
        MoveStyle::Short => before.move_text_in(played, numbering),
        MoveStyle::Full => before.full_move_text_in(played, numbering),
        MoveStyle::Written => return None,
    };
    let is_certain = text.squares().len() == 2 && style == MoveStyle::Short;
    let is_clear = is_certain || resolve(before, &text, numbering).is_ok_and(|resolved| resolved.played() == *played);
    is_clear.then_some(text)
}
