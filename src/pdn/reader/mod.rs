//! The reader: goes through the bytes of many games, decides where each begins, and tells a visitor what it meets.
//!
//! It knows the reading grammar and each deviation by name, keeps nothing but a few numbers, and never calls itself,
//! so that no text, however damaged, costs more than linear time and a fixed amount of memory.

mod between;
mod ends;
mod marks;
mod moves;
mod parts;

use std::ops::ControlFlow;

use super::comment::Ends;
use super::lex::{self, Common, Marks, Spelling, Token};
use super::place::{Before, skip_blanks, wide_blank};
use super::tree::WrittenNumber;
use super::visitor::{Fault, Flow, Visitor};
use crate::diag::{Code, Span};

/// Reads all games of the bytes and tells the visitor of them.
///
/// # Examples
///
/// ```
/// use pdn::pdn::{Flow, Visitor, read};
/// use pdn::diag::Span;
///
/// struct Count(usize);
/// impl Visitor for Count {
///     fn move_text(&mut self, _: &[u8], _: Span) -> Flow {
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

/// What the last token was, as far as the next one asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Nothing,
    Move,
    Null,
    Setup,
    /// A null move or setup, with what is read as a blank behind it.
    Apart,
    /// The parenthesis that opens a variation.
    Open,
    Other,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Nothing but comments so far.
    Lead,
    Tags,
    Moves,
}

/// Bits of [`Game::seen`]: what counts once a game.
mod once {
    pub(super) const ULTRA_SHORT: u8 = 1;
    pub(super) const UPPER_CASE: u8 = 2;
    pub(super) const CONTROL: u8 = 4;
    pub(super) const EVENT: u8 = 8;
    pub(super) const FEN: u8 = 16;
    pub(super) const DEEP: u8 = 32;
}

/// How a game goes on behind a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Token,
    /// The game is over: a terminator was read.
    Terminated,
    /// The game is over: the next one, or nothing, follows.
    Cut,
}

const GO: ControlFlow<(), Next> = ControlFlow::Continue(Next::Token);

/// What is known of the game that is being read.
#[derive(Clone, Debug)]
struct Game<'a> {
    start: usize,
    part: Part,
    /// Whether comments or stray text stand behind the last tag.
    interrupted: bool,
    depth: u32,
    /// The parenthesis of the outermost open variation.
    opened: usize,
    number: Option<(WrittenNumber, usize, usize)>,
    /// Marks in front of their move.
    strength: Option<(usize, usize)>,
    last: Last,
    /// End of the last token.
    end: usize,
    /// Whether the last token is a comment that was never closed.
    unclosed: bool,
    /// Whether a move, or what stands for one, was read in this line.
    has_move: bool,
    /// The value of the Result tag, if it is a score of its own kind.
    score: Option<&'a [u8]>,
    /// What was seen of all that counts once; see [`once`].
    seen: u8,
}

impl Game<'_> {
    const fn new(start: usize) -> Self {
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
            seen: 0,
        }
    }
}

