//! The rules of one variant as a trait object, so that searches and databases are compiled once for each board instead of
//! once for each variant.

use super::generate::{MoveList, can_capture, count_quiet, has_two_quiet, legal_moves, retreats};
use super::spec::{RuleSpec, Rules};
use super::state::{State, Step};
use crate::board::Geometry;

/// The kind of moves available to a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mobility {
    /// A capture is possible and therefore compulsory.
    Captures,
    /// Only quiet moves are possible; the number of them, possibly zero.
    Quiet(u64),
}

/// Move generation for one variant.
pub(crate) trait Generator<G: Geometry>: Send + Sync {
    /// Returns the rules.
    fn spec(&self) -> &'static RuleSpec;
    /// Fills the list with all legal moves.
    fn moves(&self, state: &State<G>, list: &mut MoveList<G>);
    /// Returns the kind of moves available to the side to move, without building a list.
    fn mobility(&self, state: &State<G>) -> Mobility;
    /// Returns the kind of moves available as [`mobility`](Self::mobility) does, but counts quiet moves up to two only.
    fn choice(&self, state: &State<G>) -> Mobility;
    /// Returns true if the side to move can capture.
    fn can_capture(&self, state: &State<G>) -> bool;
    /// Returns the position after a legal move.
    fn play(&self, state: &State<G>, step: &Step<G>) -> State<G>;
    /// Fills the list with the quiet moves other than promotions that can have led to a position.
    fn retreats(&self, state: &State<G>, list: &mut MoveList<G>);
}

/// Implements [`Generator`] for rules that are known at compile time.
pub(crate) struct Adapter<R>(pub(crate) R);

impl<R: Rules> Generator<R::Board> for Adapter<R> {
    fn spec(&self) -> &'static RuleSpec {
        self.0.spec()
    }

    fn moves(&self, state: &State<R::Board>, list: &mut MoveList<R::Board>) {
        legal_moves(self.0, state, list);
    }

    fn mobility(&self, state: &State<R::Board>) -> Mobility {
        if can_capture(self.0, state) { Mobility::Captures } else { Mobility::Quiet(count_quiet(self.0, state)) }
    }

    fn choice(&self, state: &State<R::Board>) -> Mobility {
        if can_capture(self.0, state) {
            Mobility::Captures
        } else if has_two_quiet(self.0, state) {
            Mobility::Quiet(2)
        } else {
            Mobility::Quiet(count_quiet(self.0, state))
        }
    }

    fn can_capture(&self, state: &State<R::Board>) -> bool {
        can_capture(self.0, state)
    }

    fn play(&self, state: &State<R::Board>, step: &Step<R::Board>) -> State<R::Board> {
        state.play(self.0, step)
    }

    fn retreats(&self, state: &State<R::Board>, list: &mut MoveList<R::Board>) {
        retreats(self.0, state, list);
    }
}
