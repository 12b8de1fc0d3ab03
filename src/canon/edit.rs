//! Changes that canonical form and repair make to a game.

use std::fmt;

use crate::diag::{Diagnostic, Span};

/// One change to a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    span: Span,
    kind: EditKind,
}

/// The kind of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum EditKind {
    /// A tag got its standard name.
    TagRenamed {
        /// The name as written.
        from: String,
        /// The new name.
        to: String,
    },
    /// A date got the form `YYYY.MM.DD`.
    DateRewritten {
        /// The date as written.
        from: String,
        /// The new date.
        to: String,
    },
    /// The value of a tag or a comment was repaired.
    TextRepaired {
        /// What was repaired.
        repair: TextRepair,
        /// The text as written, or its beginning.
        from: String,
        /// The new text, or its beginning.
        to: String,
    },
    /// A text that was not a legal move was read as one or more of them.
    MovesReread {
        /// How the text was read.
        rereading: Rereading,
        /// The text as written.
        from: String,
        /// The moves in canonical form.
        to: Vec<String>,
    },
    /// The canonical form resolved a diagnostic.
    Resolved(Diagnostic),
    /// The text of a diagnostic was put into a comment.
    Commented(Diagnostic),
    /// The text of a diagnostic was removed.
    Removed(Diagnostic),
}

/// A way to read a text as moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum Rereading {
    /// With its two squares swapped.
    SquaresSwapped,
    /// With digits in place of similar letters.
    LetterAsDigit,
    /// As several moves without whitespace between them.
    MovesSplit,
    /// With the missing separator.
    SeparatorAdded,
}

/// A kind of repair to the value of a tag or to a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum TextRepair {
    /// HTML entities were replaced with the characters they represent.
    Entities,
    /// Backslashes before apostrophes were removed.
    Apostrophes,
    /// Whitespace at the ends was removed.
    Whitespace,
    /// Minutes and seconds got two digits.
    Time,
}

impl Edit {
    /// Returns a change to the bytes of a span.
    pub(crate) const fn new(span: Span, kind: EditKind) -> Self {
        Self { span, kind }
    }

    /// Returns the changed bytes, counted from the start of the original game.
    pub(crate) const fn span(&self) -> Span {
        self.span
    }

    /// Returns the kind of the change.
    pub(crate) const fn kind(&self) -> &EditKind {
        &self.kind
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl fmt::Display for EditKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TagRenamed { from, to } => write!(f, "tag `{from}` renamed {to}"),
            Self::DateRewritten { from, to } => write!(f, "date `{from}` rewritten as {to}"),
            Self::TextRepaired { repair, from, to } => write!(f, "{repair}: `{from}` rewritten as `{to}`"),
            Self::MovesReread { rereading, from, to } => write!(f, "{rereading}: `{from}` read as {}", to.join(" ")),
            Self::Resolved(diagnostic) => write!(f, "resolved: {diagnostic}"),
            Self::Commented(diagnostic) => write!(f, "put into a comment: {diagnostic}"),
            Self::Removed(diagnostic) => write!(f, "removed: {diagnostic}"),
        }
    }
}

impl fmt::Display for TextRepair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Entities => "HTML entities",
            Self::Apostrophes => "escaped apostrophes",
            Self::Whitespace => "whitespace around a value",
            Self::Time => "time",
        })
    }
}

impl fmt::Display for Rereading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SquaresSwapped => "squares swapped",
            Self::LetterAsDigit => "letter read as digit",
            Self::MovesSplit => "moves split",
            Self::SeparatorAdded => "separator added",
        })
    }
}
