//! Ratings of players from the results of their games.

use std::collections::HashMap;
use std::ops::AddAssign;

use serde::Deserialize;

use super::players::Numbers;
use crate::board::Side;
use crate::check::{CheckedGame, GameWork, Play};
use crate::error::{Error, Result};

use crate::records::{RatingRow, RatingsRow};
use crate::strengths::{ELO, Meetings, NORMAL_95, among, expected, largest_tied_group, strengths};

// Results show only differences, so that the mean is a convention.
/// Mean of the ratings if no player's rating is given.
const AVERAGE: f64 = 2000.0;
/// Maximum size of a rating that is given.
const MAX_RATING: f64 = 100_000.0;

/// How players are rated.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct RatingsOptions {
    /// Rating that a player has, such as 'Glance=2150'; may be repeated
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME=RATING"))]
    pub anchor: Vec<String>,
    /// Mean of the ratings [default: 2000]
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "RATING", conflicts_with = "anchor", allow_hyphen_values = true)
    )]
    pub average: Option<f64>,
    /// List only players with at least N games
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 0))]
    pub min_games: u64,
}

/// The query for results between players: games that were played, with two names and a result.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResultsQuery;

/// The results between players.
#[derive(Clone, Debug, Default)]
pub struct PlayerResults {
    players: Numbers,
    /// Wins of the first, draws and wins of the second of each pair, whose first index is the smaller one.
    pairs: HashMap<[usize; 2], [u64; 3]>,
    /// Number of games between two equal names, which are not counted.
    same: u64,
}

impl GameWork for ResultsQuery {
    type Done = PlayerResults;

    fn game(&self, game: CheckedGame<'_>, done: &mut PlayerResults) {
        let names = Side::ALL.map(|side| game.known_player(side));
        if let ([Some(white), Some(black)], Some(outcome), Play::Game) = (names, game.winner(), game.play()) {
            // 0: White won, 1: a draw, 2: Black won.
            done.add([white, black], 2 - usize::from(outcome.half_points(Side::White)), 1);
        }
    }
}

impl AddAssign for PlayerResults {
    fn add_assign(&mut self, other: Self) {
        self.same += other.same;
        let mut names = vec![""; other.players.0.len()];
        other.players.0.iter().for_each(|(name, &player)| names[player as usize] = name);
        for ([one, two], results) in &other.pairs {
            for (place, &count) in results.iter().enumerate() {
                self.add([names[*one], names[*two]], place, count);
            }
        }
    }
}

impl PlayerResults {
    /// Adds games of two players that the first won, drew or lost (0, 1, 2).
    fn add(&mut self, names: [&str; 2], place: usize, count: u64) {
        let [one, two] = names.map(|name| self.players.of(name) as usize);
        // A player against the same name is a slip, and says nothing about strength.
        if one == two {
            self.same += count;
            return;
        }
        // For the other player, wins and losses change places.
        let (pair, place) = if one < two { ([one, two], place) } else { ([two, one], 2 - place) };
        self.pairs.entry(pair).or_default()[place] += count;
    }

    /// Returns the number of games between two equal names, which are not counted.
    pub(crate) const fn same(&self) -> u64 {
        self.same
    }

