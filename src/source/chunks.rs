//! Cutting an input into chunks.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::Chunk;
use super::cut::{Certainty, Cut, LOOKAHEAD, find_cut, last_certain_cut};
use super::utf16::{Units, Utf16Order, decode};
use crate::diag::{Span, messages};
use crate::error::{Error, Result};
use crate::text::{Encoding, Evidence, Format, LineCounter};

/// How an input is cut into chunks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChunkOptions {
    /// Smallest size of a chunk in bytes, except for the last one: 256 KiB by default.
    pub chunk_size: usize,
    /// Largest size of a game in bytes, 64 MB by default. The rest of a larger game is skipped, with a diagnostic.
    pub max_game: usize,
    /// Number of bytes at the beginning of the input that its first chunk shows, 0 by default.
    pub head: usize,
    /// Read the input as UTF-16 in this byte order, whatever its first bytes are.
    pub utf16: Option<Utf16Order>,
    /// Incremented by the number of stored (compressed) bytes read; clones of the options share it.
    pub bytes_read: Arc<AtomicU64>,
}

impl Default for ChunkOptions {
    fn default() -> Self {
        Self { chunk_size: 256 * 1024, max_game: 64_000_000, head: 0, utf16: None, bytes_read: Arc::default() }
    }
}

impl ChunkOptions {
    /// Minimum size of a chunk that ends at a certain cut.
    fn target(&self) -> usize {
        self.chunk_size.min(self.max_game)
    }

    /// Minimum size of a chunk that ends at a likely cut.
    fn likely_from(&self) -> usize {
        self.chunk_size.saturating_mul(16).min(self.max_game)
    }
}

/// The chunks of an input, in order. A read error comes after everything that was read before it and ends the iteration,
/// except for [`io::ErrorKind::WouldBlock`]: the next chunk follows once the reader has more.
pub struct Chunks {
    label: String,
    reader: Box<dyn Read + Send>,
    options: ChunkOptions,
    units: Units,
    /// How records are separated, known once the first bytes are read.
    format: Format,
    /// Bytes read but not yet returned.
    buffer: Vec<u8>,
    offset: u64,
    lines: LineCounter,
    complete: bool,
    error: Option<io::Error>,
    /// Evidence from bytes that are not UTF-8, if there were any.
    evidence: Option<Evidence>,
    /// True if the first chunk was returned.
    begun: bool,
    /// The offset in the buffer at which to continue searching for the end of an oversized game, if its rest is skipped.
    skip_from: Option<usize>,
}

impl fmt::Debug for Chunks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunks").field("label", &self.label).field("offset", &self.offset).finish_non_exhaustive()
    }
}

impl Chunks {
    /// Cuts the bytes of a reader, which is expected to be decompressed. The label names it in errors.
    ///
    /// # Errors
    ///
    /// If the first bytes cannot be read.
    pub fn new(label: &str, reader: Box<dyn Read + Send>, options: &ChunkOptions) -> Result<Self> {
        let text = decode(reader, options.utf16).map_err(|error| Error::read(label, error))?;
        let options = ChunkOptions {
            // With a size of 0, no read would ever be long enough.
            chunk_size: options.chunk_size.max(1),
            max_game: options.max_game.max(1),
            ..options.clone()
        };
        Ok(Self {
            label: label.to_owned(),
            reader: text.reader,
            options,
            units: text.units,
            format: Format::default(),
            buffer: Vec::new(),
            offset: text.skipped,
            lines: LineCounter::default(),
            complete: false,
            error: None,
            evidence: None,
            begun: false,
            skip_from: None,
        })
    }

