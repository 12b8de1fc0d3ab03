//! Where in the text a byte stands: at the start of a line, behind a blank line, at the start of the next game.

use super::lex_tag;

pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C | 0 | 0x1A)
}

const fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The blanks before a byte.
pub(super) struct Before {
    /// Line breaks among them; CRLF is one.
    pub(super) breaks: usize,
    /// Whether nothing stands before them.
    pub(super) at_start: bool,
}

impl Before {
    pub(super) fn new(bytes: &[u8], at: usize) -> Self {
        let start = bytes[..at].iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
        let blanks = &bytes[start..at];
        let breaks = blanks
            .iter()
            .enumerate()
            .filter(|&(index, &byte)| byte == b'\n' || byte == b'\r' && blanks.get(index + 1) != Some(&b'\n'));
        Self { breaks: breaks.count(), at_start: bytes[..start].is_empty() || bytes[..start] == *b"\xEF\xBB\xBF" }
    }

    /// Whether the byte is the first one of its line that is no blank.
    pub(super) const fn line_start(&self) -> bool {
        self.breaks > 0 || self.at_start
    }

    /// Whether an empty line stands before it.
    pub(super) const fn blank_line(&self) -> bool {
        self.breaks > 1 || self.at_start
    }
}

/// Whether a line `[Name "…` behind a blank line begins at this bracket.
pub(super) fn is_cut(bytes: &[u8], at: usize) -> bool {
    lex_tag::looks_sound(&bytes[at..]) && Before::new(bytes, at).blank_line()
}

/// End of the line that holds this byte, without its line break.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    at + memchr::memchr2(b'\n', b'\r', &bytes[at..]).unwrap_or(bytes.len() - at)
}

/// The first byte from here that is no blank.
pub(super) fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        at = bytes[at..].iter().position(|&byte| !is_blank(byte)).map_or(bytes.len(), |blanks| at + blanks);
        match bytes.get(at) {
            Some(0xC2 | 0xEF) if wide_blank(&bytes[at..]) > 0 => at += wide_blank(&bytes[at..]),
            _ => return at,
        }
    }
}

/// Length of a blank of several bytes: a no-break space, a byte order mark.
pub(super) fn wide_blank(bytes: &[u8]) -> usize {
    [&b"\xC2\xA0"[..], b"\xEF\xBB\xBF"].into_iter().find(|blank| bytes.starts_with(blank)).map_or(0, <[u8]>::len)
}

/// The first byte from here that is no blank, as long as it stands on the same line.
pub(super) fn same_line(bytes: &[u8], at: usize) -> Option<usize> {
    let found = skip_blanks(bytes, at);
    (found < bytes.len() && !bytes[at..found].iter().any(|&byte| is_line_end(byte))).then_some(found)
}
