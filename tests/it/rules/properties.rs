//! What holds in every position of every variant, on random ones.

use std::collections::BTreeSet;

use crate::support::positions::for_positions;
use pdn::board::{Piece, Shape, Side, Square};
use pdn::rules::{Counting, Move, Position, Setup, Variant, perft};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn in_every_variant(property: impl Fn(&Position) -> Result<(), TestCaseError>) {
    for variant in Variant::ALL {
        for_positions(variant.name(), |position| property(&position));
    }
}

/// The same pieces and side to move, built from nothing, without memory of repeated king moves.
fn rebuilt(position: &Position) -> Position {
    Position::from_setup(position.variant(), &Setup::from(position)).expect("a playable position").0
}

#[test]
fn a_move_leads_to_the_position_built_from_its_pieces() {
    in_every_variant(|position| {
        for played in position.legal_moves() {
            let next = position.play(&played).expect("a legal move");
            prop_assert_eq!(rebuilt(&next), next.pass().pass());
            prop_assert_eq!(rebuilt(&next).key(), next.key());
            prop_assert_eq!(next.turn(), !position.turn());
        }
        Ok(())
    });
}

/// Leaf counts take short cuts where captures are of one or two pieces, and over the last two plies.
#[test]
fn leaves_are_as_many_as_the_listed_moves() {
    in_every_variant(|position| {
        let position = rebuilt(position);
        for counting in [Counting::Distinct, Counting::Paths] {
            let ways = |position: &Position, played: &Move| match counting {
                Counting::Distinct => 1,
                Counting::Paths => position.paths(played).len() as u64,
            };
            let moves = |position: &Position| -> u64 {
                position.legal_moves().iter().map(|played| ways(position, played)).sum()
            };
            let after = |played: &Move| rebuilt(&position.play(played).expect("a legal move"));
            let replies =
                position.legal_moves().iter().map(|played| ways(&position, played) * moves(&after(played))).sum();
            prop_assert_eq!(perft(&position, 1, counting), Some(moves(&position)));
            prop_assert_eq!(perft(&position, 2, counting), Some(replies));
        }
        Ok(())
    });
}

/// First square, last square, captured pieces and promotion, so that a mirror can be held to them.
type Plain = (u8, u8, BTreeSet<u8>, bool);

fn plain(shape: Shape, played: &Move, mirror: impl Fn(Square) -> Square) -> Plain {
    let number = |square| shape.order(mirror(square));
    let captured = played.captured().iter().map(number).collect();
    (number(played.from()), number(played.to()), captured, played.promotes())
}

fn mirrored_moves_agree(
    position: &Position,
    swap: bool,
    mirror: impl Fn(Square) -> Square,
) -> Result<(), TestCaseError> {
    let shape = position.variant().shape();
    let side = |side: Side| if swap { !side } else { side };
    let pieces = position.pieces().map(|(square, owner, piece)| (mirror(square), side(owner), piece));
    let setup = Setup::new(Some(side(position.turn())), pieces);
    let image = Position::from_setup(position.variant(), &setup).expect("a playable position").0;
    let moves: BTreeSet<_> = rebuilt(position).legal_moves().iter().map(|m| plain(shape, m, &mirror)).collect();
    let mirrored: BTreeSet<_> = image.legal_moves().iter().map(|m| plain(shape, m, |square| square)).collect();
    prop_assert_eq!(moves, mirrored);
    Ok(())
}

#[test]
fn the_board_turned_round_has_the_same_moves() {
    in_every_variant(|position| {
        let shape = position.variant().shape();
        let turned = |square| shape.nth(shape.square_count() - 1 - shape.order(square)).expect("a square");
        mirrored_moves_agree(position, true, turned)
    });
}

/// On dark squares the mirror image has other playable squares, so that only the full board shows it.
#[test]
fn the_turkish_board_has_a_mirror() {
    for_positions("turkish", |position| {
        let shape = position.variant().shape();
        let across = |square| shape.square_at(shape.row(square), 7 - shape.column(square)).expect("a square");
        mirrored_moves_agree(&position, false, across)
    });
}

#[test]
fn moves_are_ordered_and_each_is_found_by_its_squares() {
    in_every_variant(|position| {
        let moves = position.legal_moves();
        let order = |m: &Move| (m.from(), m.to(), m.captured().iter().collect::<Vec<_>>());
        prop_assert!(moves.windows(2).all(|pair| order(&pair[0]) < order(&pair[1])));
        prop_assert_eq!(position.can_capture(), moves.iter().any(Move::is_capture));
        for played in &moves {
            prop_assert!(position.is_legal(played));
            let between: Vec<_> =
                moves.iter().filter(|m| (m.from(), m.to()) == (played.from(), played.to())).copied().collect();
            prop_assert_eq!(&position.moves_between(played.from(), played.to())[..], between);
        }
        Ok(())
    });
}

