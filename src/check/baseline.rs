//! Known diagnostics, which are not shown again.
//!
//! A diagnostic is identified by its file, its code, the text it refers to and the values in its message, not by its
//! line or the number of its game. The baseline counts identical diagnostics, so that any beyond that number are shown.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::diag::Diagnostic;
use crate::error::{Error, Result};
use crate::source::Input;

/// The version of the format of the file.
const VERSION: u32 = 1;

/// Number of characters of the text that identify a diagnostic.
const MAX_TEXT: usize = 100;

/// Values in messages that change when other games are added or removed.
const PLACES: [&str; 2] = ["game", "line"];

/// What identifies a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Known {
    /// The path relative to the folder of the baseline.
    file: String,
    code: String,
    text: String,
    arguments: Vec<String>,
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    known: Known,
    count: u64,
}

/// The first line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    pdn_baseline: u32,
}

/// The known diagnostics, or the file to write all diagnostics to.
#[derive(Debug)]
pub(crate) struct Baseline {
    path: PathBuf,
    folder: PathBuf,
    /// Counts of known diagnostics; `None` if a new baseline is being written.
    counts: Option<BTreeMap<Known, u64>>,
}

impl Baseline {
    /// Returns an empty baseline, to be written to a file.
    pub(crate) fn to_write(path: &Path) -> Result<Self> {
        let folder = absolute(path).map_err(|error| Error::write(path, error))?;
        let folder = folder.parent().unwrap_or(Path::new("/")).to_owned();
        Ok(Self { path: path.to_owned(), folder, counts: None })
    }

    /// Reads a baseline.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
        let invalid = |error: serde_json::Error| {
            Error::read(path, std::io::Error::new(ErrorKind::InvalidData, format!("not a baseline: {error}")))
        };
        let mut lines = text.lines();
        let head: Head = serde_json::from_str(lines.next().unwrap_or_default()).map_err(invalid)?;
        if head.pdn_baseline != VERSION {
            let message = format!("{}: unknown version {} of the baseline format", path.display(), head.pdn_baseline);
            return Err(Error::usage(message));
        }
        let rows = lines.map(|line| serde_json::from_str(line).map(|Row { known, count }| (known, count)));
        let counts = rows.collect::<Result<_, _>>().map_err(invalid)?;
        Ok(Self { counts: Some(counts), ..Self::to_write(path)? })
    }

    /// Returns what identifies a diagnostic about a text, if the baseline has such diagnostics or is to be written.
    pub(crate) fn known(&self, diagnostic: &Diagnostic, input: &Input, text: &[u8]) -> Option<Known> {
        // A character has up to four bytes.
        let words = String::from_utf8_lossy(&text[..text.len().min(4 * MAX_TEXT)]);
        let words: Vec<_> = words.split_whitespace().collect();
        let values = diagnostic.values().into_iter().filter(|(name, _)| !PLACES.contains(name));
        let known = Known {
            file: self.name_of(input),
            code: diagnostic.code().name().to_owned(),
            text: words.join(" ").chars().take(MAX_TEXT).collect(),
            arguments: values.map(|(_, value)| value.chars().take(MAX_TEXT).collect()).collect(),
        };
        self.counts.as_ref().is_none_or(|counts| counts.contains_key(&known)).then_some(known)
    }

    /// Returns the path of an input relative to the folder of the baseline, with slashes.
    fn name_of(&self, input: &Input) -> String {
        let Some(path) = input.path().and_then(|_| absolute(Path::new(input.label())).ok()) else {
            return input.label().to_owned();
        };
        let relative = path.strip_prefix(&self.folder).unwrap_or(&path);
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }

    /// Number of identical known diagnostics.
    pub(crate) fn count(&self, known: &Known) -> u64 {
        self.counts.as_ref().map_or(u64::MAX, |counts| counts.get(known).copied().unwrap_or_default())
    }

    /// Returns true if the baseline is to be written with the diagnostics of this run.
    pub(crate) const fn is_to_write(&self) -> bool {
        self.counts.is_none()
    }

    /// Returns its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the text of a baseline with the diagnostics that were found.
    pub(crate) fn text(found: BTreeMap<&Known, u64>) -> Result<String> {
        let json = |value: serde_json::Result<String>| value.map_err(|error| Error::unavailable(error.to_string()));
        let mut text = json(serde_json::to_string(&Head { pdn_baseline: VERSION }))?;
        for (known, count) in found {
            text.push('\n');
            text.push_str(&json(serde_json::to_string(&Row { known: known.clone(), count }))?);
        }
        text.push('\n');
        Ok(text)
    }
}

/// Returns an absolute path without `.` and `..`; symbolic links are not followed.
fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    let mut clean = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        match part {
            Component::ParentDir => drop(clean.pop()),
            part => clean.push(part),
        }
    }
    Ok(clean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Code, Span, messages};

    #[test]
    fn the_place_of_a_diagnostic_does_not_identify_it() {
        let baseline = Baseline::to_write(Path::new("folder/known.json")).expect("a folder");
        let known = |diagnostic: &Diagnostic, path: &str, text: &[u8]| {
            baseline.known(diagnostic, &Input::file(path), text).expect("all are known")
        };
        let at =
            |start: u32, game: u64| messages::duplicate_game(Span::new(start, start + 1), game, "a", u64::from(start));
        let one = known(&at(1, 1), "folder/a.pdn", b"1. 32-28\n19-23");
        assert_eq!((one.file.as_str(), one.code.as_str()), ("a.pdn", Code::REPLAY_DUPLICATE.name()));
        assert_eq!(known(&at(9, 7), "./x/../folder/a.pdn", b"1.  32-28 19-23"), one);
        assert_ne!(known(&at(1, 1), "folder/b.pdn", b"1. 32-28\n19-23"), one);
        assert_ne!(known(&at(1, 1), "folder/a.pdn", b"1. 32-27\n19-23"), one);
        assert_eq!(
            known(&at(1, 1), "other/a.pdn", b"").file.rsplit('/').take(2).collect::<Vec<_>>(),
            ["a.pdn", "other"]
        );
    }
}
