//! Iterative deepening: deeper and deeper searches of the root, each with what the last one learned, on several threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::clock::{Clock, Signals};
use super::evaluation::{Evaluate, HandMade};
use super::generator::Generator;
use super::limits::Limits;
use super::node::{Node, Window};
use super::ordering::History;
use super::parts::{Part, Parts};
use super::score::Score;
use super::table::Table;
use super::tree::{MAX_PLY, Ply, Task, Tree};
use super::{Analysis, EngineSettings, Line};
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
/// Iterations with the same best move after which half the fair time is enough.
const SETTLED: u32 = 5;

/// A search on some board.
pub(super) trait Searches: Send {
    fn stop_with(&mut self, flag: Arc<AtomicBool>);
    fn new_game(&mut self);
    fn analyse(&mut self, question: &Question<'_>, report: &mut dyn FnMut(&Analysis)) -> Analysis;
}

/// What is asked.
pub(super) struct Question<'a> {
    pub(super) position: &'a Position,
    /// The positions before it, oldest first.
    pub(super) history: &'a [Position],
    pub(super) limits: &'a Limits,
    /// Number of best moves wanted.
    pub(super) lines: usize,
}

/// What one thread keeps from one search to the next.
struct Worker<G: Geometry> {
    history: History,
    plies: Vec<Ply<G>>,
}

/// The search on one board, with all that it keeps from one position to the next.
pub(super) struct Searcher<G: Geometry> {
    generator: Box<dyn Generator<G>>,
    evaluation: Box<dyn Evaluate<G>>,
    table: Table,
    workers: Vec<Worker<G>>,
    parts: Parts,
    stop: Arc<AtomicBool>,
}

impl<G: Geometry> Searcher<G> {
    pub(super) fn new(generator: Box<dyn Generator<G>>, settings: &EngineSettings) -> Self {
        let worker = || Worker { history: History::new(), plies: (0..=MAX_PLY).map(|_| Ply::default()).collect() };
        Self {
            evaluation: Box::new(HandMade::new(generator.spec())),
            generator,
            table: Table::new(settings.megabytes),
            workers: (0..settings.threads.max(1)).map(|_| worker()).collect(),
            parts: settings.parts,
            stop: Arc::default(),
        }
    }
}

/// What is known without a search.
fn at_sight<G: Geometry>(position: &Position, root: &Node<G>, evaluation: &dyn Evaluate<G>) -> Analysis {
    let score = match position.winner() {
        Some(winner) if winner == position.turn() => Score::win_in(0),
        Some(_) => Score::loss_in(0),
        None => Score::centi_men(evaluation.value(&root.state, root.sum)),
    };
    let line = position.legal_moves().first().copied().into_iter().collect();
    Analysis { score, line, others: Vec::new(), depth: 0, nodes: 0 }
}

impl<G: Geometry> Searches for Searcher<G> {
    fn stop_with(&mut self, flag: Arc<AtomicBool>) {
        self.stop = flag;
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(|worker| worker.history.clear());
    }

    fn analyse(&mut self, question: &Question<'_>, report: &mut dyn FnMut(&Analysis)) -> Analysis {
        let Question { position, history, limits, .. } = *question;
        self.table.next_search();
        let signals = Signals { stop: Arc::clone(&self.stop), ..Signals::default() };
        let (generator, evaluation) = (&*self.generator, &*self.evaluation);
        let root = Node::root(position.state::<G>(), generator, evaluation, history.len());
        let keys = history.iter().map(Position::key).chain([root.key]).collect();
        let found = at_sight(position, &root, evaluation);
        if found.line.is_empty() {
            return found;
        }
        let start = Start { generator, evaluation, table: &self.table, parts: self.parts, root, keys, found };
        let Some((first, others)) = self.workers.split_first_mut() else { return start.found };
        thread::scope(|scope| {
            let _finish = Finish(&signals.finished);
            for (n, worker) in others.iter_mut().enumerate() {
                let mut helper = start.with(worker, Clock::start(limits, signals.clone()));
                // Odd helpers are a ply ahead, so that the threads do not all do the same work at the same time.
                scope.spawn(move || helper.follow(1 + (n as u32 + 1) % 2));
            }
            start.with(first, Clock::start(limits, signals.clone())).lead(question, report)
        })
    }
}

/// Sends the other threads home when the leading one is done, also if it comes to grief.
struct Finish<'a>(&'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What all threads begin with.
struct Start<'a, G: Geometry> {
    generator: &'a dyn Generator<G>,
    evaluation: &'a dyn Evaluate<G>,
    table: &'a Table,
    parts: Parts,
    root: Node<G>,
    keys: Vec<u64>,
    found: Analysis,
}

