//! A game as questions see it.

use super::heads::{Head, Places};
use crate::board::Side;
use crate::check::{CheckOptions, PlainGame, Review};
use crate::diag::Diagnostic;
use crate::notation::{DateParts, Outcome, date_of, rating, tag_text};
use crate::pdn::{ReadAs, Terminator, games_as};
use crate::records::{DiagnosticRow, Origin};
use crate::replay::ReplayedGame;
use crate::rules::Variant;
use crate::source::{Chunk, Input, Location};

/// Where a game is.
#[derive(Clone, Copy)]
pub(super) struct GamePlace<'a> {
    pub(super) input: &'a Input,
    pub(super) chunk: &'a Chunk,
    pub(super) options: &'a CheckOptions,
    /// Returns the location of a number of bytes at an offset in the chunk.
    pub(super) locate: &'a dyn Fn(usize, usize) -> Location,
    pub(super) number: u64,
    pub(super) offset: usize,
    pub(super) length: usize,
}

/// A game with its tags and, if it was replayed, what the board says.
#[derive(Clone)]
pub struct FoundGame<'a> {
    place: GamePlace<'a>,
    tags: Vec<(&'a str, &'a str)>,
    terminator: Option<&'a str>,
    variant: Option<Variant>,
    plies: usize,
    winner: Option<Outcome>,
    board: Option<Outcome>,
    diagnostics: &'a [Diagnostic],
    replayed: Option<&'a ReplayedGame>,
}

impl<'a> FoundGame<'a> {
    fn new(place: GamePlace<'a>, tags: Vec<(&'a str, &'a str)>, terminator: Option<&'a str>) -> Self {
        let (variant, winner, board) = (None, None, None);
        Self { place, tags, terminator, variant, plies: 0, winner, board, diagnostics: &[], replayed: None }
    }

    pub(super) fn of_head(place: GamePlace<'a>, head: &'a Head) -> Self {
        match head {
            Head::Places(Places { tags, terminator, .. }) => {
                let bytes = &place.chunk.bytes()[place.offset..][..place.length];
                let text = |range| str::from_utf8(&bytes[range]).unwrap_or_default();
                let tags = tags.iter().map(|(name, value)| (text(name.range()), text(value.range())));
                Self::new(place, tags.collect(), terminator.map(|span| text(span.range())))
            }
            Head::Tree(parsed) => {
                let tags = parsed.tree().tags().iter().map(|tag| (tag.name(), tag.value()));
                let terminator = parsed.tree().terminator().map(Terminator::text);
                Self::new(place, tags.collect(), terminator)
            }
        }
    }

    pub(super) fn of_plain(place: GamePlace<'a>, game: &'a PlainGame) -> Self {
        let bytes = &place.chunk.bytes()[place.offset..][..place.length];
        let text = str::from_utf8(bytes).expect("plain games are UTF-8");
        Self {
            variant: Some(game.variant()),
            plies: game.plies(),
            winner: game.winner(),
            board: game.board(),
            diagnostics: game.diagnostics(),
            ..Self::new(place, game.tags(text).collect(), game.terminator(text))
        }
    }

    pub(super) fn of_review(place: GamePlace<'a>, review: &'a Review) -> Self {
        let game = review.game();
        let tags = game.tree().tags().iter().map(|tag| (tag.name(), tag.value())).collect();
        Self {
            variant: game.variant(),
            plies: game.plies_played(),
            winner: review.result().winner(),
            board: review.result().board(),
            diagnostics: review.diagnostics(),
            replayed: Some(game),
            ..Self::new(place, tags, review.result().terminator())
        }
    }

