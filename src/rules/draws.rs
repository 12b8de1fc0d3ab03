//! When a game is drawn: the limits of each variant as data, and what counts towards them.

use super::generate::{MoveList, can_capture, legal_moves};
use super::spec::{RuleSpec, Rules};
use super::state::{State, Step};
use crate::board::{Geometry, Side, Word};

/// The draw rules of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// Repetition of a position with the same side to move.
    pub repetition: Option<Repetition>,
    /// Limits on moves without progress.
    pub limits: &'static [DrawLimit],
    /// A last piece each is a draw where neither can be taken at once.
    pub last_pieces: Option<LastPieces>,
    /// When the players may begin to agree on a draw; `None` is at any time.
    pub agreement: Option<Agreement>,
}

/// The part of a game in which no draw may be proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Moves that each side makes before one of them may propose a draw.
    pub after_moves: u16,
    /// Article.
    pub article: &'static str,
}

/// A draw by repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The occurrence that makes the draw.
    pub occurrences: u8,
    /// Automatic or to be claimed.
    pub standing: Standing,
    /// Article.
    pub article: &'static str,
    /// Whether the official text was seen.
    pub verified: bool,
}

/// A draw with one piece on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastPieces {
    /// Whether both must be kings.
    pub kings_only: bool,
    /// Article.
    pub article: &'static str,
    /// Whether the official text was seen.
    pub verified: bool,
}

/// Whether a draw ends the game by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Automatic,
    /// A player may claim it.
    Claim,
}

/// A number of plies in an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawLimit {
    /// Stable name, such as `25-move`.
    pub name: &'static str,
    /// Plies, both sides together; the one that brings the ending about and promotions are not counted.
    pub plies: u16,
    /// What the pieces and moves must be meanwhile.
    pub ending: Ending,
    /// Automatic or to be claimed.
    pub standing: Standing,
    /// Article.
    pub article: &'static str,
    /// Whether the official text was seen.
    pub verified: bool,
}

/// What the pieces and moves must be while plies are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Any pieces, no capture and no man move; not applied where both sides have kings and this many pieces are left.
    NoProgress {
        /// Fewest and most pieces of the exception; (0, 0) is none.
        except_both_kings: (u8, u8),
    },
    /// A side with this many pieces, of which this many are kings, against a lone king.
    LoneKing {
        /// Fewest and most pieces of the stronger side.
        pieces: (u8, u8),
        /// Fewest kings of the stronger side.
        kings: u8,
        /// Which side, if any, must have a king on the long diagonal.
        diagonal: Diagonal,
        /// Whether the count goes on when the stronger side loses pieces.
        outlasts_captures: bool,
    },
    /// Both sides have kings, and no capture or promotion changes the balance.
    BothKings {
        /// Fewest and most pieces on the board.
        pieces: (u8, u8),
    },
}

/// Who must hold the long diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagonal {
    /// It does not matter.
    Any,
    /// The lone king, all the time.
    LoneKing,
    /// A king of the stronger side, when the ending begins.
    Stronger,
}

/// Most limits that a variant has.
pub(super) const MAX_LIMITS: usize = 6;

/// Plies counted towards each limit of the variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawCounters {
    /// One more than the plies counted; 0 while the ending has not begun.
    counts: [u16; MAX_LIMITS],
}

impl DrawCounters {
    /// Returns the counters at the start of a game or from a set-up position.
    pub fn start<G: Geometry>(spec: &RuleSpec, state: &State<G>) -> Self {
        Self::begin(&spec.draws, state)
    }

    /// Returns the counters after a move.
    #[inline]
    #[must_use]
    pub fn after<G: Geometry>(self, spec: &RuleSpec, before: &State<G>, step: &Step<G>, after: &State<G>) -> Self {
        self.follow(&spec.draws, before, step, after)
    }

    pub(super) fn begin<G: Geometry>(rules: &DrawRules, state: &State<G>) -> Self {
        let mut counters = Self::default();
        for (count, limit) in counters.counts.iter_mut().zip(rules.limits) {
            *count = u16::from(begins(limit.ending, state));
        }
        counters
    }

    #[inline]
    pub(super) fn follow<G: Geometry>(
        mut self,
        rules: &DrawRules,
        before: &State<G>,
        step: &Step<G>,
        after: &State<G>,
    ) -> Self {
        if before.kings.is_zero() && after.kings.is_zero() {
            return self; // Nothing is counted before the first king.
        }
        let man_moved = (before.kings & G::Word::bit(step.from)).is_zero();
        for (count, limit) in self.counts.iter_mut().zip(rules.limits) {
            let (restarts, counts) = match limit.ending {
                Ending::NoProgress { .. } => (man_moved || step.is_capture(), true),
                Ending::BothKings { .. } => (step.promotes || step.is_capture(), true),
                Ending::LoneKing { .. } => (false, !step.promotes),
            };
            *count = if *count > 0 && !restarts && continues(limit.ending, after) {
                count.saturating_add(u16::from(counts))
            } else {
                u16::from(begins(limit.ending, after))
            };
        }
        self
    }

