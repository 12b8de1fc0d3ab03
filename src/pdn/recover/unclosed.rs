//! Comments and variations that deviate from the grammar, and the ends of damaged comments and prose in parentheses.
//!
//! Both may be unclosed, and both may contain something that looks like their end. A failed search remembers how far it
//! looked, so that no byte is searched more than a few times, however damaged a file is.

use std::collections::VecDeque;
use std::ops::Range;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::is_not;
use nom::combinator::{iterator, not, rest_len, value};
use nom::sequence::{preceded, terminated};

use crate::diag::Code;
use crate::pdn::grammar::primitive::{byte, run, until};
use crate::pdn::grammar::{Parsed, comment, line_comment, tag_head};
use crate::pdn::reader::{GO, Last, Reader, SpaceBefore, Step};
use crate::pdn::visitor::{Flow, Visitor};
use crate::text::whitespace::is_space;

impl Reader<'_> {
    /// A comment of any kind at this position, closed or not.
    pub(in crate::pdn) fn any_comment<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Ok((rest, text)) = line_comment(self.rest()) {
            return self.line_comment(visitor, text, self.place_of_rest(rest));
        }
        let end = self.any_comment_end(self.at);
        if let Some(code) = end.deviation {
            self.report(visitor, code, self.text_to(end.end))?;
        }
        let text = &self.bytes[self.at + 1..end.inner];
        visitor.comment(text, self.span(self.text_to(end.end)))?;
        self.pass(end.end, Last::Other);
        self.game.unclosed = end.deviation == Some(Code::SYNTAX_UNCLOSED_COMMENT);
        Flow::Continue(())
    }

    /// `nested-comment` (`{a {b} c}`), `unclosed-comment` (`{a`), or a comment to the end of the line.
    pub(super) fn odd_comment<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        self.any_comment(visitor)?;
        self.game.interrupted = true;
        GO
    }

    pub(super) fn any_comment_end(&mut self, at: usize) -> CommentEnd {
        match alt((comment, line_comment)).parse(&self.bytes[at..]) {
            Ok((rest, text)) => {
                CommentEnd { inner: self.place(text) + text.len(), end: self.place_of_rest(rest), deviation: None }
            }
            Err(_) => self.closing.comment(self.bytes, at),
        }
    }

    /// The end of a comment of any kind.
    pub(in crate::pdn) fn comment_end(&mut self, at: usize) -> usize {
        self.any_comment_end(at).end
    }

    /// `prose-in-parentheses`: `(Roberto's first choice, the Wilderness 1.)`. A parenthesis that is never closed is
    /// text by itself.
    #[cold]
    pub(in crate::pdn) fn prose_in_parentheses<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        let end = self.closing.prose.end(self.bytes, self.at);
        self.stray(visitor, end.unwrap_or(self.at + 1), Code::SYNTAX_PROSE_IN_PARENTHESES)
    }

    /// `unclosed-variation`: the game ends first. `((( 2. e3-d4 1-0`.
    pub(in crate::pdn) fn unclosed_variations<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if self.game.depth == 0 {
            return Flow::Continue(());
        }
        // The missing signs would be at the end of the game.
        let end = &self.bytes[self.game.end..self.game.end];
        for _ in 0..self.game.depth {
            visitor.end_variation(self.span(end))?;
        }
        self.game.depth = 0;
        let opened = self.game.opened;
        self.report(visitor, Code::SYNTAX_UNCLOSED_VARIATION, &self.bytes[opened..=opened])
    }
}

/// Maximum length of prose in parentheses, in bytes.
const MAX_PROSE: usize = 4096;

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

/// Searches for closing signs, with what failed searches found. These only save time: the same bytes have the same ends.
#[derive(Debug, Default)]
pub(in crate::pdn) struct ClosingSearch {
    unbalanced: Unbalanced,
    reached_end: bool,
    pub(in crate::pdn) prose: ProseSearch,
}

/// The braces after a nested comment that is not balanced.
#[derive(Debug, Default)]
struct Unbalanced {
    searched: Range<usize>,
    /// The opening braces that are not closed in the searched text, counted from its start.
    open: Vec<u32>,
}

impl Unbalanced {
    /// Returns true if a brace is known not to be closed.
    fn contains(&self, brace: usize) -> bool {
        let offset = || (brace - self.searched.start) as u32;
        self.searched.contains(&brace) && self.open.binary_search(&offset()).is_ok()
    }
}

