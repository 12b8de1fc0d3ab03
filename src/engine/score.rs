//! The score of a position.

use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

/// The score of a position: an estimate in centi-men, or a proven win or loss with its distance in plies.
///
/// A larger score is better for the side from whose point of view it is given. As text, an estimate is in men with two decimals
/// (`0.32`), and `#7` and `#-7` are a proven win and loss in 7 plies.
///
/// # Examples
///
/// ```
/// use pdn::engine::Score;
///
/// assert_eq!(Score::centi_men(32).to_string(), "0.32");
/// assert_eq!("#-7".parse(), Ok(Score::loss_in(7)));
/// assert!(Score::win_in(7) > Score::centi_men(1000));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score(i32);

impl Score {
    /// The score of an even position.
    pub const DRAW: Self = Self(0);
    /// The score of a position that is won by the endgame databases, at an unknown distance from the end: 89 men. In the Hub
    /// protocol 90 men and more are a proven win.
    pub const KNOWN_WIN: Self = Self(8_900);
    // Within the 16 bits that the transposition table has for a score.
    /// Value of a game already won; a win in n plies is n less.
    pub(super) const WIN: i32 = 30_000;
    /// Largest value of an estimate.
    pub(crate) const MAX_ESTIMATE: i32 = 29_000;
    /// Value at the root of a position that is won, at an unknown distance from the end; n plies below the root it is n
    /// less, so that the search prefers the shorter way into such a position.
    pub(super) const WON_AT_ROOT: i32 = 8_990;
    /// Values beyond this one belong to won positions and depend on the distance from the root.
    pub(super) const MAX_UNKNOWN: i32 = 8_800;

    /// Returns an estimate in centi-men, clamped to ±29,000.
    pub const fn centi_men(value: i32) -> Self {
        if value > Self::MAX_ESTIMATE {
            Self(Self::MAX_ESTIMATE)
        } else if value < -Self::MAX_ESTIMATE {
            Self(-Self::MAX_ESTIMATE)
        } else {
            Self(value)
        }
    }

    /// Returns a proven win in that many plies, at most 999.
    pub const fn win_in(plies: u32) -> Self {
        // 30,000 less 999 is still above the largest estimate, so a win can always be recognized by its value.
        let plies = if plies > 999 { 999 } else { plies as i32 };
        Self(Self::WIN - plies)
    }

    /// Returns a proven loss in that many plies, at most 999.
    pub const fn loss_in(plies: u32) -> Self {
        Self(-Self::win_in(plies).0)
    }

    /// Returns the number of plies to a proven win or loss; `None` for an estimate.
    pub const fn plies_to_end(self) -> Option<u32> {
        if self.is_win() || self.is_loss() { Some(Self::WIN.abs_diff(self.0.abs())) } else { None }
    }

    /// Returns the score for the side that moved, if this is the score of the resulting position for the side to move.
    pub(crate) fn one_ply_earlier(self) -> Self {
        match self.plies_to_end() {
            None => -self,
            Some(plies) if self.is_win() => Self::loss_in(plies + 1),
            Some(plies) => Self::win_in(plies + 1),
        }
    }

    /// Returns the score for the side to move after the best move, if this is the score before it.
    pub(crate) fn one_ply_later(self) -> Self {
        match self.plies_to_end() {
            None => -self,
            Some(plies) if self.is_win() => Self::loss_in(plies.saturating_sub(1)),
            Some(plies) => Self::win_in(plies.saturating_sub(1)),
        }
    }

    /// Returns the score to report: a win without a known end has the same score at any distance from the root.
    pub(super) fn reported(self) -> Self {
        let is_known = (Self::MAX_UNKNOWN + 1..=Self::WON_AT_ROOT).contains(&self.0.abs());
        if is_known { Self(Self::KNOWN_WIN.0 * self.0.signum()) } else { self }
    }

    /// Returns true if this is a proven win.
    pub(crate) const fn is_win(self) -> bool {
        self.0 > Self::MAX_ESTIMATE
    }

    /// Returns true if this is a proven loss.
    pub(crate) const fn is_loss(self) -> bool {
        self.0 < -Self::MAX_ESTIMATE
    }

    /// Returns the score with this [`value`](Self::value).
    pub(crate) const fn from_value(value: i32) -> Self {
        Self(value)
    }

    /// Returns the score as a number: centi-men for an estimate, beyond ±29,000 for a proven win or loss.
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

impl FromStr for Score {
    type Err = ParseScoreError;

    fn from_str(text: &str) -> Result<Self, ParseScoreError> {
        let (text, proven) = text.strip_prefix('#').map_or((text, false), |rest| (rest, true));
        let (digits, negative) = match text.strip_prefix('-') {
            Some(digits) => (digits, true),
            None => (text.strip_prefix('+').unwrap_or(text), false),
        };
        let score = if proven { number(digits).map(Self::win_in) } else { centi_men(digits).map(Self::centi_men) };
        score.map(|score| if negative { -score } else { score }).ok_or(ParseScoreError)
    }
}

/// Reads men with two decimals.
fn centi_men(text: &str) -> Option<i32> {
    let (men, decimals) = text.split_once('.').filter(|(_, decimals)| decimals.len() == 2)?;
    let value = number(men)?.checked_mul(100)?.checked_add(number(decimals)?)?;
    value.try_into().ok()
}

fn number(digits: &str) -> Option<u32> {
    // `parse` alone would accept a second sign, as in `-+0.32` and `#++7`.
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// The error for a text that is not a [`Score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a score such as 0.32, #7 or #-7")]
pub struct ParseScoreError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_survive_their_text() {
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
            assert_eq!(text.parse(), Ok(score));
        }
    }

    #[test]
    fn scores_may_have_a_plus_sign() {
        for (text, score) in [("+0.32", Score::centi_men(32)), ("#+7", Score::win_in(7))] {
            assert_eq!(text.parse(), Ok(score), "{text}");
        }
    }

    #[test]
    fn invalid_scores_are_errors() {
        for text in [
            "",
            "-",
            "#",
            "#-",
            "1",
            "1.5",
            "1.555",
            "++0.32",
            "-+0.32",
            "#++7",
            "0.3x",
            "#x",
            "--0.32",
            "99999999999.00",
        ] {
            assert_eq!(text.parse::<Score>(), Err(ParseScoreError), "{text}");
        }
    }

    #[test]
    fn scores_are_ordered_by_preference() {
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
