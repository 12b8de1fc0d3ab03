//! `pdn search --split`: a file for each player, event, year or variant.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::board::Side;
use crate::check::{CheckedGame, Needs};
use crate::cli::context::Context;
use crate::cli::interrupt;
use crate::cli::output::part_of;
use crate::error::{Error, Result};
use crate::query::SearchFormat;
use crate::source::is_device;

/// The property by which games are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SplitKey {
    /// Both players: each game is in two files
    Player,
    Event,
    Year,
    Variant,
}

impl SplitKey {
    pub(super) const fn needs(self) -> Needs {
        if matches!(self, Self::Variant) { Needs::Game } else { Needs::Tags }
    }

    /// Returns the keys of a game, `unknown` if it has none.
    pub(super) fn keys(self, game: &CheckedGame<'_>) -> Vec<String> {
        let player = |side| game.known_player(side).map(str::to_owned);
        let keys = match self {
            Self::Player => {
                let white = player(Side::White);
                let black = player(Side::Black).filter(|black| white.as_ref() != Some(black));
                [white, black]
            }
            Self::Event => [game.known_tag("Event").map(str::to_owned), None],
            Self::Year => [game.date()[0].map(|year| year.to_string()), None],
            Self::Variant => [game.variant().map(|variant| variant.name().to_owned()), None],
        };
        let keys: Vec<_> = keys.into_iter().flatten().collect();
        if keys.is_empty() { vec!["unknown".to_owned()] } else { keys }
    }
}

// Each write opens a file, so that thousands of keys need no more open files than a system allows.
/// Maximum number of buffered bytes, over all files.
const MAX_WAITING: usize = 8 << 20;

/// Writes games to files in a folder, only one of which is open at a time. Their names end in `.part` until all are complete.
pub(super) struct Split {
    folder: PathBuf,
    format: SearchFormat,
    /// What each file begins with.
    header: Vec<u8>,
    /// The file of each key.
    names: HashMap<String, PathBuf>,
    /// The file names in lower case, because some systems ignore case, each with the last number appended to it. Keys with the
    /// same first characters are therefore numbered in constant time.
    used: HashMap<String, u32>,
    waiting: HashMap<PathBuf, Vec<u8>>,
    waiting_bytes: usize,
}

impl Split {
    /// Creates the folder, if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub(super) fn new(folder: &Path, format: SearchFormat, header: Vec<u8>) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
        let (names, used, waiting) = Default::default();
        Ok(Self { folder: folder.to_owned(), format, header, names, used, waiting, waiting_bytes: 0 })
    }

    /// Adds a game to the file of a key.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub(super) fn add(&mut self, key: &str, game: &[u8]) -> Result<()> {
        let path = match self.names.get(key) {
            Some(path) => path.clone(),
            None => self.begin(key)?,
        };
        self.waiting.entry(path).or_default().extend_from_slice(game);
        self.waiting_bytes += game.len();
        if self.waiting_bytes > MAX_WAITING { self.flush() } else { Ok(()) }
    }

    /// Chooses the file of a new key and writes its header.
    fn begin(&mut self, key: &str) -> Result<PathBuf> {
        let base = file_name(key);
        // On Windows and macOS, names that differ only in case are the same file.
        let small = base.to_lowercase();
        let mut count = self.used.get(&small).copied().unwrap_or_default();
        let name = loop {
            count += 1;
            let name = if count == 1 { base.clone() } else { format!("{base} ({count})") };
            if count == 1 || !self.used.contains_key(&name.to_lowercase()) {
                break name;
            }
        };
        self.used.insert(small, count);
        self.used.entry(name.to_lowercase()).or_insert(1);
        let path = self.folder.join(format!("{name}.{}", self.format.name()));
        let part = part_of(&path);
        interrupt::remember(&part);
        fs::write(&part, &self.header).map_err(|error| Error::write(&part, error))?;
        self.names.insert(key.to_owned(), path.clone());
        Ok(path)
    }

    /// Writes the buffered bytes.
    fn flush(&mut self) -> Result<()> {
        for (path, text) in self.waiting.drain() {
            let part = part_of(&path);
            let file = OpenOptions::new().append(true).open(&part);
            file.and_then(|mut file| file.write_all(&text)).map_err(|error| Error::write(&part, error))?;
        }
        self.waiting_bytes = 0;
        Ok(())
    }

    /// Completes the files, unless one of them would replace an input.
    ///
    /// # Errors
    ///
    /// If one cannot be written, or would replace an input.
    pub(super) fn finish(mut self, context: &Context) -> Result<()> {
        context.spare_inputs(self.names.values().map(PathBuf::as_path))?;
        self.flush()?;
        for path in self.names.values() {
            let part = part_of(path);
            interrupt::forget_after(&part, || fs::rename(&part, path)).map_err(|error| Error::write(path, error))?;
        }
        Ok(())
    }
}

impl Drop for Split {
    /// Removes files that are not complete.
    fn drop(&mut self) {
        for path in self.names.values() {
            let part = part_of(path);
            let _ = interrupt::forget_after(&part, || fs::remove_file(&part));
        }
    }
}

/// Returns a name for a file that every system accepts, and that no program mistakes for an option.
fn file_name(key: &str) -> String {
    // File systems allow 255 bytes, or as many characters; an ending, `.part` and the number of a repeated name follow.
    const MAX_LENGTH: usize = 80;
    const MAX_BYTES: usize = 200;
    let allowed = |letter: char| letter.is_alphanumeric() || " -_,'()&+.".contains(letter);
    let name: String = key.chars().take(MAX_LENGTH).map(|letter| if allowed(letter) { letter } else { '_' }).collect();
    let name = name[..name.floor_char_boundary(MAX_BYTES)].trim_matches([' ', '.']);
    let reserved = name.is_empty() || name.starts_with('-') || is_device(name);
    if reserved { format!("_{name}") } else { name.to_owned() }
}

// Windows drops spaces and points at the end of a name.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe() {
        for (key, name) in [
            ("Ton Sijbrands", "Ton Sijbrands"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("a/b:c*\"?\0\n", "a_b_c_____"),
            ("..", "_"),
            ("CON", "_CON"),
            ("Com1", "_Com1"),
            ("-rf", "_-rf"),
            ("Łódź '92, (A)", "Łódź '92, (A)"),
        ] {
            assert_eq!(file_name(key), name);
        }
        assert_eq!(file_name(&"é".repeat(500)).chars().count(), 80);
        assert_eq!(file_name(&"中".repeat(500)), "中".repeat(66));
    }
}
