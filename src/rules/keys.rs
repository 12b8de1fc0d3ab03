//! Zobrist keys: a position as one 64-bit number, the same in every run and on every machine.
//!
//! The key is the exclusive or of one number for each piece (by side, kind and bit of its square) and one more if Black is
//! to move. The numbers are the outputs of `SplitMix64` from seed [`SEED`], in the order White men, White kings, Black men,
//! Black kings, 128 squares each, then Black to move. Consecutive king moves (Frisian) and draw counters are not included.

use super::state::State;
#[cfg(any(test, feature = "engine"))]
use super::state::Step;
use crate::board::{Geometry, Side, Word};

/// The seed of the random numbers.
const SEED: u64 = 0x6472_6175_6768_7473;

const SQUARES: usize = 128;

static NUMBERS: [u64; 4 * SQUARES + 1] = numbers();

const fn numbers() -> [u64; 4 * SQUARES + 1] {
    let mut all = [0; 4 * SQUARES + 1];
    let mut state = SEED;
    let mut n = 0;
    while n < all.len() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        all[n] = mixed ^ mixed >> 31;
        n += 1;
    }
    all
}

#[inline(always)]
fn piece(side: Side, king: bool, square: u8) -> u64 {
    NUMBERS[(2 * side.index() + usize::from(king)) * SQUARES + usize::from(square)]
}

const BLACK_TO_MOVE: usize = 4 * SQUARES;

/// Returns the 64-bit FNV-1a hash of bytes, which is the same in every release and on every machine.
pub(crate) fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

/// Computes the key of a position from scratch.
pub(crate) fn position_key<G: Geometry>(state: &State<G>) -> u64 {
    let mut key = if state.turn == Side::Black { NUMBERS[BLACK_TO_MOVE] } else { 0 };
    for side in [Side::White, Side::Black] {
        let mut pieces = state.sides[side.index()];
        while pieces.any() {
            let square = pieces.lowest();
            key ^= piece(side, (state.kings & G::Word::bit(square)).any(), square);
            pieces = pieces.without_lowest();
        }
    }
    key
}

/// Computes the key of the position after a move from the key of the position before it.
#[cfg(any(test, feature = "engine"))]
#[inline]
pub(crate) fn key_after<G: Geometry>(key: u64, before: &State<G>, step: &Step<G>) -> u64 {
    let was_king = (before.kings & G::Word::bit(step.from)).any();
    let mut key = key ^ NUMBERS[BLACK_TO_MOVE];
    key ^= piece(before.turn, was_king, step.from) ^ piece(before.turn, was_king || step.promotes, step.to);
    let mut captured = step.captured;
    while captured.any() {
        let square = captured.lowest();
        key ^= piece(!before.turn, (before.kings & G::Word::bit(square)).any(), square);
        captured = captured.without_lowest();
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::spec::{Rules, Task};
    use crate::rules::{Position, Variant};

    /// The key after each legal move, updated and computed from scratch.
    struct Keys<'a>(&'a Position);

    impl Task for Keys<'_> {
        type Output = Vec<(u64, u64)>;

        fn run<R: Rules>(self, rules: R) -> Self::Output {
            let state: State<R::Board> = self.0.state();
            let key = position_key(&state);
            let steps = self.0.legal_moves().into_iter().map(|played| played.step::<R::Board>());
            steps.map(|step| (key_after(key, &state, &step), position_key(&state.play(rules, &step)))).collect()
        }
    }

    #[test]
    fn updated_keys_equal_computed_ones() {
        for &variant in Variant::ALL {
            let mut position = Position::start(variant);
            for ply in 0..100 {
                for (updated, computed) in variant.dispatch(Keys(&position)) {
                    assert_eq!(updated, computed, "{variant}");
                }
                let moves = position.legal_moves();
                let Some(played) = moves.get(ply * 5 % moves.len().max(1)) else { break };
                position = position.play_unchecked(played);
            }
        }
    }
}
