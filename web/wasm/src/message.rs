//! What leaves the module.

use pdn::{Error, ErrorKind};
use serde::Serialize;
use serde_json::json;

use crate::abi::emit;

/// What bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Output,
    Message,
    Panic,
}

/// Writes a piece of output.
#[expect(clippy::unnecessary_wraps, reason = "writers of the crate may fail")]
pub(crate) fn output(bytes: &[u8]) -> pdn::Result<()> {
    if !bytes.is_empty() {
        emit(Kind::Output, bytes);
    }
    Ok(())
}

/// Sends a message with one field.
pub(crate) fn send(name: &str, value: &impl Serialize) {
    // A map with text as its keys always has its JSON.
    let value = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
    emit(Kind::Message, format!("{{\"{name}\":{value}}}").as_bytes());
}

/// Sends values that are JSON already as an array.
pub(crate) fn send_array(name: &str, values: &[String]) {
    if !values.is_empty() {
        emit(Kind::Message, format!("{{\"{name}\":[{}]}}", values.join(",")).as_bytes());
    }
}

/// Sends the result of a call or of work.
pub(crate) fn result(value: &impl Serialize) {
    send("result", value);
}

pub(crate) fn error(error: &Error) {
    let kind = if matches!(error.kind(), ErrorKind::Usage(_)) { "usage" } else { "unavailable" };
    send("error", &json!({ "kind": kind, "message": error.to_string() }));
}
