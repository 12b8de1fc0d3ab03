//! Edits of the tags of all games. Records in other formats become PDN.

use std::ops::Range;
use std::sync::Arc;

use super::{EditedChunk, Refusal, applied, escaped, line_end, replace, suggests_another, written_tag};
use crate::check::{CheckedGame, ChunkOrigin, GameWork, Needs, WrittenTag};
use crate::notation::{Aliases, TagMatch, lasting_name};
use crate::pdn::{ReadAs, Tag, WriteOptions, games_as, write_game};
use crate::records::OpeningNames;
use crate::text::{Encoding, Format};

/// Edits of the tags of every game. New values are written in the encoding of their game.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use pdn::check::{CheckOptions, Checking};
/// use pdn::edit::TagEdits;
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

/// A tag to set in a game.
struct NewTag<'a> {
    name: &'a str,
    value: Arc<str>,
    /// How the tags that it changes are found; `None` if the game lacks it.
    found: Option<TagMatch>,
}

/// A replacement of some bytes of a game.
type Edit<T> = (Range<usize>, T);

/// Bytes of the next game that show whether its tags are read as its own: more than its first tag.
const MAX_NEXT: usize = 1024;

impl TagEdits {
    /// Returns the edits: values of tags, and names for players and events.
    pub const fn new(set: Vec<(String, String)>, renamed: Arc<Aliases>) -> Self {
        Self { set, renamed, openings: None }
    }

    /// Also sets the tag Opening to the last name that the main line of a game reaches.
    #[must_use]
    pub(crate) fn with_openings(self, names: Arc<OpeningNames>) -> Self {
        Self { openings: Some(names), ..self }
    }

    /// Returns the tags to set in a game.
    fn tags(&self, game: &CheckedGame<'_>) -> Vec<NewTag<'_>> {
        let set = self.set.iter().map(|(name, value)| (name.as_str(), Arc::from(value.as_str())));
        let opening = self.openings.as_ref().and_then(|names| names.of_game(game.review().game()));
        let set = set.chain(opening.map(|(_, name)| ("Opening", Arc::clone(name))));
        let found = |name| game.written_tags().filter_map(|tag| TagMatch::of((tag.name, tag.value), name)).min();
        set.map(|(name, value)| NewTag { name, value, found: found(name) }).collect()
    }

    /// Writes a game of another format in PDN, with its edits.
    fn rewrite(&self, game: &CheckedGame<'_>, done: &mut EditedChunk) {
        let mut tree = game.review().game().tree().clone();
        let set = self.tags(game);
        for tag in tree.tags_mut() {
            let known = tag.name().to_owned();
            if let Some((name, value)) = given(&set, &known, tag.value()) {
                tag.set_name(name);
                tag.set_value(value);
            }
        }
        for (name, value) in missing(&set) {
            tree.set_tag(name, value);
        }
        self.renamed.apply(&mut tree);
        done.changed += u64::from(tree.tags() != game.review().game().tree().tags());
        done.text.extend_from_slice(write_game(&tree, WriteOptions::default()).as_bytes());
        done.text.push(b'\n');
    }

    /// Returns the name and the value of a written tag after the edits.
    fn edited<'a>(&'a self, set: &'a [NewTag<'_>], tag: &WrittenTag<'a>) -> (&'a str, &'a str) {
        given(set, tag.name, tag.value).unwrap_or_else(|| (tag.name, self.renamed.value(tag.name, tag.value)))
    }

    /// Returns the edits of a game in the order of its bytes.
    fn edits(&self, game: &CheckedGame<'_>, set: &[NewTag<'_>]) -> Vec<Edit<String>> {
        let mut edits = Vec::new();
        for tag in game.written_tags() {
            let (name, value) = self.edited(set, &tag);
            if (name, value) != (tag.name, tag.value) {
                edits.push(match tag.plain_value.filter(|_| name == tag.name) {
                    Some(place) => (place.range(), escaped(value)),
                    None => (tag.span.range(), written_tag(name, value)),
                });
            }
        }
        let line_end = line_end(game.bytes());
        let end = game.last_tag_end();
        // A game can begin right after the result of the one before, as in `0-001.33-29`.
        let before = &game.chunk().bytes()[..game.range().start];
        let begins_line = before.last().is_none_or(u8::is_ascii_whitespace);
        let mut line_start = if begins_line { "" } else { line_end };
        for (name, value) in missing(set) {
            let tag = written_tag(name, value);
            edits.push(match end {
                Some(end) => (end..end, format!("{line_end}{tag}")),
                None => (0..0, format!("{}{tag}{line_end}", std::mem::take(&mut line_start))),
            });
        }
        edits
    }

    /// Returns true if the edits of a game are read as the tags they are, and the game before it as it was: a tag that lacks a
    /// quote or a bracket can end elsewhere with another value, and hyphens are prose before any tag and moves after one.
    /// `text` is the edited text of the game before, whose tags may end in this one.
    fn are_read(
        &self,
        game: &CheckedGame<'_>,
        (mut text, encoding): (Vec<u8>, Encoding),
        set: &[NewTag<'_>],
        edits: &[Edit<Vec<u8>>],
    ) -> bool {
        let (bytes, range) = (game.chunk().bytes(), game.range());
        let mut expected = tags_of_games(&text, encoding);
        let kept = game.written_tags().map(|tag| self.edited(set, &tag));
        let tags = kept.chain(missing(set));
        expected.push(tags.map(|(name, value)| (name.to_owned(), value.to_owned())).collect());
        let copied = replace(bytes, range.start, range.start, edits, &mut text);
        text.extend_from_slice(&bytes[copied..range.end]);
        if tags_of_games(&text, encoding) != expected {
            return false;
        }
        // The tags after a position may be those of the next game, or of this one.
        text.extend(bytes[range.end..].iter().take(MAX_NEXT));
        tags_of_games(&text, encoding).starts_with(&expected)
    }
}

