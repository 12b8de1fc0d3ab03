//! Edits of tags that leave every other byte of a record unchanged. Records in other formats become PDN.

use std::ops::Range;
use std::sync::Arc;

use super::opening_names::OpeningNames;
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Needs};
use crate::import::Format;
use crate::notation::Aliases;
use crate::pdn::{AsWritten, WriteOptions, write_game};
use crate::source::Chunk;

/// Edits of the tags of every game. New values are written in the encoding of their game.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::{CheckOptions, Checking};
/// use pdn::query::TagEdits;
/// use pdn::source::{ChunkOptions, Event, Pipeline, expand};
///
/// let set = vec![("Site".to_owned(), "Amsterdam".to_owned())];
/// let edits = Checking::new(TagEdits::new(set, Default::default()), CheckOptions::default());
/// let pipeline = Pipeline::new(NonZeroUsize::MIN, ChunkOptions::default());
/// pipeline.run(expand(["samples/games/italian.pdn"]), &edits, |event| {
///     if let Event::Done(chunk) = event {
///         assert!(chunk.text().starts_with(b"[Event ") && chunk.changed() > 0);
///     }
///     Ok(())
/// })?;
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct TagEdits {
    set: Vec<(String, String)>,
    renamed: Arc<Aliases>,
    openings: Option<Arc<OpeningNames>>,
}

/// A chunk after edits.
#[derive(Clone, Debug, Default)]
pub struct EditedChunk {
    original: Vec<u8>,
    text: Vec<u8>,
    /// Number of bytes of the chunk that were copied to the text or replaced.
    copied: usize,
    changed: u64,
    refused: Vec<u64>,
    cut: bool,
}

impl EditedChunk {
    /// Returns the bytes before the edits.
    pub(crate) fn original(&self) -> &[u8] {
        &self.original
    }

    /// Returns the bytes after the edits.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the number of games that changed.
    pub const fn changed(&self) -> u64 {
        self.changed
    }

    /// Returns the numbers of the games that were left unchanged, because their encoding lacks a character of a new value.
    pub(crate) fn refused(&self) -> &[u64] {
        &self.refused
    }

    /// Returns true if a game is too large, and the rest of it is missing.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut
    }
}

/// A replacement of some bytes of a game.
type Edit = (Range<usize>, String);

impl TagEdits {
    /// Returns the edits: values of tags, and names for players and events.
    pub const fn new(set: Vec<(String, String)>, renamed: Arc<Aliases>) -> Self {
        Self { set, renamed, openings: None }
    }

    /// Also sets the tag Opening in games whose opening has a name.
    #[must_use]
    pub(crate) fn name_openings(self, names: Arc<OpeningNames>) -> Self {
        Self { openings: Some(names), ..self }
    }

    /// Returns the tags to set in a game.
    fn tags(&self, game: &CheckedGame<'_>) -> Vec<(&str, Arc<str>)> {
        let set = self.set.iter().map(|(name, value)| (name.as_str(), Arc::from(value.as_str())));
        let name = self.openings.as_ref().and_then(|names| opening(names, game));
        set.chain(name.map(|name| ("Opening", name))).collect()
    }

    /// Writes a game of another format in PDN, with its edits.
    fn rewrite(&self, game: &CheckedGame<'_>, done: &mut EditedChunk) {
        let mut tree = game.review().game().tree().clone();
        for (name, value) in self.tags(game) {
            tree.set_tag(name, &value);
        }
        self.renamed.apply(&mut tree);
        done.changed += u64::from(tree.tags() != game.review().game().tree().tags());
        done.text.extend_from_slice(write_game(&tree, WriteOptions::default(), &AsWritten).as_bytes());
        done.text.push(b'\n');
    }

    /// Returns the edits of a game in the order of its bytes.
    fn edits(&self, game: &CheckedGame<'_>, set: &[(&str, Arc<str>)]) -> Vec<Edit> {
        let mut edits = Vec::new();
        for tag in game.written_tags() {
            let given = set.iter().find(|(known, _)| *known == tag.name).map(|(_, value)| &**value);
            let new = given.unwrap_or_else(|| self.renamed.value(tag.name, tag.value));
            if new != tag.value {
                edits.push(match tag.plain_value {
                    Some(value) => (value.range(), escaped(new)),
                    None => (tag.span.range(), written_tag(tag.name, new)),
                });
            }
        }
        let missing = set.iter().filter(|(name, _)| game.written_tags().all(|tag| tag.name != *name));
        let line_end = if game.bytes().windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
        let end = game.last_tag_end();
        // A game can begin right after the result of the one before, as in `0-001.33-29`.
        let before = &game.chunk().bytes()[..game.range().start];
        let begins_line = before.last().is_none_or(u8::is_ascii_whitespace);
        let mut line_start = if begins_line { "" } else { line_end };
        for (name, value) in missing {
            let tag = written_tag(name, value);
            edits.push(match end {
                Some(end) => (end..end, format!("{line_end}{tag}")),
                None => (0..0, format!("{}{tag}{line_end}", std::mem::take(&mut line_start))),
            });
        }
        edits
    }
}

/// Returns the name of the opening of a game.
fn opening(names: &OpeningNames, game: &CheckedGame<'_>) -> Option<Arc<str>> {
    let played = game.review().game();
    let positions = played.positions().map(|(_, _, position)| position);
    names.of_line(played.start().into_iter().chain(positions)).cloned()
}

/// Returns a tag as written in a record.
pub fn written_tag(name: &str, value: &str) -> String {
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

impl GameWork for TagEdits {
    type Done = EditedChunk;

    fn needs(&self) -> Needs {
        Needs::Tags
    }

    fn begin(&self, origin: &ChunkOrigin<'_>) -> EditedChunk {
        let (chunk, mark) = (origin.chunk(), mark_before(origin.chunk()));
        EditedChunk {
            original: [mark, chunk.bytes()].concat(),
            text: mark.to_vec(),
            cut: !chunk.diagnostics().is_empty(),
            ..EditedChunk::default()
        }
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut EditedChunk) {
        if game.chunk().format() != Format::Pdn {
            return self.rewrite(&game, done);
        }
        let encoding = game.encoding();
        let edits = self.edits(&game, &self.tags(&game));
        let encoded = |(range, text): Edit| Some((range, encoding.encode(&text)?.into_owned()));
        let Some(edits) = edits.into_iter().map(encoded).collect::<Option<Vec<_>>>() else {
            return done.refused.push(game.number());
        };
        done.changed += u64::from(!edits.is_empty());
        let (bytes, start) = (game.chunk().bytes(), game.range().start);
        for (range, text) in edits {
            done.text.extend_from_slice(&bytes[done.copied..start + range.start]);
            done.text.extend_from_slice(&text);
            done.copied = start + range.end;
        }
    }

    fn end(&self, origin: &ChunkOrigin<'_>, done: &mut EditedChunk) {
        if origin.chunk().format() != Format::Pdn {
            return;
        }
        done.text.extend_from_slice(&origin.chunk().bytes()[done.copied..]);
    }
}
