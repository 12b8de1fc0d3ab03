//! Files and folders to read.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(feature = "zip")]
use super::archive::{Member, is_archive, members};
use super::compression::EXTENSIONS;
use super::utf16::Utf16Order;
use crate::error::{Error, ErrorKind, Result};
use crate::text::Encoding;

/// A file, a member of an archive, a stream, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    label: String,
    pub(super) storage: Storage,
    pub(super) utf16: Option<Utf16Order>,
    pub(super) recode: Option<Encoding>,
}

/// The location of the bytes of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Stdin,
    Stream(Stream),
    File(PathBuf),
    #[cfg(feature = "zip")]
    Member(PathBuf, Member),
}

/// A reader that can be opened once.
#[derive(Clone)]
pub(super) struct Stream(Arc<Mutex<Option<Box<dyn Read + Send>>>>);

impl Stream {
    /// Returns the reader.
    ///
    /// # Errors
    ///
    /// If it was opened before.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        // Taking the reader leaves no inconsistent state that a panic could expose.
        let reader = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        reader.ok_or_else(|| io::Error::other("the stream was read already"))
    }
}

impl PartialEq for Stream {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stream {}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}

impl Input {
    const fn new(label: String, storage: Storage) -> Self {
        Self { label, storage, utf16: None, recode: None }
    }

    /// Makes the input be converted to UTF-8 while it is read, like [`ChunkOptions::utf16`](super::ChunkOptions::utf16) and
    /// [`ChunkOptions::recode`](super::ChunkOptions::recode) do for all inputs.
    pub(crate) const fn read_as(&mut self, utf16: Option<Utf16Order>, recode: Option<Encoding>) {
        (self.utf16, self.recode) = (utf16, recode);
    }

    /// Returns standard input, whose label is `-`.
    pub(crate) fn stdin() -> Self {
        Self::new("-".to_owned(), Storage::Stdin)
    }

    /// Returns a stream of bytes, compressed or not, with a label. It can be opened only once; its clones share it.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::check::{CheckOptions, input_reviews};
    /// use pdn::source::{ChunkOptions, Input};
    ///
    /// let input = Input::stream("memory", &b"1. 32-28 19-23 *"[..]);
    /// let mut reviews = input_reviews(&input, CheckOptions::default(), &ChunkOptions::default())?;
    /// assert_eq!(reviews.next().expect("a game")?.game().plies_played(), 2);
    /// # Ok::<(), pdn::Error>(())
    /// ```
    pub fn stream(label: &str, reader: impl Read + Send + 'static) -> Self {
        Self::new(label.to_owned(), Storage::Stream(Stream(Arc::new(Mutex::new(Some(Box::new(reader)))))))
    }

    /// Returns a file with a label other than its path, such as a temporary copy of the input that the label names.
    pub(crate) fn with_label(label: &str, path: impl Into<PathBuf>) -> Self {
        Self::new(label.to_owned(), Storage::File(path.into()))
    }

    /// Returns a file.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self::new(path.to_string_lossy().into_owned(), Storage::File(path))
    }

    /// Returns the name as given; for a file below a folder, the folder as given and the path below it; for a member of an
    /// archive, the archive and the name in it, as in `x.zip/a.pdn`; `-` for standard input.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the path of the file or archive, or `None` for standard input and streams.
    pub fn path(&self) -> Option<&Path> {
        match &self.storage {
            Storage::Stdin | Storage::Stream(_) => None,
            Storage::File(path) => Some(path),
            #[cfg(feature = "zip")]
            Storage::Member(path, _) => Some(path),
        }
    }

    /// Returns the stored (compressed) size in bytes, or `None` for standard input, streams, pipes and devices.
    pub(crate) fn stored_size(&self) -> Option<u64> {
        #[cfg(feature = "zip")]
        if let Storage::Member(_, member) = &self.storage {
            return Some(member.stored());
        }
        let meta = fs::metadata(self.path()?).ok()?;
        meta.is_file().then_some(meta.len())
    }
}

