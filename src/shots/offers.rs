//! Mechanisms: the effects of offers and of the forced captures between them. They fit many shots, so none is a name by itself.

use super::line::{Line, Ply};
use super::routes::Evidence;

/// One piece of the other side captures, is offered another piece, and captures back towards where it came from.
pub(super) fn rappel(line: &Line) -> Evidence {
    line.replies(line.raid).find_map(|(index, back)| {
        let there = &line.plies[line.earlier_capture(index)?];
        let (out, home) = (
            line.frame.row(there.to) - line.frame.row(there.from),
            line.frame.row(back.to) - line.frame.row(back.from),
        );
        (out * home < 0).then(|| vec![there.from, there.to, back.to])
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

/// A move leaves the square onto which, or over which, the other side then captures with the piece that the raid takes first.
pub(super) fn trappe(line: &Line) -> Evidence {
    let chain = line.chain();
    chain.windows(2).find_map(|two| {
        let [leaves, enters] = two else { return None };
        let crosses = enters.paths.iter().any(|path| path[1..].contains(&leaves.from));
        let trapped = leaves.own && enters.is_capture() && crosses && line.takes_first(line.last(), enters.to);
        trapped.then(|| vec![leaves.from, enters.to])
    })
}

/// A quiet move next to an enemy piece, which the moved piece takes first after a capture elsewhere.
pub(super) fn collage(line: &Line) -> Evidence {
    line.plies[..=line.raid].windows(3).find_map(|three| {
        let [glue, reply, raid] = three else { return None };
        let elsewhere = reply.is_capture() && !reply.captured.contains(&glue.to);
        if !glue.own || glue.is_capture() || !elsewhere || raid.from != glue.to {
            return None;
        }
        let touches = |taken: u8| line.frame.next(glue.to, line.frame.direction(glue.to, taken)) == Some(taken);
        let mut first = raid.paths.iter().filter_map(|path| line.victims(raid, path).first().copied());
        first.find(|&taken| taken != reply.to && touches(taken)).map(|taken| vec![glue.to, taken])
    })
}

/// A quiet move while the other side has to make a capture in any case, which it then makes.
pub(super) fn free_move(line: &Line) -> Evidence {
    line.plies[..line.raid].windows(2).find_map(|two| {
        let [quiet, reply] = two else { return None };
        if !quiet.own || quiet.is_capture() {
            return None;
        }
        let same = |played: &crate::rules::Move| {
            played.from() == reply.played.from() && played.captured() == reply.played.captured()
        };
        let waits = quiet.before.pass().legal_moves().iter().any(|played| played.is_capture() && same(played));
        waits.then(|| vec![quiet.from, quiet.to])
    })
}

/// The other side has a capture that only the priority of captures forbids.
pub(super) fn majority(line: &Line) -> Evidence {
    line.replies(line.raid).find_map(|(_, ply)| {
        let legal = line.legal_jumps(&ply.before);
        let barred = line.jumps(&ply.before).into_iter().find(|jump| !legal.contains(jump))?;
        Some(vec![ply.from, barred.0, barred.1])
    })
}

/// An offer that several enemy pieces could take; the priority of captures leaves one, which takes two around a right angle.
pub(super) fn renverse(line: &Line) -> Evidence {
    line.replies(line.raid).find_map(|(index, ply)| {
        let offered = index.checked_sub(1).map(|before| &line.plies[before]).filter(|offer| !offer.is_capture())?;
        let [first, second] = line.victims(ply, ply.paths.first()?)[..] else { return None };
        let path = ply.paths.first()?;
        let (one, two) = (line.frame.direction(path[0], first), line.frame.direction(second, *path.last()?));
        let angle = one.0 * two.0 + one.1 * two.1 == 0;
        let mut able: Vec<_> = line.jumps(&ply.before).iter().map(|jump| jump.0).collect();
        able.sort_unstable();
        able.dedup();
        let legal = line.legal_jumps(&ply.before);
        let only = legal.iter().all(|jump| jump.0 == ply.from);
        (angle && only && able.len() > 1).then(|| vec![offered.to, ply.from, ply.to])
    })
}

/// A capture, before the last, while the other side has to capture elsewhere in any case.
pub(super) fn waiting_capture(line: &Line) -> Evidence {
    let waits = |index: usize| {
        let (ply, reply) = (&line.plies[index], line.plies.get(index + 1)?);
        let legal = ply.before.pass().legal_moves();
        let same = legal
            .iter()
            .any(|played| played.from() == reply.played.from() && played.captured() == reply.played.captured());
        (same && !reply.captured.contains(&ply.to)).then(|| vec![ply.from, ply.to])
    };
    line.raids().filter(|(index, _)| *index < line.raid).find_map(|(index, _)| waits(index))
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
