//! Standings: points and tie-breaks.

use std::cmp::Ordering;

use serde::Deserialize;

use super::event_game::Score;
use crate::board::Side;
use crate::notation::Outcome;
use crate::records::StandingRow;

/// A tie-break between players with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// Number of wins
    Wins,
    /// Points in games against players with the same points
    Mutual,
    /// Each opponent's points times the points scored against that opponent (Sonneborn-Berger)
    // They are divided by the points for a win, so that the usual numbers result.
    SonnebornBerger,
    /// Sum of the points of the opponents (Buchholz, Solkoff)
    #[cfg_attr(feature = "cli", value(alias = "buchholz"))]
    #[serde(alias = "buchholz")]
    Solkoff,
}

/// A game between two players, by their places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing {
    pub(super) players: [usize; 2],
    pub(super) ratings: [Option<u32>; 2],
    pub(super) score: Option<Score>,
}

/// The results of a player.
#[derive(Clone, Debug, Default)]
struct Account {
    row: Counts,
    /// Opponents with the points scored against them.
    opponents: Vec<(usize, u32)>,
    ratings: Vec<u32>,
    /// Ratings of opponents, with the share of points scored against them.
    rated: Vec<(u32, f64)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    points: u32,
}

impl Account {
    /// Adds a game of the player on one side.
    fn add(&mut self, pairing: &Pairing, side: usize, points: [u32; 3]) {
        self.row.games += 1;
        self.ratings.extend(pairing.ratings[side]);
        let Some(score) = pairing.score else { return };
        let own = Side::ALL[side];
        let (win, draw) = match score {
            Score::Outcome(Outcome::Win(winner)) => (winner == own, false),
            Score::Outcome(Outcome::Draw) => (false, true),
            Score::BothLost => (false, false),
        };
        self.row.wins += u32::from(win);
        self.row.draws += u32::from(draw);
        self.row.losses += u32::from(!win && !draw);
        let scored = score.points(points)[side];
        self.row.points += scored;
        self.opponents.push((pairing.players[1 - side], scored));
        if let Some(rating) = pairing.ratings[1 - side] {
            self.rated.push((
                rating,
                if win {
                    1.0
                } else if draw {
                    0.5
                } else {
                    0.0
                },
            ));
        }
    }

    fn rating(&self) -> Option<u32> {
        let count = self.ratings.len() as u32;
        (count > 0).then(|| (self.ratings.iter().sum::<u32>() + count / 2) / count)
    }

    /// Returns the average rating of the opponents and the difference at which the score is expected, of at most 800.
    fn performance(&self) -> Option<i64> {
        let count = self.rated.len() as f64;
        let average = self.rated.iter().map(|(rating, _)| f64::from(*rating)).sum::<f64>() / count;
        let share = self.rated.iter().map(|(_, share)| share).sum::<f64>() / count;
        let difference = (400.0 * (share / (1.0 - share)).log10()).clamp(-800.0, 800.0);
        (count > 0.0).then(|| (average + difference).round() as i64)
    }
}

/// Returns the standings of players by name, best first, and the places of the players in that order.
pub(super) fn standings(
    names: &[String],
    pairings: &[Pairing],
    points: [u32; 3],
    tie_breaks: &[TieBreak],
) -> (Vec<StandingRow>, Vec<usize>) {
    let mut accounts = vec![Account::default(); names.len()];
    for pairing in pairings {
        for side in 0..2 {
            accounts[pairing.players[side]].add(pairing, side, points);
        }
    }
    let mut rows: Vec<_> = (0..names.len()).map(|place| (row(place, names, &accounts, points[0]), place)).collect();
    let better = |one: &StandingRow, other: &StandingRow| compare(other, one, tie_breaks);
    rows.sort_by(|(one, _), (other, _)| better(one, other).then_with(|| one.name.cmp(&other.name)));
    let (mut rows, places): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    for n in 0..rows.len() {
        let shares = n > 0 && better(&rows[n - 1], &rows[n]).is_eq();
        rows[n].rank = if shares { rows[n - 1].rank } else { n + 1 };
    }
    (rows, places)
}

