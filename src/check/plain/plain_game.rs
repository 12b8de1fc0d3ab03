//! The data kept of a game with plain moves.

use crate::check::driver::Needs;
use crate::check::review::insert_variant;
use crate::check::tags::TagText;
use crate::diag::{Diagnostic, Span};
use crate::notation::{Outcome, roster_text};
use crate::replay::ReplayOptions;
use crate::rules::{Move, Position, Variant};
use crate::text::Encoding;

/// A game whose moves are all plain, with its diagnostics.
#[derive(Clone, Debug)]
pub(crate) struct PlainGame {
    pub(super) offset: usize,
    pub(super) length: u32,
    pub(super) encoding: Encoding,
    pub(super) tags: TagTexts,
    pub(super) terminator: Option<Span>,
    pub(super) variant: Variant,
    pub(super) first: Position,
    pub(super) last: Position,
    pub(super) plies: u32,
    pub(super) moves: u32,
    pub(super) board: Option<Outcome>,
    pub(super) winner: Option<Outcome>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The start of the moves, if no GameType gives the variant.
    pub(super) open_at: Option<Span>,
    pub(super) line: Vec<PlainPly>,
    /// The parts requested: moves are kept only if requested.
    pub(super) needs: Needs,
}

/// A move of the main line of a plain game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainPly {
    pub(super) text: Span,
    pub(super) number: Option<u32>,
    pub(super) played: Move,
}

impl PlainPly {
    /// The move as written. `game` is the bytes of the game, and `text` the same if they are UTF-8.
    pub(crate) fn text<'a>(&self, game: &'a [u8], text: Option<&'a str>) -> &'a str {
        let text = match text {
            Some(text) => text.get(self.text.range()),
            None => str::from_utf8(&game[self.text.range()]).ok(),
        };
        text.unwrap_or_default()
    }

    /// The move number before it, as written.
    pub(crate) const fn number(&self) -> Option<u32> {
        self.number
    }

    /// The move.
    pub(crate) const fn played(&self) -> &Move {
        &self.played
    }
}

/// The spans of a tag, counted from the start of its game.
#[derive(Clone, Copy, Debug)]
pub(in crate::check) struct TagPlace {
    pub(in crate::check) name: Span,
    pub(in crate::check) value: Span,
    /// The whole tag, with its brackets.
    pub(in crate::check) all: Span,
}

/// Tags by their spans, and their values if these are not UTF-8.
#[derive(Clone, Debug)]
pub(in crate::check) struct TagTexts {
    places: Vec<TagPlace>,
    /// One for each tag of a game in another encoding.
    decoded: Vec<String>,
}

impl TagTexts {
    pub(super) fn new(places: Vec<TagPlace>, game: &[u8], encoding: Encoding) -> Self {
        let decode = |tag: &TagPlace| encoding.decode(&game[tag.value.range()]).into_owned();
        let decoded = if encoding == Encoding::Utf8 { Vec::new() } else { places.iter().map(decode).collect() };
        Self { places, decoded }
    }

    /// Returns the tags in order. `game` is the bytes of the game.
    pub(in crate::check) fn iter<'a>(&'a self, game: &'a [u8]) -> impl Iterator<Item = TagText<'a>> + Clone {
        let text = |span: Span| str::from_utf8(&game[span.range()]).unwrap_or_default();
        self.places.iter().enumerate().map(move |(n, tag)| {
            let value = self.decoded.get(n).map_or_else(|| text(tag.value), String::as_str);
            TagText { name: text(tag.name), value, span: tag.all, value_span: tag.value }
        })
    }
}

impl PlainGame {
    /// Offset of the game in the bytes that it was read from.
    pub(crate) const fn offset(&self) -> usize {
        self.offset
    }

    /// Number of bytes.
    pub(crate) const fn length(&self) -> usize {
        self.length as usize
    }

    /// The variant.
    pub(crate) const fn variant(&self) -> Variant {
        self.variant
    }

    /// The starting position.
    pub(crate) const fn start(&self) -> &Position {
        &self.first
    }

    /// The last position of the main line.
    pub(crate) const fn final_position(&self) -> &Position {
        &self.last
    }

    /// Number of moves of the main line.
    pub(crate) const fn plies(&self) -> usize {
        self.plies as usize
    }

    /// Number of moves, variations included.
    pub(crate) const fn moves(&self) -> usize {
        self.moves as usize
    }

    /// The outcome by the final position.
    pub(crate) const fn board(&self) -> Option<Outcome> {
        self.board
    }

    /// The outcome by the Result tag, or else by the terminator.
    pub(crate) const fn winner(&self) -> Option<Outcome> {
        self.winner
    }

    /// All diagnostics, in the order of the text.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    pub(in crate::check) const fn diagnostics_mut(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }

    /// The moves of the main line, if they were requested ([`Needs::Moves`]).
    pub(crate) fn line(&self) -> &[PlainPly] {
        &self.line
    }

    /// The value of the Result tag, or of its equivalent in another language. `game` is the bytes of the game.
    pub(crate) fn result_tag<'a>(&'a self, game: &'a [u8]) -> Option<&'a str> {
        roster_text(self.tags.iter(game), "Result", |tag| (tag.name, tag.value)).map(|tag| tag.value)
    }

    /// Adds the diagnostic about the variant of the file if the game with this number carries it.
    pub(in crate::check) fn set_number(&mut self, number: u64, options: &ReplayOptions) {
        let diagnostic = self.open_at.and_then(|span| options.diagnostic_for(number, span));
        if let Some(diagnostic) = diagnostic {
            insert_variant(&mut self.diagnostics, diagnostic);
        }
    }

    /// Where the terminator is.
    pub(crate) const fn terminator(&self) -> Option<Span> {
        self.terminator
    }

    /// The tags.
    pub(in crate::check) const fn tags(&self) -> &TagTexts {
        &self.tags
    }

    /// The encoding of the game.
    pub(in crate::check) const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The parts requested.
    pub(crate) const fn needs(&self) -> Needs {
        self.needs
    }
}
