//! When a game is drawn: the limits of each variant as data, and what counts towards them.

use serde::{Deserialize, Serialize};

use super::generate::{MoveList, can_capture, legal_moves};
use super::spec::Rules;
use super::state::{State, Step};
use crate::board::{Geometry, Side, Word};

/// The draw rules of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DrawRules {
    /// Repetition of a position with the same side to move.
    pub repetition: Option<Repetition>,
    /// Limits on moves without progress.
    pub limits: &'static [DrawLimit],
    /// One piece each is a draw if neither can be captured at once.
    pub last_pieces: Option<LastPieces>,
    /// The moves before which no draw may be agreed on; `None` means no restriction.
    pub agreement: Option<Agreement>,
}

/// The part of a game in which no draw may be proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Number of moves that each side makes before a draw may be proposed.
    pub after_moves: u16,
    /// Article of the rules.
    pub article: &'static str,
}

/// A draw by repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// Number of occurrences that makes the draw.
    pub occurrences: u8,
    /// Automatic or to be claimed.
    pub standing: Standing,
    /// Article of the rules, see [`is_verified`].
    pub article: &'static str,
}

/// A draw with one piece on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastPieces {
    /// True if both must be kings.
    pub kings_only: bool,
    /// Article of the rules, see [`is_verified`].
    pub article: &'static str,
}

/// How a draw takes effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It ends the game.
    #[default]
    Automatic,
    /// A player may claim it.
    Claim,
}

/// Returns true unless an article ends in `[U]`, the mark of a figure whose official text was not seen.
pub const fn is_verified(article: &str) -> bool {
    !matches!(article.as_bytes(), [.., b'[', b'U', b']'])
}

/// A limit on moves in an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawLimit {
    /// Stable name, such as `25-move`.
    pub name: &'static str,
    /// Plies of both sides together, without promotions and the move that leads to the ending.
    pub plies: u16,
    /// The pieces and moves to which the limit applies.
    pub ending: Ending,
    /// Automatic or to be claimed.
    pub standing: Standing,
    /// Article of the rules, see [`is_verified`].
    pub article: &'static str,
}

/// The pieces and moves for which plies are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// Any pieces, without captures and moves of men.
    NoProgress {
        /// Minimum and maximum number of pieces with which, if both sides have kings, the limit does not apply; (0, 0)
        /// means no exception.
        except_both_kings: (u8, u8),
    },
    /// A stronger side against a lone king.
    LoneKing {
        /// Minimum and maximum number of pieces of the stronger side.
        pieces: (u8, u8),
        /// Minimum number of kings among them.
        kings: u8,
        /// Which side, if any, must have a king on the long diagonal.
        diagonal: Diagonal,
        /// True if counting continues after the stronger side loses pieces.
        outlasts_captures: bool,
    },
    /// Kings on both sides, without captures and promotions.
    BothKings {
        /// Minimum and maximum number of pieces on the board.
        pieces: (u8, u8),
    },
}

/// Which side must have a king on the long diagonal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Diagonal {
    /// Neither.
    #[default]
    Any,
    /// The lone king, throughout.
    LoneKing,
    /// The stronger side, when the ending begins.
    Stronger,
}

/// Maximum number of plies of a limit, so that a counter of 16 bits can exceed it.
pub(super) const MAX_PLIES: u16 = 65_000;

/// Maximum number of limits of a variant.
pub(super) const MAX_LIMITS: usize = 6;

/// Plies counted towards each limit of the variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DrawCounters {
    /// The plies counted, plus one; 0 before the ending begins.
    counts: [u16; MAX_LIMITS],
}

impl DrawCounters {
    /// Returns the counters at the start of a game or of a set-up position.
    pub(crate) fn begin<G: Geometry>(rules: &DrawRules, state: &State<G>) -> Self {
        let mut counters = Self::default();
        for (count, limit) in counters.counts.iter_mut().zip(rules.limits) {
            *count = u16::from(begins(limit.ending, state));
        }
        counters
    }

    /// Returns the counters after a move.
    #[inline]
    #[must_use]
    pub(crate) fn follow<G: Geometry>(
        mut self,
        rules: &DrawRules,
        before: &State<G>,
        step: &Step<G>,
        after: &State<G>,
    ) -> Self {
        if before.kings.is_zero() && after.kings.is_zero() {
            return self; // No limit applies before the first king.
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

    /// Returns true if a limit is reached or passed, so that the game counts as drawn.
    #[cfg(any(feature = "engine", test))]
    #[inline]
    pub(crate) fn is_draw<G: Geometry>(&self, rules: &DrawRules, state: &State<G>) -> bool {
        let mut reached = self.counts.iter().zip(rules.limits);
        reached.any(|(&count, limit)| count > limit.plies && applies(limit.ending, state))
    }

    /// Returns the plies counted towards each limit, `None` before its ending begins.
    pub(super) fn plies(&self) -> impl Iterator<Item = Option<u16>> {
        self.counts.into_iter().map(|count| count.checked_sub(1))
    }
}

/// Returns the squares of the diagonal between the two playable corners.
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

fn within(count: u32, (min, max): (u8, u8)) -> bool {
    (u32::from(min)..=u32::from(max)).contains(&count)
}

fn both_kings<G: Geometry>(state: &State<G>, pieces: (u8, u8)) -> bool {
    state.kings_of(Side::White).any()
        && state.kings_of(Side::Black).any()
        && within((state.sides[0] | state.sides[1]).count(), pieces)
}

/// Returns the sides whose only piece is a king.
fn lone_kings<G: Geometry>(state: &State<G>) -> impl Iterator<Item = Side> {
    let is_lone = |side: &Side| state.kings_of(*side).any() && state.sides[side.index()].without_lowest().is_zero();
    Side::ALL.into_iter().filter(is_lone)
}

/// Returns true if the side against the lone king has this many pieces and kings.
fn is_balance<G: Geometry>(state: &State<G>, lone: Side, pieces: (u8, u8), kings: u8) -> bool {
    within(state.sides[(!lone).index()].count(), pieces) && state.kings_of(!lone).count() >= u32::from(kings)
}

fn on_long_diagonal<G: Geometry>(state: &State<G>, side: Side) -> bool {
    (state.kings_of(side) & long_diagonal::<G>()).any()
}

/// Returns true if one piece of the required kind is left on each side, none can be captured now, and the side to move has
/// a move after which none can be captured.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::spec::Task;
    use crate::rules::{Position, Variant};

    /// Plays quiet moves back and forth; returns the plies after which the counters report a draw.
    struct Shuffle(Position);

    impl Task for Shuffle {
        type Output = Option<usize>;

        fn run<R: Rules>(self, rules: R) -> Option<usize> {
            let mut state = self.0.state::<R::Board>();
            let draws = &rules.spec().draws;
            let mut counters = DrawCounters::begin(draws, &state);
            let mut position = self.0;
            (1..100).find(|_| {
                let played = position
                    .legal_moves()
                    .into_iter()
                    .find(|played| !position.play_unchecked(played).can_capture())
                    .expect("a quiet move");
                let after = state.play(rules, &played.step());
                counters = counters.follow(draws, &state, &played.step(), &after);
                (state, position) = (after, position.play_unchecked(&played));
                counters.is_draw(draws, &state)
            })
        }
    }

    #[test]
    fn counters_report_a_draw_when_a_limit_is_complete() {
        let position = Position::from_fen(Variant::INTERNATIONAL, "W:WK47,K48,K49:BK3").unwrap();
        // 16 moves of each side: FMJD annex 1, 6.3.
        assert_eq!(position.variant().dispatch(Shuffle(position)), Some(32));
    }
}
