//! Numbers of diagnostics by code, as a table or as JSON, and the summary in words.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::check::Summary;
use crate::cli::words::{count, counted};
use crate::diag::{Code, Severity};

/// Counts of diagnostics by code and severity; its size does not depend on their number.
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

/// Numbers of diagnostics of all files, and of files with such diagnostics.
#[derive(Default)]
pub(super) struct Statistics(BTreeMap<(Code, Severity), [u64; 2]>);

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
            let [all, files] = self.0.entry((code, severity)).or_default();
            (*all, *files) = (*all + count, *files + 1);
        }
    }

    /// Returns a row for each code and severity: errors first, then warnings, the most frequent first.
    pub(super) fn rows(&self) -> Vec<Row> {
        let row =
            |(&(code, severity), &[count, files]): (&(Code, Severity), &[u64; 2])| Row { code, severity, count, files };
        let mut rows: Vec<_> = self.0.iter().map(row).collect();
        rows.sort_by_key(|row| (Reverse(row.severity), Reverse(row.count), row.code.name()));
        rows
    }

    /// Returns the rows as a table for people.
    pub(super) fn table(&self) -> String {
        let rows = self.rows();
        if rows.is_empty() {
            return String::new();
        }
        let line =
            |Row { code, severity, count, files }: &Row| format!("{count:>8} {files:>7}  {severity:<8}  {code}\n");
        format!("   count   files  severity  code\n{}\n", rows.iter().map(line).collect::<String>())
    }
}

/// Returns the last lines of the output for people; `known` is the number of diagnostics that a baseline hides.
pub(super) fn human(summary: &Summary, known: u64) -> String {
    let diagnostics = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")]
        .map(|(severity, name)| count(summary.diagnostics(severity), name));
    let hidden = if known > 0 { format!(" ({known} more in the baseline)") } else { String::new() };
    format!(
        "{}, {}: {}\n{}{hidden}, {} in {:.2} s\n",
        count(summary.files(), "file"),
        count(summary.games(), "game"),
        games(summary).join(", "),
        diagnostics.join(", "),
        counted(summary.plies(), "ply", "plies"),
        summary.time().as_secs_f64(),
    )
}

/// Returns how many games are without errors and how far the games were replayed.
fn games(summary: &Summary) -> Vec<String> {
    let mut parts = vec![
        format!("{} without errors", summary.games_without_errors()),
        format!("{} replayed to the end", summary.replayed_games()),
    ];
    let others = summary.games() - summary.replayed_games();
    let in_part = others - summary.games_not_replayed() - summary.games_without_moves();
    let reasons = [
        (in_part, "replayed in part"),
        (summary.games_of_unknown_variant(), "not replayed (unknown variant)"),
        (summary.games_with_unusable_position(), "not replayed (unusable position)"),
        (summary.games_without_moves(), "without moves"),
    ];
    parts.extend(reasons.iter().filter(|(number, _)| *number > 0).map(|(number, why)| format!("{number} {why}")));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, reviews};

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

    #[test]
    fn games_that_were_not_replayed_have_a_reason() {
        let text = "[GameType \"20\"] 1. 32-28 *\n\n[GameType \"20\"] 1. 32-28 31-13 *\n\n[GameType \"1\"] 1. 3-1 *\n\n\
            [GameType \"20\"] [FEN \"x\"] 1. 32-28 *\n\n[GameType \"20\"] *";
        let mut summary = Summary::default();
        reviews(text.as_bytes(), CheckOptions::default()).for_each(|review| summary.count_game(&review));
        let lines = human(&summary, 0);
        let wanted = "0 files, 5 games: 2 without errors, 1 replayed to the end, 1 replayed in part, \
            1 not replayed (unknown variant), 1 not replayed (unusable position), 1 without moves\n3 errors, 1 warning, ";
        assert!(lines.starts_with(wanted), "{lines}");
        assert!(lines.ends_with(", 2 plies in 0.00 s\n"), "{lines}");
        assert!(human(&summary, 7).contains(" (7 more in the baseline), 2 plies"));
    }
}
