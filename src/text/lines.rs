//! Lines and columns of bytes in any encoding and with any line endings.

use std::ops::Range;

use memchr::{memchr_iter, memchr2_iter, memrchr2};

use super::{Encoding, Evidence};

/// Counts line ends in bytes that arrive in pieces. LF, CRLF and a lone CR are one line end each, even where a piece ends
/// between CR and LF.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineCounter {
    /// Number of line ends so far.
    pub(crate) ends: u64,
    /// Characters after the last line end.
    pub(crate) open: u64,
    after_cr: bool,
}

impl LineCounter {
    /// Adds the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        let Some((&first, &last)) = piece.first().zip(piece.last()) else { return };
        let lf = memchr_iter(b'\n', piece).count() as u64;
        let lone_cr = memchr_iter(b'\r', piece).filter(|&at| piece.get(at + 1) != Some(&b'\n')).count() as u64;
        // A CR at the end of a piece was counted; an LF at the start of the next belongs to it.
        self.ends += lf + lone_cr - u64::from(self.after_cr && first == b'\n');
        self.after_cr = last == b'\r';
        let line = memrchr2(b'\n', b'\r', piece).map_or(0, |end| end + 1);
        let before = if line == 0 { self.open } else { 0 };
        self.open = before + characters(&piece[line..], Way::of(&piece[line..]));
    }
}

/// The lines of some bytes, found once for many lookups.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    index: LineIndex,
}

impl<'a> Lines<'a> {
    /// Finds the lines of `bytes`.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, index: LineIndex::of(bytes) }
    }

    /// Returns the bytes of a line, from 0, without its end.
    ///
    /// # Panics
    ///
    /// Panics if there is no such line.
    pub(crate) fn range(&self, line: usize) -> Range<usize> {
        self.index.range(self.bytes, line)
    }

    /// Returns line and column of a byte, both from 1, the column in characters of the decoded line. An offset after the
    /// end is taken as the end.
    pub(crate) fn line_column(&mut self, offset: usize) -> (u64, u64) {
        self.index.line_column(self.bytes, offset)
    }
}

/// The lines of bytes that are kept elsewhere and passed to each lookup.
#[derive(Clone, Debug)]
pub(crate) struct LineIndex {
    starts: Vec<usize>,
    /// The last position looked up, so that a huge line is not counted from its start each time.
    last: Position,
}

#[derive(Clone, Copy, Debug, Default)]
struct Position {
    line: usize,
    at: usize,
    column: u64,
    way: Way,
}

/// The way in which the bytes of a line are characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Way {
    #[default]
    Utf8,
    /// UTF-8 with some bytes that are not.
    Damaged,
    /// Each byte is a character.
    Bytes,
}

impl Way {
    fn of(line: &[u8]) -> Self {
        if str::from_utf8(line).is_ok() {
            return Self::Utf8;
        }
        if Evidence::of(line).is_damaged_utf8() { Self::Damaged } else { Self::Bytes }
    }
}

