//! Portable Draughts Notation: bytes to games and back, without any rules.
//!
//! [`read`] passes every token to a [`Visitor`] and allocates nothing; [`games`] builds a [`GameTree`] of each game.
//! Both read any input: deviations from the grammar become [`Diagnostic`] values beside the game and never stop the
//! reader.

mod build;
mod builder;
mod command;
mod engine_comment;
mod evaluation;
mod grammar;
mod movetext;
mod reader;
mod recover;
mod tree;
mod visitor;
mod write;

use std::ops::ControlFlow;

use crate::diag::{Code, Diagnostic};
use crate::text::{Encoding, decode_line};

pub(crate) use build::MAX_EXPECTED;
pub(crate) use builder::GameBuilder;
pub use command::{Command, Mark, SideClock, Time, parse_commands, text_without_commands};
pub(crate) use command::{
    TwoParts, clock_times, command_sources, parse_command, with_command, without_commands, written_command,
    written_commands,
};
pub(crate) use engine_comment::{EngineScores, is_engine_comment, match_comment, match_parts, may_hold_score};
pub use evaluation::Evaluation;
pub(crate) use grammar::primitive::decimal;
pub(crate) use movetext::{LARGEST_SQUARE, MoveKind, move_words, with_digits};
pub use movetext::{MoveText, WrittenSquare};
pub use reader::read;
pub(crate) use reader::{
    GameBefore, decides_reading, game_before, game_starts, last_tag_after_empty_line, likely_starts,
    tags_after_empty_lines,
};
pub(crate) use recover::{has_foreign, only_move, tag_value, without_quotes};
pub use tree::{
    Attachment, GameTree, Line, LineId, MAX_EXPORT_DEPTH, MAX_ITEMS, Node, NodeId, NodeKind, Tag, WrittenNumber,
};
pub(crate) use tree::{nag_sign, strength_nag};
pub use visitor::{Fault, Flow, RawTag, Visitor};
pub(crate) use write::{ExtraMove, Overlay, write_game_over, write_line};
pub use write::{ROSTER, WriteOptions, write_game};

/// A game and its diagnostics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    tree: GameTree,
    offset: usize,
    diagnostics: Vec<Diagnostic>,
    /// A fact of the text, not of the tree: changes would make it untrue.
    numbers_are_regular: bool,
}

impl Parsed {
    /// Returns the game.
    pub const fn tree(&self) -> &GameTree {
        &self.tree
    }

    pub(crate) const fn tree_mut(&mut self) -> &mut GameTree {
        self.numbers_are_regular = false;
        &mut self.tree
    }

    /// Returns the game, without its diagnostics.
    pub fn into_tree(self) -> GameTree {
        self.tree
    }

    /// Returns the game and its diagnostics.
    pub fn into_parts(self) -> (GameTree, Vec<Diagnostic>) {
        (self.tree, self.diagnostics)
    }

    /// Returns the byte where the game begins in the input.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns true if it is known that the game has nothing but moves, and that all its numbers are of the same side and count
    /// them, whichever side that is.
    pub(crate) const fn numbers_are_regular(&self) -> bool {
        self.numbers_are_regular
    }

    /// Returns its diagnostics, in the order of the text; spans count from the start of the game.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the game as if it began at another byte.
    pub(crate) fn at(self, offset: usize) -> Self {
        Self { offset, ..self }
    }

    /// Maps the spans of the game and of its diagnostics to another text.
    pub(crate) fn map_spans(&mut self, map: impl Fn(crate::diag::Span) -> crate::diag::Span) {
        self.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.set_span(map(diagnostic.span())));
        self.tree.map_spans(map);
    }

    /// Adds a diagnostic in the order of the text.
    pub(crate) fn add_sorted(&mut self, diagnostic: Diagnostic) {
        let start = diagnostic.span().start;
        let at = self.diagnostics.partition_point(|other| other.span().start <= start);
        self.diagnostics.insert(at, diagnostic);
    }

    /// Adds a diagnostic after the others.
    pub(crate) fn add_diagnostic(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

impl From<GameTree> for Parsed {
    /// A game that was not read: without diagnostics, at byte 0.
    fn from(tree: GameTree) -> Self {
        Self { tree, ..Self::default() }
    }
}

/// A diagnostic outside any game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    offset: usize,
    diagnostic: Diagnostic,
}

impl Outside {
    /// Returns a diagnostic that begins at a byte of the input and whose span counts from there.
    pub(crate) const fn new(offset: usize, diagnostic: Diagnostic) -> Self {
        Self { offset, diagnostic }
    }

