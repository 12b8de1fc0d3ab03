//! Boards whose size is known at compile time.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use super::Shape;

/// The machine word of a board, one bit per square: `u64` where the board fits, else `u128`.
pub(crate) trait Word:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The empty set.
    const ZERO: Self;
    /// Returns the word with one bit set.
    fn bit(bit: u8) -> Self;
    /// Returns the index of the lowest set bit; unspecified for zero.
    fn lowest(self) -> u8;
    /// Returns the word without its lowest set bit.
    #[must_use]
    fn without_lowest(self) -> Self;
    /// Returns the number of set bits.
    fn count(self) -> u32;
    /// Returns the low bits of the widest word.
    fn narrow(wide: u128) -> Self;
    /// Returns the word widened with zeros.
    fn widen(self) -> u128;
    /// Returns the word with the bits from 0 to `last` in reverse order.
    #[must_use]
    fn reversed(self, last: u32) -> Self;
    /// Returns true if no bit is set.
    #[inline(always)]
    fn is_zero(self) -> bool {
        self == Self::ZERO
    }
    /// Returns true if any bit is set.
    #[inline(always)]
    fn any(self) -> bool {
        self != Self::ZERO
    }
}

macro_rules! word {
    ($type:ty) => {
        impl Word for $type {
            const ZERO: Self = 0;
            #[inline(always)]
            fn bit(bit: u8) -> Self {
                1 << bit
            }
            #[inline(always)]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn narrow(wide: u128) -> Self {
                wide as Self
            }
            #[inline(always)]
            fn widen(self) -> u128 {
                u128::from(self)
            }
            #[inline(always)]
            fn reversed(self, last: u32) -> Self {
                self.reverse_bits() >> (Self::BITS - 1 - last)
            }
        }
    };
}

word!(u64);
word!(u128);

/// A board known at compile time.
pub(crate) trait Geometry: Copy + Debug + Default + Eq + Hash + Send + Sync + 'static {
    /// The word that holds one bit per square.
    type Word: Word;
    /// Size and playable squares.
    const SHAPE: Shape;
    /// All playable squares, as [`Shape::squares`] lists them.
    const SQUARES: u128 = {
        let (mut mask, mut n) = (0, 0);
        while let Some(square) = Self::SHAPE.nth(n) {
            mask |= 1 << square.bit();
            n += 1;
        }
        mask
    };
    /// The last playable square; rotating the board by 180° reverses the bits up to it.
    const LAST_BIT: u32 = Self::SQUARES.ilog2();
    /// Bits from a square to its neighbour below: to the lower left on dark squares, straight down on a full board.
    const DOWN: u32 =
        if Self::SHAPE.every_square() { Self::SHAPE.width() as u32 + 1 } else { Self::SHAPE.width() as u32 / 2 + 1 };
    /// Squares of the top row.
    const TOP_ROW: u128 = (1 << Self::SHAPE.squares_per_row()) - 1;
    /// Squares of the bottom row.
    const BOTTOM_ROW: u128 = match Self::SHAPE.square_at(Self::SHAPE.height() - 1, 0) {
        Some(corner) => Self::TOP_ROW << corner.bit(),
        None => 0,
    };
}

macro_rules! geometry {
    ($(#[$doc:meta])* $name:ident, $word:ty, $shape:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub(crate) struct $name;

        impl Geometry for $name {
            type Word = $word;
            const SHAPE: Shape = $shape;
        }
    };
}

geometry!(/// The 32 dark squares of 8x8.
    Board8x8, u64, Shape::dark(8, 8));
geometry!(/// The 50 dark squares of 10x10.
    Board10x10, u64, Shape::dark(10, 10));
geometry!(/// The 40 dark squares of a board 10 wide and 8 high.
    Board10x8, u64, Shape::dark(10, 8));
geometry!(/// The 72 dark squares of 12x12.
    Board12x12, u128, Shape::dark(12, 12));
// With the bits between its rows, the full board does not fit into 64.
geometry!(/// All 64 squares of 8x8.
    Board8x8Full, u128, Shape::full_8x8());

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours_are_constant_shifts<G: Geometry>() {
        let shape = G::SHAPE;
        for square in shape.squares() {
            let (row, column) = (i16::from(shape.row(square)), i16::from(shape.column(square)));
            let down = G::DOWN as i16;
            for (shift, dr, dc) in [(down, 1, -1), (down + 1, 1, 1), (1, 0, 2), (2 * down + 1, 2, 0)] {
                for sign in [1, -1] {
                    let bit = i16::from(square.bit()) + sign * shift;
                    let (r, c) = (row + sign * dr, column + sign * dc);
                    let there = u8::try_from(r).ok().zip(u8::try_from(c).ok()).and_then(|(r, c)| shape.square_at(r, c));
                    let on_board = (0..128).contains(&bit) && G::SQUARES >> bit & 1 == 1;
                    assert_eq!(there.map(|s| i16::from(s.bit())), on_board.then_some(bit), "{square:?} {shift} {sign}");
                }
            }
        }
    }

    fn half_a_turn_reverses_the_bits<G: Geometry>() {
        let shape = G::SHAPE;
        for square in shape.squares() {
            let (row, column) = (shape.height() - 1 - shape.row(square), shape.width() - 1 - shape.column(square));
            let turned = shape.square_at(row, column).expect("the board is symmetric");
            assert_eq!(G::Word::bit(square.bit()).reversed(G::LAST_BIT), G::Word::bit(turned.bit()));
        }
    }

    #[test]
    fn boards_are_turned_by_reversing_bits() {
        half_a_turn_reverses_the_bits::<Board8x8>();
        half_a_turn_reverses_the_bits::<Board10x10>();
        half_a_turn_reverses_the_bits::<Board10x8>();
        half_a_turn_reverses_the_bits::<Board12x12>();
        half_a_turn_reverses_the_bits::<Board8x8Full>();
    }

    #[test]
    fn every_direction_is_one_shift() {
        neighbours_are_constant_shifts::<Board8x8>();
        neighbours_are_constant_shifts::<Board10x10>();
        neighbours_are_constant_shifts::<Board10x8>();
        neighbours_are_constant_shifts::<Board12x12>();
    }
}
