//! Captures: one walk over all paths of a piece, for every variant.
//!
//! First jumps of men are found for all men at once. A path is followed square by square only where a second jump is
//! possible, which is rare.

use super::direction::{Direction, king_capture_directions, man_capture_directions};
use super::spec::{Goal, KingLanding, KingRange, Precedence, Promotion, Removal, RuleSpec, Rules, WordOf};
use super::state::{State, Step};
use crate::board::{Geometry, Side, Word};

/// Receives every complete path of a capture with its rank. Only the captures of the highest rank are legal.
pub(super) trait Sink<G: Geometry> {
    /// Receives a complete capture.
    fn capture(&mut self, rank: u32, step: Step<G>);

    /// Receives captures of one piece each, by men that jump in the same direction and land on `lands`.
    #[inline(always)]
    fn single_jumps(&mut self, rank: u32, direction: Direction, mut lands: G::Word, promotion_row: G::Word) {
        while lands.any() {
            let to = lands.lowest();
            let victim = direction.origin::<G>(to);
            let promotes = (G::Word::bit(to) & promotion_row).any();
            let step = Step { captured: G::Word::bit(victim), from: direction.origin::<G>(victim), to, promotes };
            self.enter(to, direction);
            self.capture(rank, step);
            self.leave();
            lands = lands.without_lowest();
        }
    }

    /// The piece lands on a square after a jump in a direction.
    #[inline(always)]
    fn enter(&mut self, _square: u8, _direction: Direction) {}

    /// Takes back the last landing.
    #[inline(always)]
    fn leave(&mut self) {}
}

/// Lists every capture path of the side to move.
#[inline(always)]
pub(super) fn walk_captures<R: Rules, S: Sink<R::Board> + ?Sized>(rules: R, state: &State<R::Board>, sink: &mut S) {
    walk_captures_of(rules, state, State::<R::Board>::board(), sink);
}

/// Lists every capture path of the side to move that begins on one of the squares. Compiled once for all receivers, for
/// which the size of the program matters more than speed.
#[inline(never)]
pub(super) fn record_captures<R: Rules>(
    rules: R,
    state: &State<R::Board>,
    squares: WordOf<R>,
    sink: &mut dyn Sink<R::Board>,
) {
    walk_captures_of(rules, state, squares, sink);
}

