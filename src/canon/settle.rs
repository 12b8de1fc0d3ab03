//! Canonical trees of games whose variant is not certain.

use super::{FormatOptions, MoveStyle, into_rewritten, rewritten, write_canonical};
use crate::diag::Code;
use crate::notation::{GameType, GameTypeError};
use crate::pdn::{GameTree, Tag};
use crate::replay::{ReplayOptions, ReplayedGame, replay};
use crate::rules::Variant;

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

/// Returns true if the variant of a game is inferred, its GameType tag cannot be used and is kept, and the game alone is not
/// of that variant. The other games of its file get a GameType and are no evidence any more, so that the text that is
/// written would be read by another variant.
pub(super) fn is_lost(game: &ReplayedGame) -> bool {
    let is_unusable = |tag: &Tag| match GameType::parse(tag.value()) {
        _ if !tag.name().eq_ignore_ascii_case("GameType") => false,
        Ok(game_type) => game_type.variant().is_none(),
        Err(error) => error != GameTypeError::Missing,
    };
    game.is_inferred() && game.tree().tags().iter().any(is_unusable) && depends_on_file(game.tree(), game)
}

/// Returns true if a tree alone does not give the variant of a game, or other games of its file give another one.
pub(super) fn depends_on_file(tree: &GameTree, game: &ReplayedGame) -> bool {
    let alone = || replay(tree.clone(), &ReplayOptions::default());
    game.variant().is_some() && (game.differs_from_file() || alone().variant() != game.variant())
}

/// Replays and rewrites the canonical tree of a game until it stays the same. If it has another variant then, the moves are
/// written as they are.
pub(super) fn settled(tree: GameTree, game: &ReplayedGame, options: &FormatOptions) -> GameTree {
    let settled = unchanging(tree, game.options(), options);
    if options.moves == MoveStyle::Written || settled.has_variant_of(game) {
        return settled.tree;
    }
    let as_written = options.moves(MoveStyle::Written);
    let other = unchanging(rewritten(game, &as_written), game.options(), &as_written);
    if other.has_variant_of(game) { other.tree } else { settled.tree }
}

/// A tree with the variant by which it is replayed in its file.
struct Settled {
    tree: GameTree,
    variant: Option<Variant>,
    /// The tree is known to have the same variant alone: otherwise its GameType would have been written.
    is_same_alone: bool,
}

impl Settled {
    /// Returns true if the tree is replayed by the variant of a game, alone and in its file.
    fn has_variant_of(&self, game: &ReplayedGame) -> bool {
        let is_alone = game.options().variant.is_none() && game.options().inferred().is_none();
        let alone = || replay(self.tree.clone(), &ReplayOptions::default()).variant();
        let known = game.game_type().is_some() || is_alone || self.is_same_alone || game.rivals().next().is_some();
        self.variant == game.variant() && (known || alone() == game.variant())
    }
}

/// Replays and rewrites a tree until it stays the same. Of trees that lead to one another the same one is taken,
/// whichever of them is read.
fn unchanging(tree: GameTree, replaying: &ReplayOptions, options: &FormatOptions) -> Settled {
    let mut trees: Vec<GameTree> = Vec::new();
    let mut last = tree;
    loop {
        let replayed = replay(last.clone(), replaying);
        let (variant, is_inferred) = (replayed.variant(), replayed.is_inferred());
        let next = into_rewritten(replayed, options);
        if next == last {
            let is_same_alone =
                is_inferred && variant.is_some() && last.tags().is_empty() && options.game_type.is_none();
            return Settled { tree: last, variant, is_same_alone };
        }
        trees.push(last);
        if let Some(first) = trees.iter().position(|earlier| *earlier == next) {
            return replayed_once(smallest(trees.split_off(first), options).unwrap_or(next), replaying);
        }
        if trees.len() == MAX_ROUNDS {
            return replayed_once(next, replaying);
        }
        last = next;
    }
}

fn replayed_once(tree: GameTree, replaying: &ReplayOptions) -> Settled {
    Settled { variant: replay(tree.clone(), replaying).variant(), tree, is_same_alone: false }
}

/// Returns the tree whose text is the first in alphabetical order.
fn smallest(mut trees: Vec<GameTree>, options: &FormatOptions) -> Option<GameTree> {
    trees.sort_by_cached_key(|tree| write_canonical(tree, options));
    trees.into_iter().next()
}
