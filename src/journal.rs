//! The results of a run in a file, so that an interrupted run can be continued: one JSON value per line, first a header that
//! identifies the run, then the results.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Error;

const VERSION: u32 = 1;

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
    /// Opens or creates the journal of a run and passes its results to `accept`. The first result that is cut off, or that
    /// `accept` rejects, is dropped with all after it. A header that is cut off is written again.
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
            journal.add(&header)?;
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
        let mut write = || {
            let mut line = serde_json::to_vec(result)?;
            line.push(b'\n');
            self.file.write_all(&line)
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
            if !line.ends_with('\n') {
                return if valid == 0 && !is_cut_header(&line, expected) {
                    Err(self.foreign(expected))
                } else {
                    Ok(valid)
                };
            }
            if valid == 0 {
                self.check(&line, expected)?;
            } else if !serde_json::from_str(&line).is_ok_and(&mut accept) {
                return Ok(valid);
            }
            valid += read as u64;
        }
    }

    fn check(&self, line: &str, expected: &Header) -> Result<(), Error> {
        let header = serde_json::from_str::<Header>(line).ok().filter(|header| header.of == expected.of);
        match header {
            Some(header) if header == *expected => Ok(()),
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
