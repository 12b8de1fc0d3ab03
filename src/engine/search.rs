//! Iterative deepening: deeper and deeper searches of the root, each with what the last one learned.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Analysis;
use super::clock::Clock;
use super::evaluation::Evaluation;
use super::generator::Generator;
use super::limits::Limits;
use super::node::{Node, Window};
use super::ordering::History;
use super::score::Score;
use super::table::Table;
use super::tree::{MAX_PLY, Ply, Tree};
use crate::board::Geometry;
use crate::rules::{Move, Position};

/// Deepest iteration.
const MAX_DEPTH: u32 = 100;
/// Half width of the first aspiration window, in centi-men.
const WINDOW: i32 = 15;
/// First iteration with an aspiration window.
const WINDOW_DEPTH: u32 = 4;
/// Beyond every score.
const INFINITE: i32 = Score::WIN + 1;

/// A search on some board.
pub(super) trait Searches: Send {
    fn stop_with(&mut self, flag: Arc<AtomicBool>);
    fn new_game(&mut self);
    fn analyse(
        &mut self,
        position: &Position,
        history: &[Position],
        limits: &Limits,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis;
}

/// The search on one board, with all that it keeps from one position to the next.
pub(super) struct Searcher<G: Geometry> {
    tree: Tree<G>,
    plies: Vec<Ply<G>>,
    flag: Arc<AtomicBool>,
}

impl<G: Geometry> Searcher<G> {
    pub(super) fn new(generator: Box<dyn Generator<G>>, megabytes: usize) -> Self {
        let flag: Arc<AtomicBool> = Arc::default();
        let tree = Tree {
            evaluation: Evaluation::new(generator.spec()),
            generator,
            table: Table::new(megabytes),
            history: History::new(MAX_PLY + 1),
            keys: Vec::new(),
            clock: Clock::start(Limits::default(), Arc::clone(&flag)),
        };
        Self { tree, plies: (0..=MAX_PLY).map(|_| Ply::default()).collect(), flag }
    }

    /// Deepens until a limit is reached or the value is proven; `found` is what is known without a search.
    fn deepen(&mut self, root: &Node<G>, mut found: Analysis, report: &mut dyn FnMut(&Analysis)) -> Analysis {
        let deepest = self.tree.clock.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        for depth in 1..=deepest {
            let value = self.aspire(root, depth, found.score.value());
            let complete = !self.tree.clock.stopped;
            let line = self.plies[0].line();
            if !line.is_empty() {
                found.line = line.iter().map(Move::from_step).collect();
                found.score = Score::from_value(value);
            }
            if !complete {
                break;
            }
            (found.depth, found.nodes) = (depth, self.tree.clock.nodes);
            report(&found);
            if found.score.plies_to_end().is_some_and(|plies| plies <= depth) {
                break;
            }
        }
        found.nodes = self.tree.clock.nodes;
        found
    }

    /// Searches with a narrow window around the last score and widens it as often as needed.
    fn aspire(&mut self, root: &Node<G>, depth: u32, guess: i32) -> i32 {
        let mut margin = if depth < WINDOW_DEPTH { 2 * INFINITE } else { WINDOW };
        let mut window = Window { alpha: (guess - margin).max(-INFINITE), beta: (guess + margin).min(INFINITE) };
        loop {
            let value = self.tree.search(&mut self.plies, root, depth as i32, window, 0);
            margin *= 4;
            if self.tree.clock.stopped {
                return value;
            } else if value <= window.alpha && window.alpha > -INFINITE {
                window.alpha = (value - margin).max(-INFINITE);
            } else if value >= window.beta && window.beta < INFINITE {
                window.beta = (value + margin).min(INFINITE);
            } else {
                return value;
            }
        }
    }
}

impl<G: Geometry> Searches for Searcher<G> {
    fn stop_with(&mut self, flag: Arc<AtomicBool>) {
        self.flag = flag;
    }

    fn new_game(&mut self) {
        self.tree.table.clear();
        self.tree.history.clear();
    }

    fn analyse(
        &mut self,
        position: &Position,
        history: &[Position],
        limits: &Limits,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let tree = &mut self.tree;
        tree.clock = Clock::start(*limits, Arc::clone(&self.flag));
        let root = Node::root(position.state::<G>(), &*tree.generator, &tree.evaluation, history.len());
        tree.keys = history.iter().map(Position::key).chain([root.key]).collect();
        let score = match position.winner() {
            Some(winner) if winner == position.turn() => Score::win_in(0),
            Some(_) => Score::loss_in(0),
            None => Score::centi_men(tree.evaluation.value(&root.state, root.sum)),
        };
        let line: Vec<_> = position.legal_moves().first().copied().into_iter().collect();
        let over = line.is_empty();
        let found = Analysis { score, line, depth: 0, nodes: 0 };
        if over { found } else { self.deepen(&root, found, report) }
    }
}
