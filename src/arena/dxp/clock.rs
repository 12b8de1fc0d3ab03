//! The clock that two programs agree on over DXP.

use std::time::Duration;

use crate::engine::{GameClock, Limit};

/// Time for a move where no time was agreed.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The time of one player: a period for some moves, and again for as many more, or for all moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct AgreedClock {
    period: Duration,
    /// Number of moves in a period; `None` for all.
    moves: Option<u32>,
    left: Duration,
    /// Number of moves left in the period.
    to_go: Option<u32>,
}

impl AgreedClock {
    /// Returns the clock of a game request; 0 moves are all.
    pub(super) fn new(minutes: u16, moves: u16) -> Self {
        let period = Duration::from_mins(minutes.into());
        let moves = (moves > 0).then(|| moves.into());
        Self { period, moves, left: period, to_go: moves }
    }

    /// Returns the limit of the next move.
    pub(super) fn limit(&self) -> Limit {
        if self.period.is_zero() {
            return Limit::time(DEFAULT_TIME);
        }
        Limit::clock(GameClock::new(self.left, Duration::ZERO).with_moves(self.to_go))
    }

    /// Returns the time for all moves that are left in the period.
    pub(super) const fn left(&self) -> Duration {
        self.left
    }

    /// Counts a move that took some time.
    pub(super) fn spend(&mut self, taken: Duration) {
        self.left = self.left.saturating_sub(taken);
        self.to_go = self.to_go.map(|moves| moves.saturating_sub(1));
        if self.to_go == Some(0) {
            (self.left, self.to_go) = (self.left.saturating_add(self.period), self.moves);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_added_after_the_moves_of_a_period() {
        let seconds = Duration::from_secs;
        let limit = |left, moves| Limit::clock(GameClock::new(seconds(left), Duration::ZERO).with_moves(moves));
        let mut clock = AgreedClock::new(1, 2);
        assert_eq!(clock.limit(), limit(60, Some(2)));
        clock.spend(seconds(20));
        assert_eq!(clock.limit(), limit(40, Some(1)));
        clock.spend(seconds(10));
        assert_eq!(clock.limit(), limit(90, Some(2)));
        assert_eq!(AgreedClock::new(5, 0).limit(), limit(300, None));
        assert_eq!(AgreedClock::new(0, 0).limit(), Limit::time(DEFAULT_TIME));
    }
}
