//! Severities.

use std::fmt;

use serde::Serialize;

/// How severe a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Deduced or observed: nothing is wrong.
    Note,
    /// Wrong, but readable.
    Warning,
    /// Something was kept unread or unplayed.
    Error,
}

impl Severity {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
