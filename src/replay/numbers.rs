//! Whether move numbers agree with the moves between them.

use super::game::Ply;
use super::opening::is_set_up;
use crate::board::Side;
use crate::diag::{Code, Diagnostic, Findings};
use crate::pdn::{Attachment, GameTree, Line, Node, NodeId, NodeKind};

/// Counts the moves of one game.
pub(super) struct Counter<'a> {
    tree: &'a GameTree,
    plies: &'a [Option<Ply>],
    /// The side that the numbers count from; `None` where that is not known, as behind a FEN.
    first: Option<Side>,
}

/// A number and where it stands.
#[derive(Clone, Copy)]
struct Counted {
    ply: u32,
    number: u32,
    /// Whether it may be one of a first move, and of a second one.
    may_be: [bool; 2],
}

impl<'a> Counter<'a> {
    pub(super) fn new(tree: &'a GameTree, plies: &'a [Option<Ply>], starts: Option<Side>) -> Self {
        Self { tree, plies, first: starts.filter(|_| !is_set_up(tree)) }
    }

    /// Whether a number here may be one of a first move, and of a second one.
    fn may_be(&self, id: NodeId) -> [bool; 2] {
        let side = self.plies[id.index()].map(|ply| ply.side);
        match (self.first, side) {
            // Dots stand in the place of either side's move.
            (Some(first), Some(side)) if self.tree.node(id).kind != NodeKind::Ellipsis => {
                [side == first, side != first]
            }
            _ => [true, true],
        }
    }

    /// Reports each place of a line where the numbers jump. Counting goes on from the number written, so that a lost digit
    /// is reported where it is lost and where it is found again, not at every move.
    pub(super) fn check(&self, line: &Line, findings: &mut Findings) {
        let mut last: Option<Counted> = None;
        let mut ply = 0;
        for &id in &line.nodes {
            let node = self.tree.node(id);
            if let NodeKind::Setup { .. } = node.kind {
                last = None;
            }
            if let Some(number) = node.number {
                let may_be = self.may_be(id);
                let here = Counted { ply, number: number.value, may_be };
                let follows = last.map(|last| here.behind(last));
                if let (Some([false, false]), Some(last)) = (follows, last) {
                    let message = format!("move number {} does not follow {}", number.value, last.number);
                    findings.push(Diagnostic::new(Code::MOVE_NUMBER, node.span, message));
                }
                let may_be = follows.filter(|&follows| follows != [false, false]).unwrap_or(may_be);
                last = Some(Counted { may_be, ..here });
            }
            let dots_for_a_move =
                matches!(node.kind, NodeKind::Ellipsis) && (ply == 0 || self.plies[id.index()].is_some_and(turns));
            ply += u32::from(node.kind.is_written_move() || dots_for_a_move);
            if may_hide_a_move(node) {
                last = None;
            }
        }
    }
}

/// Whether the other side is to move behind it.
fn turns(ply: Ply) -> bool {
    ply.before.zip(ply.after).is_some_and(|(before, after)| before.turn() != after.turn())
}

/// Whether text stands behind a move, which may be one that could not be read.
fn may_hide_a_move(node: &Node) -> bool {
    node.after.iter().any(|item| matches!(item, Attachment::Stray { .. }))
}

impl Counted {
    /// Of which moves this may be the number, if the one before it is right.
    fn behind(self, last: Self) -> [bool; 2] {
        let (plies, moves) = (self.ply - last.ply, self.number.wrapping_sub(last.number));
        [0, 1].map(|second| {
            let before = (second + plies) % 2;
            // Two plies are a move, and so is the second one of a move that was half done.
            let passed = plies / 2 + plies % 2 * before;
            self.may_be[second as usize] && last.may_be[before as usize] && moves == passed
        })
    }
}
