//! Games in the canonical form of the writing rules of PDN 3.0, and repairs that have exactly one reading.
//!
//! A canonical game is a tree again: the text that the writer produces from it is read as the same tree. Anything that could not
//! be played is kept as written. Every change on the way is an [`Edit`].

mod edit;
mod files;
mod mended;
mod moves;
mod numbers;
mod options;
mod repair;
mod settle;
mod tags;
mod texts;

use crate::notation::GameType;
use crate::pdn::{GameTree, WriteOptions, write_game};
use crate::replay::ReplayedGame;
use crate::rules::Variant;

use moves::Naming;

pub use edit::{Edit, EditKind, Rereading, TextRepair};
pub(crate) use files::settled_in_file;
pub use mended::mended;
pub use options::{FormatOptions, MoveStyle};
pub use repair::repair;
pub(crate) use repair::{repair_comment, repair_dated};

/// Returns a game in canonical form, as lines that end with a line feed.
///
/// Where the variant of a game is inferred, other games of its file may decide it, and a game formatted alone may be read as
/// another variant (`ab4 2217`). [`Formatting`](crate::export::Formatting) settles the games of a file together, so that each
/// is read as before.
///
/// # Examples
///
/// ```
/// use pdn::canon::{FormatOptions, format_game};
/// use pdn::pdn::games;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let game = games(b"1.32-28* 19-23 02. 28-19 14x23").next().unwrap();
/// let game = replay(game.into_tree(), &ReplayOptions::default());
/// assert_eq!(format_game(&game, &FormatOptions::default()), "1. 32-28 $7 19-23 2. 28x19 14x23 *\n");
/// ```
pub fn format_game(game: &ReplayedGame, options: &FormatOptions) -> String {
    write_canonical(&canonical_tree(game, options), options)
}

/// Returns a tree that is in canonical form as lines that end with a line feed.
pub fn write_canonical(tree: &GameTree, options: &FormatOptions) -> String {
    let page = WriteOptions { width: options.width, roster_first: true, stray_as_comment: true };
    write_game(tree, page)
}

/// Returns a game in canonical form as a tree. Its nodes keep their numbers, and all spans are those of the original, so the two
/// trees can be compared.
///
/// If the variant is inferred and not written, or moves are not legal, another variant may fit the canonical tree better than
/// the record. Such a tree is replayed and rewritten until it no longer changes; if its variant is then a different one, the
/// moves are kept as written.
pub fn canonical_tree(game: &ReplayedGame, options: &FormatOptions) -> GameTree {
    let tree = rewritten(game, options);
    if settle::is_certain(game, options) { tree } else { settle::settled(tree, game, options) }
}

/// Returns a game in canonical form as [`canonical_tree`] does, and copies its tree only if necessary.
pub(crate) fn into_canonical_tree(game: ReplayedGame, options: &FormatOptions) -> GameTree {
    if settle::is_certain(&game, options) { into_rewritten(game, options) } else { canonical_tree(&game, options) }
}

/// Returns true if the variant of a game is inferred and the options do not name it, but others are equally likely, or the
/// games of its file would be read differently once they are written by it. The canonical form then has no GameType, and the
/// squares keep their names.
pub fn is_doubtful(game: &ReplayedGame, options: &FormatOptions) -> bool {
    (game.is_kept() || game.rivals().next().is_some())
        && options.game_type.and_then(GameType::variant) != game.variant()
}

/// Returns true if the moves belong to a variant other than that of the GameType tag.
fn is_other_variant(game: &ReplayedGame) -> bool {
    let tagged = game.game_type().and_then(GameType::variant);
    settle::is_contradicted(game) && tagged != game.variant()
}

/// Applies all rules of the canonical form once.
fn rewritten(game: &ReplayedGame, options: &FormatOptions) -> GameTree {
    Forms::of(game, options).rewrite(game.tree().clone(), game, options)
}

/// Applies all rules of the canonical form once, without a copy of the tree.
fn into_rewritten(mut game: ReplayedGame, options: &FormatOptions) -> GameTree {
    let forms = Forms::of(&game, options);
    let tree = game.take_tree();
    forms.rewrite(tree, &game, options)
}

/// The notation of the moves and squares of a game.
struct Forms {
    naming: Naming,
    style: MoveStyle,
    /// True if moves are numbered by the rules of the variant.
    is_numbered: bool,
}

impl Forms {
    /// Moves, numbers and squares stay as they are.
    const KEPT: Self = Self { naming: Naming::UNKNOWN, style: MoveStyle::Written, is_numbered: false };

    fn of(game: &ReplayedGame, options: &FormatOptions) -> Self {
        let (is_lost, is_doubtful) = (settle::is_lost(game), is_doubtful(game, options));
        // Which move is the first of a number depends on the side that starts games.
        let starts_otherwise = |rival: Variant| game.variant().is_some_and(|own| own.starts() != rival.starts());
        let is_lost = is_lost || is_doubtful && game.is_kept();
        let is_numbered = !(is_lost || is_doubtful && game.rivals().any(starts_otherwise));
        // In the notation of a variant that the GameType tag does not name the moves could not be read again.
        if is_lost || is_doubtful && game.has_other_names() || is_other_variant(game) {
            return Self { is_numbered, ..Self::KEPT };
        }
        let naming = Naming::of(game, options);
        let is_renamed = naming.game_type.is_some() && options.moves == MoveStyle::Written;
        let style = if is_renamed { MoveStyle::Short } else { options.moves };
        Self { naming, style, is_numbered }
    }

    /// Rewrites the tree of a game, using only the plies and the variant of the game itself.
    fn rewrite(self, mut tree: GameTree, game: &ReplayedGame, options: &FormatOptions) -> GameTree {
        moves::rewrite(&mut tree, game, self.naming, self.style);
        if options.strict {
            moves::write_nulls(&mut tree, game);
        }
        texts::tidy(&mut tree, options);
        if self.is_numbered {
            numbers::drop_ellipses(&mut tree, game);
            numbers::renumber(&mut tree, game);
        }
        numbers::announce(&mut tree);
        numbers::separate_captures(&mut tree);
        tags::complete(&mut tree, game, self.naming, options);
        if options.strict {
            texts::gather(&mut tree);
        }
        tree
    }
}

#[cfg(test)]
mod tests;
