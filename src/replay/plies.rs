//! The plies of a game. Most positions follow one ply and precede the next, and null moves alternate between two positions; each
//! position is stored once, and again only where a move is repeated after the beginning of a variation or a setup.

use std::cell::Cell;

use crate::board::Side;
use crate::pdn::{MAX_EXPECTED, NodeId};
use crate::rules::{Move, Position, WrittenWay};

/// A step through the positions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStep<'a> {
    /// A position is reached, by a move unless it is set up or the turn is passed.
    Reach(Option<&'a Move>, &'a Position),
    /// A variation opens: it continues from the position before the last move.
    Open,
    /// A variation closes: the line around it continues.
    Close,
}

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

/// The number of a position or of a move in its list, counted from 1; 0 for none.
pub(super) type Ordinal = u32;

/// A ply with the numbers of its positions and of its move.
#[derive(Clone, Copy, Debug)]
struct Entry {
    number: u32,
    before: Ordinal,
    after: Ordinal,
    played: Ordinal,
    side: Side,
    is_known: bool,
    has_unique_squares: bool,
}

impl Entry {
    const UNKNOWN: Self = Self {
        number: 0,
        before: 0,
        after: 0,
        played: 0,
        side: Side::White,
        is_known: false,
        has_unique_squares: false,
    };
}

/// The plies of the nodes of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Plies {
    lists: Lists,
    /// The position after the last ply of the line, if it is known: the next ply starts there.
    end: Ordinal,
}

/// The plies by their nodes, and what they refer to.
#[derive(Clone, Debug, Default)]
struct Lists {
    entries: Vec<Entry>,
    positions: Vec<Position>,
    moves: Vec<Move>,
}

thread_local! {
    /// The lists of the last game that this thread dropped. The next game takes their memory: three lists of some kilobytes, made
    /// and freed for each game, took one in forty instructions of a check.
    static SPARE: Cell<Lists> = const { Cell::new(Lists { entries: Vec::new(), positions: Vec::new(), moves: Vec::new() }) };
}

impl Drop for Plies {
    fn drop(&mut self) {
        // After a damaged game of 100,000 moves, little is kept.
        if (1..=MAX_EXPECTED).contains(&self.lists.entries.len()) {
            let lists = std::mem::take(&mut self.lists);
            // The last games of a thread may be dropped after its values.
            let _ = SPARE.try_with(|spare| spare.set(lists));
        }
    }
}

impl Plies {
    /// Returns the plies of this number of nodes, none of them known yet.
    pub(super) fn of(nodes: usize) -> Self {
        // Trials have no nodes here, and need no lists.
        if nodes == 0 {
            return Self::default();
        }
        let Lists { mut entries, mut positions, mut moves } = SPARE.take();
        entries.clear();
        entries.resize(nodes, Entry::UNKNOWN);
        let expected = nodes.min(MAX_EXPECTED);
        positions.clear();
        // With the position at the start.
        positions.reserve(expected + 1);
        moves.clear();
        moves.reserve(expected);
        Self { lists: Lists { entries, positions, moves }, end: 0 }
    }

    fn position(&self, ordinal: Ordinal) -> Option<&Position> {
        self.lists.positions.get((ordinal as usize).wrapping_sub(1))
    }

    fn entry(&self, id: NodeId) -> Option<&Entry> {
        self.lists.entries.get(id.index()).filter(|entry| entry.is_known)
    }

