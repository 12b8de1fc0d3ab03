//! A game with its diagnostics, regardless of how it was read.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::driver::{ChunkOrigin, Needs};
use super::reading::{Head, ReadGame, TagPlace};
use super::review::{CheckOptions, Review};
use super::tags::{is_unknown, missing_tags};
use crate::board::Side;
use crate::diag::{Diagnostic, Selection, Span};
use crate::notation::{DateParts, Outcome, date_of, rating, tag_text};
use crate::pdn::{GameTree, Parsed, ReadAs, Tag, WriteOptions, games_as, write_game};
use crate::rules::Variant;
use crate::source::{Chunk, Input, Location};
use crate::text::{Encoding, Format};

/// A game of a chunk with all its diagnostics.
///
/// If only its tags are needed, it is not replayed before its [`review`](Self::review) is asked for. Spans count from the start
/// of the game.
#[derive(Debug)]
pub struct CheckedGame<'a> {
    origin: &'a ChunkOrigin<'a>,
    options: &'a CheckOptions,
    /// The number in the file that was read: for copies, not that of the original.
    number: u64,
    range: Range<usize>,
    around: Around,
    reading: Reading,
    review: OnceCell<Box<Review>>,
}

/// The way in which a game was read, apart from its review.
#[derive(Debug)]
enum Reading {
    Head(Box<Head>),
    /// A tree of which only the tags are needed.
    Tree(Box<Parsed>),
    /// The review exists from the start.
    Reviewed,
}

/// The texts outside any game before a game, if it is the first of its chunk, and after it.
pub(super) type Around = [Vec<String>; 2];

/// Returns true if quotes enclose the value of a tag, and a bracket closes it. In a damaged record, they may be missing:
/// `[Site x]`, `[Site "x]`, `[Site "x"`.
fn is_whole(bytes: &[u8], tag: &TagPlace) -> bool {
    let value = tag.value.range();
    let is_quoted = bytes[..value.start].last() == Some(&b'"') && bytes.get(value.end) == Some(&b'"');
    is_quoted && bytes[tag.all.range()].last() == Some(&b']')
}

/// A tag as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrittenTag<'a> {
    /// The name.
    pub(crate) name: &'a str,
    /// The value, without escapes.
    pub(crate) value: &'a str,
    /// The whole tag, with its brackets.
    pub(crate) span: Span,
    /// The value between its quotes, if the tag is whole and they enclose [`value`](Self::value), in ASCII or UTF-8.
    pub(crate) plain_value: Option<Span>,
}

impl<'a> WrittenTag<'a> {
    fn of(tag: &'a Tag) -> Self {
        Self { name: tag.name(), value: tag.value(), span: tag.span(), plain_value: None }
    }
}

impl<'a> CheckedGame<'a> {
    pub(super) fn new(
        read: ReadGame,
        (number, around): (u64, Around),
        origin: &'a ChunkOrigin<'a>,
        (needs, options): (Needs, &'a CheckOptions),
    ) -> Self {
        let review = OnceCell::new();
        let (reading, range) = match read {
            ReadGame::Head(head) => {
                let range = head.offset..head.offset + head.length as usize;
                (Reading::Head(head), range)
            }
            ReadGame::Tree(parsed) if needs == Needs::Tags => {
                let range = parsed.offset()..parsed.offset() + parsed.tree().byte_len() as usize;
                (Reading::Tree(parsed), range)
            }
            ReadGame::Tree(parsed) => {
                let made = Review::new(*parsed, number, origin.chunk().bytes(), options);
                let range = made.offset()..made.offset() + made.game().tree().byte_len() as usize;
                let _ = review.set(Box::new(made));
                (Reading::Reviewed, range)
            }
        };
        Self { origin, options, number, range, around, reading, review }
    }

    /// Returns the game replayed with its tree. If only its tags were read, it is read again.
    pub fn review(&self) -> &Review {
        self.review.get_or_init(|| Box::new(self.reviewed()))
    }

    /// Returns the game replayed with its tree, as [`review`](Self::review) does.
    pub(crate) fn into_review(mut self) -> Review {
        self.review.take().map_or_else(|| self.reviewed(), |review| *review)
    }

    fn reviewed(&self) -> Review {
        let chunk = self.origin.chunk();
        let parsed = match &self.reading {
            Reading::Tree(parsed) => Parsed::clone(parsed),
            _ => {
                // The encoding was decided by the whole chunk.
                let (always, keeps_bytes) = (self.options.encoding, self.options.keeps_bytes);
                let read_as = ReadAs { always, otherwise: chunk.encoding(), reported: true, keeps_bytes };
                // The text after the game decides whether its end is missing.
                let rest = &chunk.bytes()[self.range.start..];
                let parsed = games_as(rest, read_as).next().unwrap_or_else(|| GameTree::default().into());
                parsed.at(self.range.start)
            }
        };
        Review::new(parsed, self.number, chunk.bytes(), self.options)
    }

    /// Returns the chunk and the input that the game is in.
    pub(crate) const fn origin(&self) -> &'a ChunkOrigin<'a> {
        self.origin
    }

    /// Returns the input that the game is in.
    pub fn input(&self) -> &'a Input {
        self.origin.input()
    }

