//! When a search ends.

use std::time::Duration;

/// Bounds of a search; the first one reached ends it. A search without bounds ends only at its greatest depth or when it is
/// stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions visited; with several threads all together, to within some thousands.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// The clock of a game, from which the engine takes what it thinks right.
    pub clock: Option<GameClock>,
}

/// What a player's clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Time left.
    pub left: Duration,
    /// Time added before every move.
    pub increment: Duration,
    /// Moves until more time is added; `None` if the time is for the whole game.
    pub moves: Option<u32>,
}

/// Time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// After which no other iteration is begun; `None` where all the time may be used up.
    pub(super) fair: Option<Duration>,
    /// After which the search is cut.
    pub(super) most: Duration,
}

/// Moves that the rest of a game is expected to take.
const MOVES_TO_GO: u32 = 30;
/// Kept back for what happens outside the search.
const RESERVE: Duration = Duration::from_millis(20);
/// How often the fair share of the clock one move may take.
const PATIENCE: u32 = 4;

impl Limits {
    /// Limits the depth, in plies.
    pub const fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::NONE }
    }

    /// Limits the number of positions.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::NONE }
    }

    /// Limits the time.
    pub const fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::NONE }
    }

    const NONE: Self = Self { depth: None, nodes: None, time: None, clock: None };

    /// The fair time for one move; `None` if it is not limited.
    pub fn time_for_move(&self) -> Option<Duration> {
        self.budget().map(|budget| budget.fair.map_or(budget.most, |fair| fair.min(budget.most)))
    }

    pub(super) fn budget(&self) -> Option<Budget> {
        let fixed = self.time.map(|most| Budget { fair: None, most });
        let Some(clock) = self.clock.map(GameClock::budget) else { return fixed };
        let most = fixed.map_or(clock.most, |fixed| fixed.most.min(clock.most));
        Some(Budget { most, ..clock })
    }
}

impl GameClock {
    /// Takes off the time that a move took, and adds the increment; returns whether there was enough.
    #[must_use]
    pub fn spend(&mut self, taken: Duration) -> bool {
        let rest = self.left.saturating_add(self.increment).checked_sub(taken);
        self.left = rest.unwrap_or_default();
        rest.is_some()
    }

    fn budget(self) -> Budget {
        let left = self.left.saturating_add(self.increment).saturating_sub(RESERVE);
        let moves = self.moves.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO);
        let fair = (self.left / moves).saturating_add(self.increment).min(left);
        let most = if moves == 1 { left } else { fair.saturating_mul(PATIENCE).min(left / 2) };
        Budget { fair: Some(fair.min(most)), most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_move_takes_a_fair_part_of_the_clock() {
        let clock = |left, increment, moves| GameClock { left: seconds(left), increment: seconds(increment), moves };
        let fair = |clock: GameClock| clock.budget().fair;
        assert_eq!(fair(clock(300, 0, None)), Some(seconds(10)));
        assert_eq!(fair(clock(300, 2, None)), Some(seconds(12)));
        assert_eq!(fair(clock(300, 0, Some(10))), Some(seconds(30)));
        assert_eq!(clock(300, 0, None).budget().most, seconds(40));
        assert_eq!(clock(0, 0, None).budget().most, Duration::ZERO);
        for left in 0..100 {
            for moves in [None, Some(0), Some(1), Some(7)] {
                let Budget { fair, most } = clock(left, 1, moves).budget();
                assert!(fair <= Some(most) && most < seconds(left + 1), "{left} s, {moves:?} moves");
            }
        }
    }

    #[test]
    fn the_shorter_of_two_times_counts() {
        let clock = GameClock { left: seconds(300), increment: Duration::ZERO, moves: None };
        let limits = Limits { clock: Some(clock), ..Limits::time(seconds(1)) };
        assert_eq!(limits.budget().map(|budget| budget.most), Some(seconds(1)));
        assert_eq!(Limits::nodes(5).budget(), None);
    }
}
