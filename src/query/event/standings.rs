//! Standings: points and tie-breaks.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use super::event_game::Score;
use super::regulations::{RankingOrder, TieBreak, Unplayed};
use crate::board::Side;
use crate::notation::Outcome;
use crate::records::{StandingRow, TieBreakRow};

/// A record of a tournament as its players' accounts need it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing {
    /// The players by their places; `None` for the missing opponent of a bye.
    pub(super) players: [Option<usize>; 2],
    pub(super) ratings: [Option<u32>; 2],
    pub(super) score: Option<Score>,
    /// False for byes and forfeits.
    pub(super) is_played: bool,
    /// The place of its round among all rounds, from 1; 0: unknown.
    pub(super) round: usize,
}

/// A record from one player's point of view.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    opponent: Option<usize>,
    side: Side,
    score: Option<Score>,
    /// The points of the player; `None`: not known.
    points: Option<u32>,
    is_played: bool,
    round: usize,
}

impl Meeting {
    /// Returns what a player has who is in no record of a round: nothing.
    const fn missed(round: usize) -> Self {
        Self { opponent: None, side: Side::White, score: None, points: Some(0), is_played: false, round }
    }

    // Points do not tell: a draw and a loss may have the same.
    fn is_win(&self) -> bool {
        self.score == Some(Score::Outcome(Outcome::Win(self.side)))
    }

    fn is_draw(&self) -> bool {
        self.score == Some(Score::Outcome(Outcome::Draw))
    }
}

/// The records of a player, in the order of their rounds.
#[derive(Clone, Debug, Default)]
struct Account {
    meetings: Vec<Meeting>,
    ratings: Vec<u32>,
}

impl Account {
    fn points(&self) -> u32 {
        self.meetings.iter().filter_map(|meeting| meeting.points).sum()
    }

    /// Returns the average of the known ratings.
    fn rating(&self) -> Option<u32> {
        let count = self.ratings.len() as u32;
        (count > 0).then(|| (self.ratings.iter().sum::<u32>() + count / 2) / count)
    }
}

/// The accounts of all players, and how they are ranked.
pub(super) struct Standings<'a> {
    names: &'a [String],
    accounts: Vec<Account>,
    points: [u32; 3],
    order: &'a RankingOrder,
    /// Number of rounds; 0: unknown.
    rounds: usize,
}

impl<'a> Standings<'a> {
    pub(super) fn new(names: &'a [String], pairings: &[Pairing], points: [u32; 3], order: &'a RankingOrder) -> Self {
        let mut accounts = vec![Account::default(); names.len()];
        for pairing in pairings {
            for (side, n) in Side::ALL.into_iter().zip(0..) {
                let Some(own) = pairing.players[n] else { continue };
                accounts[own].ratings.extend(pairing.ratings[n]);
                accounts[own].meetings.push(Meeting {
                    opponent: pairing.players[1 - n],
                    side,
                    score: pairing.score,
                    points: pairing.score.map(|score| score.points_of(pairing.is_played, points)[n]),
                    is_played: pairing.is_played,
                    round: pairing.round,
                });
            }
        }
        let rounds = pairings.iter().map(|pairing| pairing.round).max().unwrap_or_default();
        for account in &mut accounts {
            // A round without a record is one that the player missed, except among all others of a round robin.
            let missed = (1..=rounds).filter(|_| order.unplayed != Unplayed::Played);
            let missed: Vec<_> =
                missed.filter(|&round| account.meetings.iter().all(|meeting| meeting.round != round)).collect();
            account.meetings.extend(missed.into_iter().map(Meeting::missed));
            account.meetings.sort_by_key(|meeting| meeting.round);
        }
        Self { names, accounts, points, order, rounds }
    }

    /// Returns the rows, best first.
    pub(super) fn rows(&self) -> Vec<StandingRow> {
        let mut rows: Vec<_> = (0..self.names.len()).map(|place| (self.row(place), place)).collect();
        rows.sort_by(|(one, _), (other, _)| other.points.cmp(&one.points).then_with(|| one.name.cmp(&other.name)));
        rank(&mut rows, |one, other| one.points == other.points);
        for n in 0..self.order.tie_breaks.len() {
            self.break_ties(&mut rows, n);
        }
        rows.into_iter().map(|(row, _)| row).collect()
    }

