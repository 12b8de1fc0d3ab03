//! `pdn egdb`: endgame databases.

mod build;
mod probe;
mod stats;
mod verify;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::context::{Context, Status};
use super::folders::data_folder;
use super::options::{Format, PLAIN_OR_JSON, formats};
use crate::egdb::{Databases, EndgameTables};
use crate::error::{Error, Result};

/// Build and query endgame databases
///
/// A database holds the value of every position with a few pieces: win, draw or loss with perfect play and, on request, the
/// number of plies to the end. Tables of some variants are built in; others are built into a folder.
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

pub(super) fn run(options: &Options, context: &mut Context) -> Result<Status> {
    match &options.what {
        What::Build(options) => build::run(options, context).map(Into::into),
        What::Verify(options) => verify::run(options, context),
        What::Stats(options) => stats::run(options, context).map(Into::into),
        What::Probe(options) => probe::run(options, context),
    }
}

fn report_problems(tables: &EndgameTables, context: &mut Context) {
    for problem in tables.problems() {
        context.report(&Error::unavailable(problem.to_string()));
    }
}

/// The databases in question and the format of the answer.
#[derive(Debug, Args)]
pub(super) struct Request {
    /// Folder of the databases, with one subfolder per variant [default: pdn/egdb in the user's data folder]
    #[arg(long, value_name = "DIR")]
    egdb: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "plain", value_parser = formats(PLAIN_OR_JSON))]
    pub(super) format: Format,
}

impl Request {
    /// Returns the path of the folder.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        let default = || data_folder().map(|folder| folder.join("pdn").join("egdb"));
        let missing = || Error::unavailable("the data folder is unknown; name a folder with --egdb");
        self.egdb.clone().or_else(default).ok_or_else(missing)
    }

    /// Opens the tables of the variant; unusable ones are reported. Only the default folder may be missing.
    pub(super) fn open(&self, context: &mut Context) -> Result<EndgameTables> {
        self.egdb.as_deref().map(Databases::in_folder).transpose()?;
        let tables = EndgameTables::open(context.rules(), &self.folder()?);
        report_problems(&tables, context);
        Ok(tables)
    }
}
