//! `pdn egdb`: endgame databases.

mod build;
mod meter;
mod probe;
mod request;
mod stats;
mod verify;

use clap::{Args, Subcommand};

use super::context::{Context, Status};
use crate::egdb::EndgameTables;
use crate::error::{Error, Result};
use crate::rules::Variant;
use request::Request;

/// Build and query endgame databases
///
/// A database has the value of every position of a few pieces: win, draw or loss with perfect play, and on request the
/// number of plies to the end. The program contains the tables of some variants; others are built into a folder.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  pdn egdb build --variant brazilian --pieces 4
  pdn egdb probe --variant brazilian --fen W:WKa1,Kc1:BKh8"
)]
pub(super) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Build(build::Options),
    Verify(verify::Options),
    Stats(stats::Options),
    Probe(probe::Options),
}

impl Options {
    pub(super) fn wants_json(&self) -> bool {
        self.request().wants_json()
    }

    const fn request(&self) -> &Request {
        match &self.what {
            What::Build(options) => &options.request,
            What::Verify(options) => &options.request,
            What::Stats(options) => &options.request,
            What::Probe(options) => &options.request,
        }
    }
}

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    match &options.what {
        What::Build(options) => build::run(options, context),
        What::Verify(options) => verify::run(options, context),
        What::Stats(options) => stats::run(options, context),
        What::Probe(options) => probe::run(options, context),
    }
}

fn variant(context: &Context) -> Variant {
    context.variant.unwrap_or(Variant::INTERNATIONAL)
}

fn report_problems(tables: &EndgameTables, context: &mut Context) {
    for problem in tables.problems() {
        context.report(&Error::unavailable(problem.to_string()));
    }
}
