//! Words and other text that is not a token.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{digit1, one_of};
use nom::combinator::{not, recognize, value, verify};
use nom::multi::{many0_count, many1_count};
use nom::sequence::{pair, preceded, terminated};

use crate::pdn::grammar::Parsed;
use crate::pdn::grammar::primitive::{byte, few, next_is, one, run};
use crate::text::whitespace::is_skipped;

/// Everything up to whitespace, a brace, bracket or parenthesis; at least one byte.
pub(in crate::pdn) fn word(input: &[u8]) -> Parsed<'_> {
    let inner = run(|byte| byte > b' ' && !b"{}()[]".contains(&byte));
    recognize((one(|_| true), inner)).parse(input)
}

/// The end of a token: neither a letter nor a digit, and no byte above ASCII, follows.
pub(in crate::pdn) fn boundary(input: &[u8]) -> Parsed<'_, ()> {
    next_is(|byte| !byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte >= 0x80))(input)
}

/// `\r`, `\n`, `\t` typed as two characters each, once or more.
pub(in crate::pdn) fn typed_escape(input: &[u8]) -> Parsed<'_> {
    let escapes = recognize(many1_count((byte(b'\\'), one_of("rnt"))));
    let apart = next_is(|byte| !byte.is_some_and(|byte| byte.is_ascii_alphabetic() || byte >= 0x80));
    terminated(escapes, apart).parse(input)
}

/// Success if the text ends here, or whitespace or one of these bytes follows.
fn end_or<'a>(others: &'static [u8]) -> impl Fn(&'a [u8]) -> Parsed<'a, ()> {
    next_is(|byte| byte.is_none_or(|byte| is_skipped(byte) || others.contains(&byte)))
}

/// One or two hyphens in the place of a move or of a result.
pub(in crate::pdn) fn dashes(input: &[u8]) -> Parsed<'_> {
    terminated(few::<1, 2>(|byte| byte == b'-'), end_or(b"!?()[{*$;\\")).parse(input)
}

/// A year, from 1600 to 2099, as prose has it: with the full stop of its sentence, or before a sign that does not mark
/// a move.
pub(in crate::pdn) fn year(input: &[u8]) -> Parsed<'_, ()> {
    let digits = few::<4, 4>(|byte| byte.is_ascii_digit());
    let year = verify(digits, |digits: &[u8]| (b"1600".as_slice()..=b"2099").contains(&digits));
    let full_stop = value((), terminated(byte(b'.'), not(byte(b'.'))));
    preceded(year, alt((full_stop, end_or(b"),;:'\"")))).parse(input)
}

/// Opening parentheses, with whitespace between them.
pub(in crate::pdn) fn parentheses(input: &[u8]) -> Parsed<'_> {
    recognize(pair(byte(b'('), many0_count(preceded(run(is_skipped), byte(b'('))))).parse(input)
}

/// Digits, or brackets: alone on a line, they mean nothing between games.
pub(in crate::pdn) fn digits_or_brackets(input: &[u8]) -> Parsed<'_> {
    alt((digit1, recognize(many1_count(one_of("[]"))))).parse(input)
}

/// A score that is the value of the Result tag, as a whole.
pub(in crate::pdn) fn score<'a>(value: &[u8]) -> impl FnOnce(&'a [u8]) -> Parsed<'a> {
    move |input| terminated(tag(value), end_or(b"[{\\")).parse(input)
}
