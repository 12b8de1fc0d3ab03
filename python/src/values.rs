//! Small values: sides and outcomes.

use std::time::Duration;

use pdn::board::Side;
use pdn::notation::Outcome as Result;
use pyo3::prelude::*;

use crate::errors::ArgumentError;
use crate::numbers::Seconds;

/// Returns true for White: `pdn.WHITE` is true, `pdn.BLACK` false.
pub(crate) fn is_white(side: Side) -> bool {
    side == Side::White
}

/// Returns a time in seconds.
pub(crate) fn duration(Seconds(seconds): Seconds) -> PyResult<Duration> {
    let expected = if seconds >= 1.0 { "a smaller number of seconds" } else { "a number of seconds of at least 0" };
    let invalid = |_| ArgumentError::new_err(format!("expected {expected}, found {seconds:?}"));
    Duration::try_from_secs_f64(seconds).map_err(invalid)
}

/// How a game ended.
#[pyclass(frozen, eq, hash, module = "pdn")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    /// The winner, or ``None`` for a draw.
    #[pyo3(get)]
    pub(crate) winner: Option<bool>,
    /// The reason: ``"no-moves"``, or the name of a draw rule such as ``"threefold"``.
    #[pyo3(get)]
    pub(crate) termination: String,
    pub(crate) result: &'static str,
}

impl Outcome {
    pub(crate) fn new(winner: Option<Side>, termination: &str, variant: pdn::rules::Variant) -> Self {
        let outcome = winner.map_or(Result::Draw, Result::Win);
        Self { winner: winner.map(is_white), termination: termination.to_owned(), result: outcome.result_text(variant) }
    }

    /// Returns the outcome without its reason.
    pub(crate) fn of_notation(&self) -> Result {
        let side = |is_white| if is_white { Side::White } else { Side::Black };
        self.winner.map_or(Result::Draw, |winner| Result::Win(side(winner)))
    }
}

#[pymethods]
impl Outcome {
    /// The result in the style of the variant: ``"2-0"``, ``"1-0"`` …
    fn result(&self) -> &'static str {
        self.result
    }

    fn __repr__(&self) -> String {
        let winner = match self.winner {
            None => "None",
            Some(true) => "WHITE",
            Some(false) => "BLACK",
        };
        format!("Outcome(winner={winner}, termination='{}', result='{}')", self.termination, self.result)
    }
}
