//! The inputs that the arguments of a command name: files, folders, patterns and lists.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, glob_with};

use super::context::Context;
use super::options::Files;
use crate::error::{Error, Result};
use crate::source::{Input, expand, expand_including};

/// The extensions of files that may be records, but are read in a folder only on request: a text may be anything, and a log may
/// be that of a game that is also in another file.
const UNREAD: [&str; 5] = ["ldf", "txt", "json", "jsonl", "ndjson"];

/// The files that were found in folders and not read.
type Skipped = RefCell<BTreeSet<PathBuf>>;

impl Files {
    /// Returns the inputs, in the order in which they are given. A name that cannot be found becomes an error in its place.
    /// Files that may be records and are not read are named.
    pub(super) fn inputs(&self, context: &Context) -> Result<Vec<Result<Input>>> {
        let skipped = Skipped::default();
        let listed = self.list.as_deref().map(|list| self.listed(list)).transpose()?.unwrap_or_default();
        let mut inputs: Vec<_> =
            self.paths.iter().flat_map(|path| matching(path, |path| self.expand([path], &skipped))).collect();
        inputs.extend(self.expand(listed, &skipped));
        let skipped = skipped.into_inner();
        if let Some(extension) = skipped.first().and_then(|path| path.extension()) {
            const SHOWN: usize = 3;
            let mut names: Vec<_> =
                skipped.iter().take(SHOWN).map(|path| path.to_string_lossy().into_owned()).collect();
            names.extend((skipped.len() > SHOWN).then(|| format!("{} more", skipped.len() - SHOWN)));
            let (names, extension) = (names.join(", "), extension.to_string_lossy());
            context.inform(&format!("not read: {names}; `--include '*.{extension}'` reads such files in folders"));
        }
        context.note_inputs(inputs.iter().flatten())?;
        Ok(inputs)
    }

    fn expand<P: AsRef<Path>>(&self, names: impl IntoIterator<Item = P>, skipped: &Skipped) -> Vec<Result<Input>> {
        let options = MatchOptions { case_sensitive: false, ..MatchOptions::new() };
        expand_including(names, |path| {
            let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            let is_included = self.include.iter().any(|pattern| pattern.matches_with(&name, options));
            let extension = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
            if !is_included && extension.is_some_and(|end| UNREAD.contains(&end.as_str())) {
                skipped.borrow_mut().insert(path.to_owned());
            }
            is_included
        })
    }

    fn listed(&self, list: &Path) -> Result<Vec<PathBuf>> {
        let paths = names(&read_whole(list)?)?;
        if paths.is_empty() && self.paths.is_empty() {
            return Err(Error::unavailable(format!("nothing to read: {} lists no files", list.display())));
        }
        if is_stdin(list) && self.paths.iter().chain(&paths).any(|path| is_stdin(path)) {
            return Err(Error::usage("standard input cannot be both a record and the list of files"));
        }
        Ok(paths)
    }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a file, which may be compressed, or standard input for `-`.
pub(super) fn read_whole(path: &Path) -> Result<Vec<u8>> {
    let input = if is_stdin(path) { Input::stdin() } else { Input::file(path) };
    let mut bytes = Vec::new();
    input.open()?.read_to_end(&mut bytes).map_err(|error| Error::read(path, error))?;
    Ok(bytes)
}

/// Returns the inputs of names, for a command without options about its files.
pub(super) fn named_inputs(paths: &[impl AsRef<Path>]) -> Vec<Result<Input>> {
    paths.iter().flat_map(|path| matching(path.as_ref(), |path| expand([path]))).collect()
}

/// Returns the inputs of a name, which is a pattern such as `*.pdn` if it has wildcards and no file has this name: not
/// every shell expands patterns.
fn matching(path: &Path, expand: impl Fn(&Path) -> Vec<Result<Input>>) -> Vec<Result<Input>> {
    let pattern = path.to_str().filter(|name| name.contains(['*', '?', '[']) && path.symlink_metadata().is_err());
    // As in shells, `*` does not find hidden files.
    let options = MatchOptions { require_literal_leading_dot: true, ..MatchOptions::new() };
    let Some(paths) = pattern.and_then(|pattern| glob_with(pattern, options).ok()) else {
        return expand(path);
    };
    let (mut found, mut any) = (Vec::new(), false);
    for path in paths {
        any = true;
        match path {
            Ok(path) => found.extend(expand(&path)),
            Err(error) => {
                let path = error.path().to_owned();
                found.push(Err(Error::read(path, error.into())));
            }
        }
    }
    if !any {
        found.push(Err(Error::unavailable(format!("no file matches {}", path.display()))));
    }
    found
}

/// Returns the names in a list: one a line, or separated by zero bytes if there are any.
fn names(list: &[u8]) -> Result<Vec<PathBuf>> {
    // `find -print0` writes such lists, for names that contain line ends.
    let has_zeros = list.contains(&0);
    let ends = |byte: &u8| if has_zeros { *byte == 0 } else { *byte == b'\n' };
    // Editors on Windows put a byte order mark at the start of a list.
    let list = list.strip_prefix(b"\xef\xbb\xbf").unwrap_or(list);
    let names = list.split(ends).map(|name| if has_zeros { name } else { name.strip_suffix(b"\r").unwrap_or(name) });
    names.filter(|name| !name.is_empty()).map(path).collect()
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have names that are not bytes")]
fn path(name: &[u8]) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(name).into())
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> Result<PathBuf> {
    let text = std::str::from_utf8(name).map_err(|_| Error::usage("the list of files is not UTF-8"))?;
    Ok(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_lines_or_zero_bytes() {
        let list = |bytes: &[u8]| names(bytes).expect("names");
        assert_eq!(list(b"a b.pdn\r\n\nc\n"), [Path::new("a b.pdn"), Path::new("c")]);
        assert_eq!(list(b"a\nb\0c\r\0"), [Path::new("a\nb"), Path::new("c\r")]);
        assert_eq!(list(b"\xef\xbb\xbfa"), [Path::new("a")]);
        assert!(list(b"\n").is_empty());
    }
}
