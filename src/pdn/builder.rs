//! Building games in a program.

use super::movetext::MoveText;
use super::tree::{Attachment, GameTree, Line, LineId, Node, NodeId, NodeKind, Tag, WrittenNumber};
use crate::diag::Span;

/// Builds a [`GameTree`] move by move.
///
/// Comments, NAGs and variations belong to the last move of the current line, or come before its first move.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameBuilder {
    tree: GameTree,
    /// The open variations, the innermost last.
    open: Vec<LineId>,
    /// The span of the next addition, if it was read from text.
    span: Span,
    /// True once the end of the game was added: what follows is not part of its moves.
    is_ended: bool,
}

impl GameBuilder {
    /// Returns a builder of an empty game.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Sets the span of the next addition.
    pub(crate) const fn at(&mut self, span: Span) -> &mut Self {
        self.span = span;
        self
    }

    /// Adds a tag after the existing ones.
    pub(crate) fn tag(&mut self, name: &str, value: &str) -> &mut Self {
        self.tree.tags.push(Tag::new(name, value).at(self.span, self.span));
        self
    }

    /// Adds a move to the current line.
    pub(crate) fn add_move(&mut self, number: Option<WrittenNumber>, text: MoveText) -> &mut Self {
        self.node(number, NodeKind::Move(text))
    }

    /// Adds a move, or what replaces one, to the current line.
    pub(crate) fn node(&mut self, number: Option<WrittenNumber>, kind: NodeKind) -> &mut Self {
        let id = self.tree.add_node(Node { number, ..Node::new(kind, self.span) });
        let line = self.line();
        self.tree.lines[line.index()].nodes.push(id);
        self
    }

    /// Adds a comment. Whitespace around it is removed.
    pub(crate) fn comment(&mut self, text: &str) -> &mut Self {
        self.attach(Attachment::Comment { text: text.trim().to_owned(), span: self.span })
    }

    /// Adds a NAG (Numeric Annotation Glyph).
    pub(crate) fn nag(&mut self, nag: u16) -> &mut Self {
        self.attach(Attachment::Nag(nag))
    }

    /// Adds marks to the last move.
    pub(crate) fn strength(&mut self, marks: &str) -> &mut Self {
        if let Some(id) = self.last_node() {
            let extra = self.tree.nodes[id.index()].extra_mut();
            extra.strength.get_or_insert_default().push_str(marks);
        }
        self
    }

    /// Adds a comment to the end of a line.
    pub(crate) fn line_comment(&mut self, text: &str) -> &mut Self {
        self.attach(Attachment::LineComment { text: text.to_owned(), span: self.span })
    }

    /// Adds stray text.
    pub(crate) fn stray(&mut self, text: &str) -> &mut Self {
        self.attach(Attachment::Stray { text: text.to_owned(), span: self.span })
    }

    /// Makes everything added so far the comments before the tags.
    pub(crate) fn begin_tags(&mut self) -> &mut Self {
        self.tree.lead.append(&mut self.tree.lines[LineId::MAIN.index()].intro);
        self
    }

    /// Makes everything that is added from here on follow the end of the game.
    pub(crate) const fn begin_tail(&mut self) -> &mut Self {
        self.is_ended = true;
        self
    }

    /// Opens a variation, which becomes the current line.
    pub(crate) fn open_variation(&mut self) -> &mut Self {
        let id = LineId::new(self.tree.lines.len() as u32);
        let parent = self.last_node();
        self.attach(Attachment::Variation(id));
        self.tree.lines.push(Line { parent, span: self.span, ..Line::default() });
        self.open.push(id);
        self
    }

    /// Closes the current variation. Does nothing in the main line.
    pub(crate) fn close_variation(&mut self) -> &mut Self {
        self.open.pop();
        self
    }

    /// Sets the result or other text that ends the game.
    pub(crate) fn terminator(&mut self, text: &str) -> &mut Self {
        self.tree.set_terminator(text);
        self.tree.terminator.get_or_insert_default().span = self.span;
        self
    }

    /// Returns the game; variations still open are closed.
    pub(crate) fn build(self) -> GameTree {
        self.tree
    }

    /// Returns the number of tags and moves so far.
    pub(crate) const fn items(&self) -> usize {
        self.tree.tags.len() + self.tree.nodes.len()
    }

    fn line(&self) -> LineId {
        self.open.last().copied().unwrap_or(LineId::MAIN)
    }

    fn last_node(&self) -> Option<NodeId> {
        self.tree.line(self.line()).nodes.last().copied()
    }

    fn attach(&mut self, attachment: Attachment) -> &mut Self {
        let line = self.line();
        match self.last_node() {
            _ if self.is_ended => self.tree.tail.push(attachment),
            Some(id) => self.tree.nodes[id.index()].attachments_mut().push(attachment),
            None => self.tree.lines[line.index()].intro.push(attachment),
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::{WriteOptions, games, write_game};
    use super::*;

    const fn number(value: u32, dots: u8) -> WrittenNumber {
        WrittenNumber::new(value, dots)
    }

    fn text(text: &str) -> MoveText {
        text.parse().expect("a move")
    }

    #[test]
    fn a_built_game_equals_the_game_that_is_read() {
        let mut game = GameBuilder::new();
        game.tag("Event", "a \"b\" \\").tag("Round", "1").comment("intro");
        game.add_move(Some(number(1, 1)), text("32-28")).nag(2).comment("[%eval 0.32]");
        game.open_variation().comment("before").add_move(Some(number(1, 1)), text("33-29"));
        game.open_variation().add_move(None, text("31-26")).close_variation();
        game.add_move(None, text("19-24")).close_variation();
        game.add_move(Some(number(1, 3)), text("19-23")).terminator("2-0");
        let tree = game.build();
        let written = write_game(&tree, WriteOptions::default());
        let parsed = games(written.as_bytes()).next().expect("a game");
        assert_eq!(parsed.tree.without_spans(), tree, "{written}");
    }
}
