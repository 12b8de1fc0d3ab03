//! Analysts shared by threads.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::analyst::{Analyst, EngineAnalyst, HubAnalyst};
#[cfg(feature = "cli")]
use super::cache::{AnalysisCache, CachingAnalyst};
use super::game::annotate;
use super::options::AnnotateOptions;
use crate::engine::{Engine, EngineOptions};
use crate::error::Error;
use crate::link::{CommandLine, ManagedEngine, Timeouts};
#[cfg(feature = "cli")]
use crate::notation::rules_label;
use crate::records::Annotation;
use crate::replay::ReplayedGame;
use crate::rules::Variant;

/// Number of consecutive failed games after which a pool gives up.
const MAX_FAILED_GAMES: usize = 3;

/// A pool of analysts, one for each thread that uses it at a time.
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
    /// A cache, and what identifies the engine besides the variant.
    #[cfg(feature = "cli")]
    cache: Option<(Arc<AnalysisCache>, String)>,
    state: Mutex<State>,
}

/// How the analysts of a pool are made.
#[derive(Debug)]
enum Source {
    BuiltIn(EngineOptions, Arc<AtomicBool>),
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
        Self::new(Source::BuiltIn(options, Arc::default()))
    }

    /// Returns a pool of engines that are other programs.
    pub fn hub(command: CommandLine, timeouts: Timeouts) -> Self {
        Self::new(Source::Hub(command, timeouts))
    }

    /// Sets a flag that another thread can set to end the searches of the built-in engine: a game that is being annotated
    /// then ends soon, with annotations that are worthless.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// use pdn::annotate::AnalystPool;
    /// use pdn::engine::EngineOptions;
    ///
    /// let stop = Arc::new(AtomicBool::new(false));
    /// let pool = AnalystPool::built_in(EngineOptions::default()).with_stop_flag(Arc::clone(&stop));
    /// stop.store(true, Ordering::Relaxed);
    /// # drop(pool);
    /// ```
    #[must_use]
    pub fn with_stop_flag(self, flag: Arc<AtomicBool>) -> Self {
        let source = match self.source {
            Source::BuiltIn(options, _) => Source::BuiltIn(options, flag),
            hub @ Source::Hub(..) => hub,
        };
        Self { source, ..self }
    }

    fn new(source: Source) -> Self {
        Self {
            source,
            #[cfg(feature = "cli")]
            cache: None,
            state: Mutex::default(),
        }
    }

    /// Adds a cache in which answers are looked up and kept. `engine` identifies everything on which they depend besides the
    /// limit, the variant and the built-in evaluation.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn with_cache(self, cache: Arc<AnalysisCache>, engine: String) -> Self {
        Self { cache: Some((cache, engine)), ..self }
    }

    /// Writes what the cache has not written yet and returns why it is no longer used, if it could not be read or written.
    #[cfg(feature = "cli")]
    pub fn finish_cache(&self) -> Option<&str> {
        self.cache.as_ref().and_then(|(cache, _)| cache.finish())
    }

    /// Annotates the main line of a game. A game of unknown variant has no annotations.
    ///
    /// # Errors
    ///
    /// If the engine fails, or has failed in several consecutive games before.
    pub fn annotate(&self, game: &ReplayedGame, options: &AnnotateOptions) -> Result<Vec<Annotation>, Error> {
        self.annotate_with(game, options, &|| {})
    }

    /// Annotates as [`annotate`](Self::annotate) does and calls `progress` after each move.
    ///
    /// # Errors
    ///
    /// If the engine fails, or has failed in several consecutive games before.
    pub fn annotate_with(
        &self,
        game: &ReplayedGame,
        options: &AnnotateOptions,
        progress: &dyn Fn(),
    ) -> Result<Vec<Annotation>, Error> {
        let Some(variant) = game.variant() else { return Ok(Vec::new()) };
        let mut analyst = self.take(variant)?;
        let annotations = annotate(game, &mut *analyst, options, progress);
        let mut state = self.state();
        state.idle.push((variant, analyst));
        state.failed = if annotations.is_ok() { 0 } else { state.failed + 1 };
        annotations
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, variant: Variant) -> Result<Box<dyn Analyst>, Error> {
        let mut state = self.state();
        if state.failed >= MAX_FAILED_GAMES {
            return Err(Error::unavailable("the engine was given up after repeated failures"));
        }
        if let Some(index) = state.idle.iter().position(|(known, _)| *known == variant) {
            return Ok(state.idle.swap_remove(index).1);
        }
        // The new analyst replaces an idle one, so that there are never more analysts than threads.
        drop(state.idle.pop());
        let analyst = self.source.analyst(variant)?;
        #[cfg(feature = "cli")]
        if let Some((cache, engine)) = &self.cache {
            let engine = format!("{engine} {}", self.source.identity(variant));
            return Ok(Box::new(CachingAnalyst::new(analyst, Arc::clone(cache), engine)));
        }
        Ok(analyst)
    }
}

impl Source {
    /// Returns what identifies the variant and its evaluation.
    #[cfg(feature = "cli")]
    fn identity(&self, variant: Variant) -> String {
        let rules = if variant.is_house() { format!(" rules={}", rules_label(variant)) } else { String::new() };
        let variant = match self {
            Self::BuiltIn(options, _) => {
                let (weights, tables) = (options.knowledge().identity(variant), options.databases().label(&[variant]));
                format!("variant={} weights={weights} egdb={tables}", variant.name())
            }
            Self::Hub(..) => format!("variant={}", variant.name()),
        };
        variant + &rules
    }

    fn analyst(&self, variant: Variant) -> Result<Box<dyn Analyst>, Error> {
        match self {
            Self::BuiltIn(options, stop) => {
                let mut engine = Engine::try_with_options(variant, options.clone())?;
                engine.set_stop_flag(Arc::clone(stop));
                Ok(Box::new(EngineAnalyst::new(engine)))
            }
            Self::Hub(command, timeouts) => {
                Ok(Box::new(HubAnalyst::new(ManagedEngine::new(command.clone(), variant, *timeouts))))
            }
        }
    }
}
