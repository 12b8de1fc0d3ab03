//! Whole numbers that Python passes, each for an argument with a name and limits.

use pdn::engine::{Asker, MAX_LINES, MAX_THREADS};
use pdn::rules::MAX_PERFT_DEPTH;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

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
    // Python does not write numbers of thousands of digits.
    let value = given.str().map_or_else(|_| "…".to_owned(), |text| text.to_string());
    Err(ArgumentError::new_err(format!("invalid value `{value}` for {name}; expected a number {expected}")))
}

/// Declares the numbers of an argument each: their type, its name, the least and the largest one, or none.
macro_rules! numbers {
    ($($(#[$doc:meta])* $Name:ident($type:ty): $name:literal, $least:expr, $most:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $Name(pub(crate) $type);

        impl<'a, 'py> FromPyObject<'a, 'py> for $Name {
            type Error = PyErr;

            fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
                let number = number($name, (i128::from($least), $most), &given)?;
                Ok(Self(<$type>::try_from(number).unwrap_or(<$type>::MAX)))
            }
        }
    )+};
}

numbers! {
    /// Positions in an array.
    Batch(usize): "batch", 1, None;
    /// An evaluation in centi-men.
    CentiMen(i32): "cm", i32::MIN, Some(i128::from(i32::MAX));
    /// Plies of a search.
    Depth(u32): "depth", 1, None;
    /// The number of the first game.
    First(u64): "first", 1, None;
    /// Size of a transposition table in megabytes.
    HashMb(usize): "hash_mb", 1, Some(Asker::Owner.max_hash_mb() as i128);
    /// Threads of work.
    Jobs(usize): "jobs", 1, None;
    /// The number of the last game.
    Last(u64): "last", 0, None;
    /// Lines of an analysis.
    Lines(usize): "multipv", 1, Some(MAX_LINES as i128);
    /// The number of a glyph.
    Nag(u16): "nags", 0, Some(i128::from(u16::MAX));
    /// Nodes of a search.
    Nodes(u64): "nodes", 1, None;
    /// Plies of a leaf count.
    PerftDepth(u32): "depth", 0, Some(i128::from(MAX_PERFT_DEPTH));
    /// Moves until more time is added.
    RemainingMoves(u32): "remaining_moves", 1, None;
    /// Threads of an engine.
    Threads(usize): "threads", 1, Some(MAX_THREADS as i128);
    /// Plies to a win.
    WinIn(u32): "win_in", 0, Some(i128::from(u32::MAX));
    /// What counts as a win, in centi-men.
    WinValue(i32): "win", i32::MIN, Some(i128::from(i32::MAX));
}

/// A number of seconds. What is beyond any number is infinite.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(pub(crate) f64);

impl<'a, 'py> FromPyObject<'a, 'py> for Seconds {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match given.extract() {
            Ok(seconds) => Ok(Self(seconds)),
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => Ok(Self(f64::INFINITY)),
            Err(error) if error.is_instance_of::<PyTypeError>(given.py()) => {
                Err(wrong_type("a number of seconds", &given))
            }
            Err(error) => Err(error),
        }
    }
}

/// The number of a square, or another number, which no square has.
#[derive(Clone, Copy)]
pub(crate) struct SquareNumber(i128);

impl SquareNumber {
    /// Returns the number if a square of a board may have it.
    pub(crate) fn get(self) -> Option<u8> {
        u8::try_from(self.0).ok()
    }
}

impl std::fmt::Display for SquareNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for SquareNumber {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        number("a square", (i128::MIN, None), &given).map(Self)
    }
}
