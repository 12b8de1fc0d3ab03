//! Written moves to played moves: legality, positions, and the variant of a game.
//!
//! Tags, results, draws and everything else that can be said of a replayed game is in [`check`](crate::check).

mod ahead;
mod choose;
mod evidence;
mod game;
mod opening;
mod plain;
mod walk;

use crate::pdn::GameTree;
use crate::rules::Variant;

pub use game::{Ply, ReplayedGame};
pub(crate) use plain::{PlainMoves, plain_variant};

/// How games are replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Replay every game as this variant, whatever its tags are.
    pub variant: Option<Variant>,
}

/// Plays a game through the rules, with all its variations, and infers its variant if no tag gives it.
///
/// Nothing of the game is lost: the tree keeps what could not be played, and the diagnostics say why.
///
/// # Examples
///
/// ```
/// use pdn::pdn::games;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let text = b"[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *";
/// for parsed in games(text) {
///     let game = replay(parsed.tree, &ReplayOptions::default());
///     assert!(game.is_legal());
///     assert_eq!(game.plies_played(), 4);
/// }
/// ```
pub fn replay(tree: GameTree, options: &ReplayOptions) -> ReplayedGame {
    let mut found = Vec::new();
    let choose::Attempt { mut walk, end, start, start_side_known, .. } =
        choose::choose(&tree, options.variant, &mut found);
    walk.play_variations();
    walk.diagnostics.extend(found);
    let (variant, numbering, plies) = (walk.variant, walk.numbering, walk.plies);
    let mut diagnostics = walk.diagnostics.into_vec();
    diagnostics.sort_by_key(|diagnostic| diagnostic.span().start);
    ReplayedGame {
        options: *options,
        game_type: choose::game_type(&tree).and_then(|(_, read)| read.ok()),
        variant,
        numbering: variant.map(|_| numbering),
        start: start.position,
        start_side_known,
        plies,
        last: end.last,
        main_played: end.played,
        legal: variant.is_some() && end.is_whole(),
        diagnostics,
        tree,
    }
}
