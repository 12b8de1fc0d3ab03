//! `pdn bench problems`: the problems that the engine solves.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::arena::ProblemSolver;
use crate::cli::context::{Context, Status};
use crate::cli::options::{ADVANCED, Endgames, Files, Format, JobEngine, PLAIN_OR_JSON, formats, parse_seconds};
use crate::engine::Limit;
use crate::error::{Error, Result};
use crate::export::LastLine;
use crate::link::{EngineSpec, Timeouts};

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
    /// Engine that solves them instead of the built-in one, as a player of `pdn match`, such as 'hub:scan hub{threads=1}'; programs that
    /// speak DXP only play games and cannot be used
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["hash", "weights"])]
    pub(super) engine: Option<EngineSpec>,
    /// Seconds the engine may take to start, and to answer beyond its time limit
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds, requires = "engine", help_heading = ADVANCED)]
    engine_timeout: Duration,
    #[command(flatten)]
    job: JobEngine,
    #[command(flatten)]
    pub(super) endgames: Endgames,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Summary {
    problems: u32,
    solved: u32,
    /// Number of games with a FEN tag whose position or first move cannot be used.
    skipped: u32,
}

impl Summary {
    fn text(self) -> String {
        // Without problems, the share is 0 %, not NaN.
        let share = 100.0 * f64::from(self.solved) / f64::from(self.problems.max(1));
        let skipped = if self.skipped > 0 { format!(", {} skipped", self.skipped) } else { String::new() };
        format!("{} of {} problems solved, {share:.1} %{skipped}\n", self.solved, self.problems)
    }
}

/// Lets the engine solve every game that starts from a FEN tag. Problems that are not solved or cannot be used set the exit status.
pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let mut limit = Limit::none();
    limit.nodes = options.nodes.or(options.time.is_none().then_some(DEFAULT_NODES));
    limit.time = options.time;
    let engine = match &options.engine {
        Some(engine) => engine.clone(),
        None => EngineSpec::built_in("builtin", options.job.options()?),
    };
    let engine = engine.with_databases(context.databases(context.variant));
    let timeouts = Timeouts::new(options.engine_timeout, options.engine_timeout);
    let (mut summary, mut has_failed) = (Summary::default(), false);
    context.each(&options.files, ProblemSolver::new(engine.clone(), limit, timeouts), |context, problems| {
        for problem in problems {
            let problem = match problem {
                Ok(problem) => problem,
                Err(reason) => {
                    context.print(&Error::usage(reason));
                    summary.skipped += 1;
                    continue;
                }
            };
            // One reason is enough: an engine that cannot be started fails at each problem.
            if let Some(failure) = problem.failure.as_ref().filter(|_| !std::mem::replace(&mut has_failed, true)) {
                context.report(&Error::unavailable(format!("{engine}: {failure}")));
            }
            summary.problems += 1;
            summary.solved += u32::from(problem.is_solved());
            context.answer(options.format, &problem.row(), || format!("{problem}\n"))?;
        }
        Ok(())
    })?;
    context.answer(options.format, &LastLine { summary: &summary }, || summary.text())?;
    Ok(Status::with_errors(summary.solved < summary.problems || summary.skipped > 0))
}
