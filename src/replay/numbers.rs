//! Whether move numbers agree with the moves between them.

use crate::diag::{Code, Diagnostic, Findings};
use crate::pdn::{GameTree, Line, NodeKind};

/// Reports each place of a line where the numbers jump. Counting goes on from the number written, so that a lost digit
/// is reported where it is lost and where it is found again, not at every move.
pub(super) fn check_numbers(tree: &GameTree, line: &Line, findings: &mut Findings) {
    let mut last: Option<(u32, u32)> = None;
    let mut ply = 0;
    for &id in &line.nodes {
        let node = tree.node(id);
        if let NodeKind::Setup { .. } = node.kind {
            last = None;
        }
        if let Some(number) = node.number {
            if let Some((last_ply, last_number)) = last
                && !fits(ply - last_ply, last_number, number.value)
            {
                let message = format!("move number {} does not follow {last_number}", number.value);
                findings.push(Diagnostic::new(Code::MOVE_NUMBER, node.span, message));
            }
            last = Some((ply, number.value));
        }
        let stands_for_a_move = matches!(node.kind, NodeKind::Ellipsis) && ply == 0;
        ply += u32::from(node.kind.is_written_move() || stands_for_a_move);
    }
}

/// Whether `plies` moves lie between two numbers; which player the numbers count from is not known.
fn fits(plies: u32, from: u32, to: u32) -> bool {
    let moves = to.wrapping_sub(from);
    moves == plies / 2 || moves == plies.div_ceil(2)
}
