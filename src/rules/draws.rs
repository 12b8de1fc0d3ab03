//! Draw rules: what counts towards the limits of a variant, and the limits of the built-in variants.

use serde::{Deserialize, Serialize};

use Standing::{Automatic, Claim};

use super::generate::{MoveList, can_capture, legal_moves};
use super::spec::Rules;
use super::state::{State, Step};
use crate::board::{Geometry, Side, Word};

/// The draw rules of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DrawRules<'a> {
    /// Repetition of a position with the same side to move.
    pub(crate) repetition: Option<Repetition<'a>>,
    /// Limits on moves without progress.
    pub(crate) limits: &'a [DrawLimit<'a>],
    /// One piece on each side is a draw if neither can be captured at once.
    pub(crate) last_pieces: Option<LastPieces<'a>>,
    /// The number of moves before which no draw may be agreed; `None` means no restriction.
    pub(crate) agreement: Option<Agreement<'a>>,
}

/// The part of a game in which no draw may be proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Agreement<'a> {
    /// Number of moves that each side makes before a draw may be proposed.
    pub(crate) after_moves: u16,
    /// Article of the rules.
    pub(crate) article: &'a str,
}

/// A draw by repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Repetition<'a> {
    /// Number of occurrences that makes a draw.
    pub(crate) occurrences: u8,
    /// Automatic or to be claimed.
    pub(crate) standing: Standing,
    /// Article of the rules, see [`is_verified`].
    pub(crate) article: &'a str,
}

/// A draw with one piece on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LastPieces<'a> {
    /// True if both must be kings.
    pub(crate) kings_only: bool,
    /// Article of the rules, see [`is_verified`].
    pub(crate) article: &'a str,
}

/// How a draw takes effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It ends the game.
    #[default]
    Automatic,
    /// A player may claim it.
    Claim,
}

/// Returns true unless an article ends in `[U]`, which marks a rule whose official text was not available.
pub(crate) const fn is_verified(article: &str) -> bool {
    !matches!(article.as_bytes(), [.., b'[', b'U', b']'])
}

/// A limit on moves in an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DrawLimit<'a> {
    /// Stable name, such as `25-move`.
    pub(crate) name: &'a str,
    /// Plies of both sides together, not counting promotions or the move that leads to the ending.
    pub(crate) plies: u16,
    /// The pieces and moves to which the limit applies.
    pub(crate) ending: Ending,
    /// Automatic or to be claimed.
    pub(crate) standing: Standing,
    /// Article of the rules, see [`is_verified`].
    pub(crate) article: &'a str,
}

/// The pieces and moves for which plies are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ending {
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Diagonal {
    /// Neither.
    #[default]
    Any,
    /// The lone king, throughout.
    LoneKing,
    /// The stronger side, when the ending begins.
    Stronger,
}

/// Maximum number of plies of a limit, low enough for a 16-bit counter to exceed it.
pub(super) const MAX_PLIES: u16 = 65_000;

// FMJD-64 has the longest list; each limit needs a counter in every tracker.
/// Maximum number of limits of a variant.
pub(super) const MAX_LIMITS: usize = 6;

/// Plies counted towards each limit of the variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct DrawCounters {
    /// The plies counted, plus one; 0 before the ending begins.
    counts: [u16; MAX_LIMITS],
}

impl DrawCounters {
    /// Returns the counters at the start of a game or of a set-up position.
    pub(crate) fn begin<G: Geometry>(rules: &DrawRules<'_>, state: &State<G>) -> Self {
        let mut counters = Self::default();
        for (count, limit) in counters.counts.iter_mut().zip(rules.limits) {
            *count = u16::from(is_ending(limit.ending, false, state));
        }
        counters
    }

