//! The positions of a game, each with the move that was played in it.

use std::io;

use crate::board::Side;
use crate::check::CheckedGame;
use crate::notation::Outcome;
use crate::query::openings::Played;
use crate::replay::{GameStep, ReplayedGame};
use crate::rules::{LineKeys, Variant};
use crate::text::Format;

/// A position of a game. Entries are ordered by the key of the position, then by the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlaceEntry {
    pub(super) key: u64,
    /// The index of the game among those of the file.
    pub(super) game: u32,
    /// What follows the position where it first occurs: [`END`], [`ASIDE`] or a [`mark`]; with [`AGAIN`] if it occurs again.
    pub(super) next: u32,
}

impl PlaceEntry {
    /// Returns what follows the position where it first occurs.
    pub(super) const fn followed_by(self) -> u32 {
        self.next & !AGAIN
    }

    /// Returns true if the position occurs again in the main line.
    pub(super) const fn is_repeated(self) -> bool {
        self.next & AGAIN != 0
    }
}

/// The main line has the position again.
const AGAIN: u32 = 1;

/// Nothing follows in the main line, or only a position that is set up.
pub(super) const END: u32 = 0;

/// The position is only in variations.
pub(super) const ASIDE: u32 = 2;

/// Returns the mark of the position after a move, made from its key. The marks of the moves in one position must differ.
pub(super) const fn mark(key: u64) -> u32 {
    key as u32 & !AGAIN
}

impl PlaceEntry {
    /// The number of bytes of an entry.
    pub(super) const BYTES: usize = 16;

    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        // Little-endian: the key, the game, and what follows.
        (u128::from(self.key) | u128::from(self.game) << 64 | u128::from(self.next) << 96).to_le_bytes()
    }

    pub(super) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        Self { key: long(bytes), game: number(&bytes[8..]), next: number(&bytes[12..]) }
    }
}

/// Returns the number in the first four bytes.
fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|n| bytes[n]))
}

/// Returns the number in the first eight bytes.
fn long(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|n| bytes[n]))
}

/// The outcomes by their numbers in a table.
const OUTCOMES: [Option<Outcome>; 4] =
    [None, Some(Outcome::Win(Side::White)), Some(Outcome::Win(Side::Black)), Some(Outcome::Draw)];

/// The number of bytes of a game in a table.
pub(super) const GAME_BYTES: usize = 40;

/// A rating that is not known.
const UNRATED: u32 = u32::MAX;

/// A game: its number in the file, from 1, its result, its ratings, its year, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameFacts {
    pub(crate) number: u32,
    pub(super) winner: u8,
    pub(super) year: u16,
    pub(super) ratings: [u32; 2],
    /// The indices of its file and of its variant, which the table names.
    pub(crate) file: u32,
    pub(crate) variant: u32,
    /// First byte in the decompressed file, from 0.
    pub(crate) offset: u64,
    /// Number of bytes; 0 if the file has to be converted to PDN in UTF-8.
    pub(crate) length: u64,
}

impl GameFacts {
    /// Returns the facts of a game, unless its numbers are too large for a table.
    fn of(game: &CheckedGame<'_>) -> Option<Self> {
        let is_as_stored = game.chunk().is_original() && game.chunk().format() == Format::Pdn;
        Some(Self {
            number: game.number().try_into().ok()?,
            winner: OUTCOMES.iter().position(|&known| known == game.winner()).unwrap_or_default() as u8,
            year: game.date()[0].unwrap_or_default(),
            ratings: [Side::White, Side::Black].map(|side| game.rating(side).unwrap_or(UNRATED)),
            file: 0,
            variant: 0,
            offset: game.offset(),
            length: if is_as_stored { game.bytes().len() as u64 } else { 0 },
        })
    }

    /// Returns the game as a count of one for a move.
    pub(super) fn played(&self) -> Played {
        let rating = |rating: u32| (rating != UNRATED).then_some(rating);
        let year = (self.year > 0).then_some(self.year);
        Played::once(OUTCOMES[usize::from(self.winner & 3)], self.ratings.map(rating), year)
    }

    pub(super) fn to_bytes(self) -> [u8; GAME_BYTES] {
        let mut bytes = [0; GAME_BYTES];
        let small = u32::from(self.year) | u32::from(self.winner) << 16;
        let words = [self.number, small, self.ratings[0], self.ratings[1], self.file, self.variant];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes[24..32].copy_from_slice(&self.offset.to_le_bytes());
        bytes[32..].copy_from_slice(&self.length.to_le_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; GAME_BYTES]) -> Self {
        let small = number(&bytes[4..]);
        Self {
            number: number(bytes),
            winner: (small >> 16) as u8,
            year: small as u16,
            ratings: [number(&bytes[8..]), number(&bytes[12..])],
            file: number(&bytes[16..]),
            variant: number(&bytes[20..]),
            offset: long(&bytes[24..]),
            length: long(&bytes[32..]),
        }
    }
}

/// A game with its positions, for a table.
#[derive(Debug)]
pub(crate) struct GamePositions {
    facts: Option<GameFacts>,
    pub(super) variant: Option<Variant>,
    /// The key of each position, and what follows it; empty if the game could not be played.
    pub(super) places: Vec<(u64, u32)>,
}

impl GamePositions {
    /// Returns a game with its positions.
    pub(crate) fn of(game: &CheckedGame<'_>) -> Self {
        Self { facts: GameFacts::of(game), variant: game.variant(), places: places_of(game.review().game()) }
    }

    /// Returns an entry for each position of the game with this index.
    pub(super) fn entries(&self, game: u32) -> impl Iterator<Item = PlaceEntry> {
        self.places.iter().map(move |&(key, next)| PlaceEntry { key, game, next })
    }

    /// Returns the facts of the game.
    ///
    /// # Errors
    ///
    /// If its numbers are too large for a table.
    pub(super) fn facts(&self) -> io::Result<GameFacts> {
        self.facts.ok_or_else(|| io::Error::other("too many games for a table"))
    }
}

/// Returns the positions of a game: those of the main line, each with the next one, then those of variations.
fn places_of(game: &ReplayedGame) -> Vec<(u64, u32)> {
    let Some(start) = game.start() else { return Vec::new() };
    let mut keys = LineKeys::default();
    let (mut places, mut aside, mut depth) = (vec![(keys.variant_key(start), END)], Vec::new(), 0_u32);
    for step in game.steps() {
        match step {
            GameStep::Reach(_, after) if depth > 0 => aside.push((keys.variant_key(after), ASIDE)),
            GameStep::Reach(played, after) => {
                let key = keys.variant_key(after);
                if let (Some((_, next)), Some(_)) = (places.last_mut(), played) {
                    *next = mark(key);
                }
                places.push((key, END));
            }
            GameStep::Open => depth += 1,
            GameStep::Close => depth -= 1,
        }
    }
    places.append(&mut aside);
    // A position that occurs again counts once, with what followed first.
    places.sort_by_key(|&(key, _)| key);
    places.dedup_by(|later, first| {
        let is_same = later.0 == first.0;
        first.1 |= if is_same && later.1 != ASIDE { AGAIN } else { 0 };
        is_same
    });
    places
}
