//! The reader: assembles games from the tokens of the grammar and calls a visitor.
//!
//! It reads one element at a time. Where no token fits, [`recover`](super::recover) decides what the text means. The
//! reader keeps nothing but a few numbers and never calls itself, so that any text, however damaged, takes linear time
//! and a fixed amount of memory.
//!
//! | state | production | next |
//! |---|---|---|
//! | between games | `records`: [`find_game`](Reader::find_game) skips text, leads with comments and lone results | where a game [begins](beginning): `Part::Lead` |
//! | [`Part::Lead`] | `lead`: comments and annotations | a tag: `Part::Tags`; a number, move, setup or parenthesis: `Part::Moves` |
//! | [`Part::Tags`] | `game`: tags and comments | a number, move, setup or parenthesis: `Part::Moves`; a second Event or FEN, or tags after a comment, after an empty line: the end |
//! | [`Part::Moves`] | `movetext`: an [`Element`] a step; `depth` counts the variations open, and `number` keeps a `count` until its move comes | a tag: the end, [`Next::Cut`] |
//! | any part | `separator`: a result, where no variation is open or nothing of the game follows | the end, [`Next::Terminated`], after the `tail` on its line |

mod beginning;
mod element;
mod fast;
mod game_end;
mod lookahead;
mod parts;

use std::ops::ControlFlow;

use bitflags::bitflags;

pub(super) use beginning::{game_begins, led_game_begins};
pub(super) use game_end::bare_result;
pub(crate) use game_end::{
    GameBefore, game_before, game_starts, last_tag_after_empty_line, likely_starts, tags_after_empty_lines,
};
pub(super) use lookahead::{SpaceBefore, same_line, skip_whitespace};
pub(crate) use parts::decides_reading;

use element::{Element, next_element};

use super::grammar::Parsed;
use super::movetext::MoveKind;
use super::recover::ClosingSearch;
use super::tree::WrittenNumber;
use super::visitor::{Fault, Flow, Visitor};
use crate::diag::{Code, Span};
use crate::text::whitespace::{is_common_wide, wide_len};

/// Reads all games of the bytes and passes their tokens to the visitor.
///
/// # Examples
///
/// ```
/// use pdn::diag::Span;
/// use pdn::{Flow, MoveText, Visitor, WrittenNumber, read};
///
/// struct Count(usize);
/// impl Visitor for Count {
///     fn game_move(&mut self, _: Option<(WrittenNumber, Span)>, _: MoveText, _: Span) -> Flow {
///         self.0 += 1;
///         Flow::Continue(())
///     }
/// }
/// let mut count = Count(0);
/// assert!(read(b"1. 32-28 19-23 2. 28x19 *", &mut count).is_continue());
/// assert_eq!(count.0, 3);
/// ```
pub fn read<V: Visitor>(bytes: &[u8], visitor: &mut V) -> Flow {
    let mut reader = Reader::new(bytes);
    while reader.next_game(visitor)? {}
    Flow::Continue(())
}

/// The kind of the last token, to the extent that the next one depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    Nothing,
    Move,
    Null,
    Setup,
    /// A null move or setup, then text read as whitespace.
    Apart,
    /// The opening parenthesis of a variation.
    Open,
    Other,
}

/// The part of a game that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Nothing but comments so far.
    Lead,
    Tags,
    Moves,
}

bitflags! {
    /// Events in a game that count only once.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(super) struct Seen: u16 {
        const ULTRA_SHORT = 1;
        const UPPER_CASE = 1 << 1;
        const CONTROL_CHARACTER = 1 << 2;
        const EVENT = 1 << 3;
        const FEN = 1 << 4;
        const DEEP_VARIATION = 1 << 5;
        const WIDE_SPACE = 1 << 6;
        const MARKUP = 1 << 7;
        /// The game begins with a position that has no tag.
        const BARE_FEN = 1 << 8;
        /// Nothing but a FEN tag was read so far.
        const ONLY_FEN = 1 << 9;
        const LOOK_ALIKE = 1 << 10;
        const SET_UP = 1 << 11;
        /// The first move has its number in parentheses.
        const NUMBER_IN_PARENTHESES = 1 << 12;
        /// Nothing but FEN and SetUp tags was read so far.
        const ONLY_POSITION = 1 << 13;
        /// The game ends before tags because the game before it is a position of a list.
        const LAST_OF_LIST = 1 << 14;
    }
}