    /// Orders players of one rank by a tie-break.
    fn break_ties(&self, rows: &mut [(StandingRow, usize)], n: usize) {
        let by_place = match self.order.tie_breaks[n] {
            TieBreak::Classification => self.against_ranks(rows),
            _ => BTreeMap::new(),
        };
        let compare = |(one, a): &(StandingRow, usize), (other, b): &(StandingRow, usize)| {
            // Who has no value, as without rated opponents, comes after all others.
            let value = |row: &StandingRow| row.tie_breaks[n].value.unwrap_or(f64::MIN);
            value(one).total_cmp(&value(other)).then_with(|| by_place.get(a).cmp(&by_place.get(b)))
        };
        rows.sort_by(|one, other| one.0.rank.cmp(&other.0.rank).then_with(|| compare(other, one)));
        let ranks: Vec<usize> = rows.iter().map(|(row, _)| row.rank).collect();
        let ties: Vec<bool> = (1..rows.len())
            .map(|n| ranks[n] == ranks[n - 1] && compare(&rows[n - 1], &rows[n]) == Ordering::Equal)
            .collect();
        for n in 1..rows.len() {
            rows[n].0.rank = if ties[n - 1] { rows[n - 1].0.rank } else { n + 1 };
        }
    }

    /// Returns the points of each player against those of the first rank, of the second, and so on, without ranks against which
    /// there are none: the lists compare like whole ones.
    fn against_ranks(&self, rows: &[(StandingRow, usize)]) -> BTreeMap<usize, Vec<(Reverse<usize>, u32)>> {
        let ranks: BTreeMap<usize, usize> = rows.iter().map(|(row, place)| (*place, row.rank)).collect();
        let of = |place: &usize| {
            let mut points: BTreeMap<usize, u32> = BTreeMap::new();
            for (opponent, scored) in self.scored(*place).filter(|(_, scored)| *scored > 0) {
                *points.entry(ranks[&opponent]).or_default() += scored;
            }
            points.into_iter().map(|(rank, points)| (Reverse(rank), points)).collect()
        };
        ranks.keys().map(|place| (*place, of(place))).collect()
    }

    /// Returns the opponents of a player with the points scored against each, of the records that count in tie-breaks.
    fn scored(&self, place: usize) -> impl Iterator<Item = (usize, u32)> {
        let counted = self.accounts[place].meetings.iter().filter(|meeting| self.counts(meeting));
        counted.filter_map(|meeting| Some((meeting.opponent?, meeting.points?)))
    }

    /// Returns true if a record counts like a game in tie-breaks.
    fn counts(&self, meeting: &Meeting) -> bool {
        meeting.is_played || self.order.unplayed == Unplayed::Played && meeting.opponent.is_some()
    }

    fn row(&self, place: usize) -> StandingRow {
        let account = &self.accounts[place];
        let count =
            |test: &dyn Fn(&Meeting) -> bool| account.meetings.iter().filter(|meeting| test(meeting)).count() as u32;
        let games = count(&|meeting| meeting.is_played);
        let known = count(&|meeting| meeting.is_played && meeting.score.is_some());
        let wins = count(&|meeting| meeting.is_played && meeting.is_win());
        let draws = count(&|meeting| meeting.is_played && meeting.is_draw());
        let is_bye = |meeting: &Meeting| !meeting.is_played && meeting.opponent.is_none();
        let is_forfeit = |meeting: &Meeting| !meeting.is_played && meeting.opponent.is_some();
        let forfeit_wins = count(&|meeting| is_forfeit(meeting) && meeting.is_win());
        let is_loss = |meeting: &Meeting| meeting.score.is_some() && !meeting.is_win() && !meeting.is_draw();
        StandingRow {
            rank: 1,
            name: self.names[place].clone(),
            team: None,
            games,
            wins,
            draws,
            losses: known - wins - draws,
            // Rounds that the player missed are no byes: they have points, but no score.
            byes: count(&|meeting| is_bye(meeting) && (meeting.score.is_some() || meeting.points.is_none())),
            forfeit_wins,
            // A draw without play is neither.
            forfeit_losses: count(&|meeting| is_forfeit(meeting) && is_loss(meeting)),
            points: account.points(),
            solkoff: self.solkoff(place, 0, 0),
            sonneborn_berger: self.sonneborn_berger(place),
            mutual: self.mutual(place),
            rating: account.rating(),
            performance: self.performance(place),
            tie_breaks: self.order.tie_breaks.iter().map(|&tie_break| self.tie_break(place, tie_break)).collect(),
        }
    }

