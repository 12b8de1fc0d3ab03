//! Where the answers of calls go.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use crate::error::{Error, ErrorKind, Result};

/// What receives the answers of work: messages, each a JSON object with one field, and pieces of output, as soon as they are made.
pub trait Outlet: Send + Sync {
    /// Takes a piece of output.
    ///
    /// # Errors
    ///
    /// If it cannot be passed on, which ends the work.
    fn output(&self, bytes: &[u8]) -> Result<()>;

    /// Takes a message.
    ///
    /// # Errors
    ///
    /// If it cannot be passed on, which ends the work.
    fn message(&self, json: &str) -> Result<()>;

    /// Returns the time in milliseconds since any fixed moment.
    fn now(&self) -> f64;

    /// Returns true if a file of data, such as `international.pdnw`, must be taken before a game is annotated.
    fn lacks(&self, _data: &str) -> bool {
        false
    }
}

/// Returns the fields of an error: its kind, `usage` or `unavailable`, and its message.
pub fn error_row(error: &Error) -> Value {
    let kind = if matches!(error.kind(), ErrorKind::Usage(_)) { "usage" } else { "unavailable" };
    json!({ "kind": kind, "message": error.to_string() })
}

/// An outlet that the parts of work share.
#[derive(Clone)]
pub(super) struct Out(Arc<dyn Outlet>);

impl Out {
    pub(super) const fn new(outlet: Arc<dyn Outlet>) -> Self {
        Self(outlet)
    }

    /// Writes a piece of output.
    pub(super) fn output(&self, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() { Ok(()) } else { self.0.output(bytes) }
    }

    /// Sends a message with one field.
    pub(super) fn send(&self, name: &str, value: &impl Serialize) -> Result<()> {
        // A map with text as its keys always has its JSON.
        let value = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
        self.0.message(&format!("{{\"{name}\":{value}}}"))
    }

    /// Sends values that are JSON already as an array.
    pub(super) fn send_array(&self, name: &str, values: &[String]) -> Result<()> {
        if values.is_empty() { Ok(()) } else { self.0.message(&format!("{{\"{name}\":[{}]}}", values.join(","))) }
    }

    /// Sends the result of work.
    pub(super) fn result(&self, value: &impl Serialize) -> Result<()> {
        self.send("result", value)
    }

    pub(super) fn now(&self) -> f64 {
        self.0.now()
    }

    pub(super) fn lacks(&self, data: &str) -> bool {
        self.0.lacks(data)
    }
}
