//! Squares, sets of squares, boards whose shape is known at run time, and the names of squares.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Side;

/// A playable square.
///
/// A square belongs to the [`Shape`] that made it. Squares are ordered from the top row to the bottom row and from left to
/// right in a row, with White at the bottom and the bottom-left corner playable.
///
/// A square has no name without a [`Numbering`](crate::notation::Numbering): `1` is the top-left square of the
/// International board and the bottom-right one of the Spanish board. [`Numbering::name`](crate::notation::Numbering::name)
/// and [`Numbering::find`](crate::notation::Numbering::find) convert between squares and names. As `serde` writes it, a square is
/// its [`bit`](Self::bit), which no numbering changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Square(u8);

impl From<Square> for u8 {
    fn from(square: Square) -> Self {
        square.0
    }
}

impl TryFrom<u8> for Square {
    type Error = String;

    fn try_from(bit: u8) -> Result<Self, String> {
        if bit < 128 { Ok(Self(bit)) } else { Err(format!("invalid square `{bit}`, expected a number of at most 127")) }
    }
}

impl Square {
    /// Returns the index of the square's bit in a [`SquareSet`], from 0 to 127.
    #[inline]
    pub const fn bit(self) -> u8 {
        self.0
    }

    #[inline]
    pub(crate) const fn from_bit(bit: u8) -> Self {
        Self(bit)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Square({})", self.0)
    }
}

/// The size of a board, and which of its squares are playable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    width: u8,
    height: u8,
    every_square: bool,
}

impl Shape {
    /// Returns a board on the dark squares only.
    ///
    /// # Panics
    ///
    /// Panics if `width` or `height` is odd or over 12.
    pub const fn dark(width: u8, height: u8) -> Self {
        assert!(width.is_multiple_of(2) && height.is_multiple_of(2) && width <= 12 && height <= 12);
        Self { width, height, every_square: false }
    }

    /// Returns a board on all squares, 8 by 8 (Turkish).
    pub(crate) const fn full_8x8() -> Self {
        Self { width: 8, height: 8, every_square: true }
    }

    /// Returns the number of columns, playable or not.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Returns the number of rows.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Returns true if the light squares are playable too.
    #[inline]
    pub const fn every_square(self) -> bool {
        self.every_square
    }

    /// Returns the number of playable squares in a row.
    #[inline]
    pub const fn squares_per_row(self) -> u8 {
        if self.every_square { self.width } else { self.width / 2 }
    }

    /// Returns the number of playable squares.
    #[inline]
    pub const fn square_count(self) -> u8 {
        self.squares_per_row() * self.height
    }

    /// Returns the bit of the first square of a row. Rows of dark squares are `width / 2 + 1` bits apart, with one more
    /// bit at every second row, so that each of the eight directions is a single constant shift, and a step over the
    /// edge ends on a bit without a square.
    const fn row_start(self, row: u8) -> u8 {
        if self.every_square { row * (self.width + 1) } else { row * (self.width / 2 + 1) + row / 2 }
    }

    /// Returns the square at a row (0 is the top row, Black's back row) and column (0 is leftmost), or `None` if it
    /// is not playable.
    #[inline]
    pub const fn square_at(self, row: u8, column: u8) -> Option<Square> {
        if row >= self.height || column >= self.width {
            return None;
        }
        if self.every_square {
            return Some(Square(self.row_start(row) + column));
        }
        // The bottom row is odd (heights are even) and starts with a playable corner; the row above is shifted by one.
        if (row + column).is_multiple_of(2) { None } else { Some(Square(self.row_start(row) + column / 2)) }
    }

    /// Returns the n-th square in order, from 0; `None` after the last.
    #[inline]
    pub const fn nth(self, n: u8) -> Option<Square> {
        if n >= self.square_count() {
            return None;
        }
        let per_row = self.squares_per_row();
        Some(self.in_row(n / per_row, n % per_row))
    }

    /// Returns the n-th square of a row, both from 0.
    #[inline]
    pub(crate) const fn in_row(self, row: u8, n: u8) -> Square {
        Square(self.row_start(row) + n)
    }

    /// Returns the index of a square in order, from 0: the inverse of [`Shape::nth`].
    #[inline]
    pub const fn order(self, square: Square) -> u8 {
        let row = self.row(square);
        row * self.squares_per_row() + square.0 - self.row_start(row)
    }

    /// Returns the row of a square, 0 at the top.
    #[inline]
    pub const fn row(self, square: Square) -> u8 {
        if self.every_square {
            return square.0 / (self.width + 1);
        }
        // The even and the odd row of a pair take `width / 2 + 1` and `width / 2 + 2` bits.
        let pair = self.width + 3;
        let half = self.width / 2 + 1;
        2 * (square.0 / pair) + (square.0 % pair >= half) as u8
    }

    /// Returns the column of a square, 0 at the left.
    #[inline]
    pub const fn column(self, square: Square) -> u8 {
        let row = self.row(square);
        let index = square.0 - self.row_start(row);
        if self.every_square { index } else { 2 * index + row.is_multiple_of(2) as u8 }
    }

    /// Returns true if the square is a playable square of this board.
    #[inline]
    pub fn contains(self, square: Square) -> bool {
        self.square_at(self.row(square), self.column(square)) == Some(square)
    }

