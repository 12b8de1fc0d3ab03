//! The npm package in `web/wasm`, with the modules that `.ci/web build` made.
//!
//! Modules are not built here: that takes minutes. `.ci/web` builds them, runs these tests and compares the answers with those
//! of the command line.

use std::fs;
use std::process::Command;

use crate::support::corpus::skip;
use crate::support::sources::{root, sources};

/// Returns true if both modules are there and were built after the last change of the sources.
fn modules_are_current() -> bool {
    let modified = |path: &str| fs::metadata(root().join(path)).and_then(|found| found.modified()).ok();
    let folders = ["src", "web/wasm/src"];
    let of_folder = |folder: &str| {
        sources(folder).iter().filter_map(|source| modified(&format!("{folder}/{}", source.path()))).max()
    };
    let newest = folders.iter().filter_map(|folder| of_folder(folder)).max();
    ["pdn-core.wasm", "pdn-engine.wasm"].iter().all(|name| modified(&format!("web/wasm/{name}")) > newest)
}

#[test]
fn the_package_passes_its_tests_in_node() {
    let has_node = Command::new("node").arg("--version").output().is_ok_and(|found| found.status.success());
    if !has_node || !modules_are_current() {
        skip("no wasm target (`.ci/web` builds the modules and runs their tests in Node)");
        return;
    }
    let tests = ["module", "calls", "docs"].map(|name| format!("web/wasm/test/{name}.test.mjs"));
    let run = Command::new("node").current_dir(root()).arg("--test").args(tests).output().expect("node starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}
