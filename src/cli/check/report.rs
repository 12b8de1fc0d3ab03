//! Diagnostics as text, JSON and SARIF.

use std::ops::Range;

use super::Format;

use crate::check::{DuplicateIndex, PlainGame, Review, Summary};
use crate::cli::games::{ChunkOrigin, Games};
use crate::diag::{Diagnostic, Paint, Renderer, Severity, Snippet};
use crate::export::{write_json_line, write_sarif_result};
use crate::pdn::Outside;
use crate::text::Encoding;

/// Writes the diagnostics of games.
pub(super) struct Checker {
    pub(super) format: Format,
    pub(super) paint: Paint,
    pub(super) hide_notes: bool,
    /// The moves of all games, if they are compared.
    pub(super) index: Option<DuplicateIndex>,
}

/// The diagnostics of a chunk.
#[derive(Default)]
pub(super) struct Report {
    text: Vec<u8>,
    /// The end of each error in the text.
    errors: Vec<usize>,
    pub(super) summary: Summary,
}

impl Report {
    /// Returns the part of the text to show if `remaining` more errors may be shown, and subtracts those it contains.
    pub(super) fn shown(&self, remaining: &mut u64) -> &[u8] {
        let (errors, allowed) = (self.errors.len() as u64, *remaining);
        *remaining = allowed.saturating_sub(errors);
        let end = match allowed {
            0 => 0,
            _ if errors < allowed => self.text.len(),
            _ => self.errors[allowed as usize - 1],
        };
        &self.text[..end]
    }

    fn add(&mut self, diagnostic: &Diagnostic, text: &[u8]) {
        self.text.extend_from_slice(text);
        if diagnostic.severity() == Severity::Error {
            self.errors.push(self.text.len());
        }
    }
}

impl Games for Checker {
    type Done = Report;

    fn game(&self, mut review: Review, origin: &mut ChunkOrigin<'_>, report: &mut Report) {
        if let Some(index) = &self.index {
            let diagnostics = index.compare(review.game(), origin.input.label(), review.number());
            review.extend(diagnostics);
        }
        report.summary.count_game(&review);
        let length = review.game().tree().len as usize;
        let range = review.offset()..review.offset() + length;
        self.write(review.diagnostics(), range, review.number(), origin, report);
    }

    fn takes_plain_games(&self) -> bool {
        self.index.is_none()
    }

    fn plain(&self, game: &PlainGame, number: u64, origin: &mut ChunkOrigin<'_>, report: &mut Report) {
        report.summary.count_plain(game);
        let range = game.offset()..game.offset() + game.length();
        self.write(game.diagnostics(), range, number, origin, report);
    }

    fn outside(&self, outside: &Outside, origin: &mut ChunkOrigin<'_>, report: &mut Report) {
        report.summary.count(&outside.diagnostic);
        // Only its own lines are shown, and part of a long one; more would be searched for each of thousands.
        let end = outside.offset + outside.diagnostic.span().end as usize;
        let rest = origin.chunk.bytes().get(end..).unwrap_or_default();
        let rest = &rest[..rest.len().min(MAX_LINE_END)];
        let line = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        self.write(std::slice::from_ref(&outside.diagnostic), outside.offset..end + line, 0, origin, report);
    }
}

/// Largest number of bytes of a line that are shown after a diagnostic outside games.
const MAX_LINE_END: usize = 500;

impl Checker {
    /// Writes the diagnostics of a range of the chunk.
    fn write(
        &self,
        diagnostics: &[Diagnostic],
        range: Range<usize>,
        game: u64,
        origin: &mut ChunkOrigin<'_>,
        report: &mut Report,
    ) {
        if self.format == Format::Human {
            return self.render(diagnostics, range, game, origin, report);
        }
        for diagnostic in diagnostics {
            let mut line = Vec::new();
            let row = origin.diagnostic_row(diagnostic, range.start, game);
            match self.format {
                Format::Sarif => write_sarif_result(&mut line, &row),
                _ => write_json_line(&mut line, &row),
            }
            report.add(diagnostic, &line);
        }
    }

    fn render(
        &self,
        diagnostics: &[Diagnostic],
        range: Range<usize>,
        game: u64,
        origin: &mut ChunkOrigin<'_>,
        report: &mut Report,
    ) {
        if diagnostics.is_empty() {
            return;
        }
        let start = origin.locator.locate(range.start, 0);
        let bytes = origin.chunk.bytes();
        let bytes = &bytes[range.start.min(bytes.len())..range.end.min(bytes.len())];
        let snippet = Snippet::new(origin.input.label(), bytes, start.line)
            .first_column(start.column)
            .game(game)
            .encoding(origin.chunk.encoding().unwrap_or(Encoding::Latin1));
        let mut renderer = Renderer::new(snippet, self.paint);
        let shown = |diagnostic: &&Diagnostic| diagnostic.severity() > Severity::Note || !self.hide_notes;
        for diagnostic in diagnostics.iter().filter(shown) {
            report.add(diagnostic, format!("{}\n", renderer.render(diagnostic)).as_bytes());
        }
    }
}
