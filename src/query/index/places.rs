//! The positions of a game, each with the move that was played in it.

use std::io;

use super::sorter::Stored;
use super::{OUTCOMES, outcome_number};
use crate::board::Side;
use crate::check::{CheckedGame, GameWork, Needs};
use crate::query::openings::Played;
use crate::replay::{GameStep, ReplayedGame};
use crate::rules::{LineKeys, Variant};

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

impl Stored for PlaceEntry {
    const BYTES: usize = 16;

    fn to_bytes(self, bytes: &mut [u8]) {
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.game.to_le_bytes());
        bytes[12..].copy_from_slice(&self.next.to_le_bytes());
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let key = u64::from_le_bytes(std::array::from_fn(|n| bytes[n]));
        Self { key, game: number(&bytes[8..]), next: number(&bytes[12..]) }
    }
}

/// Returns the number in the first four bytes.
fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|n| bytes[n]))
}

/// The number of bytes of a game in a table.
pub(super) const GAME_BYTES: usize = 16;

/// A rating that is not known.
const UNRATED: u32 = u32::MAX;

/// A game: its number in the file, from 1, its result, its ratings and its year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameFacts {
    pub(super) number: u32,
    winner: u8,
    year: u16,
    ratings: [u32; 2],
}

impl GameFacts {
    /// Returns the facts of a game, unless its numbers are too large for a table.
    fn of(game: &CheckedGame<'_>) -> Option<Self> {
        Some(Self {
            number: game.number().try_into().ok()?,
            winner: outcome_number(game.winner()),
            year: game.date()[0].unwrap_or_default(),
            ratings: [Side::White, Side::Black].map(|side| game.rating(side).unwrap_or(UNRATED)),
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
        let words = [self.number, small, self.ratings[0], self.ratings[1]];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; GAME_BYTES]) -> Self {
        let small = number(&bytes[4..]);
        Self {
            number: number(bytes),
            winner: (small >> 16) as u8,
            year: small as u16,
            ratings: [number(&bytes[8..]), number(&bytes[12..])],
        }
    }
}

/// A game with its positions, for a table.
#[derive(Debug)]
pub struct GamePositions {
    facts: Option<GameFacts>,
    pub(super) variant: Option<Variant>,
    /// The key of each position, and what follows it; empty if the game could not be played.
    pub(super) places: Vec<(u64, u32)>,
}

impl GamePositions {
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

/// Collects the positions of all games.
#[derive(Clone, Copy, Debug)]
pub struct PositionsQuery;

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

impl GameWork for PositionsQuery {
    type Done = Vec<GamePositions>;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, games: &mut Vec<GamePositions>) {
        let (facts, variant) = (GameFacts::of(&game), game.variant());
        games.push(GamePositions { facts, variant, places: places_of(game.review().game()) });
    }
}
