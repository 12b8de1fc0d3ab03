//! Iterative deepening of the root on several threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::clock::{Clock, Signals};
use super::endgames::Endgames;
use super::evaluation::{Evaluate, evaluation};
use super::limit::Limit;
use super::node::{Node, Window};
use super::options::SearchFeatures;
use super::ordering::{BusyMoves, History};
use super::parameters::{
    ASPIRATION_DEPTH, ASPIRATION_GROWTH, ASPIRATION_WINDOW, FALL, MAX_DEPTH, MAX_PLY, STABLE_ITERATIONS,
};
use super::score::Score;
use super::table::{Table, TableError};
use super::tree::{Ply, Target, Tree};
use super::{Analysis, EngineOptions, ScoredLine};
use crate::board::Geometry;
use crate::egdb::{BoardTables, EndgameTables};
use crate::rules::{Generator, LegalMoves, Move, MoveList, Position, Step};

/// Depth of the search for a quick end where a line to a capture or promotion is known already: the tables convert in the
/// fewest moves, which is not always the shortest way to the end.
const QUICK_DEPTH: u32 = 9;

/// Minimum length of a line, in plies, as far as the table knows its moves: a line ends where an earlier search has the score.
const LEAST_LINE: usize = 6;

/// True if a search may start threads.
const SPAWNS: bool = cfg!(all(feature = "parallel", not(target_family = "wasm")));

/// A bound beyond every score.
const INFINITE: i32 = Score::WIN + 1;

/// A search on any board.
pub(super) trait Search: Send {
    fn set_stop_flag(&mut self, flag: Arc<AtomicBool>);

    fn new_game(&mut self);
    fn analyse(&mut self, query: &Query<'_>, report: &mut dyn FnMut(&Analysis)) -> Analysis;
}

/// A position to search, with the parameters of the search.
pub(super) struct Query<'a> {
    pub(super) position: &'a Position,
    /// The earlier positions of the game, oldest first.
    pub(super) history: &'a [Position],
    pub(super) limit: Limit,
    /// Number of lines to find.
    pub(super) multipv: usize,
    /// The moves to choose from; none for all legal moves.
    pub(super) root_moves: &'a [Move],
}

impl Query<'_> {
    /// Returns the legal moves to choose from.
    fn moves(&self) -> LegalMoves {
        let mut moves = self.position.legal_moves();
        if moves.iter().any(|step| self.root_moves.contains(step)) {
            moves.retain(|step| self.root_moves.contains(step));
        }
        moves
    }
}

/// The state of one thread that lasts from one search to the next.
struct Worker<G: Geometry> {
    history: History,
    plies: Vec<Ply<G>>,
}

/// The search on one board with all state that lasts from one position to the next.
pub(super) struct Searcher<G: Geometry> {
    generator: Box<dyn Generator<G>>,
    evaluation: Box<dyn Evaluate<G>>,
    table: Table,
    busy: BusyMoves,
    workers: Vec<Worker<G>>,
    features: SearchFeatures,
    tables: Option<Arc<BoardTables<G>>>,
    stop: Arc<AtomicBool>,
}

impl<G: Geometry> Searcher<G> {
    pub(super) fn new(
        generator: Box<dyn Generator<G>>,
        options: &EngineOptions,
        tables: &EndgameTables,
    ) -> Result<Self, TableError> {
        let worker = || Worker { history: History::new(), plies: (0..=MAX_PLY).map(|_| Ply::default()).collect() };
        Ok(Self {
            evaluation: evaluation(generator.spec(), &options.knowledge),
            generator,
            table: Table::new(options.hash_mb)?,
            busy: BusyMoves::new(),
            workers: (0..if SPAWNS { options.threads.max(1) } else { 1 }).map(|_| worker()).collect(),
            features: options.features,
            tables: tables.typed(),
            stop: Arc::default(),
        })
    }
}

