//! The plies of a game. Most positions follow one ply and precede the next, and null moves alternate between two positions; each
//! position is stored once, and again only where a move is repeated after the beginning of a variation or a setup.

use std::num::NonZeroU32;

use crate::board::Side;
use crate::pdn::NodeId;
use crate::rules::{Move, Position};

/// The meaning of a node of the tree on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply<'a> {
    pub(super) number: u32,
    pub(super) side: Side,
    pub(super) before: Option<&'a Position>,
    pub(super) after: Option<&'a Position>,
    pub(super) played: Option<&'a Move>,
}

impl<'a> Ply<'a> {
    /// Number of the move in its line, from 1; a variation counts on from the move it replaces. For a setup or an
    /// ellipsis, it is the number of the move after it.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// The side that moves.
    pub const fn side(self) -> Side {
        self.side
    }

    /// The position before it, if known.
    pub const fn before(self) -> Option<&'a Position> {
        self.before
    }

    /// The position after it, if it could be played.
    pub const fn after(self) -> Option<&'a Position> {
        self.after
    }

    /// The legal move, if it is a move and could be played.
    pub const fn played(self) -> Option<&'a Move> {
        self.played
    }

    /// Returns true if the node could be played: a legal move, a null move with a fitting continuation, a setup.
    pub const fn is_played(self) -> bool {
        self.after.is_some()
    }

    /// Returns true if the other side is to move after it.
    pub(crate) fn passes_the_turn(self) -> bool {
        self.before.zip(self.after).is_some_and(|(before, after)| before.turn() != after.turn())
    }
}

/// The number of a position or of a move in its list, counted from 1.
type Ordinal = NonZeroU32;

/// A ply with the numbers of its positions and of its move.
#[derive(Clone, Copy, Debug)]
struct Entry {
    number: u32,
    side: Side,
    before: Option<Ordinal>,
    after: Option<Ordinal>,
    played: Option<Ordinal>,
    has_unique_squares: bool,
}

/// Cap on the moves for which memory is reserved: a damaged game of 100,000 nodes may have none that can be played.
const MAX_EXPECTED: usize = 200;

/// The plies of the nodes of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Plies {
    entries: Vec<Option<Entry>>,
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// The position after the last ply of the line, if it is known: the next ply starts there.
    end: Option<Ordinal>,
}

impl Plies {
    /// Returns the plies of this number of nodes, none of them known yet.
    pub(super) fn of(nodes: usize) -> Self {
        let expected = nodes.min(MAX_EXPECTED);
        // With the position at the start; trials have no nodes here, and reserve nothing.
        let positions = Vec::with_capacity(if nodes == 0 { 0 } else { expected + 1 });
        Self { entries: vec![None; nodes], positions, moves: Vec::with_capacity(expected), end: None }
    }

    /// Returns the ply of a node, if it is known.
    pub(super) fn get(&self, id: NodeId) -> Option<Ply<'_>> {
        let Entry { number, side, before, after, played, .. } = (*self.entries.get(id.index())?)?;
        let position = |ordinal: Ordinal| &self.positions[index(ordinal)];
        let played = played.map(|ordinal| &self.moves[index(ordinal)]);
        Some(Ply { number, side, before: before.map(position), after: after.map(position), played })
    }

    /// Returns the move of a node, if it is one and could be played.
    pub(super) fn played(&self, id: NodeId) -> Option<&Move> {
        let entry = self.entries.get(id.index())?.as_ref()?;
        entry.played.map(|ordinal| &self.moves[index(ordinal)])
    }

    /// Begins a line; its first ply may start anywhere.
    pub(super) const fn begin_line(&mut self) {
        self.end = None;
    }

    /// Returns true if it is known that no other legal move has the first and last square of the move of a node.
    pub(super) fn has_unique_squares(&self, id: NodeId) -> bool {
        self.entries.get(id.index()).is_some_and(|entry| entry.is_some_and(|entry| entry.has_unique_squares))
    }

    /// Keeps the ply of the next node of the line, and whether no other legal move has the same first and last square.
    pub(super) fn set(&mut self, id: NodeId, ply: Ply<'_>, has_unique_squares: bool) {
        debug_assert!(self.end.is_none_or(|end| ply.before == Some(&self.positions[index(end)])), "a line goes on");
        let before = self.end.or_else(|| ply.before.map(|position| self.ordinal_of(position)));
        let played = ply.played.map(|played| {
            self.moves.push(*played);
            last_ordinal(self.moves.len())
        });
        let after = ply.after.map(|position| match played {
            // Only a move repeated after the beginning of a variation or a setup leads to one of the last two.
            Some(_) => self.add(position),
            None => self.ordinal_of(position),
        });
        self.end = after;
        let Ply { number, side, .. } = ply;
        self.entries[id.index()] = Some(Entry { number, side, before, after, played, has_unique_squares });
    }

    /// Returns the number of a position, which is kept unless it is one of the last two.
    #[inline]
    fn ordinal_of(&mut self, position: &Position) -> Ordinal {
        let count = self.positions.len();
        match self.positions.as_slice() {
            [.., last] if last == position => last_ordinal(count),
            [.., last_but_one, _] if last_but_one == position => last_ordinal(count - 1),
            _ => self.add(position),
        }
    }

    fn add(&mut self, position: &Position) -> Ordinal {
        self.positions.push(*position);
        last_ordinal(self.positions.len())
    }
}

fn index(ordinal: Ordinal) -> usize {
    ordinal.get() as usize - 1
}

/// Returns the number of the last item of a list of this length.
fn last_ordinal(count: usize) -> Ordinal {
    u32::try_from(count).ok().and_then(Ordinal::new).expect("a list that was added to")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    fn counts(text: &str) -> (usize, usize, usize) {
        let game = games(text.as_bytes()).next().expect("a game").into_tree();
        let Plies { entries, positions, moves, .. } = replay(game, &ReplayOptions::default()).plies;
        (entries.len(), positions.len(), moves.len())
    }

    /// What a game costs besides its tree: 20 bytes for each node, and what is played.
    #[test]
    fn nothing_is_kept_twice() {
        assert!(size_of::<Option<Entry>>() <= 20, "{}", size_of::<Option<Entry>>());
        assert_eq!(counts("[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *"), (4, 5, 4));
        let nulls = format!("[GameType \"20\"]\n1. 32-28 {}*", "-- -- ".repeat(500));
        assert_eq!(counts(&nulls), (1001, 3, 1));
        let illegal = format!("[GameType \"20\"]\n1. 32-28 31-13 {}*", "20-24 32-28 ".repeat(500));
        assert_eq!(counts(&illegal), (1002, 2, 1));
    }
}
