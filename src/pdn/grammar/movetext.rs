//! The tokens of movetext: the productions of `grammar/movetext.ebnf`.

use bitflags::bitflags;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take};
use nom::combinator::{not, peek, recognize, verify};
use nom::multi::{fold_many1, many0_count, many1_count};
use nom::sequence::{delimited, preceded, terminated};

use super::Parsed;
use super::primitive::{byte, decimal, dots, few, line, next_is, one, open_setup, run, tag_head, until};
use crate::pdn::movetext::{MoveKind, Squares, WrittenSquare};
use crate::pdn::tree::WrittenNumber;
use crate::text::whitespace::is_blank;

bitflags! {
    /// How a move deviates from the grammar.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(in crate::pdn) struct Deviations: u8 {
        const DASHED_CAPTURE = 1;
        const ODD_SEPARATOR = 1 << 1;
        const UPPER_CASE = 1 << 2;
        const ULTRA_SHORT = 1 << 3;
        const MISSING_SEPARATOR = 1 << 4;
    }
}

/// A move as a parser found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pdn) struct Move<'a> {
    pub(in crate::pdn) kind: MoveKind,
    pub(in crate::pdn) squares: Squares,
    /// The last square; empty where no further jump can start from it.
    pub(in crate::pdn) last: &'a [u8],
    pub(in crate::pdn) deviations: Deviations,
}

impl<'a> Move<'a> {
    pub(in crate::pdn) fn start(square: &'a [u8]) -> Self {
        let nothing = Self {
            kind: MoveKind::Unseparated,
            squares: Squares::new(),
            last: square,
            deviations: Deviations::empty(),
        };
        nothing.to(MoveKind::Unseparated, square)
    }

    /// Adds a square and the separator before it.
    #[must_use]
    pub(in crate::pdn) fn to(mut self, separator: MoveKind, square: &'a [u8]) -> Self {
        // One sign of a capture is enough: `32x23-14` captures.
        if self.kind != MoveKind::Capture && separator != MoveKind::Unseparated {
            self.kind = separator;
        }
        self.squares.push(WrittenSquare::of(square));
        self.last = square;
        self
    }
}

/// `digit = "0" … "9"`
#[inline(always)]
pub(in crate::pdn) fn digit(input: &[u8]) -> Parsed<'_, u8> {
    one(|byte| byte.is_ascii_digit())(input)
}

/// `file = "a" … "l"`
#[inline(always)]
pub(in crate::pdn) fn file(input: &[u8]) -> Parsed<'_, u8> {
    one(|byte| matches!(byte, b'a'..=b'l'))(input)
}

/// `letter = "A" … "Z" | "a" … "z"`
#[inline(always)]
pub(in crate::pdn) fn letter(input: &[u8]) -> Parsed<'_, u8> {
    one(|byte| byte.is_ascii_alphabetic())(input)
}

/// `blank = ? space, tab, line break ?`
#[inline(always)]
pub(in crate::pdn) fn blank(input: &[u8]) -> Parsed<'_, u8> {
    one(is_blank)(input)
}

/// `gap = { blank }`, without an empty line; takes nothing if there is one.
#[inline(always)]
pub(in crate::pdn) fn gap(input: &[u8]) -> Parsed<'_> {
    let paragraph = |blanks: &[u8]| blanks.iter().filter(|&&byte| byte == b'\n').nth(1).is_none();
    alt((verify(run(is_blank), paragraph), run(|_| false))).parse(input)
}

/// `number = digit, { digit }, ".", { "." }`
#[inline(always)]
pub(in crate::pdn) fn number(input: &[u8]) -> Parsed<'_, WrittenNumber> {
    let digits = recognize((digit, run(|byte| byte.is_ascii_digit())));
    // A byte is enough for the dots; a damaged file may have thousands.
    let value = |(digits, dots): (&[u8], &[u8])| WrittenNumber::new(decimal(digits), dots.len().min(255) as u8);
    (digits, dots).map(value).parse(input)
}