/// Goes from game to game.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    ends: Ends,
    /// No comment before this byte belongs to a game.
    gameless: usize,
    /// Up to here something of the game that was read last goes on: a search for its end that failed is not begun again.
    goes_on: usize,
    /// Whether control characters outside any game were reported.
    reported: bool,
    game: Game<'a>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { bytes, at, ends: Ends::default(), gameless: 0, goes_on: 0, reported: false, game: Game::new(at) }
    }

    /// Reads one game; false if there is none left.
    pub(super) fn next_game<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), bool> {
        if !self.between(visitor)? {
            return ControlFlow::Continue(false);
        }
        self.game = Game::new(self.at);
        visitor.begin_game(self.at)?;
        let end = loop {
            match self.step(visitor)? {
                Next::Token => {}
                end => break end,
            }
        };
        self.finish(visitor, end == Next::Terminated)?;
        ControlFlow::Continue(true)
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new((from - self.game.start) as u32, (to - self.game.start) as u32)
    }

    #[cold]
    fn fault<V: Visitor>(&self, visitor: &mut V, code: Code, from: usize, to: usize) -> Flow {
        visitor.fault(Fault { code, span: self.span(from, to), text: &self.bytes[from..to] })
    }

    /// Passes a token.
    #[inline]
    fn pass(&mut self, end: usize, last: Last) {
        self.at = end;
        self.game.end = end;
        self.game.last = last;
        self.game.unclosed = false;
    }

    /// Passes what is read as a blank, though it is told of.
    fn pass_blank(&mut self, end: usize) {
        let last = match self.game.last {
            Last::Null | Last::Setup | Last::Apart => Last::Apart,
            Last::Open => Last::Open,
            _ => Last::Other,
        };
        self.pass(end, last);
    }

    /// Reads one token.
    #[inline]
    fn step<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let Some(byte) = self.skip(visitor)? else { return ControlFlow::Continue(Next::Cut) };
        if self.game.score.is_some()
            && let Some(end) = self.score_end(self.at)
        {
            self.fault(visitor, Code::SYNTAX_SCORE, self.at, end)?;
            return self.terminate(visitor, end);
        }
        match byte {
            b'0'..=b'9' => match lex::common(self.rest()) {
                Common::Quiet(len) => self.movement(visitor, Marks::default(), self.at + len),
                Common::Capture(len) => self.movement(visitor, Marks::CAPTURE, self.at + len),
                Common::Number(len, value) => self.number(visitor, value, 1, self.at + len),
                Common::Other => {
                    let (left, token) = lex::digits(self.rest()).unwrap_or((&[], Token::Word));
                    self.token(visitor, token, self.bytes.len() - left.len())
                }
            },
            b'a'..=b'z' | b'A'..=b'Z' => {
                let (left, token) = lex::letters(self.rest()).unwrap_or((&[], Token::Word));
                self.token(visitor, token, self.bytes.len() - left.len())
            }
            b'{' => self.comment(visitor),
            b'[' => self.bracket(visitor),
            b'(' => self.open(visitor),
            b')' => self.close(visitor),
            _ => self.mark(visitor, byte),
        }
    }

    /// Passes blanks and returns the byte behind them.
    #[inline]
    fn skip<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Option<u8>> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(&byte) if byte > b' ' && byte != 0xC2 && byte != 0xEF => return ControlFlow::Continue(Some(byte)),
                None => return ControlFlow::Continue(None),
                Some(&byte) => match self.odd_blank(byte) {
                    0 => return ControlFlow::Continue(Some(byte)),
                    len => {
                        if byte < b' ' && byte != 0x0B && byte != 0x0C {
                            self.once(visitor, once::CONTROL, Code::SYNTAX_CONTROL_CHARACTER, self.at, self.at + 1)?;
                        }
                        self.pass_blank(self.at + len);
                    }
                },
            }
        }
    }

    /// Length of a rare kind of blank: a control character, a no-break space, a byte order mark.
    #[cold]
    fn odd_blank(&self, byte: u8) -> usize {
        match byte {
            0xC2 | 0xEF => wide_blank(self.rest()),
            _ => 1,
        }
    }

    #[inline]
    fn token<V: Visitor>(&mut self, visitor: &mut V, token: Token, end: usize) -> ControlFlow<(), Next> {
        match token {
            Token::Move(marks) => self.movement(visitor, marks, end),
            Token::Number { value, dots } => self.number(visitor, value, dots, end),
            other => self.rare_token(visitor, other, end),
        }
    }

    #[cold]
    fn rare_token<V: Visitor>(&mut self, visitor: &mut V, token: Token, end: usize) -> ControlFlow<(), Next> {
        match token {
            Token::Result(spelling) => self.result(visitor, spelling, end),
            Token::Typo(value) if self.move_follows(end) => {
                self.fault(visitor, Code::SYNTAX_NUMBER_TYPO, self.at, end)?;
                self.number(visitor, value, 1, end)
            }
            Token::Digits(value) => self.digits(visitor, value, end),
            _ => match self.headless_tag(self.at) {
                Some(tag) => self.tag(visitor, &tag),
                None => self.words(visitor),
            },
        }
    }

    /// Whether the next byte stands directly behind a move.
    fn glued(&self) -> bool {
        self.game.last == Last::Move && self.game.end == self.at && self.game.has_move
    }

    #[inline]
    fn enter_moves<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if self.game.part == Part::Moves {
            return Flow::Continue(());
        }
        self.game.part = Part::Moves;
        visitor.begin_moves()
    }

    /// Reports a fault of a kind that goes through whole games.
    fn once<V: Visitor>(&mut self, visitor: &mut V, bit: u8, code: Code, from: usize, to: usize) -> Flow {
        if self.game.seen & bit != 0 {
            return Flow::Continue(());
        }
        self.game.seen |= bit;
        self.fault(visitor, code, from, to)
    }

    fn mark<V: Visitor>(&mut self, visitor: &mut V, byte: u8) -> ControlFlow<(), Next> {
        match byte {
            b'!' | b'?' => self.marks(visitor),
            b'$' => self.nag(visitor),
            b'*' => self.star(visitor),
            b'.' => self.period(visitor),
            b'-' if self.dashes(self.at) > 0 => self.dash(visitor),
            b'%' | b';' if self.is_comment(self.at, byte) => self.comment(visitor),
            b'/' => self.setup(visitor),
            b'\\' => self.backslash(visitor),
            b'}' => self.stray(visitor, self.at + 1, Code::SYNTAX_STRAY_BRACE),
            b']' => self.stray(visitor, self.at + 1, Code::SYNTAX_STRAY_BRACKET),
            _ => match self.result_end(self.at) {
                Some(end) => self.result(visitor, Spelling::Odd, end),
                None => self.words(visitor),
            },
        }
    }

    /// Keeps text that has no place in the grammar.
    #[cold]
    fn stray<V: Visitor>(&mut self, visitor: &mut V, end: usize, code: Code) -> ControlFlow<(), Next> {
        self.fault(visitor, code, self.at, end)?;
        visitor.stray(&self.bytes[self.at..end], self.span(self.at, end))?;
        self.game.interrupted = true;
        self.pass(end, Last::Other);
        GO
    }

    /// A run of words that are nothing known.
    #[cold]
    fn words<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        if let Some(end) = self.misspelt_end(self.at) {
            return self.stray(visitor, end, Code::SYNTAX_LETTER_FOR_DIGIT);
        }
        let code = if self.glued() { Code::SYNTAX_MISSING_BLANK } else { Code::SYNTAX_STRAY_TEXT };
        let mut end = self.word_end(self.at);
        loop {
            let next = skip_blanks(self.bytes, end);
            if !self.bytes.get(next).is_some_and(|&byte| self.continues_words(end, next, byte)) {
                break;
            }
            end = self.word_end(next);
        }
        self.stray(visitor, end, code)
    }

    /// The end of a move with a letter in the place of a digit.
    pub(super) fn misspelt_end(&self, at: usize) -> Option<usize> {
        let in_moves = self.game.part != Part::Lead || self.game.number.is_some();
        let misspelt = lex::misspelt(&self.bytes[at..]).ok().filter(|_| in_moves);
        misspelt.map(|(left, _)| self.bytes.len() - left.len())
    }

    fn word_end(&self, at: usize) -> usize {
        lex::word(&self.bytes[at..]).map_or(at + 1, |(left, _)| self.bytes.len() - left.len())
    }

    /// Whether a word at `next` goes on a run that ends at `end`.
    fn continues_words(&self, end: usize, next: usize, byte: u8) -> bool {
        let before = Before::new(self.bytes, next);
        let known = match byte {
            b'0'..=b'9' => match self.lexed(next) {
                Ok((left, Token::Digits(_) | Token::Typo(_))) => self.move_follows(self.bytes.len() - left.len()),
                Ok((_, Token::Word)) => false,
                _ => true,
            },
            b'a'..=b'z' | b'A'..=b'Z' => {
                matches!(self.lexed(next), Ok((_, Token::Move(_)))) || self.headless_tag(next).is_some()
            }
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'$' | b'*' | b'.' | b'!' | b'?' | b'-' | b'/' | b'\\' => true,
            b'%' | b';' => self.is_comment(next, byte),
            _ => false,
        };
        let known = known || self.misspelt_end(next).is_some();
        !known && !before.blank_line() && next > end
    }
}

fn dots(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| byte == b'.').count()
}
