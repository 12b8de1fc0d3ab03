//! Games as rows.

use crate::check::{CheckedGame, Each, GameWork};
use crate::diag::Severity;
use crate::error::Result;
use crate::export::ConvertOptions;
use crate::records::{checked_head, checked_row};
use crate::report::PageGame;
use crate::text::{Encoding, Format};
use serde::Deserialize;
use serde_json::json;

use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Gathered, Session, Sink, Walk};

/// Returns the numbers of errors and of warnings of a game.
pub(super) fn counts(game: &CheckedGame<'_>) -> [u64; 2] {
    [Severity::Error, Severity::Warning].map(|severity| {
        let found = game.diagnostics().iter().filter(|found| found.severity() == severity);
        found.map(|found| u64::from(found.count())).sum()
    })
}

/// Sends rows, which are JSON, as they are made.
fn sent() -> impl Sink<Vec<String>> {
    let send = |(): &mut (), rows: Vec<String>, out: &Out| out.send_array("rows", &rows);
    Gathered::new((), send, |(), out: &Out| out.result(&json!({})))
}

pub(super) fn games(reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    options.end()?;
    let writer = ConvertOptions { to: Some("jsonl".to_owned()), ..ConvertOptions::default() }.known_writer()?;
    let row = move |game: &CheckedGame<'_>| {
        let mut text = Vec::new();
        writer.game(game, &mut text);
        String::from_utf8_lossy(text.trim_ascii_end()).into_owned()
    };
    Walk::new(reading, Each(row), sent())
}

pub(super) fn report_rows(reading: Reading, options: CallOptions) -> Result<Box<dyn Session>> {
    Walk::new(reading, options.rest::<ReportRows>()?, sent())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ReportRows {
    /// Without moves and texts.
    heads: bool,
}

impl GameWork for ReportRows {
    type Done = Vec<String>;

    fn game(&self, game: CheckedGame<'_>, rows: &mut Vec<String>) {
        let page = if self.heads {
            PageGame::new(&checked_head(&game), None, "", None)
        } else {
            let mut row = checked_row(&game);
            row.assess();
            PageGame::new(&row, game.review().game().start(), &game.text(), None)
        };
        let [errors, warnings] = counts(&game);
        let place = game.locate(crate::diag::Span::new(0, game.range().len() as u32));
        let encoding = Some(game.encoding()).filter(|&encoding| encoding != Encoding::Utf8);
        let own = json!({
            "file": game.input().label(),
            "game": game.number(),
            "offset": place.offset,
            "length": place.length,
            "errors": errors,
            "warnings": warnings,
            "encoding": encoding.map(Encoding::name),
            "pdn": game.format() == Format::Pdn,
        });
        let [head, body, record] = page.lines();
        let own = own.to_string();
        // The lines of a page are JSON already.
        let rest = if self.heads { String::new() } else { format!(",\"body\":{body},\"record\":{record}") };
        rows.push(format!("{},\"head\":{head}{rest}}}", own.trim_end_matches('}')));
    }
}
