//! Repairs of what has exactly one reading.
//!
//! The repair of a move has to be confirmed: the line goes on after it, or ends there, and no other repair of that place
//! leads as far. What the canonical form itself puts right (separators, zeros, numbers, what ends a game) needs no repair.

mod moves;
mod reading;
mod tags;

pub(super) use tags::is_identifier;

use super::Edit;
use crate::pdn::GameTree;
use crate::replay::{ReplayOptions, ReplayedGame, replay};

/// Repairs a game, and replays it. Returns the edits in the order of the text.
///
/// # Examples
///
/// ```
/// use pdn::canon::repair;
/// use pdn::pdn::games;
/// use pdn::replay::ReplayOptions;
///
/// let game = games(b"[GameType \"20\"]\n1. 28-32 l9-23 2. 28x1914x23 *").next().unwrap();
/// let (game, edits) = repair(game.into_tree(), &ReplayOptions::default());
/// assert!(game.is_legal() && game.plies_played() == 4);
/// assert_eq!(edits[0].to_string(), "squares swapped: `28-32` read as 32-28");
/// ```
pub fn repair(mut tree: GameTree, options: &ReplayOptions) -> (ReplayedGame, Vec<Edit>) {
    let mut edits = Vec::new();
    tags::repair(&mut tree, &mut edits);
    let game = moves::repair(replay(tree, options), options, &mut edits);
    edits.sort_by_key(|edit| edit.span().start);
    (game, edits)
}
