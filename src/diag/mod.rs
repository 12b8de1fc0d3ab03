//! Diagnostics: what is wrong in a record, where, and how sure that is.

mod codes;
mod collector;
mod render;

use std::fmt;
use std::ops::Range;

pub use codes::{ALL_CODES, Code};
pub use collector::Findings;
pub use render::{Paint, Renderer, Snippet, render};

/// A range of bytes, counted from the start of the game that it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// The byte behind the last one.
    pub end: u32,
}

impl Span {
    /// Returns the range `start..end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the range holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the smallest range that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Whether the other range lies within this one.
    pub const fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the range as an index into the bytes of the game.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Deduced or observed: nothing is wrong.
    Note,
    /// Readable all the same.
    Warning,
    /// Something was kept unread or unplayed.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// One finding about a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name of the kind of finding.
    pub code: Code,
    /// How bad it is; usually [`Code::severity`].
    pub severity: Severity,
    /// The bytes it is about.
    pub span: Span,
    /// What was found, in one sentence without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Findings that it stands for: more than one where a game has thousands of a kind.
    pub count: u32,
}

impl Diagnostic {
    /// Returns a finding with the usual severity of its code.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { code, severity: code.severity(), span, message: message.into(), help: None, count: 1 }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
