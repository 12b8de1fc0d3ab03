//! Iterative deepening principal variation search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::evaluation::{Evaluation, Sum};
use super::generator::Generator;
use super::limits::Limits;
use super::ordering::{History, pick};
use super::score::Score;
use super::table::{Bound, Entry, Table};
use super::{Analysis, generator};
use crate::board::Geometry;
use crate::rules::{DrawCounters, Goal, Move, MoveList, Position, State, Step, key_after, position_key};

/// Deepest line from the root, in plies.
const MAX_PLY: usize = 120;
/// Deepest iteration.
const MAX_DEPTH: u32 = 100;
/// Beyond every score.
const INFINITE: i32 = Score::WIN + 1;
/// Half width of the first aspiration window, in centi-men.
const WINDOW: i32 = 15;
/// First iteration with an aspiration window.
const WINDOW_DEPTH: u32 = 4;
/// Plies behind the horizon in which a threat to capture is still answered with all moves.
const THREAT_PLIES: i32 = 2;
/// Least depth at which a much shallower search may decide.
const PROBE_DEPTH: i32 = 3;
/// By how much it must exceed the window, in centi-men for each ply of depth.
const PROBE_MARGIN: i32 = 10;
/// Positions between two looks at the clock and the stop flag.
const CLOCK_INTERVAL: u64 = 1024;

/// A search on some board.
pub(super) trait Searches: Send {
    fn stop_with(&mut self, flag: Arc<AtomicBool>);
    fn new_game(&mut self);
    fn analyse(&mut self, position: &Position, history: &[Position], limits: &Limits) -> Analysis;
}

/// A position on the way down.
#[derive(Clone, Copy)]
struct Node<G: Geometry> {
    state: State<G>,
    key: u64,
    sum: Sum,
    draws: DrawCounters,
}

/// Scores between which the search must tell the truth.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    const fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    const fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Buffers of one ply, kept from node to node.
struct Ply<G: Geometry> {
    list: MoveList<G>,
    ratings: Vec<i32>,
    line: Vec<Step<G>>,
}

/// The search on one board.
pub(super) struct Searcher<G: Geometry> {
    generator: Box<dyn Generator<G>>,
    evaluation: Evaluation<G>,
    table: Table,
    history: History,
    plies: Vec<Ply<G>>,
    /// Keys of the positions of the game and of the line searched, oldest first.
    keys: Vec<u64>,
    nodes: u64,
    clock: Clock,
}

/// What ends a search before its depth.
struct Clock {
    limits: Limits,
    started: Instant,
    flag: Arc<AtomicBool>,
    stopped: bool,
}

impl Clock {
    fn check(&mut self, nodes: u64) {
        if self.limits.nodes.is_some_and(|most| nodes >= most) {
            self.stopped = true;
        }
        if nodes.is_multiple_of(CLOCK_INTERVAL) {
            let late = self.limits.time.is_some_and(|most| self.started.elapsed() >= most);
            self.stopped |= late || self.flag.load(Ordering::Relaxed);
        }
    }
}

impl<G: Geometry> Searcher<G> {
    pub(super) fn new(generator: Box<dyn generator::Generator<G>>, megabytes: usize) -> Self {
        let evaluation = Evaluation::new(generator.spec());
        let buffers = || Ply { list: MoveList::default(), ratings: Vec::new(), line: Vec::new() };
        Self {
            generator,
            evaluation,
            table: Table::new(megabytes),
            history: History::new(MAX_PLY + 1),
            plies: (0..=MAX_PLY).map(|_| buffers()).collect(),
            keys: Vec::new(),
            nodes: 0,
            clock: Clock { limits: Limits::default(), started: Instant::now(), flag: Arc::default(), stopped: false },
        }
    }

    fn root(&self, position: &Position) -> Node<G> {
        let state = position.state::<G>();
        let draws = DrawCounters::start(self.generator.spec(), &state);
        Node { key: position_key(&state), sum: self.evaluation.sum(&state), draws, state }
    }

