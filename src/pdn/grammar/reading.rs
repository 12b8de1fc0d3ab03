//! Tags and white space: the tokens of `grammar/reading.ebnf`. Its other productions, whose length has no bound, are
//! assembled by the [`reader`](crate::pdn::reader), one element at a time.

use nom::Parser;
use nom::combinator::{opt, recognize};
use nom::multi::many1_count;
use nom::sequence::{delimited, preceded, terminated};

use super::Parsed;
use super::movetext::string;
use super::primitive::{byte, next_is, one, run, wide};
use crate::text::whitespace::is_whitespace;

/// `white space = { blank | ? vertical tab, form feed, no-break space, byte order mark ? }`, and the other whitespace and
/// invisible characters of Unicode, which the reader reports.
#[inline(always)]
pub(in crate::pdn) fn white_space(input: &[u8]) -> Parsed<'_> {
    // Wide whitespace is rare, and its parser stays out of the code that is inlined everywhere.
    let wide = preceded(next_is(|byte| matches!(byte, Some(0x80..))), wide_space);
    recognize((run(is_whitespace), opt(wide))).parse(input)
}

#[cold]
fn wide_space(input: &[u8]) -> Parsed<'_> {
    recognize(many1_count((wide, run(is_whitespace)))).parse(input)
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
