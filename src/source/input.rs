//! What the user wants read.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};

/// A file or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    label: String,
    path: Option<PathBuf>,
}

impl Input {
    /// Returns standard input, whose label is `-`.
    pub fn stdin() -> Self {
        Self { label: "-".to_owned(), path: None }
    }

    /// Returns a file.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { label: path.to_string_lossy().into_owned(), path: Some(path) }
    }

    /// The name as the user gave it; below a folder, the name of the folder as given and the way down; `-` for standard
    /// input.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The file; `None` for standard input.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Number of bytes as stored, where that is known.
    pub fn stored_size(&self) -> Option<u64> {
        let meta = fs::metadata(self.path.as_deref()?).ok()?;
        meta.is_file().then_some(meta.len())
    }
}

/// Returns what is to be read for the names that a user gave: a file as it is, for a folder every `*.pdn` below it,
/// compressed ones too, sorted by name, and standard input for `-`.
///
/// What cannot be found takes its place in the order as an error, so that the rest is still read.
pub fn expand<P: AsRef<Path>>(names: impl IntoIterator<Item = P>) -> Vec<Result<Input>> {
    let mut found = Vec::new();
    for name in names {
        expand_name(name.as_ref(), &mut found);
    }
    found
}

fn expand_name(name: &Path, found: &mut Vec<Result<Input>>) {
    if name == Path::new("-") {
        return found.push(Ok(Input::stdin()));
    }
    match fs::metadata(name) {
        Err(fault) => found.push(Err(Error::read(name, fault))),
        Ok(meta) if meta.is_dir() => {
            let before = found.len();
            walk(name, found);
            if found.len() == before {
                found.push(Err(ErrorKind::NothingToRead { path: name.to_owned() }.into()));
            }
        }
        Ok(_) => found.push(Ok(Input::file(name))),
    }
}

/// Adds the records below a folder. Folders behind symbolic links are not entered, since they may lead back.
fn walk(folder: &Path, found: &mut Vec<Result<Input>>) {
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let is_folder = path == folder || fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir());
        if !is_folder {
            if is_record(&path) && !path.is_dir() {
                found.push(Ok(Input::file(path)));
            }
            continue;
        }
        match entries(&path) {
            // The last one pushed is looked at first.
            Ok(entries) => waiting.extend(entries.into_iter().rev()),
            Err(fault) => found.push(Err(Error::read(path, fault))),
        }
    }
}

fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

/// Whether a name is `*.pdn`, perhaps compressed, in upper or lower case.
fn is_record(path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    let name = name.to_string_lossy().to_ascii_lowercase();
    let packed = [".gz", ".zst", ".bz2", ".xz"];
    let name = packed.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    Path::new(name).extension().is_some_and(|end| end == "pdn")
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn folders_are_walked_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.pdn", "a/z.pdn", "a/y.pdn.gz", "c.txt", "b/x.PDN"] {
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
    fn what_is_not_there_keeps_its_place() {
        let found = expand(["-", "no/such/file.pdn", "-"]);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].as_ref().expect("standard input").label(), "-");
        assert!(matches!(found[1].as_ref().expect_err("a fault").kind(), ErrorKind::Read { .. }));
    }

    #[test]
    fn an_empty_folder_has_nothing_to_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let found = expand([folder.path()]);
        assert!(matches!(found[0].as_ref().expect_err("a fault").kind(), ErrorKind::NothingToRead { .. }));
    }
}
