//! Lists of legal moves.

use std::fmt;
use std::ops::Deref;

use smallvec::SmallVec;

use super::capture::{Sink, record_captures};
use super::generate::{can_capture, min_repeated, quiet_moves_in_order};
use super::position::{Move, Position};
use super::spec::Rules;
use super::state::{State, Step};
use crate::board::{Geometry, Word};

/// Moves kept without an allocation. Hardly any position of a game has more: 27 were the most in 45,000.
const INLINE_MOVES: usize = 32;

/// Legal moves of a position as a slice, each once or as often as it has paths. Up to 32 moves take no allocation.
///
/// # Examples
///
/// ```
/// use pdn::rules::{Move, Position, Variant};
///
/// let moves = Position::start(Variant::INTERNATIONAL).legal_moves();
/// assert_eq!(moves.len(), 9);
/// assert!(moves.iter().all(|played| !played.is_capture()));
/// let kept: Vec<Move> = moves.into_iter().skip(7).collect();
/// assert_eq!(kept.len(), 2);
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct LegalMoves(SmallVec<[Move; INLINE_MOVES]>);

impl LegalMoves {
    /// Keeps only the moves for which a function returns true.
    pub fn retain(&mut self, mut keeps: impl FnMut(&Move) -> bool) {
        self.0.retain(|played| keeps(played));
    }

    /// Adds the legal moves of a position in order, a capture once for each of its paths if `paths` is true.
    #[inline(always)]
    pub(super) fn generate<R: Rules>(&mut self, rules: R, position: &Position, paths: bool) {
        let state: State<R::Board> = position.state();
        if can_capture(rules, &state) {
            let min_repeated = if paths { u32::MAX } else { min_repeated(rules.spec()) };
            let mut captures = Captures { list: self, rank: 0, min_repeated };
            record_captures(rules, &state, State::<R::Board>::board(), &mut captures);
            // The order of the walk follows from how directions are visited, and would change with it.
            self.sort();
        } else {
            quiet_moves_in_order(rules, &state, |step| self.0.push(Move::from_step(step)));
        }
    }

    /// Adds moves between two squares in order.
    pub(super) fn add<G: Geometry>(&mut self, steps: &[Step<G>]) {
        self.0.extend(steps.iter().map(Move::from_step));
        self.sort();
    }

    fn sort(&mut self) {
        self.0.sort_unstable_by(Move::in_order);
    }
}

/// Collects the captures of the highest rank.
struct Captures<'a> {
    list: &'a mut LegalMoves,
    rank: u32,
    /// Captures of fewer pieces are never met twice; `u32::MAX` if each path is a move.
    min_repeated: u32,
}

impl<G: Geometry> Sink<G> for Captures<'_> {
    fn capture(&mut self, rank: u32, step: Step<G>) {
        let moves = &mut self.list.0;
        if rank > self.rank {
            self.rank = rank;
            moves.clear();
        }
        let (played, may_repeat) = (Move::from_step(&step), step.captured.count() >= self.min_repeated);
        if rank == self.rank && !(may_repeat && moves.iter().any(|other| other.in_order(&played).is_eq())) {
            moves.push(played);
        }
    }
}

impl Deref for LegalMoves {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl fmt::Debug for LegalMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a> IntoIterator for &'a LegalMoves {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for LegalMoves {
    type Item = Move;
    type IntoIter = IntoMoves;

    #[inline]
    fn into_iter(self) -> IntoMoves {
        IntoMoves(self.0.into_iter())
    }
}

impl From<LegalMoves> for Vec<Move> {
    fn from(moves: LegalMoves) -> Self {
        moves.0.into_vec()
    }
}

/// The moves of a list, by value.
#[derive(Clone, Debug)]
pub struct IntoMoves(smallvec::IntoIter<[Move; INLINE_MOVES]>);

impl Iterator for IntoMoves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for IntoMoves {
    #[inline]
    fn next_back(&mut self) -> Option<Move> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for IntoMoves {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn usual_lists_take_no_allocation() {
        for &variant in Variant::ALL {
            let mut position = Position::start(variant);
            for ply in 0..60 {
                let moves = position.legal_moves();
                assert!(!moves.0.spilled(), "{variant}");
                let Some(played) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                position = position.play_unchecked(played);
            }
        }
    }
}
