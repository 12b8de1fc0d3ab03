//! The diagnostics that are shown, chosen in the order of the text.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::report::{Entry, Report};
use super::summary::{Counts, Statistics};
use crate::check::{Known, Summary};
use crate::cli::words::counted;
use crate::diag::{Paint, Severity, in_language};
use crate::text::{Language, printable};

/// How many diagnostics are shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    /// Of each code in a file.
    pub(super) per_code: u64,
    /// Of all files.
    pub(super) total: u64,
}

/// Chooses the diagnostics to show, and counts the others.
#[derive(Default)]
pub(super) struct Shown {
    limits: Limits,
    paint: Paint,
    language: Language,
    /// Number of times each diagnostic of the baselines was found, by the settings of their files.
    seen: BTreeMap<(usize, Known), u64>,
    file: File,
    /// Number of diagnostics shown of all files.
    total: u64,
    /// Number of those above the limit.
    above_total: u64,
    /// Number of diagnostics that the baseline hides.
    pub(super) hidden: u64,
    has_error: bool,
    /// The beginning of the first error; empty if it is easily seen.
    first_error: String,
    pub(super) statistics: Statistics,
    pub(super) summary: Summary,
}

/// The diagnostics of the current file.
#[derive(Default)]
struct File {
    label: String,
    shown: Counts,
    /// Those not shown because there are too many with their code.
    more: Counts,
}

impl Shown {
    pub(super) fn new(limits: Limits, paint: Paint, language: Language) -> Self {
        Self { limits, paint, language, ..Self::default() }
    }

    /// Begins a file, and returns a line for each code of the previous file with more diagnostics than are shown.
    pub(super) fn begin(&mut self, label: &str) -> String {
        let lines = self.end_file();
        self.file.label = printable(label).into_owned();
        self.summary.count_file();
        lines
    }

    /// Ends the current file, and returns a line for each code with more diagnostics than are shown.
    pub(super) fn end_file(&mut self) -> String {
        let File { label, shown, more } = std::mem::take(&mut self.file);
        let mut lines = String::new();
        let mut most_severe: Vec<_> = more.iter().collect();
        most_severe.sort_by_key(|&(_, severity, _)| Reverse(severity));
        for (code, severity, number) in most_severe {
            let name = in_language(severity.name(), self.language);
            let title = self.paint.severity(severity, &format!("{name}[{code}]"));
            let more = in_language(&format!("{number} more in {label}; --all shows them"), self.language);
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{title}: {more}");
        }
        if !lines.is_empty() {
            lines.push('\n');
        }
        self.statistics.add_file(&[shown, more]);
        lines
    }

    /// Returns the text of the diagnostics of a chunk that are shown.
    pub(super) fn chunk(&mut self, report: &Report) -> Vec<u8> {
        self.summary += &report.summary;
        let mut text = Vec::new();
        let mut start = 0;
        for entry in &report.entries {
            let written = &report.text[start..entry.end];
            if self.shows(entry) {
                text.extend_from_slice(written);
            }
            if entry.severity == Severity::Error {
                // Not before the baseline has been asked.
                self.keep_error(written);
            }
            start = entry.end;
        }
        for (code, severity, number) in report.rest.iter() {
            if code.is_once_per_file() {
                self.summary.discount(severity, number);
                continue;
            }
            self.leave_out(|file| file.more.add(code, severity, number), number);
        }
        text
    }

    /// Keeps the beginning of the first error, if many other diagnostics are shown before it.
    fn keep_error(&mut self, written: &[u8]) {
        const MANY: u64 = 10;
        // An error below fewer diagnostics is still found by eye, and not repeated.
        if !std::mem::replace(&mut self.has_error, true) && self.total > MANY {
            let text = String::from_utf8_lossy(written);
            self.first_error = text.lines().take(2).map(str::trim).collect::<Vec<_>>().join(" ");
        }
    }

    /// Returns a line with the first error, if many other diagnostics are shown before it.
    pub(super) fn first_error(&self) -> String {
        let line = || in_language(&format!("the first error: {}", self.first_error), self.language) + "\n";
        if self.first_error.is_empty() { String::new() } else { line() }
    }

    fn shows(&mut self, entry: &Entry) -> bool {
        let &Entry { code, severity, count, .. } = entry;
        if self.is_hidden(entry) {
            return false;
        }
        if code.is_once_per_file() && self.file.shown.of(code) + self.file.more.of(code) > 0 {
            self.summary.discount(severity, count);
            return false;
        }
        // First, because what this limit leaves out does not count for that of all codes.
        if self.file.shown.of(code) >= self.limits.per_code {
            self.leave_out(|file| file.more.add(code, severity, count), count);
            return false;
        }
        if self.total >= self.limits.total {
            self.above_total += count;
            return false;
        }
        self.total += 1;
        self.file.shown.add(code, severity, count);
        true
    }

    /// Counts diagnostics that are not shown: for the file or, once --max-diagnostics is reached, for all files.
    fn leave_out(&mut self, add: impl FnOnce(&mut File), number: u64) {
        if self.total < self.limits.total {
            add(&mut self.file);
        } else {
            self.above_total += number;
        }
    }

    /// Returns true if the baseline has the diagnostic, and takes it from the summary.
    fn is_hidden(&mut self, entry: &Entry) -> bool {
        let Some(known) = &entry.known else { return false };
        let seen = self.seen.entry((entry.settings, known.clone())).or_default();
        *seen += 1;
        let is_hidden = *seen <= entry.allowed;
        if is_hidden {
            self.hidden += entry.count;
            self.summary.discount(entry.severity, entry.count);
        }
        is_hidden
    }

    /// Returns a line with the number of diagnostics above the limit of all files, if there are any.
    pub(super) fn rest(&self) -> String {
        if self.above_total == 0 {
            return String::new();
        }
        let more = counted(self.above_total, "more diagnostic is", "more diagnostics are");
        format!("{more} not shown, because of --max-diagnostics\n\n")
    }

    /// Returns the number of times each diagnostic of the baselines was found. Each file has one baseline.
    pub(super) fn seen(&self) -> BTreeMap<&Known, u64> {
        self.seen.iter().map(|((_, known), &count)| (known, count)).collect()
    }
}