    /// Returns the input that the game is in.
    pub fn input(&self) -> &'a Input {
        self.place.input
    }

    /// Returns the number of the game in its input, from 1.
    pub const fn number(&self) -> u64 {
        self.place.number
    }

    /// Returns the names and values of all tags.
    pub fn tags(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.tags.iter().copied()
    }

    /// Returns the value of a tag: one of the roster by its name or a name in another language, any other by its name in
    /// upper or lower case.
    pub fn tag(&self, name: &str) -> Option<&'a str> {
        tag_text(self.tags.iter().copied(), name)
    }

    /// Returns the value of a tag that says something: neither empty nor a question mark.
    pub fn known_tag(&self, name: &str) -> Option<&'a str> {
        self.tag(name).filter(|value| !matches!(*value, "" | "?" | "-"))
    }

    /// Returns the number of tags that say something.
    pub fn known_tags(&self) -> usize {
        self.tags.iter().filter(|(_, value)| !matches!(value.trim(), "" | "?" | "-" | "*")).count()
    }

    /// Returns the rating of a player, if it is at least 100.
    pub fn rating(&self, side: Side) -> Option<u32> {
        rating(side, |name| self.tag(name))
    }

    /// Returns the known parts of the date: that of the game, or else that of the event.
    pub fn date(&self) -> DateParts {
        date_of(|name| self.tag(name))
    }

    /// Returns the Result tag, or else the terminator, as written.
    pub fn result(&self) -> Option<&'a str> {
        self.tag("Result").or(self.terminator)
    }

    /// Returns the variant; `None` if it is unknown or the game was not replayed.
    pub const fn variant(&self) -> Option<Variant> {
        self.variant
    }

    /// Returns the number of main-line moves that could be played; 0 if the game was not replayed.
    pub const fn plies(&self) -> usize {
        self.plies
    }

    /// Returns the outcome by the Result tag, or else by the terminator; `None` if the game was not replayed.
    pub const fn winner(&self) -> Option<Outcome> {
        self.winner
    }

    /// Returns the outcome by the final position; `None` if it does not decide the game or the game was not replayed.
    pub const fn board(&self) -> Option<Outcome> {
        self.board
    }

    /// Returns the diagnostics; none if the game was not replayed.
    pub const fn diagnostics(&self) -> &'a [Diagnostic] {
        self.diagnostics
    }

    /// Returns the replayed game, if it was read into a tree.
    pub const fn replayed(&self) -> Option<&'a ReplayedGame> {
        self.replayed
    }

    /// Returns the bytes of the game, in the encoding of the input (UTF-16 is converted to UTF-8).
    pub fn bytes(&self) -> &'a [u8] {
        &self.place.chunk.bytes()[self.place.offset..][..self.place.length]
    }

    /// Returns true if the bytes are those of the decompressed input, and not converted from UTF-16.
    pub fn is_original(&self) -> bool {
        self.place.chunk.is_original()
    }

    /// Appends the bytes of the game and the whitespace after it, with at least one blank line.
    pub fn copy_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.bytes());
        let rest = &self.place.chunk.bytes()[self.place.offset + self.place.length..];
        let space = &rest[..rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())];
        let lines = memchr::memchr_iter(b'\n', space).count();
        out.extend_from_slice(if lines > 1 { space } else { b"\n\n" });
    }

    /// Returns the place of the game, as rows have it.
    pub fn origin(&self) -> Origin<'a> {
        Origin { file: self.place.input.label(), game: self.place.number, offset: self.location().offset }
    }

    /// Returns where the first byte of the game is.
    pub fn location(&self) -> Location {
        (self.place.locate)(self.place.offset, 0)
    }

    /// Returns a diagnostic of the game as a row.
    pub fn diagnostic_row(&self, diagnostic: &Diagnostic) -> DiagnosticRow {
        let span = diagnostic.span();
        let start = self.place.offset + span.start as usize;
        let location = (self.place.locate)(start, span.len() as usize);
        DiagnosticRow::new(self.place.input.label(), self.place.number, location, diagnostic)
    }

    /// Replays and checks the game by itself, with its variations and comments.
    pub fn review(&self) -> Option<Review> {
        let (options, chunk) = (self.place.options, self.place.chunk);
        let read_as = ReadAs { always: options.encoding, otherwise: chunk.encoding(), reported: true };
        let parsed = games_as(self.bytes(), read_as).next()?;
        Some(Review::new(parsed, self.place.number, self.bytes(), options))
    }
}