    /// Returns the counters after a move.
    #[inline]
    #[must_use]
    pub(crate) fn follow<G: Geometry>(
        mut self,
        rules: &DrawRules<'_>,
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
                // Not even a capture begins the count anew here: the balance of pieces alone decides.
                Ending::LoneKing { .. } => (false, !step.promotes),
            };
            *count = if *count > 0 && !restarts && is_ending(limit.ending, true, after) {
                count.saturating_add(u16::from(counts))
            } else {
                u16::from(is_ending(limit.ending, false, after))
            };
        }
        self
    }

    /// Returns true if a limit is reached or passed, so that the game counts as drawn.
    #[cfg(any(feature = "engine", test))]
    #[inline]
    pub(crate) fn is_draw<G: Geometry>(&self, rules: &DrawRules<'_>, state: &State<G>) -> bool {
        let mut reached = self.counts.iter().zip(rules.limits);
        reached.any(|(&count, limit)| count > limit.plies && applies(limit.ending, state))
    }

    /// Returns the plies counted towards each limit, `None` before its ending begins.
    pub(super) fn plies(&self) -> impl Iterator<Item = Option<u16>> {
        self.counts.into_iter().map(|count| count.checked_sub(1))
    }
}

/// Returns true if an ending begins with a position or, if it has begun, continues with it.
fn is_ending<G: Geometry>(ending: Ending, has_begun: bool, state: &State<G>) -> bool {
    match ending {
        Ending::NoProgress { .. } => true,
        Ending::BothKings { pieces } => both_kings(state, pieces),
        Ending::LoneKing { pieces, kings, diagonal, outlasts_captures } => lone_kings(state).any(|lone| {
            let is_balance = within(state.sides[(!lone).index()].count(), pieces)
                && state.kings_of(!lone).count() >= u32::from(kings);
            (is_balance || has_begun && outlasts_captures)
                && match diagonal {
                    Diagonal::Any => true,
                    Diagonal::LoneKing => on_long_diagonal(state, lone),
                    Diagonal::Stronger => has_begun || on_long_diagonal(state, !lone),
                }
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

/// Returns true if a side has a king on the diagonal between the two playable corners.
fn on_long_diagonal<G: Geometry>(state: &State<G>, side: Side) -> bool {
    let (shape, last, kings) = (G::SHAPE, G::SHAPE.height() - 1, state.kings_of(side));
    let mut squares = (0..=last).filter_map(|row| shape.square_at(row, last - row));
    kings.any() && squares.any(|square| (kings & G::Word::bit(square.bit())).any())
}

/// Returns true if one piece of the required kind is left on each side, none can be captured now, and neither side loses its
/// piece at once: the side to move has a move after which none can be captured, and none that leaves the other side without
/// such a move.
pub(super) fn is_last_pieces_draw<R: Rules>(rules: R, last: LastPieces<'_>, state: &State<R::Board>) -> bool {
    // A side without its lowest piece is empty: the cheap test for one piece.
    let one_each = state.sides.iter().all(|side| side.any() && side.without_lowest().is_zero());
    let kinds = !last.kings_only || state.kings == state.sides[0] | state.sides[1];
    if !one_each || !kinds || can_capture(rules, state) {
        return false;
    }
    let safe = after_safe_moves(rules, state);
    !safe.is_empty() && safe.iter().all(|after| !after_safe_moves(rules, after).is_empty())
}

/// Returns the positions after the moves to which no capture can answer.
fn after_safe_moves<R: Rules>(rules: R, state: &State<R::Board>) -> Vec<State<R::Board>> {
    let mut moves = MoveList::default();
    legal_moves(rules, state, &mut moves);
    let after = moves.as_slice().iter().map(|step| state.play(rules, step));
    after.filter(|after| !can_capture(rules, after)).collect()
}

/// A draw at the third occurrence of a position with the same side to move.
const fn threefold(standing: Standing, article: &'static str) -> Repetition<'static> {
    Repetition { occurrences: 3, standing, article }
}

/// A limit of `moves` moves of each side.
const fn limit(
    name: &'static str,
    moves: u16,
    ending: Ending,
    standing: Standing,
    article: &'static str,
) -> DrawLimit<'static> {
    DrawLimit { name, plies: 2 * moves, ending, standing, article }
}

/// A side with a number of pieces, at least `kings` of them kings, against a lone king.
const fn lone_king(pieces: (u8, u8), kings: u8, diagonal: Diagonal) -> Ending {
    Ending::LoneKing { pieces, kings, diagonal, outlasts_captures: false }
}

const NO_PROGRESS: Ending = Ending::NoProgress { except_both_kings: (0, 0) };

/// No draws except by agreement.
pub(super) const NONE: DrawRules<'static> =
    DrawRules { repetition: None, limits: &[], last_pieces: None, agreement: None };

pub(super) const INTERNATIONAL: DrawRules<'static> = DrawRules {
    repetition: Some(threefold(Automatic, "FMJD annex 1, 6.1")),
    limits: &[TWENTY_FIVE_MOVES, SIXTEEN_MOVES, FIVE_MOVES],
    last_pieces: Some(LastPieces { kings_only: true, article: "FMJD annex 1, 6.4 [U]" }),
    agreement: Some(Agreement { after_moves: 40, article: "FMJD annex 1" }),
};

const TWENTY_FIVE_MOVES: DrawLimit<'static> = limit("25-move", 25, NO_PROGRESS, Automatic, "FMJD annex 1, 6.2");
const SIXTEEN_MOVES: DrawLimit<'static> = limit("16-move", 16, THREE_TO_ONE, Automatic, "FMJD annex 1, 6.3 [U]");
const FIVE_MOVES: DrawLimit<'static> =
    limit("5-move", 5, lone_king((1, 2), 1, Diagonal::Any), Automatic, "FMJD annex 1, 6.4 [U]");

/// A capture does not reset the count: FMJD annex 1, 6.3 (\[U\]).
const THREE_TO_ONE: Ending =
    Ending::LoneKing { pieces: (3, 3), kings: 1, diagonal: Diagonal::Any, outlasts_captures: true };

/// International without the 5-move rule (\[U\]).
pub(super) const KILLER: DrawRules<'static> =
    DrawRules { limits: &[TWENTY_FIVE_MOVES, SIXTEEN_MOVES], ..INTERNATIONAL };

pub(super) const ANTIDRAUGHTS: DrawRules<'static> =
    DrawRules { repetition: Some(threefold(Automatic, "Antidraughts rules")), ..NONE };

pub(super) const FMJD_64: DrawRules<'static> = DrawRules {
    repetition: Some(threefold(Automatic, "FMJD-64, 7.2.3")),
    limits: &[
        THREE_KINGS,
        limit("15-move", 15, UNLESS_BOTH_HAVE_KINGS, Automatic, "FMJD-64, 7.2.5"),
        THIRTY_MOVES,
        SIXTY_MOVES,
        LONG_DIAGONAL,
        FIVE_MOVES_64,
    ],
    ..NONE
};

const THREE_KINGS: DrawLimit<'static> =
    limit("three-kings", 15, lone_king((3, 12), 3, Diagonal::Any), Automatic, "FMJD-64, 7.2.4");
const THIRTY_MOVES: DrawLimit<'static> =
    limit("30-move", 30, Ending::BothKings { pieces: (4, 5) }, Automatic, "FMJD-64, 7.2.6");
const SIXTY_MOVES: DrawLimit<'static> =
    limit("60-move", 60, Ending::BothKings { pieces: (6, 7) }, Automatic, "FMJD-64, 7.2.6");
const FIVE_MOVES_64: DrawLimit<'static> =
    limit("5-move", 5, lone_king((1, 2), 1, Diagonal::Any), Automatic, "FMJD-64, 7.2.8");
const LONG_DIAGONAL: DrawLimit<'static> =
    limit("long-diagonal", 5, lone_king((3, 3), 1, Diagonal::LoneKing), Automatic, "FMJD-64, 7.2.7");

/// FMJD-64, 7.2.6: its limits replace that of 7.2.5 in the endings it covers.
const UNLESS_BOTH_HAVE_KINGS: Ending = Ending::NoProgress { except_both_kings: (4, 7) };

pub(super) const THREEFOLD_UNVERIFIED: DrawRules<'static> =
    DrawRules { repetition: Some(threefold(Automatic, "[U]")), ..NONE };

pub(super) const ITALIAN: DrawRules<'static> = DrawRules {
    // The federation's text may require the fourth occurrence, 9.3 b1 [U].
    repetition: Some(threefold(Automatic, "FID 9.3 [U]")),
    limits: &[limit("40-move", 40, NO_PROGRESS, Claim, "FID 10.4 [U]")],
    ..NONE
};

pub(super) const ENGLISH: DrawRules<'static> = DrawRules {
    repetition: Some(threefold(Claim, "WCDF 1.32.1")),
    limits: &[limit("40-move", 40, NO_PROGRESS, Claim, "WCDF 1.32.2")],
    ..NONE
};

