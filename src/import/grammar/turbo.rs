//! The productions of `grammar/turbo.ebnf`.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_till, take_until, take_while_m_n};
use nom::character::complete::{char, line_ending, satisfy};
use nom::combinator::{consumed, eof, recognize, rest};
use nom::multi::many1_count;
use nom::sequence::{delimited, preceded, separated_pair, terminated};

use super::{Production, spaces};
use crate::text::whitespace::is_line_end;

/// The first two lines of a game.
#[derive(Clone, Copy, Debug)]
pub(in crate::import) struct Head<'a> {
    pub(in crate::import) number: &'a [u8],
    pub(in crate::import) white: &'a [u8],
    pub(in crate::import) black: &'a [u8],
}

/// Where and when a game was played.
#[derive(Clone, Copy, Debug)]
pub(in crate::import) struct Event<'a> {
    pub(in crate::import) name: &'a [u8],
    /// The date, and its day, month and year.
    pub(in crate::import) date: (&'a [u8], [&'a [u8]; 3]),
}

/// `game = "(", number, ")", gap, player, " - ", player, line end, event, ",", gap, date, line end`: its first line.
pub(in crate::import) fn game(input: &[u8]) -> Production<'_, Head<'_>> {
    let number = delimited(char('('), number, preceded(char(')'), gap));
    let parts = (number, player, preceded(tag(" - "), player), line_end);
    parts.map(|(number, white, black, _)| Head { number, white, black }).parse(input)
}

/// `player = { ?any character except line ends, up to " - " or the line end? }`
fn player(input: &[u8]) -> Production<'_> {
    let (_, line) = take_till(is_line_end)(input)?;
    let (_, name) = alt((take_until(" - "), rest)).parse(line)?;
    take(name.len())(input)
}

/// `event = { ?any character except line ends, up to the last comma of the line? }`, with the comma and the date.
pub(in crate::import) fn event(input: &[u8]) -> Production<'_, Event<'_>> {
    let (after, line) = terminated(take_till(is_line_end), line_end).parse(input)?;
    let (name, written) = match memchr::memrchr(b',', line) {
        Some(comma) => (line.split_at(comma).0, line.split_at(comma + 1).1),
        None => (b"".as_slice(), line),
    };
    let mut dated = delimited(gap, consumed(date), (gap, eof));
    dated.parse(written).map(|(_, date)| (after, Event { name, date }))
}

/// `date = day, "-", month, "-", year`
fn date(input: &[u8]) -> Production<'_, [&[u8]; 3]> {
    (terminated(day, char('-')), terminated(month, char('-')), year).map(<[&[u8]; 3]>::from).parse(input)
}

/// `day = digit, [ digit ]`
fn day(input: &[u8]) -> Production<'_> {
    take_while_m_n(1, 2, |byte: u8| byte.is_ascii_digit())(input)
}

/// `month = digit, [ digit ]`
fn month(input: &[u8]) -> Production<'_> {
    day(input)
}

/// `year = digit, digit, digit, digit`
fn year(input: &[u8]) -> Production<'_> {
    recognize((digit, digit, digit, digit)).parse(input)
}

/// `times = "(", time, "/", time, ")"`
pub(in crate::import) fn times(input: &[u8]) -> Production<'_, (&[u8], &[u8])> {
    delimited(char('('), separated_pair(time, char('/'), time), char(')')).parse(input)
}

/// `time = number, ".", digit, digit`
fn time(input: &[u8]) -> Production<'_> {
    recognize((number, char('.'), digit, digit)).parse(input)
}

/// `number = digit, { digit }`
fn number(input: &[u8]) -> Production<'_> {
    recognize(many1_count(digit)).parse(input)
}

/// `gap = { " " }`
fn gap(input: &[u8]) -> Production<'_> {
    spaces(input)
}

/// `line end = ?a line feed, a carriage return, or both, perhaps after spaces; or the end of the text?`
fn line_end(input: &[u8]) -> Production<'_> {
    recognize((gap, alt((line_ending, tag("\r"), eof)))).parse(input)
}

/// `digit = "0" … "9"`
fn digit(input: &[u8]) -> Production<'_, char> {
    satisfy(|letter| letter.is_ascii_digit()).parse(input)
}
