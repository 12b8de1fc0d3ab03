//! One game played by the rules and square names of one variant.

use super::super::choose::Attempt;
use super::super::opening::fen_tag;
use crate::diag::Code;
use crate::notation::{Numbering, Outcome, WrittenResult, read_result, readings, roster_tag};
use crate::pdn::{GameTree, NodeId, NodeKind};
use crate::rules::{Counting, Position, Variant, perft};

/// How a game went.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Trial {
    /// Moves played.
    pub(super) played: u64,
    /// All moves could be played.
    pub(super) is_whole: bool,
    /// The first move belongs, unannounced, to the side that does not begin.
    pub(super) is_turned: bool,
    /// The starting position can be played from.
    pub(super) has_begun: bool,
    /// How surprising the moves are where each legal one is as likely: the logarithm of their number, in thousandths.
    pub(super) surprise: u64,
    /// Moves that are not written as they should be.
    pub(super) deviations: u64,
    /// Whether the winner on the board is the winner by the result, if the board has decided the game.
    pub(super) agrees: Option<bool>,
    /// No king appeared, and the board has not decided the game.
    pub(super) is_plain: bool,
}

/// A game that is played by many variants.
pub(super) struct Game<'a> {
    tree: &'a GameTree,
    /// Moves written in the main line.
    pub(super) written: u64,
    /// At least one of them is more than a null move.
    pub(super) has_moves: bool,
    result: Option<WrittenResult>,
    /// It starts from the starting position, and its nodes are all moves.
    is_simple: bool,
}

impl<'a> Game<'a> {
    pub(super) fn new(tree: &'a GameTree) -> Self {
        let nodes = tree.main_line().nodes();
        let is = |check: fn(&NodeKind) -> bool| nodes.iter().filter(|&&id| check(tree.node(id).kind())).count();
        let written = is(NodeKind::is_written_move);
        let moves = is(|kind| matches!(kind, NodeKind::Move(_)));
        Self {
            tree,
            written: written as u64,
            has_moves: moves > 0,
            result: result(tree),
            is_simple: moves == nodes.len() && fen_tag(tree).is_none(),
        }
    }

    /// Plays the game.
    pub(super) fn play(&self, variant: Variant, numbering: Numbering) -> Trial {
        let simple = if self.is_simple { self.play_simply(variant, numbering) } else { None };
        simple.unwrap_or_else(|| self.play_thoroughly(variant, numbering))
    }

    /// Plays moves that are clear; `None` if there are others.
    fn play_simply(&self, variant: Variant, numbering: Numbering) -> Option<Trial> {
        let mut position = Position::start(variant);
        let mut trial = Trial { has_begun: true, is_plain: true, ..Trial::default() };
        for text in self.tree.main_line().nodes().iter().filter_map(|&id| self.tree.node(id).move_text()) {
            let found = readings(&position, text, numbering);
            match found.moves()[..] {
                [played] => {
                    trial.surprise += surprise(&position);
                    trial.deviations += u64::from(found.deviation().is_some());
                    trial.played += 1;
                    position = position.play_unchecked(&played);
                    trial.is_plain &= position.kings().is_empty();
                }
                [] if trial.played > 0 || readings(&position.pass(), text, numbering).moves().is_empty() => break,
                _ => return None,
            }
        }
        trial.is_whole = trial.played == self.written;
        self.compare(&mut trial, &position);
        Some(trial)
    }

    /// Plays the game as a replay does.
    fn play_thoroughly(&self, variant: Variant, numbering: Numbering) -> Trial {
        let attempt = Attempt::new(self.tree, Some(variant), numbering);
        let ambiguous = |code| matches!(code, Code::MOVE_AMBIGUOUS | Code::MOVE_AMBIGUOUS_RESOLVED);
        let diagnostics = attempt.walk.diagnostics.kept();
        let plies = self.tree.main_line().nodes().iter().filter_map(|&id: &NodeId| attempt.walk.plies.get(id));
        let moves = plies.filter(|ply| ply.played().is_some());
        let mut trial = Trial {
            played: attempt.end.played as u64,
            is_whole: attempt.end.is_whole(),
            is_turned: attempt.is_turned(),
            has_begun: attempt.end.last.is_some(),
            surprise: moves.filter_map(|ply| ply.before().map(surprise)).sum(),
            deviations: diagnostics.iter().filter(|found| ambiguous(found.code())).count() as u64,
            agrees: None,
            is_plain: false,
        };
        if let Some(last) = attempt.end.last {
            self.compare(&mut trial, &last);
        }
        trial
    }

    /// Compares the result with the position at the end.
    fn compare(&self, trial: &mut Trial, last: &Position) {
        let winner = if trial.is_whole && self.written > 0 { last.winner() } else { None };
        let written = self.result.and_then(|result| result.outcome(last.variant().starts()));
        trial.agrees = winner.zip(written).map(|(winner, written)| Outcome::Win(winner) == written);
        trial.is_plain &= winner.is_none();
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

fn surprise(position: &Position) -> u64 {
    let moves = perft(position, 1, Counting::Distinct).unwrap_or(1).max(1);
    ((moves as f64).ln() * 1000.0).round() as u64
}