    /// Returns the ratings, in Elo points: the strengths under which the results are likeliest, a draw being half a win.
    ///
    /// A player who won or lost everything has no finite rating; neither has a group of players that took all points, or none,
    /// from the rest. So only the largest group is rated in which points went from each player to each other, directly or by way
    /// of others, by its games among itself.
    ///
    /// # Errors
    ///
    /// If an anchor cannot be read, or is no rated player, or if a rating is too large.
    pub(crate) fn ratings(&self, options: &RatingsOptions) -> Result<RatingsRow> {
        // By name: the order of a map differs from run to run, and sums with it.
        let mut names: Vec<_> = self.players.0.keys().map(|name| &**name).collect();
        names.sort_unstable();
        let places: HashMap<&str, usize> = names.iter().enumerate().map(|(place, &name)| (name, place)).collect();
        let mut place_of = vec![0; names.len()];
        self.players.0.iter().for_each(|(name, &player)| place_of[player as usize] = places[&**name]);
        let games = self.games(&place_of);
        let group = largest_tied_group(&games);
        let mut rated = vec![None; names.len()];
        group.iter().enumerate().for_each(|(n, &player)| rated[player] = Some(n));
        let among = among(&games, &group);
        let mut anchors = vec![None; group.len()];
        for text in &options.anchor {
            let (name, rating) = read_anchor(text)?;
            let player = places.get(name).and_then(|&player| rated[player]);
            let player = player.ok_or_else(|| Error::usage(format!("`{name}` is not the name of a rated player")))?;
            if anchors[player].replace(rating / ELO).is_some() {
                return Err(Error::usage(format!("`{name}` has two anchors")));
            }
        }
        let average = bounded(options.average.unwrap_or(AVERAGE), "the mean of the ratings")?;
        let strengths = strengths(&among, &anchors, average / ELO);
        let errors = errors(&among, &strengths);
        let row = |player: usize| {
            let own = &games[player];
            let sum = |part: fn(&Meetings) -> u64| own.iter().map(part).sum::<u64>();
            let (wins, draws, losses) = (sum(|one| one.wins), sum(|one| one.draws), sum(|one| one.losses));
            let place = rated[player];
            let opponents = place.map(|n| {
                let weighted = among[n].iter().map(|one| one.games() * strengths[one.other]).sum::<f64>();
                rounded(ELO * weighted / among[n].iter().map(Meetings::games).sum::<f64>())
            });
            RatingRow {
                rank: None,
                name: names[player].to_owned(),
                rating: place.map(|n| rounded(ELO * strengths[n])),
                error: place.filter(|&n| anchors[n].is_none()).and_then(|n| errors[n]).map(rounded),
                games: wins + draws + losses,
                wins,
                draws,
                losses,
                points: wins as f64 + draws as f64 / 2.0,
                opponents,
            }
        };
        let mut players: Vec<_> = (0..names.len()).map(row).filter(|row| row.games >= options.min_games).collect();
        let share = |row: &RatingRow| row.points / row.games.max(1) as f64;
        // Players without a rating come last.
        let key = |row: &RatingRow| (row.rating.unwrap_or(f64::NEG_INFINITY), share(row));
        players.sort_by(|one, two| {
            let ((one_rating, one_share), (two_rating, two_share)) = (key(one), key(two));
            two_rating
                .total_cmp(&one_rating)
                .then(two_share.total_cmp(&one_share))
                .then_with(|| one.name.cmp(&two.name))
        });
        (1..).zip(players.iter_mut().filter(|row| row.rating.is_some())).for_each(|(rank, row)| row.rank = Some(rank));
        let total = |place: Option<usize>| -> u64 {
            self.pairs.values().map(|results| place.map_or_else(|| results.iter().sum(), |place| results[place])).sum()
        };
        Ok(RatingsRow { games: total(None), draws: total(Some(1)), rated: group.len() as u64, players })
    }

    /// Returns the games of each player, at the places that they have.
    fn games(&self, place_of: &[usize]) -> Vec<Vec<Meetings>> {
        let mut games = vec![Vec::new(); self.players.0.len()];
        for (pair, &[wins, draws, losses]) in &self.pairs {
            let [one, two] = pair.map(|player| place_of[player]);
            games[one].push(Meetings { other: two, wins, draws, losses });
            games[two].push(Meetings { other: one, wins: losses, draws, losses: wins });
        }
        for own in &mut games {
            own.sort_by_key(|one| one.other);
        }
        games
    }
}

/// Reads the name and the rating of an anchor.
fn read_anchor(text: &str) -> Result<(&str, f64)> {
    let found =
        text.rsplit_once('=').and_then(|(name, rating)| Some((name.trim(), rating.trim().parse::<f64>().ok()?)));
    let found = found.filter(|(name, rating)| !name.is_empty() && rating.is_finite());
    let (name, rating) =
        found.ok_or_else(|| Error::usage(format!("expected NAME=RATING as an anchor, found `{text}`")))?;
    Ok((name, bounded(rating, &format!("the rating of the anchor `{text}`"))?))
}

/// Returns a rating that is given, unless it is too large.
fn bounded(rating: f64, what: &str) -> Result<f64> {
    let is_valid = rating.abs() <= MAX_RATING;
    is_valid.then_some(rating).ok_or_else(|| Error::usage(format!("{what} is not from -{MAX_RATING} to {MAX_RATING}")))
}

/// Returns a rating with one decimal.
fn rounded(rating: f64) -> f64 {
    (rating * 10.0).round() / 10.0
}

