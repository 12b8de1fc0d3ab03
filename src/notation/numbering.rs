//! Names of squares: the axis of a variant that neither its rules nor its geometry know.

use std::fmt;

use crate::board::{Shape, Side, Square};

/// How squares are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Names {
    /// `1`, `2`, `3` …
    Numeric,
    /// `a1`, `b2` … in full.
    Algebraic,
    /// Algebraic, with only the file of a move's first square: `cd4`. Written in full by this program.
    Short,
}

impl Names {
    /// Returns the letter of a `GameType`'s notation field.
    pub const fn letter(self) -> char {
        match self {
            Self::Numeric => 'N',
            Self::Algebraic => 'A',
            Self::Short => 'S',
        }
    }
}

/// Where the first square lies, as somebody at the board sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Corner {
    /// `0`.
    BottomLeft,
    /// `1`.
    BottomRight,
    /// `2`.
    TopLeft,
    /// `3`.
    TopRight,
}

impl Corner {
    const ALL: [Self; 4] = [Self::BottomLeft, Self::BottomRight, Self::TopLeft, Self::TopRight];

    /// Returns the corner that a digit of a `GameType`'s notation field stands for.
    pub fn from_digit(digit: u8) -> Option<Self> {
        Self::ALL.get(usize::from(digit)).copied()
    }

    /// Returns the digit of a `GameType`'s notation field.
    pub const fn digit(self) -> u8 {
        self as u8
    }

    /// Returns the corner that the other player sees in this place.
    #[must_use]
    pub const fn from_other_side(self) -> Self {
        match self {
            Self::BottomLeft => Self::TopRight,
            Self::BottomRight => Self::TopLeft,
            Self::TopLeft => Self::BottomRight,
            Self::TopRight => Self::BottomLeft,
        }
    }

    /// Returns the corner as White sees it, given as `side` sees it.
    #[must_use]
    pub const fn seen_by(self, side: Side) -> Self {
        match side {
            Side::White => self,
            Side::Black => self.from_other_side(),
        }
    }

    const fn is_top(self) -> bool {
        matches!(self, Self::TopLeft | Self::TopRight)
    }

    const fn is_left(self) -> bool {
        matches!(self, Self::BottomLeft | Self::TopLeft)
    }
}

/// The names of the squares of one board.
///
/// The board itself is always kept with its bottom-left corner playable ([`Shape`]); where the real board has a
/// playable bottom-right corner, this is its mirror image and the numbering turns it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbering {
    shape: Shape,
    mirrored: bool,
    names: Names,
    corner: Corner,
    capture_sign: char,
}

impl Numbering {
    /// Returns the names that start at a corner of the board as White sees it.
    ///
    /// `mirrored` says that the bottom-left corner of the real board is no playable square.
    pub const fn new(shape: Shape, mirrored: bool, names: Names, corner: Corner) -> Self {
        let mirrored = mirrored && !shape.every_square();
        Self { shape, mirrored, names, corner, capture_sign: 'x' }
    }

    /// Returns the same names with another sign between the squares of a capture.
    #[must_use]
    pub const fn with_capture_sign(self, capture_sign: char) -> Self {
        Self { capture_sign, ..self }
    }

    /// Returns the numbers from the top-left square on, on the same board.
    #[must_use]
    pub const fn from_top_left(self) -> Self {
        Self { names: Names::Numeric, corner: Corner::TopLeft, ..self }
    }

    /// Returns the same kind of names from another corner, as White sees it.
    #[must_use]
    pub const fn with_corner(self, corner: Corner) -> Self {
        Self { corner, ..self }
    }

    /// Returns the same kind of names from the corner that is usual for it: letters from the bottom left, numbers from the
    /// top left.
    #[must_use]
    pub const fn from_usual_corner(self) -> Self {
        self.with_corner(if self.is_algebraic() { Corner::BottomLeft } else { Corner::TopLeft })
    }

    /// The board.
    pub const fn shape(self) -> Shape {
        self.shape
    }

    /// Whether the real board is the mirror image of the one kept.
    pub const fn is_mirrored(self) -> bool {
        self.mirrored
    }

    /// How squares are named.
    pub const fn names(self) -> Names {
        self.names
    }

