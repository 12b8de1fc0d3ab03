//! The languages of texts for readers.

use std::fmt;
use std::str::FromStr;

/// A language of reports and of sentences about games.
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

    /// Returns a value after its name and a colon, before which French has a no-break space.
    #[cfg(any(feature = "cli", feature = "query"))]
    pub(crate) fn labelled(self, name: &str, value: impl fmt::Display) -> String {
        let space = if self == Self::French { "\u{a0}" } else { "" };
        format!("{name}{space}: {value}")
    }

    /// Returns a number written with a decimal point, as people write it.
    #[cfg(any(feature = "cli", feature = "query"))]
    pub(crate) fn number(self, text: &str) -> String {
        if self == Self::English { text.to_owned() } else { text.replace('.', ",") }
    }

    /// Returns a number with this many decimals, as people write it.
    #[cfg(any(feature = "cli", feature = "query"))]
    pub(crate) fn decimal(self, value: f64, decimals: usize) -> String {
        self.number(&format!("{value:.decimals$}"))
    }
}

#[cfg(feature = "cli")]
impl clap::ValueEnum for Language {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.code()))
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
    fn codes_are_read() {
        for language in Language::ALL {
            assert_eq!(language.code().parse(), Ok(language));
        }
        assert!("de".parse::<Language>().is_err());
    }

    #[cfg(any(feature = "cli", feature = "query"))]
    #[test]
    fn colons_and_decimals_are_those_of_the_language() {
        let both = |language: Language| language.labelled("x", language.decimal(-0.5, 2));
        let expected = ["x: -0.50", "x: -0,50", "x\u{a0}: -0,50", "x: -0,50", "x: -0,50", "x: -0,50"];
        assert_eq!(Language::ALL.map(both), expected);
    }
}
