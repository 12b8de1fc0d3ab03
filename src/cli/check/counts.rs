//! Numbers of diagnostics by code and severity.

use std::collections::BTreeMap;

use crate::diag::{Code, Severity};

/// Numbers of diagnostics by code and severity; small, however many there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(BTreeMap<(Code, Severity), u64>);

impl Counts {
    pub(super) fn add(&mut self, code: Code, severity: Severity, count: u64) {
        *self.0.entry((code, severity)).or_default() += count;
    }

    /// Number of diagnostics of a code.
    pub(super) fn of(&self, code: Code) -> u64 {
        self.0.range((code, Severity::Note)..=(code, Severity::Error)).map(|(_, count)| count).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Code, Severity, u64)> {
        self.0.iter().map(|(&(code, severity), &count)| (code, severity, count))
    }
}
