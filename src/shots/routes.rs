//! Shots recognised by the squares that they cross. All squares are White's; see `Frame`.

use super::line::{Line, Ply};

/// The result of a detector: the squares that are the evidence, if any.
pub(super) type Evidence = Option<Vec<u8>>;

/// Returns the squares of a route if a condition holds.
fn route(holds: bool, squares: &[u8]) -> Evidence {
    holds.then(|| squares.to_vec())
}

/// Returns true if the moves occur, in any order and perhaps with others between them.
fn passes(line: &Line, moves: &[(u8, u8)]) -> bool {
    moves.iter().all(|&(from, to)| line.plies.iter().any(|ply| ply.is(from, to)))
}

/// Returns true if the last capture and the moves just before it are these, in any order.
fn is_line(line: &Line, moves: &[(u8, u8)]) -> bool {
    let begin = (line.raid + 1).checked_sub(moves.len());
    let is_one = |ply: &Ply| moves.contains(&(ply.from, ply.to));
    begin.is_some_and(|begin| line.plies[begin..=line.raid].iter().all(is_one)) && passes(line, moves)
}

pub(super) fn royal(line: &Line) -> Evidence {
    // The piece that was led there, with three men for it, is taken by the raid at once or after a free move.
    let last = line.brought_to(34, line.raid);
    let captures: Vec<_> = std::iter::successors(last, |&index| line.earlier_capture(index))
        .map(|index| line.plies[index].captured.len())
        .collect();
    let led = captures.first() >= Some(&2) && captures.iter().sum::<usize>() >= 3;
    route(led && line.last().starts(&[40, 29, 20, 9]), &[34, 40, 29, 20, 9])
}

/// A first stage clears 18, or leads a piece elsewhere; the last offer then leads a man to the square that the raid jumps first. An
/// offer without a first stage is a direct shot.
fn after_first_stage(line: &Line) -> bool {
    let brought = |(index, _)| line.at_raid(index).is_some_and(|at| line.takes_first(line.last(), at));
    let stages = line.holds(18) || line.offers().count() > 1;
    line.replies(line.raid).any(brought) && stages && line.raid > 2
}

/// Returns true if the line removes a piece of the other side from one of these squares before the raid: without that, some lines
/// only have the squares of a name.
pub(super) fn clears(line: &Line, squares: &[u8]) -> bool {
    let is_one = |square: &u8| squares.contains(square);
    let leaves =
        |ply: &Ply| if ply.own { ply.captured.iter().any(is_one) } else { ply.is_capture() && is_one(&ply.from) };
    line.chain().iter().any(leaves)
}

pub(super) fn marne(line: &Line) -> Evidence {
    let starts = [[40, 29, 18, 9], [38, 29, 18, 9]].iter().any(|path| line.last().starts(path));
    route(starts && after_first_stage(line), &[line.last().from, 29, 18, 9])
}

pub(super) fn philippe(line: &Line) -> Evidence {
    let paths: [&[u8]; 3] = [&[40, 29, 18, 7], &[38, 29, 18, 7], &[38, 29, 20, 9, 18, 7]];
    let starts = paths.iter().any(|path| line.last().starts(path));
    let ends = [7, 16].contains(&line.last().to);
    route(starts && ends && after_first_stage(line), &[line.last().from, 29, 18, line.last().to])
}

/// A man from 26 is turned back by 37 to 28, whatever else was given.
pub(super) fn express(line: &Line) -> Evidence {
    let raid = line.last();
    let walked = line.brought_to(28, line.raid).is_some_and(|index| {
        let ends = line.plies[index].paths.iter().any(|path| path.ends_with(&[37, 28]));
        let earlier = line.earlier_capture(index).unwrap_or(index);
        ends && [index, earlier].iter().any(|&index| line.plies[index].from == 26)
    });
    route(walked && raid.starts(&[33, 22]) && [2, 3, 4].contains(&raid.to), &[26, 37, 28, 33, raid.to])
}

