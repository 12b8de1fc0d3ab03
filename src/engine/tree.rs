//! Principal variation search below one node.

use super::clock::Clock;
use super::evaluation::Evaluation;
use super::generator::Generator;
use super::node::{Node, Window, to_table};
use super::ordering::{History, pick};
use super::score::Score;
use super::table::{Entry, Table};
use crate::board::Geometry;
use crate::rules::{Goal, MoveList, State, Step};

/// Deepest line from the root, in plies.
pub(super) const MAX_PLY: usize = 120;
/// Plies behind the horizon in which a threat to capture is still answered with all moves.
const THREAT_PLIES: i32 = 2;
/// Least depth at which a much shallower search may decide.
const PROBE_DEPTH: i32 = 3;
/// By how much it must exceed the window, in centi-men for each ply of depth.
const PROBE_MARGIN: i32 = 10;

/// Buffers of one ply, kept from node to node.
pub(super) struct Ply<G: Geometry> {
    list: MoveList<G>,
    ratings: Vec<i32>,
    line: Vec<Step<G>>,
}

impl<G: Geometry> Default for Ply<G> {
    fn default() -> Self {
        Self { list: MoveList::default(), ratings: Vec::new(), line: Vec::new() }
    }
}

impl<G: Geometry> Ply<G> {
    /// The best line found last.
    pub(super) fn line(&self) -> &[Step<G>] {
        &self.line
    }
}

/// What all nodes share.
pub(super) struct Tree<G: Geometry> {
    pub(super) generator: Box<dyn Generator<G>>,
    pub(super) evaluation: Evaluation<G>,
    pub(super) table: Table,
    pub(super) history: History,
    /// Keys of the positions of the game and of the line searched, oldest first.
    pub(super) keys: Vec<u64>,
    pub(super) clock: Clock,
}

/// What is to be found out about a node.
#[derive(Clone, Copy)]
struct Task {
    depth: i32,
    window: Window,
    ply: usize,
}

