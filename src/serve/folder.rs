//! The folder that is served: its records, and nothing else.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;

use crate::error::{Error, ErrorKind, Result};
use crate::shared::lock;
use crate::source::{expand, is_device, is_served};

/// Longest path that is accepted, in bytes.
const LONGEST_PATH: usize = 1024;

/// A folder with records.
#[derive(Debug)]
pub(super) struct Folder {
    /// Its path without links.
    root: PathBuf,
    writable: bool,
    /// Held while a file is replaced.
    saving: Mutex<()>,
}

/// A file of the folder.
#[derive(Debug, Serialize)]
pub(super) struct FileRow {
    /// Its path below the folder, with `/`.
    path: String,
    /// Bytes.
    size: u64,
    /// Milliseconds since 1970.
    modified: u64,
    version: String,
}

/// The records of the folder.
#[derive(Debug)]
pub(super) struct Listing {
    /// In their order.
    pub(super) files: Vec<FileRow>,
    /// Number of the others: those whose names cannot be sent, links that lead out of the folder, and what cannot be read.
    pub(super) left_out: usize,
}

/// Why a file cannot be had or saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileError {
    /// The path names no record of the folder.
    Unknown,
    /// The file was changed since, or is there already.
    Changed,
    /// The folder or the file is not to be written to.
    ReadOnly,
    /// The file is not UTF-8, so it is not certain what its bytes mean.
    Unsure,
    /// The system refused.
    Failed(io::ErrorKind),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Unknown,
            kind => Self::Failed(kind),
        }
    }
}