    /// Returns all squares in order.
    pub fn squares(self) -> impl DoubleEndedIterator<Item = Square> {
        (0..self.square_count()).filter_map(move |n| self.nth(n))
    }
}

/// A set of squares of one board.
///
/// # Examples
///
/// ```
/// use pdn::board::{Side, SquareSet};
/// use pdn::rules::{Position, Variant};
///
/// let start = Position::start(Variant::BRAZILIAN);
/// let first_row: SquareSet = start.squares_of(Side::Black).iter().take(4).collect();
/// assert_eq!(first_row.len(), 4);
/// assert!(start.squares_of(Side::White).iter().all(|square| !first_row.contains(square)));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Vec<Square>", into = "Vec<Square>")]
pub struct SquareSet(u128);

impl From<SquareSet> for Vec<Square> {
    fn from(squares: SquareSet) -> Self {
        squares.iter().collect()
    }
}

impl From<Vec<Square>> for SquareSet {
    fn from(squares: Vec<Square>) -> Self {
        squares.into_iter().collect()
    }
}

impl SquareSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    #[inline]
    pub(crate) const fn from_word(word: u128) -> Self {
        Self(word)
    }

    #[inline]
    pub(crate) const fn word(self) -> u128 {
        self.0
    }

    /// Returns true if the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Adds a square.
    #[inline]
    pub(crate) fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.0;
    }

    /// Returns the number of squares.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the squares in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Square> {
        bits_of(self.0).map(|bit| Square(bit as u8))
    }
}

/// Returns the indices of the bits that are set, from the lowest. The halves of the word are visited one after the other,
/// because shifts and counts of 128 bits take several instructions each.
#[inline]
pub(crate) fn bits_of(word: u128) -> impl Iterator<Item = usize> {
    let halves = [(word as u64, 0), ((word >> 64) as u64, 64)];
    halves.into_iter().flat_map(|(mut half, first)| {
        std::iter::from_fn(move || {
            let bit = (half != 0).then(|| first + half.trailing_zeros() as usize);
            half &= half.wrapping_sub(1);
            bit
        })
    })
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut set = Self::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Square::bit)).finish()
    }
}

/// The kinds of square names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Names {
    /// `1`, `2`, `3` …
    #[serde(rename = "numbers")]
    Numeric,
    /// `a1`, `b2` …
    #[serde(rename = "letters")]
    Algebraic,
    /// Algebraic with only the file of a move's first square, such as `cd4`. Written in full by this crate.
    #[serde(rename(serialize = "letters"), skip_deserializing)]
    Short,
}

impl Names {
    /// Returns the letter of the notation field of a `GameType` tag: `N`, `A` or `S`.
    pub(crate) const fn letter(self) -> char {
        match self {
            Self::Numeric => 'N',
            Self::Algebraic => 'A',
            Self::Short => 'S',
        }
    }
}

/// A corner of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Corner {
    /// `0` in a `GameType` tag.
    BottomLeft,
    /// `1` in a `GameType` tag.
    BottomRight,
    /// `2` in a `GameType` tag.
    TopLeft,
    /// `3` in a `GameType` tag.
    TopRight,
}

impl Corner {
    /// All corners, in the order of their digits.
    pub const ALL: [Self; 4] = [Self::BottomLeft, Self::BottomRight, Self::TopLeft, Self::TopRight];

    /// Returns the corner that a digit of the notation field of a `GameType` tag denotes, `None` above 3.
    pub(crate) fn from_digit(digit: u8) -> Option<Self> {
        Self::ALL.get(usize::from(digit)).copied()
    }

    /// Returns the digit of the corner in the notation field of a `GameType` tag.
    pub(crate) const fn digit(self) -> u8 {
        self as u8
    }

    /// Returns the same corner as the opponent sees it, from the opposite side of the board.
    #[must_use]
    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::BottomLeft => Self::TopRight,
            Self::BottomRight => Self::TopLeft,
            Self::TopLeft => Self::BottomRight,
            Self::TopRight => Self::BottomLeft,
        }
    }

    /// Converts a corner between the point of view of `side` and that of White, in either direction.
    #[must_use]
    pub(crate) const fn seen_by(self, side: Side) -> Self {
        match side {
            Side::White => self,
            Side::Black => self.opposite(),
        }
    }

    pub(crate) const fn is_top(self) -> bool {
        matches!(self, Self::TopLeft | Self::TopRight)
    }

    pub(crate) const fn is_left(self) -> bool {
        matches!(self, Self::BottomLeft | Self::TopLeft)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [Shape; 5] =
        [Shape::dark(8, 8), Shape::dark(10, 10), Shape::dark(12, 12), Shape::dark(10, 8), Shape::full_8x8()];

    #[test]
    fn order_row_and_column_agree() {
        for shape in SHAPES {
            for (n, square) in shape.squares().enumerate() {
                assert_eq!(usize::from(shape.order(square)), n);
                assert_eq!(shape.square_at(shape.row(square), shape.column(square)), Some(square));
            }
            assert_eq!(shape.squares().count(), usize::from(shape.square_count()));
            assert_eq!(shape.nth(shape.square_count()), None);
        }
    }

    #[test]
    fn bottom_left_corner_is_playable() {
        for shape in SHAPES {
            assert!(shape.square_at(shape.height() - 1, 0).is_some());
        }
    }
}
