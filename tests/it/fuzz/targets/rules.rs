//! The move generator against a slow one, on positions made of bytes.

use std::collections::BTreeMap;

use crate::naive::{At, Board, Key, Made, at};
use pdn::board::{Piece, Side, Square};
use pdn::rules::{Counting, Move, Position, Setup, Variant, perft};

/// Fails if the two generators differ. The first byte names the variant, the second one how many pieces there are, the
/// rest says what stands where.
pub(crate) fn check(bytes: &[u8]) {
    if let Some(position) = position(bytes) {
        // Two null moves forget the repeated king moves, which the slow generator does not know.
        compare(&position.pass().pass());
    }
}

fn position(bytes: &[u8]) -> Option<Position> {
    let (&[name, kind], rest) = bytes.split_first_chunk()?;
    let variant = Variant::ALL[usize::from(name) % Variant::ALL.len()];
    let shape = variant.shape();
    let side = |bit: u8| if bit == 0 { Side::White } else { Side::Black };
    let last_row = |side| if side == Side::White { 0 } else { shape.height() - 1 };
    let mut setup = Setup::new(Some(side(kind & 1)), []);
    for (square, &byte) in shape.squares().zip(rest.iter().cycle().take(rest.len() * 4)) {
        let byte = byte.wrapping_mul(149).rotate_left(u32::from(square.bit() % 7));
        let owner = side(byte & 1);
        let crowned = byte >> 1 & 15 < kind >> 1 & 15;
        let piece = if crowned || shape.row(square) == last_row(owner) { Piece::King } else { Piece::Man };
        if byte >> 5 <= kind >> 5 {
            setup.push(square, owner, piece);
        }
    }
    Position::from_setup(variant, &setup).ok().map(|(position, _)| position)
}

fn key(position: &Position, played: &Move) -> Key {
    let shape = position.variant().shape();
    let mut captured: Vec<_> = played.captured().iter().map(|square| at(shape, square)).collect();
    captured.sort_unstable();
    (at(shape, played.from()), at(shape, played.to()), captured)
}

fn made(position: &Position, played: &Move) -> Made {
    let shape = position.variant().shape();
    let path = |path: Vec<Square>| -> Vec<At> { path.into_iter().map(|square| at(shape, square)).collect() };
    Made { promotes: played.promotes(), paths: position.paths(played).into_iter().map(path).collect() }
}

/// Compares everything about the moves of a position; returns false if the slow generator gives up.
pub(crate) fn compare(position: &Position) -> bool {
    let board = Board::of(position);
    let Some(expected) = crate::naive::legal_moves(position.variant(), &board) else { return false };
    let moves = position.legal_moves();
    let found: BTreeMap<_, _> = moves.iter().map(|m| (key(position, m), made(position, m))).collect();
    assert_eq!(found.len(), moves.len(), "a move stands twice");
    assert_eq!(&found, &expected, "{position:?}");
    let paths: usize = expected.values().map(|made| made.paths.len()).sum();
    assert_eq!(perft(position, 1, Counting::Distinct), Some(expected.len() as u64));
    assert_eq!(perft(position, 1, Counting::Paths), Some(paths as u64));
    assert_eq!(position.can_capture(), expected.keys().any(|key| !key.2.is_empty()));
    for played in &moves {
        let key = key(position, played);
        assert_eq!(Board::of(&position.play_unchecked(played)), board.after(&key, &expected[&key]));
    }
    true
}
