//! Canonical trees of games whose variant is uncertain.

use super::tags::has_game_type;
use super::{FormatOptions, Forms, MoveStyle, into_rewritten, is_doubtful, rewritten, write_canonical};
use crate::board::Square;
use crate::diag::Code;
use crate::notation::{GameType, GameTypeError, Numbering};
use crate::pdn::{GameTree, Tag};
use crate::replay::{Inference, ReplayOptions, ReplayedGame, replay};
use crate::rules::{Position, Variant};

/// Maximum number of rounds of replaying and rewriting a tree.
const MAX_ROUNDS: usize = 8;

/// Returns true if the canonical tree of a game is certain to be replayed like the game itself: its main line is legal, and its
/// variant is given, or will be.
pub(super) fn is_certain(game: &ReplayedGame, options: &FormatOptions) -> bool {
    game.is_clean() && !is_contradicted(game) && (!game.is_inferred() || gets_game_type(game, options))
}

/// Returns true if the inferred variant of a game is written into its GameType, from which it is read again. Names of squares
/// other than those of the variant are not believed in every game.
pub(super) fn gets_game_type(game: &ReplayedGame, options: &FormatOptions) -> bool {
    let tree = game.tree();
    let is_added = options.game_type.is_none() && !tree.tags().is_empty() && !has_game_type(tree);
    is_added
        && !is_doubtful(game, options)
        && game.variant().is_some_and(|variant| {
            let is_named = game.numbering() == Some(Numbering::for_variant(variant));
            is_named && variant.game_type().and_then(GameType::variant) == Some(variant)
        })
}

/// Returns true if the moves contradict the GameType tag.
pub(super) fn is_contradicted(game: &ReplayedGame) -> bool {
    game.diagnostics().iter().any(|diagnostic| diagnostic.code() == Code::TAG_GAME_TYPE_CONTRADICTED)
}

/// Returns true if the variant of a game is inferred, its GameType tag is unusable but kept, and the game alone would not be
/// assigned that variant. The other games of its file get a GameType and are then no longer evidence, so the written text
/// would be read as another variant.
pub(super) fn is_lost(game: &ReplayedGame) -> bool {
    let is_unusable = |tag: &Tag| match GameType::parse(tag.value()) {
        Ok(game_type) => game_type.variant().is_none(),
        Err(error) => error != GameTypeError::Missing,
    };
    let mut game_types = game.tree().tags().iter().filter(|tag| tag.name().eq_ignore_ascii_case("GameType"));
    game.is_inferred() && game_types.any(is_unusable) && differs_alone(game.tree(), game)
}

/// Returns true if a tree alone does not give the variant of a game, or leads elsewhere.
fn differs_alone(tree: &GameTree, game: &ReplayedGame) -> bool {
    game.variant().is_some() && End::of(&replay(tree.clone(), &ReplayOptions::default())) != End::of(game)
}

/// Returns true if a tree alone does not determine the variant of a game, or if other games of its file suggest another.
///
/// Where only some games have tags, these get a GameType and are then no longer evidence. What is left may suggest another
/// variant for a game that is not legal, or that could be played by several variants.
pub(super) fn depends_on_file(tree: &GameTree, game: &ReplayedGame) -> bool {
    if game.variant().is_none() || game.differs_from_file() {
        return game.variant().is_some();
    }
    let alone = replay(tree.clone(), &ReplayOptions::default());
    let is_mixed = game.options().inferred().is_some_and(Inference::is_mixed) && !game.has_other_names();
    End::of(&alone) != End::of(game) || is_mixed && (!game.is_legal() || alone.rivals().next().is_some())
}

