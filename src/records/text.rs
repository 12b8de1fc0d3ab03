//! The text of a game besides its moves: comments, stray words, and prose in parentheses.

use std::borrow::Cow;

use crate::pdn::{Attachment, GameTree, LineId, MAX_EXPORT_DEPTH, NodeId, NodeKind, write_line};

/// Returns the text before the first move.
pub(super) fn opening_text(tree: &GameTree) -> Option<Cow<'_, str>> {
    joined(texts(tree, tree.lead(), 0).chain(early_texts(tree, LineId::MAIN, 0)))
}

/// Returns the text after the end of the game.
pub(super) fn closing_text(tree: &GameTree) -> Option<Cow<'_, str>> {
    joined(texts(tree, tree.tail(), 0))
}

/// Returns the text in a line before its first move. Positions that are set up belong to a move, if there is one.
pub(super) fn early_texts(tree: &GameTree, line: LineId, depth: usize) -> impl Iterator<Item = Cow<'_, str>> {
    let keeps_setups = !has_moves(tree, line);
    let line = tree.line(line);
    let early = line.nodes().iter().take_while(|id| !tree.node(**id).kind().is_written_move());
    let of_node = move |&id: &NodeId| {
        let setup = setup_text(tree, id).filter(|_| keeps_setups);
        setup.into_iter().chain(texts(tree, tree.node(id).attachments(), depth))
    };
    texts(tree, line.intro(), depth).chain(early.flat_map(of_node))
}

/// Returns a position that is set up as it is written.
fn setup_text(tree: &GameTree, id: NodeId) -> Option<Cow<'_, str>> {
    match tree.node(id).kind() {
        NodeKind::Setup { fen } => Some(written_setup(fen).into()),
        _ => None,
    }
}

/// Returns the text of a position that is set up.
pub(super) fn written_setup(fen: &str) -> String {
    format!("/FEN \"{fen}\"/")
}

/// Returns the comments and stray words among attachments, and the variations that are no rows: those without moves, and
/// those in a line of the largest depth.
pub(super) fn texts<'a>(
    tree: &'a GameTree,
    attachments: &'a [Attachment],
    depth: usize,
) -> impl Iterator<Item = Cow<'a, str>> {
    attachments.iter().filter_map(move |attachment| match attachment {
        Attachment::Comment { text, .. } | Attachment::LineComment { text, .. } | Attachment::Stray { text, .. } => {
            Some(text.into())
        }
        Attachment::Variation(line) if is_deepest(depth) => Some(write_line(tree, *line).into()),
        Attachment::Variation(line) => prose(tree, *line, depth + 1).map(Cow::Owned),
        Attachment::Nag(_) => None,
    })
}

/// Returns true if the variations in a line of this depth are not exported as rows.
pub(super) const fn is_deepest(depth: usize) -> bool {
    depth == MAX_EXPORT_DEPTH as usize
}

/// Returns the text of a line without moves, in parentheses.
fn prose(tree: &GameTree, line: LineId, depth: usize) -> Option<String> {
    if has_moves(tree, line) {
        return None;
    }
    joined(early_texts(tree, line, depth).collect::<Vec<_>>().into_iter()).map(|text| format!("({text})"))
}

fn has_moves(tree: &GameTree, line: LineId) -> bool {
    tree.line(line).nodes().iter().any(|&id| tree.node(id).kind().is_written_move())
}

/// Returns texts separated by spaces.
pub(super) fn joined<'a>(mut texts: impl Iterator<Item = Cow<'a, str>>) -> Option<Cow<'a, str>> {
    let mut all = texts.next()?;
    for text in texts {
        let all = all.to_mut();
        all.push(' ');
        all.push_str(&text);
    }
    Some(all)
}
