//! Rules files given by the user.

use std::fmt::Write;
use std::path::Path;

use super::config::read_limited;
use crate::error::{Error, Result};
use crate::notation::{RulesIssues, read_rules};
use crate::rules::Variant;
use crate::text::Lines;

/// Reads a rules file.
///
/// # Errors
///
/// If the file cannot be read, or with every error in it and its location.
pub(super) fn read(path: &Path) -> Result<Variant> {
    let bytes = read_limited(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let (line, column) = Lines::new(&bytes).line_column(error.valid_up_to());
        Error::usage(format!("{}:{line}:{column}: the rules file is not UTF-8", path.display()))
    })?;
    read_rules(text).map_err(|issues| Error::usage(report(path, text, &issues)))
}

/// Returns all errors, one per line.
fn report(path: &Path, text: &str, issues: &RulesIssues) -> String {
    let path = path.display();
    let mut lines = Lines::new(text.as_bytes());
    let mut report = format!("invalid rules file {path}:");
    for issue in issues {
        let (line, column) = lines.line_column(issue.span().start as usize);
        // Writing to a string cannot fail.
        let _ = write!(report, "\n{path}:{line}:{column}: {}", issue.reason());
    }
    report
}
