//! The settings of each input: those of the nearest configuration file in its folder or above it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::config::{Settings, folder_of, nearest_above};
use super::house;
use super::options::Common;
use crate::error::Result;
use crate::rules::Variant;
use crate::source::Input;

/// The settings of some inputs.
#[derive(Debug, Default)]
pub(super) struct FileSettings {
    number: usize,
    settings: Settings,
    variant: Option<Variant>,
}

impl FileSettings {
    /// The number of these settings, from 0: their place in [`SettingsFinder::all`].
    pub(super) const fn number(&self) -> usize {
        self.number
    }

    pub(super) const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The variant of all games, by the options or else by the settings.
    pub(super) const fn variant(&self) -> Option<Variant> {
        self.variant
    }
}

/// Finds the settings of inputs. Each configuration file is read once.
#[derive(Debug)]
pub(super) struct SettingsFinder {
    common: Common,
    /// The variant by the options.
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
    /// Returns a finder; `variant` is that of the options.
    pub(super) fn new(common: &Common, variant: Option<Variant>) -> Self {
        Self { common: common.clone(), variant, found: Mutex::default() }
    }

    /// Returns the settings of an input.
    ///
    /// # Errors
    ///
    /// If its configuration file cannot be read or is invalid, or does not have the requested profile.
    pub(super) fn of(&self, input: &Input) -> Result<Arc<FileSettings>> {
        let folder = folder(input);
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
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
        let rules = settings.rules().filter(|_| self.variant.is_none());
        let house = rules.map(house::read).transpose()?;
        let variant = self.variant.or(house).or(settings.variant());
        Ok(FileSettings { number, settings, variant })
    }

    /// Returns the settings of all inputs that were looked for, by their numbers.
    pub(super) fn all(&self) -> Vec<Arc<FileSettings>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).all.clone()
    }
}

/// Returns the folder whose settings an input has: the current one for standard input.
fn folder(input: &Input) -> PathBuf {
    let path = input.path().filter(|_| input.label() != "-");
    path.and_then(folder_of).or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}
