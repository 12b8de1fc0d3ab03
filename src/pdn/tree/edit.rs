//! Editing a game.

use std::sync::Arc;

use super::parts::Extra;
use super::{Attachment, GameTree, Line, LineId, Node, NodeId, NodeKind, Tag, WrittenNumber};
use compact_str::CompactString;

use crate::diag::Span;
use crate::text::Encoding;

impl GameTree {
    /// Gives the first tag of that name a value, or adds a tag after the others.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::{WriteOptions, games, write_game};
    ///
    /// let mut tree = games(b"[White \"?\"]\n1. 32-28 *").next().unwrap().into_tree();
    /// tree.set_tag("White", "Sijbrands");
    /// tree.set_tag("Round", "3");
    /// let text = write_game(&tree, WriteOptions::default());
    /// assert_eq!(text, "[White \"Sijbrands\"]\n[Round \"3\"]\n\n1. 32-28 *\n");
    /// ```
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|tag| tag.name == name) {
            Some(tag) => tag.set_value(value),
            None => self.tags.push(Tag::new(name, value)),
        }
    }

    /// Removes the first tag of that name.
    pub(crate) fn remove_tag(&mut self, name: &str) {
        if let Some(index) = self.tags.iter().position(|tag| tag.name == name) {
            self.tags.remove(index);
        }
    }

    /// Adds comments, in this order, before all others of the game: before the first tag, or before the moves if there
    /// are no tags or `before_moves` is true. The grammar for writing allows no comments before tags.
    pub(crate) fn prepend_comments(&mut self, comments: impl IntoIterator<Item = String>, before_moves: bool) {
        let is_untagged = self.tags.is_empty() && (self.terminator.is_some() || !self.nodes.is_empty());
        let list = if before_moves || is_untagged { &mut self.lines[0].intro } else { &mut self.lead };
        let comment = |text| Attachment::Comment { text, span: Span::default() };
        list.splice(0..0, comments.into_iter().map(comment));
    }

    /// Sets the result or other token that ends the game; one that was read keeps its span.
    pub(crate) fn set_terminator(&mut self, text: impl Into<String>) {
        self.terminator.get_or_insert_default().text = text.into();
    }

    pub(crate) const fn tags_mut(&mut self) -> &mut [Tag] {
        self.tags.as_mut_slice()
    }

    pub(crate) const fn lead_mut(&mut self) -> &mut Vec<Attachment> {
        &mut self.lead
    }

    pub(crate) const fn tail_mut(&mut self) -> &mut Vec<Attachment> {
        &mut self.tail
    }

    pub(crate) fn line_mut(&mut self, id: LineId) -> &mut Line {
        &mut self.lines[id.index()]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub(crate) fn lines_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Line> + ExactSizeIterator {
        self.lines.iter_mut()
    }

    /// Returns all nodes with their numbers.
    pub(crate) fn nodes_mut(&mut self) -> impl Iterator<Item = (NodeId, &mut Node)> {
        self.nodes.iter_mut().enumerate().map(|(n, node)| (NodeId(n as u32), node))
    }

    /// Sets the length in bytes of the text that the game was read from, and its encoding.
    pub(crate) const fn set_source(&mut self, len: u32, encoding: Encoding) {
        (self.len, self.encoding) = (len, encoding);
    }

    /// Adds tags before the others.
    pub(crate) fn prepend_tags(&mut self, tags: impl IntoIterator<Item = Tag>) {
        self.tags.splice(0..0, tags);
    }

    pub(crate) fn add_tag(&mut self, name: &str, value: &str) {
        self.tags.push(Tag::new(name, value));
    }

    /// Adds a node that is not in any line yet.
    pub(crate) fn add_node(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        id
    }
}

impl Tag {
    /// Returns the tag with its place.
    pub(crate) fn at(self, span: Span, value_span: Span) -> Self {
        Self { span, value_span, ..self }
    }

    pub(crate) fn set_name(&mut self, name: impl Into<CompactString>) {
        self.name = name.into();
    }

    pub(crate) fn set_value(&mut self, value: impl Into<CompactString>) {
        self.value = value.into();
    }
}

impl Line {
    pub(crate) const fn intro_mut(&mut self) -> &mut Vec<Attachment> {
        &mut self.intro
    }

    pub(crate) const fn nodes_mut(&mut self) -> &mut Vec<NodeId> {
        &mut self.nodes
    }
}

impl Node {
    pub(crate) const fn kind_mut(&mut self) -> &mut NodeKind {
        &mut self.kind
    }

    pub(crate) const fn set_number(&mut self, number: Option<WrittenNumber>) {
        self.number = number;
    }

    pub(crate) fn set_strength(&mut self, strength: Option<String>) {
        if strength.is_some() || self.extra.is_some() {
            self.extra_mut().strength = strength;
        }
    }

    pub(in crate::pdn) fn extra_mut(&mut self) -> &mut Extra {
        Arc::make_mut(self.extra.get_or_insert_default())
    }

    /// Returns the attachments, to add some.
    pub(crate) fn attachments_mut(&mut self) -> &mut Vec<Attachment> {
        &mut self.extra_mut().after
    }

    /// Returns the attachments if the node may have any, to change them.
    pub(crate) fn existing_attachments_mut(&mut self) -> Option<&mut Vec<Attachment>> {
        self.extra.as_mut().map(|extra| &mut Arc::make_mut(extra).after)
    }

    /// Removes and returns the attachments.
    pub(crate) fn take_attachments(&mut self) -> Vec<Attachment> {
        self.existing_attachments_mut().map(std::mem::take).unwrap_or_default()
    }
}
