//! Legal moves and how many there are.

use super::capture::{
    Direction, Sink, capturing_men, king_move_directions, kings_can_capture, man_move_directions, walk_captures,
};
use super::spec::{Goal, KingRange, ManCaptures, Removal, RuleSpec, Rules};
use super::state::{State, Step};
use crate::board::{Geometry, Word};

/// A list of moves to be filled again and again without new allocations.
#[derive(Clone, Debug)]
pub struct MoveList<G: Geometry> {
    steps: Vec<Step<G>>,
    rank: u32,
}

impl<G: Geometry> Default for MoveList<G> {
    fn default() -> Self {
        Self { steps: Vec::with_capacity(64), rank: 0 }
    }
}

impl<G: Geometry> MoveList<G> {
    /// The moves, in no particular but always the same order.
    pub fn as_slice(&self) -> &[Step<G>] {
        &self.steps
    }

    /// The moves, to be reordered.
    pub fn as_mut_slice(&mut self) -> &mut [Step<G>] {
        &mut self.steps
    }

    fn clear(&mut self) {
        self.steps.clear();
        self.rank = 0;
    }

    /// Adds a capture of a piece unless it is there already.
    #[inline(always)]
    fn add_distinct(&mut self, rank: u32, step: Step<G>, least_twice: u32) {
        if rank < self.rank {
            return;
        }
        if rank > self.rank {
            self.clear();
            self.rank = rank;
        }
        let twice = step.captured.count() >= least_twice && {
            let mut same_piece = self.steps.iter().rev().take_while(|other| other.from == step.from);
            same_piece.any(|other| other.same(&step))
        };
        if !twice {
            self.steps.push(step);
        }
    }
}

/// Fewest captured pieces with which two paths of one piece can be the same move: on diagonals two paths over the same
/// pieces enclose a rectangle, straight lines close a triangle, and where pieces leave at once a king may turn back.
#[inline(always)]
const fn least_twice(spec: &RuleSpec) -> u32 {
    match (spec.man_captures, spec.removal) {
        (ManCaptures::DiagonallyForward | ManCaptures::Diagonally, Removal::AfterMove) => 3,
        _ => 2,
    }
}

struct Distinct<'a, R: Rules> {
    list: &'a mut MoveList<R::Board>,
    rules: R,
}

impl<R: Rules> Sink<R::Board> for Distinct<'_, R> {
    #[inline(always)]
    fn capture(&mut self, rank: u32, step: Step<R::Board>) {
        self.list.add_distinct(rank, step, least_twice(self.rules.spec()));
    }
}

struct EveryPath<'a, G: Geometry>(&'a mut MoveList<G>);

impl<G: Geometry> Sink<G> for EveryPath<'_, G> {
    fn capture(&mut self, rank: u32, step: Step<G>) {
        self.0.add_distinct(rank, step, u32::MAX);
    }
}

#[derive(Default)]
struct PathCount {
    rank: u32,
    count: u64,
}

impl<G: Geometry> Sink<G> for PathCount {
    #[inline(always)]
    fn capture(&mut self, rank: u32, _: Step<G>) {
        if rank > self.rank {
            *self = Self { rank, count: 0 };
        }
        self.count += u64::from(rank == self.rank);
    }
}

/// Whether the side to move can, and so must, capture.
#[inline(always)]
pub fn can_capture<R: Rules>(rules: R, state: &State<R::Board>) -> bool {
    !game_is_over(rules, state) && (capturing_men(rules, state).any() || kings_can_capture(rules, state))
}

/// Fills the list with the distinct legal captures; it stays empty where there is none.
#[inline]
pub fn captures<R: Rules>(rules: R, state: &State<R::Board>, list: &mut MoveList<R::Board>) {
    list.clear();
    walk_captures(rules, state, &mut Distinct { list, rules });
}

/// Fills the list with all legal moves, a capture once for each of its paths.
pub(super) fn legal_paths<R: Rules>(rules: R, state: &State<R::Board>, list: &mut MoveList<R::Board>) {
    list.clear();
    if can_capture(rules, state) {
        walk_captures(rules, state, &mut EveryPath(list));
    } else {
        quiet_moves(rules, state, |step| list.steps.push(step));
    }
}

