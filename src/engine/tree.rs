//! Principal variation search below a node.

use super::clock::Clock;
use super::endgames::Endgames;
use super::evaluation::Evaluate;
use super::node::{Node, Window, to_table};
use super::options::SearchFeatures;
use super::ordering::{BusyMoves, DEFERRED, History, pick};
use super::parameters::SHARING_DEPTH;
use super::score::Score;
use super::table::{Entry, MoveHint, Table};
use crate::board::Geometry;
use crate::rules::{Generator, Goal, Mobility, MoveList, Step};

/// Buffers of one ply, reused from node to node.
pub(super) struct Ply<G: Geometry> {
    pub(super) list: MoveList<G>,
    ratings: Vec<i32>,
    /// The principal variation of the node searched last.
    pub(super) pv: Vec<Step<G>>,
    /// Moves excluded from the search.
    pub(super) excluded: Vec<Step<G>>,
    /// The evaluation of the node, once it is known.
    evaluation: Option<i32>,
}

impl<G: Geometry> Default for Ply<G> {
    fn default() -> Self {
        Self { list: MoveList::default(), ratings: Vec::new(), pv: Vec::new(), excluded: Vec::new(), evaluation: None }
    }
}

/// The search tree of one thread.
pub(super) struct Tree<'a, G: Geometry> {
    pub(super) generator: &'a dyn Generator<G>,
    pub(super) evaluation: &'a dyn Evaluate<G>,
    pub(super) table: &'a Table,
    pub(super) history: &'a mut History,
    pub(super) features: SearchFeatures,
    pub(super) endgames: Option<&'a Endgames<G>>,
    /// Keys of the positions of the game and of the current line, oldest first.
    pub(super) keys: Vec<u64>,
    pub(super) clock: Clock,
    /// The moves being searched, shared by all threads; `None` if there is only one thread.
    pub(super) busy: Option<&'a BusyMoves>,
}

/// The parameters for searching a node.
#[derive(Clone, Copy)]
pub(super) struct Target {
    /// Remaining depth in plies; 0 or less in the quiescence search.
    pub(super) depth: i32,
    pub(super) window: Window,
    /// Distance from the root, in plies.
    pub(super) ply: usize,
}

/// Knowledge from earlier searches about the moves of a node.
#[derive(Clone, Copy)]
pub(super) struct Guidance {
    /// The move to try first.
    pub(super) first: MoveHint,
    /// Extension of that move, in plies.
    pub(super) extension: i32,
}

impl Guidance {
    pub(super) const NONE: Self = Self { first: MoveHint::NONE, extension: 0 };
}

