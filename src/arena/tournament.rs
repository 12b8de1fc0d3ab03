//! Tournaments of engines: who plays whom, the standings, and the ratings that they show.

use super::match_game::MatchGame;
use super::score::{Elo, MatchScore, NORMAL_95};

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pairing {
    /// Everybody against everybody.
    RoundRobin,
    /// The first player against all others.
    Gauntlet,
}

impl Pairing {
    /// Returns the matches between `players` players, as pairs of their indices.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::arena::Pairing;
    ///
    /// assert_eq!(Pairing::RoundRobin.matches(3), [[0, 1], [0, 2], [1, 2]]);
    /// assert_eq!(Pairing::Gauntlet.matches(3), [[0, 1], [0, 2]]);
    /// ```
    pub fn matches(self, players: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Self::RoundRobin => players.saturating_sub(1),
            Self::Gauntlet => 1,
        };
        (0..firsts).flat_map(|one| (one + 1..players).map(move |other| [one, other])).collect()
    }
}

/// The scores of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    players: usize,
    matches: Vec<([usize; 2], MatchScore)>,
}

impl Standings {
    /// Returns the standings before the first game of these matches; see [`Pairing::matches`].
    pub fn new(players: usize, matches: &[[usize; 2]]) -> Self {
        Self { players, matches: matches.iter().map(|&pair| (pair, MatchScore::default())).collect() }
    }

    /// Adds the next game of the match with this index.
    ///
    /// # Panics
    ///
    /// If there are fewer matches.
    pub fn add(&mut self, n: usize, game: &MatchGame) {
        self.matches[n].1.add(game);
    }

    /// Returns the matches with their scores, from the point of view of the first of each pair.
    pub fn matches(&self) -> &[([usize; 2], MatchScore)] {
        &self.matches
    }

    /// Returns the points and the games of a player against another one; `None` if they do not meet.
    pub fn between(&self, player: usize, other: usize) -> Option<(f64, u64)> {
        let (pair, score) =
            self.matches.iter().find(|(pair, _)| *pair == [player, other] || *pair == [other, player])?;
        let points = score.points();
        Some((if pair[0] == player { points } else { score.games() as f64 - points }, score.games()))
    }

    /// Returns the points and the games of a player.
    pub(crate) fn total(&self, player: usize) -> (f64, u64) {
        let found = (0..self.players).filter_map(|other| self.between(player, other));
        found.fold((0.0, 0), |sum, (points, games)| (sum.0 + points, sum.1 + games))
    }

    /// Returns the rating of each player in Elo points, with the mean of the rated players as zero: the strengths under
    /// which the points are likeliest, each game being independent of the others except for the one with reversed colours.
    ///
    /// A player who won or lost everything against the others has no finite rating; neither has a group of players
    /// that took all points, or none, from the rest. Then only the largest group is rated that is tied together by
    /// results, by its games among itself.
    pub(crate) fn ratings(&self) -> Vec<Option<Elo>> {
        let rated = self.largest_tied_group();
        let mut ratings = vec![None; self.players];
        if rated.len() > 1 {
            for (&player, rating) in rated.iter().zip(self.ratings_of(&rated)) {
                ratings[player] = Some(rating);
            }
        }
        ratings
    }

    /// Returns the largest group in which points went from each player to each other, directly or by way of others.
    fn largest_tied_group(&self) -> Vec<usize> {
        let took = |one, other| self.between(one, other).is_some_and(|(points, _)| points > 0.0);
        let mut reached: Vec<Vec<bool>> = (0..self.players)
            .map(|one| (0..self.players).map(|other| one == other || took(one, other)).collect())
            .collect();
        for by in 0..self.players {
            for one in 0..self.players {
                for other in 0..self.players {
                    reached[one][other] |= reached[one][by] && reached[by][other];
                }
            }
        }
        let group =
            |one: usize| (0..self.players).filter(|&other| reached[one][other] && reached[other][one]).collect();
        // The first of equal size.
        (0..self.players).rev().map(group).max_by_key(Vec::len).unwrap_or_default()
    }

    /// Returns the ratings of players among themselves, none of whom won or lost everything.
    fn ratings_of(&self, players: &[usize]) -> Vec<Elo> {
        let place = |player: usize| players.iter().position(|&rated| rated == player);
        let games: Vec<_> = self
            .matches
            .iter()
            .filter_map(|(pair, score)| Some(([place(pair[0])?, place(pair[1])?], score)))
            .filter(|(_, score)| score.games() > 0)
            .collect();
        let mut strengths = vec![0.0; players.len()];
        for _ in 0..MAX_STEPS {
            let mut gradient = vec![0.0; players.len()];
            let mut information = Laplacian::new(players.len());
            for ([one, other], score) in &games {
                let expected = expected(strengths[*one] - strengths[*other]);
                let surplus = score.points() - score.games() as f64 * expected;
                gradient[*one] += surplus;
                gradient[*other] -= surplus;
                information.add([*one, *other], score.games() as f64 * expected * (1.0 - expected));
            }
            let step = information.solve(&gradient);
            // Far from the solution, where the likelihood is not like a parabola, whole steps may lead away from it.
            let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
            let scale = (MAX_STEP / longest).min(1.0);
            strengths.iter_mut().zip(&step).for_each(|(strength, part)| *strength += scale * part);
            if longest < PRECISION {
                break;
            }
        }
        let mut information = Laplacian::new(players.len());
        for ([one, other], score) in &games {
            let expected = expected(strengths[*one] - strengths[*other]);
            information.add([*one, *other], score.games() as f64 * expected * (1.0 - expected));
        }
        (0..players.len()).map(|n| Elo::new(ELO * strengths[n], error(n, &information, &games))).collect()
    }
}

