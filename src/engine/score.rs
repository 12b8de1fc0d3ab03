//! The value of a position.

use std::fmt;
use std::ops::Neg;

/// Value of a position in centi-men, or a proven win and its distance in plies.
///
/// Larger is better for the side whose point of view it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score(i32);

impl Score {
    /// An even position.
    pub const DRAW: Self = Self(0);
    /// Value of a game won on the spot; a win in n plies is worth n less.
    pub(super) const WIN: i32 = 30_000;
    /// Largest value that is not a proven win.
    pub(super) const LIMIT: i32 = 29_000;

    /// Returns an estimate in centi-men, cut at ±29,000.
    pub const fn centi_men(value: i32) -> Self {
        if value > Self::LIMIT {
            Self(Self::LIMIT)
        } else if value < -Self::LIMIT {
            Self(-Self::LIMIT)
        } else {
            Self(value)
        }
    }

    /// Returns a proven win in so many plies, at most 999.
    pub const fn win_in(plies: u32) -> Self {
        let plies = if plies > 999 { 999 } else { plies as i32 };
        Self(Self::WIN - plies)
    }

    /// Returns a proven loss in so many plies, at most 999.
    pub const fn loss_in(plies: u32) -> Self {
        Self(-Self::win_in(plies).0)
    }

    /// Plies to a proven end, for whichever side; `None` for an estimate.
    pub const fn plies_to_end(self) -> Option<u32> {
        if self.is_win() || self.is_loss() { Some(Self::WIN.abs_diff(self.0.abs())) } else { None }
    }

    /// Whether it is a proven win.
    pub const fn is_win(self) -> bool {
        self.0 > Self::LIMIT
    }

    /// Whether it is a proven loss.
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::LIMIT
    }

    /// Returns the score that [`Score::value`] gave.
    pub(crate) const fn from_value(value: i32) -> Self {
        Self(value)
    }

    /// The value as a number of centi-men, proven wins lying beyond all estimates.
    pub const fn value(self) -> i32 {
        self.0
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    /// Writes men with two decimals, or `#7` and `#-7` for a proven win and loss in plies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if self.is_loss() => write!(f, "#-{plies}"),
            Some(plies) => write!(f, "#{plies}"),
            None => {
                let sign = if self.0 < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{:02}", self.0.abs() / 100, self.0.abs() % 100)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let table = [
            (Score::centi_men(32), "0.32"),
            (Score::centi_men(-5), "-0.05"),
            (Score::centi_men(-1234), "-12.34"),
            (Score::DRAW, "0.00"),
            (Score::win_in(7), "#7"),
            (Score::loss_in(7), "#-7"),
            (Score::loss_in(0), "#-0"),
        ];
        for (score, text) in table {
            assert_eq!(score.to_string(), text);
        }
    }

    #[test]
    fn order() {
        let sorted = [
            Score::loss_in(1),
            Score::loss_in(9),
            Score::centi_men(-100_000),
            Score::DRAW,
            Score::centi_men(100_000),
            Score::win_in(2000),
            Score::win_in(3),
        ];
        assert!(sorted.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(-Score::win_in(4), Score::loss_in(4));
    }
}
