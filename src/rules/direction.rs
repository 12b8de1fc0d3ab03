//! The eight directions as shifts of machine words, and the directions open to pieces.

use super::spec::{ManCaptures, ManMoves};
use crate::board::{Geometry, Side};

/// One of the eight directions as White sees the board.
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
    /// Returns the distance in bits to the next square in this direction. On a board of dark squares, straight lines skip a
    /// row or a column.
    #[inline(always)]
    const fn delta<G: Geometry>(self) -> i32 {
        let down = G::DOWN as i32;
        let straight = if G::SHAPE.every_square() { down } else { 2 * down + 1 };
        match self {
            UpLeft => -down - 1,
            UpRight => -down,
            DownLeft => down,
            DownRight => down + 1,
            Up => -straight,
            Down => straight,
            Left => -1,
            Right => 1,
        }
    }

    /// Moves all squares of a set one step. The caller masks out squares that leave the board.
    #[inline(always)]
    pub(super) fn shift<G: Geometry>(self, squares: G::Word) -> G::Word {
        let delta = self.delta::<G>();
        if delta > 0 { squares << delta as u32 } else { squares >> -delta as u32 }
    }

    /// Returns the square one step back from a square that [`Direction::shift`] reached.
    #[inline(always)]
    pub(super) fn origin<G: Geometry>(self, to: u8) -> u8 {
        (i32::from(to) - self.delta::<G>()) as u8
    }

    /// Returns the reverse direction.
    pub(super) const fn opposite(self) -> Self {
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

/// A set of directions.
#[derive(Clone, Copy)]
pub(super) struct Directions(u8);

const DIAGONALS: Directions = Directions::of(&[UpLeft, UpRight, DownLeft, DownRight]);
const STRAIGHTS: Directions = Directions::of(&[Up, Left, Right, Down]);
const EIGHT: Directions = Directions(0xFF);

impl Directions {
    const fn of(directions: &[Direction]) -> Self {
        let (mut set, mut n) = (0, 0);
        while n < directions.len() {
            set |= 1 << directions[n] as u8;
            n += 1;
        }
        Self(set)
    }

    #[inline(always)]
    pub(super) const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// Visits each direction. Unrolled, because in a constant set every shift then becomes a constant, which saves 16 to 23 %
    /// of the instructions of leaf counts. The closure should be `#[inline(always)]`.
    #[inline(always)]
    pub(super) fn each(self, mut visit: impl FnMut(Direction)) {
        macro_rules! visit {
            ($($direction:ident)*) => {
                $(if self.contains($direction) {
                    visit($direction);
                })*
            };
        }
        visit!(UpLeft UpRight DownLeft DownRight Up Left Right Down);
    }
}

#[inline(always)]
const fn diagonally_forward(side: Side) -> Directions {
    match side {
        Side::White => const { Directions::of(&[UpLeft, UpRight]) },
        Side::Black => const { Directions::of(&[DownLeft, DownRight]) },
    }
}

#[inline(always)]
const fn forward_and_sideways(side: Side) -> Directions {
    match side {
        Side::White => const { Directions::of(&[Up, Left, Right]) },
        Side::Black => const { Directions::of(&[Down, Left, Right]) },
    }
}

#[inline(always)]
pub(super) const fn man_move_directions(moves: ManMoves, side: Side) -> Directions {
    match moves {
        ManMoves::DiagonallyForward => diagonally_forward(side),
        ManMoves::ForwardAndSideways => forward_and_sideways(side),
    }
}

#[inline(always)]
pub(super) const fn man_capture_directions(captures: ManCaptures, side: Side) -> Directions {
    match captures {
        ManCaptures::DiagonallyForward => diagonally_forward(side),
        ManCaptures::Diagonally => DIAGONALS,
        ManCaptures::EightWays => EIGHT,
        ManCaptures::ForwardAndSideways => forward_and_sideways(side),
    }
}

#[inline(always)]
pub(super) const fn king_move_directions(moves: ManMoves) -> Directions {
    match moves {
        ManMoves::DiagonallyForward => DIAGONALS,
        ManMoves::ForwardAndSideways => STRAIGHTS,
    }
}

#[inline(always)]
pub(super) const fn king_capture_directions(captures: ManCaptures) -> Directions {
    match captures {
        ManCaptures::DiagonallyForward | ManCaptures::Diagonally => DIAGONALS,
        ManCaptures::EightWays => EIGHT,
        ManCaptures::ForwardAndSideways => STRAIGHTS,
    }
}
