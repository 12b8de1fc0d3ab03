//! One game played by the rules and square names of one variant.

use super::super::opening::Written;
use super::super::walk::{Purpose, Walk};
use super::variants::{KindsOfPlay, Scope};
use crate::board::Side;
use crate::notation::{Numbering, Outcome, WrittenResult, read_result, roster_tag};
use crate::pdn::{GameTree, LineId, NodeKind};
use crate::rules::{Goal, Variant};

/// The outcome of a game.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Trial {
    variant: Variant,
    numbering: Numbering,
    /// Moves played.
    pub(super) played: u64,
    /// True if all moves could be played.
    pub(super) is_whole: bool,
    /// True if the first move belongs, unannounced, to the side that does not begin.
    pub(super) is_turned: bool,
    /// True if the starting position is playable.
    pub(super) has_begun: bool,
    /// How surprising the moves are if all legal moves are equally likely: the logarithm of their number, in thousandths.
    pub(super) surprise: u64,
    /// Moves that are ambiguous, or not written correctly.
    pub(super) deviations: u64,
    /// The winner, if all moves could be played and the board has decided the game.
    winner: Option<Side>,
    /// True if a king appeared, or could have appeared.
    has_kings: bool,
}

impl Trial {
    /// Returns true if the winner on the board is the winner by the result, if the board has decided the game.
    pub(super) fn agrees(&self, record: &Record<'_>) -> Option<bool> {
        let written = record.result.and_then(|result| result.outcome(self.variant.starts()));
        self.winner.zip(written).map(|(winner, written)| Outcome::Win(winner) == written)
    }

    /// Returns the trial by another variant that plays the game in the same way.
    fn of_kin(self, variant: Variant) -> Self {
        let blocked_wins = |variant: Variant| variant.spec().goal == Goal::Lose;
        let is_reversed = blocked_wins(variant) != blocked_wins(self.variant);
        Self { variant, winner: self.winner.map(|winner| if is_reversed { !winner } else { winner }), ..self }
    }
}

/// A game that is played by many variants.
pub(super) struct Record<'a> {
    pub(super) game: &'a Written<'a>,
    /// Moves written in the main line.
    pub(super) written: u64,
    /// True if at least one of them is not a null move.
    pub(super) has_moves: bool,
    /// True if a position is set up among the moves.
    has_setups: bool,
    result: Option<WrittenResult>,
}

impl<'a> Record<'a> {
    pub(super) fn new(game: &'a Written<'a>) -> Self {
        let tree = game.tree;
        let kinds = || tree.main_line().nodes().iter().map(|&id| tree.node(id).kind());
        Self {
            game,
            written: kinds().filter(|kind| kind.is_written_move()).count() as u64,
            has_moves: kinds().any(|kind| matches!(kind, NodeKind::Move(_))),
            has_setups: kinds().any(|kind| matches!(kind, NodeKind::Setup { .. })),
            result: result(tree),
        }
    }

    /// Plays the game by each variant, or by one of those known to play it alike.
    pub(super) fn trials(&self, variants: impl Iterator<Item = (Variant, Numbering)>, purpose: Purpose) -> Vec<Trial> {
        // After the first move that cannot be played no other can, unless a position is set up.
        let purpose = if self.has_setups { purpose } else { Purpose::Test };
        let (kinds, start) = (KindsOfPlay::get(), !self.game.has_fen());
        let mut trials: Vec<Trial> = Vec::with_capacity(variants.size_hint().0);
        for (variant, numbering) in variants {
            let is_kin = |trial: &&Trial| {
                let scope = Scope { kings: trial.has_kings, start };
                numbering == trial.numbering && kinds.are_alike(variant, trial.variant, scope)
            };
            let known = trials.iter().find(is_kin).map(|trial| trial.of_kin(variant));
            trials.push(known.unwrap_or_else(|| self.play(variant, numbering, purpose)));
        }
        trials
    }

    fn play(&self, variant: Variant, numbering: Numbering, purpose: Purpose) -> Trial {
        let mut walk = Walk::new(self.game, Some(variant), numbering, purpose);
        let (start, _) = walk.start();
        let is_turned = walk.evidence.is_turned;
        let end = walk.play_line(LineId::MAIN, start);
        let decided = end.last.filter(|_| end.is_whole() && self.written > 0);
        Trial {
            variant,
            numbering,
            played: end.played as u64,
            is_whole: end.is_whole(),
            is_turned,
            has_begun: end.last.is_some(),
            surprise: walk.evidence.surprise,
            deviations: walk.evidence.deviations,
            winner: decided.and_then(|last| last.winner()),
            has_kings: walk.evidence.has_kings,
        }
    }
}

/// Returns the result if tag and terminator do not contradict each other.
fn result(tree: &GameTree) -> Option<WrittenResult> {
    let in_tag = roster_tag(tree, "Result").and_then(|tag| read_result(tag.value()));
    let at_end = tree.terminator().and_then(|end| read_result(end.text()));
    match (in_tag, at_end) {
        (Some(tag), Some(end)) if tag != end => None,
        (tag, end) => tag.or(end),
    }
}
