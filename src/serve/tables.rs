//! Tables of the positions in files, made when they are first needed and kept in a cache folder, never beside the records.

use std::collections::{HashSet, VecDeque};
use std::fs::{self, Metadata};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};

use super::folder::version;
use crate::check::{CheckOptions, Checking, Each};
use crate::error::{Error, Result};
use crate::query::{GamePositions, PositionTable, PositionTableWriter};
use crate::rules::{Variant, fnv_1a};
use crate::shared::lock;
use crate::source::{ChunkOptions, Event, Input, Pipeline};

/// Minimum size of a file with a table, in bytes: a smaller file is read just as fast.
const SMALLEST_FILE: u64 = 64 << 10;

/// Maximum size of all tables in bytes, unless another one is given: those of records of 1.2 GB.
const LARGEST_CACHE: u64 = 2_000_000_000;

/// How long somebody waits for a table that is being made, rather than read the file beside it: of fifty people who read a file of
/// 100 MB at once, the last one had an answer after half a minute, and the table too was finished only then.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The end of the names of tables.
const EXTENSION: &str = "positions";

/// The tables in a folder.
#[derive(Debug)]
pub(super) struct Tables {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    /// Maximum size of all tables in bytes; beyond it, the oldest ones are removed.
    most: u64,
    jobs: NonZeroUsize,
    wanted: Mutex<Wanted>,
    /// Notified when a table is finished or failed.
    finished: Condvar,
}

/// Tables to make.
#[derive(Debug, Default)]
struct Wanted {
    queue: VecDeque<Table>,
    /// The names of those that are to be made, and of those that could not be made or kept, which are not tried again.
    known: HashSet<String>,
    /// The name of the table that is being made.
    current: Option<String>,
    is_working: bool,
}

/// A table to make or to open.
#[derive(Debug)]
struct Table {
    input: Input,
    variant: Option<Variant>,
    /// What it is of: the file with its version, how it was read, and by which version of the program.
    name: String,
    /// The same for all versions of a file that are read in one way: a new table replaces the old one.
    path: PathBuf,
}

impl Tables {
    /// Returns the tables in a folder, which is made if it is not there, and their maximum size in bytes.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub(super) fn new(folder: &Path, most: Option<u64>, jobs: NonZeroUsize) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
        let most = most.unwrap_or(LARGEST_CACHE);
        // An earlier run may have left more. If nothing can be removed, people are still served.
        let _ = remove_oldest(folder, most);
        let (folder, wanted, finished) = (folder.to_owned(), Mutex::default(), Condvar::new());
        Ok(Self { shared: Arc::new(Shared { folder, most, jobs, wanted, finished }) })
    }

    /// Returns the table of a file as it is now, where all games are of the variant if one is given. If there is none yet, it is
    /// made on another thread; who asks while that is done waits for it, if it does not take long.
    pub(super) fn of(&self, input: &Input, variant: Option<Variant>) -> Option<PositionTable> {
        let wanted = match self.shared.find(input, variant)? {
            Ok(found) => return Some(found),
            Err(wanted) => wanted,
        };
        if self.shared.want(wanted) {
            return None;
        }
        self.shared.find(input, variant)?.ok()
    }
}

impl Wanted {
    fn is_pending(&self, name: &str) -> bool {
        let mut pending = self.queue.iter().map(|table| &*table.name).chain(self.current.as_deref());
        self.is_working && pending.any(|other| other == name)
    }
}

impl Table {
    fn open(&self) -> Option<PositionTable> {
        PositionTable::open(&self.path).ok().flatten().filter(|table| table.name == self.name)
    }
}

impl Shared {
    /// Finds the table of a file, or else says which one is wanted. Small files, and those that are not there, have none.
    fn find(&self, input: &Input, variant: Option<Variant>) -> Option<std::result::Result<PositionTable, Table>> {
        let general = self.table(input, None)?;
        let Some(found) = general.open() else { return Some(Err(general)) };
        // Most files have games of one variant, and need no other table for it.
        let Some(variant) = variant.filter(|&variant| !found.is_all(variant)) else { return Some(Ok(found)) };
        let special = self.table(input, Some(variant))?;
        Some(special.open().ok_or(special))
    }

