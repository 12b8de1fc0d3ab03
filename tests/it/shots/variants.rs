//! Variants of named lines: the same shot on a board with other pieces, after other moves, in another order or by the other side; and
//! what only looks like it.

use pdn::board::{Piece, Side, Square};
use pdn::rules::{Move, Position, Setup, Variant};
use pdn::shots::{Definition, played};

use super::examples::{Example, examples};
use crate::support::random::Dice;

/// Names that squares decide.
const BY_SQUARES: [&str; 10] = [
    "coup_royal",
    "coup_philippe",
    "coup_marne",
    "coup_express",
    "coup_bonnard",
    "coup_springer",
    "coup_cheval",
    "coup_deslauriers",
    "coup_fabre_debut",
    "coup_dambrun",
];

/// A line: a position and its moves.
type Played = (Position, Vec<Move>);

fn names((start, moves): &Played) -> Vec<&'static str> {
    played(start, moves).iter().filter_map(|(_, shot)| shot.name()).map(Definition::id).collect()
}

/// The lines on the International board that have their name.
fn named() -> Vec<(&'static str, Played)> {
    let line = |example: Example| (example.start, example.line);
    let lines = examples().into_iter().filter(|example| example.start.variant() == Variant::INTERNATIONAL).map(line);
    lines.filter_map(|line| names(&line).first().map(|name| (*name, line.clone()))).collect()
}

/// Returns a line with its squares replaced, and its colours exchanged if asked; `None` if it does not fit or is not legal.
fn moved((start, moves): &Played, turns: bool, map: impl Fn(Square) -> Option<Square>) -> Option<Played> {
    let side = |side: Side| if turns { !side } else { side };
    let pieces: Option<Vec<_>> =
        start.pieces().map(|(square, owner, piece)| Some((map(square)?, side(owner), piece))).collect();
    let setup = Setup::new(Some(side(start.turn())), pieces?);
    let (first, _) = Position::from_setup(start.variant(), &setup).ok()?;
    let mut position = first;
    let mut line = Vec::new();
    for played in moves {
        let captured: Option<Vec<_>> = played.captured().iter().map(&map).collect();
        let captured = captured?.into_iter().collect();
        let legal = position.moves_between(map(played.from())?, map(played.to())?);
        let same = *legal.iter().find(|other| other.captured() == captured)?;
        position = position.play_unchecked(&same);
        line.push(same);
    }
    Some((first, line))
}

/// Returns the square a number of rows and columns away, perhaps with left and right exchanged first.
fn away(square: Square, mirrored: bool, rows: i16, columns: i16) -> Option<Square> {
    let shape = Variant::INTERNATIONAL.shape();
    let (row, column) = (i16::from(shape.row(square)), i16::from(shape.column(square)));
    let column = if mirrored { 9 - column } else { column };
    shape.square_at(u8::try_from(row + rows).ok()?, u8::try_from(column + columns).ok()?)
}

/// Plays the moves of a line from another position; `None` unless they capture the same there and all replies are compulsory.
fn follow(start: &Position, moves: &[Move], side: Side) -> Option<(Position, Vec<Move>)> {
    let (mut position, mut line) = (*start, Vec::new());
    for played in moves {
        let legal = position.legal_moves();
        let same = *legal.iter().find(|other| {
            (other.from(), other.to(), other.captured()) == (played.from(), played.to(), played.captured())
        })?;
        if position.turn() != side && legal.iter().any(|other| *other != same) {
            return None;
        }
        position = position.play_unchecked(&same);
        line.push(same);
    }
    Some((position, line))
}

/// Adds men to a position.
fn with_men(start: &Position, dice: &mut Dice, count: usize) -> Option<(Position, Vec<Square>)> {
    let shape = start.variant().shape();
    let mut pieces: Vec<_> = start.pieces().collect();
    let mut added = Vec::new();
    for index in 0..count {
        let square = shape.nth(dice.below(50) as u8)?;
        if pieces.iter().any(|(taken, ..)| *taken == square) {
            return None;
        }
        pieces.push((square, if index % 2 == 0 { start.turn() } else { !start.turn() }, Piece::Man));
        added.push(square);
    }
    let (position, _) = Position::from_setup(start.variant(), &Setup::new(Some(start.turn()), pieces)).ok()?;
    Some((position, added))
}

