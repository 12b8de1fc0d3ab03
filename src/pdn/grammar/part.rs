//! Parts of productions that other parsers need too.

use nom::Parser;
use nom::bytes::complete::tag;
use nom::combinator::recognize;
use nom::sequence::{delimited, terminated};

use super::primitive::{byte, run};
use super::{Parsed, identifier, white_space};
use crate::text::whitespace::{is_blank, is_line_end};

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
