//! The productions of `grammar/ldf.ebnf`.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag as word, take_while, take_while_m_n, take_while1};
use nom::character::complete::{char, one_of};
use nom::combinator::{map_opt, opt, recognize, value};
use nom::multi::{fold_many0, many1_count};
use nom::sequence::{delimited, pair, preceded, terminated};

use super::{Production, spaces};
use crate::pdn::Time;
use crate::pdn::decimal;

/// A part of a log.
#[derive(Clone, Copy, Debug)]
pub(in crate::import) enum Part<'a> {
    Tag(Tag<'a>),
    Position(Position<'a>),
}

/// A tag.
#[derive(Clone, Copy, Debug)]
pub(in crate::import) struct Tag<'a> {
    pub(in crate::import) name: &'a [u8],
    pub(in crate::import) text: &'a [u8],
}

/// A line of a log: the position after a move.
#[derive(Clone, Copy, Debug)]
pub(in crate::import) struct Position<'a> {
    /// One letter per square.
    pub(in crate::import) board: &'a [u8],
    pub(in crate::import) white_moved: bool,
    /// The times left on the clocks of White and Black, and where they are written.
    pub(in crate::import) clocks: [(&'a [u8], Option<Time>); 2],
    pub(in crate::import) end: End<'a>,
}

/// The end of a line: the ply, and the move, if there is one.
#[derive(Clone, Copy, Debug)]
pub(in crate::import) struct End<'a> {
    pub(in crate::import) ply: u32,
    pub(in crate::import) r#move: Option<&'a [u8]>,
}

/// `log = { tag | position }`: the next part.
pub(in crate::import) fn log(input: &[u8]) -> Production<'_, Part<'_>> {
    alt((position.map(Part::Position), tag.map(Part::Tag))).parse(input)
}

/// `tag = "[", name, { " " }, '"', text, '"', "]"`
fn tag(input: &[u8]) -> Production<'_, Tag<'_>> {
    let value = delimited(char('"'), text, char('"'));
    let parts = pair(terminated(name, spaces), value).map(|(name, text)| Tag { name, text });
    delimited(char('['), parts, char(']')).parse(input)
}

/// `name = letter, { letter | digit }`
fn name(input: &[u8]) -> Production<'_> {
    recognize(pair(letter, take_while(|byte: u8| byte.is_ascii_alphanumeric()))).parse(input)
}

/// `text = { ?any character except '"' and line ends? }`
fn text(input: &[u8]) -> Production<'_> {
    take_while(|byte| !matches!(byte, b'"' | b'\n' | b'\r'))(input)
}

/// `position = "[", kind, ",", '"', board, '"', ",", turn, ",", clock, ",", clock, ",", end`
pub(in crate::import) fn position(input: &[u8]) -> Production<'_, Position<'_>> {
    let comma = || char(',');
    let head = (delimited(char('['), kind, comma()), delimited(char('"'), board, char('"')), comma());
    let clock = || terminated(clock, comma());
    let fields = (head, terminated(turn, comma()), clock(), clock(), end);
    let position =
        |((_, board, _), white_moved, white, black, end)| Position { board, white_moved, clocks: [white, black], end };
    fields.map(position).parse(input)
}

/// `kind = "S" | "N"`
fn kind(input: &[u8]) -> Production<'_, char> {
    one_of("SN").parse(input)
}

/// `board = square, { square }`
fn board(input: &[u8]) -> Production<'_> {
    // The squares of boards of 8x8 and 10x10.
    map_opt(recognize(fold_many0(square, || (), |(), _| ())), |board: &[u8]| {
        matches!(board.len(), 32 | 50).then_some(board)
    })
    .parse(input)
}

/// `square = "w" | "b" | "W" | "B" | " "`
fn square(input: &[u8]) -> Production<'_, char> {
    one_of("wbWB ").parse(input)
}

/// `turn = "B" | "W"`: true if White has moved.
fn turn(input: &[u8]) -> Production<'_, bool> {
    one_of("BW").map(|turn| turn == 'B').parse(input)
}

/// `clock = { " " }, [ "n/a" | time ], { " " }`: where it is, and its time.
fn clock(input: &[u8]) -> Production<'_, (&[u8], Option<Time>)> {
    let shown = alt((value(None, word("n/a")), time.map(Some)));
    nom::combinator::consumed(delimited(spaces, opt(shown), spaces).map(Option::flatten)).parse(input)
}

/// `time = digit, { digit }, ":", digit, digit, ".", digit, digit`
fn time(input: &[u8]) -> Production<'_, Time> {
    let two = || take_while_m_n(2, 2, |byte: u8| byte.is_ascii_digit());
    let parts = (number, preceded(char(':'), two()), preceded(char('.'), two()));
    let seconds = |(hours, minutes, seconds)| {
        3600 * u64::from(decimal(hours)) + 60 * u64::from(decimal(minutes)) + u64::from(decimal(seconds))
    };
    parts.map(|parts| Time(1000 * seconds(parts))).parse(input)
}

/// `end = { " " }, ply, ",", ( none | move ), "]"`
pub(in crate::import) fn end(input: &[u8]) -> Production<'_, End<'_>> {
    let played = alt((r#move.map(Some), none.map(|_| None)));
    let fields = (preceded(spaces, ply), delimited(char(','), played, char(']')));
    fields.map(|(ply, r#move)| End { ply, r#move }).parse(input)
}

/// `ply = digit, { digit }`
fn ply(input: &[u8]) -> Production<'_, u32> {
    number.map(decimal).parse(input)
}

/// `none = "-", { "-" }`
fn none(input: &[u8]) -> Production<'_> {
    take_while1(|byte| byte == b'-')(input)
}

/// `move = { " " }, number, { ( "-" | "x" ), number }, { " " }`
fn r#move(input: &[u8]) -> Production<'_> {
    let next = preceded(one_of("-x"), number);
    delimited(spaces, recognize(pair(number, fold_many0(next, || (), |(), _| ()))), spaces).parse(input)
}

/// `number = digit, { digit }`
fn number(input: &[u8]) -> Production<'_> {
    recognize(many1_count(digit)).parse(input)
}

/// `letter = "A" … "Z" | "a" … "z"`
fn letter(input: &[u8]) -> Production<'_, u8> {
    nom::combinator::map(nom::character::complete::satisfy(|letter| letter.is_ascii_alphabetic()), |letter| {
        letter as u8
    })
    .parse(input)
}

/// `digit = "0" … "9"`
fn digit(input: &[u8]) -> Production<'_, char> {
    nom::character::complete::satisfy(|letter| letter.is_ascii_digit()).parse(input)
}
