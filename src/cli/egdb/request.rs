//! What all commands about databases have in common: the folder of the databases and the format of the answer.

use std::env;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::{report_problems, variant};
use crate::cli::context::Context;
use crate::cli::options::Format;
use crate::egdb::EndgameTables;
use crate::error::{Error, Result};

/// The databases in question and the format of the answer.
#[derive(Debug, Args)]
pub(super) struct Request {
    /// Folder of the databases, with a folder for each variant [default: pdn/egdb in the user's data folder]
    #[arg(long, value_name = "DIR")]
    egdb: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: Format,
}

impl Request {
    /// Returns the path of the folder.
    ///
    /// # Errors
    ///
    /// If none is given and the user has no data folder.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        let default = || data_folder().map(|folder| folder.join("pdn").join("egdb"));
        let missing = || Error::unavailable("no data folder is known; name a folder with --egdb");
        self.egdb.clone().or_else(default).ok_or_else(missing)
    }

    /// Opens the tables of the variant; those that cannot be used are reported.
    ///
    /// # Errors
    ///
    /// If no folder is given and the user has no data folder.
    pub(super) fn open(&self, context: &mut Context) -> Result<EndgameTables> {
        let tables = EndgameTables::open(variant(context), &self.folder()?);
        report_problems(&tables, context);
        Ok(tables)
    }

    /// Returns true if the answer is JSON.
    pub(super) fn wants_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Writes an answer.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn answer<T: Serialize>(&self, answer: &T, text: fn(&T) -> String, context: &mut Context) -> Result<()> {
        match self.format {
            Format::Json => context.json(answer),
            Format::Plain => context.out.text(&text(answer)),
        }
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