    /// Whether squares are named by letter and digit.
    pub const fn is_algebraic(self) -> bool {
        !matches!(self.names, Names::Numeric)
    }

    /// The corner of the first square, as White sees it.
    pub const fn corner(self) -> Corner {
        self.corner
    }

    /// The sign between the squares of a capture: `x`, `:` or `-`.
    pub const fn capture_sign(self) -> char {
        self.capture_sign
    }

    /// Returns the column of a square on the real board, 0 leftmost with White below.
    pub const fn display_column(self, square: Square) -> u8 {
        self.turn(self.shape.column(square))
    }

    /// Returns the row of a square on the real board, 0 at the top with White below.
    pub const fn display_row(self, square: Square) -> u8 {
        self.shape.row(square)
    }

    /// Returns the playable square at a row and column of the real board with White below.
    pub const fn square_at_display(self, row: u8, column: u8) -> Option<Square> {
        if column >= self.shape.width() { None } else { self.shape.square_at(row, self.turn(column)) }
    }

    const fn turn(self, column: u8) -> u8 {
        if self.mirrored { self.shape.width() - 1 - column } else { column }
    }

    /// Returns the number of a square, counted from the corner of this numbering; of algebraic names, the internal one
    /// (from the top-left square).
    pub const fn number(self, square: Square) -> u8 {
        let corner = self.counting_corner();
        let per_row = self.shape.squares_per_row();
        let row = self.shape.row(square);
        let place = self.shape.order(square) - row * per_row;
        let line = if corner.is_top() { row } else { self.shape.height() - 1 - row };
        line * per_row + self.place_in_line(corner, place) + 1
    }

    /// Returns the square of a number: the inverse of [`Numbering::number`].
    pub const fn square(self, number: u8) -> Option<Square> {
        if number == 0 || number > self.shape.square_count() {
            return None;
        }
        let corner = self.counting_corner();
        let per_row = self.shape.squares_per_row();
        let (line, place) = ((number - 1) / per_row, (number - 1) % per_row);
        let row = if corner.is_top() { line } else { self.shape.height() - 1 - line };
        self.shape.nth(row * per_row + self.place_in_line(corner, place))
    }

    const fn counting_corner(self) -> Corner {
        if self.is_algebraic() { Corner::TopLeft } else { self.corner }
    }

    /// Turns a place counted from the left of the kept board into one counted from the corner, and back.
    const fn place_in_line(self, corner: Corner, place: u8) -> u8 {
        if corner.is_left() == self.mirrored { self.shape.squares_per_row() - 1 - place } else { place }
    }

    /// Returns file and rank of a square, both from 0, counted from the corner of this numbering; of numeric names, from
    /// the bottom left as is usual.
    pub const fn file_and_rank(self, square: Square) -> (u8, u8) {
        let corner = self.lettering_corner();
        let (row, column) = (self.display_row(square), self.display_column(square));
        let file = if corner.is_left() { column } else { self.shape.width() - 1 - column };
        let rank = if corner.is_top() { row } else { self.shape.height() - 1 - row };
        (file, rank)
    }

    /// Returns the square of a file and rank: the inverse of [`Numbering::file_and_rank`].
    pub const fn square_of(self, file: u8, rank: u8) -> Option<Square> {
        if file >= self.shape.width() || rank >= self.shape.height() {
            return None;
        }
        let corner = self.lettering_corner();
        let column = if corner.is_left() { file } else { self.shape.width() - 1 - file };
        let row = if corner.is_top() { rank } else { self.shape.height() - 1 - rank };
        self.square_at_display(row, column)
    }

    const fn lettering_corner(self) -> Corner {
        if self.is_algebraic() { self.corner } else { Corner::BottomLeft }
    }

    /// Returns the name of a square.
    pub const fn name(self, square: Square) -> SquareName {
        self.name_at(self.order(square))
    }

    /// Returns a key that sorts squares in the order of their names.
    pub const fn order(self, square: Square) -> u8 {
        if self.is_algebraic() {
            let (file, rank) = self.file_and_rank(square);
            file * self.shape.height() + rank
        } else {
            self.number(square)
        }
    }

