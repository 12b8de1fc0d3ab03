//! Errors in a text that somebody wrote, with their position: a query, or a list of names.

use std::ops::Range;

use super::{columns, printable};
use crate::error::ParseError;

/// Number of characters that are shown before and after the place.
const AROUND: usize = 60;

/// Returns the error of an invalid query or of a row of names, about a part of it; its message shows the position.
pub(crate) fn error_in(question: &str, part: Range<usize>, message: impl Into<String>) -> ParseError {
    let start = question[..part.start].char_indices().rev().take(AROUND).last().map_or(part.start, |(at, _)| at);
    let end = question[part.end..].char_indices().nth(AROUND).map_or(question.len(), |(at, _)| part.end + at);
    let width = |text: &str| text.chars().map(columns).sum::<usize>();
    let [before, meant, after] =
        [start..part.start, part.clone(), part.end..end].map(|range| one_line(&question[range]));
    let (gap, carets) = (" ".repeat(width(&before)), "^".repeat(width(&meant).max(1)));
    // The part of the query around the error, on one line.
    let line = before + &meant + &after;
    ParseError::new(format!("{}\n  | {}\n  | {gap}{carets}", message.into(), line.trim_end()))
}

/// Returns an error about a part of the query that is a slice of it.
pub(crate) fn error_at(question: &str, part: &str, message: impl Into<String>) -> ParseError {
    let start = part.as_ptr() as usize - question.as_ptr() as usize;
    error_in(question, start..start + part.len(), message)
}

/// Returns a text with a space in place of each character that is not printed.
fn one_line(text: &str) -> String {
    printable(&text.replace(|letter: char| letter.is_whitespace(), " ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_marked() {
        let error = error_in("white ~\tand", 8..11, "expected a value");
        assert_eq!(error.to_string(), "expected a value\n  | white ~ and\n  |         ^^^");
        let long = "é".repeat(1000);
        let error = error_in(&long, 1000..1000, "x").to_string();
        assert_eq!(error.lines().map(|line| line.chars().count()).max(), Some(124));
    }
}
