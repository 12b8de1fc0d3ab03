//! Chunks of whole games.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::cut::{Cut, LOOKAHEAD, Sureness, find_cut, last_certain_cut};
use super::encoding::{Units, Utf16Order, decode};
use super::{Input, open};
use crate::diag::{Code, Diagnostic, Span};
use crate::error::{Error, Result};
use crate::text::{Encoding, Evidence, LineCounter, Lines};

/// How much is read at once, and how much at most for one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a chunk at least, where so many are left.
    pub chunk: usize,
    /// Bytes of a game at most; the rest of a larger one is skipped, with a finding.
    pub max_game: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { chunk: 256 * 1024, max_game: 64_000_000 }
    }
}

impl Limits {
    fn target(self) -> usize {
        self.chunk.min(self.max_game)
    }

    /// Bytes without a certain cut from which on a likely one will do.
    fn likely(self) -> usize {
        self.chunk.saturating_mul(16).min(self.max_game)
    }
}

/// Some whole games of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The text, as in the original but for UTF-16, which comes as UTF-8.
    pub bytes: Vec<u8>,
    /// Place of the first byte in the decompressed original.
    pub offset: u64,
    /// Number, from 1, of the line of the first byte.
    pub line: u64,
    /// What is wrong with the chunk as a whole; spans count from its first byte. Only that its last game is too large.
    pub diagnostics: Vec<Diagnostic>,
    /// What bytes of the input that are no UTF-8 are, as far as those up to the end of the chunk tell; `None` where there
    /// are none.
    pub encoding: Option<Encoding>,
    /// Whether such bytes stand in an earlier chunk.
    pub encoding_seen: bool,
    units: Units,
}

impl Chunk {
    /// Whether the bytes are those of the decompressed original, and not made of UTF-16.
    pub fn is_original(&self) -> bool {
        self.units == Units::Bytes
    }
}

/// A place in the decompressed original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// First byte, from 0.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
    /// Line, from 1.
    pub line: u64,
    /// Column, from 1, in characters of the decoded line.
    pub column: u64,
}

/// Finds places of one chunk. The lines are found when the first place is asked for.
#[derive(Debug)]
pub struct Locator<'a> {
    chunk: &'a Chunk,
    lines: Option<Lines<'a>>,
    /// A place in the chunk and the bytes of the original in front of it.
    last: (usize, u64),
}

impl<'a> Locator<'a> {
    /// Returns a locator for a chunk.
    pub const fn new(chunk: &'a Chunk) -> Self {
        Self { chunk, lines: None, last: (0, 0) }
    }

    /// Returns the place of `length` bytes at `start`, counted from the first byte of the chunk.
    pub fn place(&mut self, start: usize, length: usize) -> Place {
        let bytes = &self.chunk.bytes;
        let start = start.min(bytes.len());
        let end = (start + length).min(bytes.len());
        let (line, column) = self.lines.get_or_insert_with(|| Lines::new(bytes)).line_column(start);
        let offset = self.chunk.offset + self.original(start);
        let length = self.chunk.units.original_length(&bytes[start..end]);
        Place { offset, length, line: self.chunk.line + line - 1, column }
    }

    fn original(&mut self, at: usize) -> u64 {
        if at < self.last.0 {
            self.last = (0, 0);
        }
        let passed = &self.chunk.bytes[self.last.0..at];
        self.last = (at, self.last.1 + self.chunk.units.original_length(passed));
        self.last.1
    }
}

/// Opens an input and cuts it into chunks. `read` grows with the bytes as stored that were read.
///
/// # Errors
///
/// If the input cannot be opened.
pub fn chunks(input: &Input, limits: Limits, read: Arc<AtomicU64>) -> Result<Chunks> {
    chunks_as(input, limits, None, read)
}

/// Cuts an input into chunks as [`chunks`] does, and takes it for UTF-16 where an order is given.
///
/// # Errors
///
/// As there.
pub fn chunks_as(input: &Input, limits: Limits, utf16: Option<Utf16Order>, read: Arc<AtomicU64>) -> Result<Chunks> {
    let reader = open(input, read)?;
    Chunks::decoding(input.label(), reader, limits, utf16).map_err(|fault| Error::read(input.label(), fault))
}

/// The chunks of an input, in order. After a fault of reading, which comes behind what was read before it, nothing
/// follows.
pub struct Chunks {
    label: String,
    reader: Box<dyn Read + Send>,
    limits: Limits,
    units: Units,
    /// What was read and not yet given out.
    buffer: Vec<u8>,
    offset: u64,
    lines: LineCounter,
    complete: bool,
    fault: Option<io::Error>,
    /// What bytes that are no UTF-8 told so far, if there were any.
    evidence: Option<Evidence>,
}

