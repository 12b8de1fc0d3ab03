//! The results of a run in a file, so that an interrupted run can be continued: one JSON object per line, first a header that
//! identifies the run, then the results, each with a checksum.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Crc;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Error;

const VERSION: u32 = 2;

/// The version whose results have no checksums. Games of self-play, which took days, can still be read from such files.
const VERSION_WITHOUT_CHECKSUMS: u32 = 1;

/// The beginning of a result; the checksum of the rest of its line follows, in eight digits.
const CHECKSUM: &str = "{\"crc32\":\"";

/// The first line of a file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    /// Version of the format.
    checkpoint: u32,
    /// The kind of run.
    of: String,
    /// Everything on which the results depend.
    settings: String,
}

/// A file to which results are appended.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens or creates the journal of a run and passes its results to `accept`. The first result that is cut off or damaged,
    /// or that `accept` rejects, is dropped with all after it. A header that is cut off is written again.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is not a journal, or belongs to another run.
    pub(crate) fn open<T: DeserializeOwned>(
        path: &Path,
        of: &str,
        settings: &str,
        accept: impl FnMut(T) -> bool,
    ) -> Result<Self, Error> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(|error| Error::write(path, error))?;
        let mut journal = Self { path: path.to_owned(), file };
        let header = Header { checkpoint: VERSION, of: of.to_owned(), settings: settings.to_owned() };
        let valid = journal.read(&header, accept)?;
        let cut = journal.file.set_len(valid).and_then(|()| journal.file.seek(SeekFrom::End(0)));
        cut.map_err(|error| Error::write(path, error))?;
        if valid == 0 {
            journal.write(serde_json::to_string(&header))?;
        }
        Ok(journal)
    }

    /// Passes the results of a journal of any run of a kind to `accept`, as [`open`](Self::open) does, and returns the settings
    /// of the run.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a journal of that kind.
    pub(crate) fn read_all<T: DeserializeOwned>(
        path: &Path,
        of: &str,
        accept: impl FnMut(T) -> bool,
    ) -> Result<String, Error> {
        let file = File::open(path).map_err(|error| Error::read(path, error))?;
        let mut first = String::new();
        BufReader::new(&file).read_line(&mut first).map_err(|error| Error::read(path, error))?;
        let header = serde_json::from_str::<Header>(&first).ok().filter(|header| header.of == of);
        let Some(header) = header else {
            return Err(Error::unavailable(format!("{}: not the file of a {of}", path.display())));
        };
        let mut journal = Self { path: path.to_owned(), file };
        journal.file.rewind().map_err(|error| Error::read(path, error))?;
        journal.read(&header, accept)?;
        Ok(header.settings)
    }

    /// Appends a result.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn add(&mut self, result: &impl Serialize) -> Result<(), Error> {
        self.write(serde_json::to_string(result).map(|result| sealed(&result)))
    }

    fn write(&mut self, line: Result<String, serde_json::Error>) -> Result<(), Error> {
        let write = || {
            let mut line = line?;
            line.push('\n');
            (&self.file).write_all(line.as_bytes())
        };
        write().map_err(|error| Error::write(&self.path, error))
    }

    /// Reads the results and returns the length in bytes of the valid part of the file.
    fn read<T: DeserializeOwned>(&self, expected: &Header, mut accept: impl FnMut(T) -> bool) -> Result<u64, Error> {
        let mut reader = BufReader::new(&self.file);
        let (mut valid, mut line) = (0, String::new());
        loop {
            line.clear();
            let read = reader.read_line(&mut line).or_else(|error| self.unreadable(error, valid == 0, expected))?;
            // An interrupted run may leave the beginning of a line.
            if !line.ends_with('\n') {
                return if valid == 0 && !is_cut_header(&line, expected) {
                    Err(self.foreign(expected))
                } else {
                    Ok(valid)
                };
            }
            if valid == 0 {
                self.check(&line, expected)?;
            } else {
                let is_whole = expected.checkpoint == VERSION_WITHOUT_CHECKSUMS || is_sealed(&line);
                // After a damaged line nothing is sure; what follows is played again.
                if !is_whole || !serde_json::from_str(&line).is_ok_and(&mut accept) {
                    return Ok(valid);
                }
            }
            valid += read as u64;
        }
    }

    fn check(&self, line: &str, expected: &Header) -> Result<(), Error> {
        let header = serde_json::from_str::<Header>(line).ok().filter(|header| header.of == expected.of);
        match header {
            Some(header) if header == *expected => Ok(()),
            Some(Header { checkpoint, .. }) if checkpoint != expected.checkpoint => {
                let path = self.path.display();
                Err(Error::unavailable(format!(
                    "{path}: the checkpoint belongs to another version of pdn; remove the file to start again"
                )))
            }
            Some(Header { settings, .. }) => {
                let (path, of) = (self.path.display(), &expected.of);
                Err(Error::unavailable(format!(
                    "{path}: the checkpoint belongs to another {of} ({settings}); repeat that {of}, or remove the file to start again"
                )))
            }
            None => Err(self.foreign(expected)),
        }
    }

    fn foreign(&self, expected: &Header) -> Error {
        let (path, of) = (self.path.display(), &expected.of);
        Error::unavailable(format!(
            "{path}: not the checkpoint of a {of}, or its first line is damaged; if it was one, remove it to start again"
        ))
    }

    /// Returns the error of a line that cannot be read, unless it is damaged text in a result, which ends the valid part.
    fn unreadable(&self, error: io::Error, is_header: bool, expected: &Header) -> Result<usize, Error> {
        match (error.kind(), is_header) {
            (io::ErrorKind::InvalidData, true) => Err(self.foreign(expected)),
            (io::ErrorKind::InvalidData, false) => Ok(0),
            _ => Err(Error::read(&self.path, error)),
        }
    }
}

