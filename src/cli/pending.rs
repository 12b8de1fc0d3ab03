//! Incomplete files. Where the system allows it, they have no name, so that nothing is left however the process ends;
//! elsewhere they have a temporary name and are removed on an interrupt.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::interrupt;

/// A file that gets its name when it is complete.
pub(super) enum Pending {
    /// A file without a name.
    Anonymous(File),
    /// A file with a temporary name.
    Named(NamedTempFile),
}

impl Pending {
    /// Creates a file in a folder, with the default permissions unless others are given.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written to.
    pub(super) fn create(folder: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let pending = match anonymous(folder) {
            Some(file) => Self::Anonymous(file),
            None => Self::Named(named(folder)?),
        };
        if let Some(permissions) = permissions {
            pending.file().set_permissions(permissions)?;
        }
        if let Self::Named(file) = &pending {
            interrupt::remember(file.path());
        }
        Ok(pending)
    }

    pub(super) fn file(&self) -> &File {
        match self {
            Self::Anonymous(file) => file,
            Self::Named(file) => file.as_file(),
        }
    }

    /// Gives the file its final name, replacing any file with that name.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed; an existing file is then unchanged.
    pub(super) fn persist(self, target: &Path) -> io::Result<()> {
        match self {
            Self::Anonymous(file) => link(file, target),
            Self::Named(file) => {
                let path = file.path().to_owned();
                interrupt::forget_after(&path, || rename(file, target))
            }
        }
    }

    /// Removes the file.
    pub(super) fn discard(self) {
        if let Self::Named(file) = self {
            let path = file.path().to_owned();
            interrupt::forget_after(&path, || drop(file));
        }
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Returns the folder of a file, as written.
pub(super) fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a file with a temporary name. Errors are passed on without the path, which the user did not choose.
fn named(folder: &Path) -> io::Result<NamedTempFile> {
    let create = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
    Builder::new().prefix(".pdn-").suffix(".tmp").make_in(folder, create)
}

/// Gives a file its final name. On Windows, unlike `NamedTempFile::persist`, this also replaces a file that is being read.
fn rename<F>(file: NamedTempFile<F>, target: &Path) -> io::Result<()> {
    let path = file.into_temp_path();
    fs::rename(&path, target)?;
    // Nothing has the temporary name any more; an error only says so.
    let _ = path.keep();
    Ok(())
}

/// Creates a file without a name, if the system allows it and can name it later.
#[cfg(target_os = "linux")]
fn anonymous(folder: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    let flags = i32::try_from(OFlags::TMPFILE.bits()).ok()?;
    // As for any new file, the mask of the process takes bits away.
    let file = OpenOptions::new().read(true).write(true).custom_flags(flags).mode(0o666).open(folder).ok()?;
    // Without `/proc`, as in some containers, the file could not be named later.
    descriptor(&file).exists().then_some(file)
}

#[cfg(not(target_os = "linux"))]
fn anonymous(_: &Path) -> Option<File> {
    None
}

/// Returns a path that opens the same file again, even if it has no name.
#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;

    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// Names a file that has no name yet. A file with that name is replaced in one step, for which the new one gets a temporary
/// name for a moment.
#[cfg(target_os = "linux")]
fn link(file: File, target: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};

    let source = descriptor(&file);
    let link_to = |path: &Path| linkat(CWD, &source, CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from);
    match link_to(target) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let named = Builder::new().prefix(".pdn-").suffix(".tmp").make_in(folder_of(target), link_to)?;
            rename(named, target)
        }
        Err(_) => copy(file, target),
    }
}

#[cfg(not(target_os = "linux"))]
fn link(file: File, target: &Path) -> io::Result<()> {
    copy(file, target)
}

/// Replaces a file by a copy of another one.
fn copy(mut file: File, target: &Path) -> io::Result<()> {
    file.rewind()?;
    let mut pending = named(folder_of(target))?;
    pending.as_file().set_permissions(file.metadata()?.permissions())?;
    io::copy(&mut file, &mut pending)?;
    rename(pending, target)
}

/// A copy of an input that can be read only once.
pub(super) struct Spooled {
    path: PathBuf,
    /// Removed when this value is dropped.
    _file: Pending,
}

impl Spooled {
    /// Copies a reader.
    ///
    /// # Errors
    ///
    /// If it cannot be read or the copy cannot be written.
    pub(super) fn new(reader: &mut impl Read) -> io::Result<Self> {
        let mut pending = Pending::create(&std::env::temp_dir(), None)?;
        io::copy(reader, &mut pending)?;
        let path = match &pending {
            #[cfg(target_os = "linux")]
            Pending::Anonymous(file) => descriptor(file),
            #[cfg(not(target_os = "linux"))]
            Pending::Anonymous(_) => return Err(io::ErrorKind::Unsupported.into()),
            Pending::Named(file) => file.path().to_owned(),
        };
        Ok(Self { path, _file: pending })
    }

    /// The path of the copy, valid while this value exists.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(path: &Path) -> String {
        std::fs::read_to_string(path).expect("a file")
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_pending_file_replaces_another_only_when_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("a");
        for text in ["first", "second"] {
            let mut pending = Pending::create(folder.path(), None).expect("created");
            pending.write_all(text.as_bytes()).expect("written");
            pending.persist(&target).expect("named");
            assert_eq!(content(&target), text);
        }
        Pending::create(folder.path(), None).expect("created").discard();
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn files_with_temporary_names_and_copies_replace_others_too() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("a");
        let mut file = named(folder.path()).expect("created");
        file.write_all(b"named").expect("written");
        Pending::Named(file).persist(&target).expect("renamed");
        assert_eq!(content(&target), "named");
        let mut file = tempfile::tempfile().expect("created");
        file.write_all(b"copied").expect("written");
        copy(file, &target).expect("copied");
        assert_eq!((content(&target).as_str(), names(folder.path()).len()), ("copied", 1));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_left_where_files_need_no_name() {
        let folder = tempfile::tempdir().expect("a folder");
        if let Some(mut file) = anonymous(folder.path()) {
            file.write_all(b"text").expect("written");
            assert!(names(folder.path()).is_empty());
        }
    }

    #[test]
    fn a_copy_can_be_read_again_and_again() {
        let spooled = Spooled::new(&mut &b"once"[..]).expect("copied");
        assert_eq!([content(spooled.path()), content(spooled.path())], ["once", "once"]);
    }

    #[test]
    fn a_missing_folder_is_an_error_of_the_system() {
        let error = Pending::create(Path::new("no/such/folder"), None).err().expect("an error");
        assert!(error.raw_os_error().is_some(), "{error}");
    }
}
