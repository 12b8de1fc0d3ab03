//! The destination of results: standard output, or a file that is replaced only when the output is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::interrupt;
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
    /// A temporary file in the folder of the file that it will replace.
    Temporary(BufWriter<NamedTempFile>, PathBuf),
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
        if matches!(self.sink, Some(Sink::Temporary(..))) {
            self.sink = None;
            interrupt::forget();
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
        Some(meta) if meta.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Some(meta) if !meta.is_file() => Ok(Sink::Direct(BufWriter::new(OpenOptions::new().write(true).open(path)?))),
        Some(meta) if meta.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        // The target of a symbolic link is replaced, not the link.
        Some(meta) => temporary(fs::canonicalize(path)?, Some(meta.permissions())),
        None => temporary(link_target(path), new_file_permissions()),
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

/// Returns the permissions of a new file; those of temporary files are private by default.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn new_file_permissions() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file_permissions() -> Option<fs::Permissions> {
    None
}

fn temporary(target: PathBuf, permissions: Option<fs::Permissions>) -> io::Result<Sink> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(".pdn-").suffix(".tmp");
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let file = builder.tempfile_in(folder).map_err(|error| plain(&error))?;
    interrupt::remember(file.path());
    Ok(Sink::Temporary(BufWriter::with_capacity(1 << 16, file), target))
}

fn replace(sink: BufWriter<NamedTempFile>, target: &Path) -> io::Result<()> {
    let mut file = sink.into_inner().map_err(io::IntoInnerError::into_error)?;
    if can_be_replaced(file.as_file(), target) {
        let replaced = interrupt::forget_after(|| file.persist(target));
        return replaced.map(drop).map_err(|error| plain(&error.error));
    }
    interrupt::forget_after(|| overwrite(file.as_file_mut(), target))
}

/// Writes the content of a complete file into one that has to stay the same file.
fn overwrite(file: &mut File, target: &Path) -> io::Result<()> {
    file.rewind()?;
    let mut target = OpenOptions::new().write(true).truncate(true).open(target)?;
    io::copy(file, &mut target).map(drop)
}

/// Returns true if another file can take the place of an existing one: it has no other name, and the new one can have the
/// same owner.
#[cfg(unix)]
fn can_be_replaced(file: &File, target: &Path) -> bool {
    use std::os::unix::fs::{MetadataExt, fchown};
    let (Ok(new), Ok(old)) = (file.metadata(), fs::metadata(target)) else { return true };
    let same_owner = (new.uid(), new.gid()) == (old.uid(), old.gid());
    old.nlink() == 1 && (same_owner || fchown(file, Some(old.uid()), Some(old.gid())).is_ok())
}

#[cfg(not(unix))]
fn can_be_replaced(_: &File, _: &Path) -> bool {
    true
}

/// Returns the error without the path of the temporary file, which the user did not choose.
fn plain(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}
