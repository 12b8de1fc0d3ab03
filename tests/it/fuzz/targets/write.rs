//! What is written is read again as the same game, and written again as the same text.

use pdn::{Attachment, GameTree, Line, Node, Parsed, WriteOptions, games, write_game};

/// Fails if writing or reading changes a game.
pub(crate) fn check(bytes: &[u8]) {
    games(bytes).for_each(|game| check_stable(game.tree()));
}

fn rewrite(tree: &GameTree) -> (String, Vec<Parsed>) {
    let options = WriteOptions { stray_as_comment: true, ..WriteOptions::default() };
    let text = write_game(tree, options);
    let parsed = games(text.as_bytes()).collect();
    (text, parsed)
}

/// Once strays are comments and braces parentheses, writing and reading change nothing any more; where there are none of
/// these, not even the first time.
pub(crate) fn check_stable(tree: &GameTree) {
    let (text, first) = rewrite(tree);
    let Some(first) = first.into_iter().next() else {
        assert!(tree.tags().is_empty() && tree.nodes().is_empty(), "{text}");
        return;
    };
    // Captures that would be read as one are kept apart by an empty comment.
    if is_plain(tree) && !text.contains("{}") {
        assert_eq!(tree.clone().without_spans(), first.tree().clone().without_spans(), "{text}");
    }
    let (again, second) = rewrite(first.tree());
    assert_eq!(second.len(), 1, "{text}\n---\n{again}");
    assert_eq!(first.tree().clone().without_spans(), second[0].tree().clone().without_spans(), "{text}\n---\n{again}");
    let (third, _) = rewrite(second[0].tree());
    assert_eq!(again, third);
}

/// Whether the game holds nothing that is written in another way than it was read.
fn is_plain(tree: &GameTree) -> bool {
    let in_lines = tree.lines().iter().flat_map(Line::intro);
    let in_nodes = tree.nodes().iter().flat_map(Node::attachments);
    let mut items = in_lines.chain(in_nodes).chain(tree.lead()).chain(tree.tail());
    let sound = |item: &Attachment| match item {
        Attachment::Comment { text, .. } => !text.contains(['{', '}']),
        Attachment::Nag(_) | Attachment::Variation(_) => true,
        Attachment::LineComment { .. } | Attachment::Stray { .. } => false,
    };
    items.all(sound)
        && tree.tags().iter().all(|tag| tag.name().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        && tree.terminator().is_some()
}
