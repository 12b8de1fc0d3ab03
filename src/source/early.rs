//! Cutting a stream that has no more bytes for now after its last whole game.
//!
//! Whether a reader would block is not known without system calls that differ between systems. But a stream that is full, such as a pipe from
//! a file, gives much at a time, and one that is written to now and then gives little; so games are cut off after each short read.
//! Only plain games are: where a comment is not closed, say, what follows decides where the game ends.

use std::io::{ErrorKind, Read};

use memchr::memchr;

use super::Chunk;
use super::chunks::Chunks;
use super::utf16::Units;
use crate::pdn::{GameBefore, game_before, likely_starts};
use crate::text::Format;

/// Most bytes that are read at once, as many as a pipe of Linux holds.
const PIECE: usize = 64 * 1024;

/// A read of fewer bytes is short.
const SHORT: usize = 16 * 1024;

/// What is known about chunks that were cut early.
#[derive(Debug, Default)]
pub(super) struct Early {
    /// The bytes that were returned before the first bytes of the input were complete.
    pub(super) head: Vec<u8>,
    /// The bytes that were returned of what would have been one chunk.
    pub(super) passed: Vec<u8>,
    /// Where the next game may begin in the buffer.
    looked: usize,
    /// The last known start of a game in the buffer, and true if a position of a list comes before it: without it, a stream of games
    /// without results would be read again for each of them.
    known: (usize, bool),
    /// True if the next game depends on the first bytes of the input.
    waits: bool,
    /// True if the last read was short, and no game was looked for since.
    is_short: bool,
    /// True once a chunk was returned.
    has_returned: bool,
}

impl Early {
    /// Returns true the first time.
    pub(super) const fn is_first_chunk(&mut self) -> bool {
        !std::mem::replace(&mut self.has_returned, true)
    }

    /// Returns the bytes that were returned before those that are known now, and looks for games anew: none has to wait any more.
    pub(super) fn take_head(&mut self) -> Vec<u8> {
        (self.looked, self.known) = (0, (0, false));
        std::mem::take(&mut self.head)
    }

    /// Begins the next chunk, unless a part of it was returned early.
    pub(super) fn cut(&mut self) {
        self.passed.clear();
        (self.looked, self.known) = (0, (0, false));
    }
}

impl Chunks {
    /// Reads until the buffer holds `wanted` bytes or the input ends. If the stream is eager and pauses after a whole game, returns its
    /// games up to there.
    pub(super) fn fill_or_cut(&mut self, wanted: usize) -> Option<Chunk> {
        let Some(is_independent) = self.options.eager.filter(|_| self.units == Units::Bytes) else {
            self.fill(wanted);
            return None;
        };
        while !self.complete && self.buffer.len() < wanted {
            if std::mem::take(&mut self.early.is_short)
                && let Some(end) = self.end_of_whole_games(is_independent)
            {
                return Some(self.take_early(end));
            }
            if !self.read_piece(wanted) {
                return None;
            }
        }
        None
    }

    /// Reads once. Returns false if that failed.
    fn read_piece(&mut self, wanted: usize) -> bool {
        let before = self.buffer.len();
        let length = (wanted - before).min(PIECE);
        self.buffer.resize(before + length, 0);
        let read = loop {
            match self.reader.read(&mut self.buffer[before..]) {
                // A signal, such as that of a resized terminal, ends a read early.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(n) => {
                self.complete = n == 0;
                self.early.is_short = n < SHORT.min(length);
                true
            }
            Err(error) => {
                self.fail(error);
                false
            }
        }
    }

