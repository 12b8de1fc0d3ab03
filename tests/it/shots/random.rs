//! Lines of random games: the tags against a second implementation on plain lists, and the symmetry of colours.

use pdn::board::{Side, Square};
use pdn::rules::{Move, Position, Setup, Variant};
use pdn::shots::{Definition, Shot, played};

use crate::support::random::Dice;

/// The position with colours exchanged and the board turned by half.
fn turned(position: &Position) -> Position {
    let pieces = position.pieces().map(|(square, side, piece)| (turned_square(position, square), !side, piece));
    let setup = Setup::new(Some(!position.turn()), pieces);
    Position::from_setup(position.variant(), &setup).expect("a position").0
}

fn turned_square(position: &Position, square: Square) -> Square {
    let shape = position.variant().shape();
    shape.nth(shape.square_count() - 1 - shape.order(square)).expect("a square")
}

/// A random game from a position: its moves.
fn game(start: &Position, dice: &mut Dice, plies: usize) -> Vec<Move> {
    let (mut position, mut moves) = (*start, Vec::new());
    for _ in 0..plies {
        let legal = position.legal_moves();
        let Some(played) = (!legal.is_empty()).then(|| legal[dice.below(legal.len())]) else { break };
        position = position.play_unchecked(&played);
        moves.push(played);
    }
    moves
}

/// The tags again: pieces on a plain list of squares, each with its own history.
#[derive(Debug, PartialEq, Eq)]
struct Slow {
    offered: usize,
    taken: usize,
    material: i32,
    twice: bool,
    rappel: bool,
    promenade: bool,
}

#[derive(Clone)]
struct Unit {
    side: Side,
    is_king: bool,
    at: Square,
    /// Rows from which and to which it captured.
    captures: Vec<(i32, i32)>,
}

fn slow(shot: &Shot) -> Slow {
    let (start, shape) = (shot.start(), shot.start().variant().shape());
    let kings = start.kings();
    let unit = |(at, side, _)| Unit { side, is_king: kings.contains(at), at, captures: Vec::new() };
    let mut units: Vec<Unit> = start.pieces().map(unit).collect();
    let worth = |units: &[Unit]| -> i32 {
        let each =
            units.iter().map(|unit| (if unit.is_king { 3 } else { 1 }) * if unit.side == shot.side() { 1 } else { -1 });
        each.sum()
    };
    let before = worth(&units);
    let mut found = Slow { offered: 0, taken: 0, material: 0, twice: false, rappel: false, promenade: false };
    let last = shot.moves().iter().rposition(|played| played == shot.finish()).expect("the last capture");
    for (index, played) in shot.moves().iter().enumerate() {
        let own = units.iter().find(|unit| unit.at == played.from()).expect("a piece").side == shot.side();
        let dies = |unit: &Unit| played.captured().contains(unit.at);
        if index <= last {
            let dead = units.iter().filter(|unit| dies(unit)).count();
            *(if own { &mut found.taken } else { &mut found.offered }) += dead;
        }
        if index == last {
            found.promenade = units.iter().any(|unit| dies(unit) && unit.captures.len() > 1);
        }
        units.retain(|unit| !dies(unit));
        let unit = units.iter_mut().find(|unit| unit.at == played.from()).expect("a piece");
        if !own && played.is_capture() && index < last {
            let row = |square| i32::from(shape.row(square));
            unit.captures.push((row(played.from()), row(played.to())));
            found.twice |= unit.captures.len() > 1;
            if let [.., (a, b), (c, d)] = unit.captures[..] {
                found.rappel |= (b - a) * (d - c) < 0;
            }
        }
        unit.at = played.to();
        unit.is_king |= played.promotes();
    }
    found.material = worth(&units) - before;
    found
}

fn fast(shot: &Shot) -> Slow {
    let has = |id| shot.has(Definition::by_id(id).expect("a definition"));
    Slow {
        offered: shot.offered(),
        taken: shot.taken(),
        material: shot.gain(),
        twice: has("twice"),
        rappel: has("coup_rappel"),
        promenade: has("coup_promenade"),
    }
}

/// Plays random games of a variant until so many shots were met.
fn with_shots(variant: Variant, shots: usize, mut look: impl FnMut(&Position, &[Move], &[(usize, Shot)])) {
    let (mut dice, mut met) = (Dice(7), 0);
    for _ in 0..100 * shots {
        let start = Position::start(variant);
        let moves = game(&start, &mut dice, 120);
        let found = played(&start, &moves);
        met += found.len();
        look(&start, &moves, &found);
        if met >= shots {
            return;
        }
    }
    panic!("{}: {met} shots", variant.name());
}

fn wanted() -> usize {
    if std::env::var_os("PDN_LONG_TESTS").is_some() { 1_000_000 } else { 2_000 }
}

#[test]
fn tags_agree_with_a_slow_implementation() {
    for variant in [Variant::INTERNATIONAL, Variant::RUSSIAN, Variant::ENGLISH] {
        with_shots(variant, wanted() / 3, |_, _, shots| {
            for (_, shot) in shots {
                let mut slow = slow(shot);
                let end = shot.moves().iter().fold(*shot.start(), |position, played| position.play_unchecked(played));
                // The gain counts recaptures that the line does not have.
                if end.can_capture() {
                    slow.material = shot.gain();
                }
                assert_eq!(fast(shot), slow, "{} {:?}", shot.start().fen(), shot.moves());
            }
        });
    }
}

#[test]
fn colours_do_not_matter() {
    with_shots(Variant::INTERNATIONAL, 300, |start, moves, shots| {
        let (mut position, mut other) = (*start, turned(start));
        let mut line = Vec::new();
        let first = other;
        for played in moves {
            let [from, to] = [played.from(), played.to()].map(|square| turned_square(&position, square));
            let captured = played.captured().iter().map(|square| turned_square(&position, square)).collect();
            let legal = other.moves_between(from, to);
            let same = *legal.iter().find(|other| other.captured() == captured).expect("the turned move");
            position = position.play_unchecked(played);
            other = other.play_unchecked(&same);
            line.push(same);
        }
        let mirrored = played(&first, &line);
        let summary = |shots: &[(usize, Shot)]| -> Vec<_> {
            let tags = |shot: &Shot| shot.tags().iter().map(|tag| tag.definition().id()).collect::<Vec<_>>();
            shots.iter().map(|(ply, shot)| (*ply, shot.gain(), shot.name().map(Definition::id), tags(shot))).collect()
        };
        assert_eq!(summary(shots), summary(&mirrored), "{}", start.fen());
    });
}

#[test]
fn all_variants_have_tags() {
    for &variant in Variant::ALL {
        let mut tags = 0;
        with_shots(variant, 20, |_, _, shots| tags += shots.iter().map(|(_, shot)| shot.tags().len()).sum::<usize>());
        assert!(tags > 0, "{}", variant.name());
    }
}
