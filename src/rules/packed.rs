//! Positions as bytes, the same on every machine.

use super::position::Position;
use super::state::KingRun;
use super::variants::Variant;
use crate::board::Side;

/// The flags in the first byte.
const BLACK_TO_MOVE: u8 = 1;
const WIDE: u8 = 2;
const KING_RUNS: u8 = 4;

/// Appends a position to bytes: different positions of a variant have different bytes, and none begin with those of another.
pub(crate) fn pack(position: &Position, out: &mut Vec<u8>) {
    let [white, black] = [Side::White, Side::Black].map(|side| position.squares_of(side).word());
    let words = [white, black, position.kings().word()];
    let runs = position.king_runs();
    let is_wide = words.iter().any(|&word| word > u128::from(u64::MAX));
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let has_runs = runs != [KingRun::NONE; 2];
    out.push(flag(position.turn() == Side::Black, BLACK_TO_MOVE) | flag(is_wide, WIDE) | flag(has_runs, KING_RUNS));
    let size = if is_wide { 16 } else { 8 };
    for word in words {
        out.extend_from_slice(&word.to_le_bytes()[..size]);
    }
    if has_runs {
        for run in runs {
            out.extend_from_slice(&[run.at, run.moves]);
        }
    }
}

/// Takes a position from the beginning of bytes; `None` if they are none.
pub(crate) fn unpack(variant: Variant, bytes: &mut &[u8]) -> Option<Position> {
    let flags = take(bytes, 1)?[0];
    let size = if flags & WIDE == 0 { 8 } else { 16 };
    let mut word = || {
        let mut word = [0; 16];
        word[..size].copy_from_slice(take(bytes, size)?);
        Some(u128::from_le_bytes(word))
    };
    let (sides, kings) = ([word()?, word()?], word()?);
    let mut run = || {
        let run = if flags & KING_RUNS == 0 { &[0, 0] } else { take(bytes, 2)? };
        Some(KingRun { at: run[0], moves: run[1] })
    };
    let runs = [run()?, run()?];
    let turn = if flags & BLACK_TO_MOVE == 0 { Side::White } else { Side::Black };
    Some(Position::from_words(variant, (sides, kings), turn, runs))
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (first, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_survive_their_bytes() {
        for &variant in Variant::ALL {
            let mut position = Position::start(variant);
            for n in 0..40 {
                let mut bytes = Vec::new();
                pack(&position, &mut bytes);
                bytes.push(9);
                let mut rest = &bytes[..];
                assert_eq!(unpack(variant, &mut rest), Some(position));
                assert_eq!(rest, [9]);
                assert_eq!(unpack(variant, &mut &bytes[..5]), None);
                let moves = position.legal_moves();
                let Some(played) = moves.get(n % moves.len().max(1)) else { break };
                position = position.play_unchecked(played);
            }
        }
    }
}
