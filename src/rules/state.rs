//! A position and a move as bare machine words, for inner loops.

use super::spec::{RuleSpec, Rules};
use crate::board::{Geometry, Side, Word};

/// Consecutive quiet moves of one king (Frisian rules 2011, 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KingRun {
    /// Bit of the square of the king.
    pub(crate) at: u8,
    /// Number of moves; 0 if no king is counted.
    pub(crate) moves: u8,
}

impl KingRun {
    /// No king move is counted.
    pub(crate) const NONE: Self = Self { at: 0, moves: 0 };

    /// Returns true if the king may not make a quiet move now (Frisian rules 2011, 11): only a side with a man is limited.
    #[inline(always)]
    pub(super) const fn is_barred(self, spec: &RuleSpec<'_>, has_man: bool) -> bool {
        matches!(spec.king_move_limit, Some(limit) if self.moves >= limit && has_man)
    }
}

/// Pieces and side to move on a board known at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State<G: Geometry> {
    /// All pieces of each side, by [`Side::index`].
    pub(crate) sides: [G::Word; 2],
    /// The kings of both sides.
    pub(crate) kings: G::Word,
    /// Side to move.
    pub(crate) turn: Side,
    /// Consecutive king moves of each side, where the rules count them.
    pub(crate) runs: [KingRun; 2],
}

/// A legal move on a board known at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step<G: Geometry> {
    /// Squares of the captured pieces.
    pub(crate) captured: G::Word,
    /// Bit of the first square.
    pub(crate) from: u8,
    /// Bit of the last square.
    pub(crate) to: u8,
    /// True if a man is promoted.
    pub(crate) promotes: bool,
}

impl<G: Geometry> Step<G> {
    /// Returns true if two moves are the same: first square, last square and captured pieces.
    #[inline]
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.from == other.from && self.to == other.to && self.captured == other.captured
    }

    /// Returns true for a capture.
    #[inline(always)]
    pub(crate) fn is_capture(&self) -> bool {
        self.captured.any()
    }
}

impl<G: Geometry> State<G> {
    /// Returns all playable squares.
    #[inline(always)]
    pub(crate) fn board() -> G::Word {
        G::Word::narrow(G::SQUARES)
    }

    /// Returns the row where the men of a side are promoted.
    #[inline(always)]
    pub(crate) fn promotion_row(side: Side) -> G::Word {
        G::Word::narrow(match side {
            Side::White => G::TOP_ROW,
            Side::Black => G::BOTTOM_ROW,
        })
    }

    /// Returns the pieces of the side to move.
    #[inline(always)]
    pub(crate) fn own(&self) -> G::Word {
        self.sides[self.turn.index()]
    }

    /// Returns the men of a side.
    #[inline(always)]
    pub(crate) fn men(&self, side: Side) -> G::Word {
        self.sides[side.index()] & !self.kings
    }

    /// Returns the kings of a side.
    #[inline(always)]
    pub(crate) fn kings_of(&self, side: Side) -> G::Word {
        self.sides[side.index()] & self.kings
    }

    /// Returns the empty squares.
    #[inline(always)]
    pub(crate) fn empty(&self) -> G::Word {
        Self::board() & !(self.sides[0] | self.sides[1])
    }

    /// Returns the position after a legal move.
    #[inline]
    #[must_use]
    pub(crate) fn play<R: Rules<Board = G>>(&self, rules: R, step: &Step<G>) -> Self {
        let (from, to) = (G::Word::bit(step.from), G::Word::bit(step.to));
        let (us, them) = (self.turn.index(), (!self.turn).index());
        let mut next = *self;
        next.sides[us] = self.sides[us] & !from | to;
        next.sides[them] = self.sides[them] & !step.captured;
        let was_king = (self.kings & from).any();
        next.kings = self.kings & !(from | step.captured);
        if was_king || step.promotes {
            next.kings |= to;
        }
        next.turn = !self.turn;
        // A constant in compiled variants: only Frisian pays for the counts.
        if rules.spec().king_move_limit.is_some() {
            next.runs[us] = if !was_king || step.is_capture() {
                KingRun::NONE
            } else {
                let run = self.runs[us];
                // A side without men may continue beyond the limit, and beyond 255.
                let moves = if run.moves > 0 && run.at == step.from { run.moves.saturating_add(1) } else { 1 };
                KingRun { at: step.to, moves }
            };
            // Without a run `at` is 0; if the piece there is captured, nothing is cleared that was set.
            if (G::Word::bit(self.runs[them].at) & step.captured).any() {
                next.runs[them] = KingRun::NONE;
            }
        }
        next
    }

    /// Returns the position before a quiet move that led to this one.
    #[inline]
    #[must_use]
    pub(crate) fn before(&self, step: &Step<G>) -> Self {
        let (from, to) = (G::Word::bit(step.from), G::Word::bit(step.to));
        let turn = !self.turn;
        let mut earlier = Self { turn, ..*self };
        earlier.sides[turn.index()] = self.sides[turn.index()] & !to | from;
        if (self.kings & to).any() {
            earlier.kings = self.kings & !to | from;
        }
        earlier
    }

    /// Returns the same position with the colours of all pieces and the side to move exchanged and the board rotated by
    /// 180°.
    #[inline]
    #[must_use]
    pub(crate) fn color_flipped(&self) -> Self {
        let turned = |squares: G::Word| squares.reversed(G::LAST_BIT);
        let sides = [turned(self.sides[1]), turned(self.sides[0])];
        Self { sides, kings: turned(self.kings), turn: !self.turn, runs: [KingRun::NONE; 2] }
    }

    /// Returns a position from the pieces of both sides, with White to move.
    #[inline]
    pub(crate) const fn white_to_move(sides: [G::Word; 2], kings: G::Word) -> Self {
        Self { sides, kings, turn: Side::White, runs: [KingRun::NONE; 2] }
    }

    /// Returns the same position without consecutive king moves.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn without_king_runs(self) -> Self {
        Self { runs: [KingRun::NONE; 2], ..self }
    }

    /// Returns the king that may not make a quiet move now, as a set of at most one square.
    #[inline]
    pub(crate) fn barred_king<R: Rules<Board = G>>(&self, rules: R) -> G::Word {
        let run = self.runs[self.turn.index()];
        if run.is_barred(rules.spec(), self.men(self.turn).any()) { G::Word::bit(run.at) } else { G::Word::ZERO }
    }
}