/// How a game continues after a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Token,
    /// The game is over: a terminator was read.
    Terminated,
    /// The game is over: the next one, or nothing, follows.
    Cut,
}

/// The result of a step of the reader: `Break` if the visitor stops it.
pub(super) type Step = ControlFlow<(), Next>;

pub(super) const GO: Step = ControlFlow::Continue(Next::Token);

/// The state of the game that is being read.
#[derive(Clone, Debug)]
pub(super) struct Game<'a> {
    pub(super) start: usize,
    pub(super) part: Part,
    /// Comments or stray text follow the last tag.
    pub(super) interrupted: bool,
    pub(super) depth: u32,
    /// The parenthesis of the outermost open variation.
    pub(super) opened: usize,
    /// A number still without its move, and its bytes.
    pub(super) number: Option<(WrittenNumber, &'a [u8])>,
    /// Marks before their move.
    pub(super) strength: Option<&'a [u8]>,
    pub(super) last: Last,
    /// End of the last token.
    pub(super) end: usize,
    /// The last token is a comment that is never closed.
    pub(super) unclosed: bool,
    /// A move, or what replaces one, was read in this line.
    pub(super) has_move: bool,
    /// The value of the Result tag, if it is not a result according to the grammar.
    pub(super) score: Option<&'a [u8]>,
    pub(super) seen: Seen,
}

impl Game<'_> {
    fn new(start: usize) -> Self {
        Self {
            start,
            part: Part::Lead,
            interrupted: false,
            depth: 0,
            opened: 0,
            number: None,
            strength: None,
            last: Last::Nothing,
            end: start,
            unclosed: false,
            has_move: false,
            score: None,
            seen: Seen::empty(),
        }
    }

    /// Returns true if the fast path may run: no number or mark waits for a move, and no score can end the game.
    const fn is_plain(&self) -> bool {
        // Only a score that begins like a move could be taken for one.
        let may_be_move = matches!(self.score, Some([b'0'..=b'9', ..]));
        matches!(self.part, Part::Moves) && self.number.is_none() && self.strength.is_none() && !may_be_move
    }
}

/// The state of a reader between two games, without what its searches found: that only saves time.
#[derive(Clone, Copy, Debug)]
pub(super) struct BetweenGames {
    at: usize,
    gameless: usize,
    goes_on: usize,
    ended: usize,
    after_position: bool,
    reported: bool,
}

