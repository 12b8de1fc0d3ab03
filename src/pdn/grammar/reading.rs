//! Records, games and their elements: the productions of `grammar/reading.ebnf`.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{consumed, opt, peek, recognize};
use nom::multi::{many0_count, many1_count};
use nom::sequence::{delimited, preceded, terminated};

use super::movetext::{
    blank, capture, comment, ellipsis, marks, r#move, nag, number, quiet_move, result, setup, string,
};
use super::primitive::{byte, next_is, one, run, wide};
use super::{Move, Parsed};
use crate::pdn::tree::WrittenNumber;
use crate::text::whitespace::is_whitespace;

/// `white space = { blank | ? vertical tab, form feed, no-break space, byte order mark ? }`
#[inline(always)]
pub(in crate::pdn) fn white_space(input: &[u8]) -> Parsed<'_> {
    // Wide whitespace is rare, and its parser stays out of the code that is inlined everywhere.
    let wide = preceded(next_is(|byte| matches!(byte, Some(0xC2 | 0xEF))), wide_space);
    recognize((run(is_whitespace), opt(wide))).parse(input)
}

#[cold]
fn wide_space(input: &[u8]) -> Parsed<'_> {
    recognize(many1_count((wide, run(is_whitespace)))).parse(input)
}

/// `records`: the beginning of the next game, perhaps with its lead.
pub(in crate::pdn) fn records(input: &[u8]) -> Parsed<'_, ()> {
    preceded(opt(lead), game).parse(input)
}

/// `lead = comment, { comment | nag }`
fn lead(input: &[u8]) -> Parsed<'_, ()> {
    let nag = terminated(nag, peek(alt((blank.map(|_| ()), byte(b'{').map(|_| ())))));
    let annotation = alt((comment.map(|_| ()), nag.map(|_| ())));
    (comment, many0_count(preceded(white_space, annotation)), white_space).map(|_| ()).parse(input)
}

/// `separator = result, { tail }`: the result. The reader takes the tails one at a time.
#[inline(always)]
pub(in crate::pdn) fn separator(input: &[u8]) -> Parsed<'_> {
    result(input)
}

/// `tail = comment`: its text. It begins on the line of the result.
pub(in crate::pdn) fn tail(input: &[u8]) -> Parsed<'_> {
    comment(input)
}

/// `game = tag, … | opening, …`: recognises its beginning and takes nothing.
pub(in crate::pdn) fn game(input: &[u8]) -> Parsed<'_, ()> {
    peek(alt((tag.map(|_| ()), opening))).parse(input)
}

/// `opening`: what distinguishes a game without tags from text. Of a variation only its beginning is taken.
fn opening(input: &[u8]) -> Parsed<'_, ()> {
    let parentheses = many1_count((byte(b'('), run(is_whitespace)));
    let variation = (parentheses, alt((opening_move, comment.map(|_| ()))));
    alt((opening_move, variation.map(|_| ()))).parse(input)
}

/// The alternatives of `opening` without parentheses.
fn opening_move(input: &[u8]) -> Parsed<'_, ()> {
    let played = || alt((quiet_move, capture));
    let counted = preceded(opt((first_count, white_space)), alt((played().map(|_| ()), setup.map(|_| ()))));
    let absent = (first_count, white_space, ellipsis).map(|_| ());
    let answer = (ellipsis, white_space, played()).map(|_| ());
    alt((counted, absent, answer)).parse(input)
}

/// `first count = number, [ comment, { comment | nag } ]`
fn first_count(input: &[u8]) -> Parsed<'_, WrittenNumber> {
    terminated(number, opt(preceded(white_space, lead))).parse(input)
}

/// `tag = "[", identifier, string, "]"`: its name and its value.
#[inline(always)]
pub(in crate::pdn) fn tag(input: &[u8]) -> Parsed<'_, (&[u8], &[u8])> {
    let name = delimited((byte(b'['), white_space), identifier, white_space);
    terminated((name, string), (white_space, byte(b']'))).parse(input)
}

