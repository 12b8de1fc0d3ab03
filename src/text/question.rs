//! Errors in a text that somebody wrote, with their position: a query, or a list of names.

use std::fmt;
use std::ops::Range;

use super::{columns, printable};

/// The error of an invalid query or of a row of names; its message shows the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionError {
    message: String,
    /// The part of the query around the error, on one line, and the range of its characters that is wrong.
    line: String,
    marked: Range<usize>,
}

/// Number of characters that are shown before and after the place.
const AROUND: usize = 60;

impl QuestionError {
    /// Returns an error about a part of the query.
    pub(crate) fn new(question: &str, part: Range<usize>, message: impl Into<String>) -> Self {
        let start = question[..part.start].char_indices().rev().take(AROUND).last().map_or(part.start, |(at, _)| at);
        let end = question[part.end..].char_indices().nth(AROUND).map_or(question.len(), |(at, _)| part.end + at);
        let width = |text: &str| text.chars().map(columns).sum::<usize>();
        let [before, meant, after] =
            [start..part.start, part.clone(), part.end..end].map(|range| one_line(&question[range]));
        let first = width(&before);
        let marked = first..first + width(&meant).max(1);
        Self { message: message.into(), line: before + &meant + &after, marked }
    }

    /// Returns an error about a part of the query that is a slice of it.
    pub(crate) fn at(question: &str, part: &str, message: impl Into<String>) -> Self {
        let start = part.as_ptr() as usize - question.as_ptr() as usize;
        Self::new(question, start..start + part.len(), message)
    }

    /// Returns the error with its message prefixed by the name of the part of the query that it concerns.
    pub(crate) fn within(self, part: &str) -> Self {
        Self { message: format!("{part}: {}", self.message), ..self }
    }
}

/// Returns a text with a space in place of each character that is not printed.
fn one_line(text: &str) -> String {
    printable(&text.replace(|letter: char| letter.is_whitespace(), " ")).into_owned()
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (gap, carets) = (" ".repeat(self.marked.start), "^".repeat(self.marked.len()));
        write!(f, "{}\n  | {}\n  | {gap}{carets}", self.message, self.line.trim_end())
    }
}

impl std::error::Error for QuestionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_marked() {
        let error = QuestionError::new("white ~\tand", 8..11, "expected a value");
        assert_eq!(error.to_string(), "expected a value\n  | white ~ and\n  |         ^^^");
        let long = "é".repeat(1000);
        let error = QuestionError::new(&long, 1000..1000, "x").to_string();
        assert_eq!(error.lines().map(|line| line.chars().count()).max(), Some(124));
    }
}
