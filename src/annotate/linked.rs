//! Analysts that are other programs.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::analyst::Analyst;
use crate::engine::{Analysis, Limit, Score};
use crate::error::Error;
use crate::link::{CommandLine, EngineError, ManagedEngine, Timeouts};
use crate::rules::{Position, Variant};

/// Games in a row that an engine may fail before it counts as gone for good.
const FAILED_GAMES: usize = 3;

/// An engine that is another program, with fixed limits.
#[derive(Debug)]
pub struct Linked {
    engine: ManagedEngine,
    limits: Limit,
}

impl Linked {
    fn new(setup: &LinkedSetup, variant: Variant) -> Self {
        Self { engine: ManagedEngine::new(setup.command.clone(), variant, setup.patience), limits: setup.limits }
    }
}

impl Analyst for Linked {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Asks the engine, unless the game is over: nobody is asked for a move where there is none.
    fn analyse(&mut self, position: &Position, history: &[Position]) -> Result<Analysis, Error> {
        if let Some(winner) = position.winner() {
            let score = if winner == position.turn() { Score::win_in(0) } else { Score::loss_in(0) };
            return Ok(Analysis::new(score, Vec::new(), 0, 0));
        }
        self.engine.analyse(position, history, self.limits).map_err(|fault| unavailable(&fault))
    }
}

fn unavailable(fault: &EngineError) -> Error {
    Error::unavailable(fault.to_string())
}

/// What engines are started with.
#[derive(Clone, Debug)]
pub struct LinkedSetup {
    /// The program.
    pub command: CommandLine,
    /// Limits of each search.
    pub limits: Limit,
    /// How long it may take.
    pub patience: Timeouts,
}

/// Engines that are other programs, to be lent to threads and used again: one process for each thread.
pub struct LinkedPool {
    setup: LinkedSetup,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    idle: Vec<Linked>,
    /// Games that failed since the last that did not.
    failed: usize,
}

impl fmt::Debug for LinkedPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkedPool").field("setup", &self.setup).finish_non_exhaustive()
    }
}

impl LinkedPool {
    /// Returns a pool of engines, none of which is started yet.
    pub fn new(setup: LinkedSetup) -> Self {
        Self { setup, state: Mutex::default() }
    }

    /// Does something with an engine for a variant.
    ///
    /// # Errors
    ///
    /// What `work` returns; or, after several games in a row have failed, that the engine is gone for good.
    pub fn with<T>(&self, variant: Variant, work: impl FnOnce(&mut Linked) -> Result<T, Error>) -> Result<T, Error> {
        let mut engine = self.take(variant)?;
        let result = work(&mut engine);
        let mut state = self.state();
        state.idle.push(engine);
        state.failed = if result.is_ok() { 0 } else { state.failed + 1 };
        result
    }

    /// Whether the engine has failed so often that it is asked no more.
    pub fn is_gone(&self) -> bool {
        self.state().failed >= FAILED_GAMES
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, variant: Variant) -> Result<Linked, Error> {
        let mut state = self.state();
        if state.failed >= FAILED_GAMES {
            return Err(Error::unavailable("the engine was given up after repeated failures"));
        }
        let suits = |linked: &Linked| linked.engine.variant() == variant;
        if let Some(place) = state.idle.iter().position(suits) {
            return Ok(state.idle.swap_remove(place));
        }
        // In the place of one that is idle, so that there are never more than threads.
        drop(state.idle.pop());
        Ok(Linked::new(&self.setup, variant))
    }
}