/// Returns the known result for a position without a search.
fn static_analysis<G: Geometry>(
    position: &Position,
    moves: &[Move],
    root: &Node<G>,
    evaluation: &dyn Evaluate<G>,
) -> Analysis {
    let score = match position.winner() {
        Some(winner) if winner == position.turn() => Score::win_in(0),
        Some(_) => Score::loss_in(0),
        None => Score::centi_men(evaluation.score(&root.state, root.sum)),
    };
    Analysis::new(score, moves.first().copied().into_iter().collect(), 0, 0)
}

impl<G: Geometry> Search for Searcher<G> {
    fn set_stop_flag(&mut self, flag: Arc<AtomicBool>) {
        self.stop = flag;
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(|worker| worker.history.clear());
    }

    fn analyse(&mut self, query: &Query<'_>, report: &mut dyn FnMut(&Analysis)) -> Analysis {
        let mut report = |analysis: &Analysis| report(&analysis.clone().reported());
        let endgames = self.tables.as_ref().filter(|_| self.features.contains(SearchFeatures::ENDGAMES));
        let endgames = endgames.and_then(|tables| Endgames::new(tables, &query.position.state()));
        // The tables have one best line; the others of several, and those of chosen moves, need a search.
        let best_line = endgames.as_ref().filter(|_| query.multipv == 1 && query.root_moves.is_empty());
        match best_line.and_then(|known| known.analysis(&query.position.state(), &query.limit)) {
            Some(best_line) => self.improve(best_line, query, &mut report),
            None => self.search(query, endgames.as_ref(), &mut report),
        }
        .reported()
    }
}

impl<G: Geometry> Searcher<G> {
    /// Searches for a quick end of a position with a known best line to a capture or promotion.
    fn improve(&mut self, known: Analysis, query: &Query<'_>, report: &mut dyn FnMut(&Analysis)) -> Analysis {
        if known.score().plies_to_end().is_none() {
            let depth = query.limit.depth.map_or(QUICK_DEPTH, |depth| depth.min(QUICK_DEPTH));
            let limit = Limit { depth: Some(depth), ..query.limit };
            // Without the tables, which would cut off every line before its end is seen.
            let found = self.search(&Query { limit, ..*query }, None, report);
            if found.score().plies_to_end().is_some() {
                return found;
            }
        }
        report(&known);
        known
    }

    /// Searches a position.
    fn search(
        &mut self,
        query: &Query<'_>,
        endgames: Option<&Endgames<G>>,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let Query { position, history, limit, .. } = *query;
        self.table.next_search();
        let signals = Signals { stop: Arc::clone(&self.stop), ..Signals::default() };
        let (generator, evaluation) = (&*self.generator, &*self.evaluation);
        let root = Node::root(position.state::<G>(), generator, evaluation, history.len());
        let keys = history.iter().map(Position::key).chain([root.key]).collect();
        let moves = query.moves();
        let known = static_analysis(position, &moves, &root, evaluation);
        if known.pv().is_empty() {
            return known;
        }
        let mut barred = MoveList::default();
        generator.moves(&root.state, &mut barred);
        let barred: Vec<_> =
            barred.as_slice().iter().filter(|step| !moves.contains(&Move::from_step(step))).copied().collect();
        let (table, features) = (&self.table, self.features);
        let busy = (self.workers.len() > 1).then_some(&self.busy);
        let start = Start { generator, evaluation, table, busy, features, endgames, root, keys, known, barred };
        let Some((main, helpers)) = self.workers.split_first_mut() else { return start.known };
        thread::scope(|scope| {
            let _stop = StopHelpers(&signals.finished);
            for (n, worker) in helpers.iter_mut().enumerate() {
                let mut helper = start.with(worker, Clock::start(limit, signals.clone()));
                // Every other helper starts a ply deeper, so that the threads do not repeat each other's work.
                let first = 1 + (n as u32 + 1) % 2;
                // It fills the table for the main thread until that has finished.
                scope.spawn(move || (first..=MAX_DEPTH).all(|depth| helper.iterate(depth, 1)));
            }
            start.with(main, Clock::start(limit, signals.clone())).run_main(query, report)
        })
    }
}

