//! The search: what a position is worth and which move is best. It never sees text.
//!
//! Scores are seen from the side to move here; records turn them to White's point of view.

mod clock;
mod evaluation;
mod generator;
mod limits;
mod node;
mod ordering;
mod score;
mod search;
mod table;
mod tree;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use self::generator::Adapter;
use self::search::{Searcher, Searches};
use crate::rules::{Move, Position, Rules, Task, Variant};

pub use limits::Limits;
pub use score::Score;

/// What the search found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Value for the side to move.
    pub score: Score,
    /// Principal variation: the best move and what is expected to follow. Empty where there is no legal move.
    pub line: Vec<Move>,
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

/// A single-threaded engine for one variant.
///
/// With limits on depth or nodes the same calls give the same answers on every machine.
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
    searcher: Box<dyn Searches>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("variant", &self.variant).finish_non_exhaustive()
    }
}

impl Engine {
    /// Returns an engine with a transposition table of about this many megabytes (2²⁰ bytes), at least one.
    pub fn new(variant: Variant, megabytes: usize) -> Self {
        Self { variant, searcher: variant.dispatch(Make { megabytes }) }
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
        self.searcher.analyse(position, history, limits, report)
    }
}

struct Make {
    megabytes: usize,
}

impl Task for Make {
    type Output = Box<dyn Searches>;

    fn run<R: Rules>(self, rules: R) -> Self::Output {
        Box::new(Searcher::<R::Board>::new(Box::new(Adapter(rules)), self.megabytes))
    }
}
