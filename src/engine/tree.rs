//! Principal variation search below one node.

use super::clock::Clock;
use super::evaluation::Evaluate;
use super::generator::{Generator, Mobility};
use super::node::{Node, Window, to_table};
use super::ordering::{History, pick};
use super::parts::{Part, Parts};
use super::score::Score;
use super::table::{Entry, MoveHint, Table};
use crate::board::Geometry;
use crate::rules::{Goal, MoveList, Step};

/// Deepest line from the root, in plies.
pub(super) const MAX_PLY: usize = 120;

/// Buffers of one ply, kept from node to node.
pub(super) struct Ply<G: Geometry> {
    pub(super) list: MoveList<G>,
    ratings: Vec<i32>,
    /// The best line found last.
    pub(super) line: Vec<Step<G>>,
    /// Moves to be left out.
    pub(super) excluded: Vec<Step<G>>,
}

impl<G: Geometry> Default for Ply<G> {
    fn default() -> Self {
        Self { list: MoveList::default(), ratings: Vec::new(), line: Vec::new(), excluded: Vec::new() }
    }
}

/// What all nodes of one thread share.
pub(super) struct Tree<'a, G: Geometry> {
    pub(super) generator: &'a dyn Generator<G>,
    pub(super) evaluation: &'a dyn Evaluate<G>,
    pub(super) table: &'a Table,
    pub(super) history: &'a mut History,
    pub(super) parts: Parts,
    /// Keys of the positions of the game and of the line searched, oldest first.
    pub(super) keys: Vec<u64>,
    pub(super) clock: Clock,
}

/// What is to be found out about a node.
#[derive(Clone, Copy)]
pub(super) struct Task {
    /// Plies; behind the horizon 0 or less.
    pub(super) depth: i32,
    pub(super) window: Window,
    pub(super) ply: usize,
}

/// What an earlier search tells about the moves of a node.
#[derive(Clone, Copy)]
pub(super) struct Advice {
    /// The move to try first.
    pub(super) first: MoveHint,
    /// Plies by which it is searched deeper.
    pub(super) deeper: i32,
}

impl Advice {
    pub(super) const NONE: Self = Self { first: MoveHint::NONE, deeper: 0 };
}

