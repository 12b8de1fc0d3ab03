//! Where damaged comments and prose in parentheses end.
//!
//! Both may never be closed, and both may hold what looks like their end. A search that fails remembers how far it
//! looked, so that no byte is searched more than a few times however a file is damaged.

use memchr::memchr3;

use crate::diag::Code;
use crate::pdn::grammar::tag_head;
use crate::pdn::reader::SpaceBefore;

/// The end of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pdn) struct CommentEnd {
    /// The byte after its text.
    pub(in crate::pdn) inner: usize,
    /// The byte after its brace.
    pub(in crate::pdn) end: usize,
    pub(in crate::pdn) deviation: Option<Code>,
}

impl CommentEnd {
    const fn at(brace: usize, deviation: Option<Code>) -> Self {
        Self { inner: brace, end: brace + 1, deviation }
    }

    const fn unclosed(end: usize) -> Self {
        Self { inner: end, end, deviation: Some(Code::SYNTAX_UNCLOSED_COMMENT) }
    }
}

/// The searches for ends, and how far they failed.
#[derive(Clone, Debug, Default)]
pub(in crate::pdn) struct ClosingSearch {
    /// Up to here no nested comment is balanced.
    nested_failed: usize,
    /// Up to here no prose is closed.
    prose_failed: usize,
}

impl ClosingSearch {
    /// Returns the end of the comment whose brace is at `start`.
    #[cold]
    pub(in crate::pdn) fn comment(&mut self, bytes: &[u8], start: usize) -> CommentEnd {
        match memchr3(b'}', b'{', b'[', &bytes[start + 1..]).map(|found| start + 1 + found) {
            Some(found) if bytes[found] == b'}' => CommentEnd::at(found, None),
            Some(found) => self.slow_comment(bytes, start, found),
            None => CommentEnd::unclosed(bytes.len()),
        }
    }

    fn slow_comment(&mut self, bytes: &[u8], start: usize, first: usize) -> CommentEnd {
        let mut search = Search { depth: 1, first_close: None, cut: None };
        let mut at = first;
        loop {
            if let Some(end) = search.step(bytes, at, start < self.nested_failed) {
                return self.remember(end, at, search.first_close);
            }
            match memchr3(b'}', b'{', b'[', &bytes[at + 1..]) {
                Some(found) => at += 1 + found,
                None => return self.remember(search.give_up(bytes.len()), bytes.len(), search.first_close),
            }
        }
    }

    /// Remembers that the braces are not balanced up to `seen`.
    fn remember(&mut self, end: CommentEnd, seen: usize, first_close: Option<usize>) -> CommentEnd {
        if first_close.is_some_and(|close| close + 1 == end.end) {
            self.nested_failed = self.nested_failed.max(seen);
        }
        end
    }

    /// Returns the end of the prose whose parenthesis is at `start`; it is at most a paragraph and a few thousand bytes.
    pub(in crate::pdn) fn prose(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        const MAX_PROSE: usize = 4096;
        if start < self.prose_failed {
            return None;
        }
        let limit = bytes.len().min(start + MAX_PROSE);
        let (mut depth, mut breaks) = (0, 0);
        for (at, &byte) in bytes.iter().enumerate().take(limit).skip(start) {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(at + 1),
                b')' => depth -= 1,
                _ => {}
            }
            breaks = match byte {
                b'\n' => breaks + 1,
                b' ' | b'\t' | b'\r' => breaks,
                _ => 0,
            };
            if breaks > 1 {
                self.prose_failed = at;
                return None;
            }
        }
        self.prose_failed = limit;
        None
    }
}

/// The state of a search through a comment that holds a brace or bracket.
struct Search {
    depth: u32,
    first_close: Option<usize>,
    cut: Option<usize>,
}

impl Search {
    fn step(&mut self, bytes: &[u8], at: usize, no_nesting: bool) -> Option<CommentEnd> {
        match bytes[at] {
            b'}' => self.close(at, no_nesting),
            b'{' if self.cut.is_some() => self.cut.map(CommentEnd::unclosed),
            b'{' => {
                self.depth += 1;
                None
            }
            _ if !begins_game(bytes, at) => None,
            _ if self.cut.is_some() || self.first_close.is_some() || self.depth > 1 => Some(self.give_up(at)),
            _ => {
                // A tag after an empty line: the next game, unless the comment goes on and is closed before any other tag.
                self.cut = Some(at);
                None
            }
        }
    }

    fn close(&mut self, at: usize, no_nesting: bool) -> Option<CommentEnd> {
        self.depth -= 1;
        if self.depth == 0 {
            let nested = self.first_close.is_some();
            return Some(CommentEnd::at(at, nested.then_some(Code::SYNTAX_NESTED_COMMENT)));
        }
        self.first_close.get_or_insert(at);
        no_nesting.then(|| self.give_up(at))
    }

    /// Returns the end of a comment that is not closed: its first closing brace, else the next game.
    fn give_up(&self, limit: usize) -> CommentEnd {
        match self.first_close {
            Some(close) => CommentEnd::at(close, Some(Code::SYNTAX_NESTED_COMMENT)),
            None => CommentEnd::unclosed(self.cut.unwrap_or(limit)),
        }
    }
}

/// Returns true if a line `[Name "…` after an empty line begins at this bracket.
fn begins_game(bytes: &[u8], at: usize) -> bool {
    tag_head(&bytes[at..]).is_ok() && SpaceBefore::new(bytes, at).blank_line()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> (usize, Option<&'static str>) {
        let end = ClosingSearch::default().comment(text.as_bytes(), 0);
        (end.end, end.deviation.map(Code::name))
    }

    #[test]
    fn finds_the_end_of_comments() {
        let nested = Some("syntax/nested-comment");
        let unclosed = Some("syntax/unclosed-comment");
        assert_eq!(end("{a} b}"), (3, None));
        assert_eq!(end("{a [b] c} d"), (9, None));
        assert_eq!(end("{a {b} c} d"), (9, nested));
        assert_eq!(end("{a {b} c d"), (6, nested));
        assert_eq!(end("{a {b} c {d} e"), (6, nested));
        assert_eq!(end("{a"), (2, unclosed));
        assert_eq!(end("{a\n\n[Event \"x\"] {b}"), (4, unclosed));
        assert_eq!(end("{a\n\n[Event \"x\"]\n\n[Event \"y\"] }"), (4, unclosed));
        assert_eq!(end("{a\n[Event \"x\"] b}"), (17, None));
    }

    #[test]
    fn bounds_prose() {
        let mut ends = ClosingSearch::default();
        assert_eq!(ends.prose(b"(see (a) b) c", 0), Some(11));
        assert_eq!(ends.prose(b"(see\n\nc)", 0), None);
        assert_eq!(ends.prose(b"(((", 1), None);
    }
}
