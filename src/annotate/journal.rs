//! The searches of annotated games in a file: no game is searched twice, and an interrupted run continues.
//!
//! A line is a JSON object: first a header, then a record for each game, with a checksum. Lines are only appended, one at a time
//! under a lock, so several processes can share a file. What a process that was killed left of a line is skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use serde::{Deserialize, Serialize};

use super::searches::SavedSearch;
use crate::error::Error;
use crate::journal::{is_sealed, sealed};
use crate::shared::lock;

/// The first line. The number is the version of the format.
const HEADER: &str = "{\"journal\":\"games\",\"version\":1}\n";

/// What begins the files in which earlier versions kept analyses and finished games.
const OLD_HEADERS: [(&[u8], &str); 2] = [(b"redb", "cache"), (b"{\"checkpoint\":", "checkpoint")];

/// What precedes the key of a record: the checksum, and the name of the key.
const KEY_AT: usize = "{\"crc32\":\"01234567\",\"game\":\"".len();
const KEY_LENGTH: usize = 16;

/// A file with the searches of games.
///
/// Its memory is an index of about 25 bytes a record: a key and a place in the file, in a balanced tree. A record of a game of
/// 100 plies with `--nodes 20000` takes about 25 kB of the file.
pub(crate) struct GameJournal {
    path: PathBuf,
    /// The length of the file when it was opened.
    opened_at: u64,
    state: Mutex<State>,
    /// Why the file is no longer used.
    failure: OnceLock<String>,
}

struct State {
    file: File,
    /// The key of each record, and its place in the file.
    places: BTreeSet<(u64, u64)>,
}

/// The searches of a game by an engine.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameRecord {
    /// A hash of the engine and the moves of the game, in 16 digits.
    game: String,
    /// The engine with everything on which the searches depend besides the game.
    pub(crate) engine: String,
    pub(crate) searches: Vec<SavedSearch>,
}

impl GameRecord {
    pub(super) fn new(key: u64, engine: String, searches: Vec<SavedSearch>) -> Self {
        Self { game: format!("{key:016x}"), engine, searches }
    }
}

impl fmt::Debug for GameJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameJournal").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The records of one engine in a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct JournalCount {
    /// Number of records, each of a game.
    pub(crate) games: u64,
    /// Number of searches of positions.
    pub(crate) positions: u64,
    /// Bytes of the records.
    pub(crate) bytes: u64,
}

impl GameJournal {
    /// Opens or creates a journal.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or is not a journal of this version.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(|error| Error::write(path, error))?;
        let head = begin(&file).map_err(|error| Error::write(path, error))?;
        if head != HEADER.as_bytes() {
            return Err(foreign(path, &head));
        }
        let (places, opened_at) = places(&file).map_err(|error| Error::read(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            opened_at,
            state: Mutex::new(State { file, places }),
            failure: OnceLock::new(),
        })
    }

    /// Returns true if the file had a record with a key when it was opened.
    pub(super) fn had(&self, key: u64) -> bool {
        lock(&self.state).places.range((key, 0)..(key, self.opened_at)).next().is_some()
    }

    /// Returns the searches of a game by an engine in earlier runs. With other thresholds, other positions are searched, so there
    /// may be several records.
    pub(super) fn find(&self, key: u64, engine: &str) -> Vec<Vec<SavedSearch>> {
        let mut state = lock(&self.state);
        let lines = self.used(|| state.lines(key).map_err(|error| Error::read(&self.path, error))).unwrap_or_default();
        let records = lines.iter().filter_map(|line| read_record(line)).filter(|record| record.engine == engine);
        records.map(|record| record.searches).collect()
    }

    /// Adds the searches of a game, if the file can be written.
    pub(super) fn add(&self, record: &GameRecord) {
        let mut state = lock(&self.state);
        let line = sealed(&serde_json::to_string(record).expect("text and numbers")) + "\n";
        self.used(|| state.append(&self.path, |state| state.push(&line).map_err(|error| self.unwritable(error))));
    }

    fn unwritable(&self, error: io::Error) -> Error {
        Error::write(&self.path, error)
    }

    /// Reads or writes the file. After a failure it is no longer used: games can be annotated without it.
    fn used<T>(&self, act: impl FnOnce() -> Result<T, Error>) -> Option<T> {
        if self.failure.get().is_some() {
            return None;
        }
        act().map_err(|error| self.failure.set(error.to_string())).ok()
    }

    /// Returns why the file is no longer used, if it could not be read or written.
    pub(super) fn failure(&self) -> Option<Error> {
        let why = self.failure.get()?;
        Some(Error::unavailable(format!("{why}; the run continued without this file")))
    }
}

