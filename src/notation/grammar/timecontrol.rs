//! The productions of `grammar/timecontrol.ebnf`.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, satisfy};
use nom::combinator::{opt, recognize, value};
use nom::multi::{many1_count, separated_list1};
use nom::sequence::{preceded, terminated};

use super::Parsed;
use crate::notation::time_control::{Stage, TimeControl};

/// `timecontrol = "?" | "-" | element, { ":", element }`
pub(in crate::notation) fn timecontrol(input: &str) -> Parsed<'_, TimeControl> {
    alt((
        value(TimeControl::Unknown, char('?')),
        value(TimeControl::None, char('-')),
        separated_list1(char(':'), element).map(TimeControl::Stages),
    ))
    .parse(input)
}

/// `element = "*", seconds | [ moves, "/" ], seconds, [ "+", increment ]`
fn element(input: &str) -> Parsed<'_, Stage> {
    let hour_glass = preceded(char('*'), seconds).map(|seconds| Stage::HourGlass { seconds });
    let clock = (opt(terminated(moves, char('/'))), seconds, opt(preceded(char('+'), increment)));
    let clock = clock.map(|(moves, seconds, increment)| Stage::Clock { moves, seconds, increment });
    alt((hour_glass, clock)).parse(input)
}

/// `moves = count`
fn moves(input: &str) -> Parsed<'_, u64> {
    count(input)
}

/// `seconds = count`
fn seconds(input: &str) -> Parsed<'_, u64> {
    count(input)
}

/// `increment = count`
fn increment(input: &str) -> Parsed<'_, u64> {
    count(input)
}

/// `count = digit, { digit }`: its value, [`u64::MAX`] for all larger values.
fn count(input: &str) -> Parsed<'_, u64> {
    recognize(many1_count(digit)).map(|digits: &str| digits.parse().unwrap_or(u64::MAX)).parse(input)
}

/// `digit = "0" … "9"`
fn digit(input: &str) -> Parsed<'_, char> {
    satisfy(|letter| letter.is_ascii_digit()).parse(input)
}
