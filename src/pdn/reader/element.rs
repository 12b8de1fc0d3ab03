//! The elements of movetext, which the reader takes one at a time.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{consumed, not, opt};
use nom::sequence::{preceded, terminated};

use crate::pdn::grammar::movetext::{nag, setup};
use crate::pdn::grammar::primitive::byte;
use crate::pdn::grammar::{Move, Parsed, comment, ellipsis, marks, r#move, number, result, tag, white_space};
use crate::pdn::recover::not_movetext;
use crate::pdn::tree::WrittenNumber;

/// An element of movetext, or a part of one: the reader assembles variations from their parentheses, and joins a count
/// to its move across comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Element<'a> {
    GameMove(GameMove<'a>),
    Count(WrittenNumber),
    Ellipsis,
    Marks(&'a [u8]),
    Nag(u16),
    Comment(&'a [u8]),
    Setup(&'a [u8]),
    Open,
    Close,
    Tag(&'a [u8], &'a [u8]),
    Result(&'a [u8]),
}

/// A move with its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameMove<'a> {
    /// The number and its bytes.
    pub(super) count: Option<(WrittenNumber, &'a [u8])>,
    /// The bytes of the move.
    pub(super) text: &'a [u8],
    pub(super) found: Move<'a>,
}

/// The next element, with the whitespace before it.
#[inline(always)]
pub(super) fn next_element(input: &[u8]) -> Parsed<'_, Element<'_>> {
    preceded(white_space, element).parse(input)
}

/// The next element, chosen by its first byte; also the tag and the result that may follow movetext.
#[inline(always)]
fn element(input: &[u8]) -> Parsed<'_, Element<'_>> {
    // One comparison instead of ten productions that fail in turn.
    match input.first() {
        Some(b'0'..=b'9') => {
            let plain =
                alt((result.map(Element::Result), game_move.map(Element::GameMove), number.map(Element::Count)));
            // `0.5-0.5` is no number and no move.
            preceded(not(not_movetext), plain).parse(input)
        }
        Some(b'a'..=b'l') => game_move.map(Element::GameMove).parse(input),
        Some(b'{') => comment.map(Element::Comment).parse(input),
        Some(b'(' | b')') => alt((marks.map(Element::Marks), parenthesis)).parse(input),
        Some(b'!' | b'?') => marks.map(Element::Marks).parse(input),
        Some(b'$') => nag.map(Element::Nag).parse(input),
        Some(b'.') => ellipsis.map(|_| Element::Ellipsis).parse(input),
        Some(b'/') => setup.map(Element::Setup).parse(input),
        Some(b'[') => tag.map(|(name, value)| Element::Tag(name, value)).parse(input),
        _ => result.map(Element::Result).parse(input),
    }
}

/// A move, perhaps with a number directly before it. Marks, and a number with comments after it, are elements themselves.
#[inline(always)]
pub(super) fn game_move(input: &[u8]) -> Parsed<'_, GameMove<'_>> {
    let count = opt(terminated(consumed(number), white_space)).map(|count| count.map(|(text, number)| (number, text)));
    let game_move = (count, consumed(r#move));
    game_move.map(|(count, (text, found))| GameMove { count, text, found }).parse(input)
}

/// One parenthesis: the reader counts the open ones, so that nesting takes no stack.
fn parenthesis(input: &[u8]) -> Parsed<'_, Element<'_>> {
    alt((byte(b'(').map(|_| Element::Open), byte(b')').map(|_| Element::Close))).parse(input)
}
