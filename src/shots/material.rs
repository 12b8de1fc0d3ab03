//! Material: what a shot gains after the best recapture.

use crate::board::Side;
use crate::rules::{Goal, Move, Position};

/// The value of a king in men.
pub(crate) const KING: i32 = 3;

/// Maximum depth of captures in reply to captures: no game has as many in a row.
const DEEPEST: u8 = 12;

/// Returns true if a side gains something by winning material: in losing draughts, the aim is to be rid of it.
pub(crate) fn counts_material(position: &Position) -> bool {
    position.variant().spec().goal != Goal::Lose
}

/// Returns the material lead of a side in men; a king counts as three.
pub(crate) fn balance(position: &Position, side: Side) -> i32 {
    let worth = |side| position.men_of(side).len() as i32 + KING * position.kings_of(side).len() as i32;
    worth(side) - worth(!side)
}

/// Minimum evaluation, in centi-men, for a side that wins material: if it is lower, the search found that the side loses the
/// material again. A side with less material may only be winning it back.
pub(crate) const MIN_LEAD: i32 = 60;

/// Returns true if an evaluation for a side, in centi-men, shows that the side is winning material in a position.
pub(crate) fn is_winning(position: &Position, side: Side, lead: i32) -> bool {
    lead >= MIN_LEAD + 100 * balance(position, side).min(0)
}

/// Returns the balance for a side after all compulsory captures, including those that become compulsory on the way, with best
/// play by both sides.
pub(crate) fn settled(position: &Position, side: Side) -> i32 {
    settled_within(position, side, DEEPEST, 0)
}

/// Returns the balance that [`settled`] returns; where the other side then moves quietly, it also counts the captures that follow its
/// best move: what it cannot save is won.
pub(super) fn kept(position: &Position, side: Side) -> i32 {
    settled_within(position, side, DEEPEST, 4)
}

/// Returns the balance for a side in a position without captures, less what it would lose to captures that the other side threatens.
pub(crate) fn secured(position: &Position, side: Side) -> i32 {
    let lead = balance(position, side);
    if position.turn() == side { lead.min(settled(&position.pass(), side)) } else { lead }
}

fn settled_within(position: &Position, side: Side, depth: u8, threats: u8) -> i32 {
    let (captures, stands) = (position.can_capture(), balance(position, side));
    if depth == 0 || !captures && threats == 0 {
        return stands;
    }
    let (moves, own) = (position.legal_moves(), position.turn() == side);
    let left = if captures { threats } else { threats - 1 };
    let after = |played: &Move| settled_within(&position.play_unchecked(played), side, depth - 1, left);
    let values = moves.iter().filter(|played| captures || !own || played.promotes()).map(after);
    if own { values.max().map(|best| if captures { best } else { best.max(stands) }) } else { values.min() }
        .unwrap_or(stands)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn captures_are_played_out() {
        let read = |fen| Position::from_fen(Variant::INTERNATIONAL, fen).expect("a FEN");
        let exchange = read("W:W32,37:B28");
        assert_eq!((balance(&exchange, Side::White), settled(&exchange, Side::White)), (1, 2));
        // 23x32 goes on to 43.
        assert_eq!(settled(&read("B:W28,33,38:B22,23,9"), Side::White), -2);
        assert_eq!(balance(&read("W:WK28:B1"), Side::White), 2);
    }

    #[test]
    fn what_is_threatened_is_not_secured() {
        let threatened = Position::from_fen(Variant::INTERNATIONAL, "W:W33,50:B24,29").expect("a FEN");
        let lead = |position: &Position| (balance(position, Side::White), secured(position, Side::White));
        assert_eq!(lead(&threatened), (0, -1), "29x38");
        assert_eq!(lead(&threatened.pass()), (0, 0), "the other side is to move");
    }
}