    /// Returns the chunk that the game is in.
    pub(crate) fn chunk(&self) -> &'a Chunk {
        self.origin.chunk()
    }

    /// Returns the number of the game in its input, from 1.
    pub fn number(&self) -> u64 {
        self.origin.number(self.range.start, self.number)
    }

    /// Returns the bytes of the chunk that are the game.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the bytes of the game, in the encoding of the input (UTF-16 is converted to UTF-8).
    pub fn bytes(&self) -> &'a [u8] {
        &self.chunk().bytes()[self.range()]
    }

    /// Returns the encoding of the game.
    pub fn encoding(&self) -> Encoding {
        match &self.reading {
            Reading::Head(_) => Encoding::Utf8,
            Reading::Tree(parsed) => parsed.tree().encoding(),
            Reading::Reviewed => self.review().game().tree().encoding(),
        }
    }

    /// Returns the text of the game as in the input.
    pub fn text(&self) -> Cow<'a, str> {
        self.encoding().decode(self.bytes())
    }

    /// Returns the options that it is checked with.
    pub(crate) const fn options(&self) -> &'a CheckOptions {
        self.options
    }

    /// Returns the texts outside any game before the game, if it is the first of its chunk, and after it.
    pub const fn around(&self) -> &[Vec<String>; 2] {
        &self.around
    }

    /// Returns the location of the first byte of the game in its input.
    pub fn location(&self) -> Location {
        self.origin.locate(self.range.start, 0)
    }

    /// Returns the location of a span of the game in its input.
    pub fn locate(&self, span: Span) -> Location {
        self.origin.locate(self.range.start + span.start as usize, span.len() as usize)
    }

    /// Returns the format of the record.
    pub fn format(&self) -> Format {
        self.chunk().format()
    }

    /// Returns the offset of the game in its input.
    pub fn offset(&self) -> u64 {
        self.origin.offset(self.range.start)
    }

    /// Appends the game in PDN with at least one blank line after it: the bytes of the game and the whitespace after it,
    /// unless it was read from another format.
    pub(crate) fn copy_to(&self, out: &mut Vec<u8>) {
        if self.format() != Format::Pdn {
            let tree = match &self.reading {
                Reading::Tree(parsed) => parsed.tree(),
                _ => self.review().game().tree(),
            };
            out.extend_from_slice(write_game(tree, WriteOptions::default()).as_bytes());
            return out.push(b'\n');
        }
        out.extend_from_slice(self.bytes());
        let rest = &self.chunk().bytes()[self.range.end..];
        let space = &rest[..rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())];
        let lines = memchr::memchr_iter(b'\n', space).count();
        out.extend_from_slice(if lines > 1 { space } else { b"\n\n" });
    }

    /// Returns all diagnostics, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.review().diagnostics()
    }

    /// Adds diagnostics, such as those of a comparison with other games.
    pub(crate) fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.review_mut().extend(diagnostics);
    }

    /// Adds the diagnostic of required tags that the game lacks, then removes the diagnostics that a selection does not report, and
    /// raises those that it denies.
    pub(crate) fn select(&mut self, selection: &Selection, required_tags: &[String]) {
        if let Some(missing) = missing_tags(self, required_tags) {
            self.extend([missing]);
        }
        self.review_mut().select(selection);
    }

    fn review_mut(&mut self) -> &mut Review {
        self.review();
        self.review.get_mut().expect("the review that was just made")
    }

    /// Returns all tags, in the order of the text.
    pub(crate) fn written_tags(&self) -> impl Iterator<Item = WrittenTag<'_>> + Clone {
        let bytes = self.bytes();
        let (places, tags): (&[TagPlace], &[Tag]) = match &self.reading {
            Reading::Head(head) => (&head.tags, &[]),
            Reading::Tree(parsed) => (&[], parsed.tree().tags()),
            Reading::Reviewed => (&[], self.review().game().tree().tags()),
        };
        let text = |span: Span| str::from_utf8(&bytes[span.range()]).unwrap_or_default();
        // As in trees, names have no whitespace around them that is not ASCII.
        let around = |letter: char| letter == '\u{feff}' || letter.is_whitespace();
        let read = move |place: &TagPlace| WrittenTag {
            name: text(place.name).trim_matches(around),
            value: text(place.value),
            span: place.all,
            plain_value: Some(place.value).filter(|_| is_whole(bytes, place)),
        };
        places.iter().map(read).chain(tags.iter().map(WrittenTag::of))
    }

    /// Returns the end of the last tag in the bytes of the game, if it has tags.
    pub(crate) fn last_tag_end(&self) -> Option<usize> {
        self.written_tags().last().map(|tag| tag.span.end as usize)
    }

    /// Returns the names and values of all tags; aliases of players and events are replaced.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        self.written_tags().map(|tag| (tag.name, self.options.aliases.value(tag.name, tag.value)))
    }

    /// Returns the value of a tag. Roster tags are found by their name or a name in another language, other tags by their name in
    /// any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag_text(self.tags(), name)
    }

    /// Returns the value of a tag if it is known: not empty, and not made of question marks and separators alone.
    pub(crate) fn known_tag(&self, name: &str) -> Option<&str> {
        self.tag(name).filter(|value| is_known(value))
    }

    /// Returns the number of tags with known values.
    pub(crate) fn known_tags(&self) -> usize {
        self.tags().filter(|(_, value)| is_known(value) && value.trim() != "*").count()
    }

    /// Returns the rating of a player, if it is at least 100.
    pub(crate) fn rating(&self, side: Side) -> Option<u32> {
        rating(side, |name| self.tag(name))
    }

    /// Returns the known parts of the date: that of the game, or else that of the event.
    pub(crate) fn date(&self) -> DateParts {
        date_of(|name| self.tag(name))
    }

    /// Returns the end of the movetext as written.
    pub fn terminator(&self) -> Option<&str> {
        match &self.reading {
            Reading::Head(head) => {
                head.terminator.map(|span| str::from_utf8(&self.bytes()[span.range()]).unwrap_or_default())
            }
            Reading::Tree(parsed) => parsed.tree().terminator(),
            Reading::Reviewed => self.review().game().tree().terminator(),
        }
    }

    /// Returns the Result tag, or else the terminator, as written.
    pub fn result(&self) -> Option<&str> {
        self.tag("Result").or_else(|| self.terminator())
    }

    /// Returns the variant; `None` if it is unknown.
    pub fn variant(&self) -> Option<Variant> {
        self.review().game().variant()
    }

    /// Returns the number of main-line moves that could be played.
    pub fn plies(&self) -> usize {
        self.review().game().plies_played()
    }

    /// Returns the outcome by the Result tag, or else by the terminator.
    pub fn winner(&self) -> Option<Outcome> {
        self.review().winner()
    }
}

/// Returns true if the value of a tag is known: not empty, and not made of question marks and separators alone, such as the date
/// `????.??.??`.
pub(crate) fn is_known(value: &str) -> bool {
    value.chars().any(|letter| !is_unknown(letter) && !matches!(letter, '-' | '/'))
}
