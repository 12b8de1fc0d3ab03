//! The WebAssembly of the npm package: work on records in steps, and answers about positions.
//!
//! The interface to JavaScript is a few functions over numbers, without generated glue (`pdn.js` is written by hand): calls
//! have a name and options as JSON; answers are messages in JSON and pieces of output, which leave as soon as they are made;
//! inputs are read piece by piece. So memory, which a module never gives back, does not grow with the records. What the calls
//! do is in `pdn::calls`.

mod abi;
mod data;
#[cfg(feature = "engine")]
mod engine;

use pdn::Result;
use pdn::calls::CallOptions;
use serde_json::Value;

/// Answers a call that needs no input.
fn call(name: &str, options: CallOptions) -> Result<Value> {
    match name {
        #[cfg(feature = "engine")]
        "weightsFile" | "engine" | "analyse" | "setLines" | "newGame" | "freeEngine" => engine::call(name, options),
        _ => pdn::calls::answer(name, options),
    }
}
