//! Captures: one walk over all paths of a piece, for every variant.
//!
//! First jumps of men are found for all men at once; only where a second jump is possible, which is rare, is a path
//! followed square by square.

use super::direction::{Direction, king_capture_directions, man_capture_directions};
use super::rank::{heeds_kings, rank_after, rank_at_start, single_jumps_are_outranked};
use super::spec::{Goal, KingLanding, KingRange, Precedence, Promotion, Removal, RuleSpec, Rules};
use super::state::{State, Step};
use crate::board::{Geometry, Side, Word};

/// Receives every complete path of a capture. Each has a rank: of all captures only those of the highest rank are legal.
pub(super) trait Sink<G: Geometry> {
    /// A complete capture.
    fn capture(&mut self, rank: u32, step: Step<G>);

    /// Captures of one piece each by men who jump in one direction, of which these are the last squares.
    #[inline(always)]
    fn single_jumps(&mut self, rank: u32, direction: Direction, mut lands: G::Word, promotion_row: G::Word) {
        while lands.any() {
            let step = single_jump(direction, lands.lowest(), promotion_row);
            self.enter(step.to, direction);
            self.capture(rank, step);
            self.leave();
            lands = lands.without_lowest();
        }
    }

    /// The piece lands on a square, on its way in a direction.
    #[inline(always)]
    fn enter(&mut self, _square: u8, _direction: Direction) {}

    /// The last landing is taken back.
    #[inline(always)]
    fn leave(&mut self) {}
}

/// Returns the capture of one piece by a man who lands on a square.
#[inline(always)]
pub(super) fn single_jump<G: Geometry>(direction: Direction, to: u8, promotion_row: G::Word) -> Step<G> {
    let victim = direction.origin::<G>(to);
    let promotes = (G::Word::bit(to) & promotion_row).any();
    Step { captured: G::Word::bit(victim), from: direction.origin::<G>(victim), to, promotes }
}

/// Lists every capture path of the side to move.
#[inline(always)]
pub(super) fn walk_captures<R: Rules, S: Sink<R::Board> + ?Sized>(rules: R, state: &State<R::Board>, sink: &mut S) {
    walk_captures_of(rules, state, State::<R::Board>::board(), sink);
}

/// Lists every capture path of the side to move that begins on one of the squares. This walk is compiled once for all
/// receivers whose speed matters less than the size of the program.
#[inline(never)]
pub(super) fn record_captures<R: Rules>(
    rules: R,
    state: &State<R::Board>,
    squares: <R::Board as Geometry>::Word,
    sink: &mut dyn Sink<R::Board>,
) {
    walk_captures_of(rules, state, squares, sink);
}

#[inline(always)]
fn walk_captures_of<R: Rules, S: Sink<R::Board> + ?Sized>(
    rules: R,
    state: &State<R::Board>,
    squares: <R::Board as Geometry>::Word,
    sink: &mut S,
) {
    match state.turn {
        Side::White => walk_side::<R, S, true>(rules, state, squares, sink),
        Side::Black => walk_side::<R, S, false>(rules, state, squares, sink),
    }
}

#[inline(always)]
fn walk_side<R: Rules, S: Sink<R::Board> + ?Sized, const WHITE: bool>(
    rules: R,
    state: &State<R::Board>,
    squares: <R::Board as Geometry>::Word,
    sink: &mut S,
) {
    if rules.spec().goal == Goal::FirstKing && state.kings.any() {
        return;
    }
    walk_men::<R, S, WHITE>(rules, state, state.men(side::<WHITE>()) & squares, sink);
    let mut kings = state.kings_of(side::<WHITE>()) & squares;
    while kings.any() {
        let mut walk = Walk::<R, S, WHITE>::new(rules, state, kings.lowest(), sink);
        let start = walk.start(true);
        walk.king(start);
        kings = kings.without_lowest();
    }
}

/// Squares whose captures must be known to tell which captures from one square are legal.
#[inline]
pub(super) fn rivals<R: Rules>(rules: R, state: &State<R::Board>, from: u8) -> <R::Board as Geometry>::Word {
    let square = <R::Board as Geometry>::Word::bit(from);
    match rules.spec().precedence {
        Precedence::Free => square,
        Precedence::WithKing => square | state.kings_of(state.turn),
        Precedence::Most | Precedence::MostThenKings | Precedence::Italian | Precedence::HighestValue => state.own(),
    }
}

/// The side that a constant stands for, so that directions are known when the program is compiled.
const fn side<const WHITE: bool>() -> Side {
    if WHITE { Side::White } else { Side::Black }
}

/// Squares from which a jump over one of the victims is possible in a direction.
#[inline(always)]
fn jump_origins<G: Geometry>(direction: Direction, victims: G::Word, empty: G::Word) -> G::Word {
    let back = direction.opposite();
    back.shift::<G>(back.shift::<G>(empty) & victims)
}

