//! The parts of a game: tags, lines, moves and attachments.

use std::fmt;

use super::{LineId, NodeId};
use std::num::NonZeroU8;
use std::sync::Arc;

use compact_str::CompactString;

use crate::diag::Span;
use crate::pdn::movetext::MoveText;

/// A tag: `[Name "value"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    pub(in crate::pdn) name: CompactString,
    pub(in crate::pdn) value: CompactString,
    pub(in crate::pdn) span: Span,
    pub(in crate::pdn) value_span: Span,
}

impl Tag {
    /// Returns a tag that was not read: its spans are empty.
    pub(crate) fn new(name: impl Into<CompactString>, value: impl Into<CompactString>) -> Self {
        Self { name: name.into(), value: value.into(), ..Self::default() }
    }

    /// Returns the name as written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the value without quotes and backslashes before quotes; line breaks in it are spaces.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns the bytes of the whole tag, with its brackets.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Returns the bytes of the value between its quotes.
    pub const fn value_span(&self) -> Span {
        self.value_span
    }
}

/// A run of moves: the main line or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub(in crate::pdn) intro: Vec<Attachment>,
    pub(in crate::pdn) nodes: Vec<NodeId>,
    pub(in crate::pdn) parent: Option<NodeId>,
    pub(in crate::pdn) span: Span,
}

impl Line {
    /// Returns the attachments before the first move.
    pub fn intro(&self) -> &[Attachment] {
        &self.intro
    }

    /// Returns the numbers of its moves, in order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Returns the node that the variation follows and replaces; `None` for the main line and for a variation before the
    /// first move of its line.
    pub const fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// Returns the bytes of the whole variation, with its parentheses, or of the main line from its first token to its
    /// last.
    pub const fn span(&self) -> Span {
        self.span
    }
}

/// A move or its replacement, with its number, marks and attachments.
#[derive(Clone, Debug)]
pub struct Node {
    pub(in crate::pdn) kind: NodeKind,
    pub(in crate::pdn) number: Option<WrittenNumber>,
    pub(in crate::pdn) span: Span,
    /// What few nodes have. One pointer instead of two makes games smaller. It is shared, because dropping it is then a call
    /// that the other nodes do not pay for, and copies of a game have it in common until one is changed.
    pub(in crate::pdn) extra: Option<Arc<Extra>>,
}

// Games of 100,000 nodes are kept. Where pointers are shorter, nodes are too.
const _: () = assert!(size_of::<Node>() <= 40);

/// The marks of a node and what follows it.
#[derive(Clone, Debug, Default)]
pub(in crate::pdn) struct Extra {
    pub(in crate::pdn) strength: Option<String>,
    pub(in crate::pdn) after: Vec<Attachment>,
}

/// Compares what is written: an empty list of attachments is none.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        (&self.kind, self.number, self.span) == (&other.kind, other.number, other.span)
            && self.strength() == other.strength()
            && self.attachments() == other.attachments()
    }
}

impl Eq for Node {}

impl Node {
    /// Returns a node without number, marks and attachments.
    pub(crate) const fn new(kind: NodeKind, span: Span) -> Self {
        Self { kind, number: None, span, extra: None }
    }

    /// Returns its kind.
    pub const fn kind(&self) -> &NodeKind {
        &self.kind
    }

    /// Returns the move number before it.
    pub const fn number(&self) -> Option<WrittenNumber> {
        self.number
    }

    /// Returns the marks after it, such as `!?`, without parentheses.
    pub fn strength(&self) -> Option<&str> {
        self.extra.as_ref()?.strength.as_deref()
    }

    /// Returns the bytes of the move without number and strength.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Returns the comments, NAGs, variations and stray texts after it, in order.
    pub fn attachments(&self) -> &[Attachment] {
        self.extra.as_ref().map_or(&[], |extra| &extra.after)
    }

    /// Returns the move as written, if it is one.
    pub fn move_text(&self) -> Option<&MoveText> {
        match &self.kind {
            NodeKind::Move(text) => Some(text),
            _ => None,
        }
    }
}

