//! Whitespace around a byte: whether it begins a line or a paragraph, and what follows on its line.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, recognize, value};
use nom::multi::many0_count;
use nom::sequence::preceded;

use crate::pdn::grammar::Parsed;
use crate::pdn::grammar::primitive::{byte, run, wide};
use crate::text::whitespace::{is_line_end, is_skipped};

/// The whitespace before a byte.
pub(in crate::pdn) struct SpaceBefore {
    /// Line breaks in it; CRLF is one.
    breaks: usize,
    /// Nothing is before it.
    at_start: bool,
}

impl SpaceBefore {
    pub(in crate::pdn) fn new(bytes: &[u8], at: usize) -> Self {
        let start = bytes[..at].iter().rposition(|&byte| !is_skipped(byte)).map_or(0, |last| last + 1);
        let breaks = line_breaks(&bytes[start..at]).map_or(0, |(_, breaks)| breaks);
        Self { breaks, at_start: matches!(&bytes[..start], b"" | b"\xEF\xBB\xBF") }
    }

    /// Returns true if only whitespace is before the byte on its line.
    pub(in crate::pdn) const fn line_start(&self) -> bool {
        self.breaks > 0 || self.at_start
    }

    /// Returns true if an empty line is before the byte.
    pub(in crate::pdn) const fn blank_line(&self) -> bool {
        self.breaks > 1 || self.at_start
    }
}

/// The number of line breaks in whitespace; CRLF is one.
fn line_breaks(space: &[u8]) -> Parsed<'_, usize> {
    let line_break = alt((value((), (byte(b'\r'), opt(byte(b'\n')))), value((), byte(b'\n'))));
    many0_count(preceded(run(|byte| !is_line_end(byte)), line_break)).parse(space)
}

/// Whitespace with the control characters that are skipped like it.
#[inline]
fn skipped(input: &[u8]) -> Parsed<'_> {
    recognize((run(is_skipped), many0_count((wide, run(is_skipped))))).parse(input)
}

/// Returns the place of the first byte from here that is not skipped as whitespace.
#[inline]
pub(in crate::pdn) fn skip_whitespace(bytes: &[u8], at: usize) -> usize {
    skipped(&bytes[at..]).map_or(at, |(rest, _)| bytes.len() - rest.len())
}

/// Returns the place of the first byte from here that is not skipped as whitespace, if it is on the same line.
pub(in crate::pdn) fn same_line(bytes: &[u8], at: usize) -> Option<usize> {
    let found = skip_whitespace(bytes, at);
    (found < bytes.len() && !bytes[at..found].iter().any(|&byte| is_line_end(byte))).then_some(found)
}
