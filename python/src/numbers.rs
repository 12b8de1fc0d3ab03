//! Whole numbers that Python passes, each for an argument with a name and limits.

use pdn::engine::{Asker, MAX_LINES, MAX_THREADS};
use pdn::rules::MAX_PERFT_DEPTH;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{ArgumentError, wrong_type};

/// Reads a whole number. Without a maximum, a number that is too large for its type counts as the largest one of it.
fn number(name: &str, (least, most): (i128, Option<i128>), given: &Bound<'_, PyAny>) -> PyResult<i128> {
    let number = given.extract().or_else(|error: PyErr| {
        let py = given.py();
        if error.is_instance_of::<PyTypeError>(py) {
            return Err(wrong_type(&format!("a whole number for {name}"), given));
        }
        let is_large = error.is_instance_of::<PyOverflowError>(py);
        if is_large { Ok(if given.lt(0)? { i128::MIN } else { i128::MAX }) } else { Err(error) }
    })?;
    if number >= least && most.is_none_or(|most| number <= most) {
        return Ok(number);
    }
    let expected = most.map_or_else(|| format!("of at least {least}"), |most| format!("from {least} to {most}"));
    let value = number_text(given);
    Err(ArgumentError::new_err(format!("invalid value `{value}` for {name}; expected a number {expected}")))
}

/// Returns a number as text.
fn number_text(given: &Bound<'_, PyAny>) -> String {
    // Python does not write numbers of thousands of digits.
    given.str().map_or_else(|_| "…".to_owned(), |text| text.to_string())
}

/// Reads a whole number of a type with a largest value.
fn whole<T: TryFrom<i128>>(
    name: &str,
    limits: (i128, Option<i128>),
    largest: T,
    given: &Bound<'_, PyAny>,
) -> PyResult<T> {
    Ok(T::try_from(number(name, limits, given)?).unwrap_or(largest))
}

/// Reads the number of positions in an array.
pub(crate) fn batch(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole("batch", (1, None), usize::MAX, given)
}

/// Reads the number of the first game.
pub(crate) fn first(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("first", (1, None), u64::MAX, given)
}

/// Reads the size of a transposition table in megabytes.
pub(crate) fn hash_mb(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole("hash_mb", (1, Some(Asker::Owner.max_hash_mb() as i128)), usize::MAX, given)
}

/// Reads the number of lines of an analysis.
pub(crate) fn lines(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole("multipv", (1, Some(MAX_LINES as i128)), usize::MAX, given)
}

/// Reads the number of threads of an engine.
pub(crate) fn engine_threads(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    whole("threads", (1, Some(MAX_THREADS as i128)), usize::MAX, given)
}

/// Reads what counts as a win, in centi-men.
pub(crate) fn win_value(given: &Bound<'_, PyAny>) -> PyResult<i32> {
    whole("win", (i128::from(i32::MIN), Some(i128::from(i32::MAX))), i32::MAX, given)
}

/// Declares the numbers of an argument without a default each: their type, its name, the least and the largest one, or none.
macro_rules! numbers {
    ($($(#[$doc:meta])* $Name:ident($type:ty): $name:literal, $least:expr, $most:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $Name(pub(crate) $type);

        impl<'a, 'py> FromPyObject<'a, 'py> for $Name {
            type Error = PyErr;

            fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
                whole($name, (i128::from($least), $most), <$type>::MAX, &given).map(Self)
            }
        }
    )+};
}

numbers! {
    /// An evaluation in centi-men.
    CentiMen(i32): "cm", i32::MIN, Some(i128::from(i32::MAX));
    /// Plies of a search.
    Depth(u32): "depth", 1, None;
    /// Threads of work.
    Jobs(usize): "jobs", 1, None;
    /// The number of the last game.
    Last(u64): "last", 0, None;
    /// The number of a glyph, of up to three digits.
    Nag(u16): "nags", 0, Some(999);
    /// Nodes of a search.
    Nodes(u64): "nodes", 1, None;
    /// Plies of a leaf count.
    PerftDepth(u32): "depth", 0, Some(i128::from(MAX_PERFT_DEPTH));
    /// Moves until more time is added.
    RemainingMoves(u32): "remaining_moves", 1, None;
    /// Plies to a win.
    WinIn(u32): "win_in", 0, Some(i128::from(u32::MAX));
}

/// A number of seconds. What is beyond any number is infinite.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(pub(crate) f64);

impl Seconds {
    /// Reads the number, for arguments whose default is shown in the signature.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<f64> {
        given.extract().or_else(|error: PyErr| {
            if error.is_instance_of::<PyTypeError>(given.py()) {
                return Err(wrong_type("a number of seconds", given));
            }
            if error.is_instance_of::<PyOverflowError>(given.py()) { Ok(f64::INFINITY) } else { Err(error) }
        })
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Seconds {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Self::of(&given).map(Self)
    }
}

/// Reads a list argument. A text is not a list of its letters.
pub(crate) fn list<'py, T: FromPyObjectOwned<'py>>(expected: &str, given: &Bound<'py, PyAny>) -> PyResult<Vec<T>> {
    // NumPy's arrays are sequences for C only.
    let is_list = !given.is_instance_of::<PyString>() && given.len().is_ok();
    if is_list { given.extract() } else { Err(wrong_type(expected, given)) }
}

/// An argument with several glyphs.
#[derive(Default)]
pub(crate) struct Nags(pub(crate) Vec<Nag>);

impl<'a, 'py> FromPyObject<'a, 'py> for Nags {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        list("a list of glyphs", &given).map(Self)
    }
}

/// The number that a square of a board may have.
#[derive(Clone, Copy)]
pub(crate) struct SquareNumber(pub(crate) u8);

impl std::fmt::Display for SquareNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for SquareNumber {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let number = number("a square", (i128::MIN, None), &given)?;
        let missing = |_| PyIndexError::new_err(format!("the board has no square {}", number_text(&given)));
        u8::try_from(number).map(Self).map_err(missing)
    }
}