    /// Deepens until a limit is reached or the value is proven; `found` is what is known without a search.
    fn deepen(&mut self, root: &Node<G>, mut found: Analysis) -> Analysis {
        let deepest = self.clock.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        for depth in 1..=deepest {
            let value = self.aspire(root, depth, found.score.value());
            let complete = !self.clock.stopped;
            if complete || !self.plies[0].line.is_empty() {
                found.line = self.plies[0].line.iter().map(Move::from_step).collect();
                found.score = value.map_or(found.score, Score::from_value);
            }
            if !complete {
                break;
            }
            found.depth = depth;
            if found.score.plies_to_end().is_some_and(|plies| plies <= depth) {
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    /// Searches with a narrow window around the last score and widens it as often as needed; `None` if stopped before the
    /// first move was searched.
    fn aspire(&mut self, root: &Node<G>, depth: u32, guess: i32) -> Option<i32> {
        let mut margin = if depth < WINDOW_DEPTH { 2 * INFINITE } else { WINDOW };
        let mut window = Window { alpha: (guess - margin).max(-INFINITE), beta: (guess + margin).min(INFINITE) };
        loop {
            let value = self.search(root, depth as i32, window, 0);
            if self.clock.stopped {
                return (!self.plies[0].line.is_empty()).then_some(value);
            }
            margin *= 4;
            if value <= window.alpha && window.alpha > -INFINITE {
                window.alpha = (value - margin).max(-INFINITE);
            } else if value >= window.beta && window.beta < INFINITE {
                window.beta = (value + margin).min(INFINITE);
            } else {
                return Some(value);
            }
        }
    }

    /// Returns the value of a position for the side to move, searched to a depth in plies.
    fn search(&mut self, node: &Node<G>, depth: i32, window: Window, ply: usize) -> i32 {
        self.plies[ply].line.clear();
        if !self.clock.stopped {
            self.nodes += 1;
            self.clock.check(self.nodes);
        }
        if self.clock.stopped {
            return 0;
        }
        if ply > 0 && self.is_draw(node) {
            return 0;
        }
        let mut list = std::mem::take(&mut self.plies[ply].list);
        self.generator.moves(&node.state, &mut list);
        let value = self.with_moves(node, &mut list, depth, window, ply);
        self.plies[ply].list = list;
        value
    }

    fn is_draw(&self, node: &Node<G>) -> bool {
        // The last key is the node's own; the same side is to move at every second one before it.
        let repeated = self.keys.iter().rev().skip(2).step_by(2).any(|&key| key == node.key);
        repeated || node.draws.is_draw(self.generator.spec(), &node.state)
    }

    fn with_moves(&mut self, node: &Node<G>, list: &mut MoveList<G>, depth: i32, window: Window, ply: usize) -> i32 {
        let steps = list.as_mut_slice();
        let Some(first) = steps.first() else { return self.end_of_game(ply) };
        let (captures, single) = (first.is_capture(), steps.len() == 1);
        if ply >= MAX_PLY {
            return self.evaluation.value(&node.state, node.sum);
        }
        let depth = if single { depth.max(0) + i32::from(ply > 0) } else { depth };
        if depth <= 0 && !captures && (depth <= -THREAT_PLIES || !self.is_threatened(node)) {
            return self.evaluation.value(&node.state, node.sum);
        }
        let stored = self.table.find(node.key);
        if let Some(value) = stored.and_then(|entry| usable(&entry, depth, window, ply))
            && ply > 0
        {
            return value;
        }
        if let Some(value) = self.surely_too_good(node, steps, depth, window, ply, stored) {
            return value;
        }
        self.try_all(node, steps, depth, window, ply, stored)
    }

    /// Returns a value above the window if a much shallower search is above it by a margin (the idea of `ProbCut`).
    fn surely_too_good(
        &mut self,
        node: &Node<G>,
        steps: &mut [Step<G>],
        depth: i32,
        window: Window,
        ply: usize,
        stored: Option<Entry>,
    ) -> Option<i32> {
        if ply == 0 || depth < PROBE_DEPTH || !window.is_null() || window.beta.abs() > Score::LIMIT {
            return None;
        }
        let target = window.beta + PROBE_MARGIN * depth;
        let value = self.try_all(node, steps, depth * 2 / 5, Window::null(target - 1), ply, stored);
        (value >= target && !self.clock.stopped).then_some(value - PROBE_MARGIN * depth)
    }

    /// Whether the other side could capture if it were its turn.
    fn is_threatened(&self, node: &Node<G>) -> bool {
        let passed = State { turn: !node.state.turn, ..node.state };
        self.generator.can_capture(&passed)
    }

    fn end_of_game(&self, ply: usize) -> i32 {
        let lost = -Score::WIN + ply as i32;
        if self.generator.spec().goal == Goal::Lose { -lost } else { lost }
    }

    fn try_all(
        &mut self,
        node: &Node<G>,
        steps: &mut [Step<G>],
        depth: i32,
        window: Window,
        ply: usize,
        stored: Option<Entry>,
    ) -> i32 {
        let side = node.state.turn.index();
        let mut ratings = std::mem::take(&mut self.plies[ply].ratings);
        self.history.rate(side, ply, steps, stored.as_ref(), &mut ratings);
        let (mut best, mut best_at, mut alpha) = (-INFINITE, None, window.alpha);
        for n in 0..steps.len() {
            pick(steps, &mut ratings, n);
            let step = steps[n];
            let value = self.try_one(node, &step, depth, Window { alpha, ..window }, ply, n);
            if self.clock.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha || ply == 0 && n == 0 {
                    best_at = Some(n);
                    alpha = alpha.max(value);
                    self.keep_line(ply, step);
                }
            }
            if alpha >= window.beta {
                if !step.is_capture() {
                    self.history.reward(side, ply, depth, &step, &steps[..n]);
                }
                break;
            }
        }
        self.plies[ply].ratings = ratings;
        if !self.clock.stopped {
            let bound = bound_of(best, window);
            self.table.store(node.key, depth, to_table(best, ply), bound, best_at.map(|n| &steps[n]));
        }
        best
    }

    fn try_one(&mut self, node: &Node<G>, step: &Step<G>, depth: i32, window: Window, ply: usize, n: usize) -> i32 {
        let child = self.child(node, step);
        self.keys.push(child.key);
        // Captures are forced; behind the horizon they cost no depth, or exchanges would be cut in the middle.
        let next = if depth <= 0 && step.is_capture() { depth } else { depth - 1 };
        let value = if n == 0 {
            -self.search(&child, next, window.turned(), ply + 1)
        } else {
            self.try_later(&child, step, next, window, ply, n)
        };
        self.keys.pop();
        value
    }

    /// Tests with a null window, first reduced, whether a later move is better than the best so far.
    fn try_later(&mut self, child: &Node<G>, step: &Step<G>, next: i32, window: Window, ply: usize, n: usize) -> i32 {
        let null = Window::null(window.alpha).turned();
        let reduction = reduction(step, next, window, n);
        let mut value = -self.search(child, next - reduction, null, ply + 1);
        if value > window.alpha && reduction > 0 {
            value = -self.search(child, next, null, ply + 1);
        }
        if value > window.alpha && value < window.beta {
            value = -self.search(child, next, window.turned(), ply + 1);
        }
        value
    }

    fn child(&self, node: &Node<G>, step: &Step<G>) -> Node<G> {
        let state = self.generator.play(&node.state, step);
        Node {
            key: key_after(node.key, &node.state, step),
            sum: self.evaluation.after(node.sum, &node.state, step),
            draws: node.draws.after(self.generator.spec(), &node.state, step, &state),
            state,
        }
    }

    /// Makes a move and what follows it the principal variation of its ply.
    fn keep_line(&mut self, ply: usize, step: Step<G>) {
        let (upper, lower) = self.plies.split_at_mut(ply + 1);
        let line = &mut upper[ply].line;
        line.clear();
        line.push(step);
        if let Some(next) = lower.first() {
            line.extend_from_slice(&next.line);
        }
    }
}

impl<G: Geometry> Searches for Searcher<G> {
    fn stop_with(&mut self, flag: Arc<AtomicBool>) {
        self.clock.flag = flag;
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    fn analyse(&mut self, position: &Position, history: &[Position], limits: &Limits) -> Analysis {
        let flag = Arc::clone(&self.clock.flag);
        self.clock = Clock { limits: *limits, started: Instant::now(), flag, stopped: false };
        self.nodes = 0;
        let root = self.root(position);
        self.keys = history.iter().map(Position::key).chain([root.key]).collect();
        let moves = position.legal_moves();
        let value = match position.winner() {
            Some(winner) if winner == position.turn() => Score::win_in(0),
            Some(_) => Score::loss_in(0),
            None => Score::centi_men(self.evaluation.value(&root.state, root.sum)),
        };
        let line = moves.first().copied().into_iter().collect();
        let found = Analysis { score: value, line, depth: 0, nodes: 0 };
        if moves.is_empty() { found } else { self.deepen(&root, found) }
    }
}

/// Plies less for a quiet move that comes late in the order.
fn reduction<G: Geometry>(step: &Step<G>, next: i32, window: Window, n: usize) -> i32 {
    let first_reduced = if window.is_null() { 1 } else { 3 };
    if step.is_capture() || next < 2 || n < first_reduced {
        return 0;
    }
    let late = i32::from(n >= 3) + i32::from(n >= 8);
    let deep = i32::from(next >= 6) + i32::from(next >= 12);
    (1 + late.min(deep)).min(next - 1)
}

fn bound_of(value: i32, window: Window) -> Bound {
    if value >= window.beta {
        Bound::AtLeast
    } else if value > window.alpha {
        Bound::Exact
    } else {
        Bound::AtMost
    }
}

/// Distances to the end are stored as seen from the position itself, not from the root.
fn to_table(value: i32, ply: usize) -> i32 {
    if value > Score::LIMIT {
        value + ply as i32
    } else if value < -Score::LIMIT {
        value - ply as i32
    } else {
        value
    }
}

fn from_table(value: i32, ply: usize) -> i32 {
    if value > Score::LIMIT {
        value - ply as i32
    } else if value < -Score::LIMIT {
        value + ply as i32
    } else {
        value
    }
}

/// The stored score, if it decides the node.
fn usable(entry: &Entry, depth: i32, window: Window, ply: usize) -> Option<i32> {
    let value = from_table(i32::from(entry.score), ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::AtLeast => value >= window.beta,
        Bound::AtMost => value <= window.alpha,
    };
    (i32::from(entry.depth) >= depth && decides && window.is_null()).then_some(value)
}
