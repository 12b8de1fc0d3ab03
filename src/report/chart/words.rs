//! The words and numbers of charts.

use crate::report::page::{Texts, chart_texts};
use crate::text::Language;

/// The words of charts in a language, by their English names.
pub(super) struct Words {
    pub(super) language: Language,
    texts: Texts,
}

impl Words {
    pub(super) fn new(language: Language) -> Self {
        Self { language, texts: chart_texts(language) }
    }

    pub(super) fn of(&self, name: &str) -> String {
        self.texts.of(name).to_owned()
    }

    /// Returns a text with something in its slot.
    pub(super) fn filled(&self, name: &str, value: &str) -> String {
        self.of(name).replacen("{}", value, 1)
    }

    /// Returns a number of things: `games: 12`, which is right for any number in any language.
    pub(super) fn count(&self, name: &str, count: u64) -> String {
        self.labelled(name, count)
    }

    /// Returns a value after its name and a colon.
    pub(super) fn labelled(&self, name: &str, value: impl std::fmt::Display) -> String {
        self.language.labelled(&self.of(name), value)
    }

    /// Returns a number with one decimal, as people write it.
    pub(super) fn decimal(&self, value: f64) -> String {
        self.language.decimal(value, 1)
    }

    /// Returns a share as whole percent.
    #[expect(clippy::unused_self, reason = "like `decimal`")]
    pub(super) fn whole(&self, share: f64) -> String {
        format!("{:.0}", share * 100.0)
    }
}

/// Returns the texts that are not empty, separated by middle dots.
pub(super) fn joined(texts: &[String]) -> String {
    texts.iter().map(String::as_str).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Returns the distance between numbers on an axis up to `most` so that at most so many are shown.
pub(super) fn step(most: u32, shown: u32) -> u32 {
    [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|step| most / step <= shown).unwrap_or(1000)
}

/// Returns a table: the names of its columns, then its rows.
pub(super) fn table(names: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    std::iter::once(names.iter().map(|&name| name.to_owned()).collect()).chain(rows).collect()
}
