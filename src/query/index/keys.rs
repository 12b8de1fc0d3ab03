//! The keys of the positions of games.

use super::entry::GameKeys;
use crate::check::{CheckedGame, Follower, FollowingWork, Needs};
use crate::rules::{LineKeys, Move, Position};

/// Collects the positions of all games, including those in variations.
#[derive(Clone, Copy, Debug)]
pub struct IndexQuery;

/// Collects the keys of the positions of a game.
#[derive(Debug, Default)]
pub struct KeyFinder {
    found: Vec<[u64; 2]>,
    line: LineKeys,
}

impl Follower for KeyFinder {
    type Found = Vec<[u64; 2]>;

    fn begin(&mut self, start: &Position) {
        self.found.clear();
        self.reach(None, start);
    }

    fn reach(&mut self, _: Option<&Move>, after: &Position) {
        self.found.push(self.line.own_and_canonical_key(after));
    }

    /// Returns the keys and canonical keys of the positions, each position once.
    fn end(&mut self) -> Self::Found {
        self.found.sort_unstable();
        self.found.dedup();
        std::mem::take(&mut self.found)
    }
}

impl FollowingWork for IndexQuery {
    type Follower = KeyFinder;
    type Done = Vec<GameKeys>;

    fn needs(&self) -> Needs {
        Needs::Results
    }

    fn follower(&self) -> Option<KeyFinder> {
        Some(KeyFinder::default())
    }

    fn game(&self, game: CheckedGame<'_>, found: Option<Vec<[u64; 2]>>, games: &mut Vec<GameKeys>) {
        let keys = found.unwrap_or_default();
        games.extend(game.variant().map(|variant| GameKeys::new(&game, variant, keys)));
    }
}
