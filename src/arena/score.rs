//! The score of a match and the difference in strength that it shows.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::match_game::{GameEnd, MatchGame};
use crate::link::Thought;
use crate::strengths::NORMAL_95;

/// Probability of either kind of error in the sequential test.
const ERROR: f64 = 0.05;
/// Pseudo-count of an outcome that has not occurred, so that a few equal games do not give a variance of zero.
const UNSEEN: f64 = 0.1;

/// The score of a match from the first player's point of view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// Games lost, drawn and won.
    games: [u64; 3],
    /// Pairs of games from one opening by their half points, 0 to 4. Games of a pair are correlated, pairs are not.
    pairs: [u64; 5],
    /// Half points of the first game of a pair that is not complete yet.
    unpaired: Option<usize>,
    /// Number of games decided by a failure, for each player.
    pub(crate) failures: [u64; 2],
    /// The reason for the first failure of each player.
    first_failures: [Option<String>; 2],
    /// The searches of both players.
    pub(crate) efforts: [Effort; 2],
    /// Number of games by the way they ended.
    ends: BTreeMap<String, u64>,
}

/// A difference in strength in Elo points: positive if the first player is stronger, 400 for odds of ten to one.
///
/// The error follows from the pairs of games that begin with the same opening, because the results of such a pair depend
/// on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    difference: f64,
    error: Option<f64>,
}

impl MatchScore {
    /// Returns the score of pairs of games by their half points.
    #[cfg(test)]
    pub(super) fn of_pairs(pairs: [u64; 5]) -> Self {
        // Two half points are counted as two draws, one or three as a draw and a decided game.
        let [p0, p1, p2, p3, p4] = pairs;
        let games = [2 * p0 + p1, p1 + 2 * p2 + p3, p3 + 2 * p4];
        Self { games, pairs, ..Self::default() }
    }

    /// Adds the next game.
    pub fn add(&mut self, game: &MatchGame) {
        let half_points = game.half_points();
        self.games[half_points] += 1;
        match self.unpaired.take() {
            Some(first) => self.pairs[first + half_points] += 1,
            None => self.unpaired = Some(half_points),
        }
        if let (Some(player), GameEnd::Failed(reason)) = (game.failed_player(), game.end()) {
            self.failures[player] += 1;
            self.first_failures[player].get_or_insert_with(|| format!("game {}: {reason}", game.number() + 1));
        }
        let end = match game.end() {
            GameEnd::Board => "no move left",
            GameEnd::Draw(name) => name,
            GameEnd::Length => "too long",
            GameEnd::Agreed => "agreement",
            GameEnd::Database => "databases",
            GameEnd::Declared => "declared by a player",
            GameEnd::Failed(_) => "failure of a player",
        };
        *self.ends.entry(end.to_owned()).or_default() += 1;
        let mut side = game.opening.position().turn();
        for thought in &game.thoughts {
            self.efforts[usize::from(side != game.first)].add(thought);
            side = !side;
        }
    }

    /// Returns the ways in which games ended, with the number of games, in the order of their names.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (&str, u64)> {
        self.ends.iter().map(|(end, games)| (end.as_str(), *games))
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Returns the number of games lost by the first player.
    pub const fn losses(&self) -> u64 {
        self.games[0]
    }

    /// Returns the number of drawn games.
    pub const fn draws(&self) -> u64 {
        self.games[1]
    }

    /// Returns the number of games won by the first player.
    pub const fn wins(&self) -> u64 {
        self.games[2]
    }

    /// Returns for each player the first game that its failure decided, and the reason.
    pub(crate) fn first_failures(&self) -> [Option<&str>; 2] {
        self.first_failures.each_ref().map(Option::as_deref)
    }

    /// Returns true if every opening was played by both sides.
    pub(crate) const fn is_paired(&self) -> bool {
        self.unpaired.is_none()
    }

