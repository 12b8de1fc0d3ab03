//! Games and positions of an index.

use super::sorter::Stored;
use super::{OUTCOMES, outcome_number};
use crate::check::CheckedGame;
use crate::import::Format;
use crate::notation::Outcome;

use crate::rules::Variant;

/// A game with the keys of its positions.
#[derive(Debug)]
pub struct GameKeys {
    variant: Variant,
    place: IndexEntry,
    keys: Vec<[u64; 2]>,
}

impl GameKeys {
    /// Returns a game; `keys` are the keys and the canonical keys of its positions.
    pub(super) fn new(game: &CheckedGame<'_>, variant: Variant, keys: Vec<[u64; 2]>) -> Self {
        let place = IndexEntry {
            key: 0,
            canonical: 0,
            file: 0,
            variant: 0,
            game: game.number(),
            offset: game.location().offset,
            length: if game.chunk().is_original() && game.chunk().format() == Format::Pdn {
                game.bytes().len() as u64
            } else {
                0
            },
            year: game.date()[0].unwrap_or_default(),
            winner: outcome_number(game.winner()),
        };
        Self { variant, place, keys }
    }

    /// Returns the variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns an entry for each position, where the file and the variant of the game have these numbers.
    pub(crate) fn entries(&self, file: u32, variant: u16) -> impl Iterator<Item = IndexEntry> {
        let place = IndexEntry { file, variant, ..self.place };
        self.keys.iter().map(move |&[key, canonical]| IndexEntry {
            key: key as i64,
            canonical: canonical as i64,
            ..place
        })
    }
}

/// A position of a game. Entries are ordered by the key of the position, then by the location of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexEntry {
    key: i64,
    file: u32,
    game: u64,
    canonical: i64,
    offset: u64,
    length: u64,
    variant: u16,
    year: u16,
    winner: u8,
}

impl IndexEntry {
    /// Returns the key of the position as a signed number.
    pub(crate) const fn key(&self) -> i64 {
        self.key
    }

    /// Returns the canonical key of the position as a signed number.
    pub(crate) const fn canonical_key(&self) -> i64 {
        self.canonical
    }

    /// Returns the number of the file.
    pub const fn file(&self) -> u32 {
        self.file
    }

    /// Returns the number of the variant.
    pub const fn variant(&self) -> u16 {
        self.variant
    }

    /// Returns the number of the game in its file, from 1.
    pub const fn game(&self) -> u64 {
        self.game
    }

    /// Returns the first byte of the game in the decompressed file, from 0.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of bytes of the game; 0 if the file has to be converted to UTF-8.
    pub(crate) const fn length(&self) -> u64 {
        self.length
    }

    /// Returns the year of the game.
    pub(crate) const fn year(&self) -> Option<u16> {
        if self.year == 0 { None } else { Some(self.year) }
    }

    /// Returns who won.
    pub const fn winner(&self) -> Option<Outcome> {
        OUTCOMES[(self.winner & 3) as usize]
    }
}

impl Stored for IndexEntry {
    const BYTES: usize = 48;

    fn to_bytes(self, bytes: &mut [u8]) {
        let small = u64::from(self.file) | u64::from(self.variant) << 32 | u64::from(self.year) << 48;
        // The winner is in the upper bits of the length, which no game reaches.
        let length = self.length | u64::from(self.winner) << 56;
        let words = [self.key as u64, self.canonical as u64, self.game, self.offset, length, small];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let word = |n: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[8 * n + byte]));
        Self {
            key: word(0) as i64,
            canonical: word(1) as i64,
            game: word(2),
            offset: word(3),
            length: word(4) & (u64::MAX >> 8),
            winner: (word(4) >> 56) as u8,
            file: word(5) as u32,
            variant: (word(5) >> 32) as u16,
            year: (word(5) >> 48) as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_a_file() {
        let entry = IndexEntry {
            key: -5,
            file: 7,
            game: 1 << 40,
            canonical: i64::MAX,
            offset: 1 << 50,
            length: 250_000_000,
            variant: 300,
            year: 1995,
            winner: 3,
        };
        let mut bytes = [0; IndexEntry::BYTES];
        entry.to_bytes(&mut bytes);
        assert_eq!(IndexEntry::from_bytes(&bytes), entry);
        assert_eq!((entry.year(), entry.winner()), (Some(1995), Some(Outcome::Draw)));
    }
}
