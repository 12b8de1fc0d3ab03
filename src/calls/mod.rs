//! The calls of the application: questions about positions, and work on records, with answers as messages in JSON and pieces of
//! output.
//!
//! The WebAssembly module and the server answer the same calls with this code, so an application that speaks to one of them
//! speaks to the other. A call has a name and options as JSON; the npm package documents them.

#[cfg(feature = "app-engine")]
mod annotated;
mod board;
mod check;
#[cfg(feature = "app-engine")]
mod collections;
#[cfg(feature = "app-engine")]
mod host;
mod options;
mod outlet;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "app-engine")]
mod report;
mod rows;
#[cfg(feature = "app-engine")]
mod search;
mod session;
mod text;
#[cfg(feature = "app-engine")]
mod thoughts;

use serde_json::{Value, json};

#[cfg(feature = "app-engine")]
pub use self::host::Host;
pub use self::options::{Rules, WorkCall, options_of, parse_options};
pub use self::outlet::{Outlet, error_row};
pub use self::session::{Progress, Session};
#[cfg(feature = "app-engine")]
pub use self::thoughts::{EngineQuestion, SearchedPosition};
use crate::error::{Error, Result};
use options::Reading;

/// Answers a call that needs no input.
///
/// # Errors
///
/// If there is no such call, or its options are invalid.
///
/// # Examples
///
/// ```
/// use pdn::calls::answer;
/// use serde_json::json;
///
/// let answered = answer("position", json!({ "fen": "W:W31:B20" }))?;
/// assert_eq!(answered["moves"][0]["notation"], "31-26");
/// # Ok::<(), pdn::Error>(())
/// ```
pub fn answer(name: &str, options: Value) -> Result<Value> {
    match name {
        "version" => Ok(json!(env!("CARGO_PKG_VERSION"))),
        "codes" => Ok(check::codes()),
        "explain" => check::explain(&options_of(options)?),
        "variants" => Ok(board::variants()),
        "board" => board::board(&options_of(options)?),
        "legalMoves" => board::legal_moves(options_of(options)?),
        "position" => board::position(&options_of(options)?),
        "play" => board::play(&options_of(options)?),
        _ => Err(unknown(name)),
    }
}

/// Begins work on inputs.
fn begin(name: &str, reading: Reading, options: Value) -> Result<Box<dyn Session>> {
    match name {
        "check" => check::check(reading, options_of(options)?),
        "convert" => text::convert(reading, &options_of(options)?),
        "fmt" => text::fmt(reading, &options_of(options)?),
        "games" => rows::games(reading),
        "reportRows" => rows::report_rows(reading, &options_of(options)?),
        #[cfg(feature = "app-engine")]
        "report" => report::report(reading, &options_of(options)?),
        #[cfg(feature = "app-engine")]
        "search" => search::search(reading, options_of(options)?),
        #[cfg(feature = "app-engine")]
        "openings" => collections::openings(reading, &options_of(options)?),
        #[cfg(feature = "app-engine")]
        "event" => collections::event(reading, options_of(options)?),
        #[cfg(feature = "app-engine")]
        "stats" => collections::stats(reading, &options_of(options)?),
        #[cfg(feature = "app-engine")]
        "count" => annotated::count(reading),
        #[cfg(feature = "app-engine")]
        "annotate" => annotated::annotate(reading, &options_of(options)?),
        _ => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> Error {
    Error::usage(format!("unknown call `{name}`"))
}
