//! Winning material as the goal of a problem.

use super::prover::Prover;
use crate::board::Side;
use crate::rules::{Move, Position};
use crate::shots::{Bounds, balance, forces, settled};

/// Maximum length of the forced sequences searched if the solution is shorter, in plies.
const MIN_PLIES: usize = 9;

/// The material that the solver has to win, relative to the lead at the start of the problem.
pub(super) struct MaterialGoal {
    side: Side,
    /// Lead at the start, in men.
    lead: i32,
    /// Men to win.
    gain: i32,
    bounds: Bounds,
}

impl MaterialGoal {
    /// Returns the goal of winning what the first move of the solution forces, or else one man. A defence in the solution may
    /// cost more men than another one, so the last position only sets an upper limit on the gain. A gain about which nothing is
    /// proven within the limit counts as the goal, so that a higher limit cannot make a sound problem unsound.
    pub(super) fn new(start: &Position, solution: &[Move], prover: &Prover) -> Self {
        let side = start.turn();
        let end = solution.iter().fold(*start, |position, step| position.play_unchecked(step));
        // An odd number of plies: the last move is one of the side that solves.
        let bounds = Bounds::default().plies(solution.len().max(MIN_PLIES) | 1).nodes(prover.nodes);
        let goal = Self { side, lead: balance(start, side), gain: 1, bounds };
        let Some(first) = solution.first() else { return goal };
        let most = settled(&end, side) - goal.lead;
        let gain = (2..=most).rev().find(|&gain| Self { gain, ..goal }.is_reached(start, first) != Some(false));
        Self { gain: gain.unwrap_or(1), ..goal }
    }

    /// Returns true if a move by the solver forces the gain, false if no sequence of captures after it does, and `None` if there
    /// were too many to search.
    pub(super) fn is_reached(&self, position: &Position, played: &Move) -> Option<bool> {
        debug_assert_eq!(position.turn(), self.side, "only the solver's moves have a goal");
        forces(position, played, self.lead, self.gain, &self.bounds)
    }
}
