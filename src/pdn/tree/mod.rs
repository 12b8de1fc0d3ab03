//! A game as written: tags, moves, comments and variations in order.
//!
//! Moves and lines are in two flat lists and refer to each other by number, so that neither reading nor dropping a game
//! with a hundred thousand open parentheses needs a deep stack. Fields are documented at the methods that return them.

mod edit;
mod parts;

use crate::diag::Span;
use crate::text::Encoding;

pub(in crate::pdn) use parts::Terminator;
pub use parts::{Attachment, Line, Node, NodeKind, Tag, WrittenNumber};
pub(crate) use parts::{nag_sign, strength_nag};

/// The depth to which nested variations are exported to records; the tree keeps all of them. Games are rarely nested
/// more than ten deep, and most JSON readers give up after about a hundred brackets; each level takes three.
pub const MAX_EXPORT_DEPTH: u32 = 40;

/// Maximum number of tags, and of moves, comments, variations and other parts of a game. The rest is kept as text, so
/// that a game of any size takes at most about 100 MB plus a few times the size of its text: 1 kB for each part where
/// it becomes a row, a third of that where it is checked. Annotated games have a few thousand parts.
pub const MAX_ITEMS: usize = 100_000;

/// Number of a node: its index in [`GameTree::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// Number of a line: its index in [`GameTree::lines`]. The main line is [`LineId::MAIN`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineId(u32);

impl NodeId {
    /// Returns the number of the node with this index.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Returns the index of the node with this number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl LineId {
    /// The main line.
    pub const MAIN: Self = Self(0);

    /// Returns the number of the line with this index.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The number as an index.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One game as written, not checked against the rules.
///
/// Its moves are nodes, its main line and variations are lines of nodes; both are numbered in the order of the text.
///
/// # Examples
///
/// ```
/// use pdn::{LineId, games};
///
/// let game = games(b"1. 32-28 {quiet} (1. 33-29 19-24) 1... 19-23 *").next().unwrap();
/// let tree = game.tree();
/// let moves = |line: LineId| -> Vec<String> {
///     tree.line(line).nodes().iter().filter_map(|&id| tree.node(id).move_text()).map(ToString::to_string).collect()
/// };
/// let first = tree.main_line().nodes()[0];
/// assert_eq!(moves(LineId::MAIN), ["32-28", "19-23"]);
/// assert_eq!(tree.node(first).attachments()[0].comment(), Some("quiet"));
/// assert_eq!(tree.variations(first).map(moves).collect::<Vec<_>>(), [["33-29", "19-24"]]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTree {
    pub(in crate::pdn) lead: Vec<Attachment>,
    pub(in crate::pdn) tags: Vec<Tag>,
    pub(in crate::pdn) lines: Vec<Line>,
    pub(in crate::pdn) nodes: Vec<Node>,
    pub(in crate::pdn) terminator: Option<Terminator>,
    pub(in crate::pdn) tail: Vec<Attachment>,
    pub(in crate::pdn) encoding: Encoding,
    pub(in crate::pdn) len: u32,
    pub(in crate::pdn) recorded_variant: Option<&'static str>,
}

impl Default for GameTree {
    fn default() -> Self {
        Self {
            lead: Vec::new(),
            tags: Vec::new(),
            lines: vec![Line::default()],
            nodes: Vec::new(),
            terminator: None,
            tail: Vec::new(),
            encoding: Encoding::default(),
            len: 0,
            recorded_variant: None,
        }
    }
}

impl GameTree {
    /// Returns the comments before the first tag, in order.
    pub fn lead(&self) -> &[Attachment] {
        &self.lead
    }

    /// Returns the tags, in order; a name may occur twice.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// Returns the lines: the main line first, then the variations in the order of their opening parentheses.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Returns the moves of all lines, in text order. Moves removed from their lines by an edit are still included, so that the
    /// numbers of the others do not change.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the result or other token that ends the game, if there is one.
    pub fn terminator(&self) -> Option<&str> {
        self.terminator.as_ref().map(|end| end.text.as_str())
    }

    /// Returns the span of that token; empty if it was not read.
    pub fn terminator_span(&self) -> Option<Span> {
        self.terminator.as_ref().map(|end| end.span)
    }

