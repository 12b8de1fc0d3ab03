//! Settings from the file `pdn.toml`, and rules files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Deserializer, de};

use super::options::{Common, RequestedEncoding, parse_variant};
use crate::diag::{Selector, Severity};
use crate::error::{Error, Result};
use crate::notation::read_rules;
use crate::options::{word, words};
use crate::rules::{ResultStyle, Variant};
use crate::text::{Language, in_plain_terms, line_column};

/// The name of the configuration file.
const NAME: &str = "pdn.toml";

// A path that names records or a device by mistake does not fill the memory.
/// Largest size of a configuration or rules file in bytes.
const MAX_SIZE: u64 = 1_000_000;

/// What a configuration file sets, at its top level or in a profile. Options on the command line take precedence.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Settings {
    #[serde(deserialize_with = "variant")]
    pub(super) variant: Option<Variant>,
    /// The rules file that replaces a variant.
    pub(super) rules: Option<PathBuf>,
    #[serde(deserialize_with = "word")]
    pub(super) encoding: Option<RequestedEncoding>,
    #[serde(deserialize_with = "words")]
    pub(super) select: Vec<Selector>,
    #[serde(deserialize_with = "words")]
    pub(super) ignore: Vec<Selector>,
    #[serde(deserialize_with = "words")]
    pub(super) deny: Vec<Selector>,
    pub(super) severity: Option<Severity>,
    /// The language of texts for people.
    #[serde(deserialize_with = "word")]
    pub(super) lang: Option<Language>,
    pub(super) require_tags: Vec<String>,
    pub(super) strict: Option<bool>,
    pub(super) baseline: Option<PathBuf>,
    /// The folder of endgame databases.
    pub(super) egdb: Option<PathBuf>,
    /// How `fmt` writes results.
    pub(super) result_style: Option<ResultStyle>,
    profile: Option<String>,
    profiles: BTreeMap<String, Self>,
}

fn variant<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Variant>, D::Error> {
    parse_variant(&String::deserialize(from)?).map(Some).map_err(de::Error::custom)
}

impl Settings {
    /// Returns the settings that all paths share, with the requested profile: from the requested file, or else from the nearest
    /// `pdn.toml` in or above the common folder of the paths. Without paths, only a requested file is read.
    pub(super) fn find(common: &Common, paths: Option<&[PathBuf]>) -> Result<Self> {
        let found = || paths.filter(|_| !common.no_config).and_then(nearest);
        let file = common.config.clone().or_else(found);
        // Each input may have other settings, with such a profile.
        let is_one = paths.is_none_or(|paths| paths.len() == 1 && !paths[0].is_dir());
        let profile = common.profile.as_deref().filter(|_| is_one || file.is_some());
        Self::of_file(file.as_deref(), profile)
    }

    /// Returns the settings of a file, if there is one, with a profile applied.
    pub(super) fn of_file(path: Option<&Path>, profile: Option<&str>) -> Result<Self> {
        path.map_or_else(|| Ok(Self::default()), read)?.with_profile(profile)
    }

    /// Returns the given variant, or else that of these settings, whose rules file is then read.
    pub(super) fn variant_or(&self, given: Option<Variant>) -> Result<Option<Variant>> {
        let house = self.rules.as_deref().filter(|_| given.is_none()).map(read_rules_file).transpose()?;
        Ok(given.or(house).or(self.variant))
    }

    /// Applies a profile: the requested one, or else the default of the file.
    fn with_profile(mut self, name: Option<&str>) -> Result<Self> {
        let Some(name) = name.map(str::to_owned).or_else(|| self.profile.take()) else { return Ok(self) };
        match self.profiles.remove(&name) {
            Some(profile) => Ok(profile.over(self)),
            None => Err(Error::usage(format!(
                "no profile `{name}`: a configuration file lacks the section [profiles.{name}]"
            ))),
        }
    }

