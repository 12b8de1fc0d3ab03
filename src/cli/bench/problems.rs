//! `pdn bench problems`: the problems that the engine solves.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::arena::ProblemSolver;
use crate::cli::context::{Context, Status};
use crate::cli::options::{Endgames, Files, Format, JobEngine, PLAIN_OR_JSON, formats, parse_seconds};
use crate::engine::Limit;
use crate::error::Result;

/// Nodes for each problem if no limit is given.
const DEFAULT_NODES: u64 = 1_000_000;

#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    /// Nodes for each problem [default: 1000000 unless a time is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds for each problem
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Output format: plain, or one JSON object per problem
    #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
    format: Format,
    #[command(flatten)]
    job: JobEngine,
    #[command(flatten)]
    pub(super) endgames: Endgames,
}

/// The last line of the JSON output.
#[derive(Serialize)]
struct LastLine {
    summary: Summary,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Summary {
    problems: u32,
    solved: u32,
}

impl Summary {
    fn text(self) -> String {
        let share = 100.0 * f64::from(self.solved) / f64::from(self.problems.max(1));
        format!("{} of {} problems solved, {share:.1} %\n", self.solved, self.problems)
    }
}

/// Lets the engine solve every game that starts from a FEN tag. Unsolved problems set the exit status.
pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let mut limit = Limit::none();
    limit.nodes = options.nodes.or(options.time.is_none().then_some(DEFAULT_NODES));
    limit.time = options.time;
    let engine = options.job.options()?.with_databases(context.databases(context.variant));
    let mut summary = Summary::default();
    context.each(&options.files, ProblemSolver::new(engine, limit), |context, problems| {
        for problem in problems {
            summary.problems += 1;
            summary.solved += u32::from(problem.is_solved());
            context.answer(options.format, &problem.row(), || format!("{problem}\n"))?;
        }
        Ok(())
    })?;
    context.answer(options.format, &LastLine { summary }, || summary.text())?;
    Ok(if summary.solved == summary.problems { Status::Clean } else { Status::Errors })
}
