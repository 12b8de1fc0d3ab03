//! Legal moves and their number.

use super::capture::{Sink, capturing_men, count_single_jumps, kings_can_capture, record_captures, walk_captures};
use super::direction::{Direction, king_move_directions, man_move_directions};
#[cfg(feature = "engine")]
use super::offers::offers;
use super::spec::{Goal, KingRange, ManCaptures, Removal, RuleSpec, Rules, WordOf};
use super::state::{State, Step};
use crate::board::{Geometry, Side, Word};

/// A list of moves that is refilled without new allocations.
#[derive(Clone, Debug)]
pub(crate) struct MoveList<G: Geometry> {
    steps: Vec<Step<G>>,
    rank: u32,
}

impl<G: Geometry> Default for MoveList<G> {
    fn default() -> Self {
        // Hardly any position has more moves, and a list is filled again and again.
        Self { steps: Vec::with_capacity(64), rank: 0 }
    }
}

impl<G: Geometry> MoveList<G> {
    /// Returns the moves in an unspecified but reproducible order.
    pub(crate) fn as_slice(&self) -> &[Step<G>] {
        &self.steps
    }

    /// Returns the moves for reordering.
    #[cfg(feature = "engine")]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [Step<G>] {
        &mut self.steps
    }

    /// Returns true if the list holds captures, and so nothing else.
    #[cfg(feature = "engine")]
    pub(crate) fn holds_captures(&self) -> bool {
        self.as_slice().first().is_some_and(Step::is_capture)
    }

    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.rank = 0;
    }

    /// Adds a quiet move.
    #[cfg(feature = "engine")]
    #[inline(always)]
    pub(super) fn push(&mut self, step: Step<G>) {
        self.steps.push(step);
    }

    /// Returns true if a capture of this rank may be added; a higher rank than before clears the list.
    #[inline(always)]
    fn admits(&mut self, rank: u32) -> bool {
        if rank > self.rank {
            self.clear();
            self.rank = rank;
        }
        rank == self.rank
    }
}

/// Returns the minimum number of captured pieces with which two paths of a piece can be the same move. On diagonals,
/// two paths over the same pieces enclose a rectangle; with straight lines, a triangle; and where pieces leave at once,
/// a king may turn back.
#[inline(always)]
pub(super) const fn min_repeated(spec: &RuleSpec<'_>) -> u32 {
    match (spec.man_captures, spec.removal) {
        (ManCaptures::DiagonallyForward | ManCaptures::Diagonally, Removal::AfterMove) => 3,
        _ => 2,
    }
}

/// Lists distinct captures.
struct Distinct<'a, R: Rules> {
    list: &'a mut MoveList<R::Board>,
    rules: R,
}

impl<R: Rules> Sink<R::Board> for Distinct<'_, R> {
    #[inline(always)]
    fn capture(&mut self, rank: u32, step: Step<R::Board>) {
        // Comparing with the whole list takes quadratic time, and most captures take too few pieces to be repeated.
        let may_repeat = step.captured.count() >= min_repeated(self.rules.spec());
        if self.list.admits(rank) && !(may_repeat && self.list.steps.iter().any(|other| other.same(&step))) {
            self.list.steps.push(step);
        }
    }
}

/// Lists every capture path.
struct EveryPath<'a, G: Geometry>(&'a mut MoveList<G>);

impl<G: Geometry> Sink<G> for EveryPath<'_, G> {
    fn capture(&mut self, rank: u32, step: Step<G>) {
        if self.0.admits(rank) {
            self.0.steps.push(step);
        }
    }
}

/// Returns true if the side to move can, and so must, capture.
#[inline(always)]
pub(crate) fn can_capture<R: Rules>(rules: R, state: &State<R::Board>) -> bool {
    match state.turn {
        Side::White => side_can_capture(rules, state, Side::White),
        Side::Black => side_can_capture(rules, state, Side::Black),
    }
}

#[inline(always)]
fn side_can_capture<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> bool {
    !game_is_over(rules, state) && (capturing_men(rules, state, side).any() || kings_can_capture(rules, state, side))
}