    /// Returns the comments after the terminator on its line.
    pub fn tail(&self) -> &[Attachment] {
        &self.tail
    }

    /// Returns the encoding from which the bytes were decoded.
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the length of the game in bytes; 0 for a game that was not read.
    pub const fn byte_len(&self) -> u32 {
        self.len
    }

    /// Returns the name of the variant that the record gives beside the tags, as JSON does.
    pub(crate) const fn recorded_variant(&self) -> Option<&'static str> {
        self.recorded_variant
    }

    /// Sets the name of the variant that the record gives beside the tags.
    pub(crate) const fn set_recorded_variant(&mut self, name: Option<&'static str>) {
        self.recorded_variant = name;
    }

    /// Returns the value of the first tag of that name, in this spelling.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.find_tag(name).map(Tag::value)
    }

    /// Returns the first tag of that name, in this spelling.
    pub(crate) fn find_tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// Returns the numbers of all nodes, in the order of the text.
    pub fn node_ids(&self) -> impl ExactSizeIterator<Item = NodeId> + Clone + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Returns the numbers of all lines, the main line first.
    pub(crate) fn line_ids(&self) -> impl ExactSizeIterator<Item = LineId> + Clone + use<> {
        (0..self.lines.len() as u32).map(LineId)
    }

    /// Returns the numbers of the lines that are part of the game, the main line first: without variations removed by an edit.
    pub(crate) fn written_lines(&self) -> Vec<LineId> {
        let mut is_written = vec![false; self.lines.len()];
        is_written[0] = true;
        // A line comes before the variations in it.
        for (n, line) in self.lines.iter().enumerate() {
            if !is_written[n] {
                continue;
            }
            let after = line.nodes.iter().flat_map(|&id| self.node(id).attachments());
            for variation in line.intro.iter().chain(after).filter_map(Attachment::variation) {
                is_written[variation.index()] = true;
            }
        }
        self.line_ids().zip(is_written).filter(|(_, is_written)| *is_written).map(|(id, _)| id).collect()
    }

    /// Returns the node of that number.
    ///
    /// # Panics
    ///
    /// Panics if the game has no such node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Returns the line of that number.
    ///
    /// # Panics
    ///
    /// Panics if the game has no such line.
    pub fn line(&self, id: LineId) -> &Line {
        &self.lines[id.index()]
    }

    /// Returns the main line.
    pub fn main_line(&self) -> &Line {
        &self.lines[0]
    }

    /// Returns the number of written moves of the main line: moves and null moves, but neither ellipses nor setups.
    pub fn written_moves(&self) -> usize {
        self.main_line().nodes.iter().filter(|&&id| self.node(id).kind.is_written_move()).count()
    }

    /// Returns the variations after a node, in order.
    ///
    /// # Panics
    ///
    /// Panics if the game has no such node.
    pub fn variations(&self, id: NodeId) -> impl Iterator<Item = LineId> + '_ {
        self.node(id).attachments().iter().filter_map(Attachment::variation)
    }

    /// Returns the game without spans, length, encoding and what the record gives beside it: what a writer can preserve.
    #[must_use]
    pub fn without_spans(mut self) -> Self {
        self.len = 0;
        self.recorded_variant = None;
        self.encoding = Encoding::default();
        self.map_spans(|_| Span::default());
        self
    }

    /// Replaces all spans, such as those of a game that is a part of another text.
    pub(crate) fn map_spans(&mut self, map: impl Fn(Span) -> Span) {
        let places = self.tags.iter_mut().flat_map(|tag| [&mut tag.span, &mut tag.value_span]);
        let ends = self.terminator.iter_mut().map(|terminator| &mut terminator.span);
        places.chain(ends).for_each(|span| *span = map(*span));
        let mut attached = vec![&mut self.lead, &mut self.tail];
        for line in &mut self.lines {
            line.span = map(line.span);
            attached.push(&mut line.intro);
        }
        for node in &mut self.nodes {
            node.span = map(node.span);
            attached.extend(node.existing_attachments_mut());
        }
        for attachment in attached.into_iter().flatten() {
            if let Some(span) = attachment.span_mut() {
                *span = map(*span);
            }
        }
    }
}