/// Returns the inputs for a list of names: a file itself, every `*.pdn` below a folder sorted by name and in a ZIP archive,
/// compressed ones too but not hidden ones, the member of an archive for its [label](Input::label), and standard input for `-`.
///
/// A name that cannot be found becomes an error at its position in the list, so that the others can still be read.
///
/// # Examples
///
/// ```
/// for input in pdn::source::expand(["samples/games"]) {
///     println!("{}", input?.label());
/// }
/// # Ok::<(), pdn::Error>(())
/// ```
pub fn expand<P: AsRef<Path>>(names: impl IntoIterator<Item = P>) -> Vec<Result<Input>> {
    expand_including(names, |_| false)
}

/// Returns the inputs for a list of names as [`expand`] does, and in folders and archives also the files for whose paths
/// `include` returns true, such as logs of boards.
pub(crate) fn expand_including<P: AsRef<Path>>(
    names: impl IntoIterator<Item = P>,
    include: impl Fn(&Path) -> bool,
) -> Vec<Result<Input>> {
    let mut found = Vec::new();
    let wanted = |path: &Path| is_record(path) || include(path);
    for name in names {
        expand_name(name.as_ref(), &wanted, &mut found);
    }
    found
}

/// The files in folders and archives that are read.
type Wanted<'a> = &'a dyn Fn(&Path) -> bool;

fn expand_name(name: &Path, wanted: Wanted<'_>, found: &mut Vec<Result<Input>>) {
    if name == Path::new("-") {
        return found.push(Ok(Input::stdin()));
    }
    match fs::metadata(name) {
        Err(error) => {
            if !add_named(name, found) {
                found.push(Err(Error::read(name, error)));
            }
        }
        Ok(meta) if meta.is_dir() => {
            let before = found.len();
            walk(name, wanted, found);
            if found.len() == before {
                found.push(Err(ErrorKind::NothingToRead { path: name.to_owned() }.into()));
            }
        }
        Ok(meta) if meta.is_file() => {
            let before = found.len();
            add_file(name, wanted, found);
            if found.len() == before {
                found.push(Err(ErrorKind::NothingToRead { path: name.to_owned() }.into()));
            }
        }
        // A pipe or device: looking into it would take bytes from it.
        Ok(_) => found.push(Ok(Input::file(name))),
    }
}

/// Adds a file, or the records in an archive.
#[cfg(feature = "zip")]
fn add_file(path: &Path, wanted: Wanted<'_>, found: &mut Vec<Result<Input>>) {
    if !is_archive(path) {
        return found.push(Ok(Input::file(path)));
    }
    // An archive in an archive is named, since its records would be missing otherwise.
    add_members(path, &|path| wanted(path) || has_archive_extension(path), found);
}

#[cfg(feature = "zip")]
fn add_members(archive: &Path, wanted: Wanted<'_>, found: &mut Vec<Result<Input>>) {
    match members(archive, wanted) {
        Ok(members) => found.extend(members.into_iter().map(|(name, member)| member_input(archive, &name, member))),
        Err(error) => found.push(Err(Error::read(archive, error))),
    }
}

#[cfg(feature = "zip")]
fn member_input(archive: &Path, name: &str, member: Member) -> Result<Input> {
    let label = format!("{}/{name}", archive.to_string_lossy());
    if has_archive_extension(Path::new(name)) {
        let reason = "archives inside archives are not read; extract this one first";
        return Err(Error::read(label, io::Error::new(io::ErrorKind::Unsupported, reason)));
    }
    Ok(Input::new(label, Storage::Member(archive.to_owned(), member)))
}

/// Adds the members of an archive with a label such as `x.zip/a.pdn`. Returns false if the label does not begin with an archive.
#[cfg(feature = "zip")]
fn add_named(label: &Path, found: &mut Vec<Result<Input>>) -> bool {
    let Some(archive) = label.ancestors().find(|path| path.is_file() && is_archive(path)) else { return false };
    let before = found.len();
    add_members(archive, &|name| label.strip_prefix(archive) == Ok(name), found);
    if found.len() == before {
        let reason = format!("{} has no such member", archive.display());
        found.push(Err(Error::read(label, io::Error::new(io::ErrorKind::NotFound, reason))));
    }
    true
}

#[cfg(not(feature = "zip"))]
const fn add_named(_: &Path, _: &mut Vec<Result<Input>>) -> bool {
    false
}

#[cfg(not(feature = "zip"))]
fn add_file(path: &Path, _: Wanted<'_>, found: &mut Vec<Result<Input>>) {
    found.push(Ok(Input::file(path)));
}

