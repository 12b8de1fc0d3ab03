//! Numbers of diagnostics by code, as a table or as JSON.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::counts::Counts;
use crate::diag::{Code, Severity};

/// Numbers of diagnostics of all files.
#[derive(Default)]
pub(super) struct Statistics {
    counts: Counts,
    /// Numbers of files with such diagnostics.
    files: BTreeMap<(Code, Severity), u64>,
}

/// The diagnostics of a code and a severity.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Row {
    code: Code,
    severity: Severity,
    count: u64,
    files: u64,
}

impl Statistics {
    /// Adds the diagnostics of a file.
    pub(super) fn add_file(&mut self, counts: &[Counts]) {
        let mut file = Counts::default();
        for (code, severity, count) in counts.iter().flat_map(Counts::iter) {
            file.add(code, severity, count);
        }
        for (code, severity, count) in file.iter() {
            self.counts.add(code, severity, count);
            *self.files.entry((code, severity)).or_default() += 1;
        }
    }

    /// Returns a row for each code and severity, the most frequent first.
    pub(super) fn rows(&self) -> Vec<Row> {
        let files = |code, severity| self.files.get(&(code, severity)).copied().unwrap_or_default();
        let counts = self.counts.iter();
        let mut rows: Vec<_> =
            counts.map(|(code, severity, count)| Row { code, severity, count, files: files(code, severity) }).collect();
        rows.sort_by_key(|row| (Reverse(row.count), row.code.name()));
        rows
    }

    /// Returns the rows as a table for people.
    pub(super) fn table(&self) -> String {
        let mut table = String::new();
        let rows = self.rows();
        if !rows.is_empty() {
            table.push_str("   count   files  severity  code\n");
        }
        for Row { code, severity, count, files } in &rows {
            // Writing to a string cannot fail.
            let _ = writeln!(table, "{count:>8} {files:>7}  {severity:<8}  {code}");
        }
        if !rows.is_empty() {
            table.push('\n');
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(list: &[(Code, Severity, u64)]) -> Counts {
        let mut counts = Counts::default();
        for &(code, severity, count) in list {
            counts.add(code, severity, count);
        }
        counts
    }

    #[test]
    fn codes_are_counted_over_files_and_the_most_frequent_is_first() {
        let mut statistics = Statistics::default();
        let early = (Code::DRAW_EARLY, Severity::Note, 2);
        statistics.add_file(&[counts(&[early]), counts(&[early, (Code::TAG_DATE, Severity::Warning, 1)])]);
        statistics.add_file(&[counts(&[(Code::TAG_DATE, Severity::Warning, 9)])]);
        let row = |code, severity, count, files| Row { code, severity, count, files };
        let wanted = [row(Code::TAG_DATE, Severity::Warning, 10, 2), row(Code::DRAW_EARLY, Severity::Note, 4, 1)];
        assert_eq!(statistics.rows(), wanted);
        assert_eq!(statistics.table().lines().nth(1), Some("      10       2  warning   tag/date"));
        assert!(Statistics::default().table().is_empty());
    }
}