#[inline(always)]
fn walk_captures_of<R: Rules, S: Sink<R::Board> + ?Sized>(
    rules: R,
    state: &State<R::Board>,
    squares: WordOf<R>,
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
    squares: WordOf<R>,
    sink: &mut S,
) {
    // The first king has ended the game.
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

/// Returns the squares whose captures determine which captures from one square are legal.
#[inline]
pub(super) fn rivals<R: Rules>(rules: R, state: &State<R::Board>, from: u8) -> WordOf<R> {
    let square = WordOf::<R>::bit(from);
    match rules.spec().precedence {
        Precedence::Free => square,
        // A capture by a king makes those by men illegal; men do not compete with each other.
        Precedence::WithKing => square | state.kings_of(state.turn),
        Precedence::Most | Precedence::MostThenKings | Precedence::Italian | Precedence::HighestValue => state.own(),
    }
}

/// Returns the side that a constant denotes, so that directions are known at compile time.
const fn side<const WHITE: bool>() -> Side {
    if WHITE { Side::White } else { Side::Black }
}

/// Returns the squares from which a jump over one of the victims is possible in a direction.
#[inline(always)]
fn jump_origins<G: Geometry>(direction: Direction, victims: G::Word, empty: G::Word) -> G::Word {
    let back = direction.opposite();
    back.shift::<G>(back.shift::<G>(empty) & victims)
}

/// Returns the squares from which a man could capture, whether a man is there or not.
#[inline(always)]
fn man_jump_origins<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> WordOf<R> {
    let (victims, empty) = (men_victims(rules.spec(), state, side), state.empty());
    let mut origins = WordOf::<R>::ZERO;
    man_capture_directions(rules.spec().man_captures, side).each(
        #[inline(always)]
        |direction| origins |= jump_origins::<R::Board>(direction, victims, empty),
    );
    origins
}

/// Returns the pieces that men of a side may capture.
#[inline(always)]
pub(super) fn men_victims<G: Geometry>(spec: &RuleSpec<'_>, state: &State<G>, side: Side) -> G::Word {
    if spec.men_take_kings { state.sides[(!side).index()] } else { state.men(!side) }
}

/// Returns the men of a side that can capture, found for all of them at once.
#[inline(always)]
pub(super) fn capturing_men<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> WordOf<R> {
    man_jump_origins(rules, state, side) & state.men(side)
}

/// Returns true if a king of a side can capture.
#[inline(always)]
pub(super) fn kings_can_capture<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> bool {
    let spec = rules.spec();
    let kings = state.kings_of(side);
    if kings.is_zero() {
        return false;
    }
    let (theirs, empty) = (state.sides[(!side).index()], state.empty());
    let mut found = WordOf::<R>::ZERO;
    king_capture_directions(spec.man_captures).each(
        #[inline(always)]
        |direction| {
            // All kings slide at once, one square per iteration; those that meet a piece or the edge drop out of
            // `reach`.
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
    men: WordOf<R>,
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
    // Captures that may continue come first: where the number of pieces counts, a single one makes all single jumps
    // illegal, so their list is never begun.
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
            let over_kings = if depends_on_kings(spec.precedence) {
                direction.shift::<R::Board>(over & state.kings)
            } else {
                WordOf::<R>::ZERO
            };
            // All jumps of a batch have the same rank.
            let (over_men, over_kings) = (lands & !over_kings, lands & over_kings);
            if over_men.any() {
                sink.single_jumps(rank_after(spec.precedence, 0, false), direction, over_men, promotion_row);
            }
            if over_kings.any() {
                sink.single_jumps(rank_after(spec.precedence, 0, true), direction, over_kings, promotion_row);
            }
        },
    );
}

/// Returns the landing squares from which a man may continue, given the squares from which men can jump.
#[inline(always)]
fn goes_on_from<R: Rules>(rules: R, origins: WordOf<R>, promotion_row: WordOf<R>) -> WordOf<R> {
    // A man does not jump back over the piece it has captured, because its first square still counts as occupied; no other
    // second jump leads to that square.
    match rules.spec().promotion {
        Promotion::AtEnd => origins,
        Promotion::EndsMove => origins & !promotion_row,
        Promotion::GoesOnAsKing => origins | promotion_row,
    }
}

/// Counts captures by men of one piece each, if there are no others; `None` if paths must be followed. Nearly all positions
/// with captures at the leaves of a tree are of this kind.
#[inline(always)]
pub(super) fn count_single_jumps<R: Rules>(rules: R, state: &State<R::Board>, side: Side) -> Option<u64> {
    let spec = rules.spec();
    // Where kings matter, jumps of one piece can differ in rank, and flying kings have several landing squares.
    if state.kings_of(side).any() || depends_on_kings(spec.precedence) && state.kings.any() {
        return None;
    }
    let goes_on = goes_on_from(rules, man_jump_origins(rules, state, side), State::<R::Board>::promotion_row(side));
    let (men, victims, empty) = (state.men(side), men_victims(spec, state, side), state.empty());
    let (mut lands, mut count) = (WordOf::<R>::ZERO, 0);
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

/// Lists the captures of a man after its first jump, to a square from which it may continue.
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
    walk.man_jumps(start, WordOf::<R>::bit(victim), WordOf::<R>::bit(to), direction);
}

/// The walk over all captures of one piece.
struct Walk<'a, R: Rules, S: ?Sized, const WHITE: bool> {
    rules: R,
    theirs: WordOf<R>,
    their_kings: WordOf<R>,
    empty: WordOf<R>,
    from: u8,
    promoted: bool,
    sink: &'a mut S,
}

