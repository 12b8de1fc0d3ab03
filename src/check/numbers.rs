//! Comparison of move numbers with the moves between them.

use crate::board::Side;
use crate::diag::{Collector, Diagnostic, messages};
use crate::pdn::{Attachment, Line, Node, NodeId, NodeKind, WrittenNumber};
use crate::replay::{Ply, ReplayedGame};
use crate::rules::Variant;

/// Returns a diagnostic for each move number of a game that does not follow from the one before it.
pub(super) fn check_numbers(game: &ReplayedGame) -> Vec<Diagnostic> {
    let first = game.variant().map(Variant::starts).filter(|_| !game.is_set_up());
    let (counter, mut diagnostics) = (Counter { game, first }, Collector::default());
    for line in game.tree().lines() {
        counter.check(line, &mut diagnostics);
    }
    diagnostics.into_vec()
}

/// Counts the moves of one game.
struct Counter<'a> {
    game: &'a ReplayedGame,
    /// The side from which the numbers count; `None` if unknown, as after a FEN.
    first: Option<Side>,
}

/// A number and the moves before it.
#[derive(Clone, Copy, Debug)]
struct Counted {
    /// Number of written moves before it in its line.
    ply: u32,
    number: u32,
    /// True if it may belong to a first move, and to a second one.
    may_be: [bool; 2],
}

impl Counter<'_> {
    /// Returns true if a number here may belong to a first move, and to a second one.
    fn may_be(&self, id: NodeId) -> [bool; 2] {
        let side = self.game.ply(id).map(Ply::side);
        match (self.first, side) {
            // Dots may replace either side's move.
            (Some(first), Some(side)) if !matches!(self.game.tree().node(id).kind(), NodeKind::Ellipsis) => {
                [side == first, side != first]
            }
            _ => [true, true],
        }
    }

    /// Reports each number of a line that follows neither the number before it nor the last one that was right. Thus a
    /// wrong number is reported once, whether counting continues from it or from the right one.
    fn check(&self, line: &Line, diagnostics: &mut Collector) {
        let mut last = LastNumbers::default();
        let mut ply = 0;
        // True if only moves follow the last number, which take turns.
        let mut alternates = false;
        for &id in line.nodes() {
            let node = self.game.tree().node(id);
            if let (NodeKind::Move(_), []) = (node.kind(), node.attachments()) {
                if let Some(number) = node.number().map(WrittenNumber::value)
                    && !(alternates && last.accept_whole_moves(ply, number))
                {
                    if let Err(before) = last.accept(Counted { ply, number, may_be: self.may_be(id) }) {
                        diagnostics.push(messages::move_number(node.span(), written(number), before));
                    }
                    alternates = true;
                }
                ply += 1;
                continue;
            }
            alternates &= matches!(node.kind(), NodeKind::Move(_));
            if let NodeKind::Setup { .. } = node.kind() {
                last = LastNumbers::default();
            }
            if let Some(number) = node.number()
                && let Err(before) = last.accept(Counted { ply, number: number.value(), may_be: self.may_be(id) })
            {
                diagnostics.push(messages::move_number(node.span(), written(number.value()), before));
            }
            ply += u32::from(node.kind().is_written_move() || self.dots_replace_a_move(id, ply));
            if may_hide_a_move(node) {
                last = LastNumbers::default();
            }
        }
    }

    fn dots_replace_a_move(&self, id: NodeId, ply: u32) -> bool {
        let is_ellipsis = matches!(self.game.tree().node(id).kind(), NodeKind::Ellipsis);
        is_ellipsis && (ply == 0 || self.game.ply(id).is_some_and(Ply::passes_the_turn))
    }
}

/// Returns a number for a message. Every number that needs more than 32 bits is read as the largest one.
fn written(number: u32) -> String {
    let sign = if number == u32::MAX { "≥" } else { "" };
    format!("{sign}{number}")
}

/// Returns true if text follows a move, which may be a move that could not be read.
fn may_hide_a_move(node: &Node) -> bool {
    node.attachments().iter().any(|item| matches!(item, Attachment::Stray { .. }))
}

/// The numbers that the next one may follow.
#[derive(Clone, Copy, Debug, Default)]
struct LastNumbers {
    /// The last correct number.
    right: Option<Counted>,
    /// The last number, if it was wrong.
    wrong: Option<Counted>,
}

impl LastNumbers {
    /// Takes the next number if whole moves of both sides lie between it and the last one, and no other move replaced one of
    /// theirs: then it belongs to the same side, which need not be looked up. Nearly all numbers are of this kind.
    #[inline]
    fn accept_whole_moves(&mut self, ply: u32, number: u32) -> bool {
        let (Some(right), None) = (&mut self.right, self.wrong) else { return false };
        let fits =
            (ply - right.ply).is_multiple_of(2) && right.number.checked_add((ply - right.ply) / 2) == Some(number);
        if fits {
            (right.ply, right.number) = (ply, number);
        }
        fits
    }

    /// Takes the next number.
    ///
    /// # Errors
    ///
    /// If it does not follow any of the last ones; the error holds the last correct number.
    fn accept(&mut self, here: Counted) -> Result<(), u32> {
        let Some(right) = self.right else {
            self.right = Some(here);
            return Ok(());
        };
        if let Some(next) = here.following(right) {
            *self = Self { right: Some(next), wrong: None };
            return Ok(());
        }
        let next = self.wrong.and_then(|wrong| here.following(wrong));
        self.wrong = Some(next.unwrap_or(here));
        next.map(drop).ok_or(right.number)
    }
}

impl Counted {
    /// Returns this number if it can follow another one.
    fn following(self, last: Self) -> Option<Self> {
        let may_be = self.after(last);
        (may_be != [false, false]).then_some(Self { may_be, ..self })
    }

    /// Returns whether this may be the number of a first move, and of a second one, given the number before it.
    fn after(self, last: Self) -> [bool; 2] {
        // If numbers go down, the difference is larger than any number of moves.
        let (plies, moves) = (self.ply - last.ply, self.number.wrapping_sub(last.number));
        [0, 1].map(|second| {
            let before = (second + plies) % 2;
            // Two plies are a move, and so is the second ply of a move that had begun.
            let passed = plies / 2 + plies % 2 * before;
            self.may_be[second as usize] && last.may_be[before as usize] && moves == passed
        })
    }
}