/// Fills the list with all distinct legal moves.
#[inline]
pub fn legal_moves<R: Rules>(rules: R, state: &State<R::Board>, list: &mut MoveList<R::Board>) {
    if can_capture(rules, state) {
        captures(rules, state, list);
    } else {
        list.clear();
        quiet_moves(rules, state, |step| list.steps.push(step));
    }
}

/// Counts legal moves: distinct ones, or every capture path.
#[inline]
pub fn count_moves<R: Rules>(rules: R, state: &State<R::Board>, paths: bool, list: &mut MoveList<R::Board>) -> u64 {
    if !can_capture(rules, state) {
        return count_quiet(rules, state);
    }
    if paths {
        let mut counter = PathCount::default();
        walk_captures(rules, state, &mut counter);
        return counter.count;
    }
    captures(rules, state, list);
    list.steps.len() as u64
}

#[inline(always)]
fn game_is_over<R: Rules>(rules: R, state: &State<R::Board>) -> bool {
    rules.spec().goal == Goal::FirstKing && state.kings.any()
}

#[inline(always)]
fn quiet_moves<R: Rules>(rules: R, state: &State<R::Board>, mut emit: impl FnMut(Step<R::Board>)) {
    if game_is_over(rules, state) {
        return;
    }
    let (men, empty) = (state.men(state.turn), state.empty());
    let promotion_row = State::<R::Board>::promotion_row(state.turn);
    let none = <R::Board as Geometry>::Word::ZERO;
    for &direction in man_move_directions(rules.spec().man_moves, state.turn) {
        let mut targets = direction.shift::<R::Board>(men) & empty;
        while targets.any() {
            let to = targets.lowest();
            let promotes = (promotion_row & <R::Board as Geometry>::Word::bit(to)).any();
            emit(Step { captured: none, from: direction.origin::<R::Board>(to), to, promotes });
            targets = targets.without_lowest();
        }
    }
    let mut kings = state.kings_of(state.turn) & !state.barred_king(rules);
    while kings.any() {
        let from = kings.lowest();
        slide(rules, from, empty, |to| emit(Step { captured: none, from, to, promotes: false }));
        kings = kings.without_lowest();
    }
}

#[inline(always)]
fn slide<R: Rules>(rules: R, from: u8, empty: <R::Board as Geometry>::Word, mut emit: impl FnMut(u8)) {
    let spec = rules.spec();
    for &direction in king_move_directions(spec.man_moves) {
        let mut to = direction.shift::<R::Board>(<R::Board as Geometry>::Word::bit(from)) & empty;
        while to.any() {
            emit(to.lowest());
            if spec.king_range == KingRange::Short {
                break;
            }
            to = direction.shift::<R::Board>(to) & empty;
        }
    }
}

/// Counts quiet moves without listing them.
#[inline(always)]
fn count_quiet<R: Rules>(rules: R, state: &State<R::Board>) -> u64 {
    if game_is_over(rules, state) {
        return 0;
    }
    let spec = rules.spec();
    let (men, empty) = (state.men(state.turn), state.empty());
    let mut count = 0;
    for &direction in man_move_directions(spec.man_moves, state.turn) {
        count += (direction.shift::<R::Board>(men) & empty).count();
    }
    let kings = state.kings_of(state.turn) & !state.barred_king(rules);
    if kings.any() {
        for &direction in king_move_directions(spec.man_moves) {
            count += reach_count::<R::Board>(direction, spec.king_range, kings, empty);
        }
    }
    u64::from(count)
}

/// Counts the squares all kings reach in one direction; squares at the same distance from two kings differ.
#[inline(always)]
fn reach_count<G: Geometry>(direction: Direction, range: KingRange, kings: G::Word, empty: G::Word) -> u32 {
    let mut count = 0;
    let mut reach = direction.shift::<G>(kings) & empty;
    while reach.any() {
        count += reach.count();
        if range == KingRange::Short {
            break;
        }
        reach = direction.shift::<G>(reach) & empty;
    }
    count
}
