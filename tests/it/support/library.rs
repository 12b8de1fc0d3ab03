//! What `check` and `convert --to jsonl` write, made by the library. A test in `cli::convert` proves that the commands write
//! the same, so other tests need not start a process to see a diagnostic.

use std::io::Write;

use pdn::check::{CheckOptions, FileReviews, file_reviews};
use pdn::diag::{Diagnostic, Span};
use pdn::records::{DiagnosticRow, Origin, game_row};
use serde::Serialize;
use serde_json::Value;
use tempfile::NamedTempFile;

fn json(row: impl Serialize) -> Value {
    serde_json::to_value(row).expect("JSON")
}

/// Returns the diagnostics outside any game found so far.
fn outside(reviews: &mut FileReviews) -> Vec<Value> {
    let found = reviews.take_outside();
    found.iter().map(|(location, diagnostic)| json(DiagnosticRow::new("-", 0, *location, diagnostic))).collect()
}

/// Reads a text from a file and returns its diagnostics, and its games.
fn read(text: &[u8]) -> (Vec<Value>, Vec<Value>) {
    let mut file = NamedTempFile::new().expect("a file");
    file.write_all(text).expect("a writable file");
    let mut reviews = file_reviews(file.path(), CheckOptions::default()).expect("a file that opens");
    let (mut diagnostics, mut games) = (Vec::new(), Vec::new());
    while let Some(review) = reviews.next() {
        let review = review.expect("a file that can be read");
        diagnostics.extend(outside(&mut reviews));
        let place = |span| reviews.locate(&review, span);
        let row = |found: &Diagnostic| DiagnosticRow::new("-", review.number(), place(found.span()), found);
        let rows: Vec<_> = review.diagnostics().iter().map(row).collect();
        diagnostics.extend(rows.iter().map(json));
        let origin = Origin { file: "-", game: review.number(), offset: place(Span::default()).offset };
        let mut game = game_row(&review, origin, rows);
        game.add_around(reviews.around());
        game.assess();
        games.push(json(game));
    }
    diagnostics.extend(outside(&mut reviews));
    (diagnostics, games)
}

/// Returns the diagnostics of a text, as rows of `check --format json`.
pub(crate) fn diagnostics(text: impl AsRef<[u8]>) -> Vec<Value> {
    read(text.as_ref()).0
}

/// Returns the diagnostics of a text as `severity code`, in order.
pub(crate) fn codes(text: impl AsRef<[u8]>) -> Vec<String> {
    let word = |row: &Value, name: &str| row[name].as_str().expect(name).to_owned();
    diagnostics(text).iter().map(|row| format!("{} {}", word(row, "severity"), word(row, "code"))).collect()
}

/// Returns the games of a text, as rows of `convert --to jsonl`.
pub(crate) fn games(text: impl AsRef<[u8]>) -> Vec<Value> {
    read(text.as_ref()).1
}

/// Returns the only game of a text.
#[track_caller]
pub(crate) fn game(text: impl AsRef<[u8]>) -> Value {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0)
}
