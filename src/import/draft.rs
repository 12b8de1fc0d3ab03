//! A game being read from a record in another format.

use std::borrow::Cow;

use super::RecordContents;
use crate::diag::{Collector, Diagnostic, Span, messages};
use crate::pdn::{
    GameBuilder, GameTree, MAX_ITEMS, MoveText, Node, NodeKind, Outside, Parsed as Game, ReadAs, Tag, WrittenNumber,
};
use crate::text::{Encoding, Evidence};

/// A game under construction. Places are slices of the record; spans count from its first byte.
pub(super) struct Draft<'a> {
    record: &'a [u8],
    /// The encoding of the record, after reading all of it.
    pub(super) encoding: Encoding,
    pub(super) game: GameBuilder,
    pub(super) faults: Collector,
    /// The number of moves, including missing ones, plus one if Black begins.
    plies: usize,
    is_full: bool,
}

impl<'a> Draft<'a> {
    pub(super) fn new(record: &'a [u8], read_as: ReadAs) -> Self {
        let encoding = encoding_of(record, read_as);
        let mut faults = Collector::default();
        faults.extend(encoding_note(record, encoding, read_as));
        Self { record, encoding, game: GameBuilder::new(), faults, plies: 0, is_full: false }
    }

    /// Returns the span of a part of the record.
    pub(super) fn span(&self, part: &[u8]) -> Span {
        span_of(self.record, part)
    }

    /// Returns the text of a part of the record.
    pub(super) fn text(&self, part: &'a [u8]) -> Cow<'a, str> {
        self.encoding.decode(part)
    }

    /// Returns the text of bytes in the encoding of the record.
    pub(super) fn decoded(&self, bytes: &[u8]) -> String {
        self.encoding.decode(bytes).into_owned()
    }

    /// Adds a tag whose value comes from a part of the record.
    pub(super) fn tag(&mut self, name: &str, value: &str, place: &[u8]) {
        if self.has_room(place) {
            self.game.at(span_of(self.record, place)).tag(name, value);
        }
    }

    /// Adds a move or its replacement; White's get a number.
    pub(super) fn node(&mut self, kind: NodeKind, place: &[u8]) {
        let number = WrittenNumber::in_line(self.plies, false).filter(|_| kind.is_written_move());
        self.plies += usize::from(kind.is_written_move());
        self.numbered(number, kind, place);
    }

    /// Adds a move or its replacement with its number as written.
    pub(super) fn numbered(&mut self, number: Option<WrittenNumber>, kind: NodeKind, place: &[u8]) {
        if self.has_room(place) {
            self.game.at(span_of(self.record, place)).node(number, kind);
        }
    }

    /// Adds a move.
    pub(super) fn r#move(&mut self, text: MoveText, place: &[u8]) {
        self.node(NodeKind::Move(text), place);
    }

    /// Adds a comment to the last move, or before the first.
    pub(super) fn comment(&mut self, text: &str, place: &[u8]) {
        if !self.is_full {
            self.game.at(span_of(self.record, place)).comment(text);
        }
    }

    /// Adds a variation after the last move, with the moves up to the first word that is not a move.
    pub(super) fn line(&mut self, moves: &'a [u8]) {
        let words = moves.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
        let text = |word: &'a [u8]| MoveText::parse(&self.encoding.decode(word)).map(|text| (text, word));
        let line: Vec<_> = words.map_while(text).collect();
        if line.is_empty() || !self.has_room(moves) {
            return;
        }
        self.game.at(span_of(self.record, moves)).open_variation();
        for (n, (text, word)) in line.into_iter().enumerate() {
            // It replaces the last move.
            let number = WrittenNumber::in_line((self.plies + n).saturating_sub(1), n == 0);
            self.game.at(span_of(self.record, word)).add_move(number, text);
        }
        self.game.close_variation();
    }

    /// Adds a diagnostic.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.faults.push(diagnostic);
    }

    /// Returns true if another part may be added to the game; otherwise reports the limit, once.
    fn has_room(&mut self, place: &[u8]) -> bool {
        if self.game.items() >= MAX_ITEMS && !std::mem::replace(&mut self.is_full, true) {
            self.faults.push(messages::too_many_moves(self.span(place), MAX_ITEMS));
        }
        !self.is_full
    }

    /// Returns the game, which spans the whole record.
    pub(super) fn finish(self) -> RecordContents {
        let Self { record, encoding, game, faults, .. } = self;
        let tree = game.build();
        let mut game = game_of(tree, faults);
        // A value that is cut off, and its diagnostic, can be at the end of the record, after whitespace.
        let diagnostics = game.diagnostics().iter().map(Diagnostic::span);
        let spans = diagnostics
            .chain(game.tree().tags().iter().map(Tag::span))
            .chain(game.tree().nodes().iter().map(Node::span));
        let length = spans.map(|span| span.end).fold(record.trim_ascii_end().len() as u32, u32::max);
        game.tree_mut().set_source(length, encoding);
        RecordContents { games: vec![game], outside: Vec::new() }
    }

    /// Returns the diagnostics of a record without a game.
    pub(super) fn without_game(self) -> RecordContents {
        let outside = self.faults.into_vec().into_iter().map(outside).collect();
        RecordContents { games: Vec::new(), outside }
    }
}

/// Returns a game with its diagnostics in the order of the text.
pub(super) fn game_of(tree: GameTree, faults: Collector) -> Game {
    let mut diagnostics = faults.into_vec();
    diagnostics.sort_by_key(|diagnostic| diagnostic.span().start);
    let mut parsed = Game::from(tree);
    for diagnostic in diagnostics {
        parsed.add_diagnostic(diagnostic);
    }
    parsed
}

/// Returns a diagnostic outside any game, whose span counts from its own first byte.
pub(super) fn outside(mut diagnostic: Diagnostic) -> Outside {
    let start = diagnostic.span().start;
    diagnostic.rebase(start);
    Outside::new(start as usize, diagnostic)
}

/// Returns the span of a part of a text.
pub(super) fn span_of(text: &[u8], part: &[u8]) -> Span {
    // A part of another text gets an empty span at the end.
    let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize).min(text.len());
    Span::new(start as u32, (start + part.len()).min(text.len()) as u32)
}

/// Returns the span of a part of a text as a tag's place.
pub(super) fn tag_at(text: &[u8], name: &str, value: &str, all: &[u8], place: &[u8]) -> Tag {
    Tag::new(name, value).at(span_of(text, all), span_of(text, place))
}

/// Returns the note that a record is not UTF-8, unless it was already reported or the encoding was given.
pub(super) fn encoding_note(record: &[u8], encoding: Encoding, read_as: ReadAs) -> Option<Diagnostic> {
    let is_note = encoding != Encoding::Utf8 && !read_as.reported && read_as.always.is_none();
    let at = record.iter().position(|byte| !byte.is_ascii()).unwrap_or(0) as u32;
    is_note.then(|| messages::encoding(Span::new(at, at + 1), encoding.to_string()))
}

/// Returns the encoding of a record.
pub(super) fn encoding_of(record: &[u8], read_as: ReadAs) -> Encoding {
    // Text in another encoding is hardly ever valid UTF-8, so this needs no further evidence.
    let known = read_as.always.or_else(|| str::from_utf8(record).is_ok().then_some(Encoding::Utf8));
    known.or(read_as.otherwise).unwrap_or_else(|| Evidence::of(record).encoding())
}
