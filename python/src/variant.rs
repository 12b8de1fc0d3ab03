//! Variants.

use pdn::notation::Numbering;
use pdn::rules::Variant as Rules;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{ArgumentError, wrong_type};
use crate::numbers::SquareNumber;
use crate::values::is_white;

/// A variant of draughts.
///
/// >>> from pdn import Variant
/// >>> russian = Variant("russian")
/// >>> russian.game_type, russian.width, russian.squares
/// (25, 8, 32)
/// >>> Variant("25") == russian == "russian"
/// True
#[pyclass(frozen, module = "pdn", from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Variant(pub(crate) Rules);

#[pymethods]
impl Variant {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        variant_named(name).map(Self)
    }

    /// The name, such as ``"international"``.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The GameType number, or ``None``.
    #[getter]
    fn game_type(&self) -> Option<u16> {
        self.0.game_type().map(pdn::notation::GameType::number)
    }

    /// The number of columns.
    #[getter]
    fn width(&self) -> u8 {
        self.0.shape().width()
    }

    /// The number of rows.
    #[getter]
    fn height(&self) -> u8 {
        self.0.shape().height()
    }

    /// The number of playable squares.
    #[getter]
    fn squares(&self) -> u8 {
        self.0.shape().square_count()
    }

    /// The side that makes the first move.
    #[getter]
    fn starts(&self) -> bool {
        is_white(self.0.starts())
    }

    /// Returns the name of a square, given by its number.
    ///
    /// >>> from pdn import Variant
    /// >>> Variant("russian").square_name(30), Variant("international").square_name(32)
    /// ('c1', '32')
    fn square_name(&self, square: SquareNumber) -> PyResult<String> {
        let found = Numbering::internal(self.0).square(square.0);
        let found = found.ok_or_else(|| PyIndexError::new_err(format!("the board has no square {square}")))?;
        Ok(Numbering::for_variant(self.0).name(found).to_string())
    }

    /// Returns the number of a square, given by its name. Raises :exc:`ValueError` if the board has none of that name.
    ///
    /// >>> from pdn import Variant
    /// >>> Variant("russian").parse_square("c1")
    /// 30
    fn parse_square(&self, name: &str) -> PyResult<u8> {
        let found = Numbering::for_variant(self.0).find(name);
        let found = found.ok_or_else(|| ArgumentError::new_err(format!("the board has no square `{name}`")))?;
        Ok(Numbering::internal(self.0).number(found))
    }

    /// A variant equals its name.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<Self>() {
            Ok(variant) => *variant.get() == *self,
            Err(_) => other.cast::<PyString>().is_ok_and(|text| *text == self.name()),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, self.name()).hash()
    }

    fn __str__(&self) -> &'static str {
        self.name()
    }

    fn __repr__(&self) -> String {
        format!("Variant('{}')", self.name())
    }

    fn __getnewargs__(&self) -> (&'static str,) {
        (self.name(),)
    }
}

/// Returns the rules of the variant with a name.
pub(crate) fn variant_named(name: &str) -> PyResult<Rules> {
    name.parse().map_err(|error: pdn::ParseError| ArgumentError::new_err(error.to_string()))
}

/// Returns all built-in variants.
///
/// >>> from pdn import variants
/// >>> [variant.name for variant in variants()][:3]
/// ['international', 'english', 'italian']
#[pyfunction]
pub(crate) fn variants() -> Vec<Variant> {
    Rules::ALL.iter().copied().map(Variant).collect()
}

/// A variant argument: a [`Variant`] or its name.
pub(crate) enum AnyVariant {
    Variant(Variant),
    Name(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for AnyVariant {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let variant = given.extract().map(Self::Variant);
        variant.or_else(|_| given.extract().map(Self::Name)).map_err(|_| wrong_type("a variant or its name", &given))
    }
}

impl AnyVariant {
    pub(crate) fn rules(self) -> PyResult<Rules> {
        match self {
            Self::Variant(variant) => Ok(variant.0),
            Self::Name(name) => variant_named(&name),
        }
    }
}

/// Returns the rules given by an optional argument.
pub(crate) fn optional(variant: Option<AnyVariant>) -> PyResult<Option<Rules>> {
    variant.map(AnyVariant::rules).transpose()
}
