//! An engine that is started on demand and restarted after a failure.

use super::command_line::CommandLine;
use super::error::EngineError;
use super::hub_engine::{Choice, HubEngine, Timeouts};
use crate::engine::{Analysis, Limit};
use crate::rules::{Position, Variant};

/// Number of attempts at an analysis.
const ATTEMPTS: usize = 2;

/// An engine that is started when it is first needed, and again after a failure.
#[derive(Debug)]
pub struct ManagedEngine {
    command: CommandLine,
    variant: Variant,
    timeouts: Timeouts,
    engine: Option<HubEngine>,
}

impl ManagedEngine {
    /// Returns an engine that is not started yet.
    pub const fn new(command: CommandLine, variant: Variant, timeouts: Timeouts) -> Self {
        Self { command, variant, timeouts, engine: None }
    }

    /// Returns the variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the name and version that the engine reports, if it is running.
    pub fn name(&self) -> Option<&str> {
        self.engine.as_ref().map(HubEngine::name)
    }

    /// Starts another game.
    pub fn new_game(&self) {
        if let Some(engine) = &self.engine {
            engine.new_game();
        }
    }

    /// Analyses a position as [`HubEngine::analyse`] does, with a second attempt after a failure.
    ///
    /// # Errors
    ///
    /// The error of the last attempt.
    pub fn analyse(
        &mut self,
        position: &Position,
        history: &[Position],
        limit: Limit,
    ) -> Result<Analysis, EngineError> {
        let mut result = self.with_engine(|engine| engine.analyse(position, history, limit));
        for _ in 1..ATTEMPTS {
            match &result {
                Err(error) if !error.is_permanent() => {
                    result = self.with_engine(|engine| engine.analyse(position, history, limit));
                }
                _ => break,
            }
        }
        result
    }

    /// Chooses a move as [`HubEngine::play`] does. After a failure the engine is restarted for the next call.
    ///
    /// # Errors
    ///
    /// If the engine cannot be started or fails.
    pub fn play(&mut self, position: &Position, history: &[Position], limit: Limit) -> Result<Choice, EngineError> {
        self.with_engine(|engine| engine.play(position, history, limit))
    }

    fn with_engine<T>(&mut self, work: impl FnOnce(&HubEngine) -> Result<T, EngineError>) -> Result<T, EngineError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => HubEngine::start(&self.command, self.variant, self.timeouts)?,
        };
        let result = work(&engine)?;
        self.engine = Some(engine);
        Ok(result)
    }
}
