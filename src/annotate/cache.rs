//! Answers of analysts in a file, so that no question is asked twice.
//!
//! A table numbers the engines with everything on which their answers depend; the other has answers by engine and positions.
//! redb verifies only part of what it reads, and may panic: each answer has a checksum, and a panic means a damaged file.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use flate2::Crc;
use redb::backends::FileBackend;
use redb::{
    Builder, Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition, TableError, TableHandle,
    WriteTransaction,
};

use super::analyst::AnalystQuestion;
use crate::engine::{Analysis, Score, ScoredLine};
use crate::error::Error;
use crate::rules::{Position, Variant, line_indices, line_moves, pack, unpack};

/// The numbers are format versions; tables of other versions are not read.
const ENGINES: TableDefinition<'_, &str, u32> = TableDefinition::new("engines 2");
const ANSWERS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("answers 4");

/// Number of answers that are written together; up to this many are lost if the process is killed.
const BATCH: usize = 64;

const NUMBER: usize = 4;

/// Length of the number of an engine and of the hash of the questions before.
const HEAD: usize = NUMBER + 8;

/// Length of the checksum before an answer.
const CHECKSUM: usize = 4;

/// A file with answers of analysts. One process at a time can open it.
pub struct AnalysisCache {
    path: PathBuf,
    /// `None` if the file was damaged when it was opened.
    database: Option<Database>,
    state: Mutex<State>,
    /// True if the file was found to be damaged.
    is_damaged: AtomicBool,
    /// Why the cache is no longer used.
    failure: OnceLock<String>,
}

#[derive(Default)]
struct State {
    engines: HashMap<String, u32>,
    /// Keys and values that are not written yet.
    waiting: Vec<(Vec<u8>, Vec<u8>)>,
}

type Pair = (Vec<u8>, Vec<u8>);

impl fmt::Debug for AnalysisCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnalysisCache").field("path", &self.path).finish_non_exhaustive()
    }
}

/// A question and its answer, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedAnswer<'a> {
    engine: &'a str,
    position: Option<Position>,
    history: usize,
    analysis: Option<Analysis>,
}

impl<'a> CachedAnswer<'a> {
    /// Returns the engine with everything on which its answers depend.
    pub(crate) const fn engine(&self) -> &'a str {
        self.engine
    }

    /// Returns the position, if its variant is known to the program.
    pub const fn position(&self) -> Option<Position> {
        self.position
    }

    /// Returns the number of earlier positions in the question.
    pub(crate) const fn history(&self) -> usize {
        self.history
    }

    /// Returns the answer, if the position is known.
    pub(crate) const fn analysis(&self) -> Option<&Analysis> {
        self.analysis.as_ref()
    }
}

/// The answers of one engine in a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheCount {
    /// Number of answers.
    pub answers: u64,
    /// Bytes of questions and answers.
    pub bytes: u64,
}

