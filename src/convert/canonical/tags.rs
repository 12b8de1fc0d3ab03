//! The tags of a canonical game, and what ends it.

use super::FormatOptions;
use super::moves::plain_fen;
use crate::pdn::{Attachment, GameTree, MoveKind, NodeKind, ROSTER, Tag, Terminator};
use crate::replay::{ReplayedGame, is_unknown_result, standard_result};

/// Completes the roster and settles the result between the tag and what ends the moves.
pub(super) fn complete(tree: &mut GameTree, game: &ReplayedGame, options: &FormatOptions) {
    settle_result(tree, game, options);
    if let Some(numbering) = game.numbering() {
        for tag in tree.tags.iter_mut().filter(|tag| tag.name.eq_ignore_ascii_case("FEN")) {
            if let Some(plain) = plain_fen(&tag.value, numbering) {
                tag.value = plain;
            }
        }
    }
    if !tree.tags.is_empty() || !begins_game(tree) {
        for name in ROSTER.into_iter().filter(|name| tree.tag(name).is_none()).collect::<Vec<_>>() {
            let value = match name {
                "Date" => "????.??.??",
                "Result" => "*",
                _ => "?",
            };
            add(tree, name, value);
        }
    }
}

/// Whether the movetext alone tells that it is a game: comments do not, nor null moves and moves such as `3127`.
fn begins_game(tree: &GameTree) -> bool {
    let first = tree.main_line().nodes.first().map(|&id| tree.node(id));
    first.is_some_and(|node| match &node.kind {
        NodeKind::Setup { .. } => true,
        _ if node.number.is_some() => true,
        NodeKind::Move(text) => text.kind() != MoveKind::Unseparated,
        NodeKind::Null | NodeKind::Ellipsis => false,
    })
}

fn add(tree: &mut GameTree, name: &str, value: &str) {
    tree.tags.push(Tag { name: name.to_owned(), value: value.to_owned(), ..Tag::default() });
}

/// Writes the result into its tag, spelt as the variant wants it, and `*` behind the moves, unless the two contradict.
fn settle_result(tree: &mut GameTree, game: &ReplayedGame, options: &FormatOptions) {
    let spelt =
        |text: &str| standard_result(text, game.variant()).map_or_else(|| text.trim().to_owned(), str::to_owned);
    let known = |text: &str| !is_unknown_result(text);
    let end = tree.terminator.as_ref().map(|terminator| terminator.text.clone()).filter(|text| known(text));
    let tagged = tree.tag("Result").map(str::to_owned);
    let own_format = tree.tag("ResultFormat").is_some();
    let result = match (tagged.filter(|text| known(text)), &end) {
        (Some(tagged), _) if own_format => Some(tagged),
        (Some(tagged), _) => Some(spelt(&tagged)),
        (None, Some(end)) => Some(spelt(end)),
        (None, None) => None,
    };
    if let Some(result) = &result {
        match tree.tags.iter_mut().find(|tag| tag.name == "Result") {
            Some(tag) => tag.value.clone_from(result),
            None => add(tree, "Result", result),
        }
    }
    let contradicts = |end: &&String| result.as_ref().is_some_and(|result| spelt(result) != spelt(end));
    let contradiction = end.as_ref().filter(contradicts).cloned();
    let text = match (contradiction, result) {
        (Some(end), _) if options.strict => {
            if options.comments {
                tree.tail.insert(0, Attachment::Comment { text: end, span: crate::diag::Span::default() });
            }
            "*".to_owned()
        }
        (Some(end), _) => end,
        (None, Some(result)) if options.results && standard_result(&result, None).is_some() => result,
        (None, _) => "*".to_owned(),
    };
    let span = tree.terminator.as_ref().map(|terminator| terminator.span).unwrap_or_default();
    tree.terminator = Some(Terminator { text, span });
}