    fn table(&self, input: &Input, variant: Option<Variant>) -> Option<Table> {
        let source = input.path()?;
        let meta = fs::metadata(source).ok().filter(|meta| meta.len() >= SMALLEST_FILE)?;
        let variant_name = variant.map_or("", Variant::name);
        let of = format!("{}\n{variant_name}", source.to_string_lossy());
        let name = format!("{of}\n{}\n{}", version(&meta), env!("CARGO_PKG_VERSION"));
        let path = self.folder.join(format!("{:016x}.{EXTENSION}", fnv_1a(of.as_bytes())));
        Some(Table { input: input.clone(), variant, name, path })
    }

    /// Makes a table on another thread, and returns true. If it was wanted before, waits until it is made, and returns false.
    fn want(self: &Arc<Self>, table: Table) -> bool {
        let mut wanted = lock(&self.wanted);
        if !wanted.known.insert(table.name.clone()) {
            let is_pending = |wanted: &mut Wanted| wanted.is_pending(&table.name);
            drop(self.finished.wait_timeout_while(wanted, LONGEST_WAIT, is_pending));
            return false;
        }
        wanted.queue.push_back(table);
        if !wanted.is_working {
            let shared = Arc::clone(self);
            let started = thread::Builder::new().spawn(move || shared.work());
            wanted.is_working = started.is_ok();
        }
        true
    }

    /// Makes tables until none is wanted.
    fn work(&self) {
        loop {
            let next = {
                let mut wanted = lock(&self.wanted);
                let next = wanted.queue.pop_front();
                wanted.current = next.as_ref().map(|table| table.name.clone());
                wanted.is_working = next.is_some();
                next
            };
            self.finished.notify_all();
            let Some(table) = next else { return };
            // Without a table the games are read. One may have been made since it was wanted.
            let made = if table.open().is_some() { Ok(()) } else { self.make(&table) };
            let removed = remove_oldest(&self.folder, self.most).unwrap_or_default();
            // It is made again if somebody deletes it, but not if there is no room for it: two tables would replace each other.
            let mut wanted = lock(&self.wanted);
            if made.is_ok() {
                wanted.known.remove(&table.name);
            }
            wanted.known.extend(removed);
        }
    }

    fn make(&self, table: &Table) -> Result<()> {
        let failed = |error: io::Error| Error::write(&table.path, error);
        // Its user may have deleted the folder.
        fs::create_dir_all(&self.folder).map_err(failed)?;
        // What a process that is killed leaves counts as a table, and is removed like one.
        let pending = tempfile::Builder::new().suffix(&format!(".{EXTENSION}")).tempfile_in(&self.folder);
        let pending = pending.map_err(failed)?;
        let file = pending.reopen().map_err(failed)?;
        let mut writer = PositionTableWriter::new(file, &self.folder).map_err(failed)?;
        let mut checks = CheckOptions::default();
        checks.replay.variant = table.variant;
        let work = Checking::new(Each(GamePositions::of), checks);
        // Half of the cores stay for people.
        let jobs = NonZeroUsize::new(self.jobs.get().div_ceil(2)).unwrap_or(NonZeroUsize::MIN);
        let pipeline = Pipeline::new(jobs, ChunkOptions::default());
        pipeline.run(vec![Ok(table.input.clone())], &work, |event| match event {
            Event::Begin(_) => Ok(()),
            Event::Done(games) => games.iter().try_for_each(|game| writer.add(game, 0)).map_err(failed),
            Event::Error(error) => Err(error),
        })?;
        writer.finish(&table.name).map_err(failed)?;
        // The name is that of the version before the file was read: it must not have changed meanwhile.
        if self.table(&table.input, table.variant).is_some_and(|now| now.name == table.name) {
            pending.persist(&table.path).map_err(|error| failed(error.error))?;
        }
        Ok(())
    }
}

