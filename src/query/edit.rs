//! Edits of tags, which leave every other byte of a record as it is.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::heads::{Head, Places, heads};
use super::opening_names::OpeningNames;
use crate::check::{CheckOptions, InputOptions, Review};
use crate::pdn::{ReadAs, games_as};
use crate::replay::EVIDENCE_BYTES;
use crate::source::{Chunk, Input, Work};
use crate::text::Encoding;

/// Edits of the tags of every game. New values are written in the encoding of their game.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::CheckOptions;
/// use pdn::query::TagEdits;
/// use pdn::source::{ChunkOptions, Event, Pipeline, expand};
///
/// let set = vec![("Site".to_owned(), "Amsterdam".to_owned())];
/// let edits = TagEdits::new(set, Default::default(), CheckOptions::default());
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
pub struct TagEdits<'a> {
    set: Vec<(String, String)>,
    renamed: BTreeMap<String, String>,
    openings: Option<Arc<OpeningNames>>,
    options: Box<dyn InputOptions + 'a>,
}

/// A chunk after edits.
#[derive(Clone, Debug, Default)]
pub struct EditedChunk {
    original: Vec<u8>,
    text: Vec<u8>,
    changed: u64,
    refused: Vec<u64>,
    cut: bool,
}

impl EditedChunk {
    /// Returns the bytes before.
    pub fn original(&self) -> &[u8] {
        &self.original
    }

    /// Returns the bytes after.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the number of games that changed.
    pub const fn changed(&self) -> u64 {
        self.changed
    }

    /// Returns the numbers of the games that were left unchanged, because their encoding lacks a character of a new value.
    pub fn refused(&self) -> &[u64] {
        &self.refused
    }

    /// Returns true if a game is too large, and what follows in it is missing.
    pub const fn is_cut(&self) -> bool {
        self.cut
    }
}

/// The games of a chunk as they were read.
#[derive(Debug)]
pub struct ReadHeads(CheckOptions, Vec<Head>);

/// A replacement of some bytes of a game.
type Edit = (Range<usize>, String);

/// The tags of a game.
struct WrittenTags<'a> {
    /// Names and values.
    known: &'a [(&'a str, &'a str)],
    /// Where they end.
    end: Option<usize>,
    /// Returns the edit that gives a tag, by its number, a value.
    replace: &'a dyn Fn(usize, &str) -> Edit,
}

impl<'a> TagEdits<'a> {
    /// Returns the edits: values of tags, and names for players, by their former names. Games are decoded with the options.
    pub fn new(set: Vec<(String, String)>, renamed: BTreeMap<String, String>, options: impl InputOptions + 'a) -> Self {
        Self { set, renamed, openings: None, options: Box::new(options) }
    }

    /// Also sets the tag Opening of games whose opening has a name.
    #[must_use]
    pub fn name_openings(self, names: Arc<OpeningNames>) -> Self {
        Self { openings: Some(names), ..self }
    }

    /// Returns the tags to set in a game.
    fn tags(&self, game: &[u8], number: u64, chunk: &Chunk, options: &CheckOptions) -> Vec<(&str, Arc<str>)> {
        let set = self.set.iter().map(|(name, value)| (name.as_str(), Arc::from(value.as_str())));
        let name = self.openings.as_ref().and_then(|names| opening(names, game, number, chunk, options));
        set.chain(name.map(|name| ("Opening", name))).collect()
    }

    fn of_head(&self, game: &[u8], head: &Head, set: &[(&str, Arc<str>)]) -> Vec<Edit> {
        match head {
            Head::Places(places) => self.of_places(game, places, set),
            Head::Tree(parsed) => {
                let tags = parsed.tree().tags();
                let known: Vec<_> = tags.iter().map(|tag| (tag.name(), tag.value())).collect();
                let whole = |n: usize, value: &str| {
                    let tag: &crate::pdn::Tag = &tags[n];
                    (tag.span().range(), format!("[{} \"{}\"]", tag.name(), escaped(value)))
                };
                let end = tags.last().map(|tag| tag.span().end as usize);
                self.edits(game, set, &WrittenTags { known: &known, end, replace: &whole })
            }
        }
    }

