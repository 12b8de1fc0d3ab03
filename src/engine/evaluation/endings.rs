//! Endings that are hard to win.

use crate::board::{Geometry, Side, Word};
use crate::rules::{Goal, KingRange, RuleSpec, State};

/// How the scores of endings with few pieces are lowered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Endings {
    applies: bool,
}

impl Endings {
    pub(super) fn of(spec: &RuleSpec) -> Self {
        Self { applies: spec.goal == Goal::Block && spec.king_range == KingRange::Flying }
    }

    /// Scales the score down in endings with few pieces and kings on both sides.
    pub(super) fn scaled<G: Geometry>(self, state: &State<G>, total: i32) -> i32 {
        let (stronger, weaker) = if total > 0 { (Side::White, Side::Black) } else { (Side::Black, Side::White) };
        if !self.applies || state.kings_of(weaker).is_zero() {
            return total;
        }
        let (more, fewer) = (state.sides[stronger.index()].count(), state.sides[weaker.index()].count());
        match more.saturating_sub(fewer) {
            0 | 1 => total / 4,
            2 if more <= 4 => total / 4,
            2 => total / 2,
            _ if more <= 3 => total / 4,
            _ => total,
        }
    }
}
