//! Analysts shared by threads.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[cfg(feature = "link")]
use super::analyst::HubAnalyst;
use super::analyst::{Analyst, AnalystQuestion, EngineAnalyst};
#[cfg(feature = "cli")]
use super::cache::AnalysisCache;
#[cfg(feature = "cli")]
use super::caching::CachingAnalyst;
use super::game::annotate;
use super::options::AnnotateOptions;
use super::progress::AnnotateStep;
use crate::egdb::Databases;
use crate::engine::{Analysis, Engine, EngineOptions, Knowledge, Limit};
use crate::error::Error;
#[cfg(all(feature = "link", any(feature = "cli", feature = "serve")))]
use crate::link::HubEngine;
#[cfg(feature = "link")]
use crate::link::{CommandLine, ManagedEngine, Timeouts};
#[cfg(feature = "cli")]
use crate::notation::rules_label;
use crate::records::Annotation;
use crate::replay::ReplayedGame;
use crate::rules::Variant;

/// Number of consecutive failed games after which a pool gives up: each costs the timeouts and restarts of an engine.
const MAX_FAILED_GAMES: usize = 3;

/// A pool of analysts, one for each thread that uses it at the same time.
///
/// # Examples
///
/// ```
/// use pdn::annotate::{AnalystPool, AnnotateOptions};
/// use pdn::engine::{EngineOptions, Limit};
/// use pdn::replay::{ReplayOptions, replay};
///
/// let text = b"[GameType \"20\"]\n1. 32-28 20-25 2. 28-23 19x28 *";
/// let game = replay(pdn::pdn::games(text).next().unwrap().into_tree(), &ReplayOptions::default());
/// let pool = AnalystPool::built_in(EngineOptions::default().with_hash_mb(4));
/// let annotations = pool.annotate(&game, &AnnotateOptions::new(Limit::depth(7)))?;
/// assert_eq!(annotations.len(), 4);
/// assert!(annotations[2].judgement.is_some(), "White loses a man");
/// # Ok::<(), pdn::Error>(())
/// ```
pub struct AnalystPool {
    source: Source,
    #[cfg(feature = "cli")]
    cache: Option<Arc<AnalysisCache>>,
    stopped: Arc<AtomicBool>,
    state: Mutex<State>,
}

/// The way to create the analysts of a pool.
#[derive(Debug)]
enum Source {
    BuiltIn(EngineOptions),
    #[cfg(feature = "link")]
    Hub(CommandLine, Timeouts),
}

#[derive(Default)]
struct State {
    idle: Vec<(Variant, Box<dyn Analyst>)>,
    /// Number of failed games since the last success.
    failed: usize,
}

impl fmt::Debug for AnalystPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnalystPool").field("source", &self.source).finish_non_exhaustive()
    }
}

impl AnalystPool {
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

    /// Returns true if the engine failed so often that it is no longer used.
    #[cfg(feature = "serve")]
    pub(crate) fn is_abandoned(&self) -> bool {
        self.state().failed >= MAX_FAILED_GAMES
    }

