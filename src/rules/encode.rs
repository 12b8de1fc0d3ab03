//! Positions and lines as numbers and bytes, the same in every run and on every machine.
//!
//! The Zobrist key of a position is the exclusive or of one number for each piece (by side, kind and bit of its square) and
//! one more if Black is to move. The numbers are the outputs of `SplitMix64` from seed [`SEED`], in the order White men, White
//! kings, Black men, Black kings, 128 squares each, then Black to move. Consecutive king moves (Frisian) and draw counters are
//! not included.

use std::array;

use super::position::{Move, Position, turned};
use super::state::State;
#[cfg(any(test, feature = "engine"))]
use super::state::Step;
use super::variants::Variant;
use crate::board::{Geometry, Side, Word};

/// The seed of the random numbers.
const SEED: u64 = 0x6472_6175_6768_7473;

const SQUARES: usize = 128;

// Keys are stored in tables and indexes, so the seed and the order of the numbers are part of their formats.
static NUMBERS: [u64; 4 * SQUARES + 1] = {
    let mut all = [0; 4 * SQUARES + 1];
    let mut n = 0;
    while n < all.len() {
        all[n] = split_mix(SEED, n as u64);
        n += 1;
    }
    all
};

/// Returns the n-th output, from 0, of the random number generator `SplitMix64` with a seed.
pub(crate) const fn split_mix(seed: u64, n: u64) -> u64 {
    let state = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

#[inline(always)]
fn piece(side: Side, king: bool, square: u8) -> u64 {
    NUMBERS[(2 * side.index() + usize::from(king)) * SQUARES + usize::from(square)]
}

const BLACK_TO_MOVE: usize = 4 * SQUARES;

/// Returns the 64-bit FNV-1a hash of bytes, which is the same in every release and on every machine.
pub(crate) fn fnv_1a(bytes: &[u8]) -> u64 {
    // The offset basis and the prime of FNV-1a for 64 bits.
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

/// Computes the key of a position from scratch.
pub(crate) fn position_key<G: Geometry>(state: &State<G>) -> u64 {
    zobrist_key(kinds(state.sides.map(Word::widen), state.kings.widen()), state.turn)
}

/// The numbers of four adjacent squares combined, by side and kind, group of squares and the squares that are taken. With
/// them, the key of a position takes 260 instructions instead of about 390.
static GROUPS: [[[u64; 16]; SQUARES / 4]; 4] = {
    let mut all = [[[0; 16]; SQUARES / 4]; 4];
    let mut n = 0;
    while n < 4 * SQUARES {
        let (kind, group, square) = (n / SQUARES, n % SQUARES / 4, n % 4);
        let mut taken = 0;
        while taken < 16 {
            if taken >> square & 1 == 1 {
                all[kind][group][taken] ^= NUMBERS[n];
            }
            taken += 1;
        }
        n += 1;
    }
    all
};

/// Returns the White men, White kings, Black men and Black kings.
pub(super) fn kinds(sides: [u128; 2], kings: u128) -> [u128; 4] {
    let [white, black] = sides;
    [white & !kings, white & kings, black & !kings, black & kings]
}

/// Computes the key of a position from its [`kinds`] of pieces and the side to move.
pub(super) fn zobrist_key(kinds: [u128; 4], turn: Side) -> u64 {
    pieces_key(kinds) ^ turn_key(turn)
}

fn turn_key(turn: Side) -> u64 {
    if turn == Side::Black { NUMBERS[BLACK_TO_MOVE] } else { 0 }
}

/// Returns the exclusive or of the numbers of pieces, by side and kind.
fn pieces_key(kinds: [u128; 4]) -> u64 {
    let mut key = 0;
    for (squares, groups) in kinds.into_iter().zip(&GROUPS) {
        for (half, groups) in groups.chunks_exact(16).enumerate() {
            let mut squares = (squares >> (64 * half)) as u64;
            while squares != 0 {
                let group = squares.trailing_zeros() / 4;
                key ^= groups[group as usize][(squares >> (4 * group) & 15) as usize];
                squares &= !(15 << (4 * group));
            }
        }
    }
    key
}

/// The keys of the positions of a line. From the key of the position before it a key takes a quarter of the instructions, as
/// few pieces differ.
#[derive(Debug, Default)]
pub(crate) struct LineKeys {
    last: Option<Position>,
    /// Its key.
    own: u64,
    /// The key of its mirror image, if it was asked for.
    mirrored: Option<u64>,
}

impl LineKeys {
    /// Returns the [`variant_key`](Position::variant_key) of the next position.
    pub(crate) fn variant_key(&mut self, position: &Position) -> u64 {
        self.go_on(position);
        self.mirrored = None;
        self.own
    }

    /// Returns the [`variant_key`](Position::variant_key) of the next position and its canonical key: the smaller of that key and
    /// the key of its [mirror image](Position::mirrored_key). The rules of every variant are the same for both sides, so
    /// positions with equal canonical keys are equally good for the side to move.
    pub(crate) fn own_and_canonical_key(&mut self, position: &Position) -> [u64; 2] {
        let change = self.go_on(position);
        let known =
            self.mirrored.zip(change).map(|(before, change)| before ^ change.mirrored(position.variant()).key());
        let mirrored = *self.mirrored.insert(known.unwrap_or_else(|| position.mirrored_key()));
        [self.own, self.own.min(mirrored)]
    }

    /// Sets the key of the next position, and returns how it differs from the last one, if both are of one variant.
    fn go_on(&mut self, position: &Position) -> Option<Change> {
        let last = self.last.replace(*position).filter(|last| last.variant() == position.variant());
        let change = last.map(|last| {
            let (before, after) = (last.kinds(), position.kinds());
            let kinds = array::from_fn(|kind| before[kind] ^ after[kind]);
            Change { kinds, turn: turn_key(last.turn()) ^ turn_key(position.turn()) }
        });
        self.own = change.as_ref().map_or_else(|| position.variant_key(), |change| self.own ^ change.key());
        change
    }
}

/// The difference between two positions: the squares on which their [`kinds`] of pieces differ, and the number of Black to move
/// if the turn passes, or else 0.
struct Change {
    kinds: [u128; 4],
    turn: u64,
}

impl Change {
    fn key(&self) -> u64 {
        pieces_key(self.kinds) ^ self.turn
    }

    /// Returns the difference between the mirror images of the positions.
    fn mirrored(self, variant: Variant) -> Self {
        let [white_men, white_kings, black_men, black_kings] = self.kinds;
        // Most of these words are zero, and reversing one takes forty instructions.
        let turn_word = |squares: u128| if squares == 0 { 0 } else { turned(variant, squares) };
        Self { kinds: [black_men, black_kings, white_men, white_kings].map(turn_word), turn: self.turn }
    }
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

/// Appends everything that distinguishes positions of a variant, always as 53 bytes.
#[cfg(feature = "annotate")]
pub(crate) fn pack(position: &Position, out: &mut Vec<u8>) {
    out.push(position.turn.letter() as u8);
    for word in [position.sides[0], position.sides[1], position.kings] {
        out.extend(word.to_le_bytes());
    }
    position.runs.iter().for_each(|run| out.extend([run.at, run.moves]));
}

/// Returns the index of each move of a line in [`Position::legal_moves`]; the first illegal move ends the list.
pub(crate) fn line_indices(mut position: Position, line: &[Move]) -> Vec<u16> {
    let mut indices = Vec::with_capacity(line.len());
    for played in line {
        // Legal moves have a documented order, so two bytes identify a move on every machine.
        let Some(index) = position.legal_moves().iter().position(|legal| legal == played) else { break };
        indices.push(index as u16);
        position = position.play_unchecked(played);
    }
    indices
}

/// Returns the moves with these indices: the inverse of [`line_indices`]; `None` if an index is too large.
pub(crate) fn line_moves(mut position: Position, indices: &[u16]) -> Option<Vec<Move>> {
    let mut line = Vec::with_capacity(indices.len());
    for &index in indices {
        let played = *position.legal_moves().get(usize::from(index))?;
        position = position.play_unchecked(&played);
        line.push(played);
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;
    use crate::rules::spec::with_rules;

    /// Returns the keys after all legal moves, updated and computed from scratch.
    fn keys_after(position: &Position) -> Vec<(u64, u64)> {
        with_rules!(position.variant(), <'a, R>(rules, position: &'a Position = position) -> Vec<(u64, u64)> {
            let state: State<R::Board> = position.state();
            let key = position_key(&state);
            let steps = position.legal_moves().into_iter().map(|played| played.step::<R::Board>());
            steps.map(|step| (key_after(key, &state, &step), position_key(&state.play(rules, &step)))).collect()
        })
    }

    #[test]
    fn updated_keys_equal_computed_ones() {
        for &variant in Variant::ALL {
            let mut position = Position::start(variant);
            for ply in 0..100 {
                for (updated, computed) in keys_after(&position) {
                    assert_eq!(updated, computed, "{variant}");
                }
                let moves = position.legal_moves();
                let Some(played) = moves.get(ply * 5 % moves.len().max(1)) else { break };
                position = position.play_unchecked(played);
            }
        }
    }

    #[test]
    fn keys_of_lines_equal_computed_ones() {
        let (mut keys, mut n) = (LineKeys::default(), 0);
        for &variant in Variant::ALL {
            let mut position = Position::start(variant);
            for ply in 0..150 {
                let own = position.variant_key();
                // Now and then only one of the keys is asked for.
                n += 1;
                match n % 11 {
                    0 => assert_eq!(keys.variant_key(&position), own, "{variant}"),
                    _ => {
                        let canonical = own.min(position.mirrored_key());
                        assert_eq!(keys.own_and_canonical_key(&position), [own, canonical], "{variant}");
                    }
                }
                let moves = position.legal_moves();
                let Some(played) = moves.get(ply * 5 % moves.len().max(1)) else { break };
                position = position.play_unchecked(played);
            }
        }
    }

    #[test]
    fn lines_survive_their_indices() {
        let start = Position::start(Variant::ENGLISH);
        let line = line_moves(start, &[2, 0]).unwrap();
        assert_eq!(line_indices(start, &line), [2, 0]);
        assert_eq!(line_moves(start, &[99]), None);
    }

    #[test]
    #[cfg(feature = "annotate")]
    fn positions_differ_in_their_bytes() {
        for &variant in Variant::ALL {
            let start = Position::start(variant);
            let moves = start.legal_moves();
            let all = moves.iter().map(|played| start.play_unchecked(played)).chain([start, start.pass()]);
            let distinct: std::collections::HashSet<_> = all
                .map(|position| {
                    let mut bytes = Vec::new();
                    pack(&position, &mut bytes);
                    assert_eq!(bytes.len(), 53);
                    bytes
                })
                .collect();
            assert_eq!(distinct.len(), moves.len() + 2);
        }
    }
}
