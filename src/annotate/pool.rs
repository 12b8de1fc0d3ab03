//! Analysts shared by threads.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::analyst::{Analyst, EngineAnalyst, HubAnalyst};
use super::game::annotate;
use super::scale::JudgementScale;
use crate::engine::{Engine, EngineOptions, Limit};
use crate::error::Error;
use crate::link::{CommandLine, ManagedEngine, Timeouts};
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
/// use pdn::annotate::{AnalystPool, JudgementScale};
/// use pdn::engine::{EngineOptions, Limit};
/// use pdn::replay::{ReplayOptions, replay};
///
/// let text = b"[GameType \"20\"]\n1. 32-28 20-25 2. 28-23 19x28 *";
/// let game = replay(pdn::pdn::games(text).next().unwrap().tree, &ReplayOptions::default());
/// let pool = AnalystPool::built_in(EngineOptions::default().with_hash_mb(4), Limit::depth(7));
/// let annotations = pool.annotate(&game, &JudgementScale::default())?;
/// assert_eq!(annotations.len(), 4);
/// assert!(annotations[2].judgement.is_some(), "White loses a man");
/// # Ok::<(), pdn::Error>(())
/// ```
pub struct AnalystPool {
    source: Source,
    state: Mutex<State>,
}

/// How the analysts of a pool are made.
#[derive(Debug)]
enum Source {
    BuiltIn(EngineOptions, Limit),
    Hub(CommandLine, Limit, Timeouts),
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
    /// Returns a pool of built-in engines with a limit for each position.
    pub fn built_in(options: EngineOptions, limit: Limit) -> Self {
        Self { source: Source::BuiltIn(options, limit), state: Mutex::default() }
    }

    /// Returns a pool of engines that are other programs, with a limit for each position.
    pub fn hub(command: CommandLine, limit: Limit, timeouts: Timeouts) -> Self {
        Self { source: Source::Hub(command, limit, timeouts), state: Mutex::default() }
    }

    /// Annotates the main line of a game. A game of unknown variant has no annotations.
    ///
    /// # Errors
    ///
    /// If the engine fails, or has failed in several consecutive games before.
    pub fn annotate(&self, game: &ReplayedGame, scale: &JudgementScale) -> Result<Vec<Annotation>, Error> {
        self.annotate_with(game, scale, &|| {})
    }

    /// Annotates as [`annotate`](Self::annotate) does and calls `progress` after each move.
    ///
    /// # Errors
    ///
    /// If the engine fails, or has failed in several consecutive games before.
    pub fn annotate_with(
        &self,
        game: &ReplayedGame,
        scale: &JudgementScale,
        progress: &dyn Fn(),
    ) -> Result<Vec<Annotation>, Error> {
        let Some(variant) = game.variant() else { return Ok(Vec::new()) };
        let mut analyst = self.take(variant)?;
        let annotations = annotate(game, &mut *analyst, scale, progress);
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
        self.source.analyst(variant)
    }
}

impl Source {
    fn analyst(&self, variant: Variant) -> Result<Box<dyn Analyst>, Error> {
        match self {
            Self::BuiltIn(options, limit) => {
                Ok(Box::new(EngineAnalyst::new(Engine::try_with_options(variant, options.clone())?, *limit)))
            }
            Self::Hub(command, limit, timeouts) => {
                Ok(Box::new(HubAnalyst::new(ManagedEngine::new(command.clone(), variant, *timeouts), *limit)))
            }
        }
    }
}
