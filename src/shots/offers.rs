//! Mechanisms: the effects of offers and of the forced captures between them. They fit many shots, so none is a name by itself.

use super::line::{Line, Ply};
use super::routes::Evidence;

/// One piece of the other side captures, is offered another piece, perhaps later, and captures back towards where it came from.
pub(super) fn rappel(line: &Line) -> Evidence {
    let rows = |ply: &Ply| line.frame.row(ply.to) - line.frame.row(ply.from);
    line.replies(line.raid).find_map(|(index, back)| {
        let mut earlier = std::iter::successors(line.earlier_capture(index), |&index| line.earlier_capture(index));
        let out = earlier.find(|&out| rows(&line.plies[out]) * rows(back) < 0)?;
        Some(vec![line.plies[out].from, line.plies[out].to, back.to])
    })
}

/// One piece of the other side captures twice or more and is then taken.
pub(super) fn promenade(line: &Line) -> Evidence {
    // Another piece may have come to the square since.
    let is_taken = |index: usize, ply: &Ply| {
        line.last().captured.contains(&ply.to) && line.brought_to(ply.to, line.raid) == Some(index)
    };
    let (index, last) =
        line.replies(line.raid).find(|&(index, ply)| line.earlier_capture(index).is_some() && is_taken(index, ply))?;
    let earlier = &line.plies[line.earlier_capture(index)?];
    Some(vec![earlier.from, earlier.to, last.to])
}

/// A capture of the other side leaves a square that the raid then crosses.
pub(super) fn mazette(line: &Line) -> Evidence {
    let raid = line.last();
    line.replies(line.raid).find_map(|(_, ply)| {
        let crosses = raid.paths.iter().any(|path| path[1..].contains(&ply.from));
        crosses.then(|| vec![ply.from, ply.to])
    })
}

/// A move leaves the square onto which, or over which, the other side later captures with the piece that the raid takes first.
pub(super) fn trappe(line: &Line) -> Evidence {
    let left = |index: usize, path: &[u8]| {
        line.plies[..index].iter().rev().find(|ply| ply.own && path[1..].contains(&ply.from)).map(|ply| ply.from)
    };
    line.replies(line.raid).find_map(|(index, enters)| {
        let at = line.at_raid(index).filter(|&at| line.takes_first(line.last(), at))?;
        enters.paths.iter().find_map(|path| left(index, path)).map(|square| vec![square, at])
    })
}

/// A quiet move next to an enemy piece, which the moved piece takes first after captures elsewhere.
pub(super) fn collage(line: &Line) -> Evidence {
    line.offers().find_map(|(index, glue)| {
        let replies = || line.plies[index + 1..].iter().filter(|ply| !ply.own);
        let (next, raid) = line.raids().find(|(at, ply)| *at > index && ply.from == glue.to)?;
        let stays = |square: u8| !line.plies[index + 1..next].iter().any(|ply| ply.from == square || ply.to == square);
        let elsewhere = replies().next().is_some_and(Ply::is_capture) && stays(glue.to);
        let touches = |taken: u8| line.frame.next(glue.to, line.frame.direction(glue.to, taken)) == Some(taken);
        let mut first = raid.paths.iter().filter_map(|path| line.victims(raid, path).first().copied());
        first.find(|&taken| elsewhere && stays(taken) && touches(taken)).map(|taken| vec![glue.to, taken])
    })
}

/// Returns true if a reply begins as a capture that the other side had to make before the last move already, and spares the moved piece.
fn was_due(own: &Ply, reply: &Ply, line: &Line) -> bool {
    let due = line.legal_jumps(&own.before.pass());
    !reply.captured.contains(&own.to)
        && due.iter().any(|&(from, met)| from == reply.from && line.takes_first(reply, met))
}

/// A quiet move while the other side has to make a capture in any case, which it then makes.
pub(super) fn free_move(line: &Line) -> Evidence {
    let waits = |&(index, quiet): &(usize, &Ply)| was_due(quiet, &line.plies[index + 1], line);
    line.offers().find(waits).map(|(_, quiet)| vec![quiet.from, quiet.to])
}

/// The other side has a capture that only the priority of captures forbids.
pub(super) fn majority(line: &Line) -> Evidence {
    line.replies(line.raid).find_map(|(_, ply)| {
        let legal = line.legal_jumps(&ply.before);
        let barred = line.jumps(&ply.before).into_iter().find(|jump| !legal.contains(jump));
        barred.or_else(|| line.barred_turn(ply)).map(|(from, over)| vec![ply.from, from, over])
    })
}

/// An offer that several enemy pieces could take; the priority of captures leaves one, which takes two around a right angle.
pub(super) fn renverse(line: &Line) -> Evidence {
    line.replies(line.raid).find_map(|(index, ply)| {
        let offered = index.checked_sub(1).map(|before| &line.plies[before]).filter(|offer| !offer.is_capture())?;
        let turns = |path: &Vec<u8>| {
            let [first, second] = line.victims(ply, path)[..] else { return false };
            let (one, two) = (line.frame.direction(path[0], first), line.frame.direction(second, ply.to));
            one.0 * two.0 + one.1 * two.1 == 0
        };
        let is_other = |jump: &(u8, u8)| jump.0 != ply.from;
        let others = line.jumps(&ply.before).iter().any(is_other);
        let only = !line.legal_jumps(&ply.before).iter().any(is_other);
        (ply.paths.iter().any(turns) && only && others).then(|| vec![offered.to, ply.from, ply.to])
    })
}

/// A capture, before the last, while the other side has to capture elsewhere in any case.
pub(super) fn waiting_capture(line: &Line) -> Evidence {
    let waits = |&(index, ply): &(usize, &Ply)| index < line.raid && was_due(ply, &line.plies[index + 1], line);
    line.raids().find(waits).map(|(_, ply)| vec![ply.from, ply.to])
}

/// The same enemy piece captures twice.
pub(super) fn twice(line: &Line) -> Evidence {
    let (index, ply) = line.replies(line.raid).find(|(index, _)| line.earlier_capture(*index).is_some())?;
    Some(vec![line.plies[line.earlier_capture(index)?].from, ply.from, ply.to])
}

/// A man is crowned, and is still on the board after the reply.
pub(super) fn king(line: &Line) -> Evidence {
    let kept = |to: u8| {
        line.frame.square(to).is_some_and(|square| line.plies[line.plies.len() - 1].after.kings().contains(square))
    };
    let crowned = line.raids().find(|(_, ply)| ply.played.promotes() && kept(ply.to));
    crowned.map(|(_, ply)| vec![ply.to])
}
