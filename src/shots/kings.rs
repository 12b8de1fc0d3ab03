//! Shots against an enemy king: it is lured away, stopped by a piece that it has already captured, or captured step by step.

use super::line::{Line, Ply};
use super::offers;
use super::raids::pairs;
use super::routes::Evidence;

/// Minimum number of captured pieces in a Turkish stroke.
const TURKISH: usize = 4;

/// A capture of a king that could have gone on if a piece that it captured earlier were already off the board, and the
/// pieces around its last square.
struct Stop {
    /// The captured piece that blocks the way.
    barrier: Option<u8>,
    /// A captured piece adjacent to the man that takes the king, on its far side.
    support: Option<u8>,
    /// The next capture takes the king first.
    taken_first: bool,
}

fn stop(line: &Line, index: usize) -> Option<Stop> {
    let ply = &line.plies[index];
    if ply.own || !ply.is_capture() || !ply.by_king() {
        return None;
    }
    let (frame, end) = (line.frame, ply.to);
    // The king has jumped over the piece captured last: that one is not in its way.
    let last = ply.paths.iter().filter_map(|path| line.victims(ply, path).last().copied()).collect::<Vec<_>>();
    // Captured pieces leave the board after the whole capture; only the king's own square is free.
    let stood = |number: u8| {
        frame.square(number).is_some_and(|square| ply.before.piece_at(square).is_some() && square != ply.played.from())
    };
    let directions = frame.captures(line.variant, true, true);
    let barrier = directions.iter().find_map(|&direction| {
        let mut ray = frame.ray(end, direction);
        let met = ray.find(|&number| stood(number))?;
        let free = ray.next().is_some_and(|behind| !stood(behind));
        (ply.captured.contains(&met) && !last.contains(&met) && free).then_some(met)
    });
    let next = line.plies.get(index + 1).filter(|next| next.own && next.is_capture());
    let taken_first = next.is_some_and(|next| line.takes_first(next, end));
    let support = next.filter(|_| taken_first).and_then(|next| {
        let direction = frame.direction(end, next.from);
        (frame.next(end, direction) == Some(next.from)).then_some(())?;
        frame.next(next.from, direction).filter(|behind| ply.captured.contains(behind))
    });
    Some(Stop { barrier, support, taken_first })
}

fn strokes(line: &Line) -> impl Iterator<Item = (&Ply, Stop)> {
    (0..line.raid).filter_map(|index| Some((&line.plies[index], stop(line, index)?)))
}

pub(super) fn turc(line: &Line) -> Evidence {
    let fits = |(ply, stop): (&Ply, Stop)| {
        let squares = vec![ply.to, stop.barrier?, stop.support?];
        (ply.captured.len() >= TURKISH && stop.taken_first).then_some(squares)
    };
    strokes(line).find_map(fits)
}

pub(super) fn demi_turc(line: &Line) -> Evidence {
    let fits = |(ply, stop): (&Ply, Stop)| {
        let enough = ply.captured.len() + 1 >= TURKISH;
        (stop.barrier.is_none() && stop.taken_first && enough).then_some(vec![ply.to, stop.support?])
    };
    strokes(line).find_map(fits)
}

/// The king is stopped and is not the first piece that the next capture takes.
pub(super) fn suisse(line: &Line) -> Evidence {
    let fits = |(ply, stop): (&Ply, Stop)| {
        (ply.captured.len() >= TURKISH && !stop.taken_first).then_some(vec![ply.to, stop.barrier?])
    };
    strokes(line).find_map(fits)
}

/// Any capture stopped by a captured piece, by a king or not: the Russian meaning of a Turkish stroke.
pub(super) fn stopped(line: &Line) -> Evidence {
    strokes(line).find_map(|(ply, stop)| Some(vec![ply.to, stop.barrier?]))
}

/// A king stops where it is taken next, before a piece that it has captured or a piece of its side that was led there.
pub(super) fn blocked(line: &Line) -> Evidence {
    (0..line.raid).find_map(|index| {
        let (ply, stop) = (&line.plies[index], stop(line, index)?);
        let led = || {
            let path = ply.paths.first()?;
            let behind = line.frame.next(ply.to, line.frame.direction(path[path.len() - 2], ply.to))?;
            line.brought_to(behind, index).and(Some(behind))
        };
        let is_taken = line.plies[index + 1].captured.contains(&ply.to);
        stop.barrier.or_else(led).filter(|_| is_taken).map(|barrier| vec![ply.to, barrier])
    })
}

pub(super) fn envoi(line: &Line) -> Evidence {
    let (index, crowned) = line.replies(line.raid).find(|(_, ply)| ply.played.promotes())?;
    let mut at = crowned.to;
    for ply in &line.plies[index + 1..] {
        if !ply.own && ply.from == at {
            at = ply.to;
        } else if ply.own && ply.captured.contains(&at) {
            return Some(vec![crowned.to, at]);
        }
    }
    None
}

/// A man that is walked to the last row is the theme of the walk, and for a piece that sticks to another the king is only a means.
pub(super) fn is_sent(line: &Line) -> bool {
    let walked = |(index, ply): (usize, &Ply)| ply.played.promotes() && line.earlier_capture(index).is_some();
    !line.replies(line.raid).any(walked) && offers::collage(line).is_none()
}

/// Two kings, taken one after the other: taking the first makes the second capture, to be taken first by the next capture.
pub(super) fn escalier(line: &Line) -> Evidence {
    pairs(line).find_map(|(first, reply, second, _)| {
        let taken =
            first.captured.iter().copied().find(|&number| {
                line.frame.square(number).is_some_and(|square| first.before.kings().contains(square))
            })?;
        (reply.by_king() && line.takes_first(second, reply.to)).then(|| vec![taken, reply.to])
    })
}

/// The king moves away from a piece of its side that it protected, an edge man must take that piece, and the king captures.
pub(super) fn marquis(line: &Line) -> Evidence {
    let [.., step, hostage, raid] = &line.plies[..=line.raid] else { return None };
    let frame = line.frame;
    let on_edge = [(-1, -1), (-1, 1), (1, -1), (1, 1)].iter().any(|&way| frame.next(hostage.from, way).is_none());
    let between = match hostage.captured[..] {
        [one] => frame.next(one, frame.direction(hostage.from, one)) == Some(step.from),
        _ => false,
    };
    let holds = step.own
        && !step.is_capture()
        && step.by_king()
        && on_edge
        && !hostage.by_king()
        && between
        && hostage.to == step.from
        && raid.from == step.to
        && raid.captured.len() >= 2;
    holds.then(|| vec![hostage.from, hostage.captured[0], step.from])
}