/// The state of a walk: the current square and the pieces left to capture.
#[derive(Clone, Copy)]
struct Progress<G: Geometry> {
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
            // The piece may come back to the square that it left.
            empty: state.empty() | WordOf::<R>::bit(from),
            from,
            promoted: false,
            sink,
        }
    }

    #[inline(always)]
    fn start(&self, by_king: bool) -> Progress<R::Board> {
        let rank = rank_at_start(self.rules.spec().precedence, by_king);
        Progress { at: WordOf::<R>::bit(self.from), theirs: self.theirs, rank, came: None }
    }

    /// Follows all captures of a man; returns true if there was one.
    fn man(&mut self, now: Progress<R::Board>) -> bool {
        let spec = self.rules.spec();
        // `theirs` has lost the pieces captured so far: no piece is jumped twice, even where it stays on the board.
        let victims = if spec.men_take_kings { now.theirs } else { now.theirs & !self.their_kings };
        let mut found = false;
        man_capture_directions(spec.man_captures, side::<WHITE>()).each(
            #[inline(always)]
            |direction| {
                let victim = direction.shift::<R::Board>(now.at) & victims;
                let land = direction.shift::<R::Board>(victim) & self.empty_at(now);
                if land.any() && !self.turns_back(now, direction) {
                    found = true;
                    self.man_jumps(now, victim, land, direction);
                }
            },
        );
        found
    }

    #[inline(always)]
    fn man_jumps(&mut self, now: Progress<R::Board>, victim: WordOf<R>, land: WordOf<R>, direction: Direction) {
        let next = self.jump(now, victim, land, direction);
        self.sink.enter(land.lowest(), direction);
        self.man_landed(next);
        self.sink.leave();
    }

    #[inline(always)]
    fn man_landed(&mut self, next: Progress<R::Board>) {
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

    fn promoted(&mut self, next: Progress<R::Board>) {
        self.promoted = true;
        if !self.king(next) {
            self.finish(next, true);
        }
        self.promoted = false;
    }

    /// Follows all captures of a king; returns true if there was one.
    fn king(&mut self, now: Progress<R::Board>) -> bool {
        let mut found = false;
        king_capture_directions(self.rules.spec().man_captures).each(
            #[inline(always)]
            |direction| found |= !self.turns_back(now, direction) && self.king_towards(now, direction),
        );
        found
    }

    /// Follows the captures of a king that begin in one direction.
    #[inline(always)]
    fn king_towards(&mut self, now: Progress<R::Board>, direction: Direction) -> bool {
        let spec = self.rules.spec();
        let mut reach = direction.shift::<R::Board>(now.at);
        if spec.king_range == KingRange::Flying {
            while (reach & self.empty_at(now)).any() {
                reach = direction.shift::<R::Board>(reach);
            }
        }
        let victim = reach & now.theirs;
        let first = direction.shift::<R::Board>(victim) & self.empty_at(now);
        if first.is_zero() {
            return false;
        }
        let goes_on = self.king_goes_on(now, victim, first, direction);
        if !goes_on {
            self.king_stops(now, victim, first, direction);
        }
        true
    }

    /// Continues from every landing square behind a victim; returns true if a capture continues.
    fn king_goes_on(
        &mut self,
        now: Progress<R::Board>,
        victim: WordOf<R>,
        first: WordOf<R>,
        direction: Direction,
    ) -> bool {
        let mut goes_on = false;
        let mut land = first;
        while land.any() {
            let next = self.jump(now, victim, land, direction);
            self.sink.enter(land.lowest(), direction);
            king_capture_directions(self.rules.spec().man_captures).each(
                #[inline(always)]
                |turn| {
                    // Straight ahead, every landing square leads to the same next piece.
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
    fn king_stops(&mut self, now: Progress<R::Board>, victim: WordOf<R>, first: WordOf<R>, direction: Direction) {
        let close =
            self.rules.spec().king_landing == KingLanding::DirectlyBehindKing && (victim & self.their_kings).any();
        let mut land = first;
        while land.any() {
            let next = self.jump(now, victim, land, direction);
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
    fn next_landing(&self, land: WordOf<R>, direction: Direction, empty: WordOf<R>) -> WordOf<R> {
        let spec = self.rules.spec();
        if spec.king_range == KingRange::Short || spec.king_landing == KingLanding::DirectlyBehind {
            WordOf::<R>::ZERO
        } else {
            direction.shift::<R::Board>(land) & empty
        }
    }

    #[inline(always)]
    fn turns_back(&self, now: Progress<R::Board>, direction: Direction) -> bool {
        !self.rules.spec().may_turn_back && now.came == Some(direction.opposite())
    }

    /// Returns the squares that are empty at this point.
    #[inline(always)]
    fn empty_at(&self, now: Progress<R::Board>) -> WordOf<R> {
        match self.rules.spec().removal {
            // Pieces already captured still block the way.
            Removal::AfterMove => self.empty,
            Removal::AtOnce => self.empty | self.theirs & !now.theirs,
        }
    }

    /// Returns the state after a jump.
    #[inline(always)]
    fn jump(
        &self,
        now: Progress<R::Board>,
        victim: WordOf<R>,
        land: WordOf<R>,
        direction: Direction,
    ) -> Progress<R::Board> {
        let precedence = self.rules.spec().precedence;
        let takes_king = depends_on_kings(precedence) && (victim & self.their_kings).any();
        let rank = rank_after(precedence, now.rank, takes_king);
        Progress { at: land, theirs: now.theirs & !victim, rank, came: Some(direction) }
    }

    #[inline(always)]
    fn finish(&mut self, now: Progress<R::Board>, promotes: bool) {
        let captured = self.theirs & !now.theirs;
        self.sink.capture(now.rank, Step { captured, from: self.from, to: now.at.lowest(), promotes });
    }
}

/// Returns the rank of a capture before its first jump.
#[inline(always)]
pub(super) const fn rank_at_start(precedence: Precedence, by_king: bool) -> u32 {
    match precedence {
        Precedence::Free | Precedence::Most | Precedence::MostThenKings => 0,
        // Above the number of kings, below the number of pieces: see `rank_after`.
        Precedence::Italian => (by_king as u32) << 16,
        Precedence::HighestValue | Precedence::WithKing => by_king as u32,
    }
}

/// Returns the rank of a capture after one more piece is taken.
#[inline(always)]
pub(super) const fn rank_after(precedence: Precedence, rank: u32, takes_king: bool) -> u32 {
    let king = takes_king as u32;
    match precedence {
        Precedence::Free | Precedence::WithKing => rank,
        Precedence::Most => rank + 1,
        // Kings fill the low eight bits: no capture takes 256.
        Precedence::MostThenKings => rank + (1 << 8) + king,
        // From the high bits down: number of pieces, capture by a king, number of kings, how early the first king is
        // taken.
        Precedence::Italian => {
            let (pieces, kings) = (rank >> 24, rank >> 8 & 0xFF);
            let earliness = if takes_king && kings == 0 { 63 - pieces } else { 0 };
            rank + (1 << 24) + (king << 8) + earliness
        }
        // A man counts 100, a king 199; the lowest bit is set if a king captures.
        Precedence::HighestValue => rank + 2 * (100 + 99 * king),
    }
}

/// Returns true if the rank depends on whether a captured piece is a king.
pub(super) const fn depends_on_kings(precedence: Precedence) -> bool {
    matches!(precedence, Precedence::MostThenKings | Precedence::Italian | Precedence::HighestValue)
}

/// Returns true if a capture that can continue makes captures of one piece illegal. A new king that may continue may find
/// nothing more to capture.
pub(super) const fn single_jumps_are_outranked(spec: &RuleSpec<'_>) -> bool {
    !matches!(spec.precedence, Precedence::Free | Precedence::WithKing)
        && !matches!(spec.promotion, Promotion::GoesOnAsKing)
}
