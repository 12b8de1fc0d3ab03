//! The engine: searches a position for its score and its best moves. It never handles notation.
//!
//! Scores are from the point of view of the side to move; records turn them into evaluations from White's point of view.

mod analysis;
mod book;
mod clock;
mod endgames;
mod evaluation;
mod limit;
mod node;
mod options;
mod ordering;
mod parameters;
mod score;
mod search;
mod selectivity;
mod shots;
mod table;
mod tree;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use self::search::{Query, Search, Searcher};
use crate::egdb::EndgameTables;
use crate::rules::{Adapter, Move, Position, Rules, Task, Variant};

pub use analysis::{Analysis, ScoredLine};
pub(crate) use book::Book;
pub use clock::set_clock;
pub(crate) use evaluation::{EIGHT, EIGHTS, Features, Layout, PHASES, STEPS, TWELVE};
pub use evaluation::{Knowledge, Weights, WeightsError};
pub use limit::{GameClock, Limit, ParseClockError, ParseLimitError};
pub use options::{Asker, EngineOptions, MAX_LINES, MAX_THREADS, SearchFeatures, UnknownFeature, checked_lines};
pub use score::{ParseScoreError, Score};
pub use table::TableError;

/// An engine for one variant.
///
/// With one thread and a limit on depth or nodes, the same calls give the same results on every machine.
///
/// # Examples
///
/// ```
/// use pdn::engine::{Engine, Limit};
/// use pdn::rules::{Position, Variant};
///
/// let mut engine = Engine::new(Variant::ITALIAN);
/// let analysis = engine.analyse(&Position::start(Variant::ITALIAN), Limit::depth(5));
/// assert_eq!(analysis.depth(), 5);
/// assert_eq!(analysis.best_move(), analysis.pv().first().copied());
/// println!("{} after {} nodes", analysis.score(), analysis.nodes());
/// ```
pub struct Engine {
    variant: Variant,
    multipv: usize,
    root_moves: Vec<Move>,
    book: Option<Book>,
    search: Box<dyn Search>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("variant", &self.variant).finish_non_exhaustive()
    }
}

impl Engine {
    /// Returns an engine with the default options.
    pub fn new(variant: Variant) -> Self {
        Self::with_options(variant, EngineOptions::default())
    }

    /// Returns an engine with the given options.
    ///
    /// # Panics
    ///
    /// If the transposition table does not fit into memory.
    pub fn with_options(variant: Variant, options: EngineOptions) -> Self {
        Self::try_with_options(variant, options).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns an engine with the given options.
    ///
    /// # Errors
    ///
    /// If the transposition table does not fit into memory.
    pub fn try_with_options(variant: Variant, options: EngineOptions) -> Result<Self, TableError> {
        let tables = options.databases().tables(variant);
        let search = variant.dispatch(NewSearcher(options, tables))?;
        Ok(Self { variant, multipv: 1, root_moves: Vec::new(), book: None, search })
    }

    /// Sets the number of lines to find, at least one. Each further line costs about as much as the first.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::engine::{Engine, Limit};
    /// use pdn::rules::{Position, Variant};
    ///
    /// let mut engine = Engine::new(Variant::ENGLISH);
    /// engine.set_multipv(3);
    /// let analysis = engine.analyse(&Position::start(Variant::ENGLISH), Limit::depth(4));
    /// assert_eq!(analysis.lines().count(), 3);
    /// ```
    pub fn set_multipv(&mut self, lines: usize) {
        self.multipv = lines.max(1);
    }

    /// Sets the moves from which the next searches choose; without any, and where none of them is legal, they choose from all legal moves.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::engine::{Engine, Limit};
    /// use pdn::rules::{Position, Variant};
    ///
    /// let (mut engine, start) = (Engine::new(Variant::ENGLISH), Position::start(Variant::ENGLISH));
    /// let worst = start.legal_moves()[3];
    /// engine.set_root_moves(vec![worst]);
    /// assert_eq!(engine.analyse(&start, Limit::depth(4)).best_move(), Some(worst));
    /// ```
    pub fn set_root_moves(&mut self, moves: Vec<Move>) {
        self.root_moves = moves;
    }

    /// Sets the opening book for the moves that it plays. Searches do not use it.
    pub(crate) fn set_book(&mut self, book: Book) {
        self.book = Some(book);
    }

    /// Sets the number on which the moves from the opening book depend in the next game.
    pub(crate) const fn vary_book(&mut self, number: u64) {
        if let Some(book) = &mut self.book {
            book.set_seed(number);
        }
    }

    /// Returns the move of the opening book in a position, if it has one.
    pub(crate) fn book_move(&self, position: &Position) -> Option<Move> {
        self.book.as_ref()?.choose(position)
    }

    /// Returns the variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Sets a flag that another thread can set to stop a search; a stopped search returns its result so far.
    pub fn set_stop_flag(&mut self, flag: Arc<AtomicBool>) {
        self.search.set_stop_flag(flag);
    }

    /// Clears everything learned from earlier searches.
    pub fn new_game(&mut self) {
        self.search.new_game();
        if let Some(book) = &mut self.book {
            book.next_game();
        }
    }

    /// Searches a position.
    ///
    /// # Panics
    ///
    /// If the position belongs to another variant.
    pub fn analyse(&mut self, position: &Position, limit: Limit) -> Analysis {
        self.analyse_game(position, &[], limit)
    }

    /// Searches a position of a game. `history` holds the earlier positions, oldest first, for draws by repetition; those
    /// before the last capture or man move may be left out.
    ///
    /// # Panics
    ///
    /// If the position belongs to another variant.
    pub fn analyse_game(&mut self, position: &Position, history: &[Position], limit: Limit) -> Analysis {
        self.analyse_with(position, history, limit, &mut |_| {})
    }

    /// Searches as [`analyse_game`](Self::analyse_game) does and passes the result of each iteration to `report`.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::engine::{Engine, Limit};
    /// use pdn::rules::{Position, Variant};
    ///
    /// let (mut engine, mut depths) = (Engine::new(Variant::RUSSIAN), Vec::new());
    /// let start = Position::start(Variant::RUSSIAN);
    /// engine.analyse_with(&start, &[], Limit::depth(3), &mut |analysis| depths.push(analysis.depth()));
    /// assert_eq!(depths, [1, 2, 3]);
    /// ```
    ///
    /// # Panics
    ///
    /// If the position belongs to another variant.
    pub fn analyse_with(
        &mut self,
        position: &Position,
        history: &[Position],
        limit: Limit,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        assert_eq!(position.variant(), self.variant, "the position must belong to the variant of the engine");
        let Self { multipv, root_moves, search, .. } = self;
        search.analyse(&Query { position, history, limit, multipv: *multipv, root_moves }, report)
    }
}

struct NewSearcher(EngineOptions, EndgameTables);

impl Task for NewSearcher {
    type Output = Result<Box<dyn Search>, TableError>;

    fn run<R: Rules>(self, rules: R) -> Self::Output {
        Ok(Box::new(Searcher::<R::Board>::new(Box::new(Adapter(rules)), &self.0, &self.1)?))
    }
}
