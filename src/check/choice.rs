//! Which diagnostics are reported.

use serde::Deserialize;

use super::checked::CheckedGame;
use crate::diag::{Selection, Selector, Severity};
use crate::options::{parsed, words};
use crate::text::Language;

/// Which diagnostics are reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct DiagnosticOptions {
    /// Also check the writing rules, and report warnings as errors
    #[cfg_attr(feature = "cli", arg(long, display_order = 0))]
    pub strict: bool,
    /// Report only these codes
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "CODES", value_delimiter = ',', value_parser = Selector::parser(), hide_possible_values = true)
    )]
    #[serde(deserialize_with = "words")]
    pub select: Vec<Selector>,
    /// Do not report these codes
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "CODES", value_delimiter = ',', value_parser = Selector::parser(), hide_possible_values = true)
    )]
    #[serde(deserialize_with = "words")]
    pub ignore: Vec<Selector>,
    /// Report these codes as errors
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "CODES", value_delimiter = ',', value_parser = Selector::parser(), hide_possible_values = true)
    )]
    #[serde(deserialize_with = "words")]
    pub deny: Vec<Selector>,
    /// Report games that lack any of these tags, separated by commas (tag/missing)
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "TAGS", value_delimiter = ',', help_heading = crate::options::ADVANCED)
    )]
    pub require_tags: Vec<String>,
    /// Lowest severity to show; the summary counts all diagnostics [default: note; warning with --quiet]
    #[cfg_attr(feature = "cli", arg(long, value_name = "SEVERITY"))]
    pub severity: Option<Severity>,
    /// Language of the messages; codes are the same in every language
    #[cfg_attr(feature = "cli", arg(long, value_name = "LANG", default_value_t, help_heading = crate::options::ADVANCED))]
    #[serde(deserialize_with = "parsed")]
    pub lang: Language,
}

impl DiagnosticOptions {
    /// Returns the selection of codes.
    pub fn selection(&self) -> Selection {
        Selection::new(&self.select, &self.ignore, &self.deny)
    }

    /// Adds the diagnostic of required tags that a game lacks, and keeps the diagnostics that are selected.
    pub fn apply(&self, selection: &Selection, game: &mut CheckedGame<'_>) {
        game.select(selection, &self.require_tags);
    }
}
