//! Moves.

use pdn::notation::Numbering;
use pdn::rules::{Move as Played, Variant};
use pyo3::prelude::*;

/// A legal move in a position. Squares have the internal numbers of the variant, from 1 at the top left.
///
/// >>> import pdn
/// >>> move = pdn.Board().parse_move("32-28")
/// >>> move.from_square, move.to_square, move.is_capture, str(move)
/// (32, 28, False, '32-28')
#[pyclass(frozen, eq, hash, module = "pdn", from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub(crate) played: Played,
    pub(crate) variant: Variant,
}

impl Move {
    pub(crate) const fn new(played: Played, variant: Variant) -> Self {
        Self { played, variant }
    }

    fn number(&self, square: pdn::board::Square) -> u8 {
        Numbering::internal(self.variant).number(square)
    }
}

#[pymethods]
impl Move {
    /// The first square.
    #[getter]
    fn from_square(&self) -> u8 {
        self.number(self.played.from())
    }

    /// The last square.
    #[getter]
    fn to_square(&self) -> u8 {
        self.number(self.played.to())
    }

    /// The squares of the captured pieces, sorted.
    #[getter]
    fn captured(&self) -> Vec<u16> {
        let mut squares: Vec<_> = self.played.captured().iter().map(|square| self.number(square).into()).collect();
        squares.sort_unstable();
        squares
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
}
