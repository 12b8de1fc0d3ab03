//! The smallest parsers, inlined everywhere; nom's equivalents are not, which costs a tenth of the speed. Parts of
//! productions that other parsers also need come last.

use memchr::{memchr2, memchr3};
use nom::Err::Error;
use nom::Parser;
use nom::bytes::complete::tag;
use nom::combinator::recognize;
use nom::sequence::{delimited, terminated};

use super::{Parsed, identifier, white_space};
use crate::text::whitespace::{is_blank, is_line_end, wide_len};

/// Succeeds on one byte that satisfies the predicate.
#[inline(always)]
pub(in crate::pdn) fn one<'a>(holds: impl Fn(u8) -> bool) -> impl Fn(&'a [u8]) -> Parsed<'a, u8> {
    move |input| match input.split_first() {
        Some((&first, rest)) if holds(first) => Ok((rest, first)),
        _ => Err(Error(())),
    }
}

/// Succeeds on this byte.
#[inline(always)]
pub(in crate::pdn) fn byte<'a>(expected: u8) -> impl Fn(&'a [u8]) -> Parsed<'a, u8> {
    one(move |found| found == expected)
}

/// Takes the longest run of bytes that satisfy the predicate, perhaps none. Never fails.
#[inline(always)]
pub(in crate::pdn) fn run<'a>(holds: impl Fn(u8) -> bool) -> impl Fn(&'a [u8]) -> Parsed<'a> {
    move |input| {
        let len = input.iter().position(|&found| !holds(found)).unwrap_or(input.len());
        let (run, rest) = input.split_at(len);
        Ok((rest, run))
    }
}

/// Takes the longest run of bytes that satisfy the predicate; fails unless its length lies between the bounds.
#[inline(always)]
pub(in crate::pdn) fn few<'a, const MIN: usize, const MAX: usize>(
    holds: impl Fn(u8) -> bool,
) -> impl Fn(&'a [u8]) -> Parsed<'a> {
    move |input| {
        // One byte more than allowed shows that the run is too long, however long it is.
        let len = input.iter().take(MAX + 1).take_while(|&&found| holds(found)).count();
        if len < MIN || len > MAX {
            return Err(Error(()));
        }
        let (few, rest) = input.split_at(len);
        Ok((rest, few))
    }
}

/// Takes everything before the first of three bytes; fails if there is none.
#[inline(always)]
pub(in crate::pdn) fn until<'a>(stops: [u8; 3]) -> impl Fn(&'a [u8]) -> Parsed<'a> {
    move |input| match memchr3(stops[0], stops[1], stops[2], input) {
        Some(len) => Ok((&input[len..], &input[..len])),
        None => Err(Error(())),
    }
}

/// Takes everything before the line end, perhaps nothing. Never fails.
#[inline(always)]
#[expect(clippy::unnecessary_wraps, reason = "the signature of a parser")]
pub(in crate::pdn) fn line(input: &[u8]) -> Parsed<'_> {
    let len = memchr2(b'\n', b'\r', input).unwrap_or(input.len());
    Ok((&input[len..], &input[..len]))
}

/// Takes everything before the line end, and at most `MAX` bytes. Never fails.
#[inline(always)]
#[expect(clippy::unnecessary_wraps, reason = "the signature of a parser")]
pub(in crate::pdn) fn line_within<const MAX: usize>(input: &[u8]) -> Parsed<'_> {
    let near = &input[..input.len().min(MAX)];
    let len = memchr2(b'\n', b'\r', near).unwrap_or(near.len());
    Ok((&input[len..], &input[..len]))
}

/// Takes whitespace or an invisible character of several bytes.
#[inline(always)]
pub(in crate::pdn) fn wide(input: &[u8]) -> Parsed<'_> {
    match wide_len(input) {
        0 => Err(Error(())),
        len => Ok((&input[len..], &input[..len])),
    }
}

/// Succeeds if the next byte, if there is one, satisfies the predicate; takes nothing.
#[inline(always)]
pub(in crate::pdn) fn next_is<'a>(holds: impl Fn(Option<u8>) -> bool) -> impl Fn(&'a [u8]) -> Parsed<'a, ()> {
    move |input| if holds(input.first().copied()) { Ok((input, ())) } else { Err(Error(())) }
}

/// Returns the value of decimal digits; [`u32::MAX`] for all larger values.
#[inline]
pub(crate) fn decimal(digits: &[u8]) -> u32 {
    let add = |value: u32, digit: &u8| value.saturating_mul(10).saturating_add(u32::from(digit.wrapping_sub(b'0')));
    digits.iter().fold(0, add)
}

/// `".", { "." }`
#[inline(always)]
pub(in crate::pdn) fn dots(input: &[u8]) -> Parsed<'_> {
    recognize((byte(b'.'), run(|byte| byte == b'.'))).parse(input)
}

/// A `setup` up to its closing quote.
#[inline(always)]
pub(in crate::pdn) fn open_setup(input: &[u8]) -> Parsed<'_> {
    let open = (byte(b'/'), run(is_blank), tag("FEN"), run(is_blank), byte(b'"'));
    delimited(open, run(|byte| byte != b'"' && !is_line_end(byte)), byte(b'"')).parse(input)
}

/// A `tag` up to its opening quote: the bracket with the whitespace after it, and the name.
pub(in crate::pdn) fn tag_head(input: &[u8]) -> Parsed<'_, (&[u8], &[u8])> {
    let open = recognize((byte(b'['), white_space));
    terminated((open, identifier), (white_space, byte(b'"'))).parse(input)
}