/// Squares from which a man could capture, whatever stands there now.
#[inline(always)]
fn man_jump_origins<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> <R::Board as Geometry>::Word {
    let (victims, empty) = (men_victims(rules.spec(), state, side), state.empty());
    let mut origins = <R::Board as Geometry>::Word::ZERO;
    man_capture_directions(rules.spec().man_captures, side).each(
        #[inline(always)]
        |direction| origins |= jump_origins::<R::Board>(direction, victims, empty),
    );
    origins
}

/// The pieces that men of a side may take.
#[inline(always)]
fn men_victims<G: Geometry>(spec: &RuleSpec, state: &State<G>, side: Side) -> G::Word {
    if spec.men_take_kings { state.sides[(!side).index()] } else { state.men(!side) }
}

/// Men of a side that can capture, found for all of them at once.
#[inline(always)]
pub(super) fn capturing_men<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> <R::Board as Geometry>::Word {
    man_jump_origins(rules, state, side) & state.men(side)
}

/// Whether some king of a side can capture.
#[inline(always)]
pub(super) fn kings_can_capture<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> bool {
    let spec = rules.spec();
    let kings = state.kings_of(side);
    if kings.is_zero() {
        return false;
    }
    let (theirs, empty) = (state.sides[(!side).index()], state.empty());
    let mut found = <R::Board as Geometry>::Word::ZERO;
    king_capture_directions(spec.man_captures).each(
        #[inline(always)]
        |direction| {
            let mut reach = direction.shift::<R::Board>(kings);
            while spec.king_range == KingRange::Flying && (reach & empty).any() {
                found |= direction.shift::<R::Board>(reach & theirs) & empty;
                reach = direction.shift::<R::Board>(reach & empty);
            }
            found |= direction.shift::<R::Board>(reach & theirs) & empty;
        },
    );
    found.any()
}

/// Lists the captures of men: those of one piece in bulk, the others path by path.
#[inline(always)]
fn walk_men<R: Rules, S: Sink<R::Board> + ?Sized, const WHITE: bool>(
    rules: R,
    state: &State<R::Board>,
    men: <R::Board as Geometry>::Word,
    sink: &mut S,
) {
    let spec = rules.spec();
    let origins = man_jump_origins(rules, state, side::<WHITE>());
    if (origins & men).is_zero() {
        return;
    }
    let promotion_row = State::<R::Board>::promotion_row(side::<WHITE>());
    let goes_on = goes_on_from(rules, origins, promotion_row);
    let (victims, empty) = (men_victims(spec, state, side::<WHITE>()), state.empty());
    let directions = man_capture_directions(spec.man_captures, side::<WHITE>());
    let over =
        |direction: Direction| direction.shift::<R::Board>(jump_origins::<R::Board>(direction, victims, empty) & men);
    let mut outranked = false;
    directions.each(
        #[inline(always)]
        |direction| {
            let mut lands = direction.shift::<R::Board>(over(direction)) & goes_on;
            outranked |= lands.any() && single_jumps_are_outranked(spec);
            while lands.any() {
                walk_on::<R, S, WHITE>(rules, state, direction, lands.lowest(), sink);
                lands = lands.without_lowest();
            }
        },
    );
    if outranked {
        return;
    }
    directions.each(
        #[inline(always)]
        |direction| {
            let over = over(direction);
            let lands = direction.shift::<R::Board>(over) & !goes_on;
            let over_kings = if heeds_kings(spec.precedence) {
                direction.shift::<R::Board>(over & state.kings)
            } else {
                <R::Board as Geometry>::Word::ZERO
            };
            single_jumps(rules, sink, direction, false, lands & !over_kings, promotion_row);
            single_jumps(rules, sink, direction, true, lands & over_kings, promotion_row);
        },
    );
}

/// Landing squares from which a man may go on, of the squares from which men can jump.
#[inline(always)]
fn goes_on_from<R: Rules>(
    rules: R,
    origins: <R::Board as Geometry>::Word,
    promotion_row: <R::Board as Geometry>::Word,
) -> <R::Board as Geometry>::Word {
    // A man does not jump back over the piece it has taken, because its own first square counts as occupied there; no
    // other second jump leads to that square.
    match rules.spec().promotion {
        Promotion::AtEnd => origins,
        Promotion::EndsMove => origins & !promotion_row,
        Promotion::GoesOnAsKing => origins | promotion_row,
    }
}

