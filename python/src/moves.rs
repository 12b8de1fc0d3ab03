//! Moves.

use std::hash::{Hash, Hasher};

use pdn::board::{Square, SquareSet};
use pdn::notation::Numbering;
use pdn::rules::{Move as Played, Position, Variant};
use pyo3::prelude::*;

use crate::errors::ArgumentError;
use crate::variant::variant_named;

/// A legal move in a position. Squares have the internal numbers of the variant, from 1 at the top left.
///
/// >>> import pdn
/// >>> move = pdn.Board().parse_move("32-28")
/// >>> move.from_square, move.to_square, move.is_capture, str(move)
/// (32, 28, False, '32-28')
#[pyclass(frozen, eq, hash, module = "pdn", from_py_object)]
#[derive(Clone, Copy)]
pub(crate) struct Move {
    pub(crate) played: Played,
    pub(crate) variant: Variant,
    /// The position before it, if that is known: it decides the path.
    before: Option<Position>,
}

/// Moves of different positions are equal if they have the same squares.
impl PartialEq for Move {
    fn eq(&self, other: &Self) -> bool {
        (self.played, self.variant) == (other.played, other.variant)
    }
}

impl Eq for Move {}

impl Hash for Move {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.played, self.variant).hash(state);
    }
}

impl Move {
    /// Returns a move of a position.
    pub(crate) const fn new(played: Played, before: &Position) -> Self {
        Self { played, variant: before.variant(), before: Some(*before) }
    }

    /// Returns the moves of a line that begins with a position.
    pub(crate) fn line(start: &Position, line: &[Played]) -> Vec<Self> {
        let mut position = Some(*start);
        let step = |played: &Played| {
            let found = Self { played: *played, variant: start.variant(), before: position };
            position = position.and_then(|before| before.play(played));
            found
        };
        line.iter().map(step).collect()
    }

    fn number(&self, square: Square) -> u16 {
        Numbering::internal(self.variant).number(square).into()
    }
}

#[pymethods]
impl Move {
    /// The first square.
    #[getter]
    fn from_square(&self) -> u16 {
        self.number(self.played.from())
    }

    /// The last square.
    #[getter]
    fn to_square(&self) -> u16 {
        self.number(self.played.to())
    }

    /// The squares of the captured pieces, sorted.
    #[getter]
    fn captured(&self) -> Vec<u16> {
        let mut squares: Vec<_> = self.played.captured().iter().map(|square| self.number(square)).collect();
        squares.sort_unstable();
        squares
    }

    /// The squares that the piece goes through: the first one, those between jumps, and the last one.
    ///
    /// >>> import pdn
    /// >>> pdn.Board("W:W32:B19,28").parse_move("32x14").path
    /// [32, 23, 14]
    #[getter]
    fn path(&self) -> Vec<u16> {
        let numbers = |path: Vec<Square>| path.into_iter().map(|square| self.number(square)).collect();
        let paths = self.before.map(|before| before.paths(&self.played)).unwrap_or_default();
        let ends = || vec![self.from_square(), self.to_square()];
        paths.into_iter().map(numbers).min().unwrap_or_else(ends)
    }

    /// True if the move captures.
    #[getter]
    const fn is_capture(&self) -> bool {
        self.played.is_capture()
    }

    /// True if a man becomes a king.
    #[getter]
    const fn promotes(&self) -> bool {
        self.played.promotes()
    }

    /// The variant that the move belongs to.
    #[getter]
    const fn variant(&self) -> crate::variant::Variant {
        crate::variant::Variant(self.variant)
    }

    pub(crate) fn __str__(&self) -> String {
        let names = Numbering::for_variant(self.variant);
        let sign = if self.played.is_capture() { names.capture_sign() } else { '-' };
        format!("{}{sign}{}", names.name(self.played.from()), names.name(self.played.to()))
    }

    fn __repr__(&self) -> String {
        format!("<Move {}>", self.__str__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Reduced)> {
        let restore = slf.py().import("pdn._restore")?.getattr("move")?;
        let made = slf.get();
        let parts = (made.from_square(), made.to_square(), made.captured(), made.promotes());
        Ok((restore, (made.variant.name(), made.before.map(|before| before.fen()), parts)))
    }
}

/// The first and the last square of a move, the captured squares, and true if it promotes.
type Parts = (u16, u16, Vec<u16>, bool);

/// The name of the variant, the position before the move as FEN, and the parts of the move.
type Reduced = (&'static str, Option<String>, Parts);

/// Returns the move of a variant with these parts, in a position if that is known.
#[pyfunction]
pub(crate) fn restore_move(variant: &str, fen: Option<&str>, parts: Parts) -> PyResult<Move> {
    let variant = variant_named(variant)?;
    let numbers = Numbering::internal(variant);
    let square = |number: u16| {
        let found = u8::try_from(number).ok().and_then(|number| numbers.square(number));
        found.ok_or_else(|| ArgumentError::new_err(format!("the board has no square {number}")))
    };
    let (from, to, captured, promotes) = parts;
    let captured = captured.into_iter().map(square).collect::<PyResult<SquareSet>>()?;
    let before = fen.map(|fen| crate::board::position_of(variant, Some(fen))).transpose()?;
    Ok(Move { played: Played::of_parts(square(from)?, square(to)?, captured, promotes), variant, before })
}
