//! The diagnostics of chunks as text, JSON, SARIF and commands for GitHub.

use std::ops::Range;
use std::sync::Arc;

use super::Format;
use super::summary::Counts;
use crate::check::{Baseline, CheckedGame, ChunkOrigin, GameWork, Known, Summary};
use crate::cli::file_settings::Checks;
use crate::diag::{Code, Diagnostic, Paint, Renderer, Selection, Severity, Snippet};
use crate::export::{CsvOptions, write_csv_diagnostic, write_github_command, write_json_line, write_sarif_result};
use crate::pdn::Outside;
use crate::query::DuplicateIndex;
use crate::records::placed_row;
use crate::text::{Encoding, Language};

/// Checks games and writes their diagnostics.
pub(super) struct Checker {
    pub(super) format: Format,
    pub(super) csv: CsvOptions,
    pub(super) paint: Paint,
    pub(super) language: Language,
    /// Maximum number of diagnostics shown per code and file.
    pub(super) per_code: u64,
    /// The moves of all games, if they are compared.
    pub(super) index: Option<DuplicateIndex>,
    pub(super) checks: Checks,
    /// The rules for files, by the numbers of their settings.
    pub(super) rules: Vec<FileRules>,
}

/// The rules by which files with the same settings are checked.
pub(super) struct FileRules {
    /// The diagnostics that are reported.
    pub(super) selection: Selection,
    /// The tags that every game must have.
    pub(super) required_tags: Vec<String>,
    /// The least severity that is shown.
    pub(super) least: Severity,
    /// The diagnostics that are known.
    pub(super) baseline: Option<Arc<Baseline>>,
}

/// The diagnostics of a chunk.
#[derive(Default)]
pub(super) struct Report {
    /// The concatenated text of the entries.
    pub(super) text: Vec<u8>,
    /// The diagnostics that may be shown.
    pub(super) entries: Vec<Entry>,
    /// The remaining ones, of whose codes the file already has enough.
    pub(super) rest: Counts,
    pub(super) summary: Summary,
    /// Number of entries that may be shown, by code.
    written: Counts,
    /// The number of the settings of the file.
    settings: usize,
}

/// A diagnostic that may be shown.
pub(super) struct Entry {
    pub(super) code: Code,
    pub(super) severity: Severity,
    /// Number of diagnostics it represents.
    pub(super) count: u64,
    /// End of its text.
    pub(super) end: usize,
    /// What identifies it, if the baseline has such a diagnostic or is being written.
    pub(super) known: Option<Known>,
    /// The number of the settings of its file.
    pub(super) settings: usize,
    /// How many such diagnostics the baseline has.
    pub(super) allowed: u64,
}

/// A range of the chunk with diagnostics, and the number of its game, or 0.
struct Part {
    range: Range<usize>,
    game: u64,
}

impl GameWork for Checker {
    type Done = Report;

    fn begin(&self, origin: &ChunkOrigin<'_>) -> Report {
        Report { settings: self.checks.settings(origin.input()).number, ..Report::default() }
    }

    fn game(&self, mut game: CheckedGame<'_>, report: &mut Report) {
        if let Some(index) = &self.index {
            let diagnostics = index.compare(&game);
            game.extend(diagnostics);
        }
        let rules = self.rules(report);
        game.select(&rules.selection, &rules.required_tags);
        report.summary.count_game(game.review());
        let part = Part { range: game.range(), game: game.number() };
        self.write(game.diagnostics(), &part, game.origin(), report);
    }

    fn outside(&self, outside: &Outside, origin: &ChunkOrigin<'_>, report: &mut Report) {
        let mut diagnostic = outside.diagnostic().clone();
        if !self.rules(report).selection.admit(&mut diagnostic) {
            return;
        }
        report.summary.count(&diagnostic);
        // Only its own lines are shown, and part of a long line; with thousands of them, searching more text would be slow.
        let end = outside.offset() + diagnostic.span().end as usize;
        let rest = origin.chunk().bytes().get(end..).unwrap_or_default();
        let rest = &rest[..rest.len().min(MAX_LINE_END)];
        let line = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let part = Part { range: outside.offset()..end + line, game: 0 };
        self.write(std::slice::from_ref(&diagnostic), &part, origin, report);
    }
}

/// Maximum number of bytes shown of a line after a diagnostic outside games.
const MAX_LINE_END: usize = 500;

impl Checker {
    /// Returns the rules of the file.
    fn rules(&self, report: &Report) -> &FileRules {
        &self.rules[report.settings]
    }

    /// Writes the diagnostics of a part of the chunk, or counts those that will not be shown.
    fn write(&self, diagnostics: &[Diagnostic], part: &Part, origin: &ChunkOrigin<'_>, report: &mut Report) {
        let (mut renderer, rules) = (None, self.rules(report));
        let settings = report.settings;
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.severity() >= rules.least) {
            let (code, severity) = (diagnostic.code(), diagnostic.severity());
            let count = u64::from(diagnostic.count());
            let bytes = origin.chunk().bytes();
            let span = diagnostic.span();
            let marked = bytes.get(part.range.start + span.start as usize..).unwrap_or_default();
            let marked = &marked[..marked.len().min(span.len() as usize)];
            let baseline = rules.baseline.as_deref();
            let known = baseline.and_then(|baseline| baseline.known(diagnostic, origin.input(), marked));
            let allowed = baseline.zip(known.as_ref()).map_or(0, |(baseline, known)| baseline.count(known));
            // A chunk does not know the chunks before it, but never needs more than a file may show.
            if known.is_none() && report.written.of(code) >= self.per_code {
                report.rest.add(code, severity, count);
                continue;
            }
            if known.is_none() {
                report.written.add(code, severity, 1);
            }
            self.write_one(diagnostic, part, origin, &mut renderer, &mut report.text);
            report.entries.push(Entry { code, severity, count, end: report.text.len(), known, settings, allowed });
        }
    }

    fn write_one<'a>(
        &self,
        diagnostic: &Diagnostic,
        part: &Part,
        origin: &ChunkOrigin<'a>,
        renderer: &mut Option<Renderer<'a>>,
        text: &mut Vec<u8>,
    ) {
        if self.format == Format::Human {
            let renderer = renderer
                .get_or_insert_with(|| Renderer::new(snippet(part, origin).language(self.language).paint(self.paint)));
            text.extend_from_slice(renderer.render(diagnostic).as_bytes());
            return text.push(b'\n');
        }
        let mut row = placed_row(diagnostic, part.game, part.range.start, origin);
        row.translate(self.language);
        match self.format {
            Format::Csv => write_csv_diagnostic(text, &row, self.csv),
            Format::Sarif => write_sarif_result(text, &row),
            Format::Github => write_github_command(text, &row),
            _ => write_json_line(text, &row),
        }
    }
}

fn snippet<'a>(part: &Part, origin: &ChunkOrigin<'a>) -> Snippet<'a> {
    let start = origin.locate(part.range.start, 0);
    let bytes = origin.chunk().bytes();
    let bytes = &bytes[part.range.start.min(bytes.len())..part.range.end.min(bytes.len())];
    Snippet::new(origin.input().label(), bytes, start.line)
        .first_column(start.column)
        .game(part.game)
        .encoding(origin.encoding().unwrap_or(Encoding::Latin1))
}
