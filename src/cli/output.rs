//! The destination of results: standard output, or a file that is replaced only when the output is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use super::pending::{Pending, folder_of};
use crate::error::{Error, Result};

/// The output of a command.
pub(super) struct Output {
    label: PathBuf,
    sink: Option<Sink>,
}

enum Sink {
    Stdout(BufWriter<Stdout>),
    /// A device, a pipe or anything else that cannot be replaced.
    Direct(BufWriter<File>),
    /// A file without a name, or with a temporary one, in the folder of the file that it will replace.
    Temporary(BufWriter<Pending>, PathBuf),
}

impl Output {
    /// Opens a file, or standard output for `None` and `-`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(super) fn new(path: Option<&Path>) -> Result<Self> {
        match path {
            None => Ok(Self::stdout()),
            Some(path) if path == Path::new("-") => Ok(Self::stdout()),
            Some(path) => {
                let sink = open(path).map_err(|error| Error::write(path, error))?;
                Ok(Self { label: path.to_owned(), sink: Some(sink) })
            }
        }
    }

    fn stdout() -> Self {
        Self {
            label: "standard output".into(),
            sink: Some(Sink::Stdout(BufWriter::with_capacity(1 << 16, io::stdout()))),
        }
    }

    /// Returns true if the destination is not standard output.
    pub(super) const fn is_file(&self) -> bool {
        !matches!(self.sink, Some(Sink::Stdout(_)))
    }

    /// Returns the path of the destination, if it is not standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        self.is_file().then_some(&*self.label)
    }

    /// Writes text.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        self.bytes(text.as_bytes())
    }

    /// Writes bytes.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let written = match &mut self.sink {
            Some(Sink::Stdout(sink)) => sink.write_all(bytes),
            Some(Sink::Direct(sink)) => sink.write_all(bytes),
            Some(Sink::Temporary(sink, _)) => sink.write_all(bytes),
            None => Ok(()),
        };
        written.map_err(|error| Error::write(&self.label, plain(&error)))
    }

    /// Flushes standard output, devices and pipes, which may have a reader that waits.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn flush(&mut self) -> Result<()> {
        let done = match &mut self.sink {
            Some(Sink::Stdout(sink)) => sink.flush(),
            Some(Sink::Direct(sink)) => sink.flush(),
            Some(Sink::Temporary(..)) | None => Ok(()),
        };
        done.map_err(|error| Error::write(&self.label, plain(&error)))
    }

    /// Discards what was written to a file; the existing file is kept.
    pub(super) fn discard(&mut self) {
        if let Some(Sink::Temporary(sink, _)) = self.sink.take_if(|sink| matches!(sink, Sink::Temporary(..))) {
            sink.into_parts().0.discard();
        }
    }

    /// Completes the output.
    ///
    /// # Errors
    ///
    /// If it cannot be written; an existing file is then unchanged.
    pub(super) fn finish(mut self) -> Result<()> {
        let done = match self.sink.take() {
            Some(Sink::Stdout(mut sink)) => sink.flush(),
            Some(Sink::Direct(mut sink)) => sink.flush(),
            Some(Sink::Temporary(sink, target)) => replace(sink, &target),
            None => Ok(()),
        };
        done.map_err(|error| Error::write(&self.label, plain(&error)))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.discard();
    }
}

fn open(path: &Path) -> io::Result<Sink> {
    let existing = match fs::metadata(path) {
        Ok(meta) => Some(meta),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    match existing {
        // The system says why a folder cannot be written.
        Some(meta) if !meta.is_file() => Ok(Sink::Direct(BufWriter::new(OpenOptions::new().write(true).open(path)?))),
        Some(meta) if meta.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        // The target of a symbolic link is replaced, not the link.
        Some(meta) => temporary(fs::canonicalize(path)?, Some(meta.permissions())),
        None => temporary(link_target(path), None),
    }
}

/// Returns the target of a chain of symbolic links whose last target does not exist yet.
fn link_target(path: &Path) -> PathBuf {
    const MAX_LINKS: usize = 40;
    let mut end = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&end) else { break };
        end = end.parent().unwrap_or(Path::new("")).join(target);
    }
    end
}

fn temporary(target: PathBuf, permissions: Option<fs::Permissions>) -> io::Result<Sink> {
    let file = Pending::create(folder_of(&target), permissions)?;
    Ok(Sink::Temporary(BufWriter::with_capacity(1 << 16, file), target))
}

fn replace(sink: BufWriter<Pending>, target: &Path) -> io::Result<()> {
    let file = sink.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.persist(target)
}

/// Returns the error without the path of the temporary file, which the user did not choose.
fn plain(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}
