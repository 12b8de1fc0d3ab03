//! Shots recognised by the captures of the side that profits: how many, by which piece, and in which order.

use super::line::{Line, Ply};
use super::material::settled;
use super::routes::Evidence;
use crate::rules::Move;

/// Three moves, of which the second takes what the first offers.
fn is_direct(line: &Line) -> bool {
    line.raid == 2 && line.plies[0].own && !line.plies[0].is_capture() && line.plies[1].is_capture()
}

pub(super) fn direct(line: &Line) -> Evidence {
    is_direct(line).then(|| vec![line.plies[0].to, line.last().from])
}

/// The first two jumps of the raid are in the same direction.
pub(super) fn droit(line: &Line) -> Evidence {
    let raid = line.last();
    let straight = |path: &&Vec<u8>| {
        let victims = line.victims(raid, path);
        let [first, second, ..] = victims[..] else { return false };
        line.frame.direction(path[0], first) == line.frame.direction(first, second)
            && line.frame.ray(first, line.frame.direction(path[0], first)).any(|number| number == second)
    };
    raid.paths.iter().find(straight).map(|path| line.victims(raid, path)[..2].to_vec())
}

/// Pairs of own captures with one capture of the other side between them.
pub(super) fn pairs(line: &Line) -> impl Iterator<Item = (&Ply, &Ply, &Ply, usize)> {
    let plies = &line.plies[..=line.raid];
    let fits = |three: &[Ply]| three[0].own && three.iter().all(Ply::is_capture);
    plies
        .windows(3)
        .enumerate()
        .filter(move |(_, three)| fits(three))
        .map(|(at, three)| (&three[0], &three[1], &three[2], at))
}

/// The man that captured stays where the other side could take it, if it had no larger capture, and captures again.
pub(super) fn bombe(line: &Line) -> Evidence {
    pairs(line).find_map(|(first, reply, second, _)| {
        let attacked = line.jumps(&first.after).iter().any(|&(_, over)| over == first.to);
        let legal = line.legal_jumps(&first.after).iter().any(|&(_, over)| over == first.to);
        let spared = !first.by_king() && !reply.captured.contains(&first.to);
        (spared && attacked && !legal && second.from == first.to).then(|| vec![first.to, reply.from, second.to])
    })
}

/// Returns the numbers of pieces that the other side and the side itself take, with the recapture.
fn given_and_taken(line: &Line) -> (usize, usize) {
    let count = |own| line.plies.iter().filter(|ply| ply.own == own).map(|ply| ply.captured.len()).sum();
    (count(false), count(true))
}

/// Two raids of two men that win a man or two, not only a king; where kings are captured, how they came there is the theme.
pub(super) fn double_deux(line: &Line) -> Evidence {
    let (given, taken) = given_and_taken(line);
    if given >= taken || line.gain_after(line.plies.len()) <= 0 || line.raids().any(|(_, ply)| ply.takes_king()) {
        return None;
    }
    pairs(line).find_map(|(first, _, second, at)| {
        let twos = first.captured.len() == 2 && second.captured.len() == 2;
        (twos && at + 2 == line.raid).then(|| vec![first.from, first.to, second.from, second.to])
    })
}

/// Two raids of two pieces that are both available at once, only one of which may come first.
pub(super) fn arnoux(line: &Line) -> Evidence {
    let squares = double_deux(line)?;
    let [first, _, second] = &line.plies[line.raid - 2..=line.raid] else { return None };
    let side = first.before.turn();
    let is_second =
        |played: &&Move| played.from() == second.played.from() && played.captured() == second.played.captured();
    let legal = first.before.legal_moves();
    let other = legal.iter().find(is_second)?;
    let [this, other] = [&first.played, other].map(|played| settled(&first.before.play_unchecked(played), side));
    (other < this).then_some(squares)
}

/// The first raid breaks even; the piece that takes back is the first that the second raid captures.
fn rebound(line: &Line) -> Option<(&Ply, &Ply, &Ply)> {
    let rebounds = pairs(line).find(|(first, reply, second, at)| {
        let taken_back = reply.captured.contains(&first.to) && line.takes_first(second, reply.to);
        taken_back && line.gain_after(at + 2) <= 0 && line.gain_after(at + 3) > 0 && second.captured.len() > 1
    });
    rebounds.map(|(first, reply, second, _)| (first, reply, second))
}

pub(super) fn ricochet(line: &Line) -> Evidence {
    rebound(line).map(|(first, reply, second)| vec![first.to, reply.to, second.to])
}

/// An exchange of one man for one before a shot is no raid.
pub(super) fn rebounds_twice(line: &Line) -> bool {
    rebound(line).is_some_and(|(first, ..)| first.captured.len() > 1)
}

/// A backward capture opens the square that the enemy man then enters, to be taken first or second.
pub(super) fn talon(line: &Line) -> Evidence {
    line.raids().find_map(|(index, heel)| {
        let frame = line.frame;
        let backward = heel.paths.iter().any(|path| frame.row(path[1]) > frame.row(path[0]))
            && !heel.by_king()
            && !heel.takes_king();
        let enters =
            line.plies.get(index + 1).filter(|ply| ply.paths.iter().any(|path| path[1..].contains(&heel.from)))?;
        let raid = line.last();
        let early =
            raid.paths.iter().any(|path| line.victims(raid, path).iter().take(2).any(|&taken| taken == enters.to));
        (backward && index + 1 < line.raid && early).then(|| vec![heel.from, heel.to, enters.to])
    })
}

/// The first raid ends next to the piece that makes the second, on the side away from its first jump.
pub(super) fn eponge(line: &Line) -> Evidence {
    pairs(line).find_map(|(first, reply, second, at)| {
        let path = second.paths.first()?;
        let (down, across) = line.frame.direction(path[0], path[1]);
        let behind = line.frame.next(second.from, (-down, -across));
        let open = reply.paths.iter().any(|path| path[1..].contains(&first.from)) && line.takes_first(second, reply.to);
        (at + 2 == line.raid && behind == Some(first.to) && open).then(|| vec![first.to, second.from, reply.to])
    })
}

/// Returns true if the raid wins material and nothing is taken back: of 12 hits in games without this, 11 were exchanges of two
/// for two.
fn is_clear(line: &Line) -> bool {
    line.net_gain() > 0 && line.raid + 1 == line.plies.len() && !line.last().after.can_capture()
}

pub(super) fn two_for_one(line: &Line) -> Evidence {
    let fits = is_direct(line) && line.plies[1].captured.len() == 1 && line.last().captured.len() == 2;
    (fits && is_clear(line)).then(|| line.last().captured.clone())
}

pub(super) fn three_for_two(line: &Line) -> Evidence {
    let offers = line.raid == 4
        && line.chain().iter().all(|ply| ply.own != ply.is_capture())
        && line.replies(line.raid).all(|(_, ply)| ply.captured.len() == 1);
    (offers && line.last().captured.len() == 3 && is_clear(line)).then(|| line.last().captured.clone())
}

/// A man becomes a king, and more pieces are given up than taken.
pub(super) fn breakthrough(line: &Line) -> Evidence {
    let (given, taken) = given_and_taken(line);
    (line.last().played.promotes() && given > taken).then(|| vec![line.last().to])
}
