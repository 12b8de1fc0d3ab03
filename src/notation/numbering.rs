//! Names of squares: the axis of a variant that is independent of its rules and its geometry.

use crate::board::{Corner, Names, Shape, Square};
use crate::pdn::WrittenSquare;

/// The names of the squares of one board.
///
/// The board itself is always stored with its bottom-left corner playable ([`Shape`]). If the bottom-right corner of the physical
/// board is playable, the stored board is its mirror image, and the numbering mirrors it back.
///
/// # Examples
///
/// ```
/// use pdn::notation::Numbering;
/// use pdn::rules::Variant;
///
/// let numbering = Numbering::for_variant(Variant::BRAZILIAN);
/// let square = numbering.find("c3").unwrap();
/// assert_eq!(numbering.name(square).to_string(), "c3");
/// assert_eq!(Numbering::internal(Variant::BRAZILIAN).name(square).to_string(), "22");
/// ```
///
/// # Panics
///
/// Methods that take a [`Square`] may panic if it is not a square of this board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbering {
    shape: Shape,
    mirrored: bool,
    names: Names,
    corner: Corner,
    capture_sign: char,
}

impl Numbering {
    /// Returns the names that start at a corner of the board as White sees it. `mirrored` is true if the bottom-left corner of
    /// the physical board is not playable.
    pub const fn new(shape: Shape, mirrored: bool, names: Names, corner: Corner) -> Self {
        // With all squares playable, the mirror image is the same board.
        let mirrored = mirrored && !shape.every_square();
        Self { shape, mirrored, names, corner, capture_sign: 'x' }
    }

    /// Returns the same names with another sign between the squares of a capture.
    #[must_use]
    pub const fn with_capture_sign(self, capture_sign: char) -> Self {
        Self { capture_sign, ..self }
    }

    /// Returns the numbers of the same board from the top-left square.
    #[must_use]
    pub(crate) const fn at_top_left(self) -> Self {
        Self { names: Names::Numeric, corner: Corner::TopLeft, ..self }
    }

    /// Returns the same kind of names from another corner, as White sees it.
    #[must_use]
    pub const fn with_corner(self, corner: Corner) -> Self {
        Self { corner, ..self }
    }

    /// Returns the same kind of names from their usual corner: letters from the bottom left, numbers from the top left.
    #[must_use]
    pub const fn from_usual_corner(self) -> Self {
        self.with_corner(if self.is_algebraic() { Corner::BottomLeft } else { Corner::TopLeft })
    }

    /// Returns the names of the kind that a record has, letters or numbers, which may be another kind than that of its variant;
    /// both are read in any numbering.
    #[must_use]
    pub(crate) const fn with_letters(self, letters: bool) -> Self {
        if letters == self.is_algebraic() {
            return self;
        }
        let names = if letters { Names::Algebraic } else { Names::Numeric };
        Self { names, capture_sign: 'x', ..self }.from_usual_corner()
    }

    /// Returns the board.
    #[inline]
    pub const fn shape(self) -> Shape {
        self.shape
    }

    /// Returns true if the physical board is the mirror image of the stored one.
    #[inline]
    pub const fn is_mirrored(self) -> bool {
        self.mirrored
    }

    /// Returns the kind of square names.
    #[inline]
    pub(crate) const fn names(self) -> Names {
        self.names
    }

    /// Returns true if squares are named by letter and number.
    #[inline]
    pub const fn is_algebraic(self) -> bool {
        !matches!(self.names, Names::Numeric)
    }

    /// Returns the corner of the first square, as White sees it.
    #[inline]
    pub const fn corner(self) -> Corner {
        self.corner
    }

    /// Returns the sign between the squares of a capture: `x`, `:` or `-`.
    #[inline]
    pub const fn capture_sign(self) -> char {
        self.capture_sign
    }

    /// Returns the column of a square on the physical board, 0 at the left with White at the bottom.
    #[inline]
    pub(crate) const fn display_column(self, square: Square) -> u8 {
        self.mirror(self.shape.column(square))
    }