    /// Returns the end of the last game in the buffer that is whole whatever follows, and that may be returned now.
    fn end_of_whole_games(&mut self, is_independent: fn(&[u8]) -> bool) -> Option<usize> {
        let text = &self.buffer;
        let is_plain = self.evidence.is_none() && !self.is_skipping && (self.begun || Format::of(text) == Format::Pdn);
        if !is_plain || self.format != Format::Pdn || !self.begun && self.early.waits {
            return None;
        }
        let mut end = 0;
        for at in likely_starts(text, self.early.looked) {
            let Some(line) = memchr(b'\n', &text[at..]) else { break };
            let (start, is_listed) = self.early.known;
            self.early.looked = at + 1;
            if !is_closed(&text[start..at]) {
                continue;
            }
            // A game, or several, and then the next one; text alone has no end.
            match game_before(&text[start..=at + line], is_listed, at - start) {
                None => {}
                Some(GameBefore::WithoutResult { is_listed }) => self.early.known = (at, is_listed),
                Some(GameBefore::WithResult) if !self.begun && !is_independent(&text[end..at]) => {
                    self.early.waits = true;
                    break;
                }
                Some(GameBefore::WithResult) => (end, self.early.known) = (at, (at, false)),
            }
        }
        (end > 0).then_some(end)
    }

    fn take_early(&mut self, end: usize) -> Chunk {
        let mut passed = std::mem::take(&mut self.early.passed);
        let (looked, (start, is_listed)) = (self.early.looked - end, self.early.known);
        let mut chunk = self.take(end);
        if !self.begun {
            self.early.head.extend_from_slice(&chunk.bytes);
        }
        passed.extend_from_slice(&chunk.bytes);
        if passed.len() >= self.options.target() {
            passed.clear();
        }
        (self.early.passed, self.early.looked, self.early.known) = (passed, looked, (start - end, is_listed));
        chunk.is_early = true;
        chunk
    }
}

/// Returns true if a text is UTF-8 in which nothing is open at the end: no comment, no parenthesis, no tag, no string. Comments to the end of a
/// line have any of these signs, and are not looked into.
fn is_closed(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let (mut is_comment, mut depth, mut is_string, mut before) = (false, 0, false, b'\n');
    for byte in text.bytes() {
        match byte {
            b'}' if is_comment => is_comment = false,
            _ if is_comment => {}
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' => is_comment = true,
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'}' | b';' => return false,
            b'%' if matches!(before, b'\n' | b'\r') => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
        before = byte;
    }
    !is_comment && !is_string && depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::ChunkOptions;

    #[test]
    fn closed_texts_have_nothing_open() {
        for text in ["", "[A \"b(\"]\n\n1. 32-28 {a (\"b; [%eval 1]} *\n\n", "1. 32-28 (1. 33-28) *"] {
            assert!(is_closed(text.as_bytes()), "{text}");
        }
        for text in ["{", "}", "{{}}", "(", "[A \"b]", "1. 32-28 ; a", "1. 32-28\n% a", "1. 32-28 )("] {
            assert!(!is_closed(text.as_bytes()), "{text}");
        }
        assert!(!is_closed(b"1. 32-28 \xff"));
    }

    #[test]
    fn a_game_without_a_result_is_read_once() {
        for game in
            ["[FEN \"W:W31:B20\"]\n\n", "[SetUp \"1\"]\n[FEN \"W:W31:B20\"]\n\n", "[Event \"a\"]\n\n1. 32-28\n\n"]
        {
            let mut chunks = Chunks::new("-", Box::new(std::io::empty()), &ChunkOptions::default()).expect("memory");
            for number in 1..20 {
                chunks.buffer.extend_from_slice(game.as_bytes());
                assert_eq!(chunks.end_of_whole_games(|_| true), None, "{game}");
                let (start, _) = chunks.early.known;
                // One more is read if more of it decides that it is another one.
                assert!(start + 2 * game.len() >= number * game.len(), "{game}: {start} in {number} games");
            }
            chunks.buffer.extend_from_slice(b"1. 32-28 *\n\n[Event \"b\"]\n");
            assert_eq!(chunks.end_of_whole_games(|_| true), Some(chunks.buffer.len() - 12), "{game}");
        }
    }
}