impl<G: Geometry> Tree<'_, G> {
    /// Returns the score of a position for the side to move. `plies` are the buffers of this ply and all deeper ones.
    pub(super) fn search(&mut self, plies: &mut [Ply<G>], node: &Node<G>, target: Target) -> i32 {
        let Some((here, below)) = plies.split_first_mut() else { return 0 };
        here.pv.clear();
        here.evaluation = None;
        // The score of a stopped search is discarded by all callers. The root is never a draw: a move has to be found.
        if self.clock.tick() || target.ply > 0 && node.is_draw(&self.keys, self.generator) {
            return 0;
        }
        // The longest line is reached: there is no buffer for another ply.
        if below.is_empty() {
            return self.evaluate(node);
        }
        // At the root a move is needed, not only its value.
        let known = self.endgames.filter(|_| target.ply > 0).and_then(|tables| tables.bounds(&node.state, target.ply));
        let Some(known) = known else { return self.search_unknown(here, below, node, target) };
        if known.is_exact() || known.alpha >= target.window.beta || known.beta <= target.window.alpha {
            return known.alpha.max(known.beta.min(target.window.alpha));
        }
        self.search_unknown(here, below, node, target).clamp(known.alpha, known.beta)
    }

    /// Searches a position that the endgame tables do not decide.
    fn search_unknown(&mut self, here: &mut Ply<G>, below: &mut [Ply<G>], node: &Node<G>, mut target: Target) -> i32 {
        if target.depth <= 0
            && let Some(score) = self.score_at_horizon(here, below, node, target)
        {
            return score;
        }
        self.generator.moves(&node.state, &mut here.list);
        match here.list.as_slice() {
            [] => return self.game_over_score(target.ply),
            [_] if target.ply > 0 && self.features.contains(SearchFeatures::FORCED) => {
                // Not looked up or stored: the position after the only move is searched to the same depth and has its own
                // entry. This takes 13 % less time to a depth.
                // Searching the move takes the ply away again.
                target.depth = target.depth.max(0) + 1;
                return self.search_moves(here, below, node, target, Guidance::NONE);
            }
            _ => {}
        }
        if target.depth <= 0 {
            // In the quiescence search a table lookup, usually a cache miss, costs more than it saves.
            return self.search_moves(here, below, node, target, Guidance::NONE);
        }
        self.search_with_table(here, below, node, target)
    }

    /// Returns the score of a position at the horizon if it can be determined without searching all moves.
    fn score_at_horizon(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        node: &Node<G>,
        target: Target,
    ) -> Option<i32> {
        match self.generator.choice(&node.state) {
            Mobility::Captures => None,
            Mobility::Quiet(0) => Some(self.game_over_score(target.ply)),
            Mobility::Quiet(1) if self.features.contains(SearchFeatures::FORCED) => None,
            Mobility::Quiet(_) => {
                let score = self.stand_pat(node, target)?;
                Some(self.score_with_shots(here, below, node, target, score))
            }
        }
    }

    pub(super) fn evaluate(&self, node: &Node<G>) -> i32 {
        self.evaluation.score(&node.state, node.sum)
    }

    /// Returns the evaluation of the node of a ply, which is computed once for all that is tried at the node.
    pub(super) fn evaluate_once(&self, here: &mut Ply<G>, node: &Node<G>) -> i32 {
        *here.evaluation.get_or_insert_with(|| self.evaluate(node))
    }

    fn game_over_score(&self, ply: usize) -> i32 {
        let lost = -Score::WIN + ply as i32;
        if self.generator.spec().goal == Goal::Lose { -lost } else { lost }
    }

    /// Searches a position with the help of its entry in the table, if there is one.
    fn search_with_table(&mut self, here: &mut Ply<G>, below: &mut [Ply<G>], node: &Node<G>, target: Target) -> i32 {
        let stored = if self.features.contains(SearchFeatures::TABLE) { self.table.find(node.key) } else { None };
        let cutoff = stored.and_then(|entry| target.window.cutoff(entry, target.depth, target.ply));
        // The stored score has no line, and the root must have one.
        if let Some(score) = cutoff.filter(|_| target.ply > 0) {
            return score;
        }
        let first = stored.map_or(MoveHint::NONE, |entry| entry.best);
        if let Some(score) = self.quiet_cutoff(here, node, target) {
            return score;
        }
        if let Some(score) = self.probe_cutoff(here, below, node, target, first) {
            return score;
        }
        let extension = i32::from(stored.is_some_and(|entry| self.is_singular(here, below, node, target, entry)));
        self.search_moves(here, below, node, target, Guidance { first, extension })
    }

    /// Searches the moves of a node in order until one cuts off.
    pub(super) fn search_moves(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        node: &Node<G>,
        target: Target,
        guidance: Guidance,
    ) -> i32 {
        let Target { depth, window, ply } = target;
        let side = node.state.turn.index();
        let (count, quiet) = (here.list.as_slice().len(), !here.list.holds_captures());
        self.history.rate(side, here.list.as_slice(), guidance.first, &mut here.ratings);
        let futile = self.futile_score(here, node, target, quiet);
        let (mut best, mut best_index, mut alpha, mut tried) = (-Score::WIN, None, window.alpha, 0);
        self.pick_and_prefetch(here, node, 0, depth);
        for n in 0..count {
            let step = self.next_move(here, node, n, target);
            if here.excluded.iter().any(|other| other.same(&step)) {
                continue;
            }
            // Not while every move so far is a known loss: the score of a skipped move would hide that.
            let futile = futile.filter(|_| best > -Score::MAX_UNKNOWN);
            if let Some(score) = futile.filter(|_| !self.is_exempt(node, &step, depth)) {
                best = best.max(score);
                continue;
            }
            // The moves searched come first, without those that were skipped.
            here.list.as_mut_slice().swap(tried, n);
            let extension = if guidance.first.matches(&step) { guidance.extension } else { 0 };
            let with = Target { depth: depth + extension, window: Window { alpha, ..window }, ply };
            let score = self.search_move(below, node, &step, with, tried);
            if self.clock.stopped {
                break;
            }
            // At the root there is a best move even if all fail low.
            if score > alpha || ply == 0 && tried == 0 {
                best_index = Some(tried);
                update_pv(&mut here.pv, step, below);
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= window.beta {
                if !step.is_capture() && self.features.contains(SearchFeatures::HISTORY) {
                    // Captures are compulsory, so if this move is quiet, so are all before it in the list.
                    self.history.reward(side, depth, &step, &here.list.as_slice()[..tried]);
                }
                break;
            }
            tried += 1;
        }
        let is_forced = count == 1 && self.features.contains(SearchFeatures::FORCED);
        // Without its excluded moves, a node has a score that is not the score of its position.
        if !self.clock.stopped && depth > 0 && !is_forced && here.excluded.is_empty() {
            let best_move = best_index.map_or(MoveHint::NONE, |n| MoveHint::new(&here.list.as_slice()[n]));
            self.table.store(node.key, Entry::new(to_table(best, ply), depth, window.bound_of(best), best_move));
        }
        best
    }

    /// Moves the best-rated of the remaining moves to index `n` and prefetches the table entry of the position after it, if
    /// that may be looked up.
    fn pick_and_prefetch(&self, here: &mut Ply<G>, node: &Node<G>, n: usize, depth: i32) {
        let steps = here.list.as_mut_slice();
        pick(steps, &mut here.ratings, n);
        if let Some(step) = steps.get(n).filter(|_| Table::PREFETCHES && depth > 1) {
            self.table.prefetch(node.key_after(step));
        }
    }

    /// Returns the `n`-th move to search, and prepares the next one: a load from memory can take longer than searching
    /// a small subtree, and with this preparation the search visits 11 % more nodes a second. Moves that another thread
    /// is searching come last, except at the root.
    fn next_move(&self, here: &mut Ply<G>, node: &Node<G>, n: usize, target: Target) -> Step<G> {
        if let Some(busy) = self.busy.filter(|_| n > 0 && target.ply > 0 && target.depth >= SHARING_DEPTH) {
            let is_busy = |step: Step<G>| busy.contains(node.key_after(&step), target.depth);
            // When only deferred moves are left, they are searched without waiting.
            while here.ratings[n] > DEFERRED && is_busy(here.list.as_slice()[n]) {
                here.ratings[n] = DEFERRED;
                self.pick_and_prefetch(here, node, n, target.depth);
            }
        }
        let step = here.list.as_slice()[n];
        self.pick_and_prefetch(here, node, n + 1, target.depth);
        step
    }

    pub(super) fn search_move(
        &mut self,
        below: &mut [Ply<G>],
        node: &Node<G>,
        step: &Step<G>,
        target: Target,
        n: usize,
    ) -> i32 {
        let child = node.child(step, self.generator, self.evaluation);
        let mark = self.busy.filter(|_| target.depth >= SHARING_DEPTH);
        let mark = mark.and_then(|busy| busy.mark(child.key, target.depth));
        self.keys.push(child.key);
        // Captures are compulsory; beyond the horizon they cost no depth, or exchanges would be cut off half-way.
        let depth = if target.depth <= 0 && step.is_capture() { target.depth } else { target.depth - 1 };
        let score = if n == 0 {
            -self.search(below, &child, Target { depth, window: target.window.negated(), ply: target.ply + 1 })
        } else {
            self.search_later_move(below, &child, step, Target { depth, ..target }, n)
        };
        self.keys.pop();
        drop(mark);
        score
    }

    /// Searches a later move with a null window, reduced at first, to see if it beats the best so far. `target` has the
    /// depth of the child and the window of the parent.
    fn search_later_move(
        &mut self,
        below: &mut [Ply<G>],
        child: &Node<G>,
        step: &Step<G>,
        target: Target,
        n: usize,
    ) -> i32 {
        let Target { depth, window, ply } = target;
        let null = Window::null(window.alpha).negated();
        let reduction = self.reduction(step, depth, window, n);
        let with = Target { depth, window: null, ply: ply + 1 };
        let mut score = -self.search(below, child, Target { depth: depth - reduction, ..with });
        // The reduced search may have overlooked the refutation.
        if score > window.alpha && reduction > 0 {
            score = -self.search(below, child, with);
        }
        if score > window.alpha && score < window.beta {
            score = -self.search(below, child, Target { window: window.negated(), ..with });
        }
        score
    }
}

/// Sets the principal variation of a ply to a move followed by the principal variation of the next ply.
pub(super) fn update_pv<G: Geometry>(pv: &mut Vec<Step<G>>, step: Step<G>, below: &[Ply<G>]) {
    pv.clear();
    pv.push(step);
    if let Some(next) = below.first() {
        pv.extend_from_slice(&next.pv);
    }
}