/// Twenty flying kings have more moves than a list keeps without an allocation.
#[test]
fn long_lists_are_as_exact_as_short_ones() {
    let fen = format!("W:W{}:B", (1..=20).map(|n| format!("K{n}")).collect::<Vec<_>>().join(","));
    let position = Position::from_fen(Variant::INTERNATIONAL, &fen).expect("a FEN");
    let moves = position.legal_moves();
    assert_eq!(moves.len() as u64, perft(&position, 1, Counting::Distinct).expect("a count"));
    assert!(moves.len() > 32 && moves.is_sorted(), "{moves:?}");
    let mut kept = moves.clone();
    kept.retain(|played| played.from() == moves[33].from());
    let expected: Vec<_> = moves.iter().filter(|played| played.from() == moves[33].from()).copied().collect();
    assert_eq!(Vec::from(kept), expected);
    assert!(moves.clone().into_iter().rev().eq(moves.iter().rev().copied()));
    assert_eq!(moves.into_iter().len() as u64, perft(&position, 1, Counting::Paths).expect("a count"));
}

#[test]
fn moves_are_read_back_exactly_without_their_position() {
    in_every_variant(|position| {
        for played in position.legal_moves() {
            let json = serde_json::to_string(&played).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<Move>(&json).expect("a move"), played);
        }
        Ok(())
    });
}