    /// Ends the searches of the built-in engine: games that are being annotated, and later ones, fail soon. An engine that is
    /// another program first completes its search.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn new(source: Source) -> Self {
        Self {
            source,
            #[cfg(feature = "cli")]
            cache: None,
            stopped: Arc::default(),
            state: Mutex::default(),
        }
    }

    /// Adds a cache in which answers are looked up and kept.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(crate) fn with_cache(self, cache: Arc<AnalysisCache>) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// Writes what the cache has not written yet and returns why it is no longer used, if it could not be read or written.
    #[cfg(feature = "cli")]
    pub(super) fn finish_cache(&self) -> Option<String> {
        self.cache.as_ref().and_then(|cache| cache.finish())
    }

    /// Returns the engine and its limit in words.
    pub(super) fn label(&self, limit: Limit) -> String {
        match &self.source {
            #[cfg(feature = "link")]
            Source::Hub(command, _) => format!("engine {command} {limit}"),
            Source::BuiltIn(options) => match options.knowledge() {
                Knowledge::BuiltIn => format!("{limit} hash {}", options.hash_mb),
                knowledge => format!("{limit} hash {} {knowledge}", options.hash_mb),
            },
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

    /// Annotates the main line of a game. A game of unknown variant has no annotations.
    ///
    /// # Errors
    ///
    /// If the engine fails, or has failed in several consecutive games before.
    pub fn annotate(&self, game: &ReplayedGame, options: &AnnotateOptions) -> Result<Vec<Annotation>, Error> {
        self.annotate_with(game, options, &|_| {})
    }

    /// Annotates as [`annotate`](Self::annotate) does and calls `progress` after each step.
    pub(super) fn annotate_with(
        &self,
        game: &ReplayedGame,
        options: &AnnotateOptions,
        progress: &dyn Fn(AnnotateStep),
    ) -> Result<Vec<Annotation>, Error> {
        let Some(variant) = game.variant() else { return Ok(Vec::new()) };
        self.with(variant, |analyst| annotate(game, analyst, options, progress))
    }

    /// Lends an analyst for a game.
    ///
    /// # Errors
    ///
    /// Those of `work`, or if the engine cannot be started, or has failed in several consecutive games before.
    pub(super) fn with<T>(
        &self,
        variant: Variant,
        work: impl FnOnce(&mut dyn Analyst) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut analyst = self.take(variant)?;
        let made = work(&mut *analyst);
        let mut state = self.state();
        state.idle.push((variant, analyst));
        state.failed = if made.is_ok() { 0 } else { state.failed + 1 };
        made
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, variant: Variant) -> Result<Box<dyn Analyst>, Error> {
        let mut state = self.state();
        if state.failed >= MAX_FAILED_GAMES {
            return Err(Error::unavailable("the engine was abandoned after repeated failures"));
        }
        if let Some(index) = state.idle.iter().position(|(known, _)| *known == variant) {
            return Ok(state.idle.swap_remove(index).1);
        }
        // The new analyst replaces an idle one, so that there are never more analysts, each with its table, than threads.
        drop(state.idle.pop());
        let inner = self.source.analyst(variant, &self.stopped)?;
        // Inside the cache, so that the answer of an interrupted search is not kept.
        let analyst = Box::new(StoppedAnalyst { inner, stopped: Arc::clone(&self.stopped) });
        #[cfg(feature = "cli")]
        if let Some(cache) = &self.cache {
            let engine = self.source.identity(variant);
            return Ok(Box::new(CachingAnalyst::new(analyst, Arc::clone(cache), engine)));
        }
        Ok(analyst)
    }
}

/// An analyst that fails once a pool is stopped: what an interrupted search found is not kept.
struct StoppedAnalyst {
    inner: Box<dyn Analyst>,
    stopped: Arc<AtomicBool>,
}

impl Analyst for StoppedAnalyst {
    fn analyse(&mut self, question: &AnalystQuestion<'_>) -> Result<Analysis, Error> {
        let is_stopped = || self.stopped.load(Ordering::Relaxed);
        if is_stopped() {
            return Err(Error::unavailable("stopped"));
        }
        let made = self.inner.analyse(question)?;
        if is_stopped() { Err(Error::unavailable("stopped")) } else { Ok(made) }
    }
}

impl Source {
    /// Returns everything on which answers depend besides the question and the limit.
    #[cfg(feature = "cli")]
    fn identity(&self, variant: Variant) -> String {
        let (version, name) = (env!("CARGO_PKG_VERSION"), variant.name());
        let rules = if variant.is_house() { format!(" rules={}", rules_label(variant)) } else { String::new() };
        match self {
            Self::BuiltIn(options) => {
                let (hash, weights) = (options.hash_mb, options.knowledge().identity(variant));
                let tables = options.databases().label(&[variant]);
                format!("pdn {version} hash={hash} variant={name} weights={weights} egdb={tables}{rules}")
            }
            #[cfg(feature = "link")]
            Self::Hub(command, _) => format!("pdn {version} engine {command} variant={name}{rules}"),
        }
    }

    fn analyst(&self, variant: Variant, stopped: &Arc<AtomicBool>) -> Result<Box<dyn Analyst>, Error> {
        match self {
            Self::BuiltIn(options) => {
                let mut engine = Engine::try_with_options(variant, options.clone())?;
                engine.set_stop_flag(Arc::clone(stopped));
                Ok(Box::new(EngineAnalyst::new(engine)))
            }
            #[cfg(feature = "link")]
            Self::Hub(command, timeouts) => {
                Ok(Box::new(HubAnalyst::new(ManagedEngine::new(command.clone(), variant, *timeouts))))
            }
        }
    }
}
