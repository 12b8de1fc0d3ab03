//! Where results go: standard output, or a file that changes only when all is done.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Stdout, Write};
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
    /// Something that cannot be replaced, such as a device or a pipe.
    Direct(BufWriter<File>),
    /// A file beside the one that it is to replace.
    Beside(BufWriter<NamedTempFile>, PathBuf),
}

impl Output {
    /// Opens the output: a file if one is named, else standard output.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(super) fn new(path: Option<&Path>) -> Result<Self> {
        match path {
            None => Ok(Self::stdout()),
            Some(path) if path == Path::new("-") => Ok(Self::stdout()),
            Some(path) => {
                let sink = open(path).map_err(|fault| Error::write(path, fault))?;
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

    /// Whether it is anything but standard output.
    pub(super) const fn is_file(&self) -> bool {
        !matches!(self.sink, Some(Sink::Stdout(_)))
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
            Some(Sink::Beside(sink, _)) => sink.write_all(bytes),
            None => Ok(()),
        };
        written.map_err(|fault| Error::write(&self.label, plain(&fault)))
    }

    /// Hands on what was written so far, where somebody waits for it.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn flush(&mut self) -> Result<()> {
        let done = match &mut self.sink {
            Some(Sink::Stdout(sink)) => sink.flush(),
            Some(Sink::Direct(sink)) => sink.flush(),
            Some(Sink::Beside(..)) | None => Ok(()),
        };
        done.map_err(|fault| Error::write(&self.label, plain(&fault)))
    }

    /// Forgets what was written to a file; the one that was to be replaced stays as it is.
    pub(super) fn discard(&mut self) {
        if matches!(self.sink, Some(Sink::Beside(..))) {
            self.sink = None;
            interrupt::forget();
        }
    }

    /// Completes the output.
    ///
    /// # Errors
    ///
    /// If it cannot be written; a file that was to be replaced is then as it was.
    pub(super) fn finish(mut self) -> Result<()> {
        let done = match self.sink.take() {
            Some(Sink::Stdout(mut sink)) => sink.flush(),
            Some(Sink::Direct(mut sink)) => sink.flush(),
            Some(Sink::Beside(sink, target)) => replace(sink, &target),
            None => Ok(()),
        };
        done.map_err(|fault| Error::write(&self.label, plain(&fault)))
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
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => None,
        Err(fault) => return Err(fault),
    };
    match existing {
        Some(meta) if meta.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Some(meta) if !meta.is_file() => Ok(Sink::Direct(BufWriter::new(OpenOptions::new().write(true).open(path)?))),
        Some(meta) if meta.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        // A link keeps pointing where it points: the file behind it is replaced.
        Some(meta) => beside(fs::canonicalize(path)?, Some(meta.permissions())),
        None => beside(end_of_links(path), new_file_permissions()),
    }
}

/// Where a link points that points to nothing yet.
fn end_of_links(path: &Path) -> PathBuf {
    const MOST: usize = 40;
    let mut end = path.to_owned();
    for _ in 0..MOST {
        let Ok(target) = fs::read_link(&end) else { break };
        end = end.parent().unwrap_or(Path::new("")).join(target);
    }
    end
}

/// Temporary files are private by default, results are as readable as any new file.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there is nothing to set")]
fn new_file_permissions() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file_permissions() -> Option<fs::Permissions> {
    None
}

fn beside(target: PathBuf, permissions: Option<fs::Permissions>) -> io::Result<Sink> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(".pdn-").suffix(".tmp");
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let file = builder.tempfile_in(folder).map_err(|fault| plain(&fault))?;
    interrupt::remember(file.path());
    Ok(Sink::Beside(BufWriter::with_capacity(1 << 16, file), target))
}

fn replace(sink: BufWriter<NamedTempFile>, target: &Path) -> io::Result<()> {
    let file = sink.into_inner().map_err(io::IntoInnerError::into_error)?;
    let replaced = interrupt::forget_after(|| file.persist(target));
    replaced.map(drop).map_err(|fault| plain(&fault.error))
}

/// The fault without the temporary file that it names, of which the user knows nothing.
fn plain(fault: &io::Error) -> io::Error {
    fault.raw_os_error().map_or_else(|| fault.kind().into(), io::Error::from_raw_os_error)
}
