//! Environment errors, as text or as JSON.

use std::ffi::OsString;
use std::io::{Write, stderr};

use serde_json::json;

use crate::error::{Error, ErrorKind};
use crate::text::printable_lines;

/// How errors are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorStyle {
    /// A line of text.
    Text,
    /// A JSON object on a line.
    Json,
}

impl ErrorStyle {
    /// Returns the style that the arguments of the process request: errors are printed as the results are.
    pub(super) fn requested() -> Self {
        Self::of(std::env::args_os())
    }

    /// Returns the style that arguments request. They may be invalid, which is then an error in that style.
    fn of(arguments: impl Iterator<Item = OsString>) -> Self {
        let mut is_value = false;
        let is_json = arguments.into_iter().any(|argument| {
            let is_json = is_value && argument == "json" || argument == "--format=json";
            is_value = argument == "--format";
            is_json
        });
        if is_json { Self::Json } else { Self::Text }
    }

    /// Prints an error to standard error.
    pub(super) fn print(self, error: &Error) {
        let message = error.to_string();
        let line = match self {
            Self::Text => format!("pdn: {}", printable_lines(&message)),
            Self::Json => json_row(error, &message),
        };
        // If standard error is closed, the exit status remains.
        let _ = writeln!(stderr(), "{line}");
    }
}

/// Returns the error of a build that lacks a feature, and how to get a build with it.
pub(super) fn lacks_feature(what: &str, feature: &str) -> Error {
    let advice = format!("install one with `cargo install --path . --features {feature}`");
    Error::usage(format!("this build cannot {what}: it needs the feature `{feature}`; {advice}"))
}

#[cfg(feature = "png")]
pub(super) use crate::report::png;

/// Returns the error of a build that cannot draw PNG.
#[cfg(not(feature = "png"))]
pub(super) fn png(_: &str, _: f32) -> Result<Vec<u8>, Error> {
    Err(lacks_feature("write PNG", "png"))
}

fn json_row(error: &Error, message: &str) -> String {
    let (kind, path) = match error.kind() {
        ErrorKind::Read { path, .. } => ("read", Some(path)),
        ErrorKind::Write { path, .. } => ("write", Some(path)),
        ErrorKind::NothingToRead { path } => ("nothing-to-read", Some(path)),
        ErrorKind::Usage(_) => ("usage", None),
        ErrorKind::Unavailable(_) => ("unavailable", None),
    };
    json!({ "error": message, "kind": kind, "path": path.map(|path| path.to_string_lossy()) }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_is_known_before_the_arguments_are() {
        let of = |arguments: &str| ErrorStyle::of(arguments.split(' ').map(OsString::from));
        assert_eq!(of("pdn check --no-such --format json a"), ErrorStyle::Json);
        assert_eq!(of("pdn check --format=json --jobs 0"), ErrorStyle::Json);
        assert_eq!(of("pdn check --format human json --format"), ErrorStyle::Text);
    }

    #[test]
    fn an_error_as_json_has_its_kind_and_path() {
        let error = Error::read("a\n.pdn", std::io::Error::other("why"));
        let wanted = r#"{"error":"cannot read a\n.pdn: why","kind":"read","path":"a\n.pdn"}"#;
        assert_eq!(json_row(&error, &error.to_string()), wanted);
        assert!(json_row(&Error::usage("x"), "x").contains("\"path\":null"));
    }
}