/// Returns half the width of the 95 % confidence interval of each rating, in Elo points, with those of the opponents taken as
/// exact. Draws make results vary less than wins and losses alone would: by the same factor for all.
fn errors(games: &[Vec<Meetings>], strengths: &[f64]) -> Vec<Option<f64>> {
    let share = |n: usize, one: &Meetings| expected(strengths[n] - strengths[one.other]);
    let information: Vec<f64> = (games.iter().enumerate())
        .map(|(n, own)| own.iter().map(|one| one.games() * share(n, one) * (1.0 - share(n, one))).sum())
        .collect();
    let square = |n: usize, one: &Meetings| {
        let share = share(n, one);
        let results = [(one.wins, 1.0), (one.draws, 0.5), (one.losses, 0.0)];
        results.map(|(count, points)| count as f64 * (points - share).powi(2)).iter().sum::<f64>()
    };
    let squares: f64 = games.iter().enumerate().flat_map(|(n, own)| own.iter().map(move |one| square(n, one))).sum();
    let factor = squares / information.iter().sum::<f64>();
    information
        .iter()
        .map(|own| (factor > 0.0 && *own > 0.0).then(|| NORMAL_95 * ELO * (factor / own).sqrt()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the results by names, and wins, draws and losses of the first.
    fn results(all: &[(&str, &str, [u64; 3])]) -> PlayerResults {
        let mut found = PlayerResults::default();
        for (one, two, counts) in all {
            counts.iter().enumerate().for_each(|(place, &count)| found.add([one, two], place, count));
        }
        found
    }

    fn ratings(found: &PlayerResults, options: &RatingsOptions) -> Vec<(String, Option<f64>)> {
        found.ratings(options).expect("ratings").players.into_iter().map(|row| (row.name, row.rating)).collect()
    }

    #[test]
    fn points_are_likeliest_under_the_ratings() {
        // 75 % is 190.85 Elo; by way of the second player, the first is twice that above the third.
        let chain = results(&[("a", "b", [10, 10, 0]), ("c", "b", [0, 10, 10])]);
        let wanted = [("a", 2190.8), ("b", 2000.0), ("c", 1809.2)];
        let found = ratings(&chain, &RatingsOptions::default());
        for ((name, rating), (wanted_name, wanted)) in found.iter().zip(wanted) {
            assert!(name == wanted_name && rating.is_some_and(|rating| (rating - wanted).abs() < 0.11), "{found:?}");
        }
        // Each takes all from the next: they are equal.
        let circle = results(&[("a", "b", [5, 0, 0]), ("b", "c", [5, 0, 0]), ("c", "a", [5, 0, 0])]);
        assert!(ratings(&circle, &RatingsOptions::default()).iter().all(|(_, rating)| *rating == Some(2000.0)));
    }

    #[test]
    fn anchors_have_the_ratings_that_are_given() {
        let chain = results(&[("a", "b", [10, 10, 0]), ("c", "b", [0, 10, 10])]);
        let anchor = |anchors: &[&str]| RatingsOptions {
            anchor: anchors.iter().map(ToString::to_string).collect(),
            ..RatingsOptions::default()
        };
        let one = ratings(&chain, &anchor(&["c = 1000"]));
        assert!((one[0].1.expect("a rating") - 1381.7).abs() < 0.11 && one[2].1 == Some(1000.0), "{one:?}");
        // Between two that are given, the third one is where its results put it.
        let two = chain.ratings(&anchor(&["a=2400", "c=1600"])).expect("ratings");
        assert_eq!(
            two.players.iter().map(|row| row.rating).collect::<Vec<_>>(),
            [Some(2400.0), Some(2000.0), Some(1600.0)]
        );
        assert_eq!(two.players.iter().map(|row| row.error.is_some()).collect::<Vec<_>>(), [false, true, false]);
        for (text, message) in
            [("d=1", "`d` is not the name of a rated player"), ("a", "expected NAME=RATING as an anchor, found `a`")]
        {
            assert_eq!(chain.ratings(&anchor(&[text])).expect_err("an error").to_string(), message);
        }
        let refused = |options: &RatingsOptions| chain.ratings(options).expect_err("an error").to_string();
        for large in [1e308, -1e6, f64::NAN] {
            let message = "the mean of the ratings is not from -100000 to 100000";
            assert_eq!(refused(&RatingsOptions { average: Some(large), ..RatingsOptions::default() }), message);
        }
        assert_eq!(refused(&anchor(&["a=1e6"])), "the rating of the anchor `a=1e6` is not from -100000 to 100000");
    }

    #[test]
    fn games_between_equal_names_are_counted_apart() {
        let mut found = results(&[("a", "a", [1, 2, 0]), ("a", "b", [1, 0, 1])]);
        found += results(&[("b", "b", [0, 1, 0])]);
        let rows = found.ratings(&RatingsOptions::default()).expect("ratings");
        assert_eq!((found.same(), rows.games), (4, 2));
    }

    #[test]
    fn who_won_or_lost_everything_is_not_rated() {
        let found =
            results(&[("a", "b", [9, 0, 0]), ("a", "c", [9, 0, 0]), ("b", "c", [3, 2, 3]), ("d", "e", [1, 0, 1])]);
        let rows = found.ratings(&RatingsOptions::default()).expect("ratings");
        assert_eq!((rows.games, rows.draws, rows.rated), (28, 2, 2));
        let listed: Vec<_> = rows.players.iter().map(|row| (&*row.name, row.rating, row.rank)).collect();
        let equal = Some(2000.0);
        let wanted =
            [("b", equal, Some(1)), ("c", equal, Some(2)), ("a", None, None), ("d", None, None), ("e", None, None)];
        assert_eq!(listed, wanted);
        assert!(results(&[("a", "b", [3, 0, 0])]).ratings(&RatingsOptions::default()).expect("ratings").rated == 0);
    }

    #[test]
    fn the_error_is_that_of_the_score() {
        // 400 games without draws: a standard deviation of 2.5 % is 17.4 Elo.
        let decided = results(&[("a", "b", [200, 0, 200])]).ratings(&RatingsOptions::default()).expect("ratings");
        assert!(decided.players[0].error.is_some_and(|error| (error - 34.1).abs() < 0.2), "{decided:?}");
        // Half of them drawn, results vary by a factor of the root of two less.
        let drawn = results(&[("a", "b", [100, 200, 100])]).ratings(&RatingsOptions::default()).expect("ratings");
        assert!(drawn.players[0].error.is_some_and(|error| (error - 24.1).abs() < 0.2), "{drawn:?}");
    }
}
