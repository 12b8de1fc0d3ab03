//! Says whether the application for browsers was built, so that the program has it in itself.

use std::path::Path;

/// The application as one page, which `.ci/web app` writes.
const PAGE: &str = "web/dist/pdn.html.gz";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_app)");
    println!("cargo::rerun-if-changed=build.rs");
    // A path that is missing would run this, and compile the crate, each time: the folder is always in the repository.
    if Path::new("web/dist").exists() {
        println!("cargo::rerun-if-changed=web/dist");
    }
    if Path::new(PAGE).exists() {
        println!("cargo::rustc-cfg=has_app");
    }
}
