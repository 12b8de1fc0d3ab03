//! What is kept of a game with plain moves.

use crate::check::order::insert_variant;
use crate::check::tags::TagText;
use crate::diag::{Diagnostic, Selection, Severity, Span};
use crate::notation::{Outcome, roster_text};
use crate::replay::ReplayOptions;
use crate::rules::{Move, Position, Variant};

/// A game whose moves are all plain, with its diagnostics.
#[derive(Clone, Debug)]
pub struct PlainGame {
    pub(super) offset: usize,
    pub(super) length: u32,
    pub(super) tags: Vec<PlainTag>,
    pub(super) terminator: Option<Span>,
    pub(super) variant: Variant,
    pub(super) first: Position,
    pub(super) last: Position,
    pub(super) plies: u32,
    pub(super) moves: u32,
    pub(super) board: Option<Outcome>,
    pub(super) winner: Option<Outcome>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Where the moves begin, if no GameType gives the variant.
    pub(super) open_at: Option<Span>,
    pub(super) line: Vec<PlainPly>,
}

/// What is read of plain games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlainDetail {
    /// All that [`PlainGame`] returns but its moves.
    Diagnostics,
    /// The same of games without comments before the first move or after the end; other games are not plain then.
    Heads,
    /// Also the moves of games without variations, comments and annotations; other games are not plain then.
    Moves,
}

/// A move of the main line of a plain game.
#[derive(Clone, Copy, Debug)]
pub struct PlainPly {
    pub(super) text: Span,
    pub(super) number: Option<u32>,
    pub(super) played: Move,
}

impl PlainPly {
    /// The move as written. `game` is the text of the game.
    pub fn text<'a>(&self, game: &'a str) -> &'a str {
        &game[self.text.range()]
    }

    /// The move number before it, as written.
    pub const fn number(&self) -> Option<u32> {
        self.number
    }

    /// The move.
    pub const fn played(&self) -> &Move {
        &self.played
    }
}

/// The places of a tag, counted from the start of its game.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainTag {
    pub(super) name: Span,
    pub(super) value: Span,
    pub(super) all: Span,
}

impl PlainTag {
    pub(super) fn text(self, game: &str) -> TagText<'_> {
        let (name, value) = (&game[self.name.range()], &game[self.value.range()]);
        TagText { name, value, span: self.all, value_span: self.value }
    }
}

impl PlainGame {
    /// Offset of the game in the bytes that it was read from.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Number of bytes.
    pub const fn length(&self) -> usize {
        self.length as usize
    }

    /// The variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The starting position.
    pub const fn start(&self) -> &Position {
        &self.first
    }

    /// The last position of the main line.
    pub const fn final_position(&self) -> &Position {
        &self.last
    }

    /// Number of moves of the main line.
    pub const fn plies(&self) -> usize {
        self.plies as usize
    }

    /// Number of moves, variations included.
    pub const fn moves(&self) -> usize {
        self.moves as usize
    }

    /// The outcome by the final position.
    pub const fn board(&self) -> Option<Outcome> {
        self.board
    }

    /// The outcome by the Result tag, or else by the terminator.
    pub const fn winner(&self) -> Option<Outcome> {
        self.winner
    }

    /// All diagnostics, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The moves of the main line, if they were requested ([`PlainDetail::Moves`]).
    pub fn line(&self) -> &[PlainPly] {
        &self.line
    }

    /// The value of the Result tag, or of one that means the same in another language. `game` is the text of the game.
    pub fn result_tag<'a>(&self, game: &'a str) -> Option<&'a str> {
        let tags = self.tags.iter().map(|tag| tag.text(game));
        roster_text(tags, "Result", |tag| (tag.name, tag.value)).map(|tag| tag.value)
    }

    /// Returns true if a diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error)
    }

    /// Adds the diagnostic about the variant of the file if the game with this number carries it.
    pub(in crate::check) fn set_number(&mut self, number: u64, options: &ReplayOptions) {
        let diagnostic = self.open_at.and_then(|span| options.diagnostic_for(number, span));
        if let Some(diagnostic) = diagnostic {
            insert_variant(&mut self.diagnostics, diagnostic);
        }
    }

    /// Removes the diagnostics that a selection does not report, and raises those that it denies.
    pub fn select(&mut self, selection: &Selection) {
        self.diagnostics.retain_mut(|diagnostic| selection.admit(diagnostic));
    }

    /// Names and values of the tags, in order. `game` is the text of the game.
    pub fn tags<'a>(&self, game: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a, '_> {
        self.tags.iter().map(move |tag| (&game[tag.name.range()], &game[tag.value.range()]))
    }

    /// The terminator as written. `game` is the text of the game.
    pub fn terminator<'a>(&self, game: &'a str) -> Option<&'a str> {
        self.terminator.map(|span| &game[span.range()])
    }
}
