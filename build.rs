//! Says whether the application and the viewer for browsers were built, so that the program has them in itself.

use std::path::Path;

/// What `.ci/web app` writes: the application as one page, and the viewer as one script.
const BUILT: [(&str, &str); 2] = [("has_app", "web/dist/pdn.html.gz"), ("has_viewer", "web/dist/pdn-viewer.js.gz")];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A path that is missing would run this, and compile the crate, each time: the folder is always in the repository.
    if Path::new("web/dist").exists() {
        println!("cargo::rerun-if-changed=web/dist");
    }
    for (name, path) in BUILT {
        println!("cargo::rustc-check-cfg=cfg({name})");
        if Path::new(path).exists() {
            println!("cargo::rustc-cfg={name}");
        }
    }
}