impl Folder {
    /// Returns a folder.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(super) fn open(path: &Path, writable: bool) -> Result<Self> {
        let root = fs::canonicalize(path).and_then(|root| fs::read_dir(&root).map(|_| root));
        let root = root.map_err(|error| Error::read(path, error))?;
        Ok(Self { root, writable, saving: Mutex::new(()) })
    }

    /// Returns the name of the folder.
    pub(super) fn name(&self) -> String {
        self.root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    pub(super) const fn is_writable(&self) -> bool {
        self.writable
    }

    /// Returns the records below the folder.
    ///
    /// # Errors
    ///
    /// If the folder itself cannot be read.
    pub(super) fn files(&self) -> io::Result<Listing> {
        fs::read_dir(&self.root)?;
        let (mut paths, mut left_out) = (Vec::new(), 0);
        for found in expand([&self.root]) {
            match found {
                Ok(input) => paths.extend(input.path().map(Path::to_owned)),
                Err(error) => left_out += usize::from(!matches!(error.kind(), ErrorKind::NothingToRead { .. })),
            }
        }
        // The members of an archive follow one another.
        paths.dedup();
        let files: Vec<_> = paths.iter().filter_map(|path| self.row(path)).collect();
        left_out += paths.len() - files.len();
        Ok(Listing { files, left_out })
    }

    fn row(&self, path: &Path) -> Option<FileRow> {
        let below = path.strip_prefix(&self.root).ok()?.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
        let meta = fs::metadata(self.find(&below).ok()?).ok()?;
        Some(FileRow {
            path: below,
            size: meta.len(),
            modified: modified(&meta).as_millis() as u64,
            version: version(&meta),
        })
    }

    /// Returns the path of a record, without links.
    ///
    /// # Errors
    ///
    /// If the path does not name a record of the folder, or another version of it is wanted.
    pub(super) fn find(&self, path: &str) -> Result<PathBuf, FileError> {
        let found = fs::canonicalize(self.named(path)?)?;
        let is_file = fs::metadata(&found)?.is_file();
        // A link may lead to another record of the folder, but not out of it, and not to anything else.
        if is_file && found.starts_with(&self.root) && is_served(&found) { Ok(found) } else { Err(FileError::Unknown) }
    }

    /// Returns the path of this version of a record.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find); and if the file has another version.
    pub(super) fn find_version(&self, path: &str, wanted: Option<&str>) -> Result<PathBuf, FileError> {
        let found = self.find(path)?;
        match wanted {
            Some(wanted) if version(&fs::metadata(&found)?) != wanted => Err(FileError::Changed),
            _ => Ok(found),
        }
    }

    /// Opens a record: the file, its length and its version.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub(super) fn read(&self, path: &str) -> Result<(File, u64, String), FileError> {
        let file = File::open(self.find(path)?)?;
        let meta = file.metadata()?;
        Ok((file, meta.len(), version(&meta)))
    }

    /// Replaces this version of a record, or makes a new one if none is named. Returns the version of what was written. A file that is
    /// not UTF-8 is only replaced if the user is `certain`: the new content comes from what its bytes were taken for.
    ///
    /// # Errors
    ///
    /// If the folder is not to be written to, the path is not that of an uncompressed record, the file has another version, or
    /// the system refuses; it is then unchanged.
    pub(super) fn save(
        &self,
        path: &str,
        (replaced, certain): (Option<&str>, bool),
        content: &[u8],
    ) -> Result<String, FileError> {
        if !self.writable {
            return Err(FileError::ReadOnly);
        }
        if !Path::new(path).extension().is_some_and(|end| end.eq_ignore_ascii_case("pdn")) {
            return Err(FileError::Unknown);
        }
        let _saving = lock(&self.saving);
        let (target, permissions) = match replaced {
            Some(_) => {
                let target = self.find_version(path, replaced)?;
                let permissions = fs::metadata(&target)?.permissions();
                if permissions.readonly() {
                    return Err(FileError::ReadOnly);
                }
                if !certain && !is_unicode(&fs::read(&target)?) {
                    return Err(FileError::Unsure);
                }
                (target, Some(permissions))
            }
            None => (self.new_file(path)?, None),
        };
        // In the same folder, because a file can only be renamed within its file system.
        let mut pending = tempfile::NamedTempFile::new_in(target.parent().unwrap_or(&self.root))?;
        pending.write_all(content)?;
        pending.as_file().sync_all()?;
        if let Some(permissions) = permissions {
            pending.as_file().set_permissions(permissions)?;
        } else {
            open_to_others(pending.as_file())?;
        }
        let file = match replaced {
            Some(_) => pending.persist(&target),
            // Another program may have made the file in the meantime.
            None => pending.persist_noclobber(&target),
        };
        let file = file.map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => FileError::Changed,
            kind => FileError::Failed(kind),
        })?;
        Ok(version(&file.metadata()?))
    }

    /// Returns the path of a file that is not there yet, in a folder that is.
    fn new_file(&self, path: &str) -> Result<PathBuf, FileError> {
        // A folder may be copied to another system.
        if !path.split('/').all(is_portable) {
            return Err(FileError::Unknown);
        }
        let named = self.named(path)?;
        let (Some(parent), Some(name)) = (named.parent(), named.file_name()) else { return Err(FileError::Unknown) };
        let parent = fs::canonicalize(parent)?;
        if !parent.starts_with(&self.root) {
            return Err(FileError::Unknown);
        }
        let target = parent.join(name);
        // A link to nothing is there too.
        if fs::symlink_metadata(&target).is_ok() { Err(FileError::Changed) } else { Ok(target) }
    }

    /// Returns the path below the folder that a path names, if all its parts are plain names.
    fn named(&self, path: &str) -> Result<PathBuf, FileError> {
        if path.len() > LONGEST_PATH || !path.split('/').all(is_plain) {
            return Err(FileError::Unknown);
        }
        Ok(path.split('/').fold(self.root.clone(), |path, name| path.join(name)))
    }
}

/// Returns true for the name of a file or folder on this system: not hidden, no way up, and on Windows no drive, stream or device.
fn is_plain(name: &str) -> bool {
    let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains('/') && !name.contains(char::is_control);
    is_name && (cfg!(not(windows)) || is_portable(name))
}

/// Returns true unless Windows takes a name for something else: a path, a drive, a stream, a device or another name.
fn is_portable(name: &str) -> bool {
    !name.ends_with(['.', ' ']) && !name.contains(['\\', ':', '<', '>', '"', '|', '?', '*']) && !is_device(name)
}

/// Returns true for UTF-8, and for UTF-16 with its mark.
fn is_unicode(bytes: &[u8]) -> bool {
    matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) || str::from_utf8(bytes).is_ok()
}

/// Returns the time of the last change of a file, since 1970.
fn modified(meta: &Metadata) -> Duration {
    meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default()
}

/// Returns what changes with the content of a file: its length and the time of its last change.
pub(super) fn version(meta: &Metadata) -> String {
    format!("{:x}-{:x}", meta.len(), modified(meta).as_nanos())
}

