//! Work on one game a step, for a page that loads what a game needs and may end the work after each.

use std::collections::VecDeque;
use std::ops::Range;

use super::options::Reading;
use super::outlet::Out;
use super::session::{Progress, failed};
use crate::annotate::CHUNK_SIZE;
use crate::check::{Checking, Summary};
use crate::diag::Severity;
use crate::engine::Weights;
use crate::error::Result;
use crate::export::{PlacedReview, PlacedReviews};
use crate::source::{ChunkOptions, Event, Steps};

/// The games of inputs in their order.
pub(super) struct Turns {
    steps: Steps<Checking<PlacedReviews>>,
    /// The games of the last chunk, with their indices.
    waiting: VecDeque<(u64, PlacedReview)>,
    /// Number of games that were read.
    read: u64,
    games: Range<u64>,
    summary: Summary,
}

/// What comes next.
pub(super) enum Turn {
    /// A game, with its index, whose weights are there.
    Game(u64, Box<PlacedReview>),
    /// No game in this step.
    None(Progress),
    /// No game any more.
    End,
}

impl Turns {
    /// Returns the games with these indices, and the outlet of the work on them.
    pub(super) fn new(reading: Reading, games: Range<u64>) -> (Self, Out) {
        let chunks = ChunkOptions { chunk_size: CHUNK_SIZE, ..reading.chunks };
        let steps = Steps::new(reading.inputs, Checking::new(PlacedReviews, reading.checks), chunks);
        (Self { steps, waiting: VecDeque::new(), read: 0, games, summary: Summary::default() }, reading.out)
    }

    /// Returns the number of errors in the records so far.
    pub(super) fn errors(&self) -> u64 {
        self.summary.diagnostics(Severity::Error)
    }

    /// Returns the next game, or reads the next chunk.
    pub(super) fn next(&mut self, out: &Out) -> Result<Turn> {
        if let Some((index, game)) = self.waiting.pop_front() {
            let data = game.review.game().variant().and_then(Weights::file);
            if let Some(data) = data.filter(|data| out.lacks(data)) {
                // The page loads the data in the meantime, and the game comes in a later step.
                self.waiting.push_front((index, game));
                out.send("needs", &data)?;
                return Ok(Turn::None(Progress::Needs));
            }
            return Ok(Turn::Game(index, Box::new(game)));
        }
        match self.steps.step() {
            Some(Event::Begin(input)) => out.send("begin", &input.label())?,
            Some(Event::Error(error)) => return failed(&error, out).map(Turn::None),
            Some(Event::Done(done)) => {
                self.summary += &done.summary;
                let first = self.read;
                self.read += done.games.len() as u64;
                let numbered = (first..).zip(done.games);
                self.waiting.extend(numbered.filter(|(index, _)| self.games.contains(index)));
            }
            None => return Ok(Turn::End),
        }
        Ok(Turn::None(Progress::More))
    }
}
