//! The values of the tags `TimeControl`, `TimeControlWhite` and `TimeControlBlack`.

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::combinator::all_consuming;

use super::grammar::timecontrol::timecontrol;

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
/// # Ok::<(), pdn::notation::ParseTimeControlError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// `?`: the time control is not known.
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
        /// The moves for which the time is given; `None` for all that remain.
        moves: Option<u64>,
        /// The time, in seconds.
        seconds: u64,
        /// What is added for each move, in seconds.
        increment: Option<u64>,
    },
    /// An hour glass: the time that one player uses is added to the other's.
    HourGlass {
        /// The time, in seconds.
        seconds: u64,
    },
}

/// The error for a text that is not a [`TimeControl`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTimeControlError;

impl fmt::Display for ParseTimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a time control such as 40/7200 or 600+5")
    }
}

impl std::error::Error for ParseTimeControlError {}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        let parsed = all_consuming(timecontrol).parse(text);
        parsed.map(|(_, control)| control).map_err(|_| ParseTimeControlError)
    }
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
