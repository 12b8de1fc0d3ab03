//! The keys of the positions of games.

use super::entry::GameKeys;
use crate::check::{CheckedGame, GameWork, Needs};
use crate::replay::{GameStep, ReplayedGame};
use crate::rules::LineKeys;

/// Collects the positions of all games, including those in variations.
#[derive(Clone, Copy, Debug)]
pub struct IndexQuery;

/// Returns the keys and canonical keys of the positions of a game, each position once.
fn keys_of(game: &ReplayedGame) -> Vec<[u64; 2]> {
    let mut line = LineKeys::default();
    let after = game.steps().filter_map(|step| match step {
        GameStep::Reach(_, after) => Some(after),
        GameStep::Open | GameStep::Close => None,
    });
    let positions = game.start().into_iter().chain(after);
    let mut keys: Vec<_> = positions.map(|position| line.own_and_canonical_key(position)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

impl GameWork for IndexQuery {
    type Done = Vec<GameKeys>;

    fn needs(&self) -> Needs {
        Needs::Game
    }

    fn game(&self, game: CheckedGame<'_>, games: &mut Vec<GameKeys>) {
        let keys = keys_of(game.review().game());
        games.extend(game.variant().map(|variant| GameKeys::new(&game, variant, keys)));
    }
}
