//! The play of players in many games.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::performance::{Performance, rounded};
use super::rows::GameRow;
use crate::board::Side;

/// The play of a player in many games.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AccuracyRow<'a> {
    /// The name of the player.
    pub player: &'a str,
    /// Number of games with evaluations.
    pub games: u64,
    /// Number of moves that count.
    pub moves: u64,
    /// Accuracy: the average of the games, weighted by the moves that count; null without such moves.
    pub accuracy: Option<f64>,
    /// Average loss of a move in centi-men; null without moves that count.
    pub average_loss_cm: Option<f64>,
    /// Number of inaccuracies.
    pub inaccuracies: u64,
    /// Number of mistakes.
    pub mistakes: u64,
    /// Number of blunders.
    pub blunders: u64,
}

/// The play of one player. Sums are integers, so that they do not depend on the order of games.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    games: u64,
    moves: u64,
    /// Tenths of a percent, times moves.
    accuracy: u64,
    /// Tenths of a centi-man, times moves.
    loss: u64,
    marks: [u64; 3],
}

impl Tally {
    pub(crate) fn of(performance: &Performance) -> Self {
        let moves = u64::from(performance.moves);
        // Whole tenths: sums of fractions would depend on the order in which threads add them.
        let sum = |average: Option<f64>| (10.0 * average.unwrap_or_default()).round() as u64 * moves;
        let marks = [performance.inaccuracies, performance.mistakes, performance.blunders].map(u64::from);
        Self { games: 1, moves, accuracy: sum(performance.accuracy), loss: sum(performance.average_loss_cm), marks }
    }

    /// Returns true if moves count.
    #[cfg(feature = "query")]
    pub(crate) const fn has_moves(&self) -> bool {
        self.moves > 0
    }

    fn average(&self, sum: u64) -> Option<f64> {
        (self.moves > 0).then(|| rounded(sum as f64 / self.moves as f64 / 10.0))
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.moves += other.moves;
        self.accuracy += other.accuracy;
        self.loss += other.loss;
        for (own, other) in self.marks.iter_mut().zip(other.marks) {
            *own += other;
        }
    }
}

/// The play of all players of some games, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct PlayerTable {
    tallies: BTreeMap<String, Tally>,
    all: Tally,
}

impl PlayerTable {
    /// Returns the play of both players of a game, if its moves are assessed. Players without a name are counted in all.
    pub(crate) fn of(game: &GameRow<'_>) -> Self {
        let mut table = Self::default();
        for (side, tag) in [(Side::White, "White"), (Side::Black, "Black")] {
            let Some(performance) = &game.performance else { continue };
            let tally = Tally::of(&performance.side(side).all);
            let name = game.tags.get(tag).unwrap_or_default();
            // `?` is the value of a tag whose value is unknown.
            if !matches!(name, "" | "?") {
                *table.tallies.entry(name.to_owned()).or_default() += tally;
            }
            table.all += tally;
        }
        table
    }

    /// Returns a row for each player.
    pub(crate) fn rows(&self) -> impl Iterator<Item = AccuracyRow<'_>> {
        self.tallies.iter().map(|(player, tally)| row(player, tally))
    }

    /// Returns a row for all players together; its games are counted once for each side.
    pub(crate) fn total(&self) -> AccuracyRow<'static> {
        row("", &self.all)
    }
}

/// Returns the play of a player as a row.
pub(crate) fn row<'a>(player: &'a str, tally: &Tally) -> AccuracyRow<'a> {
    let [inaccuracies, mistakes, blunders] = tally.marks;
    AccuracyRow {
        player,
        games: tally.games,
        moves: tally.moves,
        accuracy: tally.average(tally.accuracy),
        average_loss_cm: tally.average(tally.loss),
        inaccuracies,
        mistakes,
        blunders,
    }
}

impl AddAssign for PlayerTable {
    fn add_assign(&mut self, other: Self) {
        for (player, tally) in other.tallies {
            *self.tallies.entry(player).or_default() += tally;
        }
        self.all += other.all;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_are_weighted_by_moves() {
        let play = |moves, accuracy, loss| {
            Tally::of(&Performance {
                moves,
                accuracy: Some(accuracy),
                average_loss_cm: Some(loss),
                blunders: 1,
                ..Performance::default()
            })
        };
        let mut tally = play(10, 90.0, 4.0);
        tally += play(30, 50.0, 8.0);
        let row = row("a", &tally);
        assert_eq!((row.games, row.moves, row.accuracy, row.average_loss_cm), (2, 40, Some(60.0), Some(7.0)));
        assert_eq!((row.blunders, row.mistakes), (2, 0));
    }
}
