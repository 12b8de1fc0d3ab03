//! Captures: one walk over all paths of a piece, for every variant.

use super::spec::{Goal, KingLanding, KingRange, ManCaptures, ManMoves, Precedence, Promotion, Removal, Rules};
use super::state::{State, Step};
use crate::board::{Geometry, Side, Word};

/// One of the eight directions, as White sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    UpLeft,
    UpRight,
    DownLeft,
    DownRight,
    Up,
    Down,
    Left,
    Right,
}

use Direction::{Down, DownLeft, DownRight, Left, Right, Up, UpLeft, UpRight};

impl Direction {
    /// Bits from a square to the next one in this direction. Straight lines on a board of dark squares skip a row or a
    /// column: the next dark square.
    #[inline(always)]
    const fn delta<G: Geometry>(self) -> i32 {
        let down = G::DOWN as i32;
        let full = G::SHAPE.every_square();
        match self {
            UpLeft => -down - 1,
            UpRight => -down,
            DownLeft => down,
            DownRight => down + 1,
            Up => {
                if full {
                    -down
                } else {
                    -2 * down - 1
                }
            }
            Down => {
                if full {
                    down
                } else {
                    2 * down + 1
                }
            }
            Left => -1,
            Right => 1,
        }
    }

    /// Moves all squares of a set one step; what leaves the board must be masked away.
    #[inline(always)]
    pub(super) fn shift<G: Geometry>(self, squares: G::Word) -> G::Word {
        let delta = const {
            [
                UpLeft.delta::<G>(),
                UpRight.delta::<G>(),
                DownLeft.delta::<G>(),
                DownRight.delta::<G>(),
                Up.delta::<G>(),
                Down.delta::<G>(),
                Left.delta::<G>(),
                Right.delta::<G>(),
            ]
        }[self as usize];
        if delta > 0 { squares << delta as u32 } else { squares >> -delta as u32 }
    }

    /// Returns the square one step back from a square that [`Direction::shift`] reached.
    #[inline(always)]
    pub(super) fn origin<G: Geometry>(self, to: u8) -> u8 {
        (i32::from(to) - self.delta::<G>()) as u8
    }

    const fn opposite(self) -> Self {
        match self {
            UpLeft => DownRight,
            UpRight => DownLeft,
            DownLeft => UpRight,
            DownRight => UpLeft,
            Up => Down,
            Down => Up,
            Left => Right,
            Right => Left,
        }
    }
}

const DIAGONALS: &[Direction] = &[UpLeft, UpRight, DownLeft, DownRight];
const STRAIGHTS: &[Direction] = &[Up, Left, Right, Down];
const EIGHT: &[Direction] = &[UpLeft, UpRight, DownLeft, DownRight, Up, Down, Left, Right];

#[inline(always)]
const fn diagonally_forward(side: Side) -> &'static [Direction] {
    match side {
        Side::White => &[UpLeft, UpRight],
        Side::Black => &[DownLeft, DownRight],
    }
}

#[inline(always)]
const fn forward_and_sideways(side: Side) -> &'static [Direction] {
    match side {
        Side::White => &[Up, Left, Right],
        Side::Black => &[Down, Left, Right],
    }
}

#[inline(always)]
pub(super) const fn man_move_directions(moves: ManMoves, side: Side) -> &'static [Direction] {
    match moves {
        ManMoves::DiagonallyForward => diagonally_forward(side),
        ManMoves::ForwardAndSideways => forward_and_sideways(side),
    }
}

#[inline(always)]
pub(super) const fn man_capture_directions(captures: ManCaptures, side: Side) -> &'static [Direction] {
    match captures {
        ManCaptures::DiagonallyForward => diagonally_forward(side),
        ManCaptures::Diagonally => DIAGONALS,
        ManCaptures::EightWays => EIGHT,
        ManCaptures::ForwardAndSideways => forward_and_sideways(side),
    }
}

#[inline(always)]
pub(super) const fn king_move_directions(moves: ManMoves) -> &'static [Direction] {
    match moves {
        ManMoves::DiagonallyForward => DIAGONALS,
        ManMoves::ForwardAndSideways => STRAIGHTS,
    }
}