    /// Returns the row of a square on the physical board, 0 at the top with White at the bottom.
    #[inline]
    pub(crate) const fn display_row(self, square: Square) -> u8 {
        self.shape.row(square)
    }

    /// Returns the playable square at a row and column of the physical board with White at the bottom.
    pub(crate) const fn square_at_display(self, row: u8, column: u8) -> Option<Square> {
        if column >= self.shape.width() { None } else { self.shape.square_at(row, self.mirror(column)) }
    }

    const fn mirror(self, column: u8) -> u8 {
        if self.mirrored { self.shape.width() - 1 - column } else { column }
    }

    /// Returns the number of a square, counted from the corner of this numbering; with algebraic names, from the top-left
    /// square.
    #[inline]
    pub const fn number(self, square: Square) -> u8 {
        let corner = self.counting_corner();
        let per_row = self.shape.squares_per_row();
        let row = self.shape.row(square);
        let index = self.shape.order(square) - row * per_row;
        let rows_before = if corner.is_top() { row } else { self.shape.height() - 1 - row };
        rows_before * per_row + self.index_in_row(corner, index) + 1
    }

    /// Returns the square of a number: the inverse of [`Numbering::number`].
    #[inline]
    pub const fn square(self, number: u8) -> Option<Square> {
        if number == 0 || number > self.shape.square_count() {
            return None;
        }
        let corner = self.counting_corner();
        let per_row = self.shape.squares_per_row();
        let (rows_before, index) = ((number - 1) / per_row, (number - 1) % per_row);
        let row = if corner.is_top() { rows_before } else { self.shape.height() - 1 - rows_before };
        Some(self.shape.in_row(row, self.index_in_row(corner, index)))
    }

    const fn counting_corner(self) -> Corner {
        if self.is_algebraic() { Corner::TopLeft } else { self.corner }
    }

    /// Converts an index in a row between counting from the left of the stored board and from the corner, in either
    /// direction.
    const fn index_in_row(self, corner: Corner, index: u8) -> u8 {
        if corner.is_left() == self.mirrored { self.shape.squares_per_row() - 1 - index } else { index }
    }

    /// Returns file and rank of a square, both from 0, counted from the corner of this numbering; with numeric names, from the
    /// bottom left.
    #[inline]
    pub(crate) const fn file_and_rank(self, square: Square) -> (u8, u8) {
        let corner = self.lettering_corner();
        let (row, column) = (self.display_row(square), self.display_column(square));
        let file = if corner.is_left() { column } else { self.shape.width() - 1 - column };
        let rank = if corner.is_top() { row } else { self.shape.height() - 1 - row };
        (file, rank)
    }

    /// Returns the square of a file and rank: the inverse of [`Numbering::file_and_rank`].
    #[inline]
    pub(crate) const fn square_of(self, file: u8, rank: u8) -> Option<Square> {
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

    /// Returns the name of a square, such as `32` or `a1`; [`parse`](Self::parse) finds the square again.
    #[inline]
    pub const fn name(self, square: Square) -> WrittenSquare {
        if self.is_algebraic() {
            let (file, rank) = self.file_and_rank(square);
            WrittenSquare::Cell { file, rank: rank + 1 }
        } else {
            WrittenSquare::Number(self.number(square))
        }
    }

    /// Returns a key that sorts squares in the order of their names.
    #[inline]
    pub(crate) const fn order(self, square: Square) -> u8 {
        if self.is_algebraic() {
            let (file, rank) = self.file_and_rank(square);
            file * self.shape.height() + rank
        } else {
            self.number(square)
        }
    }

    /// Returns the square with a name such as `32` or `a1`, whichever of the two the numbering itself writes; `None` if the
    /// board has no such square. Leading zeros and capital letters are accepted.
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

/// Reads digits only: `str::parse` would accept a sign.
fn decimal(digits: &str) -> Option<u8> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
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