/// Gives a new file the permissions of other files, instead of those of temporary ones.
#[cfg(unix)]
fn open_to_others(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn open_to_others(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Event \"?\"]\n\n1. 32-28 *\n";

    fn folder(writable: bool) -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().expect("a folder");
        for name in
            ["club/a.pdn", "club/2024/b.pdn.gz", "club/notes.txt", "club/.hidden.pdn", "club/.git/c.pdn", "secret.pdn"]
        {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, GAME).expect("a file");
        }
        let folder = Folder::open(&place.path().join("club"), writable).expect("the folder");
        (place, folder)
    }

    fn rows(folder: &Folder) -> Vec<FileRow> {
        folder.files().expect("a list").files
    }

    #[test]
    fn records_are_listed_with_their_versions() {
        let (place, folder) = folder(false);
        let listed = |folder: &Folder| rows(folder).into_iter().map(|row| (row.path, row.version)).collect::<Vec<_>>();
        let before = listed(&folder);
        assert_eq!(before.iter().map(|(path, _)| &**path).collect::<Vec<_>>(), ["2024/b.pdn.gz", "a.pdn"]);
        fs::write(place.path().join("club/a.pdn"), "other").expect("a change");
        let after = listed(&folder);
        assert_eq!(before[0], after[0]);
        assert_ne!(before[1], after[1]);
        assert_eq!(folder.find_version("a.pdn", Some(&before[1].1)), Err(FileError::Changed));
        assert!(folder.find_version("a.pdn", Some(&after[1].1)).is_ok());
    }

    #[test]
    fn paths_lead_nowhere_else() {
        let (_place, folder) = folder(true);
        let outside = [
            "",
            ".",
            "..",
            "../secret.pdn",
            "2024/../a.pdn",
            "/etc/passwd",
            "//a.pdn",
            "a.pdn/",
            "a.pdn/b.pdn",
            "./a.pdn",
            "2024//b.pdn.gz",
            "..\\secret.pdn",
            "2024\\b.pdn.gz",
            "C:\\a.pdn",
            "C:a.pdn",
            "\\\\host\\share\\a.pdn",
            "a.pdn\0",
            "a.pdn::$DATA",
            "con.pdn",
            "CON",
            "nul.pdn",
            "com1.pdn",
            "LPT9.pdn",
            "com\u{b9}.pdn",
            "aux .pdn",
            "a.pdn.",
            "a.pdn ",
            ".hidden.pdn",
            ".git/c.pdn",
            "notes.txt",
            "2024",
            "none.pdn",
            "%2e%2e/secret.pdn",
            "a?.pdn",
            "conin$.pdn",
        ];
        for path in outside {
            assert_eq!(folder.find(path), Err(FileError::Unknown), "{path:?}");
            assert!(folder.save(path, (Some(""), false), b"").is_err(), "{path:?}");
            let made = folder.save(path, (None, false), b"x");
            assert!(made.is_err() || path == "none.pdn" || path == "%2e%2e/secret.pdn", "{path:?}: {made:?}");
        }
        assert!(folder.find(&format!("{}a.pdn", "b/".repeat(600))).is_err());
        for path in ["a.pdn", "2024/b.pdn.gz"] {
            assert!(folder.find(path).is_ok(), "{path}");
        }
    }

    /// Names that only Windows takes for something else are read elsewhere, but not given to new files.
    #[cfg(unix)]
    #[test]
    fn records_with_other_names_are_listed_and_read() {
        let (place, folder) = folder(true);
        let names = ["12:30.pdn", "a<b.pdn", "aux.pdn", "back\\slash.pdn", "dots./c.pdn", "why?.pdn"];
        fs::create_dir(place.path().join("club/dots.")).expect("a folder");
        for name in names {
            fs::write(place.path().join("club").join(name), GAME).expect("a file");
        }
        let listed: Vec<_> = rows(&folder).into_iter().map(|row| row.path).collect();
        for name in names {
            assert!(listed.contains(&name.to_owned()), "{name}: {listed:?}");
            let (.., version) = folder.read(name).expect("a file");
            assert!(folder.save(name, (Some(&version), false), b"new").is_ok(), "{name}");
            assert_eq!(folder.save(&name.replace(".pdn", ".2.pdn"), (None, false), b"new"), Err(FileError::Unknown));
        }
        assert_eq!(folder.files().expect("a list").left_out, 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_left_out_is_counted_and_a_folder_that_is_gone_is_an_error() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        let (place, folder) = folder(false);
        let name = OsStr::from_bytes(b"M\xFCller.pdn");
        fs::write(place.path().join("club").join(name), GAME).expect("a file");
        fs::write(place.path().join("club/line\nend.pdn"), GAME).expect("a file");
        assert_eq!(folder.files().map(|listing| (listing.files.len(), listing.left_out)).expect("a list"), (2, 2));
        fs::remove_dir_all(place.path().join("club")).expect("removed");
        assert!(folder.files().is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_not_followed() {
        use std::os::unix::fs::symlink;

        let (place, folder) = folder(true);
        let club = place.path().join("club");
        symlink("../secret.pdn", club.join("out.pdn")).expect("a link");
        symlink("..", club.join("up")).expect("a link");
        symlink("notes.txt", club.join("text.pdn")).expect("a link");
        symlink("a.pdn", club.join("same.pdn")).expect("a link");
        symlink("missing.pdn", club.join("broken.pdn")).expect("a link");
        for path in ["out.pdn", "up/secret.pdn", "text.pdn", "broken.pdn"] {
            assert_eq!(folder.find(path), Err(FileError::Unknown), "{path}");
            assert!(folder.save(path, (None, false), b"x").is_err(), "{path}");
        }
        assert!(folder.save("up/new.pdn", (None, false), b"x").is_err() && !place.path().join("new.pdn").exists());
        assert_eq!(folder.find("same.pdn"), folder.find("a.pdn"));
        let Listing { files, left_out } = folder.files().expect("a list");
        let listed: Vec<_> = files.into_iter().map(|row| row.path).collect();
        assert_eq!(listed, ["2024/b.pdn.gz", "a.pdn", "same.pdn"]);
        assert_eq!(left_out, 3, "out.pdn, text.pdn and broken.pdn");
    }

    #[test]
    fn files_are_replaced_only_as_they_were_read() {
        let (place, folder) = folder(true);
        let (.., version) = folder.read("a.pdn").expect("a file");
        assert_eq!(folder.save("a.pdn", (None, false), b"new"), Err(FileError::Changed), "it is there already");
        assert_eq!(
            folder.save("2024/b.pdn.gz", (Some(&version), false), b"new"),
            Err(FileError::Unknown),
            "compressed"
        );
        let saved = folder.save("a.pdn", (Some(&version), false), b"new").expect("saved");
        assert_eq!(folder.save("a.pdn", (Some(&version), false), b"newer"), Err(FileError::Changed));
        assert_eq!(fs::read(place.path().join("club/a.pdn")).expect("a file"), b"new");
        assert_eq!(folder.read("a.pdn").expect("a file").2, saved);
        folder.save("2024/a.annotated.pdn", (None, false), b"x").expect("a new file");
        let names = fs::read_dir(place.path().join("club/2024")).expect("a folder").count();
        assert_eq!(names, 2, "no temporary file is left");
    }

    #[test]
    fn a_file_in_another_encoding_is_replaced_only_if_that_is_certain() {
        let (place, folder) = folder(true);
        let path = place.path().join("club/a.pdn");
        fs::write(&path, b"[White \"M\xFCller\"]\n1. 32-28 *\n").expect("a file");
        let (.., version) = folder.read("a.pdn").expect("a file");
        assert_eq!(folder.save("a.pdn", (Some(&version), false), b"new"), Err(FileError::Unsure));
        assert!(fs::read(&path).expect("a file").contains(&0xFC));
        assert!(folder.save("a.pdn", (Some(&version), true), b"new").is_ok());
    }

    #[test]
    fn nothing_is_written_unless_asked() {
        let (place, folder) = folder(false);
        let (.., version) = folder.read("a.pdn").expect("a file");
        assert_eq!(folder.save("a.pdn", (Some(&version), false), b"new"), Err(FileError::ReadOnly));
        assert_eq!(folder.save("b.pdn", (None, false), b"new"), Err(FileError::ReadOnly));
        assert_eq!(fs::read_to_string(place.path().join("club/a.pdn")).expect("a file"), GAME);
    }
}