    /// Returns the ply of a node, if it is known.
    #[inline]
    pub(super) fn get(&self, id: NodeId) -> Option<Ply<'_>> {
        let &Entry { number, side, before, after, played, .. } = self.entry(id)?;
        let played = self.lists.moves.get((played as usize).wrapping_sub(1));
        Some(Ply { number, side, before: self.position(before), after: self.position(after), played })
    }

    /// Returns the move of a node, if it is one and could be played.
    pub(super) fn played(&self, id: NodeId) -> Option<&Move> {
        self.lists.moves.get((self.entry(id)?.played as usize).wrapping_sub(1))
    }

    /// Returns the number of the first position with a king on the board.
    pub(super) fn first_king(&self) -> Option<Ordinal> {
        let first = self.lists.positions.iter().position(|position| !position.kings().is_empty())?;
        Some(first as Ordinal + 1)
    }

    /// Returns true if a node was played from a position before another one, or from an unknown one.
    pub(super) fn starts_before(&self, id: NodeId, position: Ordinal) -> bool {
        self.entry(id).is_none_or(|entry| entry.before < position)
    }

    /// Begins a line; its first ply may start anywhere.
    pub(super) const fn begin_line(&mut self) {
        self.end = 0;
    }

    /// Returns true if it is known that no other legal move has the first and last square of the move of a node.
    pub(super) fn has_unique_squares(&self, id: NodeId) -> bool {
        self.entry(id).is_some_and(|entry| entry.has_unique_squares)
    }

    /// Plays the next moves of the line from a position, the first of which has this number, as far as exactly one legal
    /// move fits each. Returns the positions before the moves and after them.
    pub(super) fn play(
        &mut self,
        before: &Position,
        number: u32,
        nodes: &[NodeId],
        ways: &[Option<WrittenWay>],
    ) -> Run<'_> {
        let (first_position, first_move) = (self.lists.positions.len(), self.lists.moves.len());
        let known = self.end;
        let start = if known == 0 { self.ordinal_of(before) } else { known };
        let (first_after, mut side) = (self.lists.positions.len(), before.turn());
        before.play_all_into(ways, &mut self.lists.positions, &mut self.lists.moves);
        let played = self.lists.moves.len() - first_move;
        if played == 0 {
            // The position before a move that is not played yet is added with it.
            self.lists.positions.truncate(first_position);
            return Run { before: &[], after: &[] };
        }
        let mut entry = Entry { number, before: start, is_known: true, has_unique_squares: true, ..Entry::UNKNOWN };
        for (n, id) in nodes[..played].iter().enumerate() {
            (entry.after, entry.played, entry.side) = ((first_after + n) as u32 + 1, (first_move + n) as u32 + 1, side);
            self.lists.entries[id.index()] = entry;
            (entry.number, entry.before, side) = (entry.number + 1, entry.after, !side);
        }
        self.end = entry.before;
        let start = start as usize - 1;
        Run { before: &self.lists.positions[start..=start], after: &self.lists.positions[first_after..] }
    }

    /// Keeps the ply of the next node of the line, and whether no other legal move has the same first and last square.
    pub(super) fn set(&mut self, id: NodeId, ply: Ply<'_>, has_unique_squares: bool) {
        debug_assert!(self.end == 0 || ply.before == self.position(self.end), "a line goes on");
        let before = match ply.before {
            _ if self.end != 0 => self.end,
            Some(position) => self.ordinal_of(position),
            None => 0,
        };
        let played = ply.played.map_or(0, |played| {
            self.lists.moves.push(*played);
            self.lists.moves.len() as u32
        });
        let after = match ply.after {
            // Only a move repeated after the beginning of a variation or a setup leads to one of the last two.
            Some(position) if played != 0 => self.add(position),
            Some(position) => self.ordinal_of(position),
            None => 0,
        };
        self.end = after;
        let Ply { number, side, .. } = ply;
        self.lists.entries[id.index()] =
            Entry { number, before, after, played, side, is_known: true, has_unique_squares };
    }

    /// Returns the number of a position, which is kept unless it is one of the last two.
    #[inline]
    fn ordinal_of(&mut self, position: &Position) -> Ordinal {
        let count = self.lists.positions.len() as u32;
        match self.lists.positions.as_slice() {
            [.., last] if last == position => count,
            [.., last_but_one, _] if last_but_one == position => count - 1,
            _ => self.add(position),
        }
    }

    fn add(&mut self, position: &Position) -> Ordinal {
        self.lists.positions.push(*position);
        self.lists.positions.len() as u32
    }
}

/// The positions of a run of moves: one before it, and one after each move.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    before: &'a [Position],
    after: &'a [Position],
}

impl Run<'_> {
    /// Returns the number of moves.
    pub(super) const fn len(&self) -> usize {
        self.after.len()
    }

    /// Returns the positions before and after a move.
    pub(super) fn around(&self, n: usize) -> (&Position, &Position) {
        (n.checked_sub(1).map_or(&self.before[0], |last| &self.after[last]), &self.after[n])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    fn counts(text: &str) -> (usize, usize, usize) {
        let game = games(text.as_bytes()).next().expect("a game").into_tree();
        let replayed = replay(game, &ReplayOptions::default());
        let Lists { entries, positions, moves } = &replayed.plies.lists;
        (entries.len(), positions.len(), moves.len())
    }

    /// What a game costs besides its tree: 20 bytes for each node, and what is played.
    #[test]
    fn nothing_is_kept_twice() {
        assert!(size_of::<Entry>() <= 20, "{}", size_of::<Entry>());
        assert_eq!(counts("[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *"), (4, 5, 4));
        let nulls = format!("[GameType \"20\"]\n1. 32-28 {}*", "-- -- ".repeat(500));
        assert_eq!(counts(&nulls), (1001, 3, 1));
        let illegal = format!("[GameType \"20\"]\n1. 32-28 31-13 {}*", "20-24 32-28 ".repeat(500));
        assert_eq!(counts(&illegal), (1002, 2, 1));
    }
}