/// Elo points of a unit of strength, at which odds are e to one.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Largest change of a strength in a step.
const MAX_STEP: f64 = 1.0;
/// Change of all strengths below which they are final: a thousandth of an Elo point.
const PRECISION: f64 = 0.001 / ELO;
/// Maximum number of steps; a dozen are usual.
const MAX_STEPS: usize = 200;

/// Returns the expected share of the points at a difference of strength.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Returns half the width of the 95 % confidence interval of a rating, in Elo points; `None` if no match has a measurable
/// variance.
///
/// The rating is a linear function of the points near the solution, so its variance is that of the points, which the pairs
/// of games with one opening show, weighted by its squared derivatives.
fn error(player: usize, information: &Laplacian, games: &[([usize; 2], &MatchScore)]) -> Option<f64> {
    let mut unit = vec![0.0; information.size()];
    unit[player] = 1.0;
    let derivatives = information.solve(&unit);
    let variances = games.iter().map(|([one, other], score)| {
        let derivative = derivatives[*one] - derivatives[*other];
        derivative * derivative * score.variance_of_points()
    });
    let variance: f64 = variances.sum();
    (variance > 0.0).then(|| NORMAL_95 * ELO * variance.sqrt())
}

/// A symmetric matrix of weights between players, with the negative sum of each row on the diagonal, times minus one.
struct Laplacian(Vec<Vec<f64>>);

impl Laplacian {
    fn new(size: usize) -> Self {
        Self(vec![vec![0.0; size]; size])
    }

    const fn size(&self) -> usize {
        self.0.len()
    }

    fn add(&mut self, [one, other]: [usize; 2], weight: f64) {
        self.0[one][one] += weight;
        self.0[other][other] += weight;
        self.0[one][other] -= weight;
        self.0[other][one] -= weight;
    }

    /// Returns the solution with the sum zero for the part of the right side with the sum zero.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = self.size();
        let mean = right.iter().sum::<f64>() / size as f64;
        // Adding one everywhere leaves that solution as it is and makes it the only one.
        let mut rows: Vec<Vec<f64>> = (self.0.iter().zip(right))
            .map(|(row, value)| row.iter().map(|weight| weight + 1.0).chain([value - mean]).collect())
            .collect();
        for column in 0..size {
            let magnitude = |row: &usize| rows[*row][column].abs();
            let pivot = (column..size).max_by(|one, other| magnitude(one).total_cmp(&magnitude(other)));
            rows.swap(column, pivot.unwrap_or(column));
            let pivot = rows[column].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(n, _)| *n != column) {
                let factor = row[column] / pivot[column];
                row.iter_mut().zip(&pivot).for_each(|(value, of_pivot)| *value -= factor * of_pivot);
            }
        }
        (0..size).map(|n| rows[n][size] / rows[n][n]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns standings by the number of pairs of games with 0 to 4 half points for the first of two players.
    fn standings(players: usize, matches: &[([usize; 2], [u64; 5])]) -> Standings {
        let matches = matches.iter().map(|&(pair, pairs)| (pair, MatchScore::of_pairs(pairs))).collect();
        Standings { players, matches }
    }

    fn differences(ratings: &[Option<Elo>]) -> Vec<f64> {
        ratings.iter().map(|rating| rating.expect("a rating").difference()).collect()
    }

    #[test]
    fn two_players_are_rated_as_in_a_match() {
        let found = standings(2, &[([0, 1], [10, 20, 40, 30, 20])]);
        let elo = found.matches[0].1.elo();
        let ratings = found.ratings();
        let [one, other] = differences(&ratings)[..] else { panic!("two ratings") };
        assert!((one - other - elo.difference()).abs() < 0.01 && (one + other).abs() < 0.01, "{one} {other} {elo}");
        // The error of a rating is half of that of the difference; a match takes the mean of both directions.
        let error = ratings[0].and_then(|rating| rating.error()).expect("an error");
        assert!((2.0 * error - elo.error().expect("an error")).abs() < 0.5, "{error} {elo}");
    }

    #[test]
    fn ratings_are_those_under_which_the_points_are_likeliest() {
        // 75 % is 190.85 Elo; by way of the second player, the first is twice that above the third.
        let chain = [([0, 1], [0, 0, 10, 0, 10]), ([1, 2], [0, 0, 10, 0, 10])];
        let found = differences(&standings(3, &chain).ratings());
        assert!(
            (found[0] - found[1] - 190.85).abs() < 0.01 && (found[1] - found[2] - 190.85).abs() < 0.01,
            "{found:?}"
        );
        assert!(found.iter().sum::<f64>().abs() < 0.01);
        // Each takes all from the next: they are equal.
        let circle = [([0, 1], [0, 0, 0, 0, 5]), ([1, 2], [0, 0, 0, 0, 5]), ([0, 2], [5, 0, 0, 0, 0])];
        assert!(differences(&standings(3, &circle).ratings()).iter().all(|elo| elo.abs() < 0.01));
    }

    #[test]
    fn who_won_or_lost_everything_is_not_rated() {
        let matches = [([0, 1], [0, 0, 0, 0, 9]), ([0, 2], [0, 0, 0, 0, 9]), ([1, 2], [1, 2, 3, 2, 1])];
        let found = standings(3, &matches);
        let ratings = found.ratings();
        assert_eq!(ratings[0], None);
        assert!(ratings[1].is_some_and(|elo| elo.difference().abs() < 0.01));
        assert_eq!((found.total(0), found.total(2)), ((36.0, 36), (9.0, 36)));
        assert_eq!(standings(2, &[([0, 1], [0, 0, 0, 0, 3])]).ratings(), [None, None]);
        assert_eq!(standings(3, &[]).ratings(), [None; 3]);
    }
}