/// Replays and rewrites the canonical tree of a game until it no longer changes. If it then leads to other positions, the moves
/// are kept as written and, if that is not enough, the names of squares too; and if these depend on the other games of the
/// file, the usual names of the variant are written instead.
pub(super) fn settled(tree: GameTree, game: &ReplayedGame, options: &FormatOptions) -> GameTree {
    let settled = unchanging(tree, game.options(), options);
    if settled.is_played_like(game) {
        return settled.tree;
    }
    if options.moves != MoveStyle::Written {
        let as_written = FormatOptions { moves: MoveStyle::Written, ..*options };
        let other = unchanging(rewritten(game, &as_written), game.options(), &as_written);
        if other.is_played_like(game) && stays(&other.tree, game, options) {
            return other.tree;
        }
        let kept = replayed_once(Forms::KEPT.rewrite(game.tree().clone(), game, options), game.options());
        if kept.is_played_like(game) && stays(&kept.tree, game, options) {
            return kept.tree;
        }
    }
    if settled.end == End::of(game) || is_doubtful(game, options) {
        return settled.tree;
    }
    let usual = FormatOptions { game_type: game.variant().and_then(Variant::game_type), ..*options };
    let renamed = unchanging(rewritten(game, &usual), game.options(), options);
    let is_better = renamed.is_played_like(game) && stays(&renamed.tree, game, options);
    if is_better { renamed.tree } else { settled.tree }
}

/// Returns true if a tree in place of a game would be written as it is, in the style of the options.
fn stays(tree: &GameTree, game: &ReplayedGame, options: &FormatOptions) -> bool {
    let again = replay(tree.clone(), game.options());
    let next = rewritten(&again, options);
    if is_certain(&again, options) {
        return next == *tree;
    }
    let next = unchanging(next, game.options(), options);
    next.tree == *tree || !next.is_played_like(&again)
}

/// A tree, with the variant assigned to it in its file.
struct Settled {
    tree: GameTree,
    end: End,
    /// True if the tree alone is known to have the same variant; otherwise its GameType would have been written.
    is_same_alone: bool,
}

/// The moves of the main line of a game, and where they lead.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct End {
    variant: Option<Variant>,
    played: usize,
    start: Option<Position>,
    last: Option<Position>,
    /// The squares of each move: other moves can lead to the same position.
    moves: Vec<(Square, Square)>,
}

impl End {
    pub(super) fn of(game: &ReplayedGame) -> Self {
        let (start, last) = (game.start().copied(), game.final_position().copied());
        let played = game.main_line().filter_map(|(_, ply)| ply.played());
        let moves = played.map(|played| (played.from(), played.to())).collect();
        Self { variant: game.variant(), played: game.plies_played(), start, last, moves }
    }
}

impl Settled {
    /// Returns true if the tree is replayed like a game, by the same variant alone and in its file.
    fn is_played_like(&self, game: &ReplayedGame) -> bool {
        let is_alone = game.options().variant.is_none() && game.options().inferred().is_none();
        let alone = || End::of(&replay(self.tree.clone(), &ReplayOptions::default()));
        let known = game.game_type().is_some() || is_alone || self.is_same_alone || game.rivals().next().is_some();
        self.end == End::of(game) && (known || alone() == self.end)
    }
}

/// Replays and rewrites a tree until it stays the same. Of trees that lead to one another the same one is taken,
/// whichever of them is read.
fn unchanging(tree: GameTree, replaying: &ReplayOptions, options: &FormatOptions) -> Settled {
    let mut trees: Vec<GameTree> = Vec::new();
    let mut last = tree;
    loop {
        let replayed = replay(last.clone(), replaying);
        let (end, is_inferred) = (End::of(&replayed), replayed.is_inferred());
        let next = into_rewritten(replayed, options);
        if next == last {
            let is_same_alone =
                is_inferred && end.variant.is_some() && last.tags().is_empty() && options.game_type.is_none();
            return Settled { tree: last, end, is_same_alone };
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
    let end = End::of(&replay(tree.clone(), replaying));
    Settled { tree, end, is_same_alone: false }
}

/// Returns the tree whose text is the first in alphabetical order.
fn smallest(mut trees: Vec<GameTree>, options: &FormatOptions) -> Option<GameTree> {
    trees.sort_by_cached_key(|tree| write_canonical(tree, options));
    trees.into_iter().next()
}
