//! Whitespace around a byte: whether it begins a line or a paragraph, and what follows on its line.

use crate::text::whitespace::{is_line_end, is_skipped, wide_len};

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
        let space = &bytes[start..at];
        let breaks = space
            .iter()
            .enumerate()
            .filter(|&(index, &byte)| byte == b'\n' || byte == b'\r' && space.get(index + 1) != Some(&b'\n'));
        Self { breaks: breaks.count(), at_start: bytes[..start].is_empty() || bytes[..start] == *b"\xEF\xBB\xBF" }
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

/// Returns the place of the first byte from here that is not skipped as whitespace.
pub(in crate::pdn) fn skip_whitespace(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        at = bytes[at..].iter().position(|&byte| !is_skipped(byte)).map_or(bytes.len(), |len| at + len);
        match wide_len(&bytes[at..]) {
            0 => return at,
            len => at += len,
        }
    }
}

/// Returns the place of the first byte from here that is not skipped as whitespace, if it is on the same line.
pub(in crate::pdn) fn same_line(bytes: &[u8], at: usize) -> Option<usize> {
    let found = skip_whitespace(bytes, at);
    (found < bytes.len() && !bytes[at..found].iter().any(|&byte| is_line_end(byte))).then_some(found)
}