    fn tie_break(&self, place: usize, tie_break: TieBreak) -> TieBreakRow {
        let account = &self.accounts[place];
        let value = match tie_break {
            TieBreak::Wins => Some(f64::from(self.wins(place))),
            TieBreak::Mutual => Some(f64::from(self.mutual(place))),
            TieBreak::SonnebornBerger => Some(self.sonneborn_berger(place)),
            TieBreak::Solkoff => Some(f64::from(self.solkoff(place, 0, 0))),
            TieBreak::SolkoffCut1 => Some(f64::from(self.solkoff(place, 1, 0))),
            TieBreak::SolkoffCut2 => Some(f64::from(self.solkoff(place, 2, 0))),
            TieBreak::SolkoffMedian => Some(f64::from(self.solkoff(place, 1, 1))),
            TieBreak::Progressive => Some(f64::from(self.progressive(place))),
            TieBreak::Blacks => {
                let blacks = account.meetings.iter().filter(|meeting| meeting.is_played && meeting.side == Side::Black);
                Some(blacks.count() as f64)
            }
            TieBreak::Performance => self.performance(place).map(|performance| performance as f64),
            TieBreak::Rating => account.rating().map(f64::from),
            // A list of results, which is no number.
            TieBreak::Classification => None,
        };
        TieBreakRow { name: tie_break.column(), value }
    }

    fn wins(&self, place: usize) -> u32 {
        let counted = self.accounts[place].meetings.iter().filter(|meeting| self.counts(meeting));
        counted.filter(|meeting| meeting.is_win()).count() as u32
    }

    fn mutual(&self, place: usize) -> u32 {
        let own = self.accounts[place].points();
        let equals = self.scored(place).filter(|&(other, _)| other != place && self.accounts[other].points() == own);
        equals.map(|(_, scored)| scored).sum()
    }

    /// Returns the points of an opponent as they count in sums over opponents.
    fn points_of_opponent(&self, place: usize) -> u32 {
        let account = &self.accounts[place];
        if self.order.unplayed != Unplayed::Virtual {
            return account.points();
        }
        let of =
            |meeting: &Meeting| if meeting.is_played { meeting.points.unwrap_or_default() } else { self.points[1] };
        account.meetings.iter().map(of).sum()
    }

    /// Returns the sums over opponents: the points of each with those scored against that one.
    fn products(&self, place: usize) -> Vec<(u32, u32)> {
        let account = &self.accounts[place];
        let mut before = 0;
        let mut products = Vec::new();
        for meeting in &account.meetings {
            let Some(points) = meeting.points else { continue };
            let of_opponent = match meeting.opponent.filter(|_| self.counts(meeting)) {
                Some(opponent) => self.points_of_opponent(opponent),
                None if self.order.unplayed == Unplayed::Virtual => {
                    let later = self.rounds.saturating_sub(meeting.round) as u32;
                    before + self.points[0].saturating_sub(points) + self.points[1] * later
                }
                None => 0,
            };
            products.push((of_opponent, points));
            before += points;
        }
        products
    }

    /// Returns the sum of the points of the opponents without the lowest and the highest ones.
    fn solkoff(&self, place: usize, lowest: usize, highest: usize) -> u32 {
        let mut sums: Vec<u32> = self.products(place).iter().map(|&(of_opponent, _)| of_opponent).collect();
        sums.sort_unstable();
        // Nothing is left if more opponents are left out than there were.
        let end = sums.len().saturating_sub(highest);
        sums.get(lowest..end).unwrap_or_default().iter().sum()
    }

