//! The search: what a position is worth and which move is best. It never sees text.
//!
//! Scores are seen from the side to move here; records turn them to White's point of view.

mod clock;
mod evaluation;
mod generator;
mod limits;
mod node;
mod ordering;
mod parts;
mod score;
mod search;
mod selectivity;
mod table;
mod tree;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use self::generator::Adapter;
use self::search::{Question, Searcher, Searches};
use crate::rules::{Move, Position, Rules, Task, Variant};

pub use limits::{GameClock, Limits};
pub use parts::{Part, Parts};
pub use score::Score;

/// A line of play and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Value for the side to move.
    pub score: Score,
    /// The moves.
    pub moves: Vec<Move>,
}

/// What the search found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Value for the side to move.
    pub score: Score,
    /// Principal variation: the best move and what is expected to follow. Empty where there is no legal move.
    pub line: Vec<Move>,
    /// The next best lines where more than one was asked for, the best first; each begins with another move.
    pub others: Vec<Line>,
    /// Depth of the last iteration that was finished, in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

impl Analysis {
    /// The best move, if there is a legal one.
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }
}

/// How an engine is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// Megabytes (2²⁰ bytes) of the transposition table, at least one; a power of two is used up to it.
    pub megabytes: usize,
    /// Threads of a search, at least one.
    pub threads: usize,
    /// Parts of the search in use.
    pub parts: Parts,
}

impl Default for EngineSettings {
    /// 64 megabytes, one thread, the whole search.
    fn default() -> Self {
        Self { megabytes: 64, threads: 1, parts: Parts::ALL }
    }
}

/// An engine for one variant.
///
/// With one thread and limits on depth or nodes the same calls give the same answers on every machine.
///
/// # Examples
///
/// ```
/// use pdn::engine::{Engine, Limits};
/// use pdn::rules::{Position, Variant};
///
/// let mut engine = Engine::new(Variant::ITALIAN, 1);
/// let found = engine.analyse(&Position::start(Variant::ITALIAN), &[], &Limits::depth(5));
/// assert_eq!(found.depth, 5);
/// assert!(found.best().is_some());
/// ```
pub struct Engine {
    variant: Variant,
    lines: usize,
    searcher: Box<dyn Searches>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("variant", &self.variant).finish_non_exhaustive()
    }
}

impl Engine {
    /// Returns an engine with one thread and a transposition table of about this many megabytes (2²⁰ bytes), at least one.
    pub fn new(variant: Variant, megabytes: usize) -> Self {
        Self::with_settings(variant, &EngineSettings { megabytes, ..EngineSettings::default() })
    }

    /// Returns an engine made as told.
    pub fn with_settings(variant: Variant, settings: &EngineSettings) -> Self {
        Self { variant, lines: 1, searcher: variant.dispatch(Make(settings)) }
    }

    /// Sets how many of the best moves are wanted, at least one: each further one costs about as much as the first.
    pub fn set_lines(&mut self, lines: usize) {
        self.lines = lines.max(1);
    }

    /// The variant it plays.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Lets another thread stop a search by setting the flag; a stopped search answers with what it has.
    pub fn stop_with(&mut self, flag: Arc<AtomicBool>) {
        self.searcher.stop_with(flag);
    }

    /// Forgets everything, as before the first search.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// Searches a position. `history` holds the positions before it since the last capture or man move, oldest first, for
    /// draws by repetition; older ones do no harm.
    ///
    /// # Panics
    ///
    /// If the position belongs to another variant.
    pub fn analyse(&mut self, position: &Position, history: &[Position], limits: &Limits) -> Analysis {
        self.analyse_with(position, history, limits, &mut |_| {})
    }

    /// Searches as [`Engine::analyse`] does and hands on what is known after each iteration.
    ///
    /// # Panics
    ///
    /// If the position belongs to another variant.
    pub fn analyse_with(
        &mut self,
        position: &Position,
        history: &[Position],
        limits: &Limits,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        assert_eq!(position.variant(), self.variant, "an engine plays one variant");
        self.searcher.analyse(&Question { position, history, limits, lines: self.lines }, report)
    }
}

struct Make<'a>(&'a EngineSettings);

impl Task for Make<'_> {
    type Output = Box<dyn Searches>;

    fn run<R: Rules>(self, rules: R) -> Self::Output {
        Box::new(Searcher::<R::Board>::new(Box::new(Adapter(rules)), self.0))
    }
}
