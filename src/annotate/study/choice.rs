//! The choice of the next search: where the budget of a game is spent.

use std::ops::Range;

use super::{GOOD, HIGHEST, LEVELS, Study};

/// Minimum loss at each level for searching a move further, in hundredths of the smallest judged loss. Quick searches err more,
/// so a smaller loss is already suspicious; but there are more of them.
const SUSPICIOUS_LOSS: [i32; LEVELS] = [50, 65, 80, 80];

/// Minimum gain at each level for searching a move further, in the same unit. No move can gain anything: one of the two
/// evaluations is wrong.
const SUSPICIOUS_GAIN: [i32; 2] = [60, 70];

/// Minimum difference between two good evaluations that the moves between them have to explain, in the same unit.
const UNEXPLAINED: i32 = 60;

/// The next step of a study.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A search of a position, by its index, and its level.
    Position(usize, usize),
    /// A search of the position after the best alternative to the n-th move.
    Alternative(usize),
}

impl Study<'_> {
    /// Returns the next search for a move that seems to lose or gain too much; the move that loses or gains most comes first.
    pub(super) fn suspicious(&self, moves: &Range<usize>, budget: u64) -> Option<Step> {
        let moves = moves.clone().filter(|&n| !self.is_forced(n));
        let steps = moves.filter_map(|n| Some((n, self.next_step(n)?)));
        let affordable = steps.filter(|&(_, step)| self.can_spend(self.cost(step), budget));
        affordable.max_by_key(|&(n, _)| (self.loss(n).abs(), n)).map(|(_, step)| step)
    }

    /// Returns the cost of a search, in fifths of the limit for each position.
    const fn cost(&self, step: Step) -> u32 {
        match step {
            Step::Position(_, level) => self.ladder[level],
            Step::Alternative(_) => self.ladder[HIGHEST],
        }
    }

    const fn can_spend(&self, cost: u32, budget: u64) -> bool {
        self.spent + cost as u64 <= budget
    }

    /// Returns the next search needed to judge the n-th move; `None` if the move is of no interest or already judged.
    fn next_step(&self, n: usize) -> Option<Step> {
        let (next, loss, prefers) = (self.decisive(n + 1), self.loss(n), self.prefers_played(n));
        let level = self.level(n).min(self.level(next));
        if self.is_beyond_doubt(n) {
            return None;
        }
        let is_bad = loss >= self.share(SUSPICIOUS_LOSS[level]) && (level == 0 || !prefers);
        if level + 1 >= HIGHEST && self.level(next) == HIGHEST {
            // The alternative is searched separately first, so the search of the position can use the result.
            let study = &self.moves[n - self.first];
            return match (study.alternative, study.is_compared) {
                _ if !is_bad || prefers => None,
                (None, _) => Some(Step::Alternative(n)),
                (_, false) => Some(Step::Position(n, HIGHEST)),
                _ => None,
            };
        }
        let gains = SUSPICIOUS_GAIN.get(level).is_some_and(|&gain| -loss >= self.share(gain));
        let higher = level + 1;
        // The later position comes first: its evaluation may settle the move, and the search of the earlier one can use the
        // result.
        (is_bad || gains).then(|| Step::Position(if self.level(next) < higher { next } else { n }, higher))
    }

    /// Returns a search halfway between two good evaluations that differ too much, or else in the middle of the widest gap
    /// between good evaluations.
    pub(super) fn unexplained(&self, moves: &Range<usize>, budget: u64) -> Option<Step> {
        if !self.can_spend(self.ladder[GOOD], budget) {
            return None;
        }
        let searched: Vec<_> = (moves.start..=moves.end).filter(|&n| !self.is_forced(n)).collect();
        let is_end = |at: usize| at == 0 || at + 1 == searched.len();
        let good: Vec<_> = (0..searched.len()).filter(|&at| is_end(at) || self.level(searched[at]) >= GOOD).collect();
        let gaps = || good.windows(2).map(|pair| (pair[0], pair[1])).filter(|(a, b)| b - a > 1);
        let difference = |(a, b): (usize, usize)| self.difference(searched[a], searched[b]);
        let steps = gaps().map(|gap| (difference(gap), gap)).filter(|(step, _)| *step >= self.share(UNEXPLAINED));
        let widest = || gaps().max_by_key(|&(a, b)| (b - a, b));
        let (a, b) = steps.max_by_key(|&(step, (_, b))| (step, b)).map(|(_, gap)| gap).or_else(widest)?;
        Some(Step::Position(searched[usize::midpoint(a, b)], GOOD))
    }

    /// Returns the difference between the evaluations of two positions, in thousandths of a point.
    fn difference(&self, a: usize, b: usize) -> i32 {
        let is_same = self.position(a).turn() == self.position(b).turn();
        let later = if is_same { self.score(b) } else { -self.score(b) };
        let change = self.options.judgement_scale().expectation(self.position(a), self.score(a), later);
        i32::from(change.before.abs_diff(change.after))
    }

    /// Returns a share of the smallest judged loss, in thousandths of a point.
    fn share(&self, hundredths: i32) -> i32 {
        let [least, ..] = self.options.judgement_scale().thresholds;
        hundredths * i32::from(least) / 100
    }
}