#[inline(always)]
pub(super) const fn king_capture_directions(captures: ManCaptures) -> &'static [Direction] {
    match captures {
        ManCaptures::DiagonallyForward | ManCaptures::Diagonally => DIAGONALS,
        ManCaptures::EightWays => EIGHT,
        ManCaptures::ForwardAndSideways => STRAIGHTS,
    }
}

/// Receives every complete path of a capture.
pub(super) trait Sink<G: Geometry> {
    /// A complete capture with its rank: of all captures only those of the highest rank are legal.
    fn capture(&mut self, rank: u32, step: Step<G>);
    /// The piece lands on a square, on its way in a direction.
    #[inline(always)]
    fn enter(&mut self, _square: u8, _direction: Direction) {}
    /// The last landing is taken back.
    #[inline(always)]
    fn leave(&mut self) {}
}

/// What a path has taken so far.
#[derive(Clone, Copy)]
struct Taken<G: Geometry> {
    squares: G::Word,
    pieces: u32,
    kings: u32,
    /// Place of the first king taken, from 0; [`NO_KING`] if there is none.
    first_king: u32,
}

const NO_KING: u32 = 63;

impl<G: Geometry> Taken<G> {
    const NOTHING: Self = Self { squares: G::Word::ZERO, pieces: 0, kings: 0, first_king: NO_KING };
}

/// The walk of one piece.
struct Walk<'a, R: Rules, S> {
    rules: R,
    their_kings: <R::Board as Geometry>::Word,
    promotion_row: <R::Board as Geometry>::Word,
    side: Side,
    from: u8,
    by_king: bool,
    promoted: bool,
    sink: &'a mut S,
}

/// Where the walk stands: what is left to take and what is empty.
#[derive(Clone, Copy)]
struct Place<G: Geometry> {
    at: G::Word,
    theirs: G::Word,
    empty: G::Word,
    taken: Taken<G>,
    came: Option<Direction>,
}

/// Lists every capture path of the side to move.
#[inline(always)]
pub(super) fn walk_captures<R: Rules, S: Sink<R::Board>>(rules: R, state: &State<R::Board>, sink: &mut S) {
    if rules.spec().goal == Goal::FirstKing && state.kings.any() {
        return;
    }
    let mut men = capturing_men(rules, state);
    while men.any() {
        walk_piece(rules, state, men.lowest(), false, sink);
        men = men.without_lowest();
    }
    let mut kings = state.kings_of(state.turn);
    while kings.any() {
        walk_piece(rules, state, kings.lowest(), true, sink);
        kings = kings.without_lowest();
    }
}

/// Lists every capture path of one piece.
#[inline(always)]
fn walk_piece<R: Rules, S: Sink<R::Board>>(rules: R, state: &State<R::Board>, from: u8, by_king: bool, sink: &mut S) {
    let at = <R::Board as Geometry>::Word::bit(from);
    let place = Place { at, theirs: state.theirs(), empty: state.empty() | at, taken: Taken::NOTHING, came: None };
    let their_kings = state.kings_of(!state.turn);
    let promotion_row = State::<R::Board>::promotion_row(state.turn);
    let mut walk = Walk { rules, their_kings, promotion_row, side: state.turn, from, by_king, promoted: false, sink };
    if by_king {
        walk.king(place)
    } else {
        walk.man(place)
    };
}

/// Men of the side to move that can capture, found for all of them at once.
#[inline(always)]
pub(super) fn capturing_men<R: Rules>(rules: R, state: &State<R::Board>) -> <R::Board as Geometry>::Word {
    let spec = rules.spec();
    let (men, empty) = (state.men(state.turn), state.empty());
    let mut victims = state.theirs();
    if !spec.men_take_kings {
        victims &= !state.kings;
    }
    let mut able = <R::Board as Geometry>::Word::ZERO;
    for &direction in man_capture_directions(spec.man_captures, state.turn) {
        let back = direction.opposite();
        let jumpable = back.shift::<R::Board>(empty) & victims;
        able |= back.shift::<R::Board>(jumpable) & men;
    }
    able
}

/// Whether some king of the side to move can capture.
#[inline(always)]
pub(super) fn kings_can_capture<R: Rules>(rules: R, state: &State<R::Board>) -> bool {
    let spec = rules.spec();
    let kings = state.kings_of(state.turn);
    if kings.is_zero() {
        return false;
    }
    let (theirs, empty) = (state.theirs(), state.empty());
    for &direction in king_capture_directions(spec.man_captures) {
        let mut reach = direction.shift::<R::Board>(kings);
        loop {
            if (direction.shift::<R::Board>(reach & theirs) & empty).any() {
                return true;
            }
            reach &= empty;
            if spec.king_range == KingRange::Short || reach.is_zero() {
                break;
            }
            reach = direction.shift::<R::Board>(reach);
        }
    }
    false
}

