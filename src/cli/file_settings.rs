//! The settings of each input, from the nearest configuration file in its folder or above it, and the checks that follow from
//! them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::config::{Settings, folder_of, nearest_above};
use super::options::{Common, RequestedEncoding};
use crate::check::{CheckOptions, Doubts, InputOptions};
use crate::egdb::Databases;
use crate::error::Result;
use crate::notation::{Aliases, DateOrder};
use crate::rules::Variant;
use crate::shared::lock;
use crate::source::Input;

/// The settings of some inputs.
#[derive(Debug, Default)]
pub(super) struct FileSettings {
    /// Their index in [`SettingsFinder::all`].
    pub(super) number: usize,
    pub(super) settings: Settings,
    /// The variant of all games, from the options or else from the settings.
    pub(super) variant: Option<Variant>,
}

/// Finds the settings of inputs. Each configuration file is read once.
#[derive(Debug)]
pub(super) struct SettingsFinder {
    common: Common,
    /// The variant from the options.
    variant: Option<Variant>,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    all: Vec<Arc<FileSettings>>,
    by_file: BTreeMap<Option<PathBuf>, Arc<FileSettings>>,
    by_folder: BTreeMap<PathBuf, Arc<FileSettings>>,
}

impl SettingsFinder {
    /// Returns a finder; `variant` comes from the options.
    pub(super) fn new(common: &Common, variant: Option<Variant>) -> Self {
        Self { common: common.clone(), variant, found: Mutex::default() }
    }

    /// Returns the settings of an input.
    pub(super) fn of(&self, input: &Input) -> Result<Arc<FileSettings>> {
        let folder = folder(input);
        // Settings are only added, and only when complete: a panic elsewhere leaves nothing half-done.
        let mut found = lock(&self.found);
        if let Some(settings) = found.by_folder.get(&folder) {
            return Ok(Arc::clone(settings));
        }
        let nearest = || (!self.common.no_config).then(|| nearest_above(&folder)).flatten();
        let file = self.common.config.clone().or_else(nearest);
        let settings = match found.by_file.get(&file) {
            Some(settings) => Arc::clone(settings),
            None => Arc::new(self.read(file.as_deref(), found.all.len())?),
        };
        if settings.number == found.all.len() {
            found.all.push(Arc::clone(&settings));
            found.by_file.insert(file, Arc::clone(&settings));
        }
        found.by_folder.insert(folder, Arc::clone(&settings));
        Ok(settings)
    }

    fn read(&self, file: Option<&Path>, number: usize) -> Result<FileSettings> {
        let settings = Settings::of_file(file, self.common.profile.as_deref())?;
        Ok(FileSettings { number, variant: settings.variant_or(self.variant)?, settings })
    }

    /// Returns the settings of all inputs that were looked for, by their numbers.
    pub(super) fn all(&self) -> Vec<Arc<FileSettings>> {
        lock(&self.found).all.clone()
    }
}

/// Returns the folder whose settings an input has: the current one for standard input.
fn folder(input: &Input) -> PathBuf {
    let path = input.path().filter(|_| input.label() != "-");
    path.and_then(folder_of).or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}

/// How the games of each input are checked, by the options and the settings of the input.
#[derive(Clone, Debug)]
pub(super) struct Checks {
    pub(super) finder: Arc<SettingsFinder>,
    /// The encoding from the options.
    pub(super) encoding: Option<RequestedEncoding>,
    pub(super) databases: Databases,
    pub(super) aliases: Arc<Aliases>,
    /// True if the writing rules are checked, false if the settings of the input decide; without either they are not.
    pub(super) strict: Option<bool>,
    /// What comes first in dates with two readings.
    pub(super) date_order: Option<DateOrder>,
    pub(super) doubts: InputDoubts,
}

/// The doubts about the files that were read, by their names.
pub(super) type InputDoubts = Arc<Mutex<Vec<(String, Arc<Doubts>)>>>;

impl Checks {
    /// Returns the settings of an input.
    pub(super) fn settings(&self, input: &Input) -> Arc<FileSettings> {
        // Invalid ones were reported before anything was read.
        self.finder.of(input).unwrap_or_default()
    }
}

impl InputOptions for Checks {
    fn of(&self, input: &Input) -> CheckOptions {
        let file = self.settings(input);
        let mut options = CheckOptions::default()
            .with_databases(self.databases.clone())
            .with_aliases(Arc::clone(&self.aliases))
            .with_date_order(self.date_order);
        options.replay.variant = file.variant;
        options.encoding = self.encoding.or(file.settings.encoding).and_then(RequestedEncoding::of_games);
        options.strict = self.strict.is_some_and(|strict| strict || file.settings.strict.unwrap_or_default());
        options
    }

    fn doubts(&self, input: &Input) -> Arc<Doubts> {
        let doubts = Arc::<Doubts>::default();
        let mut all = lock(&self.doubts);
        all.push((input.label().to_owned(), Arc::clone(&doubts)));
        doubts
    }
}
