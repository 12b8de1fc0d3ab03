//! `pdn train`: learning an evaluation.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::context::{Context, Status};
use super::curve;
use super::interrupt;
use super::matches::parse_sprt;
use super::options::{ADVANCED, Evaluation};
use super::words::count;
use crate::arena::{
    Fit, FitOptions, Match, MatchOptions, MatchScore, SelfPlay, SelfPlayFile, SelfPlayOptions, Sprt, SprtDecision,
    random_openings,
};
use crate::engine::{EngineOptions, Knowledge};
use crate::error::{Error, Result};
use crate::link::EngineSpec;

/// Learn an evaluation: play games, fit weights, test them
///
/// `docs/training.md` describes how a variant is trained.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn train selfplay games.jsonl --games 20000
  pdn train fit games.jsonl -o international.pdnw
  pdn train selfplay more.jsonl --games 20000 --weights international.pdnw --seed 2")]
pub(super) struct Options {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    Selfplay(SelfPlayArguments),
    Fit(FitArguments),
    Gate(GateOptions),
    Curve(curve::Options),
}

/// Play games of the engine against itself
///
/// Games are added to FILE as they end; an interrupted run continues where it stopped.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn train selfplay games.jsonl --games 20000
  pdn train selfplay brazilian.jsonl --variant brazilian --weights hand-made")]
struct SelfPlayArguments {
    /// The file of games
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    games: SelfPlayOptions,
    #[command(flatten)]
    evaluation: Evaluation,
}

/// Fit weights to games
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn train fit games.jsonl -o international.pdnw
  pdn train fit first.jsonl second.jsonl --variant brazilian -o brazilian.pdnw")]
struct FitArguments {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    fit: FitOptions,
}

/// Test weights in a match against other weights
///
/// The match ends when a sequential test has decided between two Elo differences. The exit status is 0 if the higher one
/// was accepted, otherwise 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdn train gate new.pdnw
  pdn train gate new.pdnw hand-made --variant brazilian")]
struct GateOptions {
    /// The new weights
    #[arg(value_name = "NEW")]
    new: Knowledge,
    /// The weights to beat: a file, or `hand-made` [default: the built-in weights]
    #[arg(value_name = "OLD")]
    old: Option<Knowledge>,
    /// Maximum number of games
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The two Elo differences of the test
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,20", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Sprt,
    /// Seed for the openings, which have six random plies
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = ADVANCED)]
    seed: u64,
}

/// Random plies of the openings of a test.
const GATE_PLIES: usize = 6;

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    match &options.step {
        Step::Selfplay(options) => self_play(options, context).map(Into::into),
        Step::Fit(options) => fit(options, context).map(Into::into),
        Step::Gate(options) => gate(options, context),
        Step::Curve(options) => curve::run(options, context).map(Into::into),
    }
}

fn gate(options: &GateOptions, context: &mut Context) -> Result<Status> {
    let variant = context.rules();
    let old = options.old.clone().unwrap_or_default();
    let player = |name, knowledge: &Knowledge| {
        EngineSpec::built_in(name, EngineOptions::default().with_hash_mb(4).with_knowledge(knowledge.clone()))
    };
    // Each opening is played twice, with sides exchanged.
    let openings = random_openings(variant, GATE_PLIES, options.seed, options.games.div_ceil(2) as usize);
    let how = MatchOptions { nodes: Some(options.nodes), ..MatchOptions::default() };
    let matchup = Match::new([player("new", &options.new), player("old", &old)], openings, how);
    let matchup = matchup.map_err(|error| Error::usage(error.to_string()))?;
    let mut score = MatchScore::default();
    matchup.play(0, context.jobs, |game| {
        score.add(&game);
        let is_decided = score.is_paired() && options.sprt.decision(&score) != SprtDecision::Open;
        Ok(if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    let (wins, draws, losses) = (score.wins(), score.draws(), score.losses());
    let decision = options.sprt.decision(&score);
    let accepted = match decision {
        SprtDecision::Elo1 => "better",
        SprtDecision::Elo0 => "not better",
        SprtDecision::Open => "undecided",
    };
    context.out.text(&format!("{accepted}: +{wins} ={draws} -{losses}, Elo {}\n", score.elo()))?;
    Ok(Status::with_errors(decision != SprtDecision::Elo1))
}

fn self_play(options: &SelfPlayArguments, context: &mut Context) -> Result<()> {
    let settings = SelfPlay::new(context.rules(), options.games.clone());
    let settings = settings.with_knowledge(options.evaluation.knowledge_for(context.rules())?);
    let mut file = SelfPlayFile::open(&options.file, &settings)?;
    if file.games > 0 {
        context.inform(&format!("{} in the file", count(file.games, "game")));
    }
    let first = file.games;
    settings.play(first..options.games.games.max(first), context.jobs, |game| {
        interrupt::while_running(|| file.add(&game))?;
        // A game with few nodes takes milliseconds; a line for each would flood the terminal.
        if file.games.is_multiple_of(1000) {
            context.inform(&count(file.games, "game"));
        }
        Ok(ControlFlow::Continue(()))
    })
}

fn fit(options: &FitArguments, context: &mut Context) -> Result<()> {
    let fit = Fit::of(&options.files, context.rules(), &options.fit, context.jobs, |epoch, loss| {
        context.inform(&format!("epoch {epoch}: loss {loss}"));
    })?;
    let (games, positions) = (count(fit.games, "game"), count(fit.positions, "position"));
    context.inform(&format!("{games}, {positions}, {} held out", fit.held_out));
    context.out.bytes(&fit.weights.to_bytes())
}