/// Fills the list with the distinct legal captures.
#[inline(never)]
pub(crate) fn captures<R: Rules>(rules: R, state: &State<R::Board>, list: &mut MoveList<R::Board>) {
    list.clear();
    walk_captures(rules, state, &mut Distinct { list, rules });
}

/// Visits all distinct legal moves or, with `paths`, a capture once for each of its paths. Quiet moves are not stored in the
/// list.
#[inline(always)]
pub(super) fn each_move<R: Rules>(
    rules: R,
    state: &State<R::Board>,
    paths: bool,
    list: &mut MoveList<R::Board>,
    mut visit: impl FnMut(&Step<R::Board>),
) {
    if can_capture(rules, state) {
        each_capture(rules, state, paths, list, visit);
    } else {
        quiet_moves(rules, state, |step| visit(&step));
    }
}

/// Visits the legal captures of a position that has some, like [`each_move`].
#[inline(always)]
fn each_capture<R: Rules>(
    rules: R,
    state: &State<R::Board>,
    paths: bool,
    list: &mut MoveList<R::Board>,
    visit: impl FnMut(&Step<R::Board>),
) {
    if paths {
        list.clear();
        record_captures(rules, state, State::<R::Board>::board(), &mut EveryPath(list));
    } else {
        captures(rules, state, list);
    }
    list.steps.iter().for_each(visit);
}

/// Fills the list with all distinct legal moves.
#[inline(never)]
pub(crate) fn legal_moves<R: Rules>(rules: R, state: &State<R::Board>, list: &mut MoveList<R::Board>) {
    if can_capture(rules, state) {
        captures(rules, state, list);
    } else {
        list.clear();
        quiet_moves(rules, state, |step| list.steps.push(step));
    }
}

/// Returns the quiet move between two squares if the piece may make it, without a check for compulsory captures.
pub(super) fn quiet_move<R: Rules>(rules: R, state: &State<R::Board>, from: u8, to: u8) -> Option<Step<R::Board>> {
    let (start, end) = (WordOf::<R>::bit(from), WordOf::<R>::bit(to));
    if (start & state.own()).is_zero() || (end & state.empty()).is_zero() || game_is_over(rules, state) {
        return None;
    }
    (quiet_targets(rules, state, from) & end).any().then(|| quiet_step(state, from, to))
}

/// Returns the squares to which a piece may move without a capture.
#[inline(always)]
fn quiet_targets<R: Rules>(rules: R, state: &State<R::Board>, from: u8) -> WordOf<R> {
    let (start, empty, mut targets) = (WordOf::<R>::bit(from), state.empty(), WordOf::<R>::ZERO);
    if (start & state.kings).is_zero() {
        man_move_directions(rules.spec().man_moves, state.turn)
            .each(|direction| targets |= direction.shift::<R::Board>(start) & empty);
    } else if (start & state.barred_king(rules)).is_zero() {
        slide(rules, from, empty, |square| targets |= WordOf::<R>::bit(square));
    }
    targets
}

/// Returns the quiet move of a piece between two squares.
#[inline(always)]
fn quiet_step<G: Geometry>(state: &State<G>, from: u8, to: u8) -> Step<G> {
    let is_man = (G::Word::bit(from) & state.kings).is_zero();
    let promotes = is_man && (G::Word::bit(to) & State::<G>::promotion_row(state.turn)).any();
    Step { captured: G::Word::ZERO, from, to, promotes }
}

/// Visits the quiet moves by first and last square. That is slower than by direction, and faster than to sort them.
#[inline(always)]
pub(super) fn quiet_moves_in_order<R: Rules>(rules: R, state: &State<R::Board>, mut emit: impl FnMut(&Step<R::Board>)) {
    if game_is_over(rules, state) {
        return;
    }
    let (empty, mut movers) = (state.empty(), WordOf::<R>::ZERO);
    man_move_directions(rules.spec().man_moves, state.turn)
        .each(|direction| movers |= direction.opposite().shift::<R::Board>(empty));
    movers = movers & state.men(state.turn) | state.kings_of(state.turn);
    while movers.any() {
        let from = movers.lowest();
        let mut targets = quiet_targets(rules, state, from);
        while targets.any() {
            emit(&quiet_step(state, from, targets.lowest()));
            targets = targets.without_lowest();
        }
        movers = movers.without_lowest();
    }
}

