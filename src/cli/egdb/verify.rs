//! `pdn egdb verify`.

use clap::Args;
use serde::Serialize;

use super::folder::Folder;
use super::variant;
use crate::cli::context::{Context, Status};
use crate::cli::options::Format;
use crate::egdb::verify;
use crate::error::{Error, Result};

/// Recompute every position of the tables in a folder
///
/// Each value, and each distance where there are any, is compared with those that the moves of the position lead to, and the
/// counts are taken again.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pdn egdb verify --variant italian

Exit status: 1 if a table is wrong or damaged, 2 if there are no tables.")]
pub(super) struct Options {
    #[command(flatten)]
    folder: Folder,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: Format,
}

impl Options {
    pub(super) fn wants_json(&self) -> bool {
        self.format == Format::Json
    }
}

#[derive(Default, Serialize)]
struct Answer<'a> {
    variant: &'a str,
    classes: usize,
    positions: u64,
    classes_with_distances: usize,
    problems: Vec<String>,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let (variant, folder) = (variant(context), options.folder.path()?);
    let [values, distances] = context.pool()?.install(|| [false, true].map(|kind| verify(variant, &folder, kind)));
    let problems: Vec<_> = values.problems().iter().chain(distances.problems()).map(ToString::to_string).collect();
    if values.classes() + distances.classes() == 0 && problems.is_empty() {
        return Err(Error::unavailable(format!("no tables of {variant} in {}", folder.display())));
    }
    let status = if problems.is_empty() { Status::Clean } else { Status::Errors };
    let answer = Answer {
        variant: variant.name(),
        classes: values.classes(),
        positions: values.positions(),
        classes_with_distances: distances.classes(),
        problems,
    };
    match options.format {
        Format::Json => context.json(&answer)?,
        Format::Plain => context.out.text(&plain(&answer))?,
    }
    Ok(status)
}

fn plain(answer: &Answer<'_>) -> String {
    let Answer { variant, classes, positions, classes_with_distances, problems } = answer;
    let problems: Vec<_> = problems.iter().map(|problem| format!("error: {problem}\n")).collect();
    let problems = problems.concat();
    format!(
        "{problems}{variant}: {classes} classes, {positions} positions recomputed; distances of \
         {classes_with_distances} classes recomputed\n"
    )
}
