//! Where the search looks less deep, and where deeper.

use super::node::{Node, Window, from_table};
use super::parts::Part;
use super::score::Score;
use super::table::{Bound, Entry, MoveHint};
use super::tree::{Advice, Ply, Task, Tree};
use crate::board::{Geometry, Word};
use crate::rules::{State, Step};

/// What a side may lose at once when its pieces hang, in centi-men.
const HANGING: i32 = 100;
/// Least depth at which a much shallower search may decide, in plies.
const PROBE_DEPTH: i32 = 3;
/// By how much it must exceed the window, in centi-men for each ply of depth.
const PROBE_MARGIN: i32 = 10;
/// Least depth at which a move may be singular, in plies.
const SINGULAR_DEPTH: i32 = 6;
/// Plies less for the other moves, to see whether one is singular.
const SINGULAR_REDUCTION: i32 = 4;
/// By how much a singular move is better than all others, in centi-men.
const SINGULAR_MARGIN: i32 = 100;

impl<G: Geometry> Tree<'_, G> {
    /// Returns the value of a position without captures at the horizon; `None` if the side to move has to answer a threat
    /// first, and its answer decides.
    pub(super) fn at_horizon(&self, node: &Node<G>, task: Task) -> Option<i32> {
        let value = self.value(node);
        let loses = value - HANGING;
        if task.depth < 0 || value <= task.window.alpha || !self.parts.has(Part::Threats) || !self.is_threatened(node) {
            Some(value)
        } else {
            (loses >= task.window.beta).then_some(loses)
        }
    }

    /// Whether the other side could capture if it were its turn.
    fn is_threatened(&self, node: &Node<G>) -> bool {
        let passed = State { turn: !node.state.turn, ..node.state };
        self.generator.can_capture(&passed)
    }

    /// Returns a value above the window if a much shallower search is above it by a margin (the idea of `ProbCut`).
    pub(super) fn surely_too_good(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        node: &Node<G>,
        task: Task,
        first: MoveHint,
    ) -> Option<i32> {
        let Task { depth, window, ply } = task;
        let wanted = self.parts.has(Part::Probe) && ply > 0 && depth >= PROBE_DEPTH;
        if !wanted || !window.is_null() || window.beta.abs() > Score::LIMIT {
            return None;
        }
        let margin = PROBE_MARGIN * depth;
        let probe = Task { depth: depth * 2 / 5, window: Window::null(window.beta + margin - 1), ply };
        let value = self.try_all(here, below, node, probe, Advice { first, deeper: 0 });
        (value >= window.beta + margin && !self.clock.stopped).then_some(value - margin)
    }

    /// Whether the stored best move is better by a margin than all others seem in a shallower search.
    pub(super) fn is_singular(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        node: &Node<G>,
        task: Task,
        stored: Entry,
    ) -> bool {
        let value = from_table(i32::from(stored.score), task.ply);
        let known = stored.bound != Bound::AtMost && i32::from(stored.depth) >= task.depth - SINGULAR_REDUCTION;
        let wanted = self.parts.has(Part::Singular) && task.ply > 0 && task.depth >= SINGULAR_DEPTH;
        if !wanted || !known || value.abs() > Score::LIMIT {
            return false;
        }
        let Some(&best) = here.list.as_slice().iter().find(|step| !step.is_capture() && stored.best.is_of(step)) else {
            return false;
        };
        let window = Window::null(value - SINGULAR_MARGIN);
        here.excluded.push(best);
        let others = Task { depth: task.depth - SINGULAR_REDUCTION, window, ..task };
        let next = self.try_all(here, below, node, others, Advice::NONE);
        here.excluded.clear();
        here.line.clear();
        next <= window.alpha
    }

    /// Plies less for a quiet move that comes late in the order; `next` is the depth of the position after it.
    pub(super) fn reduction(&self, step: &Step<G>, next: i32, window: Window, n: usize) -> i32 {
        let first_reduced = if window.is_null() { 1 } else { 3 };
        if step.captured.any() || next < 2 || n < first_reduced || !self.parts.has(Part::Reductions) {
            return 0;
        }
        let (deep, late) = (next.ilog2() as i32, (n + 1).ilog2() as i32);
        ((5 + 2 * deep * late) / 10).min(next - 1)
    }
}
