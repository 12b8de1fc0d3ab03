//! Canonical trees of games whose variant is not certain.

use super::{FormatOptions, MoveStyle, into_rewritten, rewritten, write_canonical};
use crate::diag::Code;
use crate::pdn::GameTree;
use crate::replay::{ReplayOptions, ReplayedGame, replay};

/// Rounds of replaying and rewriting after which a tree is taken as it is.
const MAX_ROUNDS: usize = 8;

/// Returns true if the canonical tree of a game is known to be replayed as the game itself: its variant is given, and its
/// main line is legal.
pub(super) fn is_certain(game: &ReplayedGame) -> bool {
    game.is_clean() && !is_contradicted(game) && !game.is_inferred()
}

/// Returns true if the moves contradict the GameType tag.
pub(super) fn is_contradicted(game: &ReplayedGame) -> bool {
    game.diagnostics().iter().any(|diagnostic| diagnostic.code() == Code::TAG_GAME_TYPE_CONTRADICTED)
}

/// Replays and rewrites the canonical tree of a game until it stays the same. If it has another variant then, the moves are
/// written as they are.
pub(super) fn settled(tree: GameTree, game: &ReplayedGame, options: &FormatOptions) -> GameTree {
    let tree = unchanging(tree, game.options(), options);
    if options.moves == MoveStyle::Written || has_variant_of(&tree, game) {
        return tree;
    }
    let as_written = options.moves(MoveStyle::Written);
    let other = unchanging(rewritten(game, &as_written), game.options(), &as_written);
    if has_variant_of(&other, game) { other } else { tree }
}

/// Returns true if a tree is replayed by the variant of a game, alone and in its file.
fn has_variant_of(tree: &GameTree, game: &ReplayedGame) -> bool {
    let variant = |options: &_| replay(tree.clone(), options).variant();
    variant(game.options()) == game.variant()
        && (game.game_type().is_some() || variant(&ReplayOptions::default()) == game.variant())
}

/// Replays and rewrites a tree until it stays the same. Of trees that lead to one another the same one is taken,
/// whichever of them is read.
fn unchanging(tree: GameTree, replaying: &ReplayOptions, options: &FormatOptions) -> GameTree {
    let mut trees = vec![tree];
    loop {
        let last = trees[trees.len() - 1].clone();
        let next = into_rewritten(replay(last, replaying), options);
        if let Some(first) = trees.iter().position(|earlier| *earlier == next) {
            return smallest(trees.split_off(first), options).unwrap_or(next);
        }
        if trees.len() == MAX_ROUNDS {
            return next;
        }
        trees.push(next);
    }
}

/// Returns the tree whose text is the first in alphabetical order.
fn smallest(mut trees: Vec<GameTree>, options: &FormatOptions) -> Option<GameTree> {
    if trees.len() > 1 {
        trees.sort_by_cached_key(|tree| write_canonical(tree, options));
    }
    trees.into_iter().next()
}