/// Adds the records below a folder. Symbolic links to folders are not followed, since they may form a cycle.
fn walk(folder: &Path, wanted: Wanted<'_>, found: &mut Vec<Result<Input>>) {
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let is_folder = path == folder || fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir());
        if !is_folder {
            if path.is_file() && (wanted(&path) || has_archive_extension(&path)) {
                add_file(&path, wanted, found);
            // A broken link or a pipe: opening it gives an error, while skipping it would hide the problem.
            } else if wanted(&path) && !path.is_dir() {
                found.push(Ok(Input::file(path)));
            }
            continue;
        }
        match entries(&path) {
            // The last one pushed is visited first.
            Ok(entries) => waiting.extend(entries.into_iter().rev()),
            Err(error) => found.push(Err(Error::read(path, error))),
        }
    }
}

/// Returns true if the name of a file or folder begins with a dot.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns the files and folders in a folder, sorted by name, without hidden ones.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| !is_hidden(path));
    // The order of a folder differs between machines.
    paths.sort_unstable();
    Ok(paths)
}

fn has_archive_extension(path: &Path) -> bool {
    cfg!(feature = "zip") && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

/// Returns true if the file at a path is found in a folder: a record, compressed or not, or an archive.
#[cfg(feature = "serve")]
pub(crate) fn is_served(path: &Path) -> bool {
    is_record(path) || has_archive_extension(path)
}

/// Returns true if Windows treats a name as that of a device, whatever its extension.
#[cfg(feature = "serve")]
pub(crate) fn is_device(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let is_port = |kind: &str| {
        // Windows takes superscript digits for digits of a port.
        stem.strip_prefix(kind).is_some_and(|number| "0123456789¹²³".contains(number) && number.chars().count() == 1)
    };
    DEVICES.contains(&&*stem) || is_port("com") || is_port("lpt")
}

/// Returns true if a name is `*.pdn`, optionally with the extension of a compressed file, in any case.
fn is_record(path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    let name = name.to_string_lossy().to_ascii_lowercase();
    let uncompressed = EXTENSIONS.iter().find_map(|end| name.strip_suffix(end)?.strip_suffix('.'));
    let name = uncompressed.unwrap_or(&name);
    Path::new(name).extension().is_some_and(|end| end == "pdn")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "serve")]
    #[test]
    fn names_of_devices() {
        for name in ["CON", "nul", "nul.txt", "Com1", "LPT².pdn", "Prn .x", "aux.pdn.gz", "CONIN$"] {
            assert!(is_device(name), "{name}");
        }
        for name in ["", "com", "com12", "comä", "console.pdn", "a.nul", "auxerre.pdn"] {
            assert!(!is_device(name), "{name}");
        }
    }

    #[test]
    fn names_of_records() {
        for name in ["a.pdn", "A.PDN", "a.pdn.gz", "a.pdn.zst", "a.pdn.bz2", "a.pdn.xz", "a.b.pdn"] {
            assert!(is_record(Path::new(name)), "{name}");
        }
        for name in [".pdn", "a.pdn.txt", "a.gz", "pdn", "a.pdn.gz.zst"] {
            assert!(!is_record(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn folders_are_read_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.pdn", "a/z.pdn", "a/y.pdn.gz", "c.txt", "b/x.PDN", ".a.pdn", ".b/c.pdn"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        let labels: Vec<_> = expand([folder.path()]).into_iter().map(|input| input.expect("found").label).collect();
        let root = folder.path().to_string_lossy();
        let wanted = ["a/y.pdn.gz", "a/z.pdn", "b/x.PDN", "b.pdn"].map(|name| format!("{root}/{name}"));
        assert_eq!(labels, wanted);
    }

    #[test]
    fn a_missing_file_keeps_its_position() {
        let found = expand(["-", "no/such/file.pdn", "-"]);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].as_ref().expect("standard input").label(), "-");
        assert!(matches!(found[1].as_ref().expect_err("an error").kind(), ErrorKind::Read { .. }));
    }

    #[test]
    fn an_empty_folder_has_nothing_to_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let found = expand([folder.path()]);
        assert!(matches!(found[0].as_ref().expect_err("an error").kind(), ErrorKind::NothingToRead { .. }));
    }
}