/// `numeral = digit, [ digit ]`
#[inline(always)]
pub(in crate::pdn) fn numeral(input: &[u8]) -> Parsed<'_> {
    few::<1, 2>(|byte| byte.is_ascii_digit())(input)
}

/// `cell = file, digit, [ digit ]`
#[inline(always)]
pub(in crate::pdn) fn cell(input: &[u8]) -> Parsed<'_> {
    recognize((file, numeral)).parse(input)
}

/// `move sign = "-"`
#[inline(always)]
pub(in crate::pdn) fn move_sign(input: &[u8]) -> Parsed<'_, MoveKind> {
    byte(b'-').map(|_| MoveKind::Quiet).parse(input)
}

/// `capture sign = "x" | ":"`
#[inline(always)]
pub(in crate::pdn) fn capture_sign(input: &[u8]) -> Parsed<'_, MoveKind> {
    one(|byte| matches!(byte, b'x' | b':')).map(|_| MoveKind::Capture).parse(input)
}

/// A second or later `numeral` with the gap before it. After a gap it must not be followed by a dot: `12- 13. 5-10`
/// lacks a square.
#[inline(always)]
fn next_numeral(input: &[u8]) -> Parsed<'_> {
    alt((numeral, delimited(gap, numeral, not(byte(b'.'))))).parse(input)
}

/// A second or later `cell` with the gap before it.
#[inline(always)]
fn next_cell(input: &[u8]) -> Parsed<'_> {
    preceded(gap, cell).parse(input)
}

/// `quiet move`: two numerals or two cells with a move sign between them, or cells alone.
#[inline(always)]
pub(in crate::pdn) fn quiet_move(input: &[u8]) -> Parsed<'_, Move<'_>> {
    let numerals = (preceded(not(spelt_result), numeral), preceded(gap, move_sign), next_numeral);
    let cells = (cell, preceded(gap, move_sign), next_cell);
    let signed = alt((numerals, cells)).map(|(from, sign, to)| Move::start(from).to(sign, to));
    terminated(alt((signed, cells_alone)), end_of_move).parse(input)
}

/// `cell, cell, { cell }`
fn cells_alone<'a>(input: &'a [u8]) -> Parsed<'a, Move<'a>> {
    let (rest, from) = terminated(cell, peek(cell)).parse(input)?;
    let next = |path: Move<'a>, to| path.to(MoveKind::Unseparated, to);
    fold_many1(cell, || Move::start(from), next).parse(rest)
}

/// `capture`: numerals or cells with capture signs between them.
#[inline(always)]
pub(in crate::pdn) fn capture(input: &[u8]) -> Parsed<'_, Move<'_>> {
    let no_move = || not(alt((spelt_result, clock_time, colon_count.map(|_| ()))));
    let numerals = |input| preceded(no_move(), |input| jumps(input, numeral, next_numeral)).parse(input);
    let cells = |input| jumps(input, cell, next_cell);
    terminated(alt((numerals, cells)), end_of_move).parse(input)
}

/// `square, gap, capture sign, gap, square, { capture sign, gap, square }`
#[inline(always)]
fn jumps<'a>(
    input: &'a [u8],
    first: fn(&'a [u8]) -> Parsed<'a>,
    next: fn(&'a [u8]) -> Parsed<'a>,
) -> Parsed<'a, Move<'a>> {
    let (rest, (from, _)) = (first, peek((gap, capture_sign))).parse(input)?;
    let (rest, _) = gap(rest)?;
    fold_many1((capture_sign, next), || Move::start(from), |path: Move<'a>, (sign, to)| path.to(sign, to)).parse(rest)
}

/// The longest token that fits is meant: no move ends before what could be another square or sign, or before a letter.
#[inline(always)]
fn end_of_move(input: &[u8]) -> Parsed<'_, ()> {
    let continues = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | 0x80..);
    next_is(move |byte| !byte.is_some_and(continues))(input)
}

