//! Moves and positions in their canonical text.

use super::MoveStyle;
use crate::notation::{Numbering, read_fen, resolve, tidied_fen};
use crate::pdn::{Attachment, GameTree, MoveText, Node, NodeId, NodeKind};
use crate::replay::{Ply, ReplayedGame};

/// The number that stands for a forced move.
const FORCED: u16 = 7;

/// Writes each move that could be played, and each position that can be read, as the style wants it.
pub(super) fn rewrite(tree: &mut GameTree, game: &ReplayedGame, style: MoveStyle) {
    let numbering = game.numbering();
    for (n, node) in tree.nodes.iter_mut().enumerate() {
        number_stars(node);
        if let NodeKind::Setup { fen } = &mut node.kind
            && let Some(plain) = plain_fen(fen, numbering)
        {
            *fen = plain;
        } else if let NodeKind::Move(text) = &mut node.kind
            && let Some(numbering) = numbering
            && let Some(canonical) = game.ply(NodeId(n as u32)).and_then(|ply| move_text(ply, numbering, style))
        {
            *text = canonical;
        }
    }
}

/// A star behind a move becomes the number that means the same.
fn number_stars(node: &mut Node) {
    let Some(marks) = node.strength.as_mut().filter(|marks| marks.contains('*')) else { return };
    marks.retain(|mark| mark != '*');
    if marks.is_empty() {
        node.strength = None;
    }
    if !node.after.contains(&Attachment::Nag(FORCED)) {
        node.after.insert(0, Attachment::Nag(FORCED));
    }
}

/// Returns the text of a move that could be played, if that text means this move and no other.
fn move_text(ply: &Ply, numbering: Numbering, style: MoveStyle) -> Option<MoveText> {
    let (before, played) = (*ply.before()?, *ply.played()?);
    let text = match style {
        MoveStyle::Short => before.short_in(&played, numbering),
        MoveStyle::Full => before.full_in(&played, numbering),
        MoveStyle::Written => return None,
    };
    let text = MoveText::parse(&text)?;
    let certain = text.squares().len() == 2 && style == MoveStyle::Short;
    let clear = certain || resolve(&before, &text, numbering).is_ok_and(|resolved| resolved.played == played);
    clear.then_some(text)
}

/// Returns a FEN without blanks, zeros and dots, and where the squares are known without ranges; `None` where it says
/// anything else besides.
pub(super) fn plain_fen(fen: &str, numbering: Option<Numbering>) -> Option<String> {
    let known = numbering.and_then(|numbering| Some((read_fen(fen, numbering).ok()?, numbering)));
    match known.filter(|(read, _)| read.overlooked.is_empty() && !read.is_null_move()) {
        Some((read, numbering)) => Some(read.setup.fen(numbering)),
        None => tidied_fen(fen),
    }
}
