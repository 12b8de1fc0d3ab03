//! The languages of a report.

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value};

/// All texts of a report: for each name, the texts in the order of [`Language::ALL`].
const TEXTS: &str = include_str!("../../../web/app/parts/texts.js");

/// The texts of the page of a tournament, likewise.
const EVENT_TEXTS: &str = include_str!("event_texts.json");

/// A language of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// `en`.
    #[default]
    English,
    /// `nl`.
    Dutch,
    /// `fr`.
    French,
    /// `it`.
    Italian,
    /// `pt`.
    Portuguese,
    /// `ru`.
    Russian,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 6] =
        [Self::English, Self::Dutch, Self::French, Self::Italian, Self::Portuguese, Self::Russian];

    /// Returns the code of the language, such as `en`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Dutch => "nl",
            Self::French => "fr",
            Self::Italian => "it",
            Self::Portuguese => "pt",
            Self::Russian => "ru",
        }
    }

    /// Returns the texts of a report in the language, by name.
    pub(super) fn texts(self) -> Map<String, Value> {
        // The module exports one object, written as JSON.
        let object = TEXTS.find('{').zip(TEXTS.rfind('}')).map(|(start, end)| &TEXTS[start..=end]).unwrap_or_default();
        self.column(object)
    }

    /// Returns the texts of the page of a tournament in the language, by their English names.
    pub(super) fn event_texts(self) -> Map<String, Value> {
        self.column(EVENT_TEXTS)
    }

    fn column(self, table: &str) -> Map<String, Value> {
        let table: Map<String, Value> = serde_json::from_str(table).expect("the table of texts is JSON");
        table.into_iter().map(|(name, mut texts)| (name, texts[self as usize].take())).collect()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = String;

    /// Parses the code of a language.
    fn from_str(text: &str) -> Result<Self, String> {
        let codes = || Self::ALL.map(Self::code).join(", ");
        let found = Self::ALL.into_iter().find(|language| language.code() == text);
        found.ok_or_else(|| format!("expected one of {}", codes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_in_every_language() {
        let english = Language::English.texts();
        assert!(english.len() > 30);
        for language in Language::ALL {
            assert_eq!(language.code().parse(), Ok(language));
            for (name, text) in language.event_texts() {
                assert!(text.as_str().is_some_and(|text| !text.is_empty()), "{language}: {name}");
            }
            for (name, text) in language.texts() {
                let text = text.as_str().unwrap_or_else(|| panic!("{language}: {name}"));
                let slots = |text: &str| text.matches("{}").count();
                assert_eq!(slots(text), slots(english[&name].as_str().expect("a text")), "{language}: {name}");
                assert!(!text.trim().is_empty(), "{language}: {name}");
            }
        }
        assert!("de".parse::<Language>().is_err());
    }
}
