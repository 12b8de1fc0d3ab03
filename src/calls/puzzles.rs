//! Problems from games.

use std::num::NonZeroUsize;

use crate::annotate::{DistinctPuzzles, FindingOptions, FoundPuzzles, GamePuzzle, PuzzleOrder, PuzzleSearch};
use crate::egdb::Databases;
use crate::engine::{Asker, EngineOptions};
use crate::error::{Error, Result};
use crate::export::{PlacedReview, write_json_line};
use crate::shots::Definition;
use serde::Deserialize;
use serde_json::json;

use super::host::Host;
use super::options::{CallOptions, Reading};
use super::outlet::Out;
use super::session::{Gathered, Progress, Session, Sink, Walk};
use super::turns::{Turn, Turns};

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
    let sink = Gathered::new(Vec::new(), add, end);
    Ok(Box::new(Finding { reading: Some(reading), turns: None, search, sink }))
}

/// Finds puzzles: those of a game in each step, or of all games at once.
struct Finding<S> {
    /// The inputs, until the first step.
    reading: Option<Reading>,
    turns: Option<(Turns, Out)>,
    search: PuzzleSearch,
    sink: S,
}

impl<S: Sink<FoundPuzzles> + 'static> Session for Finding<S> {
    fn step(&mut self) -> Result<Progress> {
        if let Some(reading) = self.reading.take() {
            self.turns = Some(Turns::new(reading, 0..u64::MAX));
        }
        let Some((turns, out)) = &mut self.turns else { return Ok(Progress::Done) };
        match turns.next(out)? {
            Turn::Game(_, game) => {
                let PlacedReview { review, place } = *game;
                let mut found = FoundPuzzles::default();
                self.search.add(&review, &place.file, &mut found)?;
                self.sink.take(found, out)?;
                Ok(Progress::More)
            }
            Turn::None(progress) => Ok(progress),
            Turn::End => self.sink.finish(out).map(|()| Progress::Done),
        }
    }

    fn run(self: Box<Self>, jobs: NonZeroUsize) -> Result<()> {
        let Self { reading, search, sink, .. } = *self;
        reading.map_or(Ok(()), |reading| Walk::new(reading, search, sink)?.run(jobs))
    }
}