/// `ellipsis = "..", { "." }`
#[inline(always)]
pub(in crate::pdn) fn ellipsis(input: &[u8]) -> Parsed<'_> {
    recognize((byte(b'.'), dots)).parse(input)
}

/// `move = quiet move | capture | ellipsis`; the ellipsis has dots in place of squares and is a separate production.
#[inline(always)]
pub(in crate::pdn) fn r#move(input: &[u8]) -> Parsed<'_, Move<'_>> {
    alt((quiet_move, capture)).parse(input)
}

/// `marks = mark, { mark } | "(", mark, { mark }, ")"`: the marks without parentheses.
#[inline(always)]
pub(in crate::pdn) fn marks(input: &[u8]) -> Parsed<'_> {
    let marks = || recognize((mark, run(is_mark)));
    alt((marks(), delimited(byte(b'('), marks(), byte(b')')))).parse(input)
}

/// `mark = "!" | "?"`
#[inline(always)]
pub(in crate::pdn) fn mark(input: &[u8]) -> Parsed<'_, u8> {
    one(is_mark)(input)
}

const fn is_mark(byte: u8) -> bool {
    matches!(byte, b'!' | b'?')
}

/// `nag = "$", digit, [ digit ], [ digit ]`, with no further digit after it.
#[inline(always)]
pub(in crate::pdn) fn nag(input: &[u8]) -> Parsed<'_, u16> {
    let digits = few::<1, 3>(|byte| byte.is_ascii_digit());
    preceded(byte(b'$'), digits).map(|digits| decimal(digits) as u16).parse(input)
}

/// `comment = "{", { ? any character but a brace ? }, "}"`: its text.
///
/// A comment that holds what looks like a tag may have swallowed the next game, and is left to
/// [`recover`](crate::pdn::recover).
#[inline(always)]
pub(in crate::pdn) fn comment(input: &[u8]) -> Parsed<'_> {
    // First, because nearly all comments end before another brace or bracket, and one search finds that.
    let plain = terminated(until([b'}', b'{', b'[']), byte(b'}'));
    preceded(byte(b'{'), alt((plain, terminated(text_with_brackets, byte(b'}'))))).parse(input)
}

fn text_with_brackets(input: &[u8]) -> Parsed<'_> {
    let bracket = recognize(preceded(not(tag_head), byte(b'[')));
    recognize(many0_count(alt((is_not("{}["), bracket)))).parse(input)
}

/// `line comment = ( "%" | ";" ), { ? any character but a line break ? }`: its text. The reader decides where on the
/// line it may begin.
#[inline(always)]
pub(in crate::pdn) fn line_comment(input: &[u8]) -> Parsed<'_> {
    preceded(one(|byte| matches!(byte, b'%' | b';')), line).parse(input)
}

/// `command = "[%", name, { blank }, { ? any character but "]" ? }, "]"`: its name and the text after it.
pub(in crate::pdn) fn command(input: &[u8]) -> Parsed<'_, (&[u8], &[u8])> {
    let name = preceded(tag("[%"), terminated(name, peek(alt((blank, byte(b']'))))));
    terminated((name, preceded(run(is_blank), run(|byte| byte != b']'))), byte(b']')).parse(input)
}

/// `setup = "/", { blank }, "FEN", { blank }, '"', …, '"', { blank }, "/"`: the text between the quotes.
#[inline(always)]
pub(in crate::pdn) fn setup(input: &[u8]) -> Parsed<'_> {
    terminated(open_setup, (run(is_blank), byte(b'/'))).parse(input)
}

/// `result = "1-0" | "0-1" | "1/2-1/2" | "2-0" | "0-2" | "1-1" | "0-0" | "*"`
#[inline(always)]
pub(in crate::pdn) fn result(input: &[u8]) -> Parsed<'_> {
    let digits = verify(take(3usize), |text: &[u8]| matches!(text, [a, b'-', b] if is_result(*a, *b)));
    alt((tag("*"), terminated(alt((digits, tag("1/2-1/2"))), end_of_move))).parse(input)
}