/// Counts legal moves: distinct ones or, with `paths`, every capture path.
#[inline]
pub(super) fn count_moves<R: Rules>(
    rules: R,
    state: &State<R::Board>,
    paths: bool,
    list: &mut MoveList<R::Board>,
) -> u64 {
    if !can_capture(rules, state) {
        return count_quiet(rules, state);
    }
    // A capture of one piece has one path, so this count is the same with `paths`.
    let short = match state.turn {
        Side::White => count_single_jumps(rules, state, Side::White),
        Side::Black => count_single_jumps(rules, state, Side::Black),
    };
    if let Some(count) = short {
        return count;
    }
    each_capture(rules, state, paths, list, |_| {});
    list.steps.len() as u64
}

#[inline(always)]
pub(super) fn game_is_over<R: Rules>(rules: R, state: &State<R::Board>) -> bool {
    rules.spec().goal == Goal::FirstKing && state.kings.any()
}

#[inline(always)]
fn quiet_moves<R: Rules>(rules: R, state: &State<R::Board>, mut emit: impl FnMut(Step<R::Board>)) {
    if game_is_over(rules, state) {
        return;
    }
    match state.turn {
        Side::White => quiet_man_moves(rules, state, Side::White, &mut emit),
        Side::Black => quiet_man_moves(rules, state, Side::Black, &mut emit),
    }
    quiet_king_moves(rules, state, emit);
}

/// Visits the quiet moves of kings.
#[inline(always)]
pub(super) fn quiet_king_moves<R: Rules>(rules: R, state: &State<R::Board>, mut emit: impl FnMut(Step<R::Board>)) {
    let captured = WordOf::<R>::ZERO;
    let mut kings = state.kings_of(state.turn) & !state.barred_king(rules);
    while kings.any() {
        let from = kings.lowest();
        slide(rules, from, state.empty(), |to| emit(Step { captured, from, to, promotes: false }));
        kings = kings.without_lowest();
    }
}

#[inline(always)]
fn quiet_man_moves<R: Rules>(rules: R, state: &State<R::Board>, side: Side, emit: &mut impl FnMut(Step<R::Board>)) {
    let (men, empty, promotion_row) = (state.men(side), state.empty(), State::<R::Board>::promotion_row(side));
    man_move_directions(rules.spec().man_moves, side).each(
        #[inline(always)]
        |direction| {
            let mut targets = direction.shift::<R::Board>(men) & empty;
            while targets.any() {
                emit(man_step(direction, targets.lowest(), promotion_row));
                targets = targets.without_lowest();
            }
        },
    );
}

/// Returns the quiet move of a man in a direction to a square.
#[inline(always)]
pub(super) fn man_step<G: Geometry>(direction: Direction, to: u8, promotion_row: G::Word) -> Step<G> {
    let promotes = (promotion_row & G::Word::bit(to)).any();
    Step { captured: G::Word::ZERO, from: direction.origin::<G>(to), to, promotes }
}

#[inline(always)]
fn slide<R: Rules>(rules: R, from: u8, empty: WordOf<R>, mut emit: impl FnMut(u8)) {
    let spec = rules.spec();
    king_move_directions(spec.man_moves).each(
        #[inline(always)]
        |direction| {
            let mut to = direction.shift::<R::Board>(WordOf::<R>::bit(from)) & empty;
            while to.any() {
                emit(to.lowest());
                if spec.king_range == KingRange::Short {
                    break;
                }
                to = direction.shift::<R::Board>(to) & empty;
            }
        },
    );
}

