//! The folder of the user's databases.

use std::env;
use std::path::PathBuf;

use clap::Args;

use crate::error::{Error, Result};

/// The folder of databases.
#[derive(Debug, Args)]
pub(super) struct Folder {
    /// Folder of the databases, with a folder for each variant [default: pdn/egdb in the user's data folder]
    #[arg(long, value_name = "DIR")]
    egdb: Option<PathBuf>,
}

impl Folder {
    /// Returns the path of the folder.
    ///
    /// # Errors
    ///
    /// If none is given and the user has no data folder.
    pub(super) fn path(&self) -> Result<PathBuf> {
        let default = || data_folder().map(|folder| folder.join("pdn").join("egdb"));
        let missing = || Error::unavailable("no data folder is known; name a folder with --egdb");
        self.egdb.clone().or_else(default).ok_or_else(missing)
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Returns the folder where programs keep the data of a user.
fn data_folder() -> Option<PathBuf> {
    if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library").join("Application Support"))
    } else {
        variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local").join("share")))
    }
}
