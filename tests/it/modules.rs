//! Every file of the tests is compiled: a file that no `mod` declares would silently not be tested.

use std::fs;
use std::path::{Path, PathBuf};

/// The test binaries, by their folders in `tests`.
const BINARIES: [&str; 2] = ["full", "it"];

/// Returns all Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("a readable entry").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    folders.iter().flat_map(|folder| rust_files(folder)).chain(files.into_iter().filter(rust)).collect()
}

/// Returns the file that declares a module, and the module's name.
fn declaration(file: &Path) -> (PathBuf, String) {
    let module = if file.ends_with("mod.rs") { file.parent().expect("a folder") } else { file };
    let folder = module.parent().expect("a folder");
    let parent = ["mod.rs", "main.rs"].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
    let name = module.file_stem().expect("a name").to_string_lossy().into_owned();
    (parent.expect("a mod.rs beside each file"), name)
}

#[test]
fn every_file_is_a_module() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files: Vec<_> = BINARIES.iter().flat_map(|name| rust_files(&tests.join(name))).collect();
    assert!(files.len() > 40, "{files:?}");
    for file in files.iter().filter(|file| !file.ends_with("main.rs")) {
        let (parent, name) = declaration(file);
        let text = fs::read_to_string(&parent).expect("UTF-8");
        let declared = text.lines().any(|line| {
            let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
            line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) == Some(&name)
        });
        assert!(declared, "{} does not declare `mod {name};`", parent.display());
    }
}

#[test]
fn no_other_file_is_a_test_binary() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let is_known = |file: &PathBuf| BINARIES.iter().any(|name| file.starts_with(tests.join(name)));
    let strays: Vec<_> = rust_files(&tests).into_iter().filter(|file| !is_known(file)).collect();
    assert!(strays.is_empty(), "{strays:?} belong into tests/it");
}