    /// Reads until the buffer holds `wanted` bytes or the input ends.
    fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.buffer.len());
        if self.complete || missing == 0 {
            return;
        }
        match (&mut self.reader).take(missing as u64).read_to_end(&mut self.buffer) {
            Ok(n) => self.complete = n < missing,
            Err(error) => {
                // What was read before the error becomes chunks first; the error follows them.
                self.complete = !is_pending(&error);
                self.error = Some(error);
            }
        }
    }

    /// Returns true if the reader has no bytes now, but will have more.
    fn is_pending(&self) -> bool {
        self.error.as_ref().is_some_and(is_pending)
    }

    fn next_chunk(&mut self) -> Option<Chunk> {
        if self.begun {
            return self.cut_chunk();
        }
        self.fill(self.options.head.max(Format::HEAD).min(self.options.max_game));
        if self.is_pending() {
            return None;
        }
        self.begun = true;
        self.format = Format::of(&self.buffer);
        let head = Arc::from(&self.buffer[..self.buffer.len().min(self.options.head)]);
        self.cut_chunk().map(|chunk| Chunk { head: Some(head), ..chunk })
    }

    fn cut_chunk(&mut self) -> Option<Chunk> {
        if let Some(from) = self.skip_from.take() {
            self.skip_game(from);
            if self.is_pending() {
                return None;
            }
        }
        let (step, max_game) = (self.options.chunk_size, self.options.max_game);
        let mut certain = self.options.target();
        let mut likely = self.options.likely_from();
        loop {
            let wanted = self.buffer.len().max(self.options.target()).saturating_add(step);
            // One byte more than the largest game shows that it is too large, and to judge a cut there takes the
            // lookahead.
            self.fill(wanted.min(max_game.saturating_add(LOOKAHEAD + 1)));
            if self.is_pending() {
                return None;
            }
            match self.cut(&mut certain, &mut likely) {
                Some(at) if at <= max_game => return Some(self.take(at)),
                _ if self.buffer.len() > max_game => return Some(self.take_oversized()),
                _ if self.complete => return (!self.buffer.is_empty()).then(|| self.take(self.buffer.len())),
                _ => {}
            }
        }
    }

    /// Looks for a cut after the offsets searched before, and moves them on.
    fn cut(&self, certain: &mut usize, likely: &mut usize) -> Option<usize> {
        for (from, certainty) in [(certain, Certainty::Certain), (likely, Certainty::Likely)] {
            match find_cut(&self.buffer, *from, self.complete, self.format, certainty) {
                Cut::At(at) => return Some(at),
                Cut::NotBefore(at) => *from = at,
            }
        }
        None
    }

    /// Returns the games before the one that is too large or, if there is none, the beginning of that game.
    fn take_oversized(&mut self) -> Chunk {
        let max_game = self.options.max_game;
        if let Some(at) = last_certain_cut(&self.buffer[..max_game], self.format) {
            return self.take(at);
        }
        let bytes = self.buffer[..max_game].to_vec();
        let mut chunk = self.chunk(bytes, self.offset, self.lines.ends() + 1);
        // Spans have 32 bits.
        let end = u32::try_from(max_game).unwrap_or(u32::MAX);
        chunk.diagnostics.push(messages::too_large(Span::new(end, end), max_game));
        self.skip_from = Some(max_game);
        chunk
    }

    /// Removes the first bytes from the buffer and returns them as a chunk.
    fn take(&mut self, length: usize) -> Chunk {
        let rest = self.buffer.split_off(length);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let (offset, line) = (self.offset, self.lines.ends() + 1);
        self.offset += self.units.original_length(&bytes);
        self.lines.feed(&bytes);
        self.chunk(bytes, offset, line)
    }

    fn chunk(&mut self, bytes: Vec<u8>, offset: u64, line: u64) -> Chunk {
        let (encoding, encoding_seen) = self.detect_encoding(&bytes);
        let (units, format) = (self.units, self.format);
        Chunk { bytes, offset, line, diagnostics: Vec::new(), encoding, encoding_seen, units, format, head: None }
    }

    /// Adds bytes to the evidence. Returns the encoding detected so far and whether there was evidence before.
    fn detect_encoding(&mut self, bytes: &[u8]) -> (Option<Encoding>, bool) {
        let seen = self.evidence.is_some();
        // The letters of valid UTF-8 would count as evidence of a code page.
        if str::from_utf8(bytes).is_err() {
            self.evidence.get_or_insert_default().add(bytes);
        }
        (self.evidence.map(Evidence::encoding), seen)
    }

    /// Drops all bytes up to the first game that begins after the largest size.
    fn skip_game(&mut self, mut from: usize) {
        // The bytes kept to see the line before a cut.
        const CONTEXT: usize = 64 * 1024;
        loop {
            self.fill(self.buffer.len() + 4 * CONTEXT);
            if self.is_pending() {
                self.skip_from = Some(from);
                return;
            }
            // A likely cut is enough: the earlier reading continues, the fewer games are lost.
            match find_cut(&self.buffer, from, self.complete, self.format, Certainty::Likely) {
                Cut::At(at) => return drop(self.take(at)),
                Cut::NotBefore(_) if self.complete => return drop(self.take(self.buffer.len())),
                Cut::NotBefore(at) => {
                    let dropped = at.saturating_sub(CONTEXT);
                    self.take(dropped);
                    from = at - dropped;
                }
            }
        }
    }
}

fn is_pending(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
}

impl Iterator for Chunks {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.next_chunk() {
            Some(chunk) => Some(Ok(chunk)),
            None => self.error.take().map(|error| Err(Error::read(&self.label, error))),
        }
    }
}