impl<R: Rules, S: Sink<R::Board>> Walk<'_, R, S> {
    /// Follows all captures of a man; returns whether there was one.
    fn man(&mut self, place: Place<R::Board>) -> bool {
        let spec = self.rules.spec();
        let mut found = false;
        for &direction in man_capture_directions(spec.man_captures, self.side) {
            if self.turns_back(place, direction) {
                continue;
            }
            let mut victim = direction.shift::<R::Board>(place.at) & place.theirs;
            if !spec.men_take_kings {
                victim &= !self.their_kings;
            }
            let land = direction.shift::<R::Board>(victim) & place.empty;
            if land.is_zero() {
                continue;
            }
            found = true;
            let next = self.jump(place, victim, land, direction);
            self.sink.enter(land.lowest(), direction);
            self.man_landed(next);
            self.sink.leave();
        }
        found
    }

    #[inline(always)]
    fn man_landed(&mut self, next: Place<R::Board>) {
        let on_last_row = (next.at & self.promotion_row).any();
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
        for &direction in king_capture_directions(self.rules.spec().man_captures) {
            if !self.turns_back(place, direction) {
                found |= self.king_towards(place, direction);
            }
        }
        found
    }

    /// Follows the captures of a king that begin in one direction.
    #[inline(always)]
    fn king_towards(&mut self, place: Place<R::Board>, direction: Direction) -> bool {
        let spec = self.rules.spec();
        let mut reach = direction.shift::<R::Board>(place.at);
        if spec.king_range == KingRange::Flying {
            while (reach & place.empty).any() {
                reach = direction.shift::<R::Board>(reach);
            }
        }
        let victim = reach & place.theirs;
        let first = direction.shift::<R::Board>(victim) & place.empty;
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
            for &turn in king_capture_directions(self.rules.spec().man_captures) {
                // Straight on the same next piece is met from every landing square.
                let again = turn == direction && land != first;
                if !again && !self.turns_back(next, turn) {
                    goes_on |= self.king_towards(next, turn);
                }
            }
            self.sink.leave();
            land = self.next_landing(land, direction, next.empty);
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
            land = self.next_landing(land, direction, next.empty);
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

    /// Returns the place after a jump.
    #[inline(always)]
    fn jump(
        &self,
        place: Place<R::Board>,
        victim: <R::Board as Geometry>::Word,
        land: <R::Board as Geometry>::Word,
        direction: Direction,
    ) -> Place<R::Board> {
        let spec = self.rules.spec();
        let mut taken = place.taken;
        taken.squares |= victim;
        if spec.precedence != Precedence::Free {
            let is_king = (victim & self.their_kings).any();
            if is_king && taken.kings == 0 {
                taken.first_king = taken.pieces;
            }
            taken.kings += u32::from(is_king);
            taken.pieces += 1;
        }
        let empty = if spec.removal == Removal::AtOnce { place.empty | victim } else { place.empty };
        Place { at: land, theirs: place.theirs & !victim, empty, taken, came: Some(direction) }
    }

    #[inline(always)]
    fn finish(&mut self, place: Place<R::Board>, promotes: bool) {
        let step = Step { captured: place.taken.squares, from: self.from, to: place.at.lowest(), promotes };
        self.sink.capture(self.rank(&place.taken), step);
    }

    /// Rank of a capture: of all captures only those of the highest rank are legal.
    #[inline(always)]
    fn rank(&self, taken: &Taken<R::Board>) -> u32 {
        let by_king = u32::from(self.by_king);
        match self.rules.spec().precedence {
            Precedence::Free => 0,
            Precedence::Most => taken.pieces,
            Precedence::MostThenKings => taken.pieces << 8 | taken.kings,
            Precedence::Italian => taken.pieces << 24 | by_king << 16 | taken.kings << 8 | (NO_KING - taken.first_king),
            Precedence::HighestValue => (100 * taken.pieces + 99 * taken.kings) << 1 | by_king,
            Precedence::WithKing => by_king,
        }
    }
}
