//! Charts: the evaluation graph of a game, which pages draw too, accuracy by year, scores of openings, and results by difference in
//! rating.

#[cfg(feature = "query")]
mod accuracy;
#[cfg(feature = "query")]
mod canvas;
mod evaluation;
#[cfg(feature = "query")]
mod openings;
#[cfg(feature = "query")]
mod query;
#[cfg(feature = "query")]
mod ratings;
#[cfg(feature = "query")]
mod words;

pub(super) use evaluation::curve;
#[cfg(feature = "query")]
pub use query::{Chart, ChartData, ChartKind, ChartOptions, ChartQuery};
#[cfg(feature = "query")]
use words::{Words, joined, step};
