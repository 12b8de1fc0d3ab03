//! The reader: goes through the bytes of many games, decides where each begins, and tells a visitor what it meets.
//!
//! It knows the reading grammar and each deviation by name, keeps nothing but a few numbers, and never calls itself,
//! so that no text, however damaged, costs more than linear time and a fixed amount of memory.

use std::ops::ControlFlow;

use super::comment::{CommentEnd, Ends};
use super::lex::{self, Common, Lexed, Marks, Spelling, Token};
use super::lex_tag::{self, TagToken};
use super::place::{Before, is_blank, line_end, same_line, skip_blanks};
use super::tree::WrittenNumber;
use super::visitor::{Fault, Flow, RawTag, Visitor};
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
    /// Whether control characters outside any game were reported.
    reported: bool,
    game: Game<'a>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { bytes, at, ends: Ends::default(), gameless: 0, reported: false, game: Game::new(at) }
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
    }

    // Between games.

    /// Goes to the start of the next game; false if there is none.
    fn between<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), bool> {
        loop {
            self.skip_between(visitor)?;
            let Some(&byte) = self.bytes.get(self.at) else { return ControlFlow::Continue(false) };
            if self.starts_game(self.at) || self.comment_leads(byte) {
                return ControlFlow::Continue(true);
            }
            let (end, code) = self.gameless_token(byte);
            let text = &self.bytes[self.at..end];
            visitor.outside(self.at, Fault { code, span: Span::new(0, text.len() as u32), text })?;
            self.at = end;
        }
    }

    /// Passes blanks; control characters among them are reported once.
    fn skip_between<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        let start = self.at;
        self.at = skip_blanks(self.bytes, start);
        let control = self.bytes[start..self.at].iter().position(|byte| matches!(byte, 0 | 0x1A));
        if let Some(at) = control.filter(|_| !self.reported).map(|control| start + control) {
            self.reported = true;
            let text = &self.bytes[at..=at];
            visitor.outside(at, Fault { code: Code::SYNTAX_CONTROL_CHARACTER, span: Span::new(0, 1), text })?;
        }
        Flow::Continue(())
    }

    /// Whether this is a comment, and a game follows before anything but comments and stray text.
    fn comment_leads(&mut self, byte: u8) -> bool {
        if self.at < self.gameless || !self.is_comment(self.at, byte) {
            return false;
        }
        let mut at = self.at;
        while let Some(&byte) = self.bytes.get(at) {
            if self.starts_game(at) {
                return true;
            }
            if self.result_end(at).is_some() {
                break;
            }
            at = if self.is_comment(at, byte) { self.comment_end(at).end } else { self.junk_end(at) };
            at = skip_blanks(self.bytes, at);
        }
        self.gameless = at;
        false
    }

    fn is_comment(&self, at: usize, byte: u8) -> bool {
        match byte {
            b'{' => true,
            b'%' => Before::new(self.bytes, at).line_start(),
            b';' => at == 0 || is_blank(self.bytes[at - 1]),
            _ => false,
        }
    }

    fn comment_end(&mut self, at: usize) -> CommentEnd {
        if self.bytes[at] == b'{' {
            return self.ends.comment(self.bytes, at);
        }
        let end = line_end(self.bytes, at);
        CommentEnd { inner: end, end, fault: None }
    }

    /// The end and the kind of fault of something that begins no game.
    fn gameless_token(&mut self, byte: u8) -> (usize, Code) {
        if self.is_comment(self.at, byte) {
            let end = self.comment_end(self.at);
            return (end.end, end.fault.unwrap_or(Code::SYNTAX_STRAY_COMMENT));
        }
        if let Some(end) = self.result_end(self.at) {
            return (end, Code::SYNTAX_LONE_RESULT);
        }
        let (mut end, start) = (self.junk_end(self.at), self.at);
        // One finding for a run of words.
        while let Some(next) = same_line(self.bytes, end) {
            let ends_here = self.starts_game(next) || self.result_end(next).is_some();
            if ends_here || self.is_comment(next, self.bytes[next]) {
                break;
            }
            end = self.junk_end(next);
        }
        let code = match self.bytes[start] {
            b'[' | b']' if end == start + 1 => Code::SYNTAX_STRAY_BRACKET,
            b'}' if end == start + 1 => Code::SYNTAX_STRAY_BRACE,
            b'0'..=b'9' if self.bytes[start..end].ends_with(b".") => Code::SYNTAX_NUMBER_WITHOUT_MOVE,
            _ => Code::SYNTAX_STRAY_TEXT,
        };
        (end, code)
    }

    /// The end of a piece of text that is nothing known.
    fn junk_end(&mut self, at: usize) -> usize {
        if self.bytes[at] == b'(' {
            let run = self.bytes[at..].iter().take_while(|&&byte| byte == b'(' || is_blank(byte)).count();
            let run = self.bytes[at..at + run].trim_ascii_end().len();
            return self.ends.prose(self.bytes, at).unwrap_or(at + run);
        }
        lex::word(&self.bytes[at..]).map_or(at + 1, |(rest, _)| self.bytes.len() - rest.len())
    }

    fn result_end(&self, at: usize) -> Option<usize> {
        let rest = &self.bytes[at..];
        let left = match rest.first()? {
            b'*' => &rest[1..],
            b'0'..=b'9' | 0xC2 | 0xBD => match self.lexed(at) {
                Ok((left, Token::Result(_))) => left,
                _ => return None,
            },
            _ => return None,
        };
        Some(self.bytes.len() - left.len())
    }

    fn lexed(&self, at: usize) -> Lexed<'a> {
        let rest = &self.bytes[at..];
        match rest.first() {
            Some(b'0'..=b'9') => lex::digits(rest),
            Some(b'a'..=b'z' | b'A'..=b'Z') => lex::letters(rest),
            Some(0xC2 | 0xBD) => match lex::half(rest) {
                Ok((left, spelling)) => Ok((left, Token::Result(spelling))),
                Err(_) => lex::word(rest),
            },
            _ => lex::word(rest),
        }
    }

    /// Whether a game may begin here.
    fn starts_game(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        match rest.first() {
            Some(b'[') => lex_tag::tag(rest, true).is_some(),
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => self.moves_begin(at),
            Some(b'.') => rest.starts_with(b"..") && self.move_follows(at + dots(rest)),
            Some(b'(') => {
                let inner = rest.iter().position(|&byte| byte != b'(' && !is_blank(byte)).map(|inner| at + inner);
                inner.is_some_and(|inner| match self.bytes[inner] {
                    b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.moves_begin(inner),
                    byte => byte == b'{',
                })
            }
            Some(b'/') => lex::setup(rest).is_ok(),
            _ => false,
        }
    }

    /// Whether a move, or a number and what may follow it, stands here.
    fn moves_begin(&self, at: usize) -> bool {
        match self.lexed(at) {
            // Four digits alone are rather a year.
            Ok((left, Token::Move(marks))) => {
                !marks.has(Marks::GLUED) || self.move_follows(self.bytes.len() - left.len())
            }
            Ok((left, Token::Number { .. } | Token::Typo(_))) => self.move_follows(self.bytes.len() - left.len()),
            Ok((_, Token::Word)) => self.headless_tag(at).is_some(),
            _ => false,
        }
    }

    /// Whether a move, or what stands in its place, is the next token.
    fn move_follows(&self, at: usize) -> bool {
        let at = skip_blanks(self.bytes, at);
        match self.bytes.get(at) {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => matches!(self.lexed(at), Ok((_, Token::Move(_)))),
            Some(b'.') => self.bytes[at..].starts_with(b".."),
            Some(b'-') => self.dashes(at) > 0,
            Some(b'!' | b'?') => {
                let marks = lex::strength(&self.bytes[at..]);
                marks
                    .is_ok_and(|(left, _)| matches!(self.lexed(self.bytes.len() - left.len()), Ok((_, Token::Move(_)))))
            }
            Some(b'{') => true,
            Some(b'/') => lex::setup(&self.bytes[at..]).is_ok(),
            _ => false,
        }
    }

    /// Whether a comment alone was read so far, and what stands here begins no movetext: its tags are still to come.
    fn leads_nowhere(&self, at: usize) -> bool {
        self.game.part == Part::Lead && !self.starts_game(at)
    }

    fn headless_tag(&self, at: usize) -> Option<TagToken> {
        let found = self.bytes[at].is_ascii_uppercase() && Before::new(self.bytes, at).line_start();
        if found { lex_tag::headless(&self.bytes[at..]) } else { None }
    }

    // Inside a game.

    /// Reads one token.
    #[inline]
    fn step<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let Some(byte) = self.skip(visitor)? else { return ControlFlow::Continue(Next::Cut) };
        if self.game.score.is_some()
            && let Some(end) = self.score_end()
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
                        self.pass(self.at + len, Last::Other);
                    }
                },
            }
        }
    }

    /// Length of a rare kind of blank: a control character, a no-break space, a byte order mark.
    #[cold]
    fn odd_blank(&self, byte: u8) -> usize {
        match byte {
            _ if self.rest().starts_with(b"\xC2\xA0") => 2,
            _ if self.rest().starts_with(b"\xEF\xBB\xBF") => 3,
            0xC2 | 0xEF => 0,
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

    /// Digits alone: the number of the move behind them, or stray.
    fn digits<V: Visitor>(&mut self, visitor: &mut V, value: u32, end: usize) -> ControlFlow<(), Next> {
        let next = skip_blanks(self.bytes, end);
        let period = dots(&self.bytes[next..]);
        let glued = self.glued();
        if period > 0 && self.move_follows(next + period) {
            self.fault(visitor, Code::SYNTAX_NUMBER_WITHOUT_DOT, self.at, end)?;
            return self.number(visitor, value, period.min(255) as u8, next + period);
        }
        let plain = matches!(self.bytes.get(next), Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z'));
        if value < 1000 && !glued && plain && self.move_follows(next) {
            self.fault(visitor, Code::SYNTAX_NUMBER_WITHOUT_DOT, self.at, end)?;
            return self.number(visitor, value, 1, end);
        }
        self.words(visitor)
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

    #[inline]
    fn number<V: Visitor>(&mut self, visitor: &mut V, value: u32, dots: u8, end: usize) -> ControlFlow<(), Next> {
        if self.game.part != Part::Lead {
            self.enter_moves(visitor)?;
        }
        if self.game.number.is_some() {
            self.drop_number(visitor)?;
        }
        self.game.number = Some((WrittenNumber { value, dots }, self.at, end));
        self.pass(end, Last::Other);
        GO
    }

    /// A number that no move follows.
    #[cold]
    fn drop_number<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some((_, from, to)) = self.game.number.take() {
            self.fault(visitor, Code::SYNTAX_NUMBER_WITHOUT_MOVE, from, to)?;
            visitor.stray(&self.bytes[from..to], self.span(from, to))?;
        }
        Flow::Continue(())
    }

    /// Tells the number of the move that is told next.
    #[inline]
    fn tell_number<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some((number, from, to)) = self.game.number.take() {
            visitor.number(number, self.span(from, to))?;
        }
        Flow::Continue(())
    }

    #[inline]
    fn movement<V: Visitor>(&mut self, visitor: &mut V, marks: Marks, end: usize) -> ControlFlow<(), Next> {
        let start = self.at;
        if marks.faulty() {
            if marks.has(Marks::GLUED) && self.game.number.is_none() && self.leads_nowhere(start) {
                return self.words(visitor);
            }
            self.odd_move(visitor, marks, end)?;
        }
        self.enter_moves(visitor)?;
        let mut end = end;
        if marks.has(Marks::CAPTURE) {
            end = self.more_jumps(visitor, end)?;
        }
        if let [b'<', ..] | [b' ', b' ' | b'<', ..] = self.bytes[end..] {
            end = self.captured(visitor, end)?;
        }
        self.tell_number(visitor)?;
        visitor.move_text(&self.bytes[start..end], self.span(start, end))?;
        self.pass(end, Last::Move);
        self.game.has_move = true;
        self.tell_strength(visitor)?;
        GO
    }

    #[cold]
    fn odd_move<V: Visitor>(&mut self, visitor: &mut V, marks: Marks, end: usize) -> Flow {
        let (start, all) = (
            self.at,
            [
                (Marks::DASHED, Code::SYNTAX_DASHED_CAPTURE),
                (Marks::ODD_SEPARATOR, Code::SYNTAX_ODD_SEPARATOR),
                (Marks::GLUED, Code::SYNTAX_MISSING_SEPARATOR),
            ],
        );
        for (mark, code) in all {
            if marks.has(mark) {
                self.fault(visitor, code, start, end)?;
            }
        }
        if marks.has(Marks::ULTRA_SHORT) {
            self.once(visitor, once::ULTRA_SHORT, Code::SYNTAX_ULTRA_SHORT, start, end)?;
        }
        if marks.has(Marks::UPPER) {
            self.once(visitor, once::UPPER_CASE, Code::SYNTAX_UPPER_CASE, start, end)?;
        }
        Flow::Continue(())
    }

    /// Reports a fault of a kind that goes through whole games.
    fn once<V: Visitor>(&mut self, visitor: &mut V, bit: u8, code: Code, from: usize, to: usize) -> Flow {
        if self.game.seen & bit != 0 {
            return Flow::Continue(());
        }
        self.game.seen |= bit;
        self.fault(visitor, code, from, to)
    }

    /// The end of a capture written jump by jump: `11x18 18x25` is one move.
    #[inline]
    fn more_jumps<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> ControlFlow<(), usize> {
        let square = last_square(&self.bytes[self.at..end]);
        let next = skip_blanks(self.bytes, end);
        // The first byte tells nearly always.
        if next == end || self.bytes.get(next) != square.first() {
            return ControlFlow::Continue(end);
        }
        self.next_jumps(visitor, end)
    }

    fn next_jumps<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> ControlFlow<(), usize> {
        let mut end = end;
        loop {
            let square = last_square(&self.bytes[self.at..end]);
            let next = skip_blanks(self.bytes, end);
            let follows = next > end && self.bytes[next..].starts_with(square);
            if !follows || !matches!(self.bytes.get(next + square.len()), Some(b'x' | b':' | b'X')) {
                return ControlFlow::Continue(end);
            }
            let Ok((left, Token::Move(marks))) = self.lexed(next) else { return ControlFlow::Continue(end) };
            if !marks.has(Marks::CAPTURE) || marks.faulty() {
                return ControlFlow::Continue(end);
            }
            end = self.bytes.len() - left.len();
            self.fault(visitor, Code::MOVE_SPLIT_CAPTURE, next, end)?;
        }
    }

    #[cold]
    fn captured<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> ControlFlow<(), usize> {
        let Ok((left, _)) = lex::captured_list(&self.bytes[end..]) else { return ControlFlow::Continue(end) };
        let list_end = self.bytes.len() - left.len();
        self.fault(visitor, Code::SYNTAX_CAPTURED_LIST, skip_blanks(self.bytes, end), list_end)?;
        ControlFlow::Continue(list_end)
    }

    /// Tells the marks that stood in front of the move just told.
    #[inline]
    fn tell_strength<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if let Some((from, to)) = self.game.strength.take() {
            visitor.strength(&self.bytes[from..to], self.span(from, to))?;
        }
        Flow::Continue(())
    }

    // Results.

    #[cold]
    fn result<V: Visitor>(&mut self, visitor: &mut V, spelling: Spelling, end: usize) -> ControlFlow<(), Next> {
        let code = match spelling {
            Spelling::Plain => None,
            Spelling::Colon => Some(Code::SYNTAX_COLON_RESULT),
            Spelling::Padded => Some(Code::SYNTAX_BLANK_IN_RESULT),
            Spelling::Odd => Some(Code::SYNTAX_ODD_RESULT),
        };
        if let Some(code) = code {
            self.fault(visitor, code, self.at, end)?;
        }
        if self.game.depth > 0 && !self.game_may_end(end) {
            return self.stray(visitor, end, Code::SYNTAX_RESULT_IN_VARIATION);
        }
        self.terminate(visitor, end)
    }

    /// Whether nothing of this game follows.
    fn game_may_end(&self, at: usize) -> bool {
        let next = skip_blanks(self.bytes, at);
        match self.bytes.get(next) {
            None => true,
            Some(b'[') => lex_tag::tag(&self.bytes[next..], Before::new(self.bytes, next).line_start()).is_some(),
            Some(_) => self.headless_tag(next).is_some(),
        }
    }

    /// The end of a score that repeats the Result tag and ends the game.
    #[cold]
    fn score_end(&self) -> Option<usize> {
        let score = self.game.score?;
        let end = self.at + score.len();
        let whole = self.bytes.get(end).is_none_or(|&byte| is_blank(byte) || byte == b'[');
        (self.rest().starts_with(score) && whole && self.game_may_end(end)).then_some(end)
    }

    fn terminate<V: Visitor>(&mut self, visitor: &mut V, end: usize) -> ControlFlow<(), Next> {
        let start = self.at;
        self.settle(visitor)?;
        visitor.terminator(&self.bytes[start..end], self.span(start, end))?;
        self.pass(end, Last::Other);
        // A comment on the same line is about this game, one on a later line about the next.
        while let Some(next) = same_line(self.bytes, self.at) {
            let byte = self.bytes[next];
            if !self.is_comment(next, byte) {
                break;
            }
            self.at = next;
            self.tell_comment(visitor)?;
        }
        ControlFlow::Continue(Next::Terminated)
    }

    /// Gives up what waits for a move.
    fn settle<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        if self.game.number.is_some() {
            self.drop_number(visitor)?;
        }
        if let Some((from, to)) = self.game.strength.take() {
            visitor.stray(&self.bytes[from..to], self.span(from, to))?;
        }
        for _ in 0..self.game.depth {
            visitor.end_variation(self.span(self.game.end, self.game.end))?;
        }
        if self.game.depth > 0 {
            self.game.depth = 0;
            self.fault(visitor, Code::SYNTAX_UNCLOSED_VARIATION, self.game.opened, self.game.opened + 1)?;
        }
        Flow::Continue(())
    }

    fn finish<V: Visitor>(&mut self, visitor: &mut V, terminated: bool) -> Flow {
        self.settle(visitor)?;
        let end = self.game.end;
        // Behind a comment that was never closed nobody knows whether there was a terminator.
        let known = end > self.game.start && !is_blank(self.bytes[end - 1]);
        if !terminated && known && skip_blanks(self.bytes, self.at) < self.bytes.len() {
            let from = self.bytes[self.game.start..end].iter().rposition(|&byte| is_blank(byte));
            let from = from.map_or(self.game.start, |blank| self.game.start + blank + 1);
            self.fault(visitor, Code::SYNTAX_MISSING_TERMINATOR, from, end)?;
        }
        visitor.end_game((end - self.game.start) as u32)
    }

    // Comments and variations.

    #[inline]
    fn comment<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        self.tell_comment(visitor)?;
        self.game.interrupted = true;
        GO
    }

    /// Tells of the comment that begins here, in braces or to the end of the line.
    fn tell_comment<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        let start = self.at;
        let end = self.comment_end(start);
        if let Some(code) = end.fault {
            self.fault(visitor, code, start, end.end)?;
        }
        let (text, span) = (&self.bytes[start + 1..end.inner], self.span(start, end.end));
        if self.bytes[start] == b'{' {
            visitor.comment(text, span)?;
        } else {
            visitor.line_comment(text, span)?;
        }
        self.pass(end.end, Last::Other);
        Flow::Continue(())
    }

    fn open<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        if let Ok((left, marks)) = lex::strength(self.rest()) {
            let end = self.bytes.len() - left.len();
            return self.strength(visitor, end - 1 - marks.len(), end - 1, end);
        }
        if self.is_prose() {
            let end = self.ends.prose(self.bytes, self.at);
            return self.stray(visitor, end.unwrap_or(self.at + 1), Code::SYNTAX_PROSE_IN_PARENTHESES);
        }
        if self.leads_nowhere(self.at) {
            let end = self.junk_end(self.at);
            return self.stray(visitor, end, Code::SYNTAX_STRAY_TEXT);
        }
        self.enter_moves(visitor)?;
        self.drop_number(visitor)?;
        if self.game.depth == 0 {
            self.game.opened = self.at;
        }
        if !self.game.has_move {
            self.fault(visitor, Code::MOVE_VARIATION_FIRST, self.at, self.at + 1)?;
        }
        self.game.depth += 1;
        self.game.has_move = false;
        visitor.begin_variation(self.span(self.at, self.at + 1))?;
        self.pass(self.at + 1, Last::Other);
        GO
    }

    /// Whether the parenthesis that opens here holds text and no variation.
    fn is_prose(&self) -> bool {
        let inner = skip_blanks(self.bytes, self.at + 1);
        match self.bytes.get(inner) {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => match self.lexed(inner) {
                Ok((_, Token::Move(_) | Token::Result(_))) => false,
                Ok((left, Token::Number { .. } | Token::Typo(_) | Token::Digits(_))) => {
                    let next = skip_blanks(self.bytes, self.bytes.len() - left.len());
                    !self.move_follows(next) && !matches!(self.bytes.get(next), Some(b'(' | b')' | b'.'))
                }
                _ => true,
            },
            Some(b'{' | b'(' | b')' | b'$' | b'/' | b'*' | b'-' | b'.' | b'!' | b'?' | b'%' | b';') | None => false,
            Some(_) => true,
        }
    }

    fn close<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let end = self.at + 1;
        if self.game.depth == 0 {
            return self.stray(visitor, end, Code::SYNTAX_UNOPENED_VARIATION);
        }
        self.drop_number(visitor)?;
        self.game.depth -= 1;
        // A variation stands behind the move that it replaces, or before the first one, which is rare.
        self.game.has_move = true;
        visitor.end_variation(self.span(self.at, end))?;
        self.pass(end, Last::Other);
        GO
    }

    // Tags.

    #[inline]
    fn bracket<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        if let Some(tag) = lex_tag::tag(self.rest(), false) {
            return self.tag(visitor, &tag);
        }
        let loose = self.game.part != Part::Moves || Before::new(self.bytes, self.at).line_start();
        match lex_tag::tag(self.rest(), loose) {
            Some(tag) => self.tag(visitor, &tag),
            None => self.stray(visitor, self.at + 1, Code::SYNTAX_STRAY_BRACKET),
        }
    }

    fn tag<V: Visitor>(&mut self, visitor: &mut V, tag: &TagToken) -> ControlFlow<(), Next> {
        if self.game.part == Part::Moves {
            return ControlFlow::Continue(Next::Cut);
        }
        let start = self.at;
        let within = |range: &std::ops::Range<usize>| (start + range.start, start + range.end);
        let (from, to) = within(&tag.name);
        let name = &self.bytes[from..to];
        if self.is_next_game(name) {
            return ControlFlow::Continue(Next::Cut);
        }
        let end = start + tag.len;
        self.drop_number(visitor)?;
        for code in tag.faults.iter().flatten() {
            self.fault(visitor, *code, start, end)?;
        }
        let (from, to) = within(&tag.value);
        let value = &self.bytes[from..to];
        if name == b"Result" {
            self.game.score = score_of(value);
        }
        visitor.tag(RawTag { name, value, span: self.span(start, end), value_span: self.span(from, to) })?;
        self.pass(end, Last::Other);
        self.game.part = Part::Tags;
        self.game.interrupted = false;
        GO
    }

    /// Whether the tag of that name, in a game that has no moves yet, belongs to the next one.
    fn is_next_game(&mut self, name: &[u8]) -> bool {
        let bit = match name {
            b"Event" => once::EVENT,
            b"FEN" => once::FEN,
            _ => 0,
        };
        let again = self.game.seen & bit != 0;
        let commented = self.game.interrupted && self.game.part == Part::Tags;
        if (again || commented) && Before::new(self.bytes, self.at).blank_line() {
            return true;
        }
        self.game.seen |= bit;
        false
    }

    // All the rest.

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

    fn word_end(&self, at: usize) -> usize {
        lex::word(&self.bytes[at..]).map_or(at + 1, |(left, _)| self.bytes.len() - left.len())
    }

    /// Whether a word at `next` goes on a run that ends at `end`.
    fn continues_words(&self, end: usize, next: usize, byte: u8) -> bool {
        let before = Before::new(self.bytes, next);
        let known = match byte {
            b'0'..=b'9' => match self.lexed(next) {
                Ok((left, Token::Digits(_))) => self.move_follows(self.bytes.len() - left.len()),
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
        !known && !before.blank_line() && next > end
    }

    /// `!?` behind a move, far behind it, or in front of one.
    fn marks<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let len = self.rest().iter().take_while(|&&byte| byte == b'!' || byte == b'?').count();
        let end = self.at + len;
        let before = !self.glued() && matches!(self.lexed(end), Ok((_, Token::Move(_))));
        if before && self.game.strength.is_none() {
            self.fault(visitor, Code::SYNTAX_STRENGTH_BEFORE, self.at, end)?;
            self.game.strength = Some((self.at, end));
            self.pass(end, Last::Other);
            return GO;
        }
        self.strength(visitor, self.at, end, end)
    }

    /// The marks `from..to` of the last move, up to `end`.
    fn strength<V: Visitor>(&mut self, visitor: &mut V, from: usize, to: usize, end: usize) -> ControlFlow<(), Next> {
        if !self.game.has_move || self.game.number.is_some() {
            return self.stray(visitor, end, Code::SYNTAX_STRAY_TEXT);
        }
        if !(self.game.end == self.at && matches!(self.game.last, Last::Move | Last::Null)) {
            self.fault(visitor, Code::SYNTAX_STRENGTH_APART, self.at, end)?;
        }
        visitor.strength(&self.bytes[from..to], self.span(self.at, end))?;
        // A star may stand behind the marks.
        self.pass(end, Last::Move);
        GO
    }

    fn nag<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let Ok((left, nag)) = lex::nag(self.rest()) else { return self.words(visitor) };
        let end = self.bytes.len() - left.len();
        if self.game.part != Part::Lead {
            self.enter_moves(visitor)?;
        }
        visitor.nag(nag, self.span(self.at, end))?;
        self.pass(end, Last::Other);
        GO
    }

    /// The end of the game, or the mark of a forced move.
    fn star<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        const FORCED: u16 = 7;
        let end = self.at + 1;
        if self.glued() {
            self.fault(visitor, Code::SYNTAX_FORCED_STAR, self.at, end)?;
            visitor.nag(FORCED, self.span(self.at, end))?;
            self.pass(end, Last::Other);
            return GO;
        }
        self.result(visitor, Spelling::Plain, end)
    }

    fn period<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let end = self.at + dots(self.rest());
        if end == self.at + 1 {
            return self.stray(visitor, end, Code::SYNTAX_STRAY_PERIOD);
        }
        if self.game.number.is_none() && self.leads_nowhere(self.at) {
            return self.stray(visitor, end, Code::SYNTAX_STRAY_PERIOD);
        }
        self.enter_moves(visitor)?;
        self.tell_number(visitor)?;
        visitor.ellipsis(self.span(self.at, end))?;
        self.pass(end, Last::Null);
        self.game.has_move = true;
        self.tell_strength(visitor)?;
        GO
    }

    /// Number of hyphens here, if one or two of them stand alone.
    fn dashes(&self, at: usize) -> usize {
        let len = self.bytes[at..].iter().take_while(|&&byte| byte == b'-').count();
        let alone = self.bytes.get(at + len).is_none_or(|&byte| is_blank(byte) || b"!?()[{*$;".contains(&byte));
        if alone && len <= 2 { len } else { 0 }
    }

    /// A null move, or a hyphen in the place of a result.
    fn dash<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let len = self.dashes(self.at);
        let end = self.at + len;
        let numbered = self.game.number.is_some();
        if self.game.part != Part::Moves && !numbered {
            return self.words(visitor);
        }
        let glued = self.glued();
        if len == 1 && !numbered && self.game.last != Last::Null && self.game_may_end(end) {
            self.fault(visitor, Code::SYNTAX_DASH_RESULT, self.at, end)?;
            return self.terminate(visitor, end);
        }
        if glued {
            return self.words(visitor);
        }
        self.fault(visitor, Code::SYNTAX_NULL_MOVE, self.at, end)?;
        self.tell_number(visitor)?;
        visitor.null_move(self.span(self.at, end))?;
        self.pass(end, Last::Null);
        self.game.has_move = true;
        self.tell_strength(visitor)?;
        GO
    }

    fn setup<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let Ok((left, (fen, closed))) = lex::setup(self.rest()) else { return self.words(visitor) };
        let end = self.bytes.len() - left.len();
        self.enter_moves(visitor)?;
        if !closed {
            self.fault(visitor, Code::SYNTAX_UNCLOSED_SETUP, self.at, end)?;
        }
        self.tell_number(visitor)?;
        visitor.setup(fen, self.span(self.at, end))?;
        self.pass(end, Last::Null);
        self.game.has_move = true;
        self.tell_strength(visitor)?;
        GO
    }

    fn backslash<V: Visitor>(&mut self, visitor: &mut V) -> ControlFlow<(), Next> {
        let Ok((_, typed)) = lex::typed_escape(self.rest()) else { return self.words(visitor) };
        let end = self.at + typed.len();
        self.fault(visitor, Code::SYNTAX_TYPED_ESCAPE, self.at, end)?;
        self.pass(end, Last::Other);
        GO
    }
}

/// The square that the move ends with, with its file if it has one.
#[inline]
fn last_square(text: &[u8]) -> &[u8] {
    let [.., third, second, _] = text else { return text };
    let digits = 1 + usize::from(second.is_ascii_digit());
    let before = if digits == 2 { third } else { second };
    &text[text.len() - digits - usize::from(before.is_ascii_alphabetic() && *before != b'x')..]
}

fn dots(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| byte == b'.').count()
}

/// The value of a Result tag, if no token of the grammar can stand for it.
fn score_of(value: &[u8]) -> Option<&[u8]> {
    let value = value.trim_ascii();
    let known = match value {
        [] | b"*" | b"?" | b"-" => true,
        _ => matches!(lex::digits(value), Ok(([], Token::Result(_)))),
    };
    (!known && value.iter().any(u8::is_ascii_digit)).then_some(value)
}