impl ClosingSearch {
    /// Returns true if a search ended with the text: with more text, it could have found another end.
    pub(in crate::pdn) const fn has_reached_end(&self) -> bool {
        self.reached_end || self.prose.reached_end
    }

    /// Returns the end of the comment whose brace is at `start`.
    #[cold]
    pub(in crate::pdn) fn comment(&mut self, bytes: &[u8], start: usize) -> CommentEnd {
        let nesting = !self.unbalanced.contains(start);
        let mut search = Search { bytes, nesting, depth: 1, first_close: None, open: Vec::new(), next_game: None };
        let mut stops = iterator(&bytes[start + 1..], stop);
        let found = stops.find_map(|(left, stop)| {
            let at = bytes.len() - left;
            search.step(at, stop).map(|end| (end, at))
        });
        self.reached_end |= found.is_none();
        let (end, seen) = found.unwrap_or_else(|| (search.give_up(bytes.len()), bytes.len()));
        if let (true, Some(close)) = (nesting, search.first_close)
            && close + 1 == end.end
        {
            // Without this note, `{{}{{}{{}…` takes quadratic time.
            self.unbalanced = Unbalanced { searched: close..seen, open: search.open };
        }
        end
    }
}

/// The characters examined in the search for the end of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    ClosingBrace,
    OpeningBrace,
    /// A bracket that begins a tag.
    Tag,
    Bracket,
}

/// The next brace or bracket, with the number of bytes left before it.
fn stop(input: &[u8]) -> Parsed<'_, (usize, Stop)> {
    let stop = alt((
        value(Stop::ClosingBrace, byte(b'}')),
        value(Stop::OpeningBrace, byte(b'{')),
        value(Stop::Tag, tag_head),
        value(Stop::Bracket, byte(b'[')),
    ));
    preceded(until([b'}', b'{', b'[']), (rest_len, stop)).parse(input)
}

/// The state of a search through a comment.
struct Search<'a> {
    bytes: &'a [u8],
    /// A nested comment may still be balanced.
    nesting: bool,
    depth: u32,
    first_close: Option<usize>,
    /// The braces opened after the first one that closes, counted from there, which are not closed yet.
    open: Vec<u32>,
    /// The start of the next game, unless the comment continues.
    next_game: Option<usize>,
}

impl Search<'_> {
    /// Returns the end of the comment if it is known at this stop.
    fn step(&mut self, at: usize, stop: Stop) -> Option<CommentEnd> {
        match stop {
            Stop::ClosingBrace => self.closing_brace(at),
            Stop::OpeningBrace => self.opening_brace(at),
            Stop::Tag if SpaceBefore::new(self.bytes, at).blank_line() => self.tag(at),
            Stop::Tag | Stop::Bracket => None,
        }
    }

    fn closing_brace(&mut self, at: usize) -> Option<CommentEnd> {
        self.depth -= 1;
        if self.depth == 0 {
            let nested = self.first_close.is_some();
            return Some(CommentEnd::at(at, nested.then_some(Code::SYNTAX_NESTED_COMMENT)));
        }
        self.first_close.get_or_insert(at);
        self.open.pop();
        // An earlier comment was searched to its end in vain: the first brace is taken without another search.
        (!self.nesting).then(|| self.give_up(at))
    }

    fn opening_brace(&mut self, at: usize) -> Option<CommentEnd> {
        self.depth += 1;
        if let Some(close) = self.first_close {
            self.open.push((at - close) as u32);
        }
        self.next_game.map(CommentEnd::unclosed)
    }

    /// A tag after an empty line: the next game, unless the comment continues and is closed before any other tag.
    fn tag(&mut self, at: usize) -> Option<CommentEnd> {
        if self.next_game.is_some() || self.first_close.is_some() || self.depth > 1 {
            return Some(self.give_up(at));
        }
        self.next_game = Some(at);
        None
    }

    /// Returns the end of a comment that is not closed: its first closing brace, else the next game.
    fn give_up(&self, limit: usize) -> CommentEnd {
        match self.first_close {
            Some(close) => CommentEnd::at(close, Some(Code::SYNTAX_NESTED_COMMENT)),
            None => CommentEnd::unclosed(self.next_game.unwrap_or(limit)),
        }
    }
}