    /// Returns the name of the square that [`Numbering::order`] gives this key.
    pub const fn name_at(self, order: u8) -> SquareName {
        if self.is_algebraic() {
            SquareName::algebraic((order / self.shape.height(), order % self.shape.height()))
        } else {
            SquareName::numeric(order)
        }
    }

    /// Finds a square by a name such as `32` (leading zeros are fine) or `a1` in either case, whichever of the two the
    /// numbering writes.
    pub fn find(self, name: &str) -> Option<Square> {
        let first = *name.as_bytes().first()?;
        if first.is_ascii_digit() {
            return self.square(decimal(name)?);
        }
        let file = first.to_ascii_lowercase().checked_sub(b'a')?;
        let rank = decimal(name.get(1..)?)?.checked_sub(1)?;
        self.square_of(file, rank)
    }
}

/// Reads digits only: `str::parse` would let a sign pass.
fn decimal(digits: &str) -> Option<u8> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The name of a square, such as `32` or `a1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareName {
    len: u8,
    bytes: [u8; 4],
}

impl SquareName {
    const fn algebraic((file, rank): (u8, u8)) -> Self {
        Self { len: 0, bytes: [0; 4] }.with(b'a' + file).with_number(rank + 1)
    }

    const fn numeric(number: u8) -> Self {
        Self { len: 0, bytes: [0; 4] }.with_number(number)
    }

    const fn with_number(self, number: u8) -> Self {
        let tens = if number < 10 { self } else { self.with_number(number / 10) };
        tens.with(b'0' + number % 10)
    }

    const fn with(mut self, byte: u8) -> Self {
        self.bytes[self.len as usize] = byte;
        self.len += 1;
        self
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [Shape; 5] =
        [Shape::dark(8, 8), Shape::dark(10, 10), Shape::dark(12, 12), Shape::dark(10, 8), Shape::full_8x8()];

    fn all_numberings() -> impl Iterator<Item = Numbering> {
        SHAPES.into_iter().flat_map(|shape| {
            Corner::ALL.into_iter().flat_map(move |corner| {
                [Names::Numeric, Names::Algebraic, Names::Short]
                    .into_iter()
                    .flat_map(move |names| [false, true].map(|mirrored| Numbering::new(shape, mirrored, names, corner)))
            })
        })
    }

    #[test]
    fn every_square_has_its_own_number_and_name() {
        for numbering in all_numberings() {
            let mut numbers: Vec<u8> = Vec::new();
            for square in numbering.shape().squares() {
                assert_eq!(numbering.square(numbering.number(square)), Some(square), "{numbering:?}");
                let (file, rank) = numbering.file_and_rank(square);
                assert_eq!(numbering.square_of(file, rank), Some(square), "{numbering:?}");
                assert_eq!(numbering.find(&numbering.name(square).to_string()), Some(square), "{numbering:?}");
                numbers.push(numbering.number(square));
            }
            numbers.sort_unstable();
            assert!(numbers.iter().copied().eq(1..=numbering.shape().square_count()));
        }
    }

    #[test]
    fn the_first_number_lies_in_its_corner() {
        for numbering in all_numberings().filter(|n| !n.is_algebraic()) {
            let first = numbering.square(1).unwrap();
            let shape = numbering.shape();
            let corner = numbering.corner();
            assert_eq!(numbering.display_row(first), if corner.is_top() { 0 } else { shape.height() - 1 });
            let column = numbering.display_column(first);
            let at_edge = if corner.is_left() { column <= 1 } else { column >= shape.width() - 2 };
            assert!(at_edge, "{numbering:?} has 1 at column {column}");
        }
    }

    #[test]
    fn names_off_the_board_are_not_found() {
        let numbering = Numbering::new(Shape::dark(10, 10), false, Names::Numeric, Corner::TopLeft);
        for name in ["0", "51", "+1", "", "a", "a11", "k1", "b1", "4294967296", "1a", "é1", "-1"] {
            assert_eq!(numbering.find(name), None, "{name}");
        }
        assert_eq!(numbering.find("007"), numbering.square(7));
        assert_eq!(numbering.find("A1"), numbering.square(46));
    }
}
