//! Whoever tells what a position is worth.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::{Analysis, Engine, EngineOptions, Limit};
use crate::error::Error;
use crate::rules::{Position, Variant};

/// Whoever tells what a position is worth: the built-in engine or one that is linked.
pub trait Analyst: Send {
    /// Begins another game: nothing learned before may change what is said from now on.
    fn new_game(&mut self);

    /// Analyses a position that follows those of `history`, oldest first.
    ///
    /// # Errors
    ///
    /// If the analyst is gone.
    fn analyse(&mut self, position: &Position, history: &[Position]) -> Result<Analysis, Error>;
}

/// The built-in engine with fixed limits.
#[derive(Debug)]
pub struct BuiltIn {
    engine: Engine,
    limits: Limit,
}

impl Analyst for BuiltIn {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn analyse(&mut self, position: &Position, history: &[Position]) -> Result<Analysis, Error> {
        Ok(self.engine.analyse_game(position, history, self.limits))
    }
}

/// Built-in engines to be lent to threads and used again.
#[derive(Debug)]
pub struct Pool {
    megabytes: usize,
    limits: Limit,
    stop: Arc<AtomicBool>,
    idle: Mutex<Vec<BuiltIn>>,
}

impl Pool {
    /// Returns a pool of engines with tables of this many megabytes, which all stop when the flag is set.
    pub fn new(megabytes: usize, limits: Limit, stop: Arc<AtomicBool>) -> Self {
        Self { megabytes, limits, stop, idle: Mutex::default() }
    }

    /// Does something with an engine for a variant.
    pub fn with<T>(&self, variant: Variant, work: impl FnOnce(&mut BuiltIn) -> T) -> T {
        let mut engine = self.take(variant);
        let result = work(&mut engine);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
        result
    }

    fn take(&self, variant: Variant) -> BuiltIn {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = idle.iter().position(|built_in| built_in.engine.variant() == variant) {
            return idle.swap_remove(place);
        }
        let mut engine = Engine::with_options(variant, EngineOptions::default().with_hash_mb(self.megabytes));
        engine.set_stop_flag(Arc::clone(&self.stop));
        BuiltIn { engine, limits: self.limits }
    }
}