    fn sonneborn_berger(&self, place: usize) -> f64 {
        let products = self.products(place).into_iter().map(|(one, other)| u64::from(one) * u64::from(other));
        products.sum::<u64>() as f64 / f64::from(self.points[0].max(1))
    }

    /// Returns the sum of the points after each round.
    fn progressive(&self, place: usize) -> u32 {
        let meetings = &self.accounts[place].meetings;
        let rounds = self.rounds.max(meetings.len());
        let sum = |(n, meeting): (usize, &Meeting)| {
            let round = if meeting.round > 0 { meeting.round } else { n + 1 };
            // The points of a round count in it and in each later one.
            meeting.points.unwrap_or_default() * (rounds + 1 - round.min(rounds)) as u32
        };
        meetings.iter().enumerate().map(sum).sum()
    }

    /// Returns the average rating of the opponents in the standings and the difference at which the score is expected, of at
    /// most 800.
    fn performance(&self, place: usize) -> Option<i64> {
        let share = |meeting: &Meeting| match meeting {
            meeting if meeting.is_win() => 1.0,
            meeting if meeting.is_draw() => 0.5,
            _ => 0.0,
        };
        let played = self.accounts[place].meetings.iter().filter(|meeting| meeting.is_played);
        let rated: Vec<(f64, f64)> = played
            .filter_map(|meeting| {
                let rating = self.accounts[meeting.opponent?].rating()?;
                meeting.score.map(|_| (f64::from(rating), share(meeting)))
            })
            .collect();
        let count = rated.len() as f64;
        let average = rated.iter().map(|(rating, _)| rating).sum::<f64>() / count;
        let share = rated.iter().map(|(_, share)| share).sum::<f64>() / count;
        // A perfect score has no finite difference; the tables of FIDE end at 800.
        let difference = (400.0 * (share / (1.0 - share)).log10()).clamp(-800.0, 800.0);
        (count > 0.0).then(|| (average + difference).round() as i64)
    }
}