    /// Returns the points of the first player: 1 for a win, ½ for a draw.
    pub(super) fn points(&self) -> f64 {
        self.wins() as f64 + self.draws() as f64 / 2.0
    }

    /// Returns the variance of the points, by those of the pairs of games.
    pub(super) fn variance_of_points(&self) -> f64 {
        let pairs: u64 = self.pairs.iter().sum();
        if pairs == 0 {
            return 0.0;
        }
        // A pair has two points to share; all games count as if they were in pairs.
        let (_, variance) = moments(&self.pairs.map(|count| count as f64));
        4.0 * variance * self.games() as f64 / 2.0
    }

    /// Returns the share of the points, from 0 to 1; 0.5 before any game.
    pub(crate) fn share(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        self.points() / self.games() as f64
    }

    /// Returns the difference in strength.
    pub fn elo(&self) -> Elo {
        let share = self.share();
        let pairs: u64 = self.pairs.iter().sum();
        let deviation = NORMAL_95 * self.deviation();
        let inside = share - deviation > 0.0 && share + deviation < 1.0;
        // If all pairs have the same points, there is no evidence of how much others would differ.
        let is_measurable = pairs >= 2 && deviation > 0.0 && inside;
        let error = is_measurable.then(|| (elo(share + deviation) - elo(share - deviation)) / 2.0);
        Elo { difference: elo(share), error }
    }

    /// Returns the likelihood of superiority, from 0 to 1: that the first player is the stronger one, by the normal approximation
    /// over pairs of games; `None` if the error of the difference in strength is not measurable.
    pub fn superiority(&self) -> Option<f64> {
        self.elo().error?;
        Some(normal_share((self.share() - 0.5) / self.deviation()))
    }

    /// Returns the share of draws, from 0 to 1; 0 before any game.
    pub(crate) fn draw_ratio(&self) -> f64 {
        self.draws() as f64 / self.games().max(1) as f64
    }

    /// Returns the standard deviation of the share of the points, by the pairs of games.
    fn deviation(&self) -> f64 {
        // Without pairs it is not a number, and no comparison with it holds.
        let (_, variance) = moments(&self.pairs.map(|count| count as f64));
        let pairs: u64 = self.pairs.iter().sum();
        (variance / pairs as f64).sqrt()
    }
}

/// Returns the mean and the variance of the share of points in a pair.
fn moments(pairs: &[f64; 5]) -> (f64, f64) {
    let count: f64 = pairs.iter().sum();
    let share = |n: usize| n as f64 / 4.0;
    let mean = pairs.iter().enumerate().map(|(n, weight)| weight * share(n)).sum::<f64>() / count;
    let squares = pairs.iter().enumerate().map(|(n, weight)| weight * (share(n) - mean).powi(2));
    (mean, squares.sum::<f64>() / count)
}