#[test]
fn moves_that_were_read_are_checked_when_they_are_played() {
    let read = |json: &str| serde_json::from_str::<Move>(json);
    for square in [5, 63, 64, 100, 127] {
        for json in [
            format!(r#"{{"from":{square},"to":39,"captured":[],"promotes":false}}"#),
            format!(r#"{{"from":33,"to":{square},"captured":[],"promotes":false}}"#),
            format!(r#"{{"from":33,"to":28,"captured":[{square}],"promotes":false}}"#),
        ] {
            let played = read(&json).expect("a move");
            for &variant in Variant::ALL {
                assert!(Position::start(variant).play(&played).is_none(), "{variant}: {json}");
            }
        }
    }
    let error = read(r#"{"from":128,"to":1,"captured":[],"promotes":false}"#).expect_err("no square").to_string();
    assert!(error.contains("invalid square `128`, expected a number of at most 127"), "{error}");
    assert!(read(r#"{"from":1,"to":1,"captured":[],"promotes":false,"text":"1-1"}"#).is_err());
}

#[test]
fn no_other_squares_have_moves() {
    in_every_variant(|position| {
        let ends: BTreeSet<_> = position.legal_moves().iter().map(|m| (m.from(), m.to())).collect();
        let squares = || position.variant().shape().squares();
        for (from, to) in squares().step_by(7).flat_map(|from| squares().map(move |to| (from, to))) {
            prop_assert_eq!(!position.moves_between(from, to).is_empty(), ends.contains(&(from, to)));
        }
        Ok(())
    });
}

/// A legal move of one position is legal in another only if it is in the list there.
#[test]
fn moves_of_other_positions_are_judged_by_the_list() {
    in_every_variant(|position| {
        let other = position.pass();
        let next = position.legal_moves().first().map_or(other, |played| position.play_unchecked(played));
        for elsewhere in [other, next.pass()] {
            let moves = elsewhere.legal_moves();
            for foreign in position.legal_moves() {
                prop_assert_eq!(elsewhere.is_legal(&foreign), moves.contains(&foreign));
                prop_assert_eq!(elsewhere.play(&foreign).is_some(), moves.contains(&foreign));
            }
        }
        Ok(())
    });
}

#[test]
fn paths_lead_from_the_first_square_to_the_last() {
    in_every_variant(|position| {
        for played in position.legal_moves() {
            let paths = position.paths(&played);
            prop_assert!(!paths.is_empty());
            prop_assert!(paths.windows(2).all(|pair| pair[0] < pair[1]));
            for path in paths {
                prop_assert_eq!((path[0], path[path.len() - 1]), (played.from(), played.to()));
                let jumps = if played.is_capture() { played.captured().len() } else { 1 };
                prop_assert_eq!(path.len(), jumps + 1);
            }
        }
        Ok(())
    });
}

fn at(position: &Position, n: u8) -> Square {
    position.variant().shape().nth(n - 1).expect("a square")
}

/// The example of the standard's writing rules.
#[test]
fn intermediate_squares_are_turns_or_directly_after_the_captured_piece() {
    let variant = Variant::INTERNATIONAL;
    let square = |n: u8| variant.shape().nth(n - 1).expect("a square");
    let mut pieces = vec![(square(47), Side::White, Piece::King)];
    pieces.extend([42, 29, 14, 31, 19].map(|n| (square(n), Side::Black, Piece::Man)));
    let setup = Setup::new(Some(Side::White), pieces);
    let position = Position::from_setup(variant, &setup).expect("a playable position").0;
    let mut found = Vec::new();
    for played in position.moves_between(square(47), square(36)) {
        found.extend(position.paths(&played));
    }
    let path = |squares: [u8; 5]| squares.map(|n| at(&position, n)).to_vec();
    found.sort();
    assert_eq!(found, [path([47, 38, 20, 9, 36]), path([47, 38, 24, 13, 36])]);
}

/// What Frisian article 11 asks to be remembered, kept in the plainest way: the own moves of each side.
#[derive(Default)]
struct Memory {
    moves: [Vec<(Move, Piece)>; 2],
}

impl Memory {
    fn note(&mut self, position: &Position, played: Move) {
        let piece = position.piece_at(played.from()).expect("a piece").1;
        self.moves[position.turn().index()].push((played, piece));
        // A king that is taken takes its moves along.
        let theirs = &mut self.moves[(!position.turn()).index()];
        if theirs.last().is_some_and(|(last, _)| played.captured().contains(last.to())) {
            theirs.clear();
        }
    }

    /// The king that has made the last three moves of its side, none of them a capture.
    fn tired_king(&self, side: Side) -> Option<Square> {
        let [(first, a), (second, b), (third, c)] = self.moves[side.index()].last_chunk()?;
        let kings = [a, b, c].iter().all(|piece| **piece == Piece::King);
        let quiet = [first, second, third].iter().all(|played| !played.is_capture());
        (kings && quiet && first.to() == second.from() && second.to() == third.from()).then_some(third.to())
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let side = position.turn();
        let has_man = position.pieces().any(|(_, owner, piece)| owner == side && piece == Piece::Man);
        let tired = self.tired_king(side).filter(|_| has_man);
        let barred = |played: &Move| !played.is_capture() && Some(played.from()) == tired;
        rebuilt(position).legal_moves().into_iter().filter(|played| !barred(played)).collect()
    }
}

/// Mostly moves one king to and fro where nothing can be taken, so that it tires.
fn choose(position: &Position, moves: &[Move], choice: u16) -> Move {
    let calm = |played: &Move| !position.play_unchecked(played).can_capture();
    let by_king = |played: &Move| position.kings().contains(played.from());
    let tiring: Vec<_> = moves.iter().filter(|played| by_king(played) && calm(played)).copied().collect();
    let from = if choice.is_multiple_of(8) || tiring.is_empty() { moves } else { &tiring };
    from[usize::from(choice / 8) % from.len()]
}

#[test]
fn a_frisian_king_rests_after_three_moves() {
    let game = (any::<u64>(), vec(any::<u16>(), 1..60));
    let config = Config { cases: 4_000, failure_persistence: None, ..Config::default() };
    let met = std::cell::Cell::new(0);
    let outcome = TestRunner::new(config).run(&game, |(seed, choices)| {
        let mut position = few_pieces(seed);
        let mut memory = Memory::default();
        for choice in choices {
            let moves = memory.moves(&position);
            prop_assert_eq!(&position.legal_moves()[..], &moves[..]);
            met.set(met.get() + u32::from(moves.len() < rebuilt(&position).legal_moves().len()));
            if moves.is_empty() {
                break;
            }
            let played = choose(&position, &moves, choice);
            memory.note(&position, played);
            position = position.play_unchecked(&played);
        }
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(met.get() > 500, "a barred king was met only {} times", met.get());
}

/// One or two kings and perhaps a man on each side.
fn few_pieces(seed: u64) -> Position {
    let shape = Variant::FRISIAN.shape();
    let mut left: Vec<_> = (0..50_u8).collect();
    let mut rest = seed;
    let mut setup = Setup::new(Some(Side::White), []);
    for n in 0..5 {
        let square = left.swap_remove((rest % left.len() as u64) as usize);
        rest /= 61;
        let side = if n % 2 == 0 { Side::White } else { Side::Black };
        let piece = if n < 2 || !(5..45).contains(&square) { Piece::King } else { Piece::Man };
        setup.push(shape.nth(square).expect("a square"), side, piece);
    }
    Position::from_setup(Variant::FRISIAN, &setup).expect("a playable position").0
}