/// A search for the end of prose in parentheses, which goes on from a later one where it failed from an earlier one.
#[derive(Debug, Default)]
pub(in crate::pdn) struct ProseSearch {
    searched: Range<usize>,
    /// The parentheses that are not closed in the searched text.
    open: VecDeque<usize>,
    reached_end: bool,
}

impl ProseSearch {
    /// Returns the end of the prose whose parenthesis is at `start`: in the same paragraph, before any tag, and within a few
    /// thousand bytes. Earlier searches only save time.
    pub(in crate::pdn) fn end(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        if !self.searched.contains(&start) {
            *self = Self { searched: start..start, open: VecDeque::new(), reached_end: self.reached_end };
        } else if self.open.binary_search(&start).is_err() {
            // It is closed: another search ends early.
            return Self::default().end(bytes, start);
        }
        // A game can be read twice, so those shortly before are kept.
        self.searched.start = self.searched.start.max(start.saturating_sub(MAX_PROSE));
        let earlier = self.open.partition_point(|open| *open < self.searched.start);
        self.open.drain(..earlier);
        while self.searched.end < start + MAX_PROSE {
            let at = self.searched.end;
            let Ok((rest, piece)) = piece(&bytes[at..]) else {
                self.reached_end |= at == bytes.len();
                break;
            };
            self.searched.end = bytes.len() - rest.len();
            match piece {
                Piece::Opening => self.open.push_back(at),
                Piece::Closing if self.open.pop_back() == Some(start) => return Some(self.searched.end),
                Piece::Closing | Piece::Text => {}
            }
        }
        None
    }
}

/// A part of prose in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Opening,
    Closing,
    Text,
}

/// A parenthesis or some of the text before the next one. Fails at an empty line, a tag, and the end.
fn piece(input: &[u8]) -> Parsed<'_, Piece> {
    let empty_line = (run(|byte| is_space(byte) || byte == b'\r'), byte(b'\n'));
    alt((
        value(Piece::Text, is_not("()[\n")),
        value(Piece::Opening, byte(b'(')),
        value(Piece::Closing, byte(b')')),
        value(Piece::Text, terminated(byte(b'\n'), not(empty_line))),
        value(Piece::Text, preceded(not(tag_head), byte(b'['))),
    ))
    .parse(input)
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
        let end = |text: &str| ProseSearch::default().end(text.as_bytes(), 0);
        assert_eq!(end("(see (a) b) c"), Some(11));
        assert_eq!(end("(see\nc [d])"), Some(11));
        assert_eq!(end("(see\n \nc)"), None);
        assert_eq!(end("(see\n[Event \"c\"])"), None);
        assert_eq!(end(&format!("({})", " ".repeat(MAX_PROSE))), None);
    }

    #[test]
    fn comments_end_alike_in_any_order_of_searches() {
        for text in
            ["{a {b} {c {d} e} {f} {g {h} {i", "{{}{{}{{}{{}}", "{a {b {c} {d\n\n[Event \"e\"] f}", "{{{}}{}{{}{}"]
        {
            let bytes = text.as_bytes();
            let starts = || (0..bytes.len()).filter(|&at| bytes[at] == b'{');
            for first in starts() {
                let mut search = ClosingSearch::default();
                search.comment(bytes, first);
                for start in starts() {
                    assert_eq!(search.comment(bytes, start), ClosingSearch::default().comment(bytes, start), "{text}");
                }
            }
        }
    }

    #[test]
    fn prose_ends_alike_in_any_order_of_searches() {
        let long = format!("(a (b) (c\n{}(d) e)", "(f) ((g) ".repeat(1000));
        for text in ["(a (b) (c (d)\n\n(e) f)", "(a (b)", "((((a) b (c) d) e", &long] {
            let bytes = text.as_bytes();
            let starts: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'(').collect();
            let alone: Vec<_> = starts.iter().map(|&start| ProseSearch::default().end(bytes, start)).collect();
            let mut search = ProseSearch::default();
            let mut ends = |starts: &[usize]| starts.iter().map(|&start| search.end(bytes, start)).collect::<Vec<_>>();
            assert_eq!(ends(&starts), alone);
            assert_eq!(ends(&starts), alone);
            let (last, end) = (starts.len() - 1, alone[starts.len() - 1]);
            for (start, expected) in starts.iter().zip(&alone) {
                assert_eq!(ends(&[*start, starts[last]]), [*expected, end]);
            }
        }
    }
}
