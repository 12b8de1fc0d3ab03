//! Tags and results, read without playing a move.

use crate::check::CheckOptions;
use crate::diag::Span;
use crate::pdn::{Fault, Flow, Parsed, RawTag, ReadAs, Visitor, games_as};
use crate::source::Chunk;

/// The tags of a game and its end.
#[derive(Debug)]
pub(super) enum Head {
    /// Places in the text of the game.
    Places(Places),
    /// A game whose tags are not as the standard writes them, or not UTF-8.
    Tree(Box<Parsed>),
}

/// Where the parts of a game are, counted from its start.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) offset: usize,
    pub(super) length: u32,
    /// Names and values.
    pub(super) tags: Vec<(Span, Span)>,
    /// End of the last tag.
    pub(super) tags_end: u32,
    pub(super) terminator: Option<Span>,
}

impl Head {
    /// Returns the offset of the game in its chunk, and its length.
    pub(super) fn place(&self) -> (usize, usize) {
        match self {
            Self::Places(places) => (places.offset, places.length as usize),
            Self::Tree(parsed) => (parsed.offset(), parsed.tree().byte_len() as usize),
        }
    }
}

/// Returns the heads of all games of a chunk.
pub(super) fn heads(chunk: &Chunk, options: &CheckOptions) -> Vec<Head> {
    let read_as = ReadAs { always: options.encoding, otherwise: chunk.encoding(), reported: true };
    let mut reader =
        HeadReader { bytes: chunk.bytes(), utf8_only: options.encoding.is_some(), ..HeadReader::default() };
    let mut games = games_as(chunk.bytes(), read_as);
    let mut all = Vec::new();
    while let Some(read) = games.next_with(&mut reader, HeadReader::finish) {
        all.push(read.map_or_else(|parsed| Head::Tree(Box::new(parsed)), Head::Places));
    }
    all
}

#[derive(Default)]
struct HeadReader<'a> {
    bytes: &'a [u8],
    /// The encoding is given, so that only ASCII means the same in any case.
    utf8_only: bool,
    is_ascii: bool,
    places: Places,
}

impl HeadReader<'_> {
    fn finish(&mut self) -> Option<Places> {
        let places = std::mem::take(&mut self.places);
        let text = &self.bytes[places.offset..][..places.length as usize];
        let is_known = self.is_ascii || !self.utf8_only && str::from_utf8(text).is_ok();
        is_known.then_some(places)
    }
}

const GO: Flow = Flow::Continue(());

impl Visitor for HeadReader<'_> {
    fn begin_game(&mut self, offset: usize) -> Flow {
        self.places = Places { offset, ..Places::default() };
        self.is_ascii = true;
        GO
    }

    fn tag(&mut self, tag: RawTag<'_>) -> Flow {
        let start = tag.span.start + 1;
        let name = Span::new(start, start + tag.name.len() as u32);
        let written = self.bytes.get(self.places.offset + start as usize..).unwrap_or_default();
        let is_plain = written.starts_with(tag.name) && !tag.value.iter().any(|&byte| byte == b'\\' || byte < b' ');
        if !is_plain {
            return Flow::Break(());
        }
        self.is_ascii &= tag.value.is_ascii() && tag.name.is_ascii();
        self.places.tags.push((name, tag.value_span));
        self.places.tags_end = tag.span.end;
        GO
    }

    fn terminator(&mut self, _: &[u8], span: Span) -> Flow {
        self.places.terminator = Some(span);
        GO
    }

    fn end_game(&mut self, length: u32) -> Flow {
        self.places.length = length;
        GO
    }

    fn outside(&mut self, _: usize, _: Fault<'_>) -> Flow {
        GO
    }
}