    /// Returns these settings, with missing ones taken from others.
    fn over(self, other: Self) -> Self {
        fn list<T>(own: Vec<T>, other: Vec<T>) -> Vec<T> {
            if own.is_empty() { other } else { own }
        }
        // A variant and house rules exclude each other: either replaces both.
        let own_rules = self.variant.is_some() || self.rules.is_some();
        Self {
            variant: self.variant.or(other.variant.filter(|_| !own_rules)),
            rules: self.rules.or(other.rules.filter(|_| !own_rules)),
            encoding: self.encoding.or(other.encoding),
            select: list(self.select, other.select),
            ignore: list(self.ignore, other.ignore),
            deny: list(self.deny, other.deny),
            severity: self.severity.or(other.severity),
            lang: self.lang.or(other.lang),
            require_tags: list(self.require_tags, other.require_tags),
            strict: self.strict.or(other.strict),
            baseline: self.baseline.or(other.baseline),
            egdb: self.egdb.or(other.egdb),
            result_style: self.result_style.or(other.result_style),
            profile: None,
            profiles: BTreeMap::new(),
        }
    }

    /// Makes paths relative to the folder of the file.
    fn rebase(&mut self, folder: &Path) {
        for path in [&mut self.rules, &mut self.baseline, &mut self.egdb].into_iter().flatten() {
            *path = folder.join(&*path);
        }
        self.profiles.values_mut().for_each(|profile| profile.rebase(folder));
    }

    /// Returns what is wrong with settings that are valid by themselves.
    fn contradiction(&self) -> Option<String> {
        if self.variant.is_some() && self.rules.is_some() {
            return Some("variant and rules cannot both be set".to_owned());
        }
        let nested = |(name, profile): (&String, &Self)| {
            let nests = !profile.profiles.is_empty() || profile.profile.is_some();
            let nested = nests.then(|| format!("the profile {name} contains a profile"));
            nested.or_else(|| profile.contradiction())
        };
        self.profiles.iter().find_map(nested)
    }
}

fn read(path: &Path) -> Result<Settings> {
    let text = read_limited(path)?;
    let text = String::from_utf8(text).map_err(|_| Error::usage(format!("{} is not UTF-8", path.display())))?;
    let mut settings: Settings = toml::from_str(&text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let (line, column) = line_column(text.as_bytes(), at);
        Error::usage(format!("{}:{line}:{column}: {}", path.display(), in_plain_terms(error.message())))
    })?;
    if let Some(reason) = settings.contradiction() {
        return Err(Error::usage(format!("{}: {reason}", path.display())));
    }
    settings.rebase(path.parent().unwrap_or(Path::new("")));
    Ok(settings)
}

/// Reads a configuration or rules file of at most 1 MB.
pub(super) fn read_limited(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed shows that there is more.
    let read = File::open(path).and_then(|file| file.take(MAX_SIZE + 1).read_to_end(&mut bytes));
    read.map_err(|error| Error::read(path, error))?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(Error::read(path, io::Error::other("the file is larger than 1 MB")));
    }
    Ok(bytes)
}

/// Reads a rules file. The error has the location of the first problem.
pub(super) fn read_rules_file(path: &Path) -> Result<Variant> {
    let bytes = read_limited(path)?;
    let invalid = |at: usize, reason: &str| {
        let (line, column) = line_column(&bytes, at);
        Error::usage(format!("invalid rules file {}:{line}:{column}: {reason}", path.display()))
    };
    let text = str::from_utf8(&bytes).map_err(|error| invalid(error.valid_up_to(), "the rules file is not UTF-8"))?;
    read_rules(text).map_err(|issue| invalid(issue.range().start, &issue.to_string()))
}

/// Returns the nearest configuration file in the folder that all paths have in common, or above it.
fn nearest(paths: &[PathBuf]) -> Option<PathBuf> {
    let mut folders = paths.iter().filter(|path| *path != Path::new("-")).filter_map(|path| folder_of(path));
    let first = folders.next().or_else(|| std::env::current_dir().ok())?;
    let common = folders.fold(first, |common, folder| common_part(&common, &folder));
    nearest_above(&common)
}

