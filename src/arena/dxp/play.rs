//! The state of a game over DXP.

use std::time::Instant;

use super::clock::AgreedClock;
use crate::arena::line::GameLine;
use crate::arena::thought::Thought;
use crate::board::Side;
use crate::link::EndReason;
use crate::rules::{Move, Position};

/// A game in progress.
pub(super) struct Play {
    pub(super) line: GameLine,
    /// What the engine said about its moves; `None` for the moves of the opponent.
    pub(super) thoughts: Vec<Option<Thought>>,
    /// The side of the engine.
    pub(super) side: Side,
    /// The clocks of the engine and of the opponent.
    pub(super) clocks: [AgreedClock; 2],
    /// When the last move was made.
    pub(super) since: Instant,
    /// How the game ended for the opponent, and true if there is to be no other game, if the opponent ended it.
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

    /// Returns true if the game is over by the rules or by the opponent's word.
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

    /// Takes moves back until `plies` are left. The clocks go on.
    pub(super) fn truncate(&mut self, plies: usize) {
        self.line.truncate(plies);
        self.thoughts.truncate(plies);
    }

    /// Returns the number of plies before a move of a side, counted from 1; `None` if the game has not reached it.
    pub(super) fn plies_before(&self, number: u16, side: Side) -> Option<usize> {
        let starts = self.line.start().variant().starts();
        let ply = 2 * usize::from(number) + usize::from(side != starts);
        let first = 2 + usize::from(self.line.start().turn() != starts);
        ply.checked_sub(first).filter(|plies| *plies <= self.line.moves().len())
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
}
