//! Tables of the positions in files, made when they are first needed and kept in a cache folder, never beside the records.

use std::collections::{HashSet, VecDeque};
use std::fs::{self, Metadata};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::SystemTime;

use super::folder::version;
use crate::check::{CheckOptions, Checking};
use crate::error::{Error, Result};
use crate::query::{PositionTable, PositionTableWriter, PositionsQuery};
use crate::rules::{Variant, fnv_1a};
use crate::source::{ChunkOptions, Event, Input, Pipeline};

/// Minimum size of a file with a table, in bytes: a smaller file is read just as fast.
const SMALLEST_FILE: u64 = 64 << 10;

/// Maximum size of all tables in bytes, unless another one is given: those of records of 1.2 GB.
const LARGEST_CACHE: u64 = 2_000_000_000;

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
}

/// Tables to make.
#[derive(Debug, Default)]
struct Wanted {
    queue: VecDeque<Table>,
    /// The names of all that were wanted: a table that could not be made is not tried again.
    known: HashSet<String>,
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
        Ok(Self { shared: Arc::new(Shared { folder: folder.to_owned(), most, jobs, wanted: Mutex::default() }) })
    }

    /// Returns the table of a file as it is now, where all games are of the variant if one is given. If there is none yet, it is
    /// made on another thread.
    pub(super) fn of(&self, input: &Input, variant: Option<Variant>) -> Option<PositionTable> {
        let general = self.shared.table(input, None)?;
        let wanted = match (general.open(), variant) {
            (None, _) => general,
            (Some(found), None) => return Some(found),
            // Most files have games of one variant, and need no other table for it.
            (Some(found), Some(variant)) if found.is_all(variant) => return Some(found),
            (Some(_), Some(_)) => {
                let special = self.shared.table(input, variant)?;
                match special.open() {
                    Some(found) => return Some(found),
                    None => special,
                }
            }
        };
        self.shared.want(wanted);
        None
    }
}

impl Table {
    fn open(&self) -> Option<PositionTable> {
        PositionTable::open(&self.path).ok().flatten().filter(|table| table.name() == self.name)
    }
}

impl Shared {
    fn table(&self, input: &Input, variant: Option<Variant>) -> Option<Table> {
        let source = input.path()?;
        let meta = fs::metadata(source).ok().filter(|meta| meta.len() >= SMALLEST_FILE)?;
        let variant_name = variant.map_or("", Variant::name);
        let of = format!("{}\n{variant_name}", source.to_string_lossy());
        let name = format!("{of}\n{}\n{}", version(&meta), env!("CARGO_PKG_VERSION"));
        let path = self.folder.join(format!("{:016x}.{EXTENSION}", fnv_1a(of.as_bytes())));
        Some(Table { input: input.clone(), variant, name, path })
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a table on another thread, unless it was wanted before.
    fn want(self: &Arc<Self>, table: Table) {
        let mut wanted = self.wanted();
        if !wanted.known.insert(table.name.clone()) {
            return;
        }
        wanted.queue.push_back(table);
        if !wanted.is_working {
            let shared = Arc::clone(self);
            let started = thread::Builder::new().spawn(move || shared.work());
            wanted.is_working = started.is_ok();
        }
    }

    /// Makes tables until none is wanted.
    fn work(&self) {
        loop {
            let next = {
                let mut wanted = self.wanted();
                let next = wanted.queue.pop_front();
                wanted.is_working = next.is_some();
                next
            };
            let Some(table) = next else { return };
            // Without a table the games are read.
            let _ = self.make(&table);
            let _ = remove_oldest(&self.folder, self.most);
        }
    }

    fn make(&self, table: &Table) -> Result<()> {
        let failed = |error: io::Error| Error::write(&table.path, error);
        // What a process that is killed leaves counts as a table, and is removed like one.
        let pending = tempfile::Builder::new().suffix(&format!(".{EXTENSION}")).tempfile_in(&self.folder);
        let pending = pending.map_err(failed)?;
        let file = pending.reopen().map_err(failed)?;
        let mut writer = PositionTableWriter::new(file, &self.folder).map_err(failed)?;
        let mut checks = CheckOptions::default();
        checks.replay.variant = table.variant;
        let work = Checking::new(PositionsQuery, checks);
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

/// Removes the tables that were made first until the others have at most so many bytes.
fn remove_oldest(folder: &Path, most: u64) -> io::Result<()> {
    let mut tables = Vec::new();
    for entry in fs::read_dir(folder)?.filter_map(io::Result::ok) {
        let path = entry.path();
        if path.extension().is_some_and(|end| end == EXTENSION) {
            let meta: Metadata = entry.metadata()?;
            tables.push((meta.modified().unwrap_or(SystemTime::UNIX_EPOCH), meta.len(), path));
        }
    }
    tables.sort_unstable();
    let mut size: u64 = tables.iter().map(|(_, size, _)| size).sum();
    for (_, length, path) in tables {
        if size <= most {
            break;
        }
        fs::remove_file(path)?;
        size -= length;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