/// Returns the nearest configuration file in a folder or above it.
pub(super) fn nearest_above(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

/// Returns the absolute path of a folder, or of the folder of a file.
pub(super) fn folder_of(path: &Path) -> Option<PathBuf> {
    let mut folder = PathBuf::new();
    for part in std::path::absolute(path).ok()?.components() {
        match part {
            // By name alone: the folder may not exist yet.
            Component::ParentDir => drop(folder.pop()),
            part => folder.push(part),
        }
    }
    if !folder.is_dir() {
        folder.pop();
    }
    Some(folder)
}

fn common_part(one: &Path, other: &Path) -> PathBuf {
    one.components().zip(other.components()).take_while(|(one, other)| one == other).map(|(part, _)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Code, Group};

    fn parse(text: &str) -> Result<Settings> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(NAME);
        std::fs::write(&path, text).expect("written");
        read(&path)
    }

    #[test]
    fn a_profile_replaces_the_settings_that_it_has() {
        let text = "variant = 'russian'\nignore = ['draw']\nrequire-tags = ['Event']\nprofile = 'a'\n\
            [profiles.a]\nignore = ['tag/date']\nrules = 'house.toml'\n[profiles.b]\nencoding = 'cp1251'\n";
        let settings = parse(text).expect("valid");
        let a = settings.clone().with_profile(None).expect("a profile");
        assert!(a.variant.is_none() && a.rules.as_deref().is_some_and(Path::is_absolute));
        assert_eq!((a.ignore, a.require_tags), (vec![Selector::Code(Code::TAG_DATE)], vec!["Event".to_owned()]));
        let b = settings.clone().with_profile(Some("b")).expect("a profile");
        assert_eq!((b.variant, b.ignore), (Some(Variant::RUSSIAN), vec![Selector::Group(Group::Draw)]));
        assert!(b.encoding.is_some());
        assert!(settings.with_profile(Some("c")).is_err());
    }

    #[test]
    fn invalid_files_are_reported_with_their_place() {
        for (text, wanted) in [
            ("varient = 'x'", ":1:1: unknown field `varient`"),
            ("\nvariant = 'ludo'", ":2:11: expected a GameType number"),
            ("ignore = ['tag/dat']", ":1:10: unknown code `tag/dat`"),
            ("strict = 1", ":1:10: invalid type"),
            ("[profiles.a.profiles.b]", ": the profile a contains a profile"),
            ("variant = '20'\nrules = 'x'", ": variant and rules cannot both be set"),
        ] {
            let message = parse(text).expect_err(text).to_string();
            assert!(message.contains(wanted), "{message}");
        }
        assert!(parse(&"#".repeat(1_000_001)).is_err_and(|error| error.to_string().contains("larger than 1 MB")));
    }

    #[test]
    fn the_nearest_file_above_all_paths_is_found() {
        let root = tempfile::tempdir().expect("a folder");
        let path = |name: &str| root.path().join(name);
        std::fs::create_dir_all(path("a/b")).expect("folders");
        std::fs::create_dir_all(path("a/c")).expect("folders");
        for name in [NAME, "a/b/pdn.toml", "a/b/x.pdn", "a/c/y.pdn"] {
            std::fs::write(path(name), "").expect("written");
        }
        assert_eq!(nearest(&[path("a/b/x.pdn")]), Some(path("a/b/pdn.toml")));
        assert_eq!(nearest(&[path("a/b")]), Some(path("a/b/pdn.toml")));
        assert_eq!(nearest(&[path("a/b/x.pdn"), path("a/c/../c/y.pdn")]), Some(path(NAME)));
        assert_eq!(nearest(&[path("a/c/*.pdn"), PathBuf::from("-")]), Some(path(NAME)));
    }
}