/// Removes the tables that were made first until the others have at most so many bytes, and returns the names of those removed.
fn remove_oldest(folder: &Path, most: u64) -> io::Result<Vec<String>> {
    let mut tables = Vec::new();
    for entry in fs::read_dir(folder)?.filter_map(io::Result::ok) {
        let path = entry.path();
        if path.extension().is_some_and(|end| end == EXTENSION) {
            let meta: Metadata = entry.metadata()?;
            // A table without a time goes first.
            tables.push((meta.modified().unwrap_or(SystemTime::UNIX_EPOCH), meta.len(), path));
        }
    }
    tables.sort_unstable();
    let mut size: u64 = tables.iter().map(|(_, size, _)| size).sum();
    let mut removed = Vec::new();
    for (_, length, path) in tables {
        if size <= most {
            break;
        }
        removed.extend(PositionTable::open(&path).ok().flatten().map(|table| table.name));
        fs::remove_file(path)?;
        size -= length;
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_while_a_table_is_made_gets_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = folder.path().join("a.pdn");
        fs::write(&record, "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n".repeat(2000)).expect("a file");
        let tables = Tables::new(&folder.path().join("cache"), None, NonZeroUsize::MIN).expect("a folder");
        let input = Input::file(record);
        assert!(tables.of(&input, None).is_none(), "the first one reads the file");
        assert!(tables.of(&input, None).is_some());
        assert!(tables.of(&input, Some(Variant::INTERNATIONAL)).is_some());
    }

    #[test]
    fn a_table_that_was_deleted_is_made_again_unless_there_is_no_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = folder.path().join("a.pdn");
        fs::write(&record, "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n".repeat(2000)).expect("a file");
        let cache = folder.path().join("cache");
        let tables = |most| Tables::new(&cache, most, NonZeroUsize::MIN).expect("a folder");
        let (input, own) = (Input::file(record), tables(None));
        // The first one who asks has none; the next ones wait until it is made.
        let asked = |tables: &Tables| [(); 3].map(|()| tables.of(&input, None).is_some());
        for _ in 0..3 {
            let [first, .., last] = asked(&own);
            assert!(!first && last);
            let begun = std::time::Instant::now();
            while !lock(&own.shared.wanted).known.is_empty() && begun.elapsed() < LONGEST_WAIT {
                thread::yield_now();
            }
            fs::remove_dir_all(&cache).expect("removed");
        }
        let small = tables(Some(10));
        assert_eq!(asked(&small), [false; 3]);
        assert_eq!(lock(&small.shared.wanted).known.len(), 1);
    }

    #[test]
    fn tables_that_do_not_fit_together_do_not_replace_each_other_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let inputs = ["a.pdn", "b.pdn"].map(|name| {
            let record = folder.path().join(name);
            fs::write(&record, "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n".repeat(2000)).expect("a file");
            Input::file(record)
        });
        let cache = folder.path().join("cache");
        let tables = |most| Tables::new(&cache, most, NonZeroUsize::MIN).expect("a folder");
        // The second question waits until the table is made, and until there is room.
        let has_table = |tables: &Tables| {
            inputs.each_ref().map(|input| [(); 2].map(|()| tables.of(input, None).is_some())).map(|[_, last]| last)
        };
        assert_eq!(has_table(&tables(None)), [true; 2]);
        let size: u64 = fs::read_dir(&cache)
            .expect("files")
            .map(|one| one.and_then(|one| one.metadata()).expect("a file").len())
            .sum();
        fs::remove_dir_all(&cache).expect("removed");
        let small = tables(Some(size * 3 / 4));
        has_table(&small);
        let kept = has_table(&small);
        assert_eq!(kept.iter().filter(|is_kept| **is_kept).count(), 1, "{kept:?}");
        for _ in 0..3 {
            assert_eq!(has_table(&small), kept);
        }
    }

    #[test]
    fn the_oldest_tables_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        for (n, name) in ["b.positions", "a.positions", "c.positions", "other.txt"].into_iter().enumerate() {
            let path = folder.path().join(name);
            fs::write(&path, [0; 100]).expect("a file");
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000 + n as u64);
            fs::File::options().write(true).open(&path).and_then(|file| file.set_modified(time)).expect("a time");
        }
        remove_oldest(folder.path(), 250).expect("removed");
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).expect("files").map(|one| one.expect("a file").file_name()).collect();
        left.sort();
        assert_eq!(left, ["a.positions", "c.positions", "other.txt"]);
    }
}
