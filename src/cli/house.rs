//! House rules that users give.

use std::fmt::Write;
use std::path::Path;

use crate::error::{Error, Result};
use crate::notation::{RulesError, read_rules};
use crate::rules::Variant;
use crate::text::Lines;

/// Reads a rules file.
///
/// # Errors
///
/// If it cannot be read, or with every fault in it and its place.
pub(super) fn read(path: &Path) -> Result<Variant> {
    let bytes = std::fs::read(path).map_err(|fault| Error::read(path, fault))?;
    let text = std::str::from_utf8(&bytes).map_err(|fault| {
        let (line, column) = Lines::new(&bytes).line_column(fault.valid_up_to());
        Error::usage(format!("{}:{line}:{column}: the rules are not in UTF-8", path.display()))
    })?;
    read_rules(text).map_err(|fault| Error::usage(told(path, text, &fault)))
}

/// All faults, a line each.
fn told(path: &Path, text: &str, fault: &RulesError) -> String {
    let path = path.display();
    let mut lines = Lines::new(text.as_bytes());
    let mut told = format!("the rules in {path} cannot be used:");
    for fault in fault.faults() {
        let (line, column) = lines.line_column(fault.span.start as usize);
        // Writing to a string cannot fail.
        let _ = write!(told, "\n{path}:{line}:{column}: {}", fault.reason);
    }
    told
}
