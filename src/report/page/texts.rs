//! The texts of reports.

use serde_json::{Map, Value};

use crate::text::Language;

/// All texts of a report: for each name, the texts in the order of [`Language::ALL`].
const TEXTS: &str = include_str!("../../../web/app/parts/texts.js");

/// The texts of solving puzzles, likewise: those that the application has too, and those of pages alone.
#[cfg(feature = "cli")]
const SOLVING_TEXTS: &str = include_str!("../../../web/app/parts/solving.js");
#[cfg(feature = "cli")]
const SOLVE_TEXTS: &str = include_str!("solve_texts.json");

/// The texts of the page of a tournament, likewise.
const EVENT_TEXTS: &str = include_str!("event_texts.json");

/// The other texts of the report on a player, likewise.
const PREPARE_TEXTS: &str = include_str!("prepare_texts.json");

/// The texts of letters to players, likewise.
const LETTER_TEXTS: &str = include_str!("letter_texts.json");

/// The texts of sheets, likewise.
const SHEET_TEXTS: &str = include_str!("sheet_texts.json");

/// The texts of charts, likewise.
#[cfg(feature = "query")]
const CHART_TEXTS: &str = include_str!("chart_texts.json");

/// Returns the texts of a report in a language, by name.
pub(super) fn texts(language: Language) -> Map<String, Value> {
    column(exported(TEXTS), language)
}

/// Returns the object that a module exports, written as JSON.
fn exported(module: &str) -> &str {
    module.find('{').zip(module.rfind('}')).map(|(start, end)| &module[start..=end]).unwrap_or_default()
}

/// Returns the texts of a page to solve on in a language, by name.
#[cfg(feature = "cli")]
pub(super) fn solve_texts(language: Language) -> Map<String, Value> {
    let mut texts = column(exported(SOLVING_TEXTS), language);
    texts.extend(column(SOLVE_TEXTS, language));
    texts
}

/// Returns the texts of the page of a tournament in a language, by their English names.
pub(in crate::report) fn event_texts(language: Language) -> Map<String, Value> {
    column(EVENT_TEXTS, language)
}

/// Returns the texts of the report on a player in a language, by their English names, with those of tournaments.
pub(crate) fn prepare_texts(language: Language) -> Map<String, Value> {
    let mut texts = event_texts(language);
    texts.extend(column(PREPARE_TEXTS, language));
    texts
}

/// Returns the texts of letters to players in a language, by name.
pub(super) fn letter_texts(language: Language) -> Map<String, Value> {
    column(LETTER_TEXTS, language)
}

/// Returns the texts of sheets in a language, by their English names.
pub(in crate::report) fn sheet_texts(language: Language) -> Map<String, Value> {
    column(SHEET_TEXTS, language)
}

/// Returns the texts of charts in a language, by their English names.
#[cfg(feature = "query")]
pub(in crate::report) fn chart_texts(language: Language) -> Map<String, Value> {
    column(CHART_TEXTS, language)
}

/// Returns a text of sheets in a language, by its English name.
#[cfg(feature = "cli")]
pub(crate) fn sheet_text(language: Language, name: &str) -> String {
    sheet_texts(language).get(name).and_then(Value::as_str).unwrap_or(name).to_owned()
}

fn column(table: &str, language: Language) -> Map<String, Value> {
    let table: Map<String, Value> = serde_json::from_str(table).expect("the table of texts is JSON");
    table.into_iter().map(|(name, mut texts)| (name, texts[language as usize].take())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_in_every_language() {
        let english = texts(Language::English);
        assert!(english.len() > 30);
        for language in Language::ALL {
            let all = [prepare_texts, sheet_texts, letter_texts, chart_texts];
            for (name, text) in all.into_iter().flat_map(|texts| texts(language)) {
                assert!(text.as_str().is_some_and(|text| !text.is_empty()), "{language}: {name}");
            }
            for (name, text) in texts(language) {
                let text = text.as_str().unwrap_or_else(|| panic!("{language}: {name}"));
                let slots = |text: &str| text.matches("{}").count();
                assert_eq!(slots(text), slots(english[&name].as_str().expect("a text")), "{language}: {name}");
                assert!(!text.trim().is_empty(), "{language}: {name}");
            }
        }
    }
}
