//! The productions of `grammar/gametype.ebnf`.

use nom::Parser;
use nom::bytes::complete::take_while_m_n;
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{opt, recognize};
use nom::multi::many1_count;
use nom::sequence::{pair, preceded};

use super::{Parsed, token};

/// `gametype = number, [ ",", side, ",", size, ",", size, ",", notation, [ ",", invert ] ]`
pub(in crate::notation) fn gametype(input: &str) -> Parsed<'_> {
    let comma = || char(',');
    let board = (preceded(comma(), token(size)), preceded(comma(), token(size)));
    let names = (preceded(comma(), token(notation)), opt(preceded(comma(), token(invert))));
    recognize((token(number), opt((preceded(comma(), token(side)), board, names)))).parse(input)
}

/// `number = digit, { digit }`
fn number(input: &str) -> Parsed<'_> {
    recognize(many1_count(digit)).parse(input)
}

/// `side = "W" | "B"`
fn side(input: &str) -> Parsed<'_, char> {
    one_of("WB").parse(input)
}

/// `size = digit, [ digit ]`
fn size(input: &str) -> Parsed<'_> {
    take_while_m_n(1, 2, |letter: char| letter.is_ascii_digit()).parse(input)
}

/// `notation = ( "A" | "N" | "S" ), corner`
fn notation(input: &str) -> Parsed<'_> {
    recognize(pair(one_of("ANS"), corner)).parse(input)
}

/// `corner = "0" | "1" | "2" | "3"`
fn corner(input: &str) -> Parsed<'_, char> {
    one_of("0123").parse(input)
}

/// `invert = "0" | "1"`
fn invert(input: &str) -> Parsed<'_, char> {
    one_of("01").parse(input)
}

/// `digit = "0" … "9"`
fn digit(input: &str) -> Parsed<'_, char> {
    satisfy(|letter| letter.is_ascii_digit()).parse(input)
}
