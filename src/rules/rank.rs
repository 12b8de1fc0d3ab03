//! Ranks of captures: of all captures only those of the highest rank are legal.

use super::spec::{Precedence, Promotion, RuleSpec};

/// Rank of a piece that has taken nothing yet.
#[inline(always)]
pub(super) const fn rank_at_start(precedence: Precedence, by_king: bool) -> u32 {
    match precedence {
        Precedence::Free | Precedence::Most | Precedence::MostThenKings => 0,
        Precedence::Italian => (by_king as u32) << 16,
        Precedence::HighestValue | Precedence::WithKing => by_king as u32,
    }
}

/// Rank after one piece more is taken.
#[inline(always)]
pub(super) const fn rank_after(precedence: Precedence, rank: u32, takes_king: bool) -> u32 {
    let king = takes_king as u32;
    match precedence {
        Precedence::Free | Precedence::WithKing => rank,
        Precedence::Most => rank + 1,
        Precedence::MostThenKings => rank + (1 << 8) + king,
        // From the high bits: pieces, by king, kings, how early the first king is met.
        Precedence::Italian => {
            let (pieces, kings) = (rank >> 24, rank >> 8 & 0xFF);
            let earliness = if takes_king && kings == 0 { 63 - pieces } else { 0 };
            rank + (1 << 24) + (king << 8) + earliness
        }
        // A man is worth 100, a king 199; the lowest bit tells that a king captures.
        Precedence::HighestValue => rank + 2 * (100 + 99 * king),
    }
}

/// Whether it matters for the rank that a piece taken is a king.
pub(super) const fn heeds_kings(precedence: Precedence) -> bool {
    matches!(precedence, Precedence::MostThenKings | Precedence::Italian | Precedence::HighestValue)
}

/// Whether captures of one piece are illegal beside one that goes on (a new king may find nothing to go on to).
pub(super) const fn single_jumps_are_outranked(spec: &RuleSpec) -> bool {
    !matches!(spec.precedence, Precedence::Free | Precedence::WithKing)
        && !matches!(spec.promotion, Promotion::GoesOnAsKing)
}
