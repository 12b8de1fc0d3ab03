//! Random positions for property tests.

use pdn::board::{Piece, Side};
use pdn::rules::{Position, Setup, Variant};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Runs a property on random positions of a variant: `PROPTEST_CASES` of them, 2,000 unless that is set.
pub(crate) fn for_positions(name: &str, property: impl Fn(Position) -> Result<(), TestCaseError>) {
    let variant = Variant::by_name(name).expect("a variant");
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000);
    for_positions_of(variant, cases, property);
}

/// Runs a property on a number of random positions of a variant.
pub(crate) fn for_positions_of(variant: Variant, cases: u32, property: impl Fn(Position) -> Result<(), TestCaseError>) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    if let Err(failure) = TestRunner::new(config).run(&positions(variant), property) {
        panic!("{variant}: {failure}");
    }
}

/// Random placements, sparse and dense, with few kings and with many, some played on; and games from the start.
fn positions(variant: Variant) -> impl Strategy<Value = Position> {
    prop_oneof![
        5 => placements(variant),
        1 => (placements(variant), vec(any::<u16>(), 1..6)).prop_map(|(placed, choices)| play_on(placed, &choices)),
        3 => vec(any::<u16>(), 0..90).prop_map(move |choices| play_on(Position::start(variant), &choices)),
    ]
}

fn placements(variant: Variant) -> impl Strategy<Value = Position> {
    let kings = prop_oneof![Just(0_u8), 1..25_u8, 25..100_u8];
    let cells = vec((0..100_u8, 0..100_u8, any::<bool>()), usize::from(variant.shape().square_count()));
    (4..70_u8, kings, any::<bool>(), cells).prop_map(move |(filled, kings, white, cells)| {
        let side = |white| if white { Side::White } else { Side::Black };
        let row = |square| variant.shape().row(square);
        let last_row = |side| if side == Side::White { 0 } else { variant.shape().height() - 1 };
        let mut setup = Setup::new(Some(side(white)), []);
        for (square, (occupied, king, white)) in variant.shape().squares().zip(cells) {
            let piece = if king >= 100 - kings { Piece::King } else { Piece::Man };
            let is_late = piece == Piece::Man && row(square) == last_row(side(white));
            if occupied >= 100 - filled && !is_late {
                setup.push(square, side(white), piece);
            }
        }
        Position::from_setup(variant, &setup).map_or_else(|_| Position::start(variant), |(position, _)| position)
    })
}

fn play_on(start: Position, choices: &[u16]) -> Position {
    choices.iter().fold(start, |position, &choice| {
        let moves = position.legal_moves();
        if moves.is_empty() { position } else { position.play_unchecked(&moves[usize::from(choice) % moves.len()]) }
    })
}