/// What `pdn cache` does with journals.
impl GameJournal {
    /// Returns the counts of each engine, by its text.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn counts(&self) -> Result<BTreeMap<String, JournalCount>, Error> {
        let mut counts = BTreeMap::<_, JournalCount>::new();
        self.each(|line, record| {
            let count = counts.entry(record.engine).or_default();
            count.games += 1;
            count.positions += record.searches.len() as u64;
            count.bytes += line.len() as u64;
            Ok(())
        })?;
        Ok(counts)
    }

    /// Passes the line and the content of each record to `take`, in an order that hardly depends on when they were added. Damaged
    /// records are skipped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or if `take` fails.
    pub(crate) fn each(&self, mut take: impl FnMut(&str, GameRecord) -> Result<(), Error>) -> Result<(), Error> {
        let mut state = lock(&self.state);
        let places: Vec<u64> = state.places.iter().map(|(_, place)| *place).collect();
        places.into_iter().try_for_each(|place| {
            let line = state.line(place).map_err(|error| Error::read(&self.path, error))?;
            read_record(&line).map_or(Ok(()), |record| take(&line, record))
        })
    }

    /// Adds the records of other journals that this one lacks, and returns their number.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written, or if one of the others is an error. This journal is then unchanged.
    pub(crate) fn merge(&self, others: impl IntoIterator<Item = Result<Self, Error>>) -> Result<u64, Error> {
        lock(&self.state).append(&self.path, |state| {
            let mut added = 0;
            for other in others {
                other?.each(|line, _| {
                    let key = key_of(line.as_bytes()).expect("records have keys");
                    let known = state.lines(key).map_err(|error| Error::read(&self.path, error))?;
                    if known.iter().any(|known| known == line) {
                        return Ok(());
                    }
                    added += 1;
                    state.push(line).map_err(|error| self.unwritable(error))
                })?;
            }
            Ok(added)
        })
    }

    /// Removes the records of all engines except those that `keep` accepts, and all damaged ones, and returns the number of the
    /// former. What other processes add meanwhile may be lost.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written; it is then unchanged.
    pub(crate) fn prune(self, keep: impl Fn(&str) -> bool) -> Result<u64, Error> {
        // Two processes may do this at the same time.
        let path = self.path.with_extension(format!("new-{}", std::process::id()));
        let written = Self::open(&path).and_then(|kept| {
            let mut removed = 0;
            self.each(|line, record| {
                if !keep(&record.engine) {
                    removed += 1;
                    return Ok(());
                }
                lock(&kept.state).push(line).map_err(|error| kept.unwritable(error))
            })?;
            Ok(removed)
        });
        let renamed = |removed| std::fs::rename(&path, &self.path).map(|()| removed);
        let done = written.and_then(|removed| renamed(removed).map_err(|error| self.unwritable(error)));
        done.inspect_err(|_| drop(std::fs::remove_file(&path)))
    }
}

