//! Questions about single moves, answered without a list of all moves.

use smallvec::SmallVec;

use super::capture::{Sink, record_captures, rivals};
use super::direction::Direction;
use super::generate::{can_capture, quiet_move};
use super::position::{Move, Position};
use super::spec::{Rules, Task};
use super::state::{State, Step};
use crate::board::{Geometry, Square};

/// Finds the legal moves between two squares.
pub(super) struct Between<'a> {
    pub(super) position: &'a Position,
    pub(super) from: Square,
    pub(super) to: Square,
}

impl Task for Between<'_> {
    type Output = Vec<Move>;

    fn run<R: Rules>(self, rules: R) -> Vec<Move> {
        let state = self.position.state::<R::Board>();
        if !can_capture(rules, &state) {
            let quiet = quiet_move(rules, &state, self.from.bit(), self.to.bit());
            return quiet.iter().map(Move::from_step).collect();
        }
        let steps = captures_between(rules, &state, self.from.bit(), self.to.bit());
        let mut moves: Vec<_> = steps.iter().map(Move::from_step).collect();
        moves.sort_unstable_by(Move::in_order);
        moves
    }
}

/// Plays the legal move between two squares, if there is exactly one; returns false otherwise.
pub(super) struct PlayOnly<'a> {
    pub(super) before: &'a Position,
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) after: &'a mut Position,
    pub(super) played: &'a mut Move,
}

impl Task for PlayOnly<'_> {
    type Output = bool;

    fn run<R: Rules>(self, rules: R) -> bool {
        let state = self.before.state::<R::Board>();
        let Some(step) = only_step(rules, &state, self.from.bit(), self.to.bit()) else { return false };
        *self.after = Position::from_state(self.before.variant(), &state.play(rules, &step));
        *self.played = Move::from_step(&step);
        true
    }
}

#[inline(always)]
fn only_step<R: Rules>(rules: R, state: &State<R::Board>, from: u8, to: u8) -> Option<Step<R::Board>> {
    if !can_capture(rules, state) {
        return quiet_move(rules, state, from, to);
    }
    match captures_between(rules, state, from, to)[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Decides if a move is legal.
pub(super) struct IsLegal<'a>(pub(super) &'a Position, pub(super) &'a Move);

impl Task for IsLegal<'_> {
    type Output = bool;

    fn run<R: Rules>(self, rules: R) -> bool {
        let (state, step) = (self.0.state::<R::Board>(), self.1.step::<R::Board>());
        if !step.is_capture() {
            return !can_capture(rules, &state) && quiet_move(rules, &state, step.from, step.to) == Some(step);
        }
        captures_between(rules, &state, step.from, step.to).contains(&step)
    }
}

fn captures_between<R: Rules>(rules: R, state: &State<R::Board>, from: u8, to: u8) -> Captures<R::Board> {
    let mut found = Found { from, to, rank: 0, steps: SmallVec::new() };
    record_captures(rules, state, rivals(rules, state, from), &mut found);
    found.steps
}

/// Collects the distinct captures between two squares of the highest rank of all captures.
struct Found<G: Geometry> {
    from: u8,
    to: u8,
    rank: u32,
    steps: Captures<G>,
}

/// Captures between two squares; there are hardly ever more than two.
type Captures<G> = SmallVec<[Step<G>; 2]>;

impl<G: Geometry> Sink<G> for Found<G> {
    fn capture(&mut self, rank: u32, step: Step<G>) {
        if rank > self.rank {
            self.rank = rank;
            self.steps.clear();
        }
        let wanted = rank == self.rank && step.from == self.from && step.to == self.to;
        if wanted && !self.steps.iter().any(|other| other.same(&step)) {
            self.steps.push(step);
        }
    }
}

/// Finds all paths of a capture.
pub(super) struct Paths<'a> {
    pub(super) position: &'a Position,
    pub(super) of: &'a Move,
}

impl Task for Paths<'_> {
    type Output = Vec<Vec<Square>>;

    fn run<R: Rules>(self, rules: R) -> Self::Output {
        let (state, target) = (self.position.state::<R::Board>(), self.of.step::<R::Board>());
        let mut recorder = Recorder { target, stops: vec![self.of.from()], rank: 0, paths: Vec::new() };
        record_captures(rules, &state, rivals(rules, &state, target.from), &mut recorder);
        recorder.paths
    }
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
