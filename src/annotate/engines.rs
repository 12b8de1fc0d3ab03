//! Engines shared by threads.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::egdb::Databases;
use crate::engine::{Engine, EngineOptions, Knowledge, Limit};
use crate::error::Error;
use crate::link::GameEngine;
#[cfg(all(feature = "link", any(feature = "cli", feature = "serve")))]
use crate::link::HubEngine;
#[cfg(feature = "link")]
use crate::link::{CommandLine, ManagedEngine, Timeouts};
use crate::notation::rules_label;
use crate::rules::Variant;
use crate::shared::lock;

/// Number of consecutive failed games after which a pool gives up: each costs the timeouts and restarts of an engine.
const MAX_FAILED_GAMES: usize = 3;

/// Engines that annotate games, one for each thread that uses one at the same time.
pub struct EnginePool {
    source: Source,
    stopped: Arc<AtomicBool>,
    state: Mutex<State>,
}

/// The way to create the engines of a pool.
#[derive(Debug)]
enum Source {
    BuiltIn(EngineOptions),
    #[cfg(feature = "link")]
    Hub(CommandLine, Timeouts),
}

#[derive(Default)]
struct State {
    idle: Vec<(Variant, Box<dyn GameEngine>)>,
    /// Number of games in which an engine failed since the last success.
    failed: usize,
}

impl fmt::Debug for EnginePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnginePool").field("source", &self.source).finish_non_exhaustive()
    }
}

impl EnginePool {
    /// Returns a pool of built-in engines.
    pub fn built_in(options: EngineOptions) -> Self {
        Self::new(Source::BuiltIn(options))
    }

    /// Returns a pool of engines that are other programs.
    #[cfg(feature = "link")]
    pub fn hub(command: CommandLine, timeouts: Timeouts) -> Self {
        Self::new(Source::Hub(command, timeouts))
    }

    /// Returns a pool of engines that are other programs, if the program can be started.
    ///
    /// # Errors
    ///
    /// If it cannot.
    #[cfg(all(feature = "link", any(feature = "cli", feature = "serve")))]
    pub(crate) fn try_hub(command: &CommandLine, timeouts: Timeouts) -> Result<Self, Error> {
        HubEngine::try_start(command).map_err(|error| Error::unavailable(error.to_string()))?;
        Ok(Self::hub(command.clone(), timeouts))
    }

    /// Returns a pool with a single engine of a variant.
    #[cfg(test)]
    pub(super) fn of_one(variant: Variant, engine: impl GameEngine + 'static) -> Self {
        let pool = Self::built_in(EngineOptions::default());
        lock(&pool.state).idle.push((variant, Box::new(engine)));
        pool
    }

    fn new(source: Source) -> Self {
        Self { source, stopped: Arc::default(), state: Mutex::default() }
    }

    /// Returns true if the engine failed so often that it is no longer used.
    #[cfg(feature = "serve")]
    pub(crate) fn is_abandoned(&self) -> bool {
        lock(&self.state).failed >= MAX_FAILED_GAMES
    }

    /// Ends the searches of the built-in engine: games that are being annotated, and later ones, fail soon. An engine that is
    /// another program first completes its search.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns the engine and its limit as the tag `Annotator` names them.
    pub(super) fn label(&self, limit: Limit) -> String {
        match &self.source {
            #[cfg(feature = "link")]
            Source::Hub(command, _) => format!("engine {command} {limit}"),
            Source::BuiltIn(options) => match &options.knowledge {
                Knowledge::BuiltIn => format!("{limit} hash {}", options.hash_mb),
                knowledge => format!("{limit} hash {} {knowledge}", options.hash_mb),
            },
        }
    }

    /// Returns everything on which searches of a variant depend besides the positions and the limit.
    pub(super) fn identity(&self, variant: Variant) -> String {
        let (version, name) = (env!("CARGO_PKG_VERSION"), variant.name());
        let rules = if variant.is_house() { format!(" rules={}", rules_label(variant)) } else { String::new() };
        match &self.source {
            Source::BuiltIn(options) => {
                let (hash, weights) = (options.hash_mb, options.knowledge.identity(variant));
                let tables = options.databases().label(&[variant]);
                format!("pdn {version} hash={hash} variant={name} weights={weights} egdb={tables}{rules}")
            }
            #[cfg(feature = "link")]
            Source::Hub(command, _) => format!("pdn {version} engine {command} variant={name}{rules}"),
        }
    }

    /// Returns the endgame databases that the engine is known to use.
    pub(super) fn databases(&self) -> Databases {
        match &self.source {
            Source::BuiltIn(options) => options.databases(),
            #[cfg(feature = "link")]
            Source::Hub(..) => Databases::embedded(),
        }
    }

    /// Lends an engine for a game.
    ///
    /// # Errors
    ///
    /// Those of `work`.
    pub(super) fn lend<T>(
        &self,
        variant: Variant,
        work: impl FnOnce(&mut LentEngine<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut lent = LentEngine { pool: self, variant, engine: None };
        let made = work(&mut lent);
        if let Some(engine) = lent.engine {
            let mut state = lock(&self.state);
            state.idle.push((variant, engine));
            state.failed = if made.is_ok() { 0 } else { state.failed + 1 };
        }
        made
    }

    fn take(&self, variant: Variant) -> Result<Box<dyn GameEngine>, Error> {
        let mut state = lock(&self.state);
        if state.failed >= MAX_FAILED_GAMES {
            return Err(Error::unavailable("the engine was abandoned after repeated failures"));
        }
        if let Some(index) = state.idle.iter().position(|(known, _)| *known == variant) {
            return Ok(state.idle.swap_remove(index).1);
        }
        // The new engine replaces an idle one, so that there are never more engines, each with its table, than threads.
        drop(state.idle.pop());
        match &self.source {
            Source::BuiltIn(options) => {
                let mut engine = Engine::try_with_options(variant, options.clone())?;
                engine.set_stop_flag(Arc::clone(&self.stopped));
                Ok(Box::new(engine))
            }
            #[cfg(feature = "link")]
            Source::Hub(command, timeouts) => Ok(Box::new(ManagedEngine::new(command.clone(), variant, *timeouts))),
        }
    }
}

/// The engine for one game. It is taken from its pool when it is first needed: a game whose searches are known needs none.
pub(super) struct LentEngine<'a> {
    pool: &'a EnginePool,
    variant: Variant,
    engine: Option<Box<dyn GameEngine>>,
}

impl LentEngine<'_> {
    /// Returns the engine.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or has failed in several consecutive games before.
    pub(super) fn get(&mut self) -> Result<&mut dyn GameEngine, Error> {
        if self.engine.is_none() {
            self.engine = Some(self.pool.take(self.variant)?);
        }
        Ok(&mut **self.engine.as_mut().expect("taken above"))
    }

    /// Fails once the pool is stopped.
    ///
    /// # Errors
    ///
    /// If it is.
    pub(super) fn check_stop(&self) -> Result<(), Error> {
        let is_stopped = self.pool.stopped.load(Ordering::Relaxed);
        if is_stopped { Err(Error::unavailable("stopped")) } else { Ok(()) }
    }
}
