//! Sources of evaluations.

use crate::engine::{Analysis, Engine, Limit, Score};
use crate::error::Error;
use crate::link::ManagedEngine;
use crate::rules::Position;

/// A source of evaluations: the built-in engine or another program.
pub trait Analyst: Send {
    /// Starts another game. The analyses after it must not depend on the games before it.
    fn new_game(&mut self);

    /// Analyses a position. `history` holds the earlier positions of the game, oldest first.
    ///
    /// # Errors
    ///
    /// If the analyst fails.
    fn analyse(&mut self, position: &Position, history: &[Position]) -> Result<Analysis, Error>;
}

/// The built-in engine with a fixed limit.
#[derive(Debug)]
pub struct EngineAnalyst {
    engine: Engine,
    limit: Limit,
}

impl EngineAnalyst {
    /// Returns an analyst with a limit for each position.
    pub const fn new(engine: Engine, limit: Limit) -> Self {
        Self { engine, limit }
    }
}

impl Analyst for EngineAnalyst {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn analyse(&mut self, position: &Position, history: &[Position]) -> Result<Analysis, Error> {
        Ok(self.engine.analyse_game(position, history, self.limit))
    }
}

/// An engine that is another program, with a fixed limit.
#[derive(Debug)]
pub struct HubAnalyst {
    engine: ManagedEngine,
    limit: Limit,
}

impl HubAnalyst {
    /// Returns an analyst with a limit for each position.
    pub const fn new(engine: ManagedEngine, limit: Limit) -> Self {
        Self { engine, limit }
    }
}

impl Analyst for HubAnalyst {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Asks the engine, unless the game is over: the protocol has no answer without a move.
    fn analyse(&mut self, position: &Position, history: &[Position]) -> Result<Analysis, Error> {
        if let Some(winner) = position.winner() {
            let score = if winner == position.turn() { Score::win_in(0) } else { Score::loss_in(0) };
            return Ok(Analysis::new(score, Vec::new(), 0, 0));
        }
        let analysis = self.engine.analyse(position, history, self.limit);
        analysis.map_err(|error| Error::unavailable(error.to_string()))
    }
}
