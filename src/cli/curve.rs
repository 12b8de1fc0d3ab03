//! `pdn train curve`: the curve from evaluations to expected results.

use std::path::PathBuf;

use clap::Args;

use super::context::Context;
use super::words::count;
use crate::arena::self_play_evaluations;
use crate::error::Result;
use crate::records::{CurveFit, ExpectationCurve, Phase};

/// Fit the curve from evaluations to expected results
///
/// For each phase of the game, prints the scale `s` for which `1/2 + 1/2 * x / sqrt(x^2 + s^2)` is closest to the
/// results of the games, where `x` is the evaluation in centi-men; the loss, which is the mean squared difference between
/// expectation and result; and the scale used for judgements, with its loss.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn train curve games.jsonl
  pdn train curve annotated.pdn --variant italian")]
pub(super) struct Options {
    /// Files of games from `train selfplay` (`.jsonl`), and records with evaluations from `annotate`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<()> {
    let variant = context.rules();
    let (mut fit, mut games) = (CurveFit::default(), 0);
    for file in &options.files {
        games += match file.extension() {
            Some(extension) if extension == "jsonl" => {
                self_play_evaluations(file, variant, |position, evaluation, points| {
                    fit.add(position, evaluation, points);
                })?
            }
            _ => fit.add_records(file, variant)?,
        };
    }
    context.inform(&format!("{}, {variant}", count(games, "game")));
    let used = ExpectationCurve::of(variant);
    Phase::ALL.into_iter().try_for_each(|phase| context.out.text(&line(&fit, phase, used)))
}

/// Returns the line of a phase.
fn line(fit: &CurveFit, phase: Phase, used: ExpectationCurve) -> String {
    let (name, positions) = (phase.name(), count(fit.positions(phase), "position"));
    let Some(scale) = fit.scale(phase) else { return format!("{name:<10}  no positions\n") };
    let [loss, loss_used] = [ExpectationCurve::with_scale(scale), used].map(|curve| fit.loss(phase, curve));
    let used = used.scale(phase);
    format!("{name:<10}  scale {scale:>4}, loss {loss:.5}; in use {used:>4}, loss {loss_used:.5}; {positions}\n")
}
