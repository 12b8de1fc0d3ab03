//! A game as it is written: tags, moves, comments and variations in their order.
//!
//! Moves and lines are in two flat lists and refer to each other by number, so that neither reading nor dropping a game
//! with a hundred thousand open parentheses needs a deep stack.

use super::movetext::MoveText;
use crate::diag::Span;
use crate::text::Encoding;

/// The depth to which nested variations are exported to records; the tree keeps all of them. Games rarely nest more than
/// ten, and most readers of JSON give up after about a hundred brackets, of which each depth takes three.
pub const MAX_EXPORT_DEPTH: u32 = 40;

/// Largest number of tags, and of moves, comments, variations and other parts of a game. The rest is kept as text, so that
/// a game of any size takes about 300 MB at most besides its text, or 1 kB for each part while it is formatted. Annotated
/// games have a few thousand.
pub const MAX_ITEMS: usize = 250_000;

/// Number of a node in [`GameTree::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Number of a line in [`GameTree::lines`]; the main line is [`LineId::MAIN`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineId(pub u32);

impl NodeId {
    /// The number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl LineId {
    /// The main line.
    pub const MAIN: Self = Self(0);

    /// The number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One game as it is written, not checked against the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTree {
    /// The comments before the first tag, in order.
    pub lead: Vec<Attachment>,
    /// The tags, in order; a name may occur twice.
    pub tags: Vec<Tag>,
    /// The lines: the main line first, then the variations in the order of their opening parentheses.
    pub lines: Vec<Line>,
    /// The moves of all lines, in the order of the text.
    pub nodes: Vec<Node>,
    /// The result or other token that ends the game, if there is one.
    pub terminator: Option<Terminator>,
    /// The comments after the terminator on its line.
    pub tail: Vec<Attachment>,
    /// The encoding from which the bytes were decoded.
    pub encoding: Encoding,
    /// Length of the game in bytes.
    pub len: u32,
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
        }
    }
}

impl GameTree {
    /// The value of the first tag of that name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.find_tag(name).map(|tag| tag.value.as_str())
    }

    /// The first tag of that name.
    pub fn find_tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// The node of that number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The line of that number.
    pub fn line(&self, id: LineId) -> &Line {
        &self.lines[id.index()]
    }

    /// The main line.
    pub fn main_line(&self) -> &Line {
        &self.lines[0]
    }

    /// Number of written moves of the main line: moves and null moves, but neither ellipses nor setups.
    pub fn written_moves(&self) -> usize {
        self.main_line().nodes.iter().filter(|&&id| self.node(id).kind.is_written_move()).count()
    }

    /// Returns the variations after a node, in order.
    pub fn variations(&self, id: NodeId) -> impl Iterator<Item = LineId> + '_ {
        self.node(id).after.iter().filter_map(Attachment::variation)
    }

    /// Returns the game without spans, length and encoding: what a writer can preserve.
    #[must_use]
    pub fn without_spans(mut self) -> Self {
        self.len = 0;
        self.encoding = Encoding::default();
        for tag in &mut self.tags {
            (tag.span, tag.value_span) = Default::default();
        }
        for line in &mut self.lines {
            line.span = Span::default();
            line.intro.iter_mut().for_each(Attachment::forget_span);
        }
        for node in &mut self.nodes {
            node.span = Span::default();
            node.after.iter_mut().for_each(Attachment::forget_span);
        }
        self.lead.iter_mut().chain(&mut self.tail).for_each(Attachment::forget_span);
        if let Some(terminator) = &mut self.terminator {
            terminator.span = Span::default();
        }
        self
    }
}

/// A tag: `[Name "value"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// The name as written.
    pub name: String,
    /// The value without quotes and backslashes before quotes; line breaks in it are spaces.
    pub value: String,
    /// All of it, with its brackets.
    pub span: Span,
    /// The value between its quotes.
    pub value_span: Span,
}

/// A run of moves: the main line or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The attachments before the first move.
    pub intro: Vec<Attachment>,
    /// The moves.
    pub nodes: Vec<NodeId>,
    /// The node that the variation follows and replaces; `None` for the main line and for a variation before the first
    /// move of its line.
    pub parent: Option<NodeId>,
    /// All of it, with its parentheses; of the main line from its first token to its last.
    pub span: Span,
}

/// A move, or what replaces one, with its number, marks and attachments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its kind.
    pub kind: NodeKind,
    /// The move number before it.
    pub number: Option<WrittenNumber>,
    /// Marks such as `!?`, without parentheses.
    pub strength: Option<String>,
    /// The move without number and strength.
    pub span: Span,
    /// The attachments after it, in order.
    pub after: Vec<Attachment>,
}

impl Node {
    /// The move as written, if it is one.
    pub fn move_text(&self) -> Option<&MoveText> {
        match &self.kind {
            NodeKind::Move(text) => Some(text),
            _ => None,
        }
    }
}

/// A move, or what replaces one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A move.
    Move(MoveText),
    /// A null move (`-`, `--`).
    Null,
    /// Dots that replace a move.
    Ellipsis,
    /// A change of position: `/FEN "…"/`.
    Setup {
        /// The text between the quotes.
        fen: String,
    },
}

impl NodeKind {
    /// Returns true if it counts as a written move: a move or a null move.
    pub const fn is_written_move(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Null)
    }
}

/// A move number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WrittenNumber {
    /// Its value; [`u32::MAX`] for all larger values.
    pub value: u32,
    /// Number of dots after it; three mean that the second player moves.
    pub dots: u8,
}

/// A comment, annotation, variation or stray text between moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// A comment in braces.
    Comment {
        /// The text without its braces and the whitespace at its ends; a line break is one space.
        text: String,
        /// All of it, with its braces.
        span: Span,
    },
    /// A comment to the end of the line (`%`, `;`).
    LineComment {
        /// The text without its mark and the whitespace at its ends.
        text: String,
        /// All of it, with its mark.
        span: Span,
    },
    /// `$` and a number.
    Nag(u16),
    /// A variation.
    Variation(LineId),
    /// Stray text, which is not a token.
    Stray {
        /// The text; each run of whitespace is one space.
        text: String,
        /// All of it.
        span: Span,
    },
}

impl Attachment {
    /// The line, if it is a variation.
    pub const fn variation(&self) -> Option<LineId> {
        match self {
            Self::Variation(line) => Some(*line),
            _ => None,
        }
    }

    /// The text, if it is a comment in braces.
    pub fn comment(&self) -> Option<&str> {
        match self {
            Self::Comment { text, .. } => Some(text),
            _ => None,
        }
    }

    fn forget_span(&mut self) {
        match self {
            Self::Comment { span, .. } | Self::LineComment { span, .. } | Self::Stray { span, .. } => {
                *span = Span::default();
            }
            Self::Nag(_) | Self::Variation(_) => {}
        }
    }
}

/// The token that ends a game: a result, `*` or a score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terminator {
    /// The text as written.
    pub text: String,
    /// Its place.
    pub span: Span,
}
