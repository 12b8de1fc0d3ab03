//! Looking ahead: which of several positions allows the rest of a line to be played.

use crate::board::Side;
use crate::notation::{Fen, Numbering, read_fen, readings};
use crate::pdn::{GameTree, NodeId, NodeKind};
use crate::rules::Position;

/// Largest number of positions kept at a time; more means that nearly every move of a line is ambiguous.
const MAX_HEADS: usize = 64;

/// Maximum number of moves read ahead in a game: enough for any real game, and a limit for a hostile one.
pub(super) const BUDGET: u32 = 100_000;

/// How far a line can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// Index of the first of the starting positions that lead furthest.
    pub(super) start: usize,
    /// True if it is the only one, or if the others lead to the same positions.
    pub(super) decided: bool,
}

/// One position that a line may have reached, and a bit for each starting position that leads there.
#[derive(Clone, Copy)]
struct Head {
    position: Position,
    starts: u64,
}

/// Follows a line from several starting positions (at most 64) at once, until only one of them is left or the line ends.
///
/// All possible positions advance together and equal ones are merged, so that the work is proportional to the length of the
/// line, however many of its moves are ambiguous.
pub(super) fn look_ahead(
    tree: &GameTree,
    nodes: &[NodeId],
    starts: &[Position],
    numbering: Numbering,
    budget: &mut u32,
) -> Reach {
    let mut heads: Vec<Head> = Vec::with_capacity(starts.len());
    for (n, &position) in starts.iter().take(MAX_HEADS).enumerate() {
        // A bit for each starting position: `MAX_HEADS` is the number of bits of the word.
        add(&mut heads, Head { position, starts: 1 << n });
    }
    for &id in nodes {
        if is_decided(&heads) || *budget < heads.len() as u32 {
            break;
        }
        *budget -= heads.len() as u32;
        match advance(tree.node(id).kind(), &heads, numbering) {
            Some(next) if !next.is_empty() => heads = next,
            _ => break,
        }
    }
    let starts = heads.iter().fold(0, |all, head| all | head.starts);
    Reach { start: starts.trailing_zeros() as usize, decided: is_decided(&heads) }
}

/// Returns true if all remaining positions come from the same starting positions.
fn is_decided(heads: &[Head]) -> bool {
    heads.windows(2).all(|pair| pair[0].starts == pair[1].starts)
}

/// Returns the positions after a node; `None` if a setup replaces them.
fn advance(kind: &NodeKind, heads: &[Head], numbering: Numbering) -> Option<Vec<Head>> {
    let mut next = Vec::with_capacity(heads.len());
    match kind {
        NodeKind::Ellipsis => next.extend_from_slice(heads),
        NodeKind::Null => next.extend(heads.iter().map(|head| Head { position: head.position.pass(), ..*head })),
        NodeKind::Setup { fen } => {
            let side = null_side(&read_fen(fen, numbering).ok()?)?;
            next.extend(heads.iter().map(|head| Head { position: with_turn(&head.position, side), ..*head }));
        }
        NodeKind::Move(text) => {
            for head in heads {
                for played in readings(&head.position, text, numbering).moves() {
                    add(&mut next, Head { position: head.position.play_unchecked(played), starts: head.starts });
                }
            }
        }
    }
    Some(next)
}

fn add(heads: &mut Vec<Head>, head: Head) {
    if let Some(other) = heads.iter_mut().find(|other| other.position == head.position) {
        other.starts |= head.starts;
    } else if heads.len() < MAX_HEADS {
        heads.push(head);
    }
}

/// Returns the side to move after a setup that changes nothing else, such as `B::`.
pub(super) fn null_side(fen: &Fen) -> Option<Side> {
    if fen.is_null_move() { fen.setup.turn() } else { None }
}

/// Returns the position with a given side to move.
pub(super) fn with_turn(position: &Position, side: Side) -> Position {
    if position.turn() == side { *position } else { position.pass() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::rules::Variant;

    fn reach(text: &str, starts: &[Position], budget: &mut u32) -> Reach {
        let tree = games(text.as_bytes()).next().expect("a game").into_tree();
        let numbering = Numbering::for_variant(Variant::INTERNATIONAL);
        look_ahead(&tree, tree.main_line().nodes(), starts, numbering, budget)
    }

    #[test]
    fn the_start_from_which_the_line_can_be_played_is_chosen() {
        let white = Position::start(Variant::INTERNATIONAL);
        let starts = [white.pass(), white];
        assert_eq!(reach("1. 32-28 19-23 *", &starts, &mut 100), Reach { start: 1, decided: true });
        assert_eq!(reach("1. 19-23 32-28 *", &starts, &mut 100), Reach { start: 0, decided: true });
        assert!(!reach("1. 28-32 19-23 *", &starts, &mut 100).decided);
    }

    #[test]
    fn starts_that_lead_to_the_same_position_are_equal() {
        let white = Position::start(Variant::INTERNATIONAL);
        assert_eq!(reach("1. 32-28 *", &[white, white], &mut 100), Reach { start: 0, decided: true });
    }

    #[test]
    fn work_ends_with_the_budget() {
        let white = Position::start(Variant::INTERNATIONAL);
        assert!(!reach("1. 32-28 19-23 *", &[white.pass(), white], &mut 1).decided);
    }
}
