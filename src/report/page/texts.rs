//! The texts of reports.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::text::Language;

/// Texts in a language by name; those of pages without scripts have their English text as name.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Texts(Map<String, Value>);

impl Texts {
    /// Reads tables, each an object written as JSON, which may be what a module exports: for each name, the texts in the order of
    /// [`Language::ALL`].
    fn new(tables: &[&str], language: Language) -> Self {
        let column = |table: &&str| {
            let object = table.find('{').zip(table.rfind('}')).map(|(start, end)| &table[start..=end]);
            let rows: Map<String, Value> =
                serde_json::from_str(object.unwrap_or_default()).expect("the table of texts is JSON");
            rows.into_iter().map(move |(name, mut texts)| (name, texts[language as usize].take()))
        };
        Self(tables.iter().flat_map(column).collect())
    }

    /// Returns a text by its name, or else the name.
    pub(crate) fn of<'a>(&'a self, name: &'a str) -> &'a str {
        self.0.get(name).and_then(Value::as_str).unwrap_or(name)
    }
}

/// Makes functions that return the texts of tables in a language.
macro_rules! tables {
    ($($(#[$attribute:meta])* $visibility:vis $name:ident: $($file:literal),+;)+) => {$(
        $(#[$attribute])*
        $visibility fn $name(language: Language) -> Texts {
            Texts::new(&[$(include_str!($file)),+], language)
        }
    )+};
}

tables! {
    /// All texts of a report.
    pub(super) texts: "../../../web/app/parts/texts.js";
    /// The texts of solving puzzles: those that the application has too, and those of pages alone.
    #[cfg(feature = "cli")]
    pub(super) solving_texts: "../../../web/app/parts/solving.js", "solve_texts.json";
    /// All texts of a page to solve on.
    #[cfg(feature = "cli")]
    pub(super) solve_texts: "../../../web/app/parts/texts.js", "../../../web/app/parts/solving.js", "solve_texts.json";
    /// The texts of the page of a tournament.
    pub(in crate::report) event_texts: "event_texts.json";
    /// The texts of a site that are there without scripts.
    #[cfg(feature = "query")]
    pub(super) site_texts: "../../../web/app/parts/texts.js", "event_texts.json";
    /// The texts of the report on a player, with those of tournaments.
    pub(crate) prepare_texts: "event_texts.json", "prepare_texts.json";
    /// The texts of letters to players.
    pub(super) letter_texts: "letter_texts.json";
    /// The texts of sheets.
    pub(in crate::report) sheet_texts: "sheet_texts.json";
    /// The texts of charts.
    #[cfg(feature = "query")]
    pub(in crate::report) chart_texts: "chart_texts.json";
}

/// Returns a text of sheets in a language, by its English name.
#[cfg(feature = "cli")]
pub(crate) fn sheet_text(language: Language, name: &str) -> String {
    sheet_texts(language).of(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_in_every_language() {
        let english = texts(Language::English).0;
        assert!(english.len() > 30);
        for language in Language::ALL {
            let all = [prepare_texts, sheet_texts, letter_texts, chart_texts];
            for (name, text) in all.into_iter().flat_map(|texts| texts(language).0) {
                assert!(text.as_str().is_some_and(|text| !text.is_empty()), "{language}: {name}");
            }
            for (name, text) in texts(language).0 {
                let text = text.as_str().unwrap_or_else(|| panic!("{language}: {name}"));
                let slots = |text: &str| text.matches("{}").count();
                assert_eq!(slots(text), slots(english[&name].as_str().expect("a text")), "{language}: {name}");
                assert!(!text.trim().is_empty(), "{language}: {name}");
            }
        }
    }
}
