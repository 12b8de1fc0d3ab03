//! The diagnostics of a game that its canonical form resolves.

use std::collections::HashMap;

use super::{Edit, EditKind, FormatOptions};
use crate::diag::{Code, Diagnostic, Severity, Span};
use crate::notation::is_tag_name;
use crate::pdn::{GameTree, MoveText, Node, NodeId, Tag};

/// Returns the edits by which the canonical form of a game dealt with the game's warnings and errors, in their order.
///
/// `original` is the tree as it was read or repaired and `canonical` the one that
/// [`canonical_tree`](super::canonical_tree) made of it with these options. `before` are all diagnostics of the game,
/// `after` those of replaying and checking the canonical tree, whose nodes and tags still have their original spans.
/// Diagnostics that remain have no edit.
pub(crate) fn mended(
    (original, canonical): (&GameTree, &GameTree),
    options: &FormatOptions,
    before: &[Diagnostic],
    after: &[Diagnostic],
) -> Vec<Edit> {
    let mut left: HashMap<(Code, Span), u32> = HashMap::new();
    for diagnostic in after {
        *left.entry((diagnostic.code(), diagnostic.span())).or_default() += 1;
    }
    let mending = Mending::new(original, canonical, options.keeps_text());
    let mut edits = Vec::new();
    for diagnostic in before.iter().filter(|diagnostic| diagnostic.severity() > Severity::Note) {
        match left.get_mut(&(diagnostic.code(), diagnostic.span())) {
            Some(count @ 1..) => *count -= 1,
            _ => edits.extend(mending.edit(diagnostic)),
        }
    }
    edits
}

/// How the canonical form deals with the diagnostics of a code.
enum Remedy {
    /// The writer never writes the construct, or checking the canonical tree would report it.
    Resolved,
    /// The text becomes a comment, or is removed with all comments.
    Text,
    /// A move that is not kept as written is in canonical form.
    Move,
    /// As for a move, but one diagnostic represents all such moves of the game.
    AllMoves(fn(&MoveText) -> bool),
    /// The end of the game is written in canonical form.
    Terminator,
    /// The name of the tag is not kept as written.
    TagName,
    /// There is none.
    None,
}

impl Remedy {
    fn of(code: Code) -> Self {
        match code {
            Code::SYNTAX_STRAY_TEXT
            | Code::SYNTAX_MISSING_BLANK
            | Code::SYNTAX_LETTER_FOR_DIGIT
            | Code::SYNTAX_PROSE_IN_PARENTHESES
            | Code::SYNTAX_RESULT_IN_VARIATION => Self::Text,
            Code::SYNTAX_DASHED_CAPTURE
            | Code::SYNTAX_MISSING_SEPARATOR
            | Code::SYNTAX_ODD_SEPARATOR
            | Code::SYNTAX_NULL_MOVE
            | Code::MOVE_SPLIT_CAPTURE => Self::Move,
            Code::SYNTAX_ULTRA_SHORT => Self::AllMoves(MoveText::is_ultra_short),
            Code::SYNTAX_UPPER_CASE => Self::AllMoves(has_upper_case),
            Code::SYNTAX_BLANK_IN_RESULT
            | Code::SYNTAX_COLON_RESULT
            | Code::SYNTAX_DASH_RESULT
            | Code::SYNTAX_ODD_RESULT
            | Code::SYNTAX_SCORE => Self::Terminator,
            Code::SYNTAX_TAG_NAME => Self::TagName,
            Code::REPLAY_TOO_LARGE => Self::None,
            _ => Self::Resolved,
        }
    }
}

fn has_upper_case(text: &MoveText) -> bool {
    text.text().contains(|letter: char| letter.is_ascii_uppercase() && letter != 'X')
}

/// The parts of the original kept by a canonical tree.
struct Mending<'a> {
    /// Nodes whose moves are written as before, in the order of their spans.
    kept: Vec<&'a Node>,
    tags: &'a [Tag],
    keeps_terminator: bool,
    keeps_text: bool,
}

impl<'a> Mending<'a> {
    fn new(original: &'a GameTree, canonical: &'a GameTree, keeps_text: bool) -> Self {
        let same = |&id: &NodeId| original.nodes().get(id.index()).is_some_and(|old| is_same(old, canonical.node(id)));
        let mut kept: Vec<_> = written_nodes(canonical).filter(same).map(|id| canonical.node(id)).collect();
        kept.sort_by_key(|node| node.span().start);
        // `(2-0)`, `* 2-0`
        let end = original.terminator().zip(original.terminator_span());
        let is_enclosed = end.is_some_and(|(text, span)| text.len() < span.range().len());
        Self {
            kept,
            tags: canonical.tags(),
            keeps_terminator: original.terminator() == canonical.terminator() && !is_enclosed,
            keeps_text,
        }
    }

    fn edit(&self, diagnostic: &Diagnostic) -> Option<Edit> {
        let resolved = match Remedy::of(diagnostic.code()) {
            Remedy::Resolved => true,
            Remedy::Text => {
                let kind = if self.keeps_text { EditKind::Commented } else { EditKind::Removed };
                return Some(Edit::new(diagnostic.span(), kind(diagnostic.clone())));
            }
            Remedy::Move => !self.keeps_move_at(diagnostic.span()),
            Remedy::AllMoves(is_such) => !self.kept.iter().filter_map(|node| node.move_text()).any(is_such),
            Remedy::Terminator => !self.keeps_terminator,
            Remedy::TagName => !self.keeps_tag_name_at(diagnostic.span()),
            Remedy::None => false,
        };
        resolved.then(|| Edit::new(diagnostic.span(), EditKind::Resolved(diagnostic.clone())))
    }

    fn keeps_tag_name_at(&self, span: Span) -> bool {
        self.tags.iter().any(|tag| tag.span().holds(span) && !is_tag_name(tag.name()))
    }

    fn keeps_move_at(&self, span: Span) -> bool {
        let after = self.kept.partition_point(|node| node.span().start <= span.start);
        after > 0 && self.kept[after - 1].span().holds(span)
    }
}

/// Returns true if two nodes are written in the same way.
fn is_same(old: &Node, new: &Node) -> bool {
    match (old.move_text(), new.move_text()) {
        (Some(old), Some(new)) => old.text() == new.text(),
        _ => old.kind() == new.kind(),
    }
}

/// Returns the nodes of the main line and of all variations that are part of the game.
fn written_nodes(tree: &GameTree) -> impl Iterator<Item = NodeId> + '_ {
    tree.written_lines().into_iter().flat_map(move |line| tree.line(line).nodes().iter().copied())
}
