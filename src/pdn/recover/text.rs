//! Words and other text that is not a token.

use nom::Parser;
use nom::character::complete::one_of;
use nom::combinator::recognize;
use nom::multi::many1_count;
use nom::sequence::terminated;

use crate::pdn::grammar::Parsed;
use crate::pdn::grammar::primitive::{byte, next_is, one, run};

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
