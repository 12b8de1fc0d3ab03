//! Games that are kept once: of those with the same moves, the best documented one.

use std::collections::HashMap;

use crate::check::{CheckedGame, Follower, fingerprints, next_fingerprint, start_fingerprint};
use crate::rules::{Move, Position};

/// Number of moves of a game from which on it counts as the beginning of another: ten by each side, more than most openings.
const MIN_BEGINNING: usize = 20;

/// Fingerprints of the main lines of games, up to each move.
#[derive(Clone, Debug, Default)]
pub struct PrintFinder {
    prints: Vec<u128>,
    start: u128,
    depth: u32,
}

impl Follower for PrintFinder {
    type Found = Vec<u128>;

    fn begin(&mut self, start: &Position) {
        self.prints.clear();
        self.start = start_fingerprint(start);
        self.depth = 0;
    }

    fn reach(&mut self, played: Option<&Move>, _: &Position) {
        if let (0, Some(played)) = (self.depth, played) {
            let before = self.prints.last().copied().unwrap_or(self.start);
            self.prints.push(next_fingerprint(before, played));
        }
    }

    fn open(&mut self) {
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn end(&mut self) -> Vec<u128> {
        std::mem::take(&mut self.prints)
    }
}

/// The main line of a game and how well the game is documented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documented {
    prints: Vec<u128>,
    /// Number of tags that say something, and number of bytes.
    merit: (u32, u32),
}

impl Documented {
    /// Returns the entry of a game; `found` are the fingerprints of its finder.
    pub fn new(game: &CheckedGame<'_>, found: Option<Vec<u128>>) -> Self {
        // The fingerprints of trees include moves that could not be played.
        let prints =
            if game.plain().is_some() { found.unwrap_or_default() } else { fingerprints(game.review().game()) };
        Self { prints, merit: (game.known_tags() as u32, game.bytes().len() as u32) }
    }

    /// Returns the entry without what [`Duplicates::add`] does not need.
    #[must_use]
    pub fn without_beginnings(mut self) -> Self {
        self.prints.drain(..self.prints.len().saturating_sub(1));
        self
    }
}

/// A game in 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// Half of its fingerprint.
    print: u64,
    merit: (u32, u32),
    number: u32,
}

/// Decides which games are kept. All games are added in order; then all are compared; then the answers are final.
///
/// Of games with the same moves the one with most tags stays, or else the longest text, or else the first. A game that is
/// the beginning of another, of at least twenty moves, goes. Games without moves stay.
#[derive(Clone, Debug, Default)]
pub struct Duplicates {
    entries: Vec<Entry>,
    added: u32,
    dropped: Vec<bool>,
    /// The games that are kept by their fingerprints.
    kept: HashMap<u64, u32>,
}

impl Duplicates {
    /// Adds the next game.
    pub fn add(&mut self, game: &Documented) {
        if let Some(&print) = game.prints.last() {
            self.entries.push(Entry { print: upper_half(print), merit: game.merit, number: self.added });
        }
        self.added += 1;
    }

    /// Finds the games with the same moves, after the last game was added.
    pub fn settle(&mut self) {
        self.dropped = vec![false; self.added as usize];
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable_by_key(|entry| (entry.print, std::cmp::Reverse(entry.merit), entry.number));
        for entry in entries {
            if *self.kept.entry(entry.print).or_insert(entry.number) != entry.number {
                self.dropped[entry.number as usize] = true;
            }
        }
    }

    /// Drops the games that are beginnings of a game, if that one is kept.
    pub fn compare(&mut self, number: u32, game: &Documented) {
        if self.is_dropped(number) {
            return;
        }
        let beginnings = game.prints.split_last().map_or(&[][..], |(_, beginnings)| beginnings);
        for &print in beginnings.iter().skip(MIN_BEGINNING - 1) {
            if let Some(&shorter) = self.kept.get(&upper_half(print)) {
                self.dropped[shorter as usize] = true;
            }
        }
    }

    /// Returns true if a game, by its number from 0, is not kept.
    pub fn is_dropped(&self, number: u32) -> bool {
        self.dropped.get(number as usize).copied().unwrap_or(false)
    }
}

/// Returns the upper half of a fingerprint, to which all bits of the lower one contribute.
const fn upper_half(print: u128) -> u64 {
    (print >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(prints: &[u128], merit: (u32, u32)) -> Documented {
        Documented { prints: prints.iter().map(|print| print << 64).collect(), merit }
    }

    #[test]
    fn the_best_documented_game_stays() {
        let long: Vec<u128> = (1..=30).collect();
        let games = [
            game(&[7], (1, 90)),
            game(&[7], (2, 10)),
            game(&[7], (2, 10)),
            game(&[], (0, 0)),
            game(&long[..25], (9, 9)),
            game(&long, (0, 0)),
        ];
        let mut duplicates = Duplicates::default();
        for game in &games {
            duplicates.add(&game.clone().without_beginnings());
        }
        duplicates.settle();
        (0..).zip(&games).for_each(|(number, game)| duplicates.compare(number, game));
        let dropped: Vec<_> = (0..6).map(|number| duplicates.is_dropped(number)).collect();
        assert_eq!(dropped, [true, false, true, false, true, false]);
    }
}