impl AnalysisCache {
    /// Opens or creates a cache.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is in use, is damaged, or is not a cache. A file that could not be created is
    /// removed.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let cache = Self::open_or_set_aside(path)?;
        cache.failure.get().map_or(Ok(()), |why| Err(Error::unavailable(why.clone())))?;
        Ok(cache)
    }

    /// Opens or creates a cache. A damaged one is renamed by [`finish`](Self::finish), and provides and stores no
    /// answers.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is in use, or is not a cache. A file that could not be created is removed.
    pub(crate) fn open_or_set_aside(path: &Path) -> Result<Self, Error> {
        if path.metadata().map_or(true, |found| found.is_file() && found.len() == 0) {
            create(path).map_err(|error| open_error(path, &error))?;
        }
        Self::with_database(path, || Database::create(path))
    }

    /// Makes a cache in an empty file, whose name in messages is `path`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn create_in(file: File, path: &Path) -> Result<Self, Error> {
        Self::with_database(path, || FileBackend::new(file).and_then(|file| Builder::new().create_with_backend(file)))
    }

    /// Opens a database; a damaged one counts as a failure of the cache.
    fn with_database(path: &Path, open: impl FnOnce() -> Result<Database, DatabaseError>) -> Result<Self, Error> {
        let mut cache = Self {
            path: path.to_owned(),
            database: None,
            state: Mutex::default(),
            is_damaged: AtomicBool::new(false),
            failure: OnceLock::new(),
        };
        let opened = cache.guarded(|| match open() {
            Ok(database) => Ok(database),
            Err(DatabaseError::Storage(error @ redb::StorageError::Corrupted(_))) => Err(cache.failed(&error.into())),
            Err(error) => Err(open_error(path, &error)),
        });
        let engines = match opened {
            Ok(database) => {
                cache.database = Some(database);
                cache.engines()
            }
            Err(error) => Err(error),
        };
        match engines {
            Ok(engines) => cache.state().engines = engines,
            Err(error) if cache.is_damaged.load(Ordering::Relaxed) => drop(cache.failure.set(error.to_string())),
            Err(error) => return Err(error),
        }
        Ok(cache)
    }

    /// Runs an action on the file. A panic means that it is damaged.
    fn guarded<T>(&self, act: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let panicked = |_| Err(self.failed(&redb::Error::Corrupted("a page cannot be read".to_owned())));
        catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(panicked)
    }

    fn act<T>(&self, act: impl FnOnce(&Database) -> Result<T, redb::Error>) -> Result<T, Error> {
        let gone = || redb::Error::Corrupted("it could not be opened".to_owned());
        self.guarded(|| {
            let done = self.database.as_ref().ok_or_else(gone).and_then(act);
            done.map_err(|error| self.failed(&error))
        })
    }

    /// Returns an engine's answer to a question, if the cache has it and can be read.
    pub(super) fn known(&self, engine: &str, question: &AnalystQuestion<'_>) -> Option<Analysis> {
        self.unless_failed(|| self.find(engine, question)).flatten()
    }

    /// Adds an engine's answer to a question, if the cache can be written.
    pub(super) fn keep(&self, engine: &str, question: &AnalystQuestion<'_>, analysis: &Analysis) {
        self.unless_failed(|| self.add(engine, question, analysis));
    }

    /// Runs an action on the file. After a failure the file is no longer used: the answers can be found without it.
    fn unless_failed<T>(&self, act: impl FnOnce() -> Result<T, Error>) -> Option<T> {
        if self.failure.get().is_some() {
            return None;
        }
        act().map_err(|error| self.failure.set(error.to_string())).ok()
    }

    /// Writes all waiting answers and returns why the cache is no longer used, if it could not be read or written. A
    /// damaged file is renamed, so that the next run starts a new one.
    pub(crate) fn finish(&self) -> Option<String> {
        self.unless_failed(|| self.flush());
        let why = self.failure.get()?;
        if !self.is_damaged.load(Ordering::Relaxed) {
            return Some(why.clone());
        }
        let mut aside = self.path.clone().into_os_string();
        aside.push(".damaged");
        match std::fs::rename(&self.path, &aside) {
            Ok(()) => Some(format!("{why}; it was renamed to {}", Path::new(&aside).display())),
            Err(error) => Some(format!("{why}, and cannot be renamed: {error}")),
        }
    }

    /// Returns an engine's answer to a question.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    fn find(&self, engine: &str, question: &AnalystQuestion<'_>) -> Result<Option<Analysis>, Error> {
        let Some(number) = self.state().engines.get(engine).copied() else { return Ok(None) };
        let key = key(number, question);
        let value = self.read(|answers| {
            let value = answers.get(&key[..])?;
            value.map(|value| Ok(checked(engine, &key, value.value())?.to_vec())).transpose()
        });
        Ok(value?.flatten().and_then(|value| read_answer(question.position(), &value)))
    }

    /// Adds an engine's answer to a question. It is written together with others.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    fn add(&self, engine: &str, question: &AnalystQuestion<'_>, analysis: &Analysis) -> Result<(), Error> {
        let Some(value) = answer(question.position(), analysis) else { return Ok(()) };
        let key = key(self.number(engine)?, question);
        let value = [&checksum(engine, &key, &value)[..], &value].concat();
        let mut state = self.state();
        state.waiting.push((key, value));
        if state.waiting.len() < BATCH {
            return Ok(());
        }
        let batch = std::mem::take(&mut state.waiting);
        drop(state);
        self.write(&batch)
    }

    /// Writes all waiting answers.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn flush(&self) -> Result<(), Error> {
        let batch = std::mem::take(&mut self.state().waiting);
        if batch.is_empty() { Ok(()) } else { self.write(&batch) }
    }

    /// Returns the counts of each engine, by its text.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn counts(&self) -> Result<Vec<(String, CacheCount)>, Error> {
        let mut engines: Vec<_> = self.engines()?.into_iter().collect();
        engines.sort_unstable();
        let count = |(engine, number): (String, u32)| {
            let answers = self.answers(&engine, number)?;
            let bytes = answers.iter().map(|(key, value)| (key.len() + value.len()) as u64).sum();
            Ok((engine, CacheCount { answers: answers.len() as u64, bytes }))
        };
        engines.into_iter().map(count).collect()
    }

    /// Passes all questions and answers to `take`, in an order that depends only on them.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or if `take` fails.
    pub(crate) fn each(&self, mut take: impl FnMut(CachedAnswer<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let mut engines: Vec<_> = self.engines()?.into_iter().collect();
        engines.sort_unstable();
        for (engine, number) in engines {
            for (key, value) in self.answers(&engine, number)? {
                take(stored(&engine, key.get(HEAD..).unwrap_or_default(), &value[CHECKSUM..]))?;
            }
        }
        Ok(())
    }

    /// Adds all answers of other caches, and returns the number of new ones. Existing answers are kept.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written, or if one of the others is an error. This cache is then unchanged.
    pub(crate) fn merge(&self, others: impl IntoIterator<Item = Result<Self, Error>>) -> Result<u64, Error> {
        let mut engines = self.engines()?;
        let mut added = 0;
        self.guarded(|| {
            let Some(database) = &self.database else { return Ok(()) };
            let write = database.begin_write().map_err(|error| self.failed(&error.into()))?;
            for other in others {
                let other = other?;
                for (engine, number) in other.engines()? {
                    let own = engines.get(&engine).copied().unwrap_or_else(|| next_number(&engines));
                    engines.insert(engine.clone(), own);
                    let answers = other.answers(&engine, number)?;
                    added += insert(&write, &engine, own, answers).map_err(|error| self.failed(&error))?;
                }
            }
            write.commit().map_err(|error| self.failed(&error.into()))
        })?;
        self.state().engines = engines;
        Ok(added)
    }

    /// Removes the answers of all engines except those that `keep` accepts, and returns their number. Tables of other formats
    /// are removed too.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub(crate) fn prune(&mut self, keep: impl Fn(&str) -> bool) -> Result<u64, Error> {
        let rejected: HashMap<_, _> = self.engines()?.into_iter().filter(|(engine, _)| !keep(engine)).collect();
        let removed = self.act(|database| {
            let write = database.begin_write()?;
            let is_ours = |table: &str| [ENGINES.name(), ANSWERS.name()].contains(&table);
            let others: Vec<_> = write.list_tables()?.filter(|table| !is_ours(table.name())).collect();
            others.into_iter().try_for_each(|table| write.delete_table(table).map(drop))?;
            let mut engines = write.open_table(ENGINES)?;
            rejected.keys().try_for_each(|engine| engines.remove(&engine[..]).map(drop))?;
            let numbers: HashSet<_> = rejected.values().map(|number| number.to_be_bytes()).collect();
            let mut removed = 0;
            write.open_table(ANSWERS)?.retain(|key, _| {
                let is_kept = key.first_chunk().is_some_and(|number| !numbers.contains(number));
                removed += u64::from(!is_kept);
                is_kept
            })?;
            drop(engines);
            write.commit()?;
            Ok(removed)
        })?;
        self.state().engines.retain(|engine, _| !rejected.contains_key(engine));
        let database = &mut self.database;
        let compacted = catch_unwind(AssertUnwindSafe(|| database.as_mut().map(Database::compact).transpose()));
        match compacted {
            Ok(done) => done.map(|_| removed).map_err(|error| self.failed(&error.into())),
            Err(_) => {
                self.guarded(|| Err(self.failed(&redb::Error::Corrupted("it cannot be made smaller".to_owned()))))
            }
        }
    }

    /// Returns the number of an engine, and assigns one if it has none.
    fn number(&self, engine: &str) -> Result<u32, Error> {
        let mut state = self.state();
        if let Some(number) = state.engines.get(engine) {
            return Ok(*number);
        }
        let number = next_number(&state.engines);
        self.act(|database| {
            let write = database.begin_write()?;
            write.open_table(ENGINES)?.insert(engine, number)?;
            Ok(write.commit()?)
        })?;
        state.engines.insert(engine.to_owned(), number);
        Ok(number)
    }

    fn write(&self, batch: &[Pair]) -> Result<(), Error> {
        self.act(|database| {
            let write = database.begin_write()?;
            let mut answers = write.open_table(ANSWERS)?;
            for (key, value) in batch {
                answers.insert(&key[..], &value[..])?;
            }
            drop(answers);
            Ok(write.commit()?)
        })
    }

    /// Returns the numbers of the engines.
    fn engines(&self) -> Result<HashMap<String, u32>, Error> {
        self.act(|database| {
            let Some(engines) = existing(database.begin_read()?.open_table(ENGINES))? else {
                return Ok(HashMap::new());
            };
            let pair = |entry: Result<(redb::AccessGuard<'_, &str>, redb::AccessGuard<'_, u32>), _>| {
                let (engine, number) = entry?;
                Ok((engine.value().to_owned(), number.value()))
            };
            engines.iter()?.map(pair).collect()
        })
    }

    /// Reads the table of answers, if there is one.
    fn read<T>(
        &self,
        take: impl FnOnce(&redb::ReadOnlyTable<&'static [u8], &'static [u8]>) -> Result<T, redb::Error>,
    ) -> Result<Option<T>, Error> {
        self.act(|database| {
            existing(database.begin_read()?.open_table(ANSWERS))?.map(|answers| take(&answers)).transpose()
        })
    }

    /// Returns the keys and values of an engine, with their checksums.
    fn answers(&self, engine: &str, number: u32) -> Result<Vec<Pair>, Error> {
        let (first, end) = (number.to_be_bytes(), number.saturating_add(1).to_be_bytes());
        let all = self.read(|answers| {
            let mut pairs = Vec::new();
            for pair in answers.range::<&[u8]>(&first[..]..&end[..])? {
                let (key, value) = pair?;
                pairs.push((key.value().to_vec(), value.value().to_vec()));
                checked(engine, key.value(), value.value())?;
            }
            Ok(pairs)
        });
        Ok(all?.unwrap_or_default())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the error of the file, and records whether it is damaged.
    fn failed(&self, error: &redb::Error) -> Error {
        let path = self.path.display();
        Error::unavailable(match error {
            redb::Error::Corrupted(why) => {
                self.is_damaged.store(true, Ordering::Relaxed);
                format!("{path}: the cache is damaged: {why}")
            }
            error => format!("{path}: {error}"),
        })
    }
}

