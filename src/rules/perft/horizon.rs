//! Leaf counts of the last two plies.
//!
//! Most moves there are quiet moves of men that give the other side nothing to capture, or one piece. A move of the first
//! kind closes one square to the replies and opens another, so the replies to all such moves are counted together, and none
//! of them is played.

use super::super::capture::{depends_on_kings, goes_on_from, has_simple_jumps, man_jump_origins, men_victims};
use super::super::direction::{Direction, man_capture_directions, man_move_directions};
use super::super::generate::{MoveList, can_capture, count_moves, count_quiet_men, each_capture, game_is_over};
use super::super::generate::{quiet_king_moves, quiet_steps};
use super::super::spec::{Rules, WordOf};
use super::super::state::{State, Step};
use crate::board::{Side, Word};

/// Counts the leaves two plies below a position; with `paths` a capture counts once for each of its paths.
#[inline(never)]
pub(super) fn count_two_plies<R: Rules>(
    rules: R,
    state: &State<R::Board>,
    paths: bool,
    list: &mut MoveList<R::Board>,
    replies: &mut MoveList<R::Board>,
) -> u64 {
    let mut total = 0;
    let mut count = |step: &Step<R::Board>| {
        let next = state.play(rules, step).without_king_runs();
        total += count_moves(rules, &next, paths, replies);
    };
    if can_capture(rules, state) {
        each_capture(rules, state, paths, list, count);
        return total;
    }
    if game_is_over(rules, state) {
        return 0;
    }
    quiet_king_moves(rules, state, |step| count(&step));
    let together = match state.turn {
        Side::White => after_men(rules, state, Side::White, &mut count),
        Side::Black => after_men(rules, state, Side::Black, &mut count),
    };
    total + together
}

/// Counts the replies to quiet moves of men together; passes the moves for which that is not possible to `one`.
#[inline(always)]
fn after_men<R: Rules>(rules: R, state: &State<R::Board>, side: Side, one: &mut impl FnMut(&Step<R::Board>)) -> u64 {
    let (men, empty, promotion_row) = (state.men(side), state.empty(), State::<R::Board>::promotion_row(side));
    let exposure = Exposure::<R>::of(rules, state, side);
    let (mut silent, mut opened, mut closed, mut captures) = (0, 0, 0, 0);
    man_move_directions(rules.spec().man_moves, side).each(
        #[inline(always)]
        |direction| {
            let targets = direction.shift::<R::Board>(men) & empty;
            let (safe, lost) = exposure.of_targets(rules, direction, targets & !promotion_row, !side);
            silent += safe.count();
            captures += lost.count();
            man_move_directions(rules.spec().man_moves, !side).each(
                #[inline(always)]
                |reply| {
                    // In the reverse direction, no man could reach a square that was left or entered safely.
                    if reply != direction.opposite() {
                        let reached = reply.shift::<R::Board>(exposure.theirs);
                        opened += (direction.opposite().shift::<R::Board>(safe) & reached).count();
                        closed += (safe & reached).count();
                    }
                },
            );
            quiet_steps(direction, targets & !(safe | lost), promotion_row, |step| one(&step));
        },
    );
    u64::from(silent * count_quiet_men(rules, state, !side) + opened - closed + captures)
}

/// The captures open to the other side after a quiet move of a man.
struct Exposure<R: Rules> {
    /// The pieces of the other side.
    theirs: WordOf<R>,
    empty: WordOf<R>,
    /// Squares where a man that arrives can be captured.
    entered: WordOf<R>,
    /// The subset with possibly several captures, or a capture of several pieces.
    entered_many: WordOf<R>,
    /// Squares that allow the capture of another piece when a man leaves them.
    left: WordOf<R>,
    /// The subset with possibly several captures, or a capture of several pieces.
    left_many: WordOf<R>,
    /// Squares from which a capture may continue.
    goes_on: WordOf<R>,
}

impl<R: Rules> Exposure<R> {
    #[inline(always)]
    fn of(rules: R, state: &State<R::Board>, side: Side) -> Self {
        let (spec, them, empty, zero) = (rules.spec(), !side, state.empty(), WordOf::<R>::ZERO);
        let (theirs, victims) = (state.sides[them.index()], men_victims(spec, state, them));
        let origins = man_jump_origins(rules, state, them);
        let goes_on = goes_on_from(rules, origins, State::<R::Board>::promotion_row(them));
        let mut found = Self { theirs, empty, entered: zero, entered_many: zero, left: zero, left_many: zero, goes_on };
        man_capture_directions(spec.man_captures, them).each(
            #[inline(always)]
            |direction| {
                let (back, over) = (direction.opposite(), direction.shift::<R::Board>(theirs));
                let entered = over & back.shift::<R::Board>(empty);
                found.entered_many |= found.entered & entered | entered & back.shift::<R::Board>(goes_on);
                found.entered |= entered;
                let left = direction.shift::<R::Board>(over & victims);
                found.left_many |= found.left & left;
                found.left |= left;
            },
        );
        found.left_many |= found.left & goes_on;
        let by_kings = state.kings_of(them).any() || depends_on_kings(spec.precedence) && state.kings.any();
        // A king captures from afar, and a capture that was possible before does not result from the move: in these
        // cases nothing follows from the neighbours of a square, and every move is played.
        if by_kings || (origins & theirs).any() {
            found.entered = State::<R::Board>::board();
        }
        if by_kings || (origins & theirs).any() || !has_simple_jumps(spec) {
            found.entered_many = State::<R::Board>::board();
        }
        found
    }

    /// Among squares that men reach by a step in a direction, returns those after which `them` have nothing to capture,
    /// and those after which they have a single capture, of one piece.
    #[inline(always)]
    fn of_targets(&self, rules: R, direction: Direction, targets: WordOf<R>, them: Side) -> (WordOf<R>, WordOf<R>) {
        let (back, captures) = (direction.opposite(), man_capture_directions(rules.spec().man_captures, them));
        let left = direction.shift::<R::Board>(self.left);
        let mut many = self.entered_many | self.entered & left | direction.shift::<R::Board>(self.left_many);
        let mut any = self.entered | left;
        if captures.contains(direction) {
            // The capture of another piece that ends on the square just left may continue over the man.
            many |= left & back.shift::<R::Board>(self.empty);
        }
        if captures.contains(back) {
            // The man may be captured from the front, since the square that it left is empty.
            let front = back.shift::<R::Board>(self.theirs);
            many |= any & front | front & direction.shift::<R::Board>(self.goes_on);
            any |= front;
        }
        (targets & !any, targets & any & !many)
    }
}
