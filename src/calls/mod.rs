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
mod edit;
#[cfg(feature = "app-engine")]
mod host;
mod options;
mod outlet;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "app-engine")]
mod puzzles;
#[cfg(feature = "app-engine")]
mod report;
mod rows;
#[cfg(feature = "app-engine")]
mod search;
mod session;
mod text;
#[cfg(feature = "app-engine")]
mod thoughts;
#[cfg(feature = "app-engine")]
mod turns;

use std::sync::Arc;

use serde_json::{Value, json};

#[cfg(feature = "app-engine")]
pub use self::host::Host;
pub use self::options::CallOptions;
pub use self::outlet::{Outlet, error_row};
#[cfg(feature = "app-engine")]
pub(crate) use self::puzzles::PuzzlesFormat;
pub use self::session::{Progress, Session};
#[cfg(feature = "app-engine")]
pub use self::thoughts::SearchedPosition;
use crate::error::{Error, Result};
use crate::source::Input;
use options::Reading;

/// Answers a call that needs no input.
///
/// # Errors
///
/// If there is no such call, or its options are unknown or invalid.
///
/// # Examples
///
/// ```
/// use pdn::calls::{CallOptions, answer};
///
/// let answered = answer("position", CallOptions::parse(br#"{ "fen": "W:W31:B20" }"#)?)?;
/// assert_eq!(answered["moves"][0]["notation"], "31-26");
/// # Ok::<(), pdn::Error>(())
/// ```
pub fn answer(name: &str, options: CallOptions) -> Result<Value> {
    match name {
        "version" => options.end().map(|()| json!(env!("CARGO_PKG_VERSION"))),
        "codes" => options.end().map(|()| check::codes()),
        "explain" => check::explain(options),
        "variants" => options.end().map(|()| board::variants()),
        "board" => board::board(options),
        "legalMoves" => board::legal_moves(options),
        "opening" => board::opening(options),
        "position" => board::position(options),
        "play" => board::play(options),
        _ => Err(unknown(name)),
    }
}

/// Begins work on inputs, with answers to an outlet. The options are those of reading, and `options` for the work itself. If there
/// is a host, it does a part of the work.
///
/// # Errors
///
/// If there is no such work, or its options are unknown or invalid.
pub fn begin(
    name: &str,
    mut options: CallOptions,
    inputs: Vec<Result<Input>>,
    outlet: Arc<dyn Outlet>,
    #[cfg(feature = "app-engine")] host: Option<Arc<dyn Host>>,
) -> Result<Box<dyn Session>> {
    let reading = Reading::new(&mut options, inputs, outlet)?;
    #[cfg(feature = "app-engine")]
    let reading = Reading { host, ..reading };
    let own = options.take("options")?.unwrap_or_default();
    options.end()?;
    work(name, reading, own)
}

fn work(name: &str, reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    match name {
        "check" => check::check(reading, options),
        "convert" => text::convert(reading, options),
        "edit" => edit::edit(reading, options),
        "fmt" => text::fmt(reading, options),
        "games" => rows::games(reading, options),
        "reportRows" => rows::report_rows(reading, options),
        #[cfg(feature = "app-engine")]
        "report" => report::report(reading, options),
        #[cfg(feature = "app-engine")]
        "search" => search::search(reading, options),
        #[cfg(feature = "app-engine")]
        "openings" => collections::openings(reading, options),
        #[cfg(feature = "app-engine")]
        "event" => collections::event(reading, options),
        #[cfg(feature = "app-engine")]
        "stats" => collections::stats(reading, options),
        #[cfg(feature = "app-engine")]
        "chart" => collections::chart(reading, options),
        #[cfg(feature = "app-engine")]
        "players" => collections::players(reading, options),
        #[cfg(feature = "app-engine")]
        "puzzles" => puzzles::puzzles(reading, options),
        #[cfg(feature = "app-engine")]
        "count" => annotated::count(reading, options),
        #[cfg(feature = "app-engine")]
        "annotate" => annotated::annotate(reading, options),
        _ => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> Error {
    Error::usage(format!("unknown call `{name}`"))
}
