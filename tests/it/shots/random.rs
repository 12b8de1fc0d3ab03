//! Lines of random games: the tags against a second implementation on plain lists, and the symmetry of colours.

use std::collections::BTreeSet;

use pdn::board::{Piece, Side, Square};
use pdn::rules::{Move, Position, Setup, Variant};
use pdn::shots::{Definition, Shot, played};

use crate::naive::{At, Board, Key, at, beginnings, legal_moves};
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
            if let [earlier @ .., (c, d)] = &unit.captures[..] {
                found.rappel |= earlier.iter().any(|(a, b)| (b - a) * (d - c) < 0);
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

/// The tags that follow from the ways to make the moves, by the slow generator of moves.
#[derive(Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a tag of its own")]
struct SlowTags {
    king: bool,
    free_move: bool,
    waiting_capture: bool,
    majority: bool,
    mazette: bool,
    trappe: bool,
    collage: bool,
    droit: bool,
}

/// A move of a shot as the slow generator sees it.
struct Seen {
    before: Position,
    own: bool,
    key: Key,
    promotes: bool,
    paths: BTreeSet<Vec<At>>,
}

fn key(variant: Variant, played: &Move) -> Key {
    let place = |square| at(variant.shape(), square);
    let mut captured: Vec<_> = played.captured().iter().map(place).collect();
    captured.sort_unstable();
    (place(played.from()), place(played.to()), captured)
}

impl Seen {
    /// Returns the moves of a shot; `None` if the slow generator gives up.
    fn all(shot: &Shot) -> Option<Vec<Self>> {
        let (mut position, variant) = (*shot.start(), shot.start().variant());
        let see = |played: &Move| {
            let (before, key) = (position, key(variant, played));
            position = position.play_unchecked(played);
            let made = legal_moves(variant, &Board::of(&before))?.remove(&key).expect("a legal move");
            Some(Self { before, own: before.turn() == shot.side(), key, promotes: made.promotes, paths: made.paths })
        };
        shot.moves().iter().map(see).collect()
    }

    fn captures(&self) -> bool {
        !self.key.2.is_empty()
    }

    fn passes(&self, place: At) -> bool {
        self.paths.iter().any(|path| path[1..].contains(&place))
    }

    /// Returns the captured pieces in the order of each way to make the move.
    fn victims(&self) -> impl Iterator<Item = Vec<At>> {
        let between = |leg: &[At]| {
            let step = ((leg[1].0 - leg[0].0).signum(), (leg[1].1 - leg[0].1).signum());
            let squares = std::iter::successors(Some(leg[0]), move |place| Some((place.0 + step.0, place.1 + step.1)));
            let end = leg[1];
            squares.skip(1).take_while(move |place| *place != end)
        };
        let captured = |place: &At| self.key.2.contains(place);
        self.paths.iter().map(move |path| path.windows(2).flat_map(between).filter(captured).collect())
    }

    /// Returns true if the other side had to begin this capture already before a move whose piece it spares.
    fn was_due(&self, own: &Self) -> Option<bool> {
        let [due, _] = beginnings(self.before.variant(), &Board::of(&own.before.pass()))?;
        let begins = || self.victims().any(|victims| due.contains(&(self.key.0, victims[..1].to_vec())));
        Some(self.captures() && !self.key.2.contains(&own.key.1) && begins())
    }
}

/// Returns where the piece that made a capture stands later, if it is still there.
fn followed(seen: &[Seen], index: usize, last: usize) -> Option<At> {
    let mut place = seen[index].key.1;
    for later in &seen[index + 1..last] {
        if later.key.2.contains(&place) {
            return None;
        }
        place = if later.key.0 == place { later.key.1 } else { place };
    }
    Some(place)
}

fn slow_tags(shot: &Shot) -> Option<SlowTags> {
    let seen = Seen::all(shot)?;
    let last = shot.moves().iter().rposition(|played| played == shot.finish()).expect("the last capture");
    let raid = &seen[last];
    let is_first = |place| raid.victims().any(|victims| victims.first() == Some(&place));
    let end = shot.moves().iter().fold(*shot.start(), |position, played| position.play_unchecked(played));
    let is_king = |place| {
        end.pieces().any(|(square, _, piece)| piece == Piece::King && at(end.variant().shape(), square) == place)
    };
    let crowns = |seen: &Seen| seen.own && seen.captures() && seen.promotes && is_king(seen.key.1);
    let near = |a: At, b: At| (a.0 - b.0).abs() == 1 && (a.1 - b.1).abs() == 1;
    let mut tags = SlowTags {
        king: seen[..=last].iter().any(crowns),
        droit: raid.victims().any(|victims| {
            let [first, second, ..] = victims[..] else { return false };
            let (start, way) = (raid.key.0, |a: At, b: At| ((b.0 - a.0).signum(), (b.1 - a.1).signum()));
            let on_line = (second.0 - start.0).abs() == (second.1 - start.1).abs();
            on_line && way(start, first) == way(first, second)
        }),
        ..SlowTags::default()
    };
    for reply in seen[..last].iter().filter(|seen| !seen.own && seen.captures()) {
        let [legal, all] = beginnings(end.variant(), &Board::of(&reply.before))?;
        let branches = |(from, way): &&(At, Vec<At>)| {
            let on_way = |victims: Vec<At>| victims.starts_with(&way[..way.len() - 1]);
            way.len() == 1 || *from == reply.key.0 && reply.victims().any(on_way)
        };
        tags.majority |= all.difference(&legal).any(|part| branches(&part));
        tags.mazette |= raid.passes(reply.key.0);
    }
    for index in 1..seen.len() {
        let (own, reply) = (&seen[index - 1], &seen[index]);
        if !own.own {
            continue;
        }
        let was_due = reply.was_due(own)?;
        tags.free_move |= index < last && !own.captures() && was_due;
        tags.waiting_capture |= index - 1 < last && own.captures() && was_due;
        if index < last && !own.captures() && reply.captures() {
            let mut later = (index + 1..=last).filter(|&later| seen[later].own && seen[later].captures());
            let Some(next) = later.find(|&later| seen[later].key.0 == own.key.1) else { continue };
            let stays = |place: At| seen[index..next].iter().all(|other| other.key.0 != place && other.key.1 != place);
            let glued = |taken: &At| near(own.key.1, *taken) && stays(*taken);
            tags.collage |= stays(own.key.1) && seen[next].victims().any(|victims| victims.first().is_some_and(glued));
        }
    }
    for index in (1..last).filter(|&index| !seen[index].own && seen[index].captures()) {
        let enters = seen[..index].iter().any(|own| own.own && seen[index].passes(own.key.0));
        tags.trappe |= enters && followed(&seen, index, last).is_some_and(is_first);
    }
    Some(tags)
}

fn fast_tags(shot: &Shot) -> SlowTags {
    let has = |id| shot.has(Definition::by_id(id).expect("a definition"));
    SlowTags {
        king: has("king"),
        free_move: has("temps_de_repos"),
        waiting_capture: has("waiting_capture"),
        majority: has("prise_majoritaire"),
        mazette: has("coup_mazette"),
        trappe: has("coup_trappe"),
        collage: has("collage"),
        droit: has("coup_droit"),
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
                // The gain counts captures that the line does not have.
                if end.can_capture() || slow.material <= 0 {
                    slow.material = shot.gain();
                }
                assert_eq!(fast(shot), slow, "{} {:?}", shot.start().fen(), shot.moves());
                if let Some(tags) = slow_tags(shot) {
                    assert_eq!(fast_tags(shot), tags, "{} {:?}", shot.start().fen(), shot.moves());
                }
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
    // Where material is to be lost, there are none.
    for variant in Variant::ALL.iter().copied().filter(|variant| variant.name() != "antidraughts") {
        let mut tags = 0;
        with_shots(variant, 20, |_, _, shots| tags += shots.iter().map(|(_, shot)| shot.tags().len()).sum::<usize>());
        assert!(tags > 0, "{}", variant.name());
    }
}
