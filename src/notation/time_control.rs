//! The values of the tags `TimeControl`, `TimeControlWhite` and `TimeControlBlack`, and the productions of
//! `grammar/timecontrol.ebnf`.

use std::str::FromStr;

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, satisfy};
use nom::combinator::{all_consuming, opt, recognize, value};
use nom::multi::{many1_count, separated_list1};
use nom::sequence::{preceded, terminated};

use super::fen::Parsed;
use crate::error::ParseError;

/// A time control: the time that the players have.
///
/// # Examples
///
/// ```
/// use pdn::notation::{Stage, TimeControl};
///
/// let control: TimeControl = "40/7200:600+5".parse()?;
/// let stages = [
///     Stage::Clock { moves: Some(40), seconds: 7200, increment: None },
///     Stage::Clock { moves: None, seconds: 600, increment: Some(5) },
/// ];
/// assert_eq!(control, TimeControl::Stages(stages.to_vec()));
/// assert!("2h".parse::<TimeControl>().is_err());
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// `?`: the time control is unknown.
    Unknown,
    /// `-`: there is no time control.
    None,
    /// One stage after another.
    Stages(Vec<Stage>),
}

/// A stage of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A clock that counts down.
    Clock {
        /// The moves for which the time is given; `None` for all remaining moves.
        moves: Option<u64>,
        /// The time, in seconds.
        seconds: u64,
        /// The increment for each move, in seconds.
        increment: Option<u64>,
    },
    /// An hour glass: the time that one player uses is added to the other's.
    HourGlass {
        /// The time, in seconds.
        seconds: u64,
    },
}

impl FromStr for TimeControl {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let parsed = all_consuming(timecontrol).parse(text);
        parsed
            .map(|(_, control)| control)
            .map_err(|_| ParseError::new("expected a time control such as 40/7200 or 600+5"))
    }
}

/// `timecontrol = "?" | "-" | element, { ":", element }`
fn timecontrol(input: &str) -> Parsed<'_, TimeControl> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_time_controls() {
        for text in ["?", "-", "300", "*180", "600+5", "40/7200", "40/7200:20/2400:600+5", "40/7200+30"] {
            assert!(text.parse::<TimeControl>().is_ok(), "{text}");
        }
        for text in ["", "2h", "40/", "+5", "40/7200;600", "*", "300:", "?:300"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