impl LineIndex {
    /// Finds the lines of `bytes`.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let ends = memchr2_iter(b'\n', b'\r', bytes).filter(|&at| ends_line(bytes, at));
        let starts: Vec<_> = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
        let mut index = Self { starts, last: Position::default() };
        index.last = index.start_of(bytes, 0);
        index
    }

    /// Returns the line, from 0, that contains the byte at `offset`; for an offset after the end, the last one.
    fn line_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    fn range(&self, bytes: &[u8], line: usize) -> Range<usize> {
        let start = self.starts[line];
        let mut end = self.starts.get(line + 1).copied().unwrap_or(bytes.len());
        while end > start && matches!(bytes[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        start..end
    }

    /// Returns line and column of a byte as [`Lines::line_column`] does.
    pub(crate) fn line_column(&mut self, bytes: &[u8], offset: usize) -> (u64, u64) {
        let offset = offset.min(bytes.len());
        let line = self.line_at(offset);
        // Diagnostics come in the order of the text, so most lookups continue from the last one.
        if line != self.last.line || offset < self.last.at {
            self.last = self.start_of(bytes, line);
        }
        self.last.column += characters(&bytes[self.last.at..offset], self.last.way);
        self.last.at = offset;
        (line as u64 + 1, self.last.column)
    }

    fn start_of(&self, bytes: &[u8], line: usize) -> Position {
        Position { line, at: self.starts[line], column: 1, way: Way::of(&bytes[self.range(bytes, line)]) }
    }
}

/// Returns true if the LF or CR at `at` is the last byte of a line end.
fn ends_line(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n')
}

fn characters(bytes: &[u8], way: Way) -> u64 {
    let count = match way {
        Way::Utf8 => bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count(),
        Way::Damaged => String::from_utf8_lossy(bytes).chars().count(),
        Way::Bytes => bytes.len(),
    };
    count as u64
}

/// Returns line and column of the byte at `offset`, both from 1. LF, CRLF and a lone CR end lines; the column counts
/// characters of the decoded line, a tab is one. In a line that is UTF-8 but for a few bytes, each of these is a character; in any
/// other line that is not UTF-8, each byte is one.
///
/// # Examples
///
/// ```
/// assert_eq!(pdn::text::line_column(b"1. 32-28\r\n19-23", 10), (2, 1));
/// ```
pub fn line_column(bytes: &[u8], offset: usize) -> (u64, u64) {
    Lines::new(bytes).line_column(offset)
}

/// Decodes the bytes of one line: as UTF-8 if they are valid, or else as `otherwise`.
pub(crate) fn decode_line(line: &[u8], otherwise: Encoding) -> String {
    decode_part(line, line, otherwise)
}

/// Decodes a part of a line, which begins and ends between characters, as [`decode_line`] decodes the whole line.
pub(crate) fn decode_part(part: &[u8], line: &[u8], otherwise: Encoding) -> String {
    match (Way::of(line), otherwise) {
        // Latin-1 is what is taken where nothing says more.
        (Way::Utf8, _) | (Way::Damaged, Encoding::Utf8 | Encoding::Latin1) => {
            String::from_utf8_lossy(part).into_owned()
        }
        // No code page is known: each byte is a character, as columns count them.
        (Way::Bytes, Encoding::Utf8) => part.iter().copied().map(char::from).collect(),
        _ => otherwise.decode(part).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts one character at a time, as specified.
    fn naive(bytes: &[u8], offset: usize) -> (u64, u64) {
        let (mut line, mut start, mut at) = (1, 0, 0);
        while at < offset.min(bytes.len()) {
            let two = bytes[at..].starts_with(b"\r\n");
            if two && at + 1 >= offset {
                break;
            }
            if matches!(bytes[at], b'\n' | b'\r') {
                line += 1;
                start = at + 1 + usize::from(two);
            }
            at += 1 + usize::from(two);
        }
        let end = bytes[start..].iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(bytes.len(), |n| start + n);
        let column = match std::str::from_utf8(&bytes[start..end]) {
            Ok(text) => {
                text.char_indices().filter(|(n, _)| start + n < offset).count()
                    + offset.min(bytes.len()).saturating_sub(end)
            }
            Err(_) => offset.min(bytes.len()) - start,
        };
        (line, column as u64 + 1)
    }

    #[test]
    fn every_line_end_counts_once() {
        assert_eq!(line_column(b"a\r\nb\rc\nd", 7), (4, 1));
        assert_eq!(line_column(b"a\r\n", 3), (2, 1));
        assert_eq!(line_column(b"", 0), (1, 1));
        assert_eq!(line_column(b"abc", 99), (1, 4));
    }

    #[test]
    fn columns_are_characters_of_the_decoded_line() {
        let utf8 = "\u{e9}\u{e9}x".as_bytes();
        assert_eq!(line_column(utf8, 4), (1, 3));
        assert_eq!(line_column(b"\xe9\xe9x", 2), (1, 3));
        // UTF-8 with a bad byte, of which `ÿ` in Latin-1 is one.
        assert_eq!(line_column(b"\xc3\xa9\xc3\xa9\xff x", 6), (1, 5));
        assert_eq!(line_column(b"\tx", 1), (1, 2));
    }

    #[test]
    fn agrees_with_the_naive_count_in_any_order() {
        let bytes = "ab\r\n\u{e9}c\r\r\n\n\tq\u{4e16}z\n\u{e9}".bytes().chain(*b"\n\xe9\xe9 k\r").collect::<Vec<_>>();
        let mut lines = Lines::new(&bytes);
        for offset in (0..=bytes.len()).chain((0..=bytes.len()).rev()) {
            assert_eq!(lines.line_column(offset), naive(&bytes, offset), "{offset}");
        }
    }

    #[test]
    fn counting_in_pieces_is_counting_at_once() {
        let bytes = b"a\r\n\r\r\n\n\nb\r";
        for cut in 0..=bytes.len() {
            let mut counter = LineCounter::default();
            counter.feed(&bytes[..cut]);
            counter.feed(&bytes[cut..]);
            assert_eq!(counter.ends, 6, "{cut}");
        }
    }
}