/// Reads one game after another.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) closing: ClosingSearch,
    /// No comment before this byte belongs to a game.
    pub(super) gameless: usize,
    /// The current game extends at least to here: a failed search for its end is not repeated.
    pub(super) goes_on: usize,
    /// The end of the last run of tags that was searched, and true if it is a list of positions.
    pub(super) listed: (usize, bool),
    /// The end of the last game that has a result; 0 before it.
    pub(super) ended: usize,
    /// The last game is a position in a list: it has no moves, has no result, and has no tags but FEN and SetUp, or the next game
    /// directly follows it.
    pub(super) after_position: bool,
    /// Control characters outside any game were reported.
    pub(super) reported: bool,
    pub(super) game: Game<'a>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        // A byte order mark is not text: text before a game would be reported.
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let (closing, game) = (ClosingSearch::default(), Game::new(at));
        let (listed, after_position, reported) = ((0, false), false, false);
        Self { bytes, at, closing, gameless: 0, goes_on: 0, listed, ended: 0, after_position, reported, game }
    }

    /// Returns its current state between two games.
    pub(super) const fn between_games(&self) -> BetweenGames {
        let Self { at, gameless, goes_on, ended, after_position, reported, .. } = *self;
        BetweenGames { at, gameless, goes_on, ended, after_position, reported }
    }

    /// Continues from another place between two games.
    pub(super) const fn go_to(&mut self, state: BetweenGames) {
        let BetweenGames { at, gameless, goes_on, ended, after_position, reported } = state;
        (self.at, self.gameless, self.goes_on, self.ended) = (at, gameless, goes_on, ended);
        (self.after_position, self.reported) = (after_position, reported);
    }

    /// Reads one game; returns false if there is none left.
    pub(super) fn next_game<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), bool> {
        if !self.find_game(visitor)? {
            return ControlFlow::Continue(false);
        }
        self.read_game(visitor)?;
        ControlFlow::Continue(true)
    }

    /// Reads the game that begins here.
    fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        self.game = Game::new(self.at);
        visitor.begin_game(self.at)?;
        let end = loop {
            match self.step(visitor)? {
                Next::Token => {}
                end => break end,
            }
        };
        self.finish(visitor, end == Next::Terminated)
    }

    /// The bytes not read yet.
    #[inline(always)]
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The offset of a part of the bytes, from which all spans are derived.
    #[inline(always)]
    pub(super) fn place(&self, part: &[u8]) -> usize {
        part.as_ptr() as usize - self.bytes.as_ptr() as usize
    }

    /// The offset at which a parser stopped, given the bytes that it left.
    #[inline(always)]
    pub(super) fn place_of_rest(&self, rest: &[u8]) -> usize {
        self.bytes.len() - rest.len()
    }

    /// The end of the text taken by a parser at a position, if it matches there.
    pub(super) fn end_of<T>(&self, at: usize, parser: impl FnOnce(&'a [u8]) -> Parsed<'a, T>) -> Option<usize> {
        parser(&self.bytes[at..]).ok().map(|(rest, _)| self.place_of_rest(rest))
    }

    /// The span of a part of the bytes, counted from the start of the game.
    #[inline(always)]
    pub(super) fn span(&self, part: &[u8]) -> Span {
        let start = self.place(part) - self.game.start;
        Span::new(start as u32, (start + part.len()) as u32)
    }

    /// The bytes from the next token to a place.
    #[inline(always)]
    pub(super) fn text_to(&self, end: usize) -> &'a [u8] {
        &self.bytes[self.at..end]
    }

    #[cold]
    pub(super) fn report<V: Visitor>(&self, visitor: &mut V, code: Code, text: &'a [u8]) -> Flow {
        visitor.fault(Fault { code, span: self.span(text), text })
    }

    /// Reports a deviation that occurs in whole games, once per game.
    pub(super) fn report_once<V: Visitor>(&mut self, visitor: &mut V, flag: Seen, code: Code, text: &'a [u8]) -> Flow {
        if self.game.seen.contains(flag) {
            return Flow::Continue(());
        }
        self.game.seen |= flag;
        self.report(visitor, code, text)
    }

    /// Advances to the end of a token.
    #[inline(always)]
    pub(super) fn pass(&mut self, end: usize, last: Last) {
        self.at = end;
        self.game.end = end;
        self.game.last = last;
        self.game.unclosed = false;
    }

    /// Advances to the end of text that is reported but read as whitespace.
    pub(super) fn pass_whitespace(&mut self, end: usize) {
        let last = match self.game.last {
            Last::Null | Last::Setup | Last::Apart => Last::Apart,
            Last::Open => Last::Open,
            _ => Last::Other,
        };
        self.pass(end, last);
    }

    /// Reads one element, or a run of moves.
    #[inline]
    fn step<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        // Most of a collection is moves and their numbers.
        if self.game.is_plain() {
            self.run_of_moves(visitor)?;
        }
        let Some(byte) = self.skip(visitor)? else { return ControlFlow::Continue(Next::Cut) };
        if self.game.score.is_some()
            && let Some(end) = self.score_end(self.at)
        {
            return self.score(visitor, end);
        }
        if byte.is_ascii_digit()
            && (self.game.part != Part::Moves || self.game.seen.contains(Seen::BARE_FEN))
            && let Some(numbered) = self.numbered_position()
        {
            return self.position_number(visitor, numbered);
        }
        if byte == b'['
            && let Ok((rest, (name, value))) = fast::tag(self.rest())
        {
            return self.tag(visitor, name, value, self.place_of_rest(rest));
        }
        match next_element(self.rest()) {
            Ok((rest, element)) => self.element(visitor, element, self.place_of_rest(rest)),
            Err(_) => self.recover(visitor, byte),
        }
    }

    /// Reads moves and their numbers as long as nothing else comes.
    #[inline]
    fn run_of_moves<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        let (mut input, mut end) = (self.rest(), self.at);
        while let Ok((rest, found)) = fast::game_move(input) {
            // The first one of a game is reported.
            if found.played.kind() == MoveKind::Unseparated && !self.game.seen.contains(Seen::ULTRA_SHORT) {
                break;
            }
            let number = found.count.map(|(number, text)| (number, self.span(text)));
            visitor.game_move(number, found.played, self.span(found.text))?;
            (input, end) = (found.next, self.place_of_rest(rest));
        }
        // Once for the whole run: nothing asks for the state between its moves.
        if end > self.at {
            self.pass(end, Last::Move);
            self.game.has_move = true;
        }
        Flow::Continue(())
    }

    #[inline]
    fn element<V: Visitor>(&mut self, visitor: &mut V, element: Element<'a>, end: usize) -> Step {
        match element {
            Element::GameMove(found) => self.game_move(visitor, found),
            Element::Count(number) => self.count(visitor, number, self.text_to(end), end),
            Element::Comment(text) => self.comment(visitor, text, end),
            Element::Open => self.open(visitor),
            Element::Close => self.close(visitor),
            Element::Marks(marks) => self.marks(visitor, marks, end),
            Element::Nag(nag) => self.nag(visitor, nag, end),
            Element::Setup(fen) => self.setup(visitor, fen, end),
            Element::Ellipsis => self.ellipsis(visitor, end),
            Element::Result(_) => self.result_or_star(visitor, end),
            Element::Tag(name, value) => self.tag(visitor, name, value, end),
        }
    }

    /// Skips whitespace and returns the byte after it.
    #[inline]
    fn skip<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Option<u8>> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(&byte) if byte > b' ' && byte < 0x80 => return ControlFlow::Continue(Some(byte)),
                None => return ControlFlow::Continue(None),
                Some(&byte) => match self.rare_whitespace(byte) {
                    0 => return ControlFlow::Continue(Some(byte)),
                    len => self.skip_rare(visitor, byte, len)?,
                },
            }
        }
    }

    /// The length of a control character, or of whitespace or an invisible character of several bytes.
    #[cold]
    fn rare_whitespace(&self, byte: u8) -> usize {
        if byte <= b' ' { 1 } else { wide_len(self.rest()) }
    }

    #[cold]
    fn skip_rare<V: Visitor>(&mut self, visitor: &mut V, byte: u8, len: usize) -> Flow {
        // Vertical tab and form feed are whitespace to the grammar.
        if byte < b' ' && byte != 0x0B && byte != 0x0C {
            let text = self.text_to(self.at + 1);
            self.report_once(visitor, Seen::CONTROL_CHARACTER, Code::SYNTAX_CONTROL_CHARACTER, text)?;
        }
        self.report_wide(visitor, self.text_to(self.at + len))?;
        self.pass_whitespace(self.at + len);
        Flow::Continue(())
    }

    /// `unicode-space`: reports the first whitespace or invisible character of several bytes in a text, once per game.
    pub(super) fn report_wide<V: Visitor>(&mut self, visitor: &mut V, text: &'a [u8]) -> Flow {
        let is_unusual = |at: &usize| wide_len(&text[*at..]) > 0 && !is_common_wide(&text[*at..]);
        match (0..text.len()).find(is_unusual) {
            Some(at) => {
                let wide = &text[at..at + wide_len(&text[at..])];
                self.report_once(visitor, Seen::WIDE_SPACE, Code::SYNTAX_UNICODE_SPACE, wide)
            }
            None => Flow::Continue(()),
        }
    }

    /// Returns true if the next byte directly follows a move.
    pub(super) fn follows_move(&self) -> bool {
        self.game.last == Last::Move && self.game.end == self.at && self.game.has_move
    }

    #[inline]
    pub(super) fn enter_moves<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if self.game.part == Part::Moves {
            return Flow::Continue(());
        }
        self.game.part = Part::Moves;
        visitor.begin_moves()
    }
}
