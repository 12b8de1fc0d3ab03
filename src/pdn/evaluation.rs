//! Evaluations as written in records.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::command::thousandths;
use crate::error::ParseError;

/// An evaluation of a position, from White's point of view.
///
/// Its text is the value of the command `[%eval …]`: men with two decimals (`0.32`, `-1.05`), or `#7` where White wins
/// in seven plies and `#-7` where Black does. `#0` and `#-0` mean that White or Black has won already.
///
/// 89 men, `89.00` and `-89.00`, mean that White or Black wins, in an unknown number of plies: other programs read a number.
///
/// Evaluations are ordered: the larger one is better for White.
///
/// # Examples
///
/// ```
/// use pdn::Evaluation;
///
/// let evaluation: Evaluation = "-0.325".parse()?;
/// assert_eq!(evaluation, Evaluation::CentiMen(-33));
/// assert_eq!(evaluation.to_string(), "-0.33");
/// assert_eq!("#-7".parse(), Ok(Evaluation::BlackWins(7)));
/// # Ok::<(), pdn::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// An estimate in hundredths of a man; positive if White is better.
    CentiMen(i32),
    /// White wins in this many plies; 0: White has won.
    WhiteWins(u32),
    /// Black wins in this many plies; 0: Black has won.
    BlackWins(u32),
}

impl Evaluation {
    /// Hundredths of a man where White wins, in an unknown number of plies: more than any estimate.
    const KNOWN_WIN: i32 = 8_900;
    /// The same for Black.
    const KNOWN_LOSS: i32 = -Self::KNOWN_WIN;

    /// Returns an evaluation in hundredths of a man; `None` for a win in a known number of plies.
    pub const fn centi_men(self) -> Option<i32> {
        match self {
            Self::CentiMen(value) => Some(value),
            Self::WhiteWins(_) | Self::BlackWins(_) => None,
        }
    }

    /// Returns the plies to the end of a decided game, 0 if it is over; `None` for an estimate.
    pub const fn win_in(self) -> Option<u32> {
        match self {
            Self::CentiMen(_) => None,
            Self::WhiteWins(plies) | Self::BlackWins(plies) => Some(plies),
        }
    }

    /// Returns the letter of the side that wins, `W` or `B`, in any number of plies; `None` for an estimate.
    pub const fn winner(self) -> Option<char> {
        match self {
            Self::WhiteWins(_) | Self::CentiMen(Self::KNOWN_WIN) => Some('W'),
            Self::BlackWins(_) | Self::CentiMen(Self::KNOWN_LOSS) => Some('B'),
            Self::CentiMen(_) => None,
        }
    }
}

impl Ord for Evaluation {
    fn cmp(&self, other: &Self) -> Ordering {
        let rank = |evaluation: &Self| match *evaluation {
            Self::BlackWins(plies) => (0, i64::from(plies)),
            Self::CentiMen(value) => (1, i64::from(value)),
            Self::WhiteWins(plies) => (2, -i64::from(plies)),
        };
        rank(self).cmp(&rank(other))
    }
}

impl PartialOrd for Evaluation {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::CentiMen(value) => {
                let sign = if value < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
            }
            Self::WhiteWins(plies) => write!(f, "#{plies}"),
            Self::BlackWins(plies) => write!(f, "#-{plies}"),
        }
    }
}

impl FromStr for Evaluation {
    type Err = ParseError;

    /// Reads an evaluation; further decimals are rounded to hundredths, halves away from zero.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = match text.strip_prefix('#') {
            Some(plies) => read_plies(plies),
            None => read_men(text),
        };
        let expected = "expected an evaluation in men, such as `0.32`, or plies to a win, such as `#7` or `#-7`";
        read.ok_or(ParseError::new(expected))
    }
}

fn read_plies(text: &str) -> Option<Evaluation> {
    let plies: i32 = text.parse().ok()?;
    // The number alone has lost the sign of `#-0`.
    let black = text.starts_with('-');
    Some(if black { Evaluation::BlackWins(plies.unsigned_abs()) } else { Evaluation::WhiteWins(plies.unsigned_abs()) })
}

fn read_men(text: &str) -> Option<Evaluation> {
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => (-1, size),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    // Some programs omit the zero before the point.
    let whole = if size.starts_with('.') && size.len() > 1 { format!("0{size}") } else { size.to_owned() };
    // Decimals after the third cannot change how the second is rounded.
    let size = i32::try_from(thousandths(&whole, true)?).ok()?;
    Some(Evaluation::CentiMen(sign * (size / 10 + i32::from(size % 10 >= 5))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_one_is_better_for_white() {
        use Evaluation::{BlackWins, CentiMen, WhiteWins};
        let sorted = [BlackWins(0), BlackWins(9), CentiMen(-99_999), CentiMen(3), WhiteWins(9), WhiteWins(0)];
        assert!(sorted.is_sorted());
    }

    #[test]
    fn decided_games_have_a_winner_and_plies() {
        for (evaluation, values) in [
            (Evaluation::CentiMen(-5), (Some(-5), None, None)),
            (Evaluation::CentiMen(8900), (Some(8900), None, Some('W'))),
            (Evaluation::CentiMen(-8900), (Some(-8900), None, Some('B'))),
            (Evaluation::WhiteWins(0), (None, Some(0), Some('W'))),
            (Evaluation::BlackWins(0), (None, Some(0), Some('B'))),
            (Evaluation::BlackWins(7), (None, Some(7), Some('B'))),
        ] {
            assert_eq!((evaluation.centi_men(), evaluation.win_in(), evaluation.winner()), values);
        }
    }

    #[test]
    fn texts_of_evaluations() {
        for (text, evaluation, written) in [
            ("0.32", Evaluation::CentiMen(32), "0.32"),
            ("-1.325", Evaluation::CentiMen(-133), "-1.33"),
            ("+2", Evaluation::CentiMen(200), "2.00"),
            ("-0.004", Evaluation::CentiMen(0), "0.00"),
            ("#7", Evaluation::WhiteWins(7), "#7"),
            ("#-7", Evaluation::BlackWins(7), "#-7"),
            ("#0", Evaluation::WhiteWins(0), "#0"),
            ("#-0", Evaluation::BlackWins(0), "#-0"),
        ] {
            assert_eq!(text.parse(), Ok(evaluation), "{text}");
            assert_eq!(evaluation.to_string(), written);
        }
        for text in ["", ".", "-", "x", "1,5", "#", "#x", "--1", "9999999.0"] {
            assert!(text.parse::<Evaluation>().is_err(), "{text}");
        }
    }
}
