//! How well players play over the years, and how results follow from the difference in rating.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::players::WantedPlayer;
use crate::board::Side;
use crate::check::{CheckedGame, GameWork, Needs, Play};

use crate::records::{AccuracyRow, ScoreRow, Tally, accuracy_row, checked_row};

/// Width of a group of games by the difference in rating, in rating points.
pub(crate) const RATING_STEP: i32 = 50;
/// Where the outermost groups end, which have games with larger differences too.
pub(crate) const RATING_LIMIT: i32 = 400;

/// The query for accuracy by year, and for results by difference in rating: of a player, or of all players.
#[derive(Clone, Debug)]
pub(crate) struct PlayQuery {
    player: Option<WantedPlayer>,
    has_accuracy: bool,
}

impl PlayQuery {
    /// Returns the query for accuracy by year, for games of the player whose name contains a text, or all games.
    pub(crate) fn accuracy(player: Option<&str>) -> Self {
        Self { player: player.map(WantedPlayer::new), has_accuracy: true }
    }

    /// Returns the query for results by difference in rating, likewise.
    pub(crate) fn ratings(player: Option<&str>) -> Self {
        Self { has_accuracy: false, ..Self::accuracy(player) }
    }
}

/// The play of players by name, or of all players together under an empty name.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayedGames(BTreeMap<String, PlayerGames>);

#[derive(Clone, Debug, Default)]
struct PlayerGames {
    years: BTreeMap<u16, Tally>,
    /// Games lost, drawn and won by groups of rating differences.
    differences: BTreeMap<i32, [u64; 3]>,
}

impl GameWork for PlayQuery {
    type Done = PlayedGames;

    fn needs(&self) -> Needs {
        if self.player.is_some() { Needs::Tags } else { Needs::Game }
    }

    fn game(&self, game: CheckedGame<'_>, done: &mut PlayedGames) {
        let side = self.player.as_ref().map(|player| player.side(&game));
        let Some(of) = side.map_or(Some(None), |side| side.map(Some)) else { return };
        let name = of.and_then(|side| game.known_player(side)).unwrap_or_default();
        let games = done.0.entry(name.to_owned()).or_default();
        if self.has_accuracy {
            games.add_accuracy(&game, of);
        } else {
            games.add_result(&game, of);
        }
    }
}

impl PlayerGames {
    /// Adds the play of a side, or of both, in a game of a known year.
    fn add_accuracy(&mut self, game: &CheckedGame<'_>, side: Option<Side>) {
        let Some(year) = game.date()[0] else { return };
        let mut row = checked_row(game);
        row.assess();
        let Some(performance) = &row.performance else { return };
        for side in Side::ALL.into_iter().filter(|&own| side.is_none_or(|side| side == own)) {
            let tally = Tally::of(&performance.side(side).all);
            if tally.has_moves() {
                *self.years.entry(year).or_default() += tally;
            }
        }
    }

    /// Adds the result of a game from the view of a side, or else of the player with the higher rating, White if they are equal.
    fn add_result(&mut self, game: &CheckedGame<'_>, side: Option<Side>) {
        let [Some(white), Some(black)] = [Side::White, Side::Black].map(|side| game.rating(side)) else { return };
        let (Some(outcome), Play::Game) = (game.winner(), game.play()) else { return };
        let lead = i64::from(white) - i64::from(black);
        let side = side.unwrap_or(if lead >= 0 { Side::White } else { Side::Black });
        let lead = if side == Side::White { lead } else { -lead };
        let outermost = i64::from(RATING_LIMIT / RATING_STEP);
        // Rounded down below zero, too: the group around an even pairing would otherwise be twice as wide.
        let group = lead.div_euclid(RATING_STEP.into()).clamp(-outermost, outermost - 1) as i32;
        self.differences.entry(group).or_default()[usize::from(outcome.half_points(side))] += 1;
    }
}

impl AddAssign for PlayedGames {
    fn add_assign(&mut self, other: Self) {
        for (name, games) in other.0 {
            *self.0.entry(name).or_default() += games;
        }
    }
}

impl AddAssign for PlayerGames {
    fn add_assign(&mut self, other: Self) {
        for (year, tally) in other.years {
            *self.years.entry(year).or_default() += tally;
        }
        for (group, results) in other.differences {
            let sums = self.differences.entry(group).or_default();
            sums.iter_mut().zip(results).for_each(|(sum, count)| *sum += count);
        }
    }
}

/// Games won, drawn and lost by players with about the same lead in rating.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LeadRow {
    /// Smallest lead of the group in rating points; in the first group, smaller ones too.
    pub(crate) from: i32,
    pub(crate) score: ScoreRow,
}

impl PlayedGames {
    /// Returns the names of the players and their games. If a name is exactly the one that is wanted, others are left out.
    fn chosen(&self, player: Option<&str>) -> (Vec<&str>, PlayerGames) {
        let wanted = player.map(WantedPlayer::new);
        let is_exact = |name: &str| wanted.as_ref().is_some_and(|wanted| wanted.is(name));
        let has_exact = self.0.keys().any(|name| is_exact(name));
        let (mut names, mut sum) = (Vec::new(), PlayerGames::default());
        for (name, games) in self.0.iter().filter(|(name, _)| !has_exact || is_exact(name)) {
            names.push(&**name);
            sum += games.clone();
        }
        (names, sum)
    }

    /// Returns the names of the players, and their accuracy by year and in all years. Without a player, each game counts once for
    /// each side.
    pub(crate) fn accuracy(
        &self,
        player: Option<&str>,
    ) -> (Vec<&str>, Vec<(u16, AccuracyRow<'static>)>, AccuracyRow<'static>) {
        let (names, games) = self.chosen(player);
        let mut all = Tally::default();
        games.years.values().for_each(|&tally| all += tally);
        let years = games.years.iter().map(|(&year, tally)| (year, accuracy_row("", tally)));
        (names, years.collect(), accuracy_row("", &all))
    }

    /// Returns the names of the players, and their results by the lead in rating, the smallest first.
    pub(crate) fn leads(&self, player: Option<&str>) -> (Vec<&str>, Vec<LeadRow>) {
        let (names, games) = self.chosen(player);
        let row = |(&group, counts): (&i32, &[u64; 3])| {
            let mut score = ScoreRow::default();
            counts.iter().zip(0..).for_each(|(&count, half_points)| score.count_games(count, Some(half_points)));
            LeadRow { from: group * RATING_STEP, score }
        };
        (names, games.differences.iter().map(row).collect())
    }
}