#[test]
fn the_other_side_has_the_same_name() {
    let shape = Variant::INTERNATIONAL.shape();
    for (name, line) in named() {
        let turned = moved(&line, true, |square| shape.nth(49 - shape.order(square))).expect("the turned line");
        assert!(names(&turned).contains(&name), "{name}: {}", turned.0.fen());
    }
}

#[test]
fn another_place_is_another_shot() {
    let mut seen = 0;
    for (name, line) in named().iter().filter(|(name, _)| BY_SQUARES.contains(name)) {
        let shifts = (-4..=4).flat_map(|rows| (-9..=9).map(move |columns| (rows, columns)));
        for (mirrored, (rows, columns)) in shifts.flat_map(|shift| [(false, shift), (true, shift)]) {
            let is_itself = !mirrored && (rows, columns) == (0, 0);
            let other = moved(line, false, |square| away(square, mirrored, rows, columns)).filter(|_| !is_itself);
            let Some(other) = other else { continue };
            seen += 1;
            assert!(!names(&other).contains(name), "{name}: {} {:?}", other.0.fen(), other.0.short_line(&other.1));
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn pieces_elsewhere_keep_the_name() {
    let (mut dice, mut kept) = (Dice(11), 0);
    for (name, (start, moves)) in named().iter().filter(|(name, _)| BY_SQUARES.contains(name)) {
        for _ in 0..400 {
            let count = 1 + dice.below(4);
            let Some((other, _)) = with_men(start, &mut dice, count) else { continue };
            let Some((_, line)) = follow(&other, moves, start.turn()) else { continue };
            kept += 1;
            let wins = || played(&other, &line).iter().any(|(_, shot)| shot.side() == start.turn());
            let names = names(&(other, line.clone()));
            assert!(names.contains(name) || !wins(), "{name}: {} {:?}", other.fen(), other.short_line(&line));
        }
    }
    assert!(kept > 500, "{kept}");
}

#[test]
fn moves_before_it_keep_the_name() {
    let mut dice = Dice(5);
    let (mut quiet, mut offered) = (0, 0);
    for (name, (start, moves)) in named().iter().filter(|(name, _)| BY_SQUARES.contains(name)) {
        for _ in 0..4000 {
            let Some((other, added)) = with_men(start, &mut dice, 2) else { continue };
            let legal = other.legal_moves();
            let Some(first) = legal.iter().find(|played| added[0] == played.from() && !played.is_capture()) else {
                continue;
            };
            let after = other.play_unchecked(first);
            let replies = after.legal_moves();
            let Some(reply) = replies.iter().find(|played| added[1] == played.from()) else { continue };
            let Some((_, line)) = follow(&after.play_unchecked(reply), moves, start.turn()) else { continue };
            let line = [&[*first, *reply], &line[..]].concat();
            *(if reply.is_capture() { &mut offered } else { &mut quiet }) += 1;
            let wins = || played(&other, &line).iter().any(|(_, shot)| shot.side() == start.turn());
            let names = names(&(other, line.clone()));
            assert!(names.contains(name) || !wins(), "{name}: {} {:?}", other.fen(), other.short_line(&line));
        }
    }
    assert!(quiet > 500 && offered > 20, "{quiet} {offered}");
}

#[test]
fn another_order_of_offers_keeps_the_name() {
    let mut seen = 0;
    for (name, (start, moves)) in named() {
        for at in (0..moves.len().saturating_sub(4)).step_by(2) {
            let mut swapped = moves.clone();
            swapped[at..at + 4].rotate_left(2);
            let are_offers = !moves[at].is_capture() && !moves[at + 2].is_capture();
            let legal = swapped.iter().try_fold(start, |position, played| {
                position.legal_moves().contains(played).then(|| position.play_unchecked(played))
            });
            if are_offers && legal.is_some() {
                seen += 1;
                assert!(names(&(start, swapped)).contains(&name), "{name}: {}, moves {at} and {}", start.fen(), at + 2);
            }
        }
    }
    assert!(seen > 3, "{seen}");
}
