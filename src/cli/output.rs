//! The destination of results: standard output, or a file that is replaced only when the output is complete.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Seek, Stdout, Write};
use std::path::{Path, PathBuf};

use super::interrupt;
use super::pending::{Pending, folder_of};
use crate::error::{Error, Result};
use crate::source::is_device;

/// Bytes that are written at once: eight times the default, for fewer system calls.
const BUFFER: usize = 1 << 16;

/// The output of a command.
pub(super) struct Output {
    label: PathBuf,
    sink: Option<Sink>,
}

/// Where the output for a file is kept until it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// In a temporary file.
    Hidden,
    /// In a file whose name ends in `.part`, which can be read and is kept if the output is not completed.
    Visible,
    /// In a temporary file, unless the path names a folder, in which the command writes files itself.
    HiddenOrFolder,
    /// In a folder, in which the command writes files itself.
    Folder,
}

impl Growth {
    /// Returns true if output to one path writes to another one.
    pub(super) fn replaces(self, output: &Path, path: &Path) -> bool {
        resolved(output) == resolved(path) || self.is_part(output, path)
    }

    /// Returns true if a path is where output is kept until it is complete.
    pub(super) fn is_part(self, output: &Path, path: &Path) -> bool {
        self == Self::Visible && part_of(&resolved(output)) == resolved(path)
    }
}

enum Sink {
    Stdout(BufWriter<Stdout>),
    /// A device, a pipe or anything else that cannot be replaced.
    Direct(BufWriter<File>),
    /// A file without a name, or with a temporary one, in the folder of the file that it will replace.
    Temporary(BufWriter<Pending>, PathBuf),
    /// A file beside the one that it will replace.
    Part(Part),
}

/// A visible file that will replace another one.
struct Part {
    sink: BufWriter<File>,
    target: PathBuf,
    /// True as long as it holds what an interrupted run has left: a command that is refused keeps it.
    is_old: bool,
}

impl Part {
    /// Returns the file to write to, without what an interrupted run has left.
    fn fresh(&mut self) -> io::Result<&mut BufWriter<File>> {
        if std::mem::take(&mut self.is_old) {
            self.sink.get_ref().set_len(0)?;
        }
        Ok(&mut self.sink)
    }
}

impl Output {
    /// Opens a file, or standard output for `None` and `-`.
    pub(super) fn new(path: Option<&Path>) -> Result<Self> {
        Self::growing(path, Growth::Hidden)
    }

    /// Opens a file, which grows in the given way, or standard output for `None` and `-`.
    pub(super) fn growing(path: Option<&Path>, growth: Growth) -> Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let sink = Sink::Stdout(BufWriter::with_capacity(BUFFER, io::stdout()));
            return Ok(Self { label: "standard output".into(), sink: Some(sink) });
        };
        let is_folder = growth == Growth::Folder || growth == Growth::HiddenOrFolder && names_folder(path);
        let sink = (!is_folder).then(|| open(path, growth)).transpose().map_err(|error| Error::write(path, error))?;
        Ok(Self { label: path.to_owned(), sink })
    }

    /// Writes a whole file, or all that standard output gets for `None` and `-`.
    pub(super) fn write(path: Option<&Path>, content: impl AsRef<[u8]>) -> Result<()> {
        let mut out = Self::new(path)?;
        out.bytes(content.as_ref())?;
        out.finish()
    }

    /// Returns true if the destination is not standard output.
    pub(super) const fn is_file(&self) -> bool {
        !matches!(self.sink, Some(Sink::Stdout(_)))
    }

    /// Returns the path of the file that holds the output until it is complete, if it can be read until then.
    pub(super) fn growing_path(&self) -> Option<PathBuf> {
        match &self.sink {
            Some(Sink::Part(..)) => Some(visible_part(&self.label)),
            _ => None,
        }
    }

    /// Returns the folder of the output, if the command writes files in it itself.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.sink.is_none().then(|| self.label.clone())
    }

    /// Returns the path of the destination, if it is not standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        self.is_file().then_some(&*self.label)
    }

    /// Returns an error with some advice if the output is shown on a terminal.
    pub(super) fn refuse_terminal(&self, advice: &str) -> Result<()> {
        if !self.is_file() && io::stdout().is_terminal() { Err(Error::usage(advice)) } else { Ok(()) }
    }

    /// Writes text.
    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        self.bytes(text.as_bytes())
    }

    /// Writes bytes.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let written = match &mut self.sink {
            Some(Sink::Stdout(sink)) => sink.write_all(&shown(bytes)),
            Some(Sink::Direct(sink)) => sink.write_all(bytes),
            Some(Sink::Part(part)) => part.fresh().and_then(|sink| sink.write_all(bytes)),
            Some(Sink::Temporary(sink, _)) => sink.write_all(bytes),
            None => Ok(()),
        };
        written.map_err(|error| Error::write(&self.label, plain(&error)))
    }

    /// Flushes the output unless it is in a temporary file, which has no waiting reader.
    pub(super) fn flush(&mut self) -> Result<()> {
        let done = match &mut self.sink {
            Some(Sink::Stdout(sink)) => sink.flush(),
            Some(Sink::Direct(sink) | Sink::Part(Part { sink, .. })) => sink.flush(),
            Some(Sink::Temporary(..)) | None => Ok(()),
        };
        done.map_err(|error| Error::write(&self.label, plain(&error)))
    }

    /// Discards the text written to a file; the existing file is kept.
    pub(super) fn discard(&mut self) {
        if let Some(path) = self.growing_path()
            && let Some(Sink::Part(Part { is_old: false, .. })) = self.sink.take()
        {
            let _ = fs::remove_file(path);
        }
        if let Some(Sink::Temporary(sink, _)) = self.sink.take_if(|sink| matches!(sink, Sink::Temporary(..))) {
            sink.into_parts().0.discard();
        }
    }

    /// Discards the output as [`discard`](Self::discard) does, but keeps a file that can be read until it is complete, and returns
    /// its path.
    pub(super) fn give_up(&mut self) -> Option<PathBuf> {
        let kept = self.growing_path();
        if kept.is_none() {
            self.discard();
        }
        // What is still to be written is lost, as with a discarded output.
        let _ = self.flush();
        self.sink = None;
        kept
    }

    /// Completes the output. If it cannot be written, an existing file is unchanged.
    pub(super) fn finish(mut self) -> Result<()> {
        let done = match self.sink.take() {
            Some(Sink::Stdout(mut sink)) => sink.flush(),
            Some(Sink::Direct(mut sink)) => sink.flush(),
            Some(Sink::Temporary(sink, target)) => replace(sink, &target),
            Some(Sink::Part(mut part)) => {
                part.fresh().and_then(Write::flush).and_then(|()| fs::rename(part_of(&part.target), &part.target))
            }
            None => Ok(()),
        };
        done.map_err(|error| Error::write(&self.label, plain(&error)))
    }
}

