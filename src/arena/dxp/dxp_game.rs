//! Games over DXP: in progress with their clocks, and finished.

use std::time::{Duration, Instant};

use crate::arena::match_game::GameLine;
use crate::arena::record::move_comment;
use crate::board::Side;
use crate::engine::{GameClock, Limit};
use crate::link::Thought;
use crate::link::{DxpError, EndReason};
use crate::notation::{GameRecord, Outcome};
use crate::rules::{Move, Position};

/// A DXP game that has ended or was aborted.
#[derive(Debug)]
pub struct DxpGame {
    pub(super) line: GameLine,
    /// The engine's reports about its moves; `None` for the moves of the opponent.
    pub(super) thoughts: Vec<Option<Thought>>,
    pub(super) side: Side,
    pub(super) opponent: String,
    pub(super) end: End,
}

/// The end of a game.
#[derive(Debug)]
pub(super) enum End {
    /// By the rules.
    Rules(Outcome),
    /// By a declaration of the opponent.
    Declared(EndReason),
    /// By a failure.
    BrokenOff(DxpError),
}

impl DxpGame {
    /// Returns the name of the opponent.
    pub fn opponent(&self) -> &str {
        &self.opponent
    }

    /// Returns the outcome: by the rules, or because the opponent resigned or declared a draw; `None` if it is unknown.
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.end {
            End::Rules(outcome) => Some(outcome),
            End::Declared(EndReason::Loss) => Some(Outcome::Win(self.side)),
            End::Declared(EndReason::Draw) => Some(Outcome::Draw),
            End::Declared(EndReason::Win | EndReason::Unknown) | End::BrokenOff(_) => None,
        }
    }

    /// Returns the reason why the game was aborted, if it was.
    pub(crate) const fn failure(&self) -> Option<&DxpError> {
        match &self.end {
            End::BrokenOff(error) => Some(error),
            End::Rules(_) | End::Declared(_) => None,
        }
    }

    /// Returns the game as PDN text, followed by an empty line. `name` is the name of the engine, `round` the number of
    /// the game. Times are in the comments if `is_timed` is true.
    pub fn to_pdn(&self, name: &str, round: usize, is_timed: bool) -> String {
        let (white, black) = match self.side {
            Side::White => (name, self.opponent()),
            Side::Black => (self.opponent(), name),
        };
        let comment = |thought: &Option<Thought>| thought.map(|thought| move_comment(&thought, self.side, is_timed));
        GameRecord::new(self.line.start(), self.line.moves())
            .event("pdn dxp")
            .round(round)
            .players(white, black)
            .outcome(self.outcome())
            .comments(self.thoughts.iter().map(|thought| comment(thought).unwrap_or_default()).collect())
            .comment(self.end_comment().as_deref())
            .to_pdn()
    }

    /// Returns the reason for the end of the game, unless the board shows it.
    fn end_comment(&self) -> Option<String> {
        match &self.end {
            End::Rules(_) => self.line.draw().map(|name| format!("draw: {name}")),
            End::Declared(EndReason::Unknown) => Some("ended by the opponent".to_owned()),
            End::Declared(reason) => Some(format!("declared {} by the opponent", reason.result())),
            End::BrokenOff(error) => Some(format!("aborted: {error}")),
        }
    }
}

/// A game in progress.
pub(super) struct Play {
    pub(super) line: GameLine,
    /// The engine's reports about its moves; `None` for the moves of the opponent.
    pub(super) thoughts: Vec<Option<Thought>>,
    /// The side of the engine.
    pub(super) side: Side,
    /// The clocks of the engine and of the opponent.
    pub(super) clocks: [AgreedClock; 2],
    /// The time of the last move.
    pub(super) since: Instant,
    /// If the opponent ended the game, its result for the opponent, and true if no other game is to follow.
    pub(super) declared: Option<(EndReason, bool)>,
}

impl Play {
    pub(super) fn new(start: Position, side: Side, clock: AgreedClock) -> Self {
        let (line, thoughts) = (GameLine::new(start), Vec::new());
        Self { line, thoughts, side, clocks: [clock; 2], since: Instant::now(), declared: None }
    }

    pub(super) fn is_our_turn(&self) -> bool {
        self.line.position().turn() == self.side
    }

    /// Returns true if the game is over by the rules or by a declaration of the opponent.
    pub(super) fn is_over(&self) -> bool {
        self.declared.is_some() || self.line.outcome().is_some()
    }

    /// Adds a move of the player whose turn it is.
    pub(super) fn add(&mut self, step: &Move, thought: Option<Thought>) {
        self.clocks[usize::from(!self.is_our_turn())].spend(self.since.elapsed());
        self.line.play(step);
        self.thoughts.push(thought);
        self.since = Instant::now();
    }

    /// Takes moves back until `plies` are left. The clocks keep running.
    pub(super) fn truncate(&mut self, plies: usize) {
        self.line.truncate(plies);
        self.thoughts.truncate(plies);
    }

    /// Returns the number of plies before a move of a side, counted from 1; `None` if the game has not reached it.
    pub(super) fn plies_before(&self, number: u16, side: Side) -> Option<usize> {
        let starts = self.line.start().variant().starts();
        let ply = 2 * usize::from(number) + usize::from(side != starts);
        // Where the other side moves first, its move has the number 1 and the first side's first one the number 2.
        let first = 2 + usize::from(self.line.start().turn() != starts);
        ply.checked_sub(first).filter(|plies| *plies <= self.line.moves().len())
    }
}

/// Time for a move where no time was agreed.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The time of one player: a period for a number of moves, repeated for the same number of moves, or one for all moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct AgreedClock {
    period: Duration,
    /// Number of moves in a period; `None` for all.
    moves: Option<u32>,
    /// The time for all moves that are left in the period.
    pub(super) left: Duration,
    /// Number of moves left in the period.
    to_go: Option<u32>,
}

impl AgreedClock {
    /// Returns the clock of a game request; 0 moves means all.
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
    use crate::rules::Variant;

    #[test]
    fn moves_are_counted_from_the_side_that_starts() {
        let play = |start: Position, plies| {
            let mut play = Play::new(start, Side::White, AgreedClock::new(1, 0));
            for _ in 0..plies {
                let step = play.line.position().legal_moves()[0];
                play.add(&step, None);
            }
            play
        };
        let start = Position::start(Variant::INTERNATIONAL);
        let game = play(start, 3);
        for (number, side, plies) in [
            (1, Side::White, Some(0)),
            (1, Side::Black, Some(1)),
            (2, Side::Black, Some(3)),
            (3, Side::White, None),
            (0, Side::Black, None),
            (999, Side::Black, None),
        ] {
            assert_eq!(game.plies_before(number, side), plies, "{number} {side}");
        }
        let from_black = play(start.play_unchecked(&start.legal_moves()[0]), 2);
        assert_eq!(from_black.plies_before(1, Side::White), None);
        assert_eq!(from_black.plies_before(1, Side::Black), Some(0));
        assert_eq!(from_black.plies_before(2, Side::White), Some(1));
    }

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