/// A move or its replacement.
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
        fen: Box<String>,
    },
}

impl NodeKind {
    /// Returns true if it counts as a written move: a move or a null move.
    pub const fn is_written_move(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Null)
    }
}

/// Returns the NAG of marks; mixed sequences of more than two marks have none.
pub(crate) fn strength_nag(marks: &str) -> Option<u16> {
    Some(match marks {
        "!" => 1,
        "?" => 2,
        "!?" => 5,
        "?!" => 6,
        "*" => 7,
        // `!!!` is no more than `!!` to the standard.
        _ if marks.bytes().all(|mark| mark == b'!') => 3,
        _ if marks.bytes().all(|mark| mark == b'?') => 4,
        _ => return None,
    })
}

/// Returns the sign of a NAG that is the mark of a move.
pub(crate) const fn nag_sign(nag: u16) -> Option<&'static str> {
    Some(match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        _ => return None,
    })
}

/// A move number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WrittenNumber {
    value: u32,
    dots: NonZeroU8,
}

impl WrittenNumber {
    /// Returns a number with this many dots after it, at least one.
    #[inline]
    pub const fn new(value: u32, dots: u8) -> Self {
        Self { value, dots: NonZeroU8::MIN.saturating_add(dots.saturating_sub(1)) }
    }

    /// Returns the number of a move: of the first ply of the side that starts games for 0, of the answer to it for 1.
    pub(crate) const fn of_ply(ply: usize) -> Self {
        Self::new(ply as u32 / 2 + 1, 1).usual(ply.is_multiple_of(2))
    }

    /// Returns the number with its usual dots: one before a move of the side that starts games, and three before one of the other.
    pub(crate) const fn usual(self, starts: bool) -> Self {
        Self::new(self.value, if starts { 1 } else { 3 })
    }

    /// Returns the number written before a move of a line: before each one of the side that starts games, and before the first.
    pub(crate) fn in_line(ply: usize, is_first: bool) -> Option<Self> {
        (is_first || ply.is_multiple_of(2)).then(|| Self::of_ply(ply))
    }

    /// Returns its value; [`u32::MAX`] for all larger values.
    pub const fn value(self) -> u32 {
        self.value
    }

    /// Returns the number of dots after it; three mean that the second player moves.
    pub const fn dots(self) -> u8 {
        self.dots.get()
    }
}

/// Writes the number and its dots, such as `12.` and `12...`.
impl fmt::Display for WrittenNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.value, ".".repeat(self.dots().into()))
    }
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
    /// Returns true for a stray text without information: punctuation, or a number whose move is missing.
    pub(crate) fn is_noise(&self) -> bool {
        let Self::Stray { text, .. } = self else { return false };
        text.split(' ').all(|word| {
            let signs = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let is_bare = signs.len() == word.len() || signs.starts_with('.');
            is_bare && signs.bytes().all(|byte| b".,()[]{}".contains(&byte))
        })
    }

    /// Returns the line, if it is a variation.
    pub const fn variation(&self) -> Option<LineId> {
        match self {
            Self::Variation(line) => Some(*line),
            _ => None,
        }
    }

    /// Returns the text, if it is a comment in braces.
    pub fn comment(&self) -> Option<&str> {
        match self {
            Self::Comment { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns the span of a text.
    pub(in crate::pdn) const fn span(&self) -> Option<Span> {
        match self {
            Self::Comment { span, .. } | Self::LineComment { span, .. } | Self::Stray { span, .. } => Some(*span),
            Self::Nag(_) | Self::Variation(_) => None,
        }
    }

    pub(super) const fn span_mut(&mut self) -> Option<&mut Span> {
        match self {
            Self::Comment { span, .. } | Self::LineComment { span, .. } | Self::Stray { span, .. } => Some(span),
            Self::Nag(_) | Self::Variation(_) => None,
        }
    }
}

/// The token that ends a game: a result, `*` or a score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::pdn) struct Terminator {
    pub(in crate::pdn) text: String,
    pub(in crate::pdn) span: Span,
}