impl Drop for Output {
    /// Discards incomplete output, except for that in a file with a visible name.
    fn drop(&mut self) {
        let is_empty = |path: PathBuf| fs::metadata(path).is_ok_and(|meta| meta.len() == 0);
        let _ = self.flush();
        if self.growing_path().is_none_or(is_empty) {
            self.discard();
        }
    }
}

/// Returns true if a path is a folder, or ends like one.
fn names_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

fn open(path: &Path, growth: Growth) -> io::Result<Sink> {
    // Windows has no metadata of devices such as `NUL`.
    if cfg!(windows) && path.extension().is_none() && path.to_str().is_some_and(is_device) {
        return direct(path);
    }
    match fs::metadata(path) {
        // The system reports why a folder cannot be written.
        Ok(meta) if !meta.is_file() => direct(path),
        Ok(meta) if meta.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        // The target of a symbolic link is replaced, not the link.
        Ok(meta) => beside(fs::canonicalize(path)?, Some(meta.permissions()), growth),
        Err(error) if error.kind() == io::ErrorKind::NotFound => beside(link_target(path), None, growth),
        Err(error) => Err(error),
    }
}

fn direct(path: &Path) -> io::Result<Sink> {
    Ok(Sink::Direct(BufWriter::new(OpenOptions::new().write(true).open(path)?)))
}

/// Creates the file that becomes the target, with the default permissions unless others are given.
fn beside(target: PathBuf, permissions: Option<fs::Permissions>, growth: Growth) -> io::Result<Sink> {
    if growth != Growth::Visible {
        let file = Pending::create(folder_of(&target), permissions)?;
        return Ok(Sink::Temporary(BufWriter::with_capacity(BUFFER, file), target));
    }
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(part_of(&target))?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    let is_old = file.metadata()?.len() > 0;
    Ok(Sink::Part(Part { sink: BufWriter::with_capacity(BUFFER, file), target, is_old }))
}

/// Returns the path of the file that holds the output for another one until it is complete.
pub(super) fn part_of(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Returns the path of the file that holds a visible output until it is complete: beside the target of a symbolic link.
fn visible_part(output: &Path) -> PathBuf {
    if output.is_symlink() { part_of(&resolved(output)) } else { part_of(output) }
}

/// Returns the reason to refuse a visible output, if it would replace what an interrupted run has left.
pub(super) fn unfinished(output: &Path) -> Option<String> {
    let part = visible_part(output);
    let is_kept = fs::metadata(&part).is_ok_and(|meta| meta.len() > 0);
    is_kept.then(|| format!("{} holds the games of an interrupted run; rename or remove it", part.display()))
}

/// Returns the path by which a file is compared with others, whether it exists or not.
pub(super) fn resolved(path: &Path) -> PathBuf {
    let target = link_target(path);
    let folder = folder_of(&target);
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let beside = target.file_name().map_or_else(|| folder.clone(), |name| folder.join(name));
    fs::canonicalize(&target).unwrap_or(beside)
}

/// Returns the target of a chain of symbolic links whose last target does not exist yet.
fn link_target(path: &Path) -> PathBuf {
    // As many as Linux follows: a longer chain is a loop.
    const MAX_LINKS: usize = 40;
    let mut end = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&end) else { break };
        end = end.parent().unwrap_or(Path::new("")).join(target);
    }
    end
}

fn replace(sink: BufWriter<Pending>, target: &Path) -> io::Result<()> {
    let file = sink.into_inner().map_err(io::IntoInnerError::into_error)?;
    if can_be_replaced(file.file(), target) {
        return file.persist(target);
    }
    let overwrite = |mut file: &File| {
        file.rewind()?;
        let mut target = OpenOptions::new().write(true).truncate(true).open(target)?;
        io::copy(&mut file, &mut target).map(drop)
    };
    let written = interrupt::forget_after(target, || overwrite(file.file()));
    file.discard();
    written
}

/// Returns true if an existing file can be replaced by a new one: it has no other name, and the new file can have the
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

/// Returns the bytes to print. Consoles of Windows accept only UTF-8, and games are printed in their own encoding.
fn shown(bytes: &[u8]) -> Cow<'_, [u8]> {
    if cfg!(windows) && io::stdout().is_terminal() {
        return match String::from_utf8_lossy(bytes) {
            Cow::Borrowed(text) => text.as_bytes().into(),
            Cow::Owned(text) => text.into_bytes().into(),
        };
    }
    bytes.into()
}

/// Returns the error without the path of the temporary file, which the user did not choose.
fn plain(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}
