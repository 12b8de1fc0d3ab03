//! Edits of records that leave every other byte unchanged.
//!
//! [`TagEdits`] changes tags of all games. [`GameEdits`] changes one game: its tags, comments, annotations, variations, moves and
//! result, each in its place, and makes [`Repairs`] of all games. An [`EditableGame`] is a game in memory: one that was read, or a new
//! one, to which the same changes are made. What was written is read again, and an edit that would be read
//! differently from what was meant is refused. New text is in the encoding of its game.

mod change;
mod commands;
mod editable;
mod game;
mod lines;
mod repairs;
mod tags;
mod tokens;

use std::ops::Range;

use crate::check::{CheckedGame, Review};
use crate::records::EditRow;
use crate::source::Chunk;
use crate::text::whitespace::is_line_end;
use crate::text::{Encoding, Evidence};

pub use change::Change;
pub use editable::{EditableGame, MoveKey};
pub use game::{GameEdits, GameSelection, Repairs};
pub use tags::TagEdits;

/// A chunk after edits.
#[derive(Clone, Debug, Default)]
pub struct EditedChunk {
    /// The bytes before the edits.
    pub(crate) original: Vec<u8>,
    text: Vec<u8>,
    /// Number of bytes of the chunk that were copied to the text or replaced.
    copied: usize,
    /// Start of the last game, counted in the text followed by the bytes that are still to be copied.
    last_game: usize,
    /// True if the chunk has the game that was to change.
    pub(crate) is_found: bool,
    changed: u64,
    refused: Vec<(u64, Refusal)>,
    rows: Vec<EditRow>,
    address: Option<String>,
    /// The number of errors in games that were to be repaired, after the repairs.
    pub(crate) errors: u64,
    /// The last game that was changed, as it is now.
    repaired: Option<Review>,
    /// The encoding that the bytes of the chunk suggest.
    suggested: Encoding,
}

impl EditedChunk {
    /// Returns a chunk that begins with nothing but its byte order mark.
    fn of(chunk: &Chunk) -> Self {
        let mark = mark_before(chunk);
        Self {
            original: [mark, chunk.bytes()].concat(),
            text: mark.to_vec(),
            last_game: mark.len(),
            suggested: suggested(chunk.bytes()),
            ..Self::default()
        }
    }

    /// Notes where a game starts, and returns where the one before it does.
    fn pass(&mut self, game: &CheckedGame<'_>) -> usize {
        std::mem::replace(&mut self.last_game, self.text.len() + game.range().start - self.copied)
    }

    /// Copies what follows the last edit.
    fn copy_rest(&mut self, chunk: &Chunk) {
        self.text.extend_from_slice(&chunk.bytes()[self.copied..]);
        self.copied = chunk.bytes().len();
    }

    /// Returns the encoding of new text in a game: one without other characters than ASCII has that of the text around it.
    fn encoding(&self, game: &CheckedGame<'_>) -> Encoding {
        let own = game.encoding();
        if own == Encoding::Utf8 && game.bytes().is_ascii() { self.suggested } else { own }
    }

    /// Returns the edits, with the lines before and after each of them.
    pub fn rows(&self) -> &[EditRow] {
        &self.rows
    }

    /// Returns the address of the move to be shown after the edits, if a game was changed and has it.
    pub fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// Returns the bytes after the edits.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the number of games that changed.
    pub const fn changed(&self) -> u64 {
        self.changed
    }

    /// Returns the numbers of the games that were left unchanged, and the reasons.
    pub fn refused(&self) -> &[(u64, Refusal)] {
        &self.refused
    }

    /// Returns what is said of the games that were left unchanged, or of which some repairs are left out.
    pub(crate) fn refusals(&self) -> impl Iterator<Item = String> {
        self.refused.iter().map(|(game, reason)| match reason {
            Refusal::RepairLeftOut => format!("game {game}: {reason}"),
            _ => format!("game {game} is left unchanged: {reason}"),
        })
    }

    /// Returns the edited text from an index on: that of `text`, and then the bytes of the chunk up to an index.
    fn edited(&self, start: usize, bytes: &[u8], end: usize) -> Vec<u8> {
        let text = self.text.get(start..).unwrap_or_default();
        let uncopied = self.copied + start.saturating_sub(self.text.len());
        [text, &bytes[uncopied..end]].concat()
    }
}

/// The reason why a game is left unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The encoding of the game lacks a character of a new value.
    #[error("its encoding lacks a character in the new value")]
    Encoding,
    /// The encoding of the text is not certain, and the new text would let it seem another one.
    #[error("with the new values, its text would seem to be in another encoding")]
    OtherEncoding,
    /// The name of a new tag cannot be one.
    #[error("a name of a tag has only ASCII letters, digits and underscores, and begins with a capital letter")]
    TagName,
    /// A new value of a command, such as an evaluation or a time, cannot be read.
    #[error("a new value of a command cannot be read")]
    Value,
    /// With the new values, other tags, moves or games would be read.
    #[error("with the new values, its text would be read differently")]
    OtherReading,
    /// One of several repairs would be read differently, or the encoding lacks a character of it; the others are made.
    #[error("a repair is left out: its text would be read differently, or the encoding lacks one of its characters")]
    RepairLeftOut,
    /// The game has no move with the address.
    #[error("it has no such move")]
    NoSuchPlace,
    /// A new move is not legal.
    #[error("a new move is not legal")]
    Illegal,
    /// The record is not PDN, or its encoding is not kept.
    #[error("it is not PDN in an encoding that can be kept")]
    Format,
}

/// Returns the line end of a text.
fn line_end(text: &[u8]) -> &'static str {
    let first = text.iter().position(|&byte| is_line_end(byte));
    match first.map(|at| (text[at], text.get(at + 1))) {
        Some((b'\r', Some(b'\n'))) => "\r\n",
        Some((b'\r', _)) => "\r",
        _ => "\n",
    }
}

/// Returns the encoding that bytes suggest.
fn suggested(bytes: &[u8]) -> Encoding {
    if str::from_utf8(bytes).is_ok() { Encoding::Utf8 } else { Evidence::of(bytes).encoding() }
}

/// Returns true if an edit leaves bytes that suggest another encoding than before, so that all of the text would be read otherwise.
fn suggests_another(before: &[u8], after: &[u8]) -> bool {
    !before.is_ascii() && !after.is_ascii() && suggested(before) != suggested(after)
}

/// Copies bytes from an index on up to the last edit of a game that starts at another, and returns the index after it.
fn replace(bytes: &[u8], mut from: usize, start: usize, edits: &[(Range<usize>, Vec<u8>)], out: &mut Vec<u8>) -> usize {
    for (range, text) in edits {
        out.extend_from_slice(&bytes[from..start + range.start]);
        out.extend_from_slice(text);
        from = start + range.end;
    }
    from
}

/// Returns bytes after edits.
fn applied(bytes: &[u8], edits: &[(Range<usize>, Vec<u8>)]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len() + 100);
    let copied = replace(bytes, 0, 0, edits, &mut text);
    text.extend_from_slice(&bytes[copied..]);
    text
}

/// Returns a tag as written in a record.
pub(crate) fn written_tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", escaped(value))
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the byte order mark before a chunk, which is not part of it.
const fn mark_before(chunk: &Chunk) -> &'static [u8] {
    if chunk.line() == 1 && chunk.offset() == MARK.len() as u64 { MARK } else { &[] }
}
