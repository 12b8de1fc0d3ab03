//! Cutting an input into chunks.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::Chunk;
use super::cut::{Cut, LOOKAHEAD, find_cut, last_start, start_after_rest};
use super::early::Early;
use super::utf16::{Units, Utf16Order, decode};
use crate::diag::{Span, messages};
use crate::error::{Error, Result};
use crate::text::{Encoding, Evidence, Format, LineCounter, quoted_end};

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
    pub(crate) utf16: Option<Utf16Order>,
    /// Convert the input from this encoding to UTF-8 while it is read; only for encodings with several bytes in a character, whose
    /// games cannot be decoded separately.
    pub recode: Option<Encoding>,
    /// Cut a stream after its last complete game when it has no more bytes for now, instead of waiting for a full chunk. Before the
    /// first [`head`](Self::head) bytes are read, only games that this function finds independent of them are returned.
    pub(crate) eager: Option<Independent>,
    /// Incremented by the number of stored (compressed) bytes read; clones of the options share it.
    pub bytes_read: Arc<AtomicU64>,
}

impl Default for ChunkOptions {
    fn default() -> Self {
        Self {
            chunk_size: 256 * 1024,
            max_game: 64_000_000,
            head: 0,
            utf16: None,
            recode: None,
            eager: None,
            bytes_read: Arc::default(),
        }
    }
}

impl ChunkOptions {
    /// Minimum size of a chunk, except for the last one and those before a huge game.
    pub(super) fn target(&self) -> usize {
        self.chunk_size.min(self.max_game)
    }

    /// Size of a text in which no game begins with a tag after an empty line, from which on all of it is read to find where any
    /// other game begins. Less often, every file with a longer game would be read twice.
    fn longest_unread(&self) -> usize {
        self.chunk_size.saturating_mul(16).min(self.max_game)
    }
}

/// Number of bytes that are read of an input before a buffer for more is made.
const SMALL: usize = 64 * 1024;

/// Most bytes for which a buffer is made before they are read: those at the beginning of an input that determine its variant.
const MAX_RESERVED: usize = 1 << 20;

/// Returns true if no game of a text depends on other parts of its input.
pub(crate) type Independent = fn(&[u8]) -> bool;