/// Gives each row of a sorted table its rank: equal ones share it.
fn rank(rows: &mut [(StandingRow, usize)], are_equal: impl Fn(&StandingRow, &StandingRow) -> bool) {
    for n in 1..rows.len() {
        let shares = are_equal(&rows[n - 1].0, &rows[n].0);
        rows[n].0.rank = if shares { rows[n - 1].0.rank } else { n + 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Option<Score> = Some(Score::Outcome(Outcome::Win(Side::White)));
    const DRAW: Option<Score> = Some(Score::Outcome(Outcome::Draw));

    fn pairing(white: usize, black: Option<usize>, score: Option<Score>, round: usize) -> Pairing {
        Pairing { players: [Some(white), black], ratings: [None; 2], score, is_played: black.is_some(), round }
    }

    fn rows(pairings: &[Pairing], tie_breaks: &[TieBreak], unplayed: Unplayed) -> Vec<StandingRow> {
        let names = ["A", "B", "C", "D"].map(str::to_owned);
        let order = RankingOrder { tie_breaks: tie_breaks.to_vec(), unplayed };
        Standings::new(&names, pairings, [2, 1, 0], &order).rows()
    }

    fn table(games: &[(usize, usize, Option<Score>)], tie_breaks: &[TieBreak]) -> Vec<(usize, String, u32)> {
        let pairings: Vec<_> =
            games.iter().map(|&(white, black, score)| pairing(white, Some(black), score, 0)).collect();
        let rows = rows(&pairings, tie_breaks, Unplayed::Played);
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
        // Against the first rank, which A, B and D share, A has one point, B two, D one; against C, A has two, D two.
        assert_eq!(table(&games, &[TieBreak::Classification])[0], of(1, "B", 3));
        assert_eq!(table(&games, &[TieBreak::Blacks])[0], of(1, "B", 3));
    }

    #[test]
    fn draws_and_losses_of_equal_points_are_told_apart() {
        let names = ["A", "B"].map(str::to_owned);
        let order = RankingOrder { tie_breaks: Vec::new(), unplayed: Unplayed::Played };
        let rows = Standings::new(&names, &[pairing(0, Some(1), DRAW, 1)], [1, 0, 0], &order).rows();
        assert_eq!((rows[0].draws, rows[0].losses), (1, 0));
        let rows = Standings::new(&names, &[pairing(0, Some(1), WHITE, 1)], [1, 0, 0], &order).rows();
        assert_eq!((rows[1].name.as_str(), rows[1].draws, rows[1].losses), ("B", 0, 1));
    }

    #[test]
    fn a_game_without_a_result_counts_as_a_game_only() {
        assert_eq!(table(&[(0, 1, None), (2, 3, Some(Score::BothLost))], &[]).iter().map(|row| row.2).sum::<u32>(), 0);
    }

    #[test]
    fn byes_count_in_points_and_are_nobody() {
        // A beats B, has a bye, and draws with C, who had a bye in round 1.
        let all = [
            pairing(0, Some(1), WHITE, 1),
            pairing(2, None, WHITE, 1),
            pairing(0, None, WHITE, 2),
            pairing(1, Some(3), DRAW, 2),
            pairing(0, Some(2), DRAW, 3),
        ];
        let of = |unplayed| {
            let rows = rows(&all, &[TieBreak::Solkoff, TieBreak::SolkoffCut1, TieBreak::Progressive], unplayed);
            let first = rows.into_iter().next().expect("a player");
            assert_eq!((first.name.as_str(), first.points, first.games, first.byes), ("A", 5, 2, 1));
            first.tie_breaks.iter().filter_map(|row| row.value).collect::<Vec<_>>()
        };
        // B has 1 point, C 3; the bye adds nothing. The points after each round are 2, 4 and 5.
        assert_eq!(of(Unplayed::Nothing), [4.0, 4.0, 11.0]);
        // C's bye, and the rounds that B and C missed, count as draws: 2 and 3. A's virtual opponent has 2 points before the
        // round, loses to A, and draws round 3: 3.
        assert_eq!(of(Unplayed::Virtual), [2.0 + 3.0 + 3.0, 6.0, 11.0]);
    }

    #[test]
    fn forfeits_are_games_in_a_round_robin_only() {
        let mut forfeit = pairing(0, Some(1), WHITE, 1);
        forfeit.is_played = false;
        for (unplayed, wins) in [(Unplayed::Played, 1.0), (Unplayed::Nothing, 0.0)] {
            let rows = rows(&[forfeit], &[TieBreak::Wins], unplayed);
            assert_eq!((rows[0].points, rows[0].games, rows[0].wins, rows[0].forfeit_wins), (2, 0, 0, 1));
            assert_eq!(rows[0].tie_breaks[0].value, Some(wins));
            assert_eq!(rows.iter().map(|row| row.forfeit_losses).sum::<u32>(), 1);
        }
    }

    #[test]
    fn performance_is_the_rating_of_the_score() {
        // Against opponents of the ratings in the standings, also where one game lacks the rating.
        let rated = |ratings: &[u32], scores: &[Option<Score>]| {
            let pairing = |(n, score): (usize, &Option<Score>)| Pairing {
                ratings: [None, ratings.get(n).copied()],
                ..pairing(0, Some(n + 1), *score, 0)
            };
            let pairings: Vec<_> = scores.iter().enumerate().map(pairing).collect();
            rows(&pairings, &[], Unplayed::Played)
                .into_iter()
                .find(|row| row.name == "A")
                .and_then(|row| row.performance)
        };
        assert_eq!(rated(&[], &[DRAW]), None);
        assert_eq!(rated(&[2000, 2100], &[DRAW, DRAW]), Some(2050));
        assert_eq!(rated(&[2000], &[WHITE]), Some(2800));
        assert_eq!(
            rated(&[2000, 2000, 2000], &[WHITE, WHITE, Some(Score::Outcome(Outcome::Win(Side::Black)))]),
            Some(2120)
        );
    }
}
