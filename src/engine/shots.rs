//! Shots at the horizon: sacrifices that win more than they give.

use super::node::{Node, Window};
use super::options::SearchFeatures;
use super::parameters::SHOT_MARGIN;
use super::score::Score;
use super::tree::{Ply, Target, Tree, update_pv};
use crate::board::{Geometry, Word};
use crate::rules::{Goal, State};

impl<G: Geometry> Tree<'_, G> {
    /// Returns the score of a quiet position at the horizon with the evaluation `score`, for the side to move: the best score of
    /// its shots if the evaluation is below the window by less than [`SHOT_MARGIN`] and a shot is better.
    pub(super) fn score_with_shots(
        &mut self,
        here: &mut Ply<G>,
        below: &mut [Ply<G>],
        node: &Node<G>,
        target: Target,
        score: i32,
    ) -> i32 {
        let Target { depth, window, ply } = target;
        // Beyond the horizon, shots would follow each other without end.
        let near = depth == 0 && score <= window.alpha && score > window.alpha - SHOT_MARGIN;
        let applies = near && self.features.contains(SearchFeatures::SHOTS);
        // A gain of pieces decides nothing near a proven score, and it is none where the side without pieces wins.
        if !applies || window.alpha.abs() >= Score::MAX_UNKNOWN || self.generator.spec().goal == Goal::Lose {
            return score;
        }
        self.generator.offers(&node.state, &mut here.list);
        let mut best = score;
        for n in 0..here.list.as_slice().len() {
            let step = here.list.as_slice()[n];
            if !self.is_shot(&self.generator.play(&node.state, &step), below) {
                continue;
            }
            let window = Window { alpha: window.alpha.max(best), ..window };
            let score = self.search_move(below, node, &step, Target { depth, window, ply }, 0);
            if self.clock.stopped {
                break;
            }
            best = best.max(score);
            if score > window.alpha {
                update_pv(&mut here.pv, step, below);
            }
            if score >= window.beta {
                break;
            }
        }
        best
    }

    /// Returns true if every capture in a position can be answered by a capture of more pieces. The side to move must have a
    /// capture.
    fn is_shot(&self, state: &State<G>, plies: &mut [Ply<G>]) -> bool {
        let [replies, answers, ..] = plies else { return false };
        self.generator.moves(state, &mut replies.list);
        replies.list.as_slice().iter().all(|reply| {
            let after = self.generator.play(state, reply);
            // Positions without a capture are many, and a list of their quiet moves would be in vain.
            self.generator.can_capture(&after) && {
                self.generator.moves(&after, &mut answers.list);
                let lost = reply.captured.count();
                answers.list.as_slice().iter().any(|answer| answer.captured.count() > lost)
            }
        })
    }
}
