//! The files of the repository, for tests that read them.

use std::fs;
use std::path::{Path, PathBuf};

/// A text file of the repository.
pub(crate) struct Source {
    path: String,
    text: String,
}

impl Source {
    /// Returns a file with a path relative to the folder that was searched.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Returns the path relative to the folder that was searched, with `/` between its parts.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if the file is Rust code.
    pub(crate) fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|end| end == "rs")
    }

    /// Returns the first part of the path, without an extension.
    pub(crate) fn room(&self) -> &str {
        self.path.split('/').next().unwrap_or_default().trim_end_matches(".rs")
    }
}

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Returns the Rust sources below a folder of the repository, sorted by path.
pub(crate) fn sources(folder: &str) -> Vec<Source> {
    let root = root().join(folder);
    let (mut pending, mut found) = (vec![root.clone()], Vec::new());
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).expect("UTF-8");
                let path = path.strip_prefix(&root).expect("below the folder").to_string_lossy().replace('\\', "/");
                found.push(Source { path, text });
            }
        }
    }
    assert!(!found.is_empty(), "no sources in {folder}");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}