/// The chunks of an input, in order. A read error comes after everything that was read before it and ends the iteration,
/// except for [`io::ErrorKind::WouldBlock`]: the next chunk follows once the reader has more.
pub struct Chunks {
    pub(super) label: String,
    pub(super) reader: Box<dyn Read + Send>,
    pub(super) options: ChunkOptions,
    pub(super) units: Units,
    /// How records are separated, known once the first bytes are read.
    pub(super) format: Format,
    /// Bytes read but not yet returned.
    pub(super) buffer: Vec<u8>,
    pub(super) offset: u64,
    pub(super) lines: LineCounter,
    pub(super) complete: bool,
    pub(super) error: Option<io::Error>,
    /// Evidence from bytes that are not UTF-8, if there were any.
    pub(super) evidence: Option<Evidence>,
    /// The first bytes, from when they are complete until the first chunk is returned.
    pub(super) head: Option<Arc<[u8]>>,
    pub(super) begun: bool,
    /// True if the buffer begins with the rest of an oversized game, which is skipped.
    pub(super) is_skipping: bool,
    pub(super) early: Early,
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
        let text = decode(reader, options.utf16, options.recode).map_err(|error| Error::read(label, error))?;
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
            head: None,
            begun: false,
            is_skipping: false,
            early: Early::default(),
        })
    }

    /// Reads until the buffer holds `wanted` bytes or the input ends.
    pub(super) fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.buffer.len());
        if self.complete || missing == 0 {
            return;
        }
        match self.read(missing.min(SMALL)) {
            Ok(n) if n == SMALL && n < missing => {
                // A buffer that grows is copied again and again. One for every small file would be memory that threads hand around.
                self.buffer.reserve((missing - n).min(MAX_RESERVED));
                match self.read(missing - n) {
                    Ok(more) => self.complete = n + more < missing,
                    Err(error) => self.fail(error),
                }
            }
            Ok(n) => self.complete = n < missing,
            Err(error) => self.fail(error),
        }
    }

    /// Reads at most this number of bytes, fewer only at the end of the input.
    fn read(&mut self, wanted: usize) -> io::Result<usize> {
        (&mut self.reader).take(wanted as u64).read_to_end(&mut self.buffer)
    }

    /// Keeps an error: what was read before it becomes chunks first.
    pub(super) fn fail(&mut self, error: io::Error) {
        self.complete = !is_pending(&error);
        self.error = Some(error);
    }

    /// Returns true if the reader has no bytes now, but will have more.
    fn is_pending(&self) -> bool {
        self.error.as_ref().is_some_and(is_pending)
    }

    fn next_chunk(&mut self) -> Option<Chunk> {
        if !self.begun {
            let wanted = self.options.head.max(Format::HEAD).min(self.options.max_game);
            if let Some(chunk) = self.fill_or_cut(wanted.saturating_sub(self.early.head.len())) {
                let is_first = self.early.is_first_chunk();
                return Some(Chunk { head: is_first.then(Arc::default), is_first, ..chunk });
            }
            if self.is_pending() {
                return None;
            }
            self.begun = true;
            let mut head = Cow::from(self.early.take_head());
            // Nothing was returned early, unless the input is a stream.
            if head.is_empty() {
                head = Cow::from(&self.buffer);
            } else {
                head.to_mut().extend_from_slice(&self.buffer);
            }
            self.format = Format::of(&head);
            self.head = Some(Arc::from(&head[..head.len().min(self.options.head)]));
        }
        let chunk = self.cut_chunk()?;
        // Not before there is a chunk: the reader may pause after the first bytes.
        Some(Chunk { head: self.head.take(), is_first: self.early.is_first_chunk(), ..chunk })
    }

    fn cut_chunk(&mut self) -> Option<Chunk> {
        if self.is_skipping {
            self.skip_rest();
            if self.is_pending() {
                return None;
            }
        }
        let (step, max_game) = (self.options.chunk_size, self.options.max_game);
        // What was cut early counts: chunks end in the same places as without.
        let target = self.options.target().saturating_sub(self.early.passed.len());
        let (mut from, mut limit) = (target, self.options.longest_unread());
        loop {
            // With the bytes after the largest text of interest that show whether a game begins at its end.
            let most = limit.saturating_add(LOOKAHEAD + 1);
            if let Some(chunk) = self.fill_or_cut(self.buffer.len().max(target).saturating_add(step).min(most)) {
                return Some(chunk);
            }
            if self.is_pending() {
                return None;
            }
            let is_long = self.buffer.len() > limit;
            let text = &self.buffer[..self.buffer.len().min(most)];
            match find_cut(text, from, self.complete && !is_long, self.format) {
                Cut::At(at) if at <= limit => return Some(self.take(at)),
                Cut::At(at) | Cut::NotBefore(at) => from = at,
            }
            if !is_long {
                if self.complete {
                    return (!self.buffer.is_empty()).then(|| self.take_last());
                }
                continue;
            }
            if let Some(at) = last_start(text, self.format) {
                return Some(self.take(at));
            }
            if limit == max_game {
                return Some(self.take_oversized());
            }
            // Doubled, so that all texts searched before take no longer than the last one.
            limit = limit.saturating_mul(2).min(max_game);
        }
    }

    /// Returns the last chunk. An array that ends between two of its objects is cut off.
    fn take_last(&mut self) -> Chunk {
        let mut chunk = self.take(self.buffer.len());
        let text = chunk.bytes.trim_ascii_end();
        if chunk.format == Format::JsonArray && matches!(text, [.., b'}' | b',']) && self.error.is_none() {
            let (last, end) = (quoted_end(text).into_owned(), text.len() as u32);
            chunk.diagnostics.push(messages::log_cut_off(Span::new(end - 1, end), last));
        }
        chunk
    }

    /// Returns the beginning of a game that is too large.
    fn take_oversized(&mut self) -> Chunk {
        let max_game = self.options.max_game;
        let mut chunk = self.take(max_game);
        // Spans have 32 bits.
        let end = u32::try_from(max_game).unwrap_or(u32::MAX);
        chunk.diagnostics.push(messages::too_large(Span::new(end, end), max_game));
        self.is_skipping = true;
        chunk
    }

    /// Removes the first bytes from the buffer and returns them as a chunk.
    pub(super) fn take(&mut self, length: usize) -> Chunk {
        let rest = self.buffer.split_off(length);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let (offset, line, column) = (self.offset, self.lines.ends + 1, self.lines.open);
        self.offset += self.units.original_length(&bytes);
        self.lines.feed(&bytes);
        let (encoding, encoding_seen) = self.detect_encoding(&bytes);
        self.early.cut();
        let (units, format) = (self.units, self.format);
        Chunk {
            bytes,
            offset,
            line,
            column,
            diagnostics: Vec::new(),
            encoding,
            encoding_seen,
            units,
            format,
            head: None,
            is_first: false,
            is_early: false,
        }
    }

    /// Adds bytes to the evidence. Returns the encoding detected so far and whether there was evidence before.
    fn detect_encoding(&mut self, bytes: &[u8]) -> (Option<Encoding>, bool) {
        let seen = self.evidence.is_some();
        // The letters of valid UTF-8 would count as evidence of a code page.
        if !bytes.is_ascii() && str::from_utf8(bytes).is_err() {
            self.evidence.get_or_insert_default().add(&[&self.early.passed, bytes].concat());
        }
        (self.evidence.map(Evidence::encoding), seen)
    }

    /// Drops the rest of an oversized game.
    fn skip_rest(&mut self) {
        // Bytes that are kept to see what is before the next game.
        const CONTEXT: usize = 64 * 1024;
        loop {
            // Only the fifth of it that is kept is searched again.
            self.fill(self.buffer.len() + 4 * CONTEXT);
            if self.is_pending() {
                return;
            }
            let next = start_after_rest(&self.buffer, self.complete, self.format);
            let kept = if self.complete { 0 } else { CONTEXT };
            drop(self.take(next.unwrap_or(self.buffer.len().saturating_sub(kept))));
            if next.is_some() || self.complete {
                self.is_skipping = false;
                return;
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
