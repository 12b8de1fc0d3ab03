//! `pdn egdb verify`.

use clap::Args;
use serde::Serialize;

use super::Request;
use crate::cli::context::{Context, Status};
use crate::cli::progress::Meter;
use crate::egdb::{VerifyOptions, verify};
use crate::error::{Error, Result};

/// Recompute every position of the tables in a folder
///
/// Each value, and each stored distance, is compared with those after the legal moves. The counts are recomputed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn egdb verify --variant italian
  pdn egdb verify --variant italian --sample 100

Exit status: 1 if a table is wrong or damaged, 2 if there are no tables.")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) request: Request,
    /// Recompute only N random positions in each block of a table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
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
    let (variant, folder) = (context.rules(), options.request.folder()?);
    let meter = Meter::new(context.quiet);
    let verify = |distances| verify(variant, &folder, VerifyOptions { distances, sample: options.sample }, &meter);
    let [values, distances] = context.pool()?.install(|| [false, true].map(verify));
    // Clears its line before the answer.
    drop(meter);
    let problems: Vec<_> = values.problems.iter().chain(&distances.problems).map(ToString::to_string).collect();
    if values.classes + distances.classes == 0 && problems.is_empty() {
        return Err(Error::unavailable(format!("no tables of {variant} in {}", folder.display())));
    }
    let status = Status::with_errors(!problems.is_empty());
    let answer = Answer {
        variant: variant.name(),
        classes: values.classes,
        positions: values.positions,
        classes_with_distances: distances.classes,
        problems,
    };
    context.answer(options.request.format, &answer, || plain(&answer))?;
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
