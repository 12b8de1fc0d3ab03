//! Problems from games.

use crate::annotate::{DistinctPuzzles, FindingOptions, FoundPuzzles, GamePuzzle, PuzzleOrder, PuzzleSearch};
use crate::egdb::Databases;
use crate::engine::{Asker, EngineOptions};
use crate::error::{Error, Result};
use crate::export::write_json_line;
use crate::shots::Definition;
use serde::Deserialize;
use serde_json::json;

use super::host::Host;
use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Gathered, Session, Walk};

/// What is written for each puzzle.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub(crate) enum PuzzlesFormat {
    /// A record for each puzzle, with its solution
    #[default]
    Pdn,
    /// One JSON object per puzzle
    Jsonl,
}

impl PuzzlesFormat {
    /// Returns a puzzle as it is written.
    pub(crate) fn bytes(self, puzzle: &GamePuzzle) -> Vec<u8> {
        match self {
            Self::Pdn => puzzle.pdn().into_bytes(),
            Self::Jsonl => {
                let mut line = Vec::new();
                write_json_line(&mut line, &puzzle.row());
                line
            }
        }
    }
}

pub(super) fn puzzles(reading: Reading, mut options: CallOptions) -> Result<Box<dyn Session>> {
    let order: PuzzleOrder = options.take("order")?.unwrap_or_default();
    let to: PuzzlesFormat = options.take("to")?.unwrap_or_default();
    let theme: Option<String> = options.take("theme")?;
    let theme = theme.as_deref().map(Definition::wanted).transpose().map_err(Error::usage)?;
    let asker = reading.host.as_deref().map_or(Asker::Page, Host::asker);
    let engine = EngineOptions::checked(options.take("hash")?.unwrap_or(16), 1, asker)?;
    let finding: FindingOptions = options.rest()?;
    let search = PuzzleSearch::new(engine, Databases::default(), &finding, theme);
    let mut known = DistinctPuzzles::default();
    let add = move |all: &mut Vec<GamePuzzle>, done: FoundPuzzles, _: &Out| {
        all.extend(done.into_puzzles()?.into_iter().filter(|puzzle| known.is_new(puzzle)));
        Ok(())
    };
    let end = move |mut all: Vec<GamePuzzle>, out: &Out| {
        all.sort_by_cached_key(|puzzle| puzzle.order(order));
        all.iter().try_for_each(|puzzle| out.output(&to.bytes(puzzle)))?;
        out.result(&json!({ "count": all.len(), "errors": 0 }))
    };
    Walk::new(reading, search, Gathered::new(Vec::new(), add, end))
}
