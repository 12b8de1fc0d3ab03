//! Queries about single moves, answered without a list of all moves.

use smallvec::SmallVec;

use super::capture::{Sink, record_captures, rivals};
use super::direction::Direction;
use super::generate::{can_capture, quiet_move};
use super::spec::Rules;
use super::state::{State, Step};
use crate::board::{Geometry, Square};

/// Moves between two squares; there are hardly ever more than two.
type Steps<G> = SmallVec<[Step<G>; 2]>;

/// Returns the legal moves between two squares.
pub(super) fn steps_between<R: Rules>(rules: R, state: &State<R::Board>, from: u8, to: u8) -> Steps<R::Board> {
    if can_capture(rules, state) {
        captures_between(rules, state, from, to)
    } else {
        quiet_move(rules, state, from, to).into_iter().collect()
    }
}

/// Returns the legal move between two squares, if there is exactly one.
#[inline(always)]
pub(super) fn only_step<R: Rules>(rules: R, state: &State<R::Board>, from: u8, to: u8) -> Option<Step<R::Board>> {
    if !can_capture(rules, state) {
        return quiet_move(rules, state, from, to);
    }
    match captures_between(rules, state, from, to)[..] {
        [only] => Some(only),
        _ => None,
    }
}

fn captures_between<R: Rules>(rules: R, state: &State<R::Board>, from: u8, to: u8) -> Steps<R::Board> {
    let mut found = Between { from, to, rank: 0, steps: SmallVec::new() };
    record_captures(rules, state, rivals(rules, state, from), &mut found);
    found.steps
}

/// Collects the distinct captures between two squares that have the highest rank of all captures.
struct Between<G: Geometry> {
    from: u8,
    to: u8,
    rank: u32,
    steps: Steps<G>,
}

impl<G: Geometry> Sink<G> for Between<G> {
    fn capture(&mut self, rank: u32, step: Step<G>) {
        if rank > self.rank {
            self.rank = rank;
            self.steps.clear();
        }
        // All captures raise the rank, including those between other squares: they decide which are legal.
        let wanted = rank == self.rank && step.from == self.from && step.to == self.to;
        if wanted && !self.steps.iter().any(|other| other.same(&step)) {
            self.steps.push(step);
        }
    }
}

/// Returns all paths of a capture.
pub(super) fn paths<R: Rules>(rules: R, state: &State<R::Board>, target: Step<R::Board>) -> Vec<Vec<Square>> {
    let mut recorder = Recorder { target, stops: vec![Square::from_bit(target.from)], rank: 0, paths: Vec::new() };
    record_captures(rules, state, rivals(rules, state, target.from), &mut recorder);
    recorder.paths
}

/// Collects the stops of every highest-ranked path of one move.
struct Recorder<G: Geometry> {
    target: Step<G>,
    stops: Vec<Square>,
    rank: u32,
    paths: Vec<Vec<Square>>,
}

impl<G: Geometry> Sink<G> for Recorder<G> {
    fn capture(&mut self, rank: u32, step: Step<G>) {
        if rank > self.rank {
            self.rank = rank;
            self.paths.clear();
        }
        if rank == self.rank && step.same(&self.target) {
            self.paths.push(self.stops.clone());
        }
    }

    fn enter(&mut self, square: u8, _: Direction) {
        self.stops.push(Square::from_bit(square));
    }

    fn leave(&mut self) {
        self.stops.pop();
    }
}