/// Returns the share of a normal distribution below a value in standard deviations from the mean: Abramowitz and Stegun, 26.2.17,
/// whose error is below 10⁻⁷.
fn normal_share(value: f64) -> f64 {
    const TERMS: [f64; 5] = [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let step = 1.0 / (1.0 + 0.231_641_9 * value.abs());
    let density = (-value * value / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let above = density * TERMS.iter().rev().fold(0.0, |sum, term| (sum + term) * step);
    if value < 0.0 { above } else { 1.0 - above }
}

fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

fn expected_share(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl Elo {
    pub(super) const fn new(difference: f64, error: Option<f64>) -> Self {
        Self { difference, error }
    }

    /// Returns the difference in Elo points; infinite if one player has all the points.
    pub const fn difference(&self) -> f64 {
        self.difference
    }

    /// Returns half the width of the 95 % confidence interval; `None` after too few games, or if all pairs of games have the
    /// same points.
    pub const fn error(&self) -> Option<f64> {
        self.error
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error {
            _ if self.difference.is_infinite() => f.write_str("not measurable"),
            Some(error) => write!(f, "{:+.1} ± {error:.1}", self.difference),
            None => write!(f, "{:+.1}, error not measurable", self.difference),
        }
    }
}

/// The searches of one player in all games of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    pub(crate) moves: u64,
    depth: Mean,
    /// Moves whose time is known: those restored from a checkpoint may have none.
    time: Mean,
    /// Nodes of moves whose time and nodes are known, not those from a book.
    nodes: u64,
    time_of_nodes: Duration,
}

/// A sum, and the number of its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mean {
    sum: u64,
    count: u64,
}

impl Mean {
    /// Adds a value unless it is unknown, which is 0.
    fn add(&mut self, value: u64) {
        self.sum += value;
        self.count += u64::from(value > 0);
    }

    /// Returns the mean; `None` if no value is known.
    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

impl Effort {
    /// Adds a move.
    fn add(&mut self, thought: &Thought) {
        self.moves += 1;
        self.depth.add(u64::from(thought.depth));
        self.time.add(thought.time.as_nanos() as u64);
        if !thought.time.is_zero() && thought.nodes > 0 {
            self.nodes += thought.nodes;
            self.time_of_nodes += thought.time;
        }
    }

    /// Returns the mean depth of its searches, in plies; 0 if the player reports none.
    pub(crate) fn mean_depth(&self) -> f64 {
        self.depth.value().unwrap_or(0.0)
    }

    /// Returns the mean time of a move, in seconds; `None` if no time is known.
    pub(crate) fn mean_time(&self) -> Option<f64> {
        self.time.value().map(|nanoseconds| nanoseconds / 1e9)
    }

    /// Returns the number of nodes per second; `None` if no time is known, or the player reports no nodes.
    pub(crate) fn nodes_per_second(&self) -> Option<f64> {
        (self.nodes > 0).then(|| self.nodes as f64 / self.time_of_nodes.as_secs_f64())
    }
}

/// A sequential probability ratio test that decides between two differences in strength, with 5 % of either kind of error.
///
/// # Examples
///
/// ```
/// use pdn::arena::{MatchScore, Sprt, SprtDecision};
///
/// let test = Sprt::new(0.0, 10.0).unwrap();
/// assert_eq!(test.decision(&MatchScore::default()), SprtDecision::Open);
/// assert!(Sprt::new(10.0, 0.0).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The smaller difference.
    pub(crate) elo0: f64,
    /// The larger difference.
    pub(crate) elo1: f64,
}

/// The result of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// The smaller difference is accepted.
    Elo0,
    /// The larger difference is accepted.
    Elo1,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// Returns a test of two differences in Elo points; `None` unless both are finite and the first is smaller.
    pub fn new(elo0: f64, elo1: f64) -> Option<Self> {
        (elo0.is_finite() && elo1.is_finite() && elo0 < elo1).then_some(Self { elo0, elo1 })
    }

    /// Returns the log-likelihood ratio of the two differences, by the normal approximation over pairs of games.
    pub(crate) fn llr(&self, score: &MatchScore) -> f64 {
        let count: u64 = score.pairs.iter().sum();
        if count == 0 {
            return 0.0;
        }
        let (mean, variance) = moments(&score.pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 }));
        let (low, high) = (expected_share(self.elo0), expected_share(self.elo1));
        count as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// Returns the log-likelihood ratio that accepts the larger difference; its negative accepts the smaller one.
    pub(crate) fn bound() -> f64 {
        // Both kinds of error are equally likely, so that the two bounds differ only in sign.
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// Returns the result of the test.
    pub fn decision(&self, score: &MatchScore) -> SprtDecision {
        match self.llr(score) {
            llr if llr >= Self::bound() => SprtDecision::Elo1,
            llr if llr <= -Self::bound() => SprtDecision::Elo0,
            _ => SprtDecision::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_equal_players_is_known() {
        let even = MatchScore::of_pairs([10, 20, 40, 20, 10]).elo();
        assert!(even.difference.abs() < 1e-9);
        // The standard deviation of a pair is 0.274, of the mean of a hundred 0.0274: ±5.4 %, which is 37 points.
        assert!((even.error.unwrap() - 37.5).abs() < 0.5, "{even}");
    }

    #[test]
    fn the_error_after_too_few_games_is_not_measurable() {
        assert_eq!(MatchScore::of_pairs([0, 0, 1, 0, 0]).elo().error, None);
        assert_eq!(MatchScore::of_pairs([0, 0, 2, 0, 0]).elo().to_string(), "+0.0, error not measurable");
        assert_eq!(MatchScore::of_pairs([0, 0, 0, 0, 9]).elo().to_string(), "not measurable");
        assert_eq!(MatchScore::default().elo().to_string(), "+0.0, error not measurable");
    }

    #[test]
    fn superiority_is_as_likely_as_the_error_says() {
        let likelihood = |pairs| MatchScore::of_pairs(pairs).superiority();
        let near = |pairs, expected: f64| likelihood(pairs).is_some_and(|found| (found - expected).abs() < 1e-3);
        assert!(near([10, 20, 40, 20, 10], 0.5));
        // The mean of 120 pairs is 0.5625, with a standard deviation of 0.02656: 2.353 of them above one half.
        assert!(near([10, 20, 40, 30, 20], 0.9907) && near([20, 30, 40, 20, 10], 0.0093));
        for unmeasurable in [[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 9], [0, 0, 0, 1, 1]] {
            assert_eq!(likelihood(unmeasurable), None, "{unmeasurable:?}");
        }
        for (value, share) in [(0.0, 0.5), (1.0, 0.841_344_75), (-1.96, 0.024_997_9), (9.0, 1.0)] {
            assert!((normal_share(value) - share).abs() < 1e-6, "{value}");
        }
        let score = MatchScore { games: [1, 2, 1], ..MatchScore::default() };
        assert_eq!((score.draw_ratio(), MatchScore::default().draw_ratio()), (0.5, 0.0));
    }

    #[test]
    fn a_clear_difference_is_found() {
        let test = Sprt::new(0.0, 10.0).unwrap();
        assert_eq!(test.decision(&MatchScore::of_pairs([0, 0, 5, 0, 0])), SprtDecision::Open);
        assert_eq!(test.decision(&MatchScore::of_pairs([50, 100, 300, 200, 150])), SprtDecision::Elo1);
        assert_eq!(test.decision(&MatchScore::of_pairs([150, 200, 300, 100, 50])), SprtDecision::Elo0);
        assert!((Sprt::bound() - 2.944).abs() < 0.001);
    }

    #[test]
    fn means_are_those_of_what_is_known() {
        let mut effort = Effort::default();
        let restored = Thought { depth: 8, nodes: 1_000_000, ..Thought::default() };
        effort.add(&restored);
        assert_eq!((effort.mean_time(), effort.nodes_per_second()), (None, None));
        effort.add(&Thought { depth: 6, nodes: 500, time: Duration::from_secs(2), ..restored });
        assert_eq!((effort.mean_time(), effort.nodes_per_second()), (Some(2.0), Some(250.0)));
        // A move from a book, or of a program that reports only its moves.
        effort.add(&Thought { time: Duration::from_secs(1), ..Thought::default() });
        assert_eq!((effort.mean_time(), effort.nodes_per_second()), (Some(1.5), Some(250.0)));
        assert!((effort.mean_depth() - 7.0).abs() < 1e-9);
    }

    #[test]
    fn a_sequential_test_needs_two_finite_differences_in_order() {
        for (elo0, elo1) in [(10.0, 0.0), (0.0, 0.0), (0.0, f64::INFINITY), (f64::NAN, 10.0)] {
            assert_eq!(Sprt::new(elo0, elo1), None, "{elo0} {elo1}");
        }
    }
}