    /// Whether some limit is reached or passed, so that the game counts as drawn.
    #[inline]
    pub fn is_draw<G: Geometry>(&self, spec: &RuleSpec, state: &State<G>) -> bool {
        let mut reached = self.counts.iter().zip(spec.draws.limits);
        reached.any(|(&count, limit)| count > limit.plies && applies(limit.ending, state))
    }

    /// Plies counted towards each limit that has begun.
    pub fn plies(&self) -> impl Iterator<Item = Option<u16>> {
        self.counts.into_iter().map(|count| count.checked_sub(1))
    }
}

/// Squares of the diagonal through both playable corners.
fn long_diagonal<G: Geometry>() -> G::Word {
    let shape = G::SHAPE;
    let last = shape.height() - 1;
    let squares = (0..shape.height()).filter_map(|row| shape.square_at(row, last - row));
    squares.fold(G::Word::ZERO, |set, square| set | G::Word::bit(square.bit()))
}

fn begins<G: Geometry>(ending: Ending, state: &State<G>) -> bool {
    match ending {
        Ending::NoProgress { .. } => true,
        Ending::BothKings { pieces } => both_kings(state, pieces),
        Ending::LoneKing { pieces, kings, diagonal, .. } => lone_kings(state).any(|lone| {
            is_balance(state, lone, pieces, kings)
                && match diagonal {
                    Diagonal::Any => true,
                    Diagonal::LoneKing => on_long_diagonal(state, lone),
                    Diagonal::Stronger => on_long_diagonal(state, !lone),
                }
        }),
    }
}

fn continues<G: Geometry>(ending: Ending, state: &State<G>) -> bool {
    match ending {
        Ending::NoProgress { .. } => true,
        Ending::BothKings { pieces } => both_kings(state, pieces),
        Ending::LoneKing { pieces, kings, diagonal, outlasts_captures } => lone_kings(state).any(|lone| {
            (outlasts_captures || is_balance(state, lone, pieces, kings))
                && (diagonal != Diagonal::LoneKing || on_long_diagonal(state, lone))
        }),
    }
}

pub(super) fn applies<G: Geometry>(ending: Ending, state: &State<G>) -> bool {
    match ending {
        Ending::NoProgress { except_both_kings } => !both_kings(state, except_both_kings),
        Ending::LoneKing { .. } | Ending::BothKings { .. } => true,
    }
}

fn within(count: u32, (least, most): (u8, u8)) -> bool {
    (u32::from(least)..=u32::from(most)).contains(&count)
}

fn both_kings<G: Geometry>(state: &State<G>, pieces: (u8, u8)) -> bool {
    state.kings_of(Side::White).any()
        && state.kings_of(Side::Black).any()
        && within((state.sides[0] | state.sides[1]).count(), pieces)
}

/// The sides that have one piece, a king.
fn lone_kings<G: Geometry>(state: &State<G>) -> impl Iterator<Item = Side> {
    let is_lone = |side: &Side| state.kings_of(*side).any() && state.sides[side.index()].without_lowest().is_zero();
    [Side::White, Side::Black].into_iter().filter(is_lone)
}

/// Whether the side against the lone king has this many pieces and kings.
fn is_balance<G: Geometry>(state: &State<G>, lone: Side, pieces: (u8, u8), kings: u8) -> bool {
    within(state.sides[(!lone).index()].count(), pieces) && state.kings_of(!lone).count() >= u32::from(kings)
}

fn on_long_diagonal<G: Geometry>(state: &State<G>, side: Side) -> bool {
    (state.kings_of(side) & long_diagonal::<G>()).any()
}

/// Whether one piece each is left, that is a draw, and nobody takes the other's now or, whatever is played, at the next
/// move.
pub(super) fn is_last_pieces_draw<R: Rules>(rules: R, last: LastPieces, state: &State<R::Board>) -> bool {
    let one_each = state.sides.iter().all(|side| side.any() && side.without_lowest().is_zero());
    let kinds = !last.kings_only || state.kings == state.sides[0] | state.sides[1];
    one_each && kinds && !can_capture(rules, state) && has_safe_move(rules, state)
}

fn has_safe_move<R: Rules>(rules: R, state: &State<R::Board>) -> bool {
    let mut list = MoveList::default();
    legal_moves(rules, state, &mut list);
    list.as_slice().iter().any(|step| !can_capture(rules, &state.play(rules, step)))
}