fn compare(one: &StandingRow, other: &StandingRow, tie_breaks: &[TieBreak]) -> Ordering {
    let by = |tie_break: &TieBreak| match tie_break {
        TieBreak::Wins => one.wins.cmp(&other.wins),
        TieBreak::Mutual => one.mutual.cmp(&other.mutual),
        TieBreak::SonnebornBerger => one.sonneborn_berger.total_cmp(&other.sonneborn_berger),
        TieBreak::Solkoff => one.solkoff.cmp(&other.solkoff),
    };
    tie_breaks.iter().map(by).fold(one.points.cmp(&other.points), Ordering::then)
}

fn row(place: usize, names: &[String], accounts: &[Account], win: u32) -> StandingRow {
    let account = &accounts[place];
    let Counts { games, wins, draws, losses, points } = account.row;
    let of = |other: usize| accounts[other].row.points;
    let products = account.opponents.iter().map(|&(other, scored)| u64::from(of(other)) * u64::from(scored));
    let equals = account.opponents.iter().filter(|&&(other, _)| of(other) == points && other != place);
    StandingRow {
        rank: 0,
        name: names[place].clone(),
        games,
        wins,
        draws,
        losses,
        points,
        solkoff: account.opponents.iter().map(|&(other, _)| of(other)).sum(),
        sonneborn_berger: products.sum::<u64>() as f64 / f64::from(win.max(1)),
        mutual: equals.map(|&(_, scored)| scored).sum(),
        rating: account.rating(),
        performance: account.performance(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Option<Score> = Some(Score::Outcome(Outcome::Win(Side::White)));
    const DRAW: Option<Score> = Some(Score::Outcome(Outcome::Draw));

    fn table(games: &[(usize, usize, Option<Score>)], tie_breaks: &[TieBreak]) -> Vec<(usize, String, u32)> {
        let names = ["A", "B", "C", "D"].map(str::to_owned);
        let pairings: Vec<_> = games
            .iter()
            .map(|&(white, black, score)| Pairing { players: [white, black], ratings: [None; 2], score })
            .collect();
        let rows = standings(&names, &pairings, [2, 1, 0], tie_breaks).0;
        rows.into_iter().map(|row| (row.rank, row.name, row.points)).collect()
    }

    #[test]
    fn tie_breaks_decide_in_their_order() {
        // A and B have 3 points each: A won once and drew once, B drew three times; B and C drew.
        let games = [(0, 2, WHITE), (0, 1, DRAW), (1, 2, DRAW), (1, 3, DRAW), (3, 2, WHITE)];
        let of = |rank: usize, name: &str, points| (rank, name.to_owned(), points);
        let by_points = [of(1, "A", 3), of(1, "B", 3), of(1, "D", 3), of(4, "C", 1)];
        assert_eq!(table(&games, &[]), by_points);
        assert_eq!(table(&games, &[TieBreak::Wins])[2], of(3, "B", 3));
        assert_eq!(table(&games, &[TieBreak::Solkoff])[0], of(1, "B", 3));
        assert_eq!(table(&games, &[TieBreak::Mutual])[0], of(1, "B", 3));
    }

    #[test]
    fn a_game_without_a_result_counts_as_a_game_only() {
        assert_eq!(table(&[(0, 1, None), (2, 3, Some(Score::BothLost))], &[]).iter().map(|row| row.2).sum::<u32>(), 0);
    }

    #[test]
    fn performance_is_the_rating_of_the_score() {
        let rated = |scores: &[(u32, f64)]| Account { rated: scores.to_vec(), ..Account::default() }.performance();
        assert_eq!(rated(&[]), None);
        assert_eq!(rated(&[(2000, 0.5), (2100, 0.5)]), Some(2050));
        assert_eq!(rated(&[(2000, 1.0)]), Some(2800));
        assert_eq!(rated(&[(2000, 1.0), (2000, 1.0), (2000, 1.0), (2000, 0.0)]), Some(2191));
    }
}