/// Returns true if two digits are a result. No board has a square 0, and no move goes from 1 to 1.
pub(in crate::pdn) const fn is_result(first: u8, second: u8) -> bool {
    matches!((first, second), (b'1', b'0' | b'1') | (b'0', b'0' | b'1' | b'2') | (b'2', b'0'))
}

/// The digits of a result with any sign and gaps, or directly before the number of the next game: no move begins like that.
fn spelt_result(input: &[u8]) -> Parsed<'_, ()> {
    let digits = (digit, gap, one(|byte| matches!(byte, b'-' | b':')), gap, digit);
    let digits = verify(digits, |found| is_result(found.0, found.4));
    alt((terminated(digits, not(digit)).map(|_| ()), result_before_number)).parse(input)
}

/// The beginning of `0:05` and `00:05:12`: no board has a square 0, and results have one digit on each side.
pub(in crate::pdn) fn clock_time(input: &[u8]) -> Parsed<'_, ()> {
    let digits = few::<2, 2>(|byte| byte.is_ascii_digit());
    (few::<1, 2>(|byte| byte == b'0'), byte(b':'), digits).map(|_| ()).parse(input)
}

/// `1: ` of `1: 32-28`: a number with a colon in place of its dot, before a space and the two squares of a move.
pub(in crate::pdn) fn colon_count(input: &[u8]) -> Parsed<'_, u32> {
    let moved = (many1_count(blank), numeral, one(|byte| matches!(byte, b'-' | b'x')), digit);
    terminated(few::<1, 3>(|byte| byte.is_ascii_digit()), (byte(b':'), peek(moved))).map(decimal).parse(input)
}

/// `0-0` of `0-01. 33-29`, where the next game begins with `1. 33-29`. No board has a square 0, and `2-01` cannot be a
/// move where the first square is written without a zero; `1-11` can.
pub(in crate::pdn) fn result_before_number(input: &[u8]) -> Parsed<'_, ()> {
    let has_zero = |(first, _, second): &(u8, u8, u8)| is_result(*first, *second) && [*first, *second].contains(&b'0');
    let digits = verify((digit, byte(b'-'), digit), has_zero);
    terminated(digits, peek(first_move)).map(|_| ()).parse(input)
}

/// `1.` and the beginning of a move.
pub(in crate::pdn) fn first_move(input: &[u8]) -> Parsed<'_, ()> {
    let numerals = (numeral, one(|byte| matches!(byte, b'-' | b'x' | b':'))).map(|_| ());
    let begun = alt((numerals, cell.map(|_| ())));
    (byte(b'1'), byte(b'.'), not(byte(b'.')), gap, begun).map(|_| ()).parse(input)
}

/// `string`: a value between quotation marks, with its backslashes.
#[inline(always)]
pub(in crate::pdn) fn string(input: &[u8]) -> Parsed<'_> {
    // First, because nearly all values have one line and no escapes.
    let plain = terminated(until([b'"', b'\\', b'\n']), byte(b'"'));
    let escape = recognize((byte(b'\\'), one(|_| true)));
    let text = recognize(many0_count(alt((is_not("\"\\"), escape))));
    let of_lines = terminated(verify(text, is_soft), byte(b'"'));
    preceded(byte(b'"'), alt((plain, of_lines))).parse(input)
}

/// Returns true if the line breaks of a value lead neither to an empty line nor to one that begins with a bracket.
pub(in crate::pdn) fn is_soft(value: &[u8]) -> bool {
    let mut lines = value.split(|&byte| byte == b'\n').skip(1);
    lines.all(|line| line.trim_ascii().first().is_some_and(|&byte| byte != b'['))
}

/// `name = letter, { letter | digit | "_" }`
#[inline(always)]
pub(in crate::pdn) fn name(input: &[u8]) -> Parsed<'_> {
    recognize((letter, run(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))).parse(input)
}