impl<'a, G: Geometry> Start<'a, G> {
    fn with(&self, worker: &'a mut Worker<G>, clock: Clock) -> Deepening<'a, G> {
        let Self { generator, evaluation, table, parts, root, .. } = *self;
        let Worker { history, plies } = worker;
        let tree = Tree { generator, evaluation, table, history, parts, keys: self.keys.clone(), clock };
        Deepening { tree, plies, root, found: self.found.clone(), last_change: 0 }
    }
}

/// The work of one thread on one position.
struct Deepening<'a, G: Geometry> {
    tree: Tree<'a, G>,
    plies: &'a mut [Ply<G>],
    root: Node<G>,
    found: Analysis,
    /// Depth at which the best move changed last.
    last_change: u32,
}

impl<G: Geometry> Deepening<'_, G> {
    /// Deepens until a limit is reached or the value is proven.
    fn lead(mut self, question: &Question<'_>, report: &mut dyn FnMut(&Analysis)) -> Analysis {
        let moves = question.position.legal_moves().len();
        let deepest = question.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        for depth in 1..=deepest {
            let complete = self.iterate(depth, question.lines.clamp(1, moves));
            self.found.nodes = self.tree.clock.all_nodes();
            if !complete {
                break;
            }
            self.found.depth = depth;
            report(&self.found);
            if self.is_proven(depth) || self.has_thought_enough(question.limits, depth, moves) {
                break;
            }
        }
        self.found
    }

    /// Fills the table for the leading thread until it has finished.
    fn follow(&mut self, first: u32) {
        for depth in first..=MAX_DEPTH {
            if !self.iterate(depth, 1) {
                return;
            }
        }
    }

    fn is_proven(&self, depth: u32) -> bool {
        let scores = self.found.others.iter().map(|line| line.score).chain([self.found.score]);
        scores.into_iter().all(|score| score.plies_to_end().is_some_and(|plies| plies <= depth))
    }

    /// Whether another iteration is not worth its time on the clock of a game.
    fn has_thought_enough(&self, limits: &Limits, depth: u32, moves: usize) -> bool {
        let Some(fair) = limits.budget().and_then(|budget| budget.fair) else { return false };
        let settled = depth >= self.last_change + SETTLED;
        let enough = if settled { fair / 2 } else { fair };
        moves == 1 || self.tree.clock.elapsed() >= enough
    }

    /// Searches the best lines to a depth; returns whether it was finished.
    fn iterate(&mut self, depth: u32, lines: usize) -> bool {
        let mut best = Vec::with_capacity(lines);
        self.plies[0].excluded.clear();
        for n in 0..lines {
            let guess = match n.checked_sub(1) {
                None => self.found.score,
                Some(n) => self.found.others.get(n).map_or(self.found.score, |line| line.score),
            };
            let value = self.aspire(depth, guess.value());
            let line = self.plies[0].line.clone();
            let Some(&first) = line.first() else { break };
            let moves = line.iter().map(Move::from_step).collect();
            best.push(Line { score: Score::from_value(value), moves });
            if self.tree.clock.stopped {
                break;
            }
            self.plies[0].excluded.push(first);
        }
        self.plies[0].excluded.clear();
        if !self.tree.clock.stopped {
            best.sort_by_key(|line| std::cmp::Reverse(line.score));
        }
        self.keep(best, depth);
        !self.tree.clock.stopped
    }

    /// Keeps the lines that were searched, also those of an iteration that was cut.
    fn keep(&mut self, lines: Vec<Line>, depth: u32) {
        let mut lines = lines.into_iter();
        let Some(Line { score, moves }) = lines.next() else { return };
        if self.found.line.first() != moves.first() {
            self.last_change = depth;
        }
        (self.found.score, self.found.line) = (score, moves);
        if self.tree.clock.stopped {
            let best = self.found.line.first().copied();
            self.found.others.retain(|line| line.moves.first().copied() != best);
        } else {
            self.found.others = lines.collect();
        }
    }

    /// Searches with a narrow window around the last score and widens it as often as needed.
    fn aspire(&mut self, depth: u32, guess: i32) -> i32 {
        let narrow = depth >= WINDOW_DEPTH && self.tree.parts.has(Part::Aspiration);
        let mut margin = if narrow { WINDOW } else { 2 * INFINITE };
        let mut window = Window { alpha: (guess - margin).max(-INFINITE), beta: (guess + margin).min(INFINITE) };
        loop {
            let value = self.tree.search(self.plies, &self.root, Task { depth: depth as i32, window, ply: 0 });
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
