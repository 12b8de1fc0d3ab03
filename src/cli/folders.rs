//! The folders of a user.

use std::env;
use std::path::PathBuf;

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Returns the folder where programs keep the data of a user.
pub(super) fn data_folder() -> Option<PathBuf> {
    if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library").join("Application Support"))
    } else {
        variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local").join("share")))
    }
}

/// Returns the folder where programs keep what they can make again.
pub(super) fn cache_folder() -> Option<PathBuf> {
    if cfg!(windows) {
        variable("LOCALAPPDATA").map(|data| data.join("cache"))
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library").join("Caches"))
    } else {
        variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")))
    }
}