impl Drop for AnalysisCache {
    fn drop(&mut self) {
        // Lost answers are simply computed again.
        self.unless_failed(|| self.flush());
        let database = self.database.take();
        let _ = catch_unwind(AssertUnwindSafe(|| drop(database)));
    }
}

/// Makes an empty database under another name first: a process killed meanwhile must not leave a file that later runs refuse.
fn create(path: &Path) -> Result<(), DatabaseError> {
    let new = path.with_extension(format!("new-{}", std::process::id()));
    let made = Database::create(&new).map(drop);
    let made = made.and_then(|()| std::fs::rename(&new, path).map_err(|error| DatabaseError::Storage(error.into())));
    made.inspect_err(|_| drop(std::fs::remove_file(&new)))
}

fn open_error(path: &Path, error: &DatabaseError) -> Error {
    let path = path.display();
    Error::unavailable(match error {
        DatabaseError::DatabaseAlreadyOpen => {
            format!("{path}: the cache is in use; give each run its own, and join them with `pdn cache merge`")
        }
        error => format!("{path}: not a cache, or it cannot be opened: {error}"),
    })
}

/// Returns a table, or `None` if nothing was written to it yet.
fn existing<T>(table: Result<T, TableError>) -> Result<Option<T>, redb::Error> {
    match table {
        Ok(table) => Ok(Some(table)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns the number of the next engine.
fn next_number(engines: &HashMap<String, u32>) -> u32 {
    engines.values().max().map_or(0, |last| last + 1)
}

/// Adds answers of another cache for an engine, and returns how many are new.
fn insert(write: &WriteTransaction, engine: &str, number: u32, answers: Vec<Pair>) -> Result<u64, redb::Error> {
    write.open_table(ENGINES)?.insert(engine, number)?;
    let mut table = write.open_table(ANSWERS)?;
    let mut added = 0;
    for (mut key, value) in answers {
        key[..NUMBER].copy_from_slice(&number.to_be_bytes());
        if table.get(&key[..])?.is_none() {
            table.insert(&key[..], &value[..])?;
            added += 1;
        }
    }
    Ok(added)
}

/// Returns the key of a question: the number of the engine, a hash of the questions before if it continues them, the position
/// and the earlier ones.
pub(super) fn key(number: u32, question: &AnalystQuestion<'_>) -> Vec<u8> {
    let mut key = number.to_be_bytes().to_vec();
    key.extend(question.before().to_be_bytes());
    pack(question.position(), &mut key);
    question.history().iter().for_each(|position| pack(position, &mut key));
    key
}

/// Returns the checksum of an answer and its question, without the number of the engine, which differs between caches.
fn checksum(engine: &str, key: &[u8], value: &[u8]) -> [u8; CHECKSUM] {
    let mut crc = Crc::new();
    for bytes in [engine.as_bytes(), &[0], key.get(NUMBER..).unwrap_or_default(), value] {
        crc.update(bytes);
    }
    crc.sum().to_le_bytes()
}

/// Returns a stored value without its checksum.
fn checked<'a>(engine: &str, key: &[u8], value: &'a [u8]) -> Result<&'a [u8], redb::Error> {
    let whole = value.split_first_chunk().filter(|(sum, value)| **sum == checksum(engine, key, value));
    whole.map(|(_, value)| value).ok_or_else(|| redb::Error::Corrupted("an analysis has a wrong checksum".to_owned()))
}

/// Returns an answer as bytes: depth, nodes, and for each line the score, the number of moves and their indices. An answer with a
/// line that is not legal, or a number that does not fit into a byte, is not stored.
fn answer(position: &Position, analysis: &Analysis) -> Option<Vec<u8>> {
    let mut value = analysis.depth().to_le_bytes().to_vec();
    value.extend_from_slice(&analysis.nodes().to_le_bytes());
    for line in analysis.lines() {
        let indices = line_indices(*position, line.moves());
        if indices.len() != line.moves().len() {
            return None;
        }
        value.extend_from_slice(&line.score().value().to_le_bytes());
        value.push(u8::try_from(indices.len()).ok()?);
        for index in indices {
            value.push(u8::try_from(index).ok()?);
        }
    }
    Some(value)
}

/// Reads an answer; `None` if it does not answer a question about this position.
fn read_answer(position: &Position, value: &[u8]) -> Option<Analysis> {
    let (depth, rest) = value.split_first_chunk()?;
    let (nodes, mut rest) = rest.split_first_chunk()?;
    let mut lines = Vec::new();
    while !rest.is_empty() {
        lines.push(read_line(position, &mut rest)?);
    }
    let best = lines.first()?.clone();
    let analysis =
        Analysis::new(best.score(), best.moves().to_vec(), u32::from_le_bytes(*depth), u64::from_le_bytes(*nodes));
    Some(analysis.with_others(lines.split_off(1)))
}

/// Reads a line of an answer.
fn read_line(position: &Position, bytes: &mut &[u8]) -> Option<ScoredLine> {
    let (score, rest) = bytes.split_first_chunk()?;
    let (&length, rest) = rest.split_first()?;
    let (indices, rest) = rest.split_at_checked(usize::from(length))?;
    let indices: Vec<u16> = indices.iter().copied().map(u16::from).collect();
    *bytes = rest;
    Some(ScoredLine::new(Score::from_value(i32::from_le_bytes(*score)), line_moves(*position, &indices)?))
}

/// Returns a question and its answer from their bytes.
fn stored<'a>(engine: &'a str, mut key: &[u8], value: &[u8]) -> CachedAnswer<'a> {
    let variant = engine.split(' ').find_map(|word| word.strip_prefix("variant=")).and_then(Variant::by_name);
    let position = variant.and_then(|variant| unpack(variant, &mut key));
    let earlier = || unpack(variant?, &mut key);
    let history = std::iter::from_fn(earlier).count();
    let analysis = position.and_then(|position| read_answer(&position, value));
    CachedAnswer { engine, position, history, analysis }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Limit;

    fn answered(moves: usize) -> (Position, Analysis) {
        let start = Position::start(Variant::FRISIAN);
        let line = line_moves(start, &vec![0; moves]).expect("legal moves");
        (start, Analysis::new(Score::loss_in(moves as u32), line, 7, 123_456))
    }

    #[test]
    fn answers_are_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("cache");
        let (start, analysis) = answered(5);
        let question = AnalystQuestion::new(&start, &[], Limit::depth(7));
        {
            let cache = AnalysisCache::open(&path).expect("a new file");
            assert_eq!(cache.find("e variant=frisian", &question).expect("readable"), None);
            cache.add("e variant=frisian", &question, &analysis).expect("written");
        }
        let cache = AnalysisCache::open(&path).expect("a cache");
        assert_eq!(cache.find("e variant=frisian", &question).expect("readable"), Some(analysis.clone()));
        assert_eq!(cache.find("another", &question).expect("readable"), None);
        let later = start.play_unchecked(&start.legal_moves()[0]);
        assert_eq!(
            cache.find("e variant=frisian", &AnalystQuestion::new(&later, &[], Limit::depth(7))).expect("readable"),
            None
        );
        let mut all = Vec::new();
        let collect = |answer: CachedAnswer<'_>| {
            all.push((answer.position, answer.history, answer.analysis));
            Ok(())
        };
        cache.each(collect).expect("readable");
        assert_eq!(all, [(Some(start), 0, Some(analysis))]);
        assert!(AnalysisCache::open(&path).is_err_and(|error| error.to_string().contains("in use")));
    }

    #[test]
    fn answers_have_all_lines() {
        let (start, analysis) = answered(5);
        let other = |moves| ScoredLine::new(Score::centi_men(-7), line_moves(start, moves).expect("legal moves"));
        let analysis = analysis.with_others(vec![other(&[3, 1, 0]), other(&[])]);
        let bytes = answer(&start, &analysis).expect("legal lines");
        assert_eq!(read_answer(&start, &bytes), Some(analysis));
        assert!(
            (0..bytes.len()).all(|end| read_answer(&start, &bytes[..end]).is_none_or(|cut| cut.lines().count() < 3))
        );
    }

    #[test]
    fn caches_are_merged_and_pruned() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = |name: &str| AnalysisCache::open(&folder.path().join(name)).expect("a file");
        let (start, analysis) = answered(3);
        let question = AnalystQuestion::new(&start, &[], Limit::depth(7));
        let (mut one, two) = (open("one"), open("two"));
        for (cache, engine) in [(&one, "a"), (&two, "b"), (&two, "a")] {
            cache.add(engine, &question, &analysis).expect("written");
            cache.flush().expect("written");
        }
        assert_eq!(one.merge([Ok(two)]).expect("merged"), 1);
        let counts = one.counts().expect("readable");
        assert_eq!(
            counts.iter().map(|(engine, count)| (&engine[..], count.answers)).collect::<Vec<_>>(),
            [("a", 1), ("b", 1)]
        );
        assert_eq!(one.prune(|engine| engine == "b").expect("pruned"), 1);
        assert_eq!(one.counts().expect("readable").len(), 1);
        assert_eq!(one.find("b", &question).expect("readable"), Some(analysis));
    }

    #[test]
    fn an_answer_with_a_flipped_bit_is_not_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("cache");
        let (start, analysis) = answered(3);
        let question = AnalystQuestion::new(&start, &[], Limit::depth(7));
        let cache = AnalysisCache::open(&path).expect("a new file");
        cache.add("e", &question, &analysis).expect("written");
        cache.flush().expect("written");
        let (key, mut value) = cache.answers("e", 0).expect("readable").remove(0);
        *value.last_mut().expect("a move") ^= 1;
        cache.write(&[(key, value)]).expect("written");
        assert!(cache.each(|_| Ok(())).is_err_and(|error| error.to_string().contains("damaged")));
        assert_eq!(cache.known("e", &question), None);
        let why = cache.finish().expect("a failure");
        assert!(why.contains("checksum") && why.contains("renamed to"), "{why}");
        assert!(!path.exists() && folder.path().join("cache.damaged").exists());
    }

    #[test]
    fn other_files_are_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("text");
        std::fs::write(&path, "not a cache\n".repeat(1000)).expect("written");
        assert!(AnalysisCache::open(&path).is_err_and(|error| error.to_string().contains("not a cache")));
    }
}
