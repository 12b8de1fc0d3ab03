//! The WebAssembly of the npm package `pdn`: work on records in steps, and answers about positions.
//!
//! The interface to JavaScript is a few functions over numbers, without generated glue (`pdn.js` is written by hand): calls
//! have a name and options as JSON; answers are messages in JSON and pieces of output, which leave as soon as they are made;
//! inputs are read piece by piece. So memory, which a module never gives back, does not grow with the records.

mod abi;
mod board;
mod check;
#[cfg(feature = "engine")]
mod collections;
#[cfg(feature = "engine")]
mod engine;
mod message;
mod options;
#[cfg(feature = "engine")]
mod report;
mod rows;
#[cfg(feature = "engine")]
mod search;
mod session;
mod text;

use pdn::{Error, Result};
use serde_json::{Value, json};

use self::session::Session;

/// Answers a call that needs no input.
fn call(name: &str, options: Value) -> Result<Value> {
    match name {
        "version" => Ok(json!(env!("CARGO_PKG_VERSION"))),
        "codes" => Ok(check::codes()),
        "explain" => check::explain(&options::of(options)?),
        "variants" => Ok(board::variants()),
        "board" => board::board(&options::of(options)?),
        "legalMoves" => board::legal_moves(options::of(options)?),
        "position" => board::position(&options::of(options)?),
        "play" => board::play(&options::of(options)?),
        #[cfg(feature = "engine")]
        _ => engine::call(name, options),
        #[cfg(not(feature = "engine"))]
        _ => Err(unknown(name)),
    }
}

/// Begins work on inputs.
fn open(name: &str, reading: options::Reading, options: Value) -> Result<Box<dyn Session>> {
    match name {
        "check" => check::check(reading, options::of(options)?),
        "convert" => text::convert(reading, &options::of(options)?),
        "fmt" => text::fmt(reading, &options::of(options)?),
        "games" => rows::games(reading),
        "reportRows" => rows::report_rows(reading, &options::of(options)?),
        #[cfg(feature = "engine")]
        _ => open_larger(name, reading, options),
        #[cfg(not(feature = "engine"))]
        _ => Err(unknown(name)),
    }
}

/// Begins work for which a page loads the larger module.
#[cfg(feature = "engine")]
fn open_larger(name: &str, reading: options::Reading, options: Value) -> Result<Box<dyn Session>> {
    match name {
        "report" => report::report(reading, &options::of(options)?),
        "search" => search::search(reading, options::of(options)?),
        "openings" => collections::openings(reading, &options::of(options)?),
        "event" => collections::event(reading, options::of(options)?),
        "stats" => collections::stats(reading, &options::of(options)?),
        "count" => engine::count(reading),
        "annotate" => engine::annotate(reading, &options::of(options)?),
        _ => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> Error {
    Error::usage(format!("unknown call `{name}`"))
}