/// `identifier = "A" … "Z", { letter | digit | "_" }`
#[inline(always)]
pub(in crate::pdn) fn identifier(input: &[u8]) -> Parsed<'_> {
    let capital = one(|byte| byte.is_ascii_uppercase());
    recognize((capital, run(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))).parse(input)
}

/// `movetext = element, { element }`: its next element. The reader takes one at a time.
#[inline(always)]
pub(in crate::pdn) fn movetext(input: &[u8]) -> Parsed<'_, Element<'_>> {
    preceded(white_space, element).parse(input)
}

/// An element of movetext, or a part of one: the reader assembles variations from their parentheses, and joins a count
/// to its move across comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pdn) enum Element<'a> {
    GameMove(GameMove<'a>),
    Count(WrittenNumber),
    Ellipsis,
    Marks(&'a [u8]),
    Nag(u16),
    Comment(&'a [u8]),
    Setup(&'a [u8]),
    Variation(Parenthesis),
    Tag(&'a [u8], &'a [u8]),
    Separator(&'a [u8]),
}

/// A parenthesis of a variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pdn) enum Parenthesis {
    Opening,
    Closing,
}

/// A move with its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pdn) struct GameMove<'a> {
    /// The number and its bytes.
    pub(in crate::pdn) count: Option<(WrittenNumber, &'a [u8])>,
    /// The bytes of the move.
    pub(in crate::pdn) text: &'a [u8],
    pub(in crate::pdn) found: Move<'a>,
}

/// `element = game move | variation | comment | nag | [ count ], setup`, chosen by its first byte; also the tag and the
/// separator that may follow movetext.
#[inline(always)]
pub(in crate::pdn) fn element(input: &[u8]) -> Parsed<'_, Element<'_>> {
    // One comparison instead of ten productions that fail in turn.
    match input.first() {
        Some(b'0'..=b'9') => {
            alt((separator.map(Element::Separator), game_move.map(Element::GameMove), count.map(Element::Count)))
                .parse(input)
        }
        Some(b'a'..=b'l') => game_move.map(Element::GameMove).parse(input),
        Some(b'{') => comment.map(Element::Comment).parse(input),
        Some(b'(' | b')') => alt((marks.map(Element::Marks), variation.map(Element::Variation))).parse(input),
        Some(b'!' | b'?') => marks.map(Element::Marks).parse(input),
        Some(b'$') => nag.map(Element::Nag).parse(input),
        Some(b'.') => ellipsis.map(|_| Element::Ellipsis).parse(input),
        Some(b'/') => setup.map(Element::Setup).parse(input),
        Some(b'[') => tag.map(|(name, value)| Element::Tag(name, value)).parse(input),
        _ => separator.map(Element::Separator).parse(input),
    }
}

/// `game move = [ count ], move, { marks }`. The reader treats marks, and a count with comments, as separate elements.
#[inline(always)]
pub(in crate::pdn) fn game_move(input: &[u8]) -> Parsed<'_, GameMove<'_>> {
    let count = opt(terminated(consumed(number), white_space)).map(|count| count.map(|(text, number)| (number, text)));
    let game_move = (count, consumed(r#move));
    game_move.map(|(count, (text, found))| GameMove { count, text, found }).parse(input)
}

/// `count = number, { comment | nag }`: the number. The reader treats what follows it as separate elements.
#[inline(always)]
pub(in crate::pdn) fn count(input: &[u8]) -> Parsed<'_, WrittenNumber> {
    number(input)
}

/// `variation = "(", movetext, ")"`: one of its parentheses. The reader counts the open ones, so that nesting takes no
/// stack.
#[inline(always)]
pub(in crate::pdn) fn variation(input: &[u8]) -> Parsed<'_, Parenthesis> {
    let opening = byte(b'(').map(|_| Parenthesis::Opening);
    let closing = byte(b')').map(|_| Parenthesis::Closing);
    alt((opening, closing)).parse(input)
}
