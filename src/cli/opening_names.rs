//! The names of openings that commands show.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::context::Context;
use crate::error::{Error, Result};
use crate::query::OpeningNames;
use crate::rules::Variant;

/// The option that names a file of names.
#[derive(Debug, Args)]
pub(super) struct Names {
    /// Names of openings, which replace those of the program for the same positions
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
}

impl Names {
    /// Returns true if there is a file.
    pub(super) const fn is_given(&self) -> bool {
        self.names.is_some()
    }

    /// Returns the names of the program and those of the file. Its rows without meaning are reported and skipped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(super) fn read(&self, context: &mut Context) -> Result<Arc<OpeningNames>> {
        let mut names = OpeningNames::built_in();
        let Some(path) = &self.names else { return Ok(Arc::new(names)) };
        let text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
        for problem in names.add(&text, context.variant.unwrap_or(Variant::INTERNATIONAL)) {
            let line = problem.line();
            context.report(&Error::usage(format!("{}:{line}: {problem}", path.display())));
        }
        Ok(Arc::new(names))
    }
}
