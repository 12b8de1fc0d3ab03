//! One diagnostic, and the range of bytes that it refers to.

use std::fmt;
use std::ops::Range;

use super::messages::Message;
use super::values::Words;
use super::{Code, Severity};
use crate::text::Language;

/// A problem found in a record, or an observation about it, with its location and severity.
///
/// It is data until it is rendered: [`Display`](fmt::Display) writes the message, [`help`](Self::help) returns advice, and
/// [`render`](super::render()) writes both, with the line of the record that it refers to.
///
/// # Examples
///
/// ```
/// use pdn::diag::Code;
/// use pdn::games;
///
/// let game = games(b"1. 32-28 oops 19-23 *").next().unwrap();
/// let diagnostic = &game.diagnostics()[0];
/// assert_eq!(diagnostic.code(), Code::SYNTAX_STRAY_TEXT);
/// assert_eq!(diagnostic.span().range(), 9..13);
/// assert_eq!(diagnostic.to_string(), "stray text: `oops`");
/// assert_eq!(diagnostic.values(), [("text", "oops".to_owned())]);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostic {
    message: Message,
    span: Span,
    count: u32,
    code: Code,
    severity: Severity,
}

impl Diagnostic {
    /// Returns a diagnostic with the usual severity of its code.
    pub(super) const fn new(code: Code, message: Message, span: Span) -> Self {
        Self { message, span, count: 1, code, severity: code.severity() }
    }

    /// The code, the stable name of its kind.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The severity; usually [`Code::severity`].
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// The bytes it refers to, counted from the start of the game, or of the text outside any game.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Number of diagnostics it represents: more than one if a game has more than a thousand of a kind.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Returns the values in its message, with their names. With the code they identify what is reported, in any language.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        self.message.values()
    }

    /// Returns the message, one clause without a full stop, as [`Display`](fmt::Display) writes it.
    pub fn message(&self) -> String {
        self.words(Language::English).sentence
    }

    /// Returns advice on how to fix the problem.
    pub fn help(&self) -> Option<String> {
        self.words(Language::English).help
    }

    /// Returns the message and the advice in a language.
    pub(crate) fn words(&self, language: Language) -> Words {
        self.message.words(self.code, language)
    }

    /// Replaces the code, and the severity with its usual one.
    #[must_use]
    pub(crate) fn with_code(self, code: Code) -> Self {
        Self { code, severity: code.severity(), ..self }
    }

    /// Replaces the severity.
    pub(crate) fn set_severity(&mut self, severity: Severity) {
        self.severity = severity;
    }

    /// Replaces the span.
    pub(crate) const fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// Counts the span from `start`, the byte where the game begins, instead of from byte 0.
    pub(crate) fn rebase(&mut self, start: u32) {
        let Span { start: from, end } = self.span;
        self.span = Span::new(from.saturating_sub(start), end.saturating_sub(start));
    }

    /// Adds `more` to the number of diagnostics represented.
    pub(crate) fn add_count(&mut self, more: u32) {
        self.count = self.count.saturating_add(more);
    }

    pub(super) const fn message_mut(&mut self) -> &mut Message {
        &mut self.message
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}] at {:?}: {self}", self.severity, self.code, self.span.range())
    }
}

/// A range of bytes, counted from the start of the game that it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// Returns the range `start..end`.
    pub(crate) const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns true if the range is empty.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the smallest range that contains both.
    #[must_use]
    pub(crate) fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Returns true if the other range lies within this one.
    pub(crate) const fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the range as an index into the bytes of the game.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}
