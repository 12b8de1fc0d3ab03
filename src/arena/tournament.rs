//! Tournaments of engines: who plays whom, the standings, and the ratings that they show.

use super::match_game::MatchGame;
use super::score::{Elo, MatchScore};
use crate::strengths::{ELO, Meetings, NORMAL_95, among, largest_tied_group, solve, strengths};

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
    pub(crate) fn new(players: usize, matches: &[[usize; 2]]) -> Self {
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

    /// Returns the points and the games of a player against another one; `None` if they have not met.
    pub(crate) fn between(&self, player: usize, other: usize) -> Option<(f64, u64)> {
        let (pair, score) =
            self.matches.iter().find(|(pair, _)| *pair == [player, other] || *pair == [other, player])?;
        if score.games() == 0 {
            return None;
        }
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
        let games: Vec<_> = (0..self.players).map(|player| self.games_of(player)).collect();
        let group = largest_tied_group(&games);
        let (games, free) = (among(&games, &group), vec![None; group.len()]);
        let strengths = strengths(&games, &free, 0.0);
        let mut ratings = vec![None; self.players];
        for (n, &player) in group.iter().enumerate() {
            // The rating is a linear function of the points near the solution, so its variance is that of the points, which the
            // pairs of games with one opening show, weighted by its squared derivatives. Their sum is zero, like that of the ratings.
            let unit: Vec<_> =
                (0..group.len()).map(|other| f64::from(u8::from(other == n)) - 1.0 / group.len() as f64).collect();
            let derivatives = solve(&games, &strengths, &free, &unit);
            let variances = self.matches.iter().filter_map(|(pair, score)| {
                let [Ok(one), Ok(other)] = pair.map(|player| group.binary_search(&player)) else { return None };
                Some((derivatives[one] - derivatives[other]).powi(2) * score.variance_of_points())
            });
            let variance: f64 = variances.sum();
            let error = (variance > 0.0).then(|| NORMAL_95 * ELO * variance.sqrt());
            ratings[player] = Some(Elo::new(ELO * strengths[n], error));
        }
        ratings
    }

    /// Returns the games of a player against each opponent, in the order of the players.
    fn games_of(&self, player: usize) -> Vec<Meetings> {
        let against = |&([one, other], ref score): &([usize; 2], MatchScore)| {
            let (wins, draws, losses) = (score.wins(), score.draws(), score.losses());
            match player {
                _ if score.games() == 0 => None,
                player if player == one => Some(Meetings { other, wins, draws, losses }),
                player if player == other => Some(Meetings { other: one, wins: losses, draws, losses: wins }),
                _ => None,
            }
        };
        let mut games: Vec<_> = self.matches.iter().filter_map(against).collect();
        games.sort_by_key(|one| one.other);
        games
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
        assert_eq!((found.between(2, 0), standings(2, &[([0, 1], [0; 5])]).between(0, 1)), (Some((0.0, 18)), None));
        assert_eq!(standings(3, &[]).ratings(), [None; 3]);
    }
}
