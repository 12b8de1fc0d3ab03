//! `pdn verify`: the soundness of problems.

use clap::Args;
use serde::Serialize;

use super::context::{Context, Status};
use super::options::{Endgames, Files, Format, PLAIN_OR_JSON, formats};
use crate::annotate::{ProblemVerifier, Verdict, VerifiedRecord};
use crate::error::{Error, Result};
use crate::export::LastLine;

/// Check that problems have exactly one solution
///
/// A problem is a game that starts from a FEN tag; its main line is the solution. The tag Goal gives the goal of the side to
/// move: `win`, `draw`, or `material` for a shot that wins men or a king. Without this tag it must win, or draw if the result is a
/// draw. For each move of the solver and each alternative, a search of all defences, to the end of the game or to the endgame
/// tables, proves whether the move reaches the goal; for material, a search of all forced sequences of captures.
///
/// The verdict is `sound` if each move of the solver is proven to reach the goal, and each alternative is proven not to. Otherwise
/// it is `refuted` if the solution does not reach the goal or has an illegal or null move, `cook` if another first move also does,
/// `dual` if another later move also does, or `unsolved` if something is not proven within the limit. A record without moves is sound if
/// exactly one first move reaches the goal. The exit status is 1 if a problem is not sound, or if a position cannot be used;
/// standard error says why.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn verify problems.pdn
  pdn verify --nodes 1000000 --format json problems.pdn")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) files: Files,
    #[command(flatten)]
    pub(super) endgames: Endgames,
    /// Maximum number of positions in the proof of one move
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    nodes: u32,
    /// Output format: plain, or one JSON object per problem
    #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
    format: Format,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    let verifying = ProblemVerifier::new(context.databases(context.variant), options.nodes as usize);
    let (mut summary, mut all_usable) = (Summary::default(), true);
    context.each(&options.files, verifying, |context, records| {
        for record in records {
            match record {
                VerifiedRecord::Problem(problem) => {
                    if let Some(warning) = problem.goal_warning() {
                        context.inform(&warning);
                    }
                    summary.add(problem.verdict());
                    context.answer(options.format, &problem.row(), || format!("{problem}\n"))?;
                }
                VerifiedRecord::Unusable(reason) => {
                    all_usable = false;
                    context.print(&Error::usage(reason));
                }
            }
        }
        Ok(())
    })?;
    context.answer(options.format, &LastLine { summary: &summary }, || summary.text())?;
    Ok(Status::with_errors(summary.problems > summary.sound || !all_usable))
}

#[derive(Clone, Copy, Default, Serialize)]
struct Summary {
    problems: u32,
    sound: u32,
    cook: u32,
    dual: u32,
    refuted: u32,
    unsolved: u32,
}

impl Summary {
    fn add(&mut self, verdict: Verdict) {
        self.problems += 1;
        *match verdict {
            Verdict::Sound => &mut self.sound,
            Verdict::Cook => &mut self.cook,
            Verdict::Dual => &mut self.dual,
            Verdict::Refuted => &mut self.refuted,
            Verdict::Unsolved => &mut self.unsolved,
        } += 1;
    }

    fn text(self) -> String {
        let Self { problems, sound, cook, dual, refuted, unsolved } = self;
        format!(
            "{}: {sound} sound, {cook} cooked, {dual} with duals, {refuted} refuted, {unsolved} unsolved\n",
            super::words::count(problems.into(), "problem")
        )
    }
}