impl<G: Geometry> Tree<'_, G> {
    /// Returns the value of a position for the side to move. `plies` are the buffers of this ply and all deeper ones.
    pub(super) fn search(&mut self, plies: &mut [Ply<G>], node: &Node<G>, mut task: Task) -> i32 {
        let Some((here, below)) = plies.split_first_mut() else { return 0 };
        here.line.clear();
        if self.clock.tick() || task.ply > 0 && node.is_draw(&self.keys, self.generator) {
            return 0;
        }
        if below.is_empty() {
            return self.value(node);
        }
        if task.depth <= 0
            && let Some(value) = self.without_moves(node, task)
        {
            return value;
        }
        self.generator.moves(&node.state, &mut here.list);
        match here.list.as_slice() {
            [] => return self.end_of_game(task.ply),
            [_] if task.ply > 0 && self.parts.has(Part::Forced) => task.depth = task.depth.max(0) + 1,
            _ => {}
        }
        if task.depth <= 0 {
            // So near the leaves looking a position up costs more than it saves.
            return self.try_all(here, below, node, task, Advice::NONE);
        }
        self.search_known(here, below, node, task)
    }

    /// Returns the value of a position at the horizon where no list of moves is needed for it.
    fn without_moves(&self, node: &Node<G>, task: Task) -> Option<i32> {
        match self.generator.mobility(&node.state) {
            Mobility::Captures => None,
            Mobility::Quiet(0) => Some(self.end_of_game(task.ply)),
            Mobility::Quiet(1) if self.parts.has(Part::Forced) => None,
            Mobility::Quiet(_) => self.at_horizon(node, task),
        }
    }

    pub(super) fn value(&self, node: &Node<G>) -> i32 {
        self.evaluation.value(&node.state, node.sum)
    }

    fn end_of_game(&self, ply: usize) -> i32 {
        let lost = -Score::WIN + ply as i32;
        if self.generator.spec().goal == Goal::Lose { -lost } else { lost }
    }

    /// Searches a position about which the table may know something.
    fn search_known(&mut self, here: &mut Ply<G>, below: &mut [Ply<G>], node: &Node<G>, task: Task) -> i32 {
        let stored = if self.parts.has(Part::Table) { self.table.find(node.key) } else { None };
        let decided = stored.and_then(|entry| task.window.decided_by(entry, task.depth, task.ply));
        if let Some(value) = decided.filter(|_| task.ply > 0) {
            return value;
        }
        let first = stored.map_or(MoveHint::NONE, |entry| entry.best);
        if let Some(value) = self.surely_too_good(here, below, node, task, first) {
            return value;
        }
        let deeper = i32::from(stored.is_some_and(|entry| self.is_singular(here, below, node, task, entry)));
        self.try_all(here, below, node, task, Advice { first, deeper })
    }

    pub(super) fn try_all(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        node: &Node<G>,
        task: Task,
        advice: Advice,
    ) -> i32 {
        let Task { depth, window, ply } = task;
        let side = node.state.turn.index();
        let steps = here.list.as_mut_slice();
        self.history.rate(side, steps, advice.first, &mut here.ratings);
        let (mut best, mut best_at, mut alpha, mut tried) = (-Score::WIN, None, window.alpha, 0);
        for n in 0..steps.len() {
            pick(steps, &mut here.ratings, n);
            let step = steps[n];
            if here.excluded.iter().any(|other| other.same(&step)) {
                continue;
            }
            let deeper = if advice.first.is_of(&step) { advice.deeper } else { 0 };
            let with = Task { depth: depth + deeper, window: Window { alpha, ..window }, ply };
            let value = self.try_one(below, node, &step, with, tried);
            tried += 1;
            if self.clock.stopped {
                break;
            }
            if value > alpha || ply == 0 && tried == 1 {
                best_at = Some(n);
                keep_line(&mut here.line, step, below);
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= window.beta {
                if !step.is_capture() && self.parts.has(Part::History) {
                    self.history.reward(side, depth, &step, &steps[..n]);
                }
                break;
            }
        }
        if !self.clock.stopped && depth > 0 && here.excluded.is_empty() {
            let best_move = best_at.map_or(MoveHint::NONE, |n| MoveHint::of(&steps[n]));
            self.table.store(node.key, Entry::new(to_table(best, ply), depth, window.bound_of(best), best_move));
        }
        best
    }

    fn try_one(&mut self, below: &mut [Ply<G>], node: &Node<G>, step: &Step<G>, task: Task, n: usize) -> i32 {
        let child = node.child(step, self.generator, self.evaluation);
        self.keys.push(child.key);
        // Captures are forced; behind the horizon they cost no depth, or exchanges would be cut in the middle.
        let depth = if task.depth <= 0 && step.is_capture() { task.depth } else { task.depth - 1 };
        let value = if n == 0 {
            -self.search(below, &child, Task { depth, window: task.window.turned(), ply: task.ply + 1 })
        } else {
            self.try_later(below, &child, step, Task { depth, ..task }, n)
        };
        self.keys.pop();
        value
    }

    /// Tests with a null window, first reduced, whether a later move is better than the best so far; `task` has the depth
    /// of the child and the window of the parent.
    fn try_later(&mut self, below: &mut [Ply<G>], child: &Node<G>, step: &Step<G>, task: Task, n: usize) -> i32 {
        let Task { depth, window, ply } = task;
        let null = Window::null(window.alpha).turned();
        let reduction = self.reduction(step, depth, window, n);
        let with = Task { depth, window: null, ply: ply + 1 };
        let mut value = -self.search(below, child, Task { depth: depth - reduction, ..with });
        if value > window.alpha && reduction > 0 {
            value = -self.search(below, child, with);
        }
        if value > window.alpha && value < window.beta {
            value = -self.search(below, child, Task { window: window.turned(), ..with });
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
