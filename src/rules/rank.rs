//! Ranks of captures: of all captures only those of the highest rank are legal.

use super::spec::{Precedence, Promotion, RuleSpec};

/// Returns the rank of a capture before its first jump.
#[inline(always)]
pub(super) const fn rank_at_start(precedence: Precedence, by_king: bool) -> u32 {
    match precedence {
        Precedence::Free | Precedence::Most | Precedence::MostThenKings => 0,
        Precedence::Italian => (by_king as u32) << 16,
        Precedence::HighestValue | Precedence::WithKing => by_king as u32,
    }
}

/// Returns the rank of a capture after one more piece is taken.
#[inline(always)]
pub(super) const fn rank_after(precedence: Precedence, rank: u32, takes_king: bool) -> u32 {
    let king = takes_king as u32;
    match precedence {
        Precedence::Free | Precedence::WithKing => rank,
        Precedence::Most => rank + 1,
        Precedence::MostThenKings => rank + (1 << 8) + king,
        // From the high bits: pieces, by king, kings, how early the first king is taken.
        Precedence::Italian => {
            let (pieces, kings) = (rank >> 24, rank >> 8 & 0xFF);
            let earliness = if takes_king && kings == 0 { 63 - pieces } else { 0 };
            rank + (1 << 24) + (king << 8) + earliness
        }
        // A man counts 100, a king 199; the lowest bit is set if a king captures.
        Precedence::HighestValue => rank + 2 * (100 + 99 * king),
    }
}

/// Returns true if the rank depends on whether a captured piece is a king.
pub(super) const fn depends_on_kings(precedence: Precedence) -> bool {
    matches!(precedence, Precedence::MostThenKings | Precedence::Italian | Precedence::HighestValue)
}

/// Returns true if a capture that can continue makes captures of one piece illegal. A new king that may continue may find
/// nothing more to capture.
pub(super) const fn single_jumps_are_outranked(spec: &RuleSpec) -> bool {
    !matches!(spec.precedence, Precedence::Free | Precedence::WithKing)
        && !matches!(spec.promotion, Promotion::GoesOnAsKing)
}
