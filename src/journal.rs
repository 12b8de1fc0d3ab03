//! What was done so far, kept in a file so that an interrupted run can be taken up again: a JSON value a line, first what the
//! run is, then what it came to, piece by piece.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Error;

const VERSION: u32 = 1;

/// First line of a file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    /// Version of the layout.
    checkpoint: u32,
    /// What is kept.
    of: String,
    /// Everything that it depends on.
    settings: String,
}

/// A file that grows piece by piece.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal of a run and hands over what it holds. The first piece that an interruption has cut, or that
    /// `accept` does not take, is dropped with all behind it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is none of ours, or is that of another run.
    pub(crate) fn open<T: DeserializeOwned>(
        path: &Path,
        of: &str,
        settings: &str,
        accept: impl FnMut(T) -> bool,
    ) -> Result<Self, Error> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(|fault| Error::write(path, fault))?;
        let mut journal = Self { path: path.to_owned(), file };
        let header = Header { checkpoint: VERSION, of: of.to_owned(), settings: settings.to_owned() };
        let good = journal.read(&header, accept)?;
        let cut = journal.file.set_len(good).and_then(|()| journal.file.seek(SeekFrom::End(0)));
        cut.map_err(|fault| Error::write(path, fault))?;
        if good == 0 {
            journal.add(&header)?;
        }
        Ok(journal)
    }

    /// Adds a piece.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn add(&mut self, piece: &impl Serialize) -> Result<(), Error> {
        let mut write = || {
            let mut line = serde_json::to_vec(piece)?;
            line.push(b'\n');
            self.file.write_all(&line)
        };
        write().map_err(|fault| Error::write(&self.path, fault))
    }

    /// Reads all pieces and returns the number of bytes that are whole.
    fn read<T: DeserializeOwned>(&self, expected: &Header, mut accept: impl FnMut(T) -> bool) -> Result<u64, Error> {
        let mut reader = BufReader::new(&self.file);
        let (mut good, mut line) = (0, String::new());
        loop {
            line.clear();
            let read = reader.read_line(&mut line).map_err(|fault| Error::read(&self.path, fault))?;
            if !line.ends_with('\n') {
                return if good == 0 && read > 0 { Err(self.foreign(expected)) } else { Ok(good) };
            }
            if good == 0 {
                self.check(&line, expected)?;
            } else if !serde_json::from_str(&line).is_ok_and(&mut accept) {
                return Ok(good);
            }
            good += read as u64;
        }
    }

    fn check(&self, line: &str, expected: &Header) -> Result<(), Error> {
        let header = serde_json::from_str::<Header>(line).ok().filter(|header| header.of == expected.of);
        match header {
            Some(header) if header == *expected => Ok(()),
            Some(Header { settings, .. }) => {
                let (path, of) = (self.path.display(), &expected.of);
                Err(Error::unavailable(format!("{path}: the checkpoint is that of another {of} ({settings})")))
            }
            None => Err(self.foreign(expected)),
        }
    }

    fn foreign(&self, expected: &Header) -> Error {
        Error::unavailable(format!("{}: the file is no checkpoint of a {}", self.path.display(), expected.of))
    }
}