/// Returns true if the edits of a game are certain to be read as the tags they are: its tags are whole, it is not a position of a
/// list, and no brace of a comment appears or disappears, which may be part of a pair outside the tags.
fn are_certain(game: &CheckedGame<'_>, edits: &[Edit<Vec<u8>>]) -> bool {
    let has_brace = |text: &[u8]| text.iter().any(|byte| b"{}".contains(byte));
    let is_whole = game.written_tags().all(|tag| tag.plain_value.is_some()) && game.last_tag_end().is_some();
    let is_listed = game.written_tags().all(|tag| tag.name == "FEN");
    is_whole
        && !is_listed
        && !edits.iter().any(|(range, text)| has_brace(&game.bytes()[range.clone()]) || has_brace(text))
}

/// Returns the names and values of the tags of each game.
fn tags_of_games(text: &[u8], encoding: Encoding) -> Vec<Vec<(String, String)>> {
    let owned = |tag: &Tag| (tag.name().to_owned(), tag.value().to_owned());
    let read = games_as(text, ReadAs { always: Some(encoding), ..ReadAs::default() });
    read.map(|game| game.tree().tags().iter().map(owned).collect()).collect()
}

/// Returns the tags to set that a game lacks.
fn missing<'a>(set: &'a [NewTag<'_>]) -> impl Iterator<Item = (&'a str, &'a str)> {
    set.iter().filter(|tag| tag.found.is_none()).map(|tag| (tag.name, &*tag.value))
}

/// Returns the name and the value that a written tag gets, if it is set.
fn given<'a>(set: &'a [NewTag<'_>], known: &'a str, value: &str) -> Option<(&'a str, &'a str)> {
    let tag = set.iter().find(|tag| tag.found.is_some() && TagMatch::of((known, value), tag.name) == tag.found)?;
    Some((lasting_name(known, &tag.value, tag.name), &tag.value))
}

/// Returns edits in an encoding, unless it lacks a character.
fn encoded(encoding: Encoding, edits: Vec<Edit<String>>) -> Option<Vec<Edit<Vec<u8>>>> {
    edits.into_iter().map(|(range, text)| Some((range, encoding.encode(&text)?.into_owned()))).collect()
}

impl GameWork for TagEdits {
    type Done = EditedChunk;

    fn needs(&self) -> Needs {
        Needs::Tags
    }

    fn begin(&self, origin: &ChunkOrigin<'_>) -> EditedChunk {
        EditedChunk::of(origin.chunk())
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut EditedChunk) {
        if game.chunk().format() != Format::Pdn {
            return self.rewrite(&game, done);
        }
        let set = self.tags(&game);
        let edits = self.edits(&game, &set);
        let (bytes, start) = (game.chunk().bytes(), game.range().start);
        let game_before = done.pass(&game);
        if edits.is_empty() {
            return;
        }
        let encoding = done.encoding(&game);
        let edited = encoded(encoding, edits).ok_or(Refusal::Encoding).and_then(|edits| {
            if suggests_another(game.bytes(), &applied(game.bytes(), &edits)) {
                return Err(Refusal::OtherEncoding);
            }
            let before = || (done.edited(game_before, bytes, start), encoding);
            if are_certain(&game, &edits) || self.are_read(&game, before(), &set, &edits) {
                Ok(edits)
            } else {
                Err(Refusal::OtherReading)
            }
        });
        match edited {
            Ok(edits) => {
                done.changed += 1;
                done.copied = replace(bytes, done.copied, start, &edits, &mut done.text);
            }
            Err(reason) => done.refused.push((game.number(), reason)),
        }
    }

    fn end(&self, origin: &ChunkOrigin<'_>, done: &mut EditedChunk) {
        if origin.chunk().format() == Format::Pdn {
            done.copy_rest(origin.chunk());
        }
    }
}