/// Counts captures where each is one jump of a man and none outranks another; `None` where paths must be followed.
#[inline(always)]
pub(super) fn count_single_jumps<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> Option<u64> {
    let spec = rules.spec();
    if state.kings_of(side).any() || heeds_kings(spec.precedence) && state.kings.any() {
        return None;
    }
    let goes_on = goes_on_from(rules, man_jump_origins(rules, state, side), State::<R::Board>::promotion_row(side));
    let (men, victims, empty) = (state.men(side), men_victims(spec, state, side), state.empty());
    let (mut lands, mut count) = (<R::Board as Geometry>::Word::ZERO, 0);
    man_capture_directions(spec.man_captures, side).each(
        #[inline(always)]
        |direction| {
            let able = jump_origins::<R::Board>(direction, victims, empty) & men;
            lands |= direction.shift::<R::Board>(direction.shift::<R::Board>(able));
            count += able.count();
        },
    );
    (lands & goes_on).is_zero().then_some(u64::from(count))
}

#[inline(always)]
fn single_jumps<R: Rules, S: Sink<R::Board> + ?Sized>(
    rules: R,
    sink: &mut S,
    direction: Direction,
    over_king: bool,
    lands: <R::Board as Geometry>::Word,
    promotion_row: <R::Board as Geometry>::Word,
) {
    if lands.any() {
        let precedence = rules.spec().precedence;
        sink.single_jumps(rank_after(precedence, 0, over_king), direction, lands, promotion_row);
    }
}

/// Lists the captures of a man that has jumped in a direction, to a square where it may go on.
fn walk_on<R: Rules, S: Sink<R::Board> + ?Sized, const WHITE: bool>(
    rules: R,
    state: &State<R::Board>,
    direction: Direction,
    to: u8,
    sink: &mut S,
) {
    let victim = direction.origin::<R::Board>(to);
    let mut walk = Walk::<R, S, WHITE>::new(rules, state, direction.origin::<R::Board>(victim), sink);
    let start = walk.start(false);
    walk.man_jumps(start, <R::Board as Geometry>::Word::bit(victim), <R::Board as Geometry>::Word::bit(to), direction);
}

/// The walk of one piece.
struct Walk<'a, R: Rules, S: ?Sized, const WHITE: bool> {
    rules: R,
    theirs: <R::Board as Geometry>::Word,
    their_kings: <R::Board as Geometry>::Word,
    empty: <R::Board as Geometry>::Word,
    from: u8,
    promoted: bool,
    sink: &'a mut S,
}

/// Where the walk stands and what is left to take.
#[derive(Clone, Copy)]
struct Place<G: Geometry> {
    at: G::Word,
    theirs: G::Word,
    rank: u32,
    came: Option<Direction>,
}

impl<'a, R: Rules, S: Sink<R::Board> + ?Sized, const WHITE: bool> Walk<'a, R, S, WHITE> {
    #[inline(always)]
    fn new(rules: R, state: &State<R::Board>, from: u8, sink: &'a mut S) -> Self {
        let them = !side::<WHITE>();
        Self {
            rules,
            theirs: state.sides[them.index()],
            their_kings: state.kings_of(them),
            empty: state.empty() | <R::Board as Geometry>::Word::bit(from),
            from,
            promoted: false,
            sink,
        }
    }

    #[inline(always)]
    fn start(&self, by_king: bool) -> Place<R::Board> {
        let rank = rank_at_start(self.rules.spec().precedence, by_king);
        Place { at: <R::Board as Geometry>::Word::bit(self.from), theirs: self.theirs, rank, came: None }
    }

    /// Follows all captures of a man; returns whether there was one.
    fn man(&mut self, place: Place<R::Board>) -> bool {
        let spec = self.rules.spec();
        let victims = if spec.men_take_kings { place.theirs } else { place.theirs & !self.their_kings };
        let mut found = false;
        man_capture_directions(spec.man_captures, side::<WHITE>()).each(
            #[inline(always)]
            |direction| {
                let victim = direction.shift::<R::Board>(place.at) & victims;
                let land = direction.shift::<R::Board>(victim) & self.empty_at(place);
                if land.any() && !self.turns_back(place, direction) {
                    found = true;
                    self.man_jumps(place, victim, land, direction);
                }
            },
        );
        found
    }

    #[inline(always)]
    fn man_jumps(
        &mut self,
        place: Place<R::Board>,
        victim: <R::Board as Geometry>::Word,
        land: <R::Board as Geometry>::Word,
        direction: Direction,
    ) {
        let next = self.jump(place, victim, land, direction);
        self.sink.enter(land.lowest(), direction);
        self.man_landed(next);
        self.sink.leave();
    }

    #[inline(always)]
    fn man_landed(&mut self, next: Place<R::Board>) {
        let on_last_row = (next.at & State::<R::Board>::promotion_row(side::<WHITE>())).any();
        let goes_on = match self.rules.spec().promotion {
            Promotion::GoesOnAsKing if on_last_row => return self.promoted(next),
            Promotion::EndsMove if on_last_row => false,
            Promotion::AtEnd | Promotion::EndsMove | Promotion::GoesOnAsKing => self.man(next),
        };
        if !goes_on {
            self.finish(next, on_last_row);
        }
    }

