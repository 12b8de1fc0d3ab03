//! The built-in engine as a player: what `play` and `dxp` have in common.

use std::time::Duration;

use clap::Args;

use super::context::Context;
use super::options::{Endgames, Evaluation, parse_seconds};
use crate::engine::{EngineOptions, Limit};
use crate::error::Error;
use crate::rules::{Position, Variant};

/// The built-in engine and its limits.
#[derive(Debug, Args)]
pub(super) struct Player {
    /// Seconds for each move of the engine
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Nodes for each move of the engine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of the search for each move of the engine, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Number of search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    evaluation: Evaluation,
    #[command(flatten)]
    endgames: Endgames,
}

impl Player {
    /// Returns the options of the engine for a variant.
    pub(super) fn engine_options(&self, variant: Variant, context: &mut Context) -> EngineOptions {
        let options = EngineOptions::default().with_hash_mb(self.hash as usize).with_threads(self.threads.into());
        options.with_knowledge(self.evaluation.knowledge()).with_databases(context.databases(variant))
    }

    /// Returns the limit of each move; none if no option sets one.
    pub(super) fn limit(&self) -> Limit {
        let mut limit = Limit::none();
        (limit.depth, limit.nodes, limit.time) = (self.depth, self.nodes, self.time);
        limit
    }

    /// Returns the option for the endgame databases.
    pub(super) const fn endgames(&self) -> &Endgames {
        &self.endgames
    }
}

/// Returns the position of a FEN, or the start position of the variant.
///
/// # Errors
///
/// If the FEN is invalid.
pub(super) fn start(fen: Option<&str>, variant: Variant) -> Result<Position, Error> {
    let Some(fen) = fen else { return Ok(Position::start(variant)) };
    Position::from_fen(variant, fen).map_err(|error| Error::usage(format!("invalid FEN: {error}")))
}