/// Stops the helper threads when the main thread finishes or panics.
struct StopHelpers<'a>(&'a AtomicBool);

impl Drop for StopHelpers<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The state from which all threads start.
struct Start<'a, G: Geometry> {
    generator: &'a dyn Generator<G>,
    evaluation: &'a dyn Evaluate<G>,
    table: &'a Table,
    busy: Option<&'a BusyMoves>,
    features: SearchFeatures,
    endgames: Option<&'a Endgames<G>>,
    root: Node<G>,
    keys: Vec<u64>,
    known: Analysis,
    /// The moves of the root that are not searched.
    barred: Vec<Step<G>>,
}

impl<'a, G: Geometry> Start<'a, G> {
    fn with(&self, worker: &'a mut Worker<G>, clock: Clock) -> Deepening<'a, G> {
        let Self { generator, evaluation, table, busy, features, endgames, root, .. } = *self;
        let Worker { history, plies } = worker;
        let keys = self.keys.clone();
        let tree = Tree { generator, evaluation, table, history, features, endgames, keys, clock, busy };
        let barred = self.barred.clone();
        Deepening { tree, plies, root, found: self.known.clone(), last_change: 0, falls: false, barred }
    }
}

/// Iterative deepening by one thread.
struct Deepening<'a, G: Geometry> {
    tree: Tree<'a, G>,
    plies: &'a mut [Ply<G>],
    root: Node<G>,
    found: Analysis,
    /// Depth at which the best move last changed.
    last_change: u32,
    /// True if the last iteration lowered the score.
    falls: bool,
    /// The moves of the root that are not searched.
    barred: Vec<Step<G>>,
}

