//! Collections of real records that are not part of the repository.

use std::env;
use std::fs;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::thread;

use pdn::source::expand;

/// Names the folder of the collections.
const FOLDER: &str = "PDN_CORPUS";
/// Turns skipped tests into failures if it is 1.
const REQUIRED: &str = "PDN_REQUIRE_CORPUS";

/// Runs the long tests if it is 1.
const LONG: &str = "PDN_LONG_TESTS";

/// A file of a collection, decompressed.
pub(crate) struct Record {
    /// The path below the collections, with `/` between its parts.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Returns the folder of the collections: `PDN_CORPUS`, or else `shared/corpus` in the nearest folder above the
/// repository that has one.
pub(crate) fn find() -> Option<PathBuf> {
    let named = env::var_os(FOLDER).filter(|path| !path.is_empty()).map(PathBuf::from);
    named.or_else(|| above_repository("corpus")).filter(|folder| folder.is_dir())
}

/// Returns `shared/NAME` in the nearest folder above the repository that has it.
fn above_repository(name: &str) -> Option<PathBuf> {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1);
    folders.map(|folder| folder.join("shared").join(name)).find(|path| path.exists())
}

/// Returns the folder of the collections. Without one it reports that the calling test is skipped.
///
/// # Panics
///
/// Panics if there is none and `PDN_REQUIRE_CORPUS` is 1.
pub(crate) fn corpus() -> Option<PathBuf> {
    found_or_skipped(find(), "no corpus")
}

/// Returns the analysis of positions by a stronger engine: `shared/engine/reference-analysis.jsonl` above the repository.
/// Without it the calling test is skipped like one without a corpus.
pub(crate) fn reference_analysis() -> Option<PathBuf> {
    found_or_skipped(above_repository("engine/reference-analysis.jsonl"), "no reference analysis")
}

fn found_or_skipped(found: Option<PathBuf>, reason: &str) -> Option<PathBuf> {
    if found.is_none() {
        assert!(env::var_os(REQUIRED).is_none_or(|value| value != "1"), "{reason}, but {REQUIRED} is 1");
        skip(reason);
    }
    found
}

/// Returns true if the long tests are requested with `PDN_LONG_TESTS=1`. Otherwise it reports that the calling test is
/// skipped.
pub(crate) fn long_tests() -> bool {
    let wanted = env::var_os(LONG).is_some_and(|value| value == "1");
    if !wanted {
        skip("a long test; PDN_LONG_TESTS=1 runs it");
    }
    wanted
}

/// Reports that the calling test is skipped. The test harness does not capture what is written to standard error
/// directly.
pub(crate) fn skip(reason: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    writeln!(std::io::stderr(), "{test}: skipped: {reason}").expect("standard error is open");
}

/// Returns all files below a folder whose extension is one of those given, sorted.
///
/// # Panics
///
/// Panics if there are none: a test of no files would always pass.
pub(crate) fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = files_below(folder);
    found.retain(|path| path.extension().is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted)));
    assert!(!found.is_empty(), "no files in {}", folder.display());
    found.sort();
    found
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let (folders, mut files): (Vec<_>, Vec<_>) =
        entries.map(|entry| entry.expect("a readable entry").path()).partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| files_below(folder)));
    files
}

/// Returns all records below a folder as the program finds them, read when they are asked for.
///
/// # Panics
///
/// Panics if there are none or one cannot be read.
pub(crate) fn records(folder: &Path) -> impl Iterator<Item = Record> {
    let folder = folder.to_owned();
    let inputs: Vec<_> = expand([&folder]).into_iter().map(|input| input.expect("a record")).collect();
    assert!(!inputs.is_empty(), "no records in {}", folder.display());
    inputs.into_iter().map(move |input| {
        let mut bytes = Vec::new();
        let reader = input.open().map(|mut reader| reader.read_to_end(&mut bytes));
        reader.expect("a record that opens").expect("a record that can be read");
        let path = Path::new(input.label()).strip_prefix(&folder).expect("a path below the folder");
        Record { name: path.to_string_lossy().replace('\\', "/"), bytes }
    })
}