pub(super) fn gives_three(line: &Line) -> bool {
    line.replies(line.raid).map(|(_, ply)| ply.captured.len()).sum::<usize>() >= 3
}

/// The first three pieces are in one row, and the path turns right, left, right, or the reverse. If the offers did not have to
/// place the first piece last and the second just before it, 6 of 13 raids of this form would be other shots.
pub(super) fn napoleon(line: &Line) -> Evidence {
    let raid = line.last();
    let path = raid.paths.iter().find(|path| {
        let victims = line.victims(raid, path);
        let Some(&[first, second, third]) = victims.get(..3) else { return false };
        let frame = line.frame;
        let [one, two, three] = [0, 1, 2].map(|leg| frame.direction(path[leg], path[leg + 1]));
        let zigzag = one == three && one.0 * two.0 + one.1 * two.1 == 0;
        let in_row = frame.row(first) == frame.row(second) && frame.row(second) == frame.row(third);
        let brought = |square| line.brought_to(square, line.raid);
        zigzag && in_row && brought(second).is_some() && brought(second) < brought(first)
    })?;
    Some(path.clone())
}

pub(super) fn springer(line: &Line) -> Evidence {
    let kept = passes(line, &[(23, 41), (21, 17), (42, 37), (41, 32)]);
    let entered = passes(line, &[(32, 21), (23, 41)]) || line.plies[0].own;
    route(kept && entered && line.last().from == 38, &[21, 17, 41, 37, 32, 38])
}

pub(super) fn cheval(line: &Line) -> Evidence {
    let thrown = line.plies.windows(2).any(|two| two[0].is(24, 31) && two[0].captured.len() == 3 && two[1].is(30, 24));
    route(thrown && passes(line, &[(27, 22), (18, 27), (33, 29), (24, 31)]), &[24, 31, 30])
}

pub(super) fn fabre(line: &Line) -> Evidence {
    let offered = passes(line, &[(33, 29), (23, 34), (28, 22), (17, 28)]);
    route(offered && line.last().is(32, 25), &[34, 28, 32, 25])
}

pub(super) fn bonnard(line: &Line) -> Evidence {
    let drawn_off = line.replies(line.raid).any(|(_, ply)| ply.from == 34);
    let raid = line.last();
    route(drawn_off && raid.starts(&[25, 34, 23]) && [1, 3, 5].contains(&raid.to), &[25, 34, 23, raid.to])
}

pub(super) fn deslauriers(line: &Line) -> Evidence {
    let walked = passes(line, &[(32, 41), (23, 21), (24, 33), (33, 42), (42, 31)]);
    route(walked && line.last().starts(&[36, 27]), &[41, 21, 31, 36, 27])
}

macro_rules! openings {
    ($($(#[$about:meta])* $name:ident: $($from:literal $to:literal),*;)*) => {
        $($(#[$about])* pub(super) fn $name(line: &Line) -> Evidence {
            let moves = [$(($from, $to)),*];
            route(is_line(line, &moves), &[moves[moves.len() - 1].1])
        })*
    };
}

// Squares of the side that profits, White's numbers: English, but for the last.
openings! {
    goose_walk: 18 14, 9 18, 17 14, 10 17, 24 19, 15 24, 22 8;
    steele: 15 11, 8 15, 21 17, 14 21, 26 23, 19 26, 30 5, 21 30, 31 26, 30 23, 27 2;
    horsefall: 19 15, 10 19, 21 17, 14 21, 18 14, 9 18, 22 8;
    canalejas: 19 15, 10 19, 18 14, 9 18, 22 8, 4 11, 27 24, 20 27, 31 8;
    fools_trap: 17 13, 16 23, 13 6, 2 9, 27 2;
    /// A shot by Black in the opening of International draughts.
    dambrun: 27 21, 16 27, 32 21, 23 32, 37 28, 26 37, 41 32, 17 26, 28 23, 19 37, 30 19, 13 24, 42 31, 26 37, 38 32, 37 28, 33 4;
}
