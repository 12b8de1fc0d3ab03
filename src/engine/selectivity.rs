//! Selective search: reductions, extensions and early cut-offs.

use super::node::{Node, Window, from_table};
use super::options::SearchFeatures;
use super::parameters::{
    FUTILITY_DEPTH, FUTILITY_MARGIN, PROBE_DEPTH, PROBE_MARGIN, REVERSE_DEPTH, REVERSE_MARGIN, SACRIFICE_DEPTH,
    SINGULAR_DEPTH, SINGULAR_MARGIN, SINGULAR_REDUCTION, THREAT_PENALTY,
};
use super::score::Score;
use super::table::{Bound, Entry, MoveHint};
use super::tree::{Guidance, Ply, Target, Tree};
use crate::board::{Geometry, Word};
use crate::rules::{State, Step};

impl<G: Geometry> Tree<'_, G> {
    /// Returns the score of a position at the horizon where no capture is possible; `None` if the side to move must parry
    /// a threat first, so that its reply has to be searched.
    pub(super) fn stand_pat(&self, node: &Node<G>, target: Target) -> Option<i32> {
        let score = self.evaluate(node);
        let reduced = score - THREAT_PENALTY;
        // Only at the horizon itself: further down, replies to threats would follow each other without end. And a score
        // that fails low fails low with the penalty too.
        let ignores_threats = target.depth < 0 || score <= target.window.alpha;
        if ignores_threats || !self.features.contains(SearchFeatures::THREATS) || !self.is_threatened(node) {
            Some(score)
        } else {
            (reduced >= target.window.beta).then_some(reduced)
        }
    }

    /// Returns true if the other side could capture if it were its turn.
    fn is_threatened(&self, node: &Node<G>) -> bool {
        let passed = State { turn: !node.state.turn, ..node.state };
        self.generator.can_capture(&passed)
    }

    /// Returns a score above the window if neither side can capture and the evaluation is above the window by a margin
    /// near the horizon (reverse futility pruning).
    pub(super) fn quiet_cutoff(&self, here: &mut Ply<G>, node: &Node<G>, target: Target) -> Option<i32> {
        let Target { depth, window, ply } = target;
        let near = self.features.contains(SearchFeatures::REVERSE) && ply > 0 && depth <= REVERSE_DEPTH;
        // Near a proven score an evaluation proves nothing, and a line of exact scores is not cut short.
        if !near || here.list.holds_captures() || !window.is_null() || window.beta.abs() >= Score::MAX_UNKNOWN {
            return None;
        }
        let score = self.evaluate_once(here, node) - REVERSE_MARGIN * depth;
        (score >= window.beta && !self.is_threatened(node)).then_some(score)
    }

    /// Returns a score above the window if a much shallower search is above it by a margin (the idea of `ProbCut`).
    ///
    /// Positions in which a capture is possible are not probed: the capture may accept a sacrifice, and a shallow search
    /// sees the gain but not the combination that follows. When they were, the search solved 3 of 13 combinations from lost
    /// games within 3 million nodes; now all of them within 26,000 (22 ± 22 Elo). Half of the depth instead of 2/5 lost 13
    /// ± 19 Elo.
    pub(super) fn probe_cutoff(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        node: &Node<G>,
        target: Target,
        first: MoveHint,
    ) -> Option<i32> {
        let Target { depth, window, ply } = target;
        let applies = self.features.contains(SearchFeatures::PROBE) && ply > 0 && depth >= PROBE_DEPTH;
        if !applies || here.list.holds_captures() || !window.is_null() || window.beta.abs() > Score::MAX_UNKNOWN {
            return None;
        }
        let margin = PROBE_MARGIN * depth;
        let probe = Target { depth: depth * 2 / 5, window: Window::null(window.beta + margin - 1), ply };
        let score = self.search_moves(here, below, node, probe, Guidance { first, extension: 0 });
        // The margin is not part of the result: only the part below it counts as proven. The score of a win is a distance: less
        // of it would be another distance, not a weaker bound.
        let proven = if score > Score::MAX_UNKNOWN { score } else { score - margin };
        (score >= window.beta + margin && !self.clock.stopped).then_some(proven)
    }

    /// Returns the highest score that a move other than a sacrifice is expected to reach near the horizon, if it is not
    /// above alpha (futility pruning: 26 ± 16 Elo). `quiet` is true if no capture is possible in the position.
    pub(super) fn futile_score(&self, here: &mut Ply<G>, node: &Node<G>, target: Target, quiet: bool) -> Option<i32> {
        let Target { depth, window, ply } = target;
        let near = quiet && ply > 0 && (1..=FUTILITY_DEPTH).contains(&depth);
        let applies = near && self.features.contains(SearchFeatures::FUTILITY);
        if !applies || !window.is_null() || window.alpha.abs() >= Score::MAX_UNKNOWN {
            return None;
        }
        Some(self.evaluate_once(here, node) + FUTILITY_MARGIN * depth).filter(|&score| score <= window.alpha)
    }

    /// Returns true if a move is exempt from futility pruning: the opponent can capture after it, so that it may be a
    /// sacrifice, and the depth is at least [`SACRIFICE_DEPTH`]. The exemption halves the nodes to solve 13 combinations
    /// (from a geometric mean of 20,400 to 10,100), and costs a tenth more time to a depth elsewhere.
    pub(super) fn is_exempt(&self, node: &Node<G>, step: &Step<G>, depth: i32) -> bool {
        depth >= SACRIFICE_DEPTH && self.generator.can_capture(&self.generator.play(&node.state, step))
    }

    /// Returns true if the stored best move is better by a margin than all others appear to be in a shallower search.
    pub(super) fn is_singular(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        node: &Node<G>,
        target: Target,
        stored: Entry,
    ) -> bool {
        let score = from_table(i32::from(stored.score), target.ply);
        // An upper bound says only how bad the move is.
        let reliable = stored.bound != Bound::Upper && i32::from(stored.depth) >= target.depth - SINGULAR_REDUCTION;
        let applies =
            self.features.contains(SearchFeatures::SINGULAR) && target.ply > 0 && target.depth >= SINGULAR_DEPTH;
        if !applies || !reliable || score.abs() > Score::MAX_UNKNOWN {
            return false;
        }
        let Some(&best) = here.list.as_slice().iter().find(|step| !step.is_capture() && stored.best.matches(step))
        else {
            return false;
        };
        let window = Window::null(score - SINGULAR_MARGIN);
        // Empty until now, because only the root excludes moves otherwise.
        here.excluded.push(best);
        let others = Target { depth: target.depth - SINGULAR_REDUCTION, window, ..target };
        let next = self.search_moves(here, below, node, others, Guidance::NONE);
        here.excluded.clear();
        // The line of the second-best move is not the line of this node.
        here.pv.clear();
        next <= window.alpha
    }

    /// Returns the reduction, in plies, of the `n`-th move in the order; `next` is the depth of the position after it. It
    /// grows with the logarithms of both; a slope of 0.3 instead of 0.2 finds sacrifices sooner, 0.4 was no better (+62 =94
    /// −66). Moves after which the opponent can capture are reduced like others: half their reduction lost 30 ± 19 Elo.
    pub(super) fn reduction(&self, step: &Step<G>, next: i32, window: Window, n: usize) -> i32 {
        let first_reduced = if window.is_null() { 1 } else { 3 };
        let applies = self.features.contains(SearchFeatures::REDUCTIONS);
        if step.captured.any() || next < 2 || n < first_reduced || !applies {
            return 0;
        }
        let (deep, late) = (next.ilog2() as i32, (n + 1).ilog2() as i32);
        ((5 + 3 * deep * late) / 10).min(next - 1)
    }
}
