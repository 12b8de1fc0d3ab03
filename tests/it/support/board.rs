//! What several tests of the rules share.

use pdn::board::{Piece, Side, Square};
use pdn::rules::{Position, Setup, Variant};

/// Reads a numeric FEN by hand, so that the rules are tested without the reader of FENs.
pub(crate) fn position(variant: Variant, fen: &str) -> Position {
    let (side, lists) = fen.split_at(1);
    let mut setup = Setup::new(Some(side_of(side)), []);
    for list in lists[1..].split(':') {
        let (colour, squares) = list.split_at(1);
        for item in squares.split(',') {
            let (first, last) = item.trim_start_matches('K').split_once('-').map_or_else(
                || (number(item.trim_start_matches('K')), number(item.trim_start_matches('K'))),
                |(first, last)| (number(first), number(last)),
            );
            let piece = if item.starts_with('K') { Piece::King } else { Piece::Man };
            (first..=last).for_each(|n| setup.push(square(variant, n), side_of(colour), piece));
        }
    }
    Position::from_setup(variant, &setup).expect("a playable position").0
}

fn number(text: &str) -> u8 {
    text.parse().expect("a number")
}

fn side_of(letter: &str) -> Side {
    if letter == "W" { Side::White } else { Side::Black }
}

/// The n-th square from the top left; Italian boards are mirrored.
pub(crate) fn square(variant: Variant, n: u8) -> Square {
    let shape = variant.shape();
    let per_row = shape.squares_per_row();
    let (row, place) = ((n - 1) / per_row, (n - 1) % per_row);
    let place = if variant == Variant::ITALIAN { per_row - 1 - place } else { place };
    shape.nth(row * per_row + place).expect("a square of the board")
}
