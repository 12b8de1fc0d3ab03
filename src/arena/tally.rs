//! The score of a match and what it says about the players.

use std::fmt;

use super::game::Played;

/// Standard deviations of an interval that holds 95 % of a normal distribution.
const NORMAL_95: f64 = 1.96;
/// Both kinds of error of the sequential test.
const ERROR: f64 = 0.05;
/// Weight of an outcome that did not occur, so that a few equal games are not taken for all that can happen.
const UNSEEN: f64 = 0.1;

/// The score of a match as the first player sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games lost, drawn and won.
    pub games: [u64; 3],
    /// Pairs of games with one opening, by their half points, 0 to 4. Games of a pair depend on each other, pairs do not.
    pub pairs: [u64; 5],
    /// Half points of the first game of a pair whose second is missing.
    half: Option<usize>,
    /// Games that a fault of either player decided.
    pub failed: [u64; 2],
}

/// A difference of strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference; infinite where all points went to one side.
    pub difference: f64,
    /// Half the width of the interval that holds it with 95 %; `None` where too few games were played to say.
    pub error: Option<f64>,
}

impl Tally {
    /// Adds the next game.
    pub fn add(&mut self, played: &Played) {
        let half_points = played.half_points();
        self.games[half_points] += 1;
        match self.half.take() {
            Some(first) => self.pairs[first + half_points] += 1,
            None => self.half = Some(half_points),
        }
        if let Some(first) = played.failed() {
            self.failed[usize::from(!first)] += 1;
        }
    }

    /// Number of games.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Whether every game has its counterpart.
    pub const fn is_paired(&self) -> bool {
        self.half.is_none()
    }

    /// Share of the points, from 0 to 1; a half before any game.
    pub fn share(&self) -> f64 {
        let [_, drawn, won] = self.games;
        if self.count() == 0 { 0.5 } else { (won as f64 + drawn as f64 / 2.0) / self.count() as f64 }
    }

    /// Returns the difference of strength.
    pub fn elo(&self) -> Elo {
        let share = self.share();
        let pairs: u64 = self.pairs.iter().sum();
        let (_, variance) = moments(&self.pairs.map(|count| count as f64));
        let deviation = NORMAL_95 * (variance / pairs as f64).sqrt();
        let inside = share - deviation > 0.0 && share + deviation < 1.0;
        let error = (pairs >= 2 && inside).then(|| (elo(share + deviation) - elo(share - deviation)) / 2.0);
        Elo { difference: elo(share), error }
    }
}

/// Mean and variance of the share of points of a pair.
fn moments(pairs: &[f64; 5]) -> (f64, f64) {
    let count: f64 = pairs.iter().sum();
    let share = |n: usize| n as f64 / 4.0;
    let mean = pairs.iter().enumerate().map(|(n, weight)| weight * share(n)).sum::<f64>() / count;
    let squares = pairs.iter().enumerate().map(|(n, weight)| weight * (share(n) - mean).powi(2));
    (mean, squares.sum::<f64>() / count)
}

fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error {
            _ if self.difference.is_infinite() => f.write_str("beyond measure"),
            Some(error) => write!(f, "{:+.1} ± {error:.1}", self.difference),
            None => write!(f, "{:+.1}, the error is unknown", self.difference),
        }
    }
}

/// A sequential test: is the difference the first or the second of these? Both kinds of error are 5 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference to be rejected.
    pub elo0: f64,
    /// The difference to be accepted.
    pub elo1: f64,
}

/// What a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The first difference.
    Rejected,
    /// The second difference.
    Accepted,
    /// Not yet.
    Open,
}

impl Sprt {
    /// Logarithm of the ratio of likelihoods, by the normal approximation over pairs of games.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let count: u64 = tally.pairs.iter().sum();
        if count == 0 {
            return 0.0;
        }
        let (mean, variance) = moments(&tally.pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 }));
        let (low, high) = (expected(self.elo0), expected(self.elo1));
        count as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// The ratio that decides, as a logarithm; its negative decides the other way.
    pub fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// Returns what the test says.
    pub fn decision(&self, tally: &Tally) -> Decision {
        match self.llr(tally) {
            llr if llr >= Self::bound() => Decision::Accepted,
            llr if llr <= -Self::bound() => Decision::Rejected,
            _ => Decision::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5]) -> Tally {
        // Two halves make a draw each, one and three a draw and a decided game.
        let [p0, p1, p2, p3, p4] = pairs;
        Tally { games: [2 * p0 + p1, p1 + 2 * p2 + p3, p3 + 2 * p4], pairs, half: None, failed: [0, 0] }
    }

    #[test]
    fn equal_players() {
        let even = tally([10, 20, 40, 20, 10]).elo();
        assert!(even.difference.abs() < 1e-9);
        // The standard deviation of a pair is 0.274, of the mean of a hundred 0.0274: ±5.4 %, which are 37 points.
        assert!((even.error.unwrap() - 37.5).abs() < 0.5, "{even}");
    }

    #[test]
    fn too_few_games_say_nothing_of_the_error() {
        assert_eq!(tally([0, 0, 1, 0, 0]).elo().error, None);
        assert_eq!(tally([0, 0, 0, 0, 9]).elo().to_string(), "beyond measure");
        assert_eq!(Tally::default().elo().to_string(), "+0.0, the error is unknown");
    }

    #[test]
    fn a_clear_difference_is_found() {
        let test = Sprt { elo0: 0.0, elo1: 10.0 };
        assert_eq!(test.decision(&tally([0, 0, 5, 0, 0])), Decision::Open);
        assert_eq!(test.decision(&tally([50, 100, 300, 200, 150])), Decision::Accepted);
        assert_eq!(test.decision(&tally([150, 200, 300, 100, 50])), Decision::Rejected);
        assert!((Sprt::bound() - 2.944).abs() < 0.001);
    }
}
