//! How the games of each input are checked.

use std::sync::Arc;

use super::file_settings::{FileSettings, SettingsFinder};
use super::options::RequestedEncoding;
use crate::check::{CheckOptions, InputOptions};
use crate::egdb::Databases;
use crate::source::Input;

/// How the games of each input are checked, by the options and the settings of the input.
#[derive(Clone, Debug)]
pub(super) struct Checks {
    finder: Arc<SettingsFinder>,
    encoding: Option<RequestedEncoding>,
    databases: Databases,
    /// Whether the writing rules are checked; `None` if settings do not matter.
    strict: Option<bool>,
}

impl Checks {
    /// Returns checks of games; the encoding is that of the options.
    pub(super) const fn new(
        finder: Arc<SettingsFinder>,
        encoding: Option<RequestedEncoding>,
        databases: Databases,
    ) -> Self {
        Self { finder, encoding, databases, strict: None }
    }

    /// Returns checks of the writing rules too, if the option or the settings of the input say so.
    pub(super) fn strict(self, option: bool) -> Self {
        Self { strict: Some(option), ..self }
    }

    /// Returns the settings of an input.
    pub(super) fn settings(&self, input: &Input) -> Arc<FileSettings> {
        // Invalid ones were reported before anything was read.
        self.finder.of(input).unwrap_or_default()
    }
}

impl InputOptions for Checks {
    fn of(&self, input: &Input) -> CheckOptions {
        let file = self.settings(input);
        let mut options = CheckOptions::default().with_databases(self.databases);
        options.replay.variant = file.variant();
        options.encoding = self.encoding.or(file.settings().encoding()).and_then(RequestedEncoding::of_games);
        options.strict = self.strict.is_some_and(|strict| strict || file.settings().strict());
        options
    }
}