    fn of_places(&self, game: &[u8], places: &Places, set: &[(&str, Arc<str>)]) -> Vec<Edit> {
        let text = |range: Range<usize>| str::from_utf8(&game[range]).unwrap_or_default();
        let known: Vec<_> = places.tags.iter().map(|(name, value)| (text(name.range()), text(value.range()))).collect();
        let value = |n: usize, value: &str| (places.tags[n].1.range(), escaped(value));
        let end = (!places.tags.is_empty()).then_some(places.tags_end as usize);
        self.edits(game, set, &WrittenTags { known: &known, end, replace: &value })
    }

    /// Returns the edits of a game in the order of its bytes.
    fn edits(&self, game: &[u8], set: &[(&str, Arc<str>)], written: &WrittenTags<'_>) -> Vec<Edit> {
        let WrittenTags { known: tags, end, replace } = *written;
        let mut edits = Vec::new();
        for (n, (name, value)) in tags.iter().enumerate() {
            let given = set.iter().find(|(known, _)| known == name).map(|(_, value)| &**value);
            let player = || ["White", "Black"].contains(name).then(|| self.renamed.get(&one_space(value)))?;
            if let Some(new) = given.or_else(|| player().map(String::as_str))
                && new != *value
            {
                edits.push(replace(n, new));
            }
        }
        let missing = set.iter().filter(|(name, _)| tags.iter().all(|(known, _)| known != name));
        let line_end = if game.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
        for (name, value) in missing {
            let tag = format!("[{name} \"{}\"]", escaped(value));
            edits.push(match end {
                Some(end) => (end..end, format!("{line_end}{tag}")),
                None => (0..0, format!("{tag}{line_end}")),
            });
        }
        edits
    }
}

/// Returns the name of the opening of a game.
fn opening(names: &OpeningNames, game: &[u8], number: u64, chunk: &Chunk, options: &CheckOptions) -> Option<Arc<str>> {
    let read_as = ReadAs { always: options.encoding, otherwise: chunk.encoding(), reported: true };
    let review = Review::new(games_as(game, read_as).next()?, number, game, options);
    let played = review.game();
    let positions = played.positions().map(|(_, _, position)| position);
    names.of_line(played.start().into_iter().chain(positions)).cloned()
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}

fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the byte order mark before a chunk, which is not part of it.
const fn mark_before(chunk: &Chunk) -> &'static [u8] {
    if chunk.line() == 1 && chunk.offset() == MARK.len() as u64 { MARK } else { &[] }
}

/// Returns edits as bytes in the encoding of the game, if it has all their characters.
fn encoded(edits: &[Edit], head: &Head) -> Option<Vec<(Range<usize>, Vec<u8>)>> {
    let encoding = match head {
        Head::Places(_) => Encoding::Utf8,
        Head::Tree(parsed) => parsed.tree().encoding(),
    };
    edits.iter().map(|(range, text)| Some((range.clone(), encoding.encode(text)?.into_owned()))).collect()
}

impl Work for TagEdits<'_> {
    const HEAD: usize = EVIDENCE_BYTES;
    type File = CheckOptions;
    type Read = ReadHeads;
    type Done = EditedChunk;

    fn begin(&self, input: &Input, head: Arc<[u8]>) -> CheckOptions {
        let options = self.options.of(input);
        if self.openings.is_some() { options.for_file(head) } else { options }
    }

    fn read(&self, options: &CheckOptions, chunk: &Chunk) -> ReadHeads {
        ReadHeads(options.clone(), heads(chunk, options))
    }

    fn games(&self, read: &ReadHeads) -> u64 {
        read.1.len() as u64
    }

    fn finish(&self, _: &Input, chunk: &Chunk, read: ReadHeads, first: u64) -> EditedChunk {
        let bytes = chunk.bytes();
        let mark = mark_before(chunk);
        let mut done = EditedChunk {
            original: [mark, bytes].concat(),
            text: mark.to_vec(),
            cut: !chunk.diagnostics().is_empty(),
            ..EditedChunk::default()
        };
        let mut copied = 0;
        let ReadHeads(options, heads) = &read;
        for (number, head) in (first..).zip(heads) {
            let (offset, length) = head.place();
            let game = &bytes[offset..offset + length];
            let set = self.tags(game, number, chunk, options);
            let Some(edits) = encoded(&self.of_head(game, head, &set), head) else {
                done.refused.push(number);
                continue;
            };
            done.changed += u64::from(!edits.is_empty());
            for (range, text) in edits {
                done.text.extend_from_slice(&bytes[copied..offset + range.start]);
                done.text.extend_from_slice(&text);
                copied = offset + range.end;
            }
        }
        done.text.extend_from_slice(&bytes[copied..]);
        done
    }
}
