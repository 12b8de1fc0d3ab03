//! Variants.

use pdn::rules::Variant as Rules;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::values::is_white;

/// A variant of draughts.
///
/// >>> from pdn import Variant
/// >>> russian = Variant("russian")
/// >>> russian.game_type, russian.width, russian.squares
/// (25, 8, 32)
/// >>> Variant("25") == russian
/// True
#[pyclass(frozen, eq, hash, module = "pdn", from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Variant(pub(crate) Rules);

#[pymethods]
impl Variant {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        name.parse().map(Self).map_err(|error: pdn::notation::UnknownVariant| PyValueError::new_err(error.to_string()))
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
#[derive(FromPyObject)]
pub(crate) enum AnyVariant {
    Variant(Variant),
    Name(String),
}

impl AnyVariant {
    pub(crate) fn rules(self) -> PyResult<Rules> {
        match self {
            Self::Variant(variant) => Ok(variant.0),
            Self::Name(name) => Variant::new(&name).map(|variant| variant.0),
        }
    }
}

/// Returns the rules given by an optional argument.
pub(crate) fn optional(variant: Option<AnyVariant>) -> PyResult<Option<Rules>> {
    variant.map(AnyVariant::rules).transpose()
}