/// Returns true for the beginning of a header that was not written to its end, also for an empty text.
fn is_cut_header(line: &str, expected: &Header) -> bool {
    serde_json::to_string(expected).is_ok_and(|header| header.starts_with(line))
}

/// Adds a checksum to a JSON object, as its first member. Without it, a digit that changed on the disk would be another result.
pub(crate) fn sealed(object: &str) -> String {
    let members = object.strip_prefix('{').expect("results are objects");
    format!("{CHECKSUM}{}\",{members}", checksum(members))
}

/// Returns true if a line has the checksum of its result.
pub(crate) fn is_sealed(line: &str) -> bool {
    let sealed = line.trim_end_matches('\n').strip_prefix(CHECKSUM);
    sealed.and_then(|sealed| sealed.split_once("\",")).is_some_and(|(sum, members)| sum == checksum(members))
}

fn checksum(text: &str) -> String {
    let mut crc = Crc::new();
    crc.update(text.as_bytes());
    format!("{:08x}", crc.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> Result<Vec<u32>, Error> {
        #[derive(Deserialize)]
        struct Value {
            value: u32,
        }
        let mut values = Vec::new();
        Journal::open(path, "run", "x", |read: Value| {
            values.push(read.value);
            true
        })?;
        Ok(values)
    }

    #[test]
    fn a_flipped_bit_ends_the_valid_part() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.jsonl");
        let mut journal = Journal::open(&path, "run", "x", |_: serde_json::Value| true).expect("a new file");
        for value in [70_u32, 71, 72] {
            journal.add(&serde_json::json!({ "value": value })).expect("written");
        }
        drop(journal);
        let whole = std::fs::read(&path).expect("a file");
        let starts: Vec<_> = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(n, _)| n + 1).collect();
        assert_eq!(read(&path).expect("a journal"), [70, 71, 72]);
        for (at, bit) in (starts[0]..whole.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << bit;
            std::fs::write(&path, damaged).expect("written");
            let valid = starts[1..].iter().filter(|&&end| end <= at).count();
            assert_eq!(read(&path).expect("a journal"), [70, 71, 72][..valid], "bit {bit} of byte {at}");
            assert_eq!(std::fs::read(&path).expect("a file"), whole[..starts[valid]], "the rest is cut off");
        }
    }

    #[test]
    fn files_without_checksums_are_read_but_not_continued() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old.jsonl");
        let old = "{\"checkpoint\":1,\"of\":\"run\",\"settings\":\"x\"}\n{\"value\":7}\n";
        std::fs::write(&path, old).expect("written");
        let mut count = 0;
        let settings = Journal::read_all(&path, "run", |_: serde_json::Value| {
            count += 1;
            true
        });
        assert_eq!((settings.expect("a journal"), count), ("x".to_owned(), 1));
        let error = read(&path).expect_err("an old file").to_string();
        assert!(error.contains("another version"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), old);
    }
}
