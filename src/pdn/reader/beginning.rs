//! How a game begins: what distinguishes it from text between games.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, peek};
use nom::multi::{many0_count, many1_count};
use nom::sequence::{preceded, terminated};

use crate::pdn::grammar::movetext::{blank, capture, nag, quiet_move, setup};
use crate::pdn::grammar::primitive::{byte, run};
use crate::pdn::grammar::{Parsed, comment, ellipsis, number, tag, white_space};
use crate::pdn::tree::WrittenNumber;
use crate::text::whitespace::is_whitespace;

/// Succeeds where a game begins: at a tag, or at what distinguishes a game without tags from text. Takes nothing.
pub(in crate::pdn) fn game_begins(input: &[u8]) -> Parsed<'_, ()> {
    peek(alt((tag.map(|_| ()), opening))).parse(input)
}

/// Succeeds where a game begins, perhaps after its lead.
pub(in crate::pdn) fn led_game_begins(input: &[u8]) -> Parsed<'_, ()> {
    preceded(opt(lead), game_begins).parse(input)
}

/// `lead = comment, { comment | nag }`, and the whitespace after it.
fn lead(input: &[u8]) -> Parsed<'_, ()> {
    let nag = terminated(nag, peek(alt((blank.map(|_| ()), byte(b'{').map(|_| ())))));
    let annotation = alt((comment.map(|_| ()), nag.map(|_| ())));
    (comment, many0_count(preceded(white_space, annotation)), white_space).map(|_| ()).parse(input)
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
