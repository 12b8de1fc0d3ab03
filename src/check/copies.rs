//! Games copied from other files, and the locations of their originals.

use crate::source::{Chunk, Location};

/// A game in a file of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CopiedGame {
    /// First byte and line in the copy.
    copy: (u64, u64),
    /// First byte and line in the original.
    original: (u64, u64),
    /// Number in the original.
    number: u64,
}

/// The games of a file of copies, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CopiedGames(Vec<CopiedGame>);

impl CopiedGames {
    /// Adds the game that begins at an offset and a line of the copy; `original` is where its original begins, and
    /// `number` the number of that game. Offsets count from 0, lines and games from 1.
    pub(crate) fn push(&mut self, copy: (u64, u64), original: (u64, u64), number: u64) {
        self.0.push(CopiedGame { copy, original, number });
    }

    /// Returns the game that has an offset of the copy.
    fn at(&self, offset: u64) -> Option<&CopiedGame> {
        self.0[..self.0.partition_point(|game| game.copy.0 <= offset)].last()
    }

    /// Returns the location in the original.
    pub(super) fn original(&self, mut location: Location) -> Location {
        if let Some(game) = self.at(location.offset) {
            location.offset = location.offset - game.copy.0 + game.original.0;
            location.line = location.line - game.copy.1 + game.original.1;
        }
        location
    }

    /// Returns the offset in the original.
    pub(super) fn original_offset(&self, offset: u64) -> u64 {
        self.at(offset).map_or(offset, |game| offset - game.copy.0 + game.original.0)
    }

    /// Returns the number of the original of the game at an offset of a chunk of the copy.
    pub(super) fn number(&self, chunk: &Chunk, offset: usize) -> Option<u64> {
        self.at(chunk.offset() + offset as u64).map(|game| game.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_those_of_the_originals() {
        let mut copies = CopiedGames::default();
        copies.push((0, 1), (100, 20), 3);
        copies.push((50, 4), (900, 70), 8);
        let at = |offset, line| {
            let mut location = Location::default();
            (location.offset, location.line) = (offset, line);
            let found = copies.original(location);
            (found.offset, found.line)
        };
        assert_eq!([at(0, 1), at(49, 3), at(50, 4), at(60, 6)], [(100, 20), (149, 22), (900, 70), (910, 72)]);
        assert_eq!(CopiedGames::default().original(Location::default()), Location::default());
    }
}