/// Fills the list with the quiet moves other than promotions that can have led to a position. Whether a capture was
/// compulsory instead is not checked.
#[inline(never)]
pub(super) fn retreats<R: Rules>(rules: R, state: &State<R::Board>, list: &mut MoveList<R::Board>) {
    list.clear();
    let (mover, empty, captured) = (!state.turn, state.empty(), WordOf::<R>::ZERO);
    let mut push = |from, to| list.steps.push(Step { captured, from, to, promotes: false });
    // A man on its last row would have been promoted.
    let origins = empty & !State::<R::Board>::promotion_row(mover);
    man_move_directions(rules.spec().man_moves, mover).each(|direction| {
        let mut found = direction.opposite().shift::<R::Board>(state.men(mover)) & origins;
        while found.any() {
            let from = found.lowest();
            push(from, direction.opposite().origin::<R::Board>(from));
            found = found.without_lowest();
        }
    });
    let mut kings = state.kings_of(mover);
    while kings.any() {
        let to = kings.lowest();
        // Kings move in both directions of every line: the squares that lead here are those that can be reached.
        slide(rules, to, empty, |from| push(from, to));
        kings = kings.without_lowest();
    }
}

/// Returns true if the men of a side that cannot capture have at least two moves, without building a list.
#[inline(always)]
pub(super) fn has_two_quiet<R: Rules>(rules: R, state: &State<R::Board>) -> bool {
    !game_is_over(rules, state)
        && match state.turn {
            Side::White => has_two_man_moves(rules, state, Side::White),
            Side::Black => has_two_man_moves(rules, state, Side::Black),
        }
}

#[inline(always)]
fn has_two_man_moves<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> bool {
    let (men, empty, mut moves) = (state.men(side), state.empty(), 0);
    man_move_directions(rules.spec().man_moves, side).each(
        #[inline(always)]
        |direction| {
            let targets = direction.shift::<R::Board>(men) & empty;
            // Two moves are enough to know, and this takes no population count.
            moves += u32::from(targets.any()) + u32::from(targets.without_lowest().any());
        },
    );
    moves >= 2
}

/// Counts the moves of a side that cannot capture, without a list.
#[inline(always)]
pub(crate) fn count_quiet<R: Rules>(rules: R, state: &State<R::Board>) -> u64 {
    if game_is_over(rules, state) {
        return 0;
    }
    let spec = rules.spec();
    let mut count = match state.turn {
        Side::White => count_quiet_men(rules, state, Side::White),
        Side::Black => count_quiet_men(rules, state, Side::Black),
    };
    let kings = state.kings_of(state.turn) & !state.barred_king(rules);
    // Before the first king, which is most of a tree, no direction is tried.
    if kings.any() {
        king_move_directions(spec.man_moves).each(
            #[inline(always)]
            |direction| count += reach_count::<R::Board>(direction, spec.king_range, kings, state.empty()),
        );
    }
    u64::from(count)
}

/// Counts the quiet moves of the men of a side.
#[inline(always)]
fn count_quiet_men<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> u32 {
    let (men, empty) = (state.men(side), state.empty());
    let mut count = 0;
    man_move_directions(rules.spec().man_moves, side).each(
        #[inline(always)]
        |direction| count += (direction.shift::<R::Board>(men) & empty).count(),
    );
    count
}

/// Counts the squares that all kings reach in one direction, distance by distance: two kings never reach the same square at
/// the same distance.
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

/// The kind of moves available to a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mobility {
    /// A capture is possible and therefore compulsory.
    Captures,
    /// Only quiet moves are possible: this many, possibly zero.
    Quiet(u64),
}

/// Move generation for one variant.
pub(crate) trait Generator<G: Geometry>: Send + Sync {
    /// Returns the rules.
    fn spec(&self) -> &'static RuleSpec<'static>;
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
    /// Fills the list with the quiet moves after which the opponent can capture. The side to move must have no captures.
    #[cfg(feature = "engine")]
    fn offers(&self, state: &State<G>, list: &mut MoveList<G>);
}

/// Implements [`Generator`] for rules that are known at compile time.
pub(crate) struct Adapter<R>(pub(crate) R);

impl<R: Rules> Generator<R::Board> for Adapter<R> {
    fn spec(&self) -> &'static RuleSpec<'static> {
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

    #[cfg(feature = "engine")]
    fn offers(&self, state: &State<R::Board>, list: &mut MoveList<R::Board>) {
        offers(self.0, state, list);
    }
}
