//! Which moves to try first.

use super::table::Entry;
use crate::board::Geometry;
use crate::rules::Step;

const SQUARES: usize = 128;
const BEST: i32 = 1 << 28;
const CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 26;
const MOST_HISTORY: i32 = 1 << 14;

/// What earlier cut-offs tell about moves.
pub(super) struct History {
    /// By side, first and last square.
    quiet: Vec<i32>,
    /// Two moves a ply that cut off there, by first and last square.
    killers: Vec<[(u8, u8); 2]>,
}

impl History {
    pub(super) fn new(plies: usize) -> Self {
        Self { quiet: vec![0; 2 * SQUARES * SQUARES], killers: vec![[(0, 0); 2]; plies] }
    }

    pub(super) fn clear(&mut self) {
        self.quiet.fill(0);
        self.killers.fill([(0, 0); 2]);
    }

    fn index<G: Geometry>(side: usize, step: &Step<G>) -> usize {
        (side * SQUARES + usize::from(step.from)) * SQUARES + usize::from(step.to)
    }

    /// Fills `scores` with one number a move; larger is to be tried earlier.
    pub(super) fn rate<G: Geometry>(
        &self,
        side: usize,
        ply: usize,
        steps: &[Step<G>],
        stored: Option<&Entry>,
        scores: &mut Vec<i32>,
    ) {
        scores.clear();
        scores.extend(steps.iter().map(|step| {
            if stored.is_some_and(|entry| entry.is_best(step)) {
                BEST
            } else if step.is_capture() {
                CAPTURE * crate::board::Word::count(step.captured) as i32
            } else if self.killers[ply].contains(&(step.from, step.to)) {
                KILLER
            } else {
                self.quiet[Self::index(side, step)]
            }
        }));
    }

    /// Notes that a quiet move cut off, after the moves in `tried` had not.
    pub(super) fn reward<G: Geometry>(
        &mut self,
        side: usize,
        ply: usize,
        depth: i32,
        step: &Step<G>,
        tried: &[Step<G>],
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != (step.from, step.to) {
            killers[1] = killers[0];
            killers[0] = (step.from, step.to);
        }
        let bonus = (depth * depth).clamp(1, 400);
        self.adjust(side, step, bonus);
        for other in tried {
            self.adjust(side, other, -bonus);
        }
    }

    fn adjust<G: Geometry>(&mut self, side: usize, step: &Step<G>, bonus: i32) {
        let value = &mut self.quiet[Self::index(side, step)];
        *value += bonus - *value * bonus.abs() / MOST_HISTORY;
    }
}

/// Brings the best-rated of the moves from `n` on to place `n`.
pub(super) fn pick<G: Geometry>(steps: &mut [Step<G>], scores: &mut [i32], n: usize) {
    let best = (n..scores.len()).max_by_key(|&k| (scores[k], std::cmp::Reverse(k)));
    if let Some(best) = best {
        steps.swap(n, best);
        scores.swap(n, best);
    }
}