pub(super) const POOL: DrawRules<'static> = DrawRules {
    repetition: Some(threefold(Claim, "APCA 26")),
    limits: &[
        limit("13-move", 13, lone_king((3, 3), 3, Diagonal::Stronger), Claim, "American rule 31"),
        limit("15-move", 15, NO_PROGRESS, Claim, "APCA 26"),
    ],
    ..NONE
};

pub(super) const SPANISH: DrawRules<'static> = DrawRules {
    repetition: Some(threefold(Claim, "Spanish rules 14b")),
    limits: &[
        limit("12-move", 12, lone_king((3, 3), 3, Diagonal::Stronger), Claim, "Spanish rules 14"),
        limit("20-move", 20, NO_PROGRESS, Claim, "[U]"),
    ],
    ..NONE
};

pub(super) const CZECH: DrawRules<'static> = DrawRules {
    repetition: Some(threefold(Claim, "Czech rules")),
    limits: &[limit("15-move", 15, NO_PROGRESS, Automatic, "Czech rules")],
    ..NONE
};

pub(super) const TURKISH: DrawRules<'static> =
    DrawRules { last_pieces: Some(LastPieces { kings_only: false, article: "[U]" }), ..THREEFOLD_UNVERIFIED };

/// Frisian draughts and Frysk! have no draw by repetition.
pub(super) const FRISIAN: DrawRules<'static> = DrawRules {
    limits: &[limit("7-move", 7, lone_king((2, 2), 2, Diagonal::Any), Automatic, "Frisian rules 2011, 12")],
    last_pieces: Some(LastPieces { kings_only: true, article: "Frisian rules 2011, 12" }),
    ..NONE
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Position, Variant, with_rules};

    /// Plays quiet moves back and forth; returns the plies after which the counters report a draw.
    fn plies_to_draw(start: Position) -> Option<usize> {
        with_rules!(start.variant(), <'a, R>(rules, position: Position = start) -> Option<usize> {
            let (mut state, mut position) = (position.state::<R::Board>(), position);
            let draws = &rules.spec().draws;
            let mut counters = DrawCounters::begin(draws, &state);
            (1..100).find(|_| {
                let mut moves = position.legal_moves().into_iter();
                let quiet = moves.find(|played| !position.play_unchecked(played).can_capture()).expect("a quiet move");
                let after = state.play(rules, &quiet.step());
                counters = counters.follow(draws, &state, &quiet.step(), &after);
                (state, position) = (after, position.play_unchecked(&quiet));
                counters.is_draw(draws, &state)
            })
        })
    }

    #[test]
    fn articles_whose_text_was_not_available_are_marked() {
        assert!(is_verified("FMJD annex 1, 6.2") && is_verified("") && !is_verified("FID 9.3 [U]"));
    }

    #[test]
    fn counters_report_a_draw_when_a_limit_is_complete() {
        let position = Position::from_fen(Variant::INTERNATIONAL, "W:WK47,K48,K49:BK3").unwrap();
        // 16 moves of each side: FMJD annex 1, 6.3.
        assert_eq!(plies_to_draw(position), Some(32));
    }
}
