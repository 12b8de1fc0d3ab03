//! A piece of an input that contains whole games, and locations in it.

use std::sync::Arc;

use super::utf16::Units;
use crate::diag::{Code, Diagnostic};
use crate::text::{Encoding, Format, LineIndex};

/// Some whole games of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub(super) bytes: Vec<u8>,
    pub(super) offset: u64,
    pub(super) line: u64,
    /// Characters before the chunk on its first line.
    pub(super) column: u64,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) encoding: Option<Encoding>,
    pub(super) encoding_seen: bool,
    pub(super) units: Units,
    pub(super) format: Format,
    /// The first bytes of the input, if this is the first chunk for which they are known.
    pub(super) head: Option<Arc<[u8]>>,
    pub(super) is_first: bool,
    pub(super) is_early: bool,
}

impl Chunk {
    /// Returns the text, as in the decompressed original; UTF-16 is converted to UTF-8.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the first bytes of the input, as many as [`ChunkOptions::head`](super::ChunkOptions::head) says, if this is
    /// the first chunk for which they are known. Games that were cut off before need none of them, and have an empty text.
    pub(crate) const fn head(&self) -> Option<&Arc<[u8]>> {
        self.head.as_ref()
    }

    /// Returns true if this is the first chunk of its input.
    pub(crate) const fn is_first(&self) -> bool {
        self.is_first
    }

    /// Returns true if it was cut because the input had no more bytes for now: its games should not wait for others.
    pub(super) const fn is_early(&self) -> bool {
        self.is_early
    }

    /// Returns the offset of the first byte in the decompressed original.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the line number of the first byte, from 1.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// Returns the diagnostics about the chunk as a whole: its last game is too large, or the input ends within an array. Spans
    /// count from the first byte of the chunk.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns true if its last game is too large, and the rest of it is missing.
    pub(crate) fn is_cut(&self) -> bool {
        self.diagnostics.iter().any(|found| found.code() == Code::REPLAY_TOO_LARGE)
    }

    /// Returns the most likely encoding of the input's bytes that are not UTF-8, judged by the input up to the end of this
    /// chunk, or `None` if all of them are UTF-8.
    pub(crate) const fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// Returns true if an earlier chunk already contained bytes that are not UTF-8.
    pub(crate) const fn encoding_seen(&self) -> bool {
        self.encoding_seen
    }

    /// Returns the format of the records, judged by the first bytes of the input.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Returns true if the bytes are those of the decompressed original, and not converted from UTF-16.
    pub(crate) fn is_original(&self) -> bool {
        self.units == Units::Bytes
    }

    /// Returns the location of `length` bytes at `start`, counted from the first byte of the chunk. Ranges that reach past the end
    /// of the chunk are cut there. Each call counts the lines before it.
    pub fn locate(&self, start: usize, length: usize) -> Location {
        Located::default().locate(self, start, length)
    }
}

/// A range of bytes in the decompressed original.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// First byte, from 0.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
    /// Line, from 1.
    pub line: u64,
    /// Column, from 1, in characters of the decoded line.
    pub column: u64,
}

/// What lookups in a chunk have found, for the next ones in it.
#[derive(Debug, Default)]
pub(crate) struct Located {
    lines: Option<LineIndex>,
    /// An offset in the chunk and the number of bytes of the original before it.
    last: (usize, u64),
}

impl Located {
    /// Returns the offset in the input of the byte at `start`, counted from the first byte of the chunk. No line is indexed for it.
    pub(crate) fn offset(&mut self, chunk: &Chunk, start: usize) -> u64 {
        chunk.offset + self.original_length(chunk, start.min(chunk.bytes.len()))
    }

    /// Returns a location as [`Chunk::locate`] does. The lines are indexed for the first one.
    pub(crate) fn locate(&mut self, chunk: &Chunk, start: usize, length: usize) -> Location {
        let bytes = &chunk.bytes;
        let start = start.min(bytes.len());
        let end = start.saturating_add(length).min(bytes.len());
        let (line, mut column) = self.lines.get_or_insert_with(|| LineIndex::of(bytes)).line_column(bytes, start);
        // A game in JSON, or the rest of a huge one, may begin within a line.
        if line == 1 {
            column += chunk.column;
        }
        let offset = self.offset(chunk, start);
        let length = chunk.units.original_length(&bytes[start..end]);
        Location { offset, length, line: chunk.line + line - 1, column }
    }

    /// Returns the number of bytes of the original before an offset in the chunk.
    fn original_length(&mut self, chunk: &Chunk, at: usize) -> u64 {
        // Most questions come in the order of the text and count on from the last one.
        if at < self.last.0 {
            self.last = (0, 0);
        }
        let passed = &chunk.bytes[self.last.0..at];
        self.last = (at, self.last.1 + chunk.units.original_length(passed));
        self.last.1
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::source::{ChunkOptions, Chunks};

    #[test]
    fn places_in_any_order_are_those_of_single_lookups() {
        let text = "[Event \"\u{e9}\"]\r\n1. 32-28 *\r\n\n[Event \"b\"] 1. 31-27 *";
        let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [text.as_bytes().to_vec(), wide] {
            let chunks = Chunks::new("-", Box::new(Cursor::new(bytes)), &ChunkOptions::default()).expect("memory");
            for chunk in chunks.map(|chunk| chunk.expect("memory")) {
                let mut located = Located::default();
                let text = str::from_utf8(chunk.bytes()).expect("UTF-8");
                let places: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
                for &at in places.iter().chain(places.iter().rev()) {
                    let place = chunk.locate(at, 1);
                    let found = (located.locate(&chunk, at, 1), located.offset(&chunk, at));
                    assert_eq!(found, (place, place.offset), "{at}");
                }
            }
        }
    }
}