    /// Returns the byte where it begins in the input.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the diagnostic; its span counts from [`offset`](Self::offset).
    pub const fn diagnostic(&self) -> &Diagnostic {
        &self.diagnostic
    }

    pub(crate) const fn diagnostic_mut(&mut self) -> &mut Diagnostic {
        &mut self.diagnostic
    }

    /// Returns the diagnostic without its offset.
    pub(crate) fn into_diagnostic(self) -> Diagnostic {
        self.diagnostic
    }

    /// Returns the text that it refers to, without comment marks, if it contains anything worth keeping: letters or digits.
    /// `bytes` is the input, read in `encoding` if it is not UTF-8.
    ///
    /// # Panics
    ///
    /// May panic if `bytes` is not the input that was read.
    pub fn text(&self, bytes: &[u8], encoding: Option<Encoding>) -> Option<String> {
        self.text_as(bytes, |bytes| match encoding {
            Some(Encoding::Utf8) => Encoding::Utf8.decode(bytes).into_owned(),
            _ => decode_line(bytes, encoding.unwrap_or(Encoding::Latin1)),
        })
    }

    /// Returns the text as [`text`](Self::text) does, but with characters for bytes that are not UTF-8, if the input is UTF-8.
    pub(crate) fn text_keeping_bytes(&self, bytes: &[u8], encoding: Option<Encoding>) -> Option<String> {
        match encoding {
            Some(Encoding::Utf8) => self.text_as(bytes, |bytes| Encoding::Utf8.decode_keeping(bytes).into_owned()),
            _ => self.text(bytes, encoding),
        }
    }

    fn text_as(&self, bytes: &[u8], decode: impl FnOnce(&[u8]) -> String) -> Option<String> {
        let text = decode(&bytes[self.offset..][self.diagnostic.span().range()]);
        // Without control characters, as stray text in games: a few of them in a short file make it look like a binary one.
        let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
        let text = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        // Inside braces, all signs are text. The canonical form has braces, and has to be read as it was written.
        let text = match text.strip_prefix('{') {
            Some(inner) => inner.strip_suffix('}').unwrap_or(inner),
            None => text.trim_start_matches(['%', ';']),
        };
        let text = text.trim();
        (text.chars().any(char::is_alphanumeric) && !self.is_noise()).then(|| text.to_owned())
    }

    /// Returns true if the text that it refers to says nothing.
    pub(crate) fn is_noise(&self) -> bool {
        let noise = [
            Code::SYNTAX_STRAY_BRACE,
            Code::SYNTAX_STRAY_BRACKET,
            Code::SYNTAX_CONTROL_CHARACTER,
            Code::SYNTAX_TYPED_ESCAPE,
            Code::SYNTAX_MARKUP,
        ];
        noise.contains(&self.diagnostic.code())
    }
}

/// An iterator over the games of an input; see [`games`].
#[derive(Debug)]
pub struct Games<'a> {
    bytes: &'a [u8],
    reader: reader::Reader<'a>,
    builder: build::Builder,
}

/// A position between two games, to continue from later.
#[derive(Clone, Debug)]
pub(crate) struct GamesPlace {
    reader: reader::BetweenGames,
    read_as: ReadAs,
}

impl<'a> Games<'a> {
    /// Returns the bytes that are read.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the place before the next game.
    pub(crate) fn place(&self) -> GamesPlace {
        GamesPlace { reader: self.reader.between_games(), read_as: self.builder.read_as() }
    }

    /// Returns the games in the bytes from a position on, without the diagnostics outside games before it.
    pub(crate) fn from_place(bytes: &'a [u8], place: &GamesPlace) -> Self {
        let mut reader = reader::Reader::new(bytes);
        reader.go_to(place.reader);
        Self { bytes, reader, builder: build::Builder::new(place.read_as) }
    }

    /// Removes and returns the diagnostics outside any game found so far, in order.
    pub fn take_outside(&mut self) -> Vec<Outside> {
        self.builder.take_outside(self.bytes)
    }

    /// Reads the next game with a visitor. If the visitor stops the reader, or `finish` returns nothing, the game is
    /// read again, into a tree.
    pub(crate) fn next_with<V: Visitor, T>(
        &mut self,
        visitor: &mut V,
        finish: impl FnOnce(&mut V) -> Option<T>,
    ) -> Option<Result<T, Parsed>> {
        let before = self.reader.between_games();
        match self.reader.next_game(visitor) {
            ControlFlow::Continue(false) => return None,
            ControlFlow::Continue(true) => {
                if let Some(done) = finish(visitor) {
                    return Some(Ok(done));
                }
            }
            ControlFlow::Break(()) => {}
        }
        self.reader.go_to(before);
        self.next().map(Err)
    }
}