impl State {
    /// Appends the lines that `write` pushes, under a lock: all of them, or none if it fails.
    fn append<T>(&mut self, path: &Path, write: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let unwritable = |error| Error::write(path, error);
        let end = supported(self.file.lock()).and_then(|()| end_line(&self.file)).map_err(unwritable)?;
        let done = write(self);
        if done.is_err() {
            self.places.retain(|(_, place)| *place < end);
            // If this fails too, an incomplete line is left, which is skipped.
            let _ = self.file.set_len(end);
        }
        supported(self.file.unlock()).map_err(unwritable)?;
        done
    }

    /// Writes a line at the end of the file.
    fn push(&mut self, line: &str) -> io::Result<()> {
        let place = self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(line.as_bytes())?;
        self.places.extend(key_of(line.as_bytes()).map(|key| (key, place)));
        Ok(())
    }

    /// Returns the line at a place in the file.
    fn line(&mut self, place: u64) -> io::Result<String> {
        self.file.seek(SeekFrom::Start(place))?;
        let mut line = Vec::new();
        BufReader::new(&self.file).read_until(b'\n', &mut line)?;
        // A damaged line need not be text.
        Ok(String::from_utf8(line).unwrap_or_default())
    }

    /// Returns the lines with a key.
    fn lines(&mut self, key: u64) -> io::Result<Vec<String>> {
        let places: Vec<u64> = self.places.range((key, 0)..=(key, u64::MAX)).map(|(_, place)| *place).collect();
        places.into_iter().map(|place| self.line(place)).collect()
    }
}

/// Ignores that a system has no locks.
fn supported(locked: io::Result<()>) -> io::Result<()> {
    locked.or_else(|error| if error.kind() == io::ErrorKind::Unsupported { Ok(()) } else { Err(error) })
}

/// Writes the header to a new file, or to one that was cut off within the header, and returns the first bytes of the file.
fn begin(mut file: &File) -> io::Result<Vec<u8>> {
    // Several shards may begin the file at the same time.
    supported(file.lock())?;
    let mut head = Vec::new();
    file.take(HEADER.len() as u64).read_to_end(&mut head)?;
    if head.len() < HEADER.len() && HEADER.as_bytes().starts_with(&head) {
        file.rewind()?;
        file.write_all(HEADER.as_bytes())?;
        head = HEADER.into();
    }
    supported(file.unlock())?;
    Ok(head)
}

/// Ends the last line if a process was killed within it, and returns the length of the file.
fn end_line(mut file: &File) -> io::Result<u64> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    if last != *b"\n" {
        file.write_all(b"\n")?;
    }
    file.stream_position()
}

/// Returns the keys and places of all records, and the length of the file. Their checksums are verified when they are used.
fn places(file: &File) -> io::Result<(BTreeSet<(u64, u64)>, u64)> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut place = reader.seek(SeekFrom::Start(HEADER.len() as u64))?;
    let (mut places, mut line) = (BTreeSet::new(), Vec::new());
    while reader.read_until(b'\n', &mut line)? > 0 {
        places.extend(key_of(&line).map(|key| (key, place)));
        place += line.len() as u64;
        line.clear();
    }
    Ok((places, place))
}

/// Returns the key of a complete line.
fn key_of(line: &[u8]) -> Option<u64> {
    let digits = line.strip_suffix(b"\n")?.get(KEY_AT..)?.get(..KEY_LENGTH)?;
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Returns the record in a line, unless it is damaged.
fn read_record(line: &str) -> Option<GameRecord> {
    if is_sealed(line) { serde_json::from_str(line).ok() } else { None }
}

/// Returns the error of a file that is not a journal.
fn foreign(path: &Path, head: &[u8]) -> Error {
    let path = path.display();
    let old = OLD_HEADERS.iter().find(|(old, _)| head.starts_with(old)).map(|(_, kind)| kind);
    Error::unavailable(match old {
        Some(kind) => format!("{path}: a {kind} of an older version of pdn; use another name, or remove the file"),
        None => format!("{path}: not a journal of annotated games"),
    })
}
