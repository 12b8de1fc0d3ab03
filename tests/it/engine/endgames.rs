//! The engine with endgame tables: values are exact, and what is won is won in play.

use pdn::board::{Piece, Side};
use pdn::egdb::{EndgameTables, Value};
use pdn::engine::{Engine, EngineOptions, Limit, SearchFeatures};
use pdn::rules::{Position, Setup, Variant};

use crate::support::random::Dice;

/// Nodes for each move.
const NODES: u64 = 200_000;
/// Plies after which a won game should have ended.
const MAX_PLIES: usize = 150;

/// Returns a random position with this many pieces.
fn random_position(random: &mut Dice, variant: Variant, pieces: usize) -> Option<Position> {
    let shape = variant.shape();
    let mut setup = Setup::new(Some(if random.below(2) == 0 { Side::White } else { Side::Black }), []);
    for n in 0..pieces {
        let side = Side::ALL[if n < 2 { n } else { random.below(2) }];
        let piece = if random.below(2) == 0 { Piece::Man } else { Piece::King };
        setup.push(shape.nth(random.below(usize::from(shape.square_count())) as u8)?, side, piece);
    }
    Position::from_setup(variant, &setup).ok().map(|(position, _)| position)
}

/// Returns a random position that is won for the side to move.
fn won_position(random: &mut Dice, tables: &EndgameTables, pieces: usize) -> Position {
    loop {
        if let Some(position) = random_position(random, tables.variant(), pieces)
            && !position.can_capture()
            && tables.probe(&position).is_some_and(|probe| probe.value() == Value::Win)
        {
            return position;
        }
    }
}

/// Plays both sides of a position to its end and returns the winner.
fn play_out(engine: &mut Engine, mut position: Position) -> Option<Side> {
    for _ in 0..MAX_PLIES {
        if let Some(winner) = position.winner() {
            return Some(winner);
        }
        let best = engine.analyse(&position, Limit::nodes(NODES)).best_move().expect("a move");
        position = position.play(&best).expect("legal");
    }
    None
}

fn won_endings_are_won(variant: Variant, pieces: usize, count: usize) {
    let (mut random, tables) = (Dice(7), EndgameTables::embedded(variant));
    let mut engine = Engine::with_options(variant, EngineOptions::default().with_hash_mb(1));
    for _ in 0..count {
        let position = won_position(&mut random, &tables, pieces);
        assert_eq!(play_out(&mut engine, position), Some(position.turn()), "{variant} {}", position.fen());
    }
}

#[test]
fn what_the_tables_say_is_won_is_won_in_play() {
    for variant in [Variant::BRAZILIAN, Variant::ITALIAN] {
        won_endings_are_won(variant, 3, 10);
        won_endings_are_won(variant, 4, 5);
    }
    won_endings_are_won(Variant::INTERNATIONAL, 3, 10);
    if std::env::var_os("PDN_LONG_TESTS").is_some() {
        for variant in [Variant::INTERNATIONAL, Variant::RUSSIAN, Variant::ENGLISH] {
            won_endings_are_won(variant, 4, 70);
        }
    }
}

#[test]
fn scores_agree_with_the_tables() {
    let (mut random, tables) = (Dice(3), EndgameTables::embedded(Variant::RUSSIAN));
    let mut engine = Engine::new(Variant::RUSSIAN);
    let mut seen = [0; 3];
    while seen.iter().min() < Some(&3) {
        let Some(position) = random_position(&mut random, Variant::RUSSIAN, 3) else { continue };
        let Some(value) = tables.probe(&position).map(|probe| probe.value()) else { continue };
        if position.winner().is_some() {
            continue;
        }
        let score = engine.analyse(&position, Limit::depth(4)).score().value();
        let agrees = match value {
            Value::Win => score >= 8_800,
            Value::Draw => score == 0,
            Value::Loss => score <= -8_800,
        };
        assert!(agrees, "{value:?} {score} {}", position.fen());
        seen[value as usize] += 1;
    }
}

#[test]
fn tables_can_be_left_out_of_the_search() {
    let options = EngineOptions::default().with_features(SearchFeatures::all() - SearchFeatures::ENDGAMES);
    let position = Position::from_fen(Variant::ENGLISH, "W:WK32,K31:BK1").expect("a position");
    let score = |engine: &mut Engine| engine.analyse(&position, Limit::depth(6)).score().value();
    assert!(score(&mut Engine::new(Variant::ENGLISH)) > 8_800);
    assert!(score(&mut Engine::with_options(Variant::ENGLISH, options)) < 8_800);
}