impl Iterator for Games<'_> {
    type Item = Parsed;

    fn next(&mut self) -> Option<Parsed> {
        let found = self.reader.next_game(&mut self.builder);
        found.continue_value()?.then(|| self.builder.take(self.bytes))
    }
}

/// Reads each game in the bytes with another visitor, and returns the visitors in order. A visitor that stops the reader skips the
/// rest of its game.
///
/// # Examples
///
/// The number of moves of each game of Ada's, without reading the moves of the others:
///
/// ```
/// use std::ops::ControlFlow;
///
/// use pdn::diag::Span;
/// use pdn::{Flow, MoveText, RawTag, Visitor, WrittenNumber, visit_games};
///
/// #[derive(Default)]
/// struct Moves(Option<usize>);
///
/// impl Visitor for Moves {
///     fn tag(&mut self, tag: RawTag<'_>) -> Flow {
///         self.0 = self.0.or((tag.value == b"Ada").then_some(0));
///         ControlFlow::Continue(())
///     }
///
///     fn game_move(&mut self, _: Option<(WrittenNumber, Span)>, _: MoveText, _: Span) -> Flow {
///         let Some(moves) = &mut self.0 else { return ControlFlow::Break(()) };
///         *moves += 1;
///         ControlFlow::Continue(())
///     }
/// }
///
/// let games = visit_games(b"[White \"Ben\"] 1. 32-28 * [White \"Ada\"] 1. 32-28 19-23 *", Moves::default);
/// assert_eq!(games.map(|moves| moves.0).collect::<Vec<_>>(), [None, Some(2)]);
/// ```
pub fn visit_games<'a, V: Visitor + 'a>(
    bytes: &'a [u8],
    mut begin: impl FnMut() -> V + 'a,
) -> impl Iterator<Item = V> + 'a {
    struct Skipping;
    impl Visitor for Skipping {}
    let mut reader = reader::Reader::new(bytes);
    std::iter::from_fn(move || {
        let (before, mut visitor) = (reader.between_games(), begin());
        match reader.next_game(&mut visitor) {
            ControlFlow::Continue(is_game) => is_game.then_some(visitor),
            ControlFlow::Break(()) => {
                reader.go_to(before);
                let _ = reader.next_game(&mut Skipping);
                Some(visitor)
            }
        }
    })
}

/// Returns the games in the bytes, in order, each with its diagnostics.
///
/// # Examples
///
/// ```
/// let mut games = pdn::games(b"[Event \"Club\"]\n1. 32-28 19-23 (18-23) 2. 28x19 *");
/// let game = games.next().unwrap();
/// assert_eq!(game.tree().tag("Event"), Some("Club"));
/// assert_eq!(game.tree().written_moves(), 3);
/// assert!(game.diagnostics().is_empty() && games.next().is_none());
/// ```
pub fn games(bytes: &[u8]) -> Games<'_> {
    games_as(bytes, ReadAs::default())
}

/// Returns the games in the bytes as [`games`] does, decoded according to the options.
pub(crate) fn games_as(bytes: &[u8], read_as: ReadAs) -> Games<'_> {
    Games { bytes, reader: reader::Reader::new(bytes), builder: build::Builder::new(read_as) }
}

/// The decoding of bytes. By default, a game is UTF-8 if it is valid UTF-8, and otherwise in the encoding suggested by its own
/// bytes or those around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReadAs {
    /// The encoding of every game, whatever its bytes; no diagnostic reports it.
    pub(crate) always: Option<Encoding>,
    /// The encoding of games that are not UTF-8 and too short to suggest one themselves.
    pub(crate) otherwise: Option<Encoding>,
    /// True if a game that is not UTF-8 has already been reported.
    pub(crate) reported: bool,
    /// Keeps bytes that are not UTF-8 in the texts, for [`Encoding::restored`], instead of replacing them by U+FFFD.
    pub(crate) keeps_bytes: bool,
}

#[cfg(test)]
mod tests {
    use super::games;

    #[test]
    fn words_and_comments_outside_any_game_have_text() {
        let bytes =
            b"The \x1d first\n\n1. 32-28 *\nafter\n1. 31-27 *\n}\n; a {line}\n{a {nested} one {of two}}\n{the\x1dlast}";
        let mut games = games(bytes);
        assert_eq!(games.by_ref().count(), 2);
        let texts: Vec<_> = games.take_outside().iter().filter_map(|outside| outside.text(bytes, None)).collect();
        assert_eq!(texts, ["The first", "after", "a {line}", "a {nested} one {of two}", "the last"]);
    }
}