impl Chunks {
    /// Cuts what a reader brings. The label only serves to name it in faults.
    ///
    /// # Errors
    ///
    /// If the first bytes cannot be read.
    pub fn new(label: &str, reader: Box<dyn Read + Send>, limits: Limits) -> io::Result<Self> {
        Self::decoding(label, reader, limits, None)
    }

    fn decoding(
        label: &str,
        reader: Box<dyn Read + Send>,
        limits: Limits,
        utf16: Option<Utf16Order>,
    ) -> io::Result<Self> {
        let text = decode(reader, utf16)?;
        Ok(Self {
            label: label.to_owned(),
            reader: text.reader,
            limits: Limits { chunk: limits.chunk.max(1), max_game: limits.max_game.max(1) },
            units: text.units,
            buffer: Vec::new(),
            offset: text.skipped,
            lines: LineCounter::default(),
            complete: false,
            fault: None,
            evidence: None,
        })
    }

    /// Reads until the buffer holds `wanted` bytes or all there are.
    fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.buffer.len());
        if self.complete || missing == 0 {
            return;
        }
        match (&mut self.reader).take(missing as u64).read_to_end(&mut self.buffer) {
            Ok(n) => self.complete = n < missing,
            Err(fault) => {
                self.complete = true;
                self.fault = Some(fault);
            }
        }
    }

    fn next_chunk(&mut self) -> Option<Chunk> {
        let (step, most) = (self.limits.chunk, self.limits.max_game);
        let mut certain = self.limits.target();
        let mut likely = self.limits.likely();
        loop {
            self.fill(self.buffer.len().max(self.limits.target()).saturating_add(step).min(most + LOOKAHEAD + 1));
            match self.cut(&mut certain, &mut likely) {
                Some(at) if at <= most => return Some(self.take(at)),
                _ if self.buffer.len() > most => return Some(self.take_oversized()),
                _ if self.complete => return (!self.buffer.is_empty()).then(|| self.take(self.buffer.len())),
                _ => {}
            }
        }
    }

    /// Looks for a cut behind the places looked at before.
    fn cut(&self, certain: &mut usize, likely: &mut usize) -> Option<usize> {
        for (from, sureness) in [(certain, Sureness::Certain), (likely, Sureness::Likely)] {
            match find_cut(&self.buffer, *from, self.complete, sureness) {
                Cut::At(at) => return Some(at),
                Cut::NotBefore(at) => *from = at,
            }
        }
        None
    }

    /// Gives out what stands before the game that is too large, or else the beginning of that game.
    fn take_oversized(&mut self) -> Chunk {
        let most = self.limits.max_game;
        if let Some(at) = last_certain_cut(&self.buffer[..most]) {
            return self.take(at);
        }
        let end = u32::try_from(most).unwrap_or(u32::MAX);
        let message = format!("the game is larger than {most} bytes; the rest of it was not read");
        let finding = Diagnostic::new(Code::REPLAY_TOO_LARGE, Span::new(end, end), message)
            .with_help("raise --max-game, or look for what keeps the games from being told apart");
        let bytes = self.buffer[..most].to_vec();
        let (encoding, encoding_seen) = self.listen(&bytes);
        let chunk = Chunk {
            bytes,
            offset: self.offset,
            line: self.lines.ends() + 1,
            diagnostics: vec![finding],
            encoding,
            encoding_seen,
            units: self.units,
        };
        self.skip_game();
        chunk
    }

    fn take(&mut self, length: usize) -> Chunk {
        let rest = self.buffer.split_off(length);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let (offset, line) = (self.offset, self.lines.ends() + 1);
        self.pass(&bytes);
        let (encoding, encoding_seen) = self.listen(&bytes);
        Chunk { bytes, offset, line, diagnostics: Vec::new(), encoding, encoding_seen, units: self.units }
    }

    /// Takes what bytes tell of the encoding; returns what is known now, and whether anything was before.
    fn listen(&mut self, bytes: &[u8]) -> (Option<Encoding>, bool) {
        let seen = self.evidence.is_some();
        if str::from_utf8(bytes).is_err() {
            self.evidence.get_or_insert_default().add(bytes);
        }
        (self.evidence.map(Evidence::encoding), seen)
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.offset += self.units.original_length(bytes);
        self.lines.feed(bytes);
    }

    /// Drops all bytes up to the first game that begins behind the largest size.
    fn skip_game(&mut self) {
        // Enough of what was dropped stays to see the line in front of a cut.
        const CONTEXT: usize = 64 * 1024;
        let mut from = self.limits.max_game;
        loop {
            self.fill(self.buffer.len() + 4 * CONTEXT);
            match find_cut(&self.buffer, from, self.complete, Sureness::Likely) {
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

impl Iterator for Chunks {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.next_chunk() {
            Some(chunk) => Some(Ok(chunk)),
            None => self.fault.take().map(|fault| Err(Error::read(&self.label, fault))),
        }
    }
}