    fn promoted(&mut self, next: Place<R::Board>) {
        self.promoted = true;
        if !self.king(next) {
            self.finish(next, true);
        }
        self.promoted = false;
    }

    /// Follows all captures of a king; returns whether there was one.
    fn king(&mut self, place: Place<R::Board>) -> bool {
        let mut found = false;
        king_capture_directions(self.rules.spec().man_captures).each(
            #[inline(always)]
            |direction| found |= !self.turns_back(place, direction) && self.king_towards(place, direction),
        );
        found
    }

    /// Follows the captures of a king that begin in one direction.
    #[inline(always)]
    fn king_towards(&mut self, place: Place<R::Board>, direction: Direction) -> bool {
        let spec = self.rules.spec();
        let mut reach = direction.shift::<R::Board>(place.at);
        if spec.king_range == KingRange::Flying {
            while (reach & self.empty_at(place)).any() {
                reach = direction.shift::<R::Board>(reach);
            }
        }
        let victim = reach & place.theirs;
        let first = direction.shift::<R::Board>(victim) & self.empty_at(place);
        if first.is_zero() {
            return false;
        }
        let goes_on = self.king_goes_on(place, victim, first, direction);
        if !goes_on {
            self.king_stops(place, victim, first, direction);
        }
        true
    }

    /// Continues from every landing square behind a victim; returns whether some capture goes on.
    fn king_goes_on(
        &mut self,
        place: Place<R::Board>,
        victim: <R::Board as Geometry>::Word,
        first: <R::Board as Geometry>::Word,
        direction: Direction,
    ) -> bool {
        let mut goes_on = false;
        let mut land = first;
        while land.any() {
            let next = self.jump(place, victim, land, direction);
            self.sink.enter(land.lowest(), direction);
            king_capture_directions(self.rules.spec().man_captures).each(
                #[inline(always)]
                |turn| {
                    // Straight on the same next piece is met from every landing square.
                    let again = turn == direction && land != first;
                    goes_on |= !again && !self.turns_back(next, turn) && self.king_towards(next, turn);
                },
            );
            self.sink.leave();
            land = self.next_landing(land, direction, self.empty_at(next));
        }
        goes_on
    }

    /// Ends the capture on every square allowed behind the last victim.
    fn king_stops(
        &mut self,
        place: Place<R::Board>,
        victim: <R::Board as Geometry>::Word,
        first: <R::Board as Geometry>::Word,
        direction: Direction,
    ) {
        let close =
            self.rules.spec().king_landing == KingLanding::DirectlyBehindKing && (victim & self.their_kings).any();
        let mut land = first;
        while land.any() {
            let next = self.jump(place, victim, land, direction);
            self.sink.enter(land.lowest(), direction);
            self.finish(next, self.promoted);
            self.sink.leave();
            if close {
                break;
            }
            land = self.next_landing(land, direction, self.empty_at(next));
        }
    }

    #[inline(always)]
    fn next_landing(
        &self,
        land: <R::Board as Geometry>::Word,
        direction: Direction,
        empty: <R::Board as Geometry>::Word,
    ) -> <R::Board as Geometry>::Word {
        let spec = self.rules.spec();
        if spec.king_range == KingRange::Short || spec.king_landing == KingLanding::DirectlyBehind {
            <R::Board as Geometry>::Word::ZERO
        } else {
            direction.shift::<R::Board>(land) & empty
        }
    }

    #[inline(always)]
    fn turns_back(&self, place: Place<R::Board>, direction: Direction) -> bool {
        !self.rules.spec().may_turn_back && place.came == Some(direction.opposite())
    }

    /// Squares that are empty now.
    #[inline(always)]
    fn empty_at(&self, place: Place<R::Board>) -> <R::Board as Geometry>::Word {
        match self.rules.spec().removal {
            Removal::AfterMove => self.empty,
            Removal::AtOnce => self.empty | self.theirs & !place.theirs,
        }
    }

    /// Returns the place after a jump.
    #[inline(always)]
    fn jump(
        &self,
        place: Place<R::Board>,
        victim: <R::Board as Geometry>::Word,
        land: <R::Board as Geometry>::Word,
        direction: Direction,
    ) -> Place<R::Board> {
        let precedence = self.rules.spec().precedence;
        let takes_king = heeds_kings(precedence) && (victim & self.their_kings).any();
        let rank = rank_after(precedence, place.rank, takes_king);
        Place { at: land, theirs: place.theirs & !victim, rank, came: Some(direction) }
    }

    #[inline(always)]
    fn finish(&mut self, place: Place<R::Board>, promotes: bool) {
        let captured = self.theirs & !place.theirs;
        self.sink.capture(place.rank, Step { captured, from: self.from, to: place.at.lowest(), promotes });
    }
}