impl<G: Geometry> Deepening<'_, G> {
    /// Searches to increasing depths until a limit is reached or the score is proven.
    fn run_main(mut self, query: &Query<'_>, report: &mut dyn FnMut(&Analysis)) -> Analysis {
        let moves = query.moves().len();
        let max_depth = query.limit.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        for depth in 1..=max_depth {
            let before = self.found.score();
            let complete = self.iterate(depth, query.multipv.clamp(1, moves));
            self.falls = self.found.score().value() <= before.value() - FALL;
            self.found.nodes = self.tree.clock.all_nodes();
            if !complete {
                break;
            }
            self.correct();
            self.lengthen(query.position);
            self.found.depth = depth;
            report(&self.found);
            if self.is_proven(depth) || self.has_used_target_time(query.limit, depth, moves) {
                break;
            }
        }
        // The last iteration may have been interrupted after it found another best line.
        self.correct();
        self.lengthen(query.position);
        self.found
    }

    /// Brings the score of the best line into agreement with the endgame tables.
    fn correct(&mut self) {
        if let Some(endgames) = self.tree.endgames.filter(|_| self.barred.is_empty()) {
            self.found.best.score = endgames.corrected(&self.root.state, self.found.best.score);
        }
    }

    /// Continues short lines with forced moves, and with those that the table has as the best ones.
    fn lengthen(&mut self, start: &Position) {
        let mut list = MoveList::default();
        for ScoredLine { moves, .. } in std::iter::once(&mut self.found.best).chain(&mut self.found.others) {
            let mut position = moves.iter().fold(*start, |position, step| position.play_unchecked(step));
            while (1..LEAST_LINE).contains(&moves.len()) {
                self.tree.generator.moves(&position.state(), &mut list);
                let best = match list.as_slice() {
                    [only] => Some(only),
                    steps => {
                        let known = self.tree.table.find(position.key()).map(|entry| entry.best);
                        known.and_then(|best| steps.iter().find(|step| best.matches(step)))
                    }
                };
                let Some(next) = best.map(Move::from_step) else { break };
                position = position.play_unchecked(&next);
                moves.push(next);
            }
        }
    }

    fn is_proven(&self, depth: u32) -> bool {
        let mut scores = self.found.lines().map(ScoredLine::score);
        // Extensions see wins beyond the depth. A shorter one is excluded only when the depth has reached the distance.
        scores.all(|score| score.plies_to_end().is_some_and(|plies| plies <= depth))
    }

    /// Returns true if, on a game clock, another iteration is not worth its time. A search with a falling score gets more time.
    fn has_used_target_time(&self, limit: Limit, depth: u32, moves: usize) -> bool {
        let Some(target) = limit.budget().and_then(|budget| budget.target) else { return false };
        let stable = depth >= self.last_change + STABLE_ITERATIONS;
        let enough = match (self.falls, stable) {
            (true, _) => 2 * target,
            (false, true) => target / 2,
            (false, false) => target,
        };
        // A forced move needs no more thought than one iteration, which gives it a score.
        moves == 1 || self.tree.clock.elapsed() >= enough
    }

    /// Searches the best lines to a depth. Returns false if the search was stopped.
    fn iterate(&mut self, depth: u32, multipv: usize) -> bool {
        let mut lines = Vec::with_capacity(multipv);
        self.plies[0].excluded.clone_from(&self.barred);
        for n in 0..multipv {
            let guess = match n.checked_sub(1) {
                None => self.found.score(),
                // The n-th line had about this score in the iteration before.
                Some(n) => self.found.others.get(n).map_or(self.found.score(), ScoredLine::score),
            };
            let score = self.aspire(depth, guess.value());
            let pv = self.plies[0].pv.clone();
            // Empty if the search was stopped before it completed the first move of this line.
            let Some(&first) = pv.first() else { break };
            let moves = pv.iter().map(Move::from_step).collect();
            lines.push(ScoredLine { score: Score::from_value(score), moves });
            if self.tree.clock.stopped {
                break;
            }
            self.plies[0].excluded.push(first);
        }
        self.plies[0].excluded.clear();
        if !self.tree.clock.stopped {
            // A later line may have the higher score: it was searched in another window, with more in the table.
            lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        }
        self.update(lines, depth);
        !self.tree.clock.stopped
    }

    /// Adopts the lines of an iteration, even an interrupted one.
    fn update(&mut self, lines: Vec<ScoredLine>, depth: u32) {
        let mut lines = lines.into_iter();
        let Some(best) = lines.next() else { return };
        if self.found.best.moves.first() != best.moves.first() {
            self.last_change = depth;
        }
        let before = std::mem::replace(&mut self.found.best, best);
        if self.tree.clock.stopped {
            // The other lines come from the previous iteration, without the current best move.
            let (best, count) = (self.found.best_move(), self.found.others.len());
            self.found.others.insert(0, before);
            self.found.others.retain(|line| line.moves.first().copied() != best);
            self.found.others.truncate(count);
        } else {
            self.found.others = lines.collect();
        }
    }

    /// Searches with an aspiration window around the last score and widens it as often as needed.
    fn aspire(&mut self, depth: u32, guess: i32) -> i32 {
        let aspires = depth >= ASPIRATION_DEPTH && self.tree.features.contains(SearchFeatures::ASPIRATION);
        let mut margin = if aspires { ASPIRATION_WINDOW } else { 2 * INFINITE };
        let mut window = Window { alpha: (guess - margin).max(-INFINITE), beta: (guess + margin).min(INFINITE) };
        loop {
            let score = self.tree.search(self.plies, &self.root, Target { depth: depth as i32, window, ply: 0 });
            margin *= ASPIRATION_GROWTH;
            if self.tree.clock.stopped {
                return score;
            } else if score <= window.alpha && window.alpha > -INFINITE {
                // Widened from the score of the failed search, which is nearer to the truth than the guess.
                window.alpha = (score - margin).max(-INFINITE);
            } else if score >= window.beta && window.beta < INFINITE {
                window.beta = (score + margin).min(INFINITE);
            } else {
                return score;
            }
        }
    }
}