impl<G: Geometry> Tree<G> {
    /// Returns the value of a position for the side to move, searched to a depth in plies. `plies` are the buffers of this
    /// ply and all deeper ones.
    pub(super) fn search(
        &mut self,
        plies: &mut [Ply<G>],
        node: &Node<G>,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> i32 {
        let Some((here, below)) = plies.split_first_mut() else { return 0 };
        here.line.clear();
        if self.clock.tick() || ply > 0 && node.is_draw(&self.keys, &*self.generator) {
            return 0;
        }
        self.generator.moves(&node.state, &mut here.list);
        let steps = here.list.as_slice();
        let Some(first) = steps.first() else { return self.end_of_game(ply) };
        let (captures, single) = (first.is_capture(), steps.len() == 1);
        let depth = if single && ply > 0 { depth.max(0) + 1 } else { depth };
        if below.is_empty() || depth <= 0 && !captures && self.is_calm(node, depth) {
            return self.evaluation.value(&node.state, node.sum);
        }
        self.search_moves(here, below, node, Task { depth, window, ply })
    }

    /// Whether a quiet position may be taken at its face value: nothing hangs, or the search went on long enough.
    fn is_calm(&self, node: &Node<G>, depth: i32) -> bool {
        let passed = State { turn: !node.state.turn, ..node.state };
        depth <= -THREAT_PLIES || !self.generator.can_capture(&passed)
    }

    fn end_of_game(&self, ply: usize) -> i32 {
        let lost = -Score::WIN + ply as i32;
        if self.generator.spec().goal == Goal::Lose { -lost } else { lost }
    }

    fn search_moves(&mut self, here: &mut Ply<G>, below: &mut [Ply<G>], node: &Node<G>, task: Task) -> i32 {
        if task.depth <= 0 {
            // So near the leaves looking a position up costs more than it saves.
            return self.try_all(here, below, node, task, None);
        }
        let stored = self.table.find(node.key);
        let decided = stored.and_then(|entry| task.window.decided_by(&entry, task.depth, task.ply));
        if let Some(value) = decided.filter(|_| task.ply > 0) {
            return value;
        }
        if let Some(value) = self.surely_too_good(here, below, node, task, stored) {
            return value;
        }
        self.try_all(here, below, node, task, stored)
    }

    /// Returns a value above the window if a much shallower search is above it by a margin (the idea of `ProbCut`).
    fn surely_too_good(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        node: &Node<G>,
        task: Task,
        stored: Option<Entry>,
    ) -> Option<i32> {
        let Task { depth, window, ply } = task;
        if ply == 0 || depth < PROBE_DEPTH || !window.is_null() || window.beta.abs() > Score::LIMIT {
            return None;
        }
        let margin = PROBE_MARGIN * depth;
        let probe = Task { depth: depth * 2 / 5, window: Window::null(window.beta + margin - 1), ply };
        let value = self.try_all(here, below, node, probe, stored);
        (value >= window.beta + margin && !self.clock.stopped).then_some(value - margin)
    }

    fn try_all(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        node: &Node<G>,
        task: Task,
        stored: Option<Entry>,
    ) -> i32 {
        let Task { depth, window, ply } = task;
        let side = node.state.turn.index();
        let steps = here.list.as_mut_slice();
        self.history.rate(side, ply, steps, stored.as_ref(), &mut here.ratings);
        let (mut best, mut best_at, mut alpha) = (-Score::WIN, None, window.alpha);
        for n in 0..steps.len() {
            pick(steps, &mut here.ratings, n);
            let step = steps[n];
            let value = self.try_one(below, node, &step, Task { window: Window { alpha, ..window }, ..task }, n);
            if self.clock.stopped {
                break;
            }
            if value > alpha || ply == 0 && n == 0 {
                best_at = Some(n);
                keep_line(&mut here.line, step, below);
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= window.beta {
                if !step.is_capture() {
                    self.history.reward(side, ply, depth, &step, &steps[..n]);
                }
                break;
            }
        }
        if !self.clock.stopped && depth > 0 {
            let best_step = best_at.map(|n| &steps[n]);
            self.table.store(node.key, depth, to_table(best, ply), window.bound_of(best), best_step);
        }
        best
    }

    fn try_one(&mut self, below: &mut [Ply<G>], node: &Node<G>, step: &Step<G>, task: Task, n: usize) -> i32 {
        let child = node.child(step, &*self.generator, &self.evaluation);
        self.keys.push(child.key);
        // Captures are forced; behind the horizon they cost no depth, or exchanges would be cut in the middle.
        let next = if task.depth <= 0 && step.is_capture() { task.depth } else { task.depth - 1 };
        let value = if n == 0 {
            -self.search(below, &child, next, task.window.turned(), task.ply + 1)
        } else {
            self.try_later(below, &child, step, Task { depth: next, ..task }, n)
        };
        self.keys.pop();
        value
    }

    /// Tests with a null window, first reduced, whether a later move is better than the best so far; `task` has the depth
    /// of the child and the window of the parent.
    fn try_later(&mut self, below: &mut [Ply<G>], child: &Node<G>, step: &Step<G>, task: Task, n: usize) -> i32 {
        let Task { depth, window, ply } = task;
        let null = Window::null(window.alpha).turned();
        let reduction = reduction(step, depth, window, n);
        let mut value = -self.search(below, child, depth - reduction, null, ply + 1);
        if value > window.alpha && reduction > 0 {
            value = -self.search(below, child, depth, null, ply + 1);
        }
        if value > window.alpha && value < window.beta {
            value = -self.search(below, child, depth, window.turned(), ply + 1);
        }
        value
    }
}

/// Makes a move and what follows it the best line of its ply.
fn keep_line<G: Geometry>(line: &mut Vec<Step<G>>, step: Step<G>, below: &[Ply<G>]) {
    line.clear();
    line.push(step);
    if let Some(next) = below.first() {
        line.extend_from_slice(&next.line);
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
