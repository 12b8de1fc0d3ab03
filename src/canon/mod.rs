//! Games in the canonical form of the writing rules of PDN 3.0, and repairs that have exactly one reading.
//!
//! A canonical game is a tree again: the text that the writer produces from it is read as the same tree. Anything that could not
//! be played is kept as written. Every change on the way is listed.

mod edit;
mod mended;
mod moves;
mod numbers;
mod options;
mod repair;
mod strip;
mod tags;
mod texts;

use crate::diag::Code;
use crate::notation::{GameType, Numbering};
use crate::pdn::{GameTree, WriteOptions, write_game};
use crate::replay::{Inference, ReplayOptions, ReplayedGame, replay};
use crate::rules::{Move, Variant};

use moves::Naming;

pub(crate) use edit::{Edit, EditKind, Rereading, TextRepair};
pub(crate) use mended::mended;
pub use options::{FormatOptions, MoveStyle};
pub use repair::repaired;
pub(crate) use repair::{repair, repair_comment};
pub use strip::StripKind;

/// Returns a game in canonical form, as lines that end with a line feed.
///
/// # Examples
///
/// ```
/// use pdn::canon::{FormatOptions, format_game};
/// use pdn::games;
/// use pdn::replay::{ReplayOptions, replay};
/// use pdn::rules::Variant;
///
/// let game = games(b"1.32-28* 19-23 02. 28-19 14x23").next().unwrap();
/// let game = replay(game.into_tree(), &ReplayOptions::of(Some(Variant::INTERNATIONAL)));
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
/// A game whose variant is [undecided](is_undecided) keeps its moves as they are, so that it is read again as before. So does
/// one that would be played otherwise in canonical form, because some of its moves are not legal.
pub fn canonical_tree(game: &ReplayedGame, options: &FormatOptions) -> GameTree {
    into_canonical_tree(game.clone(), options)
}

/// Returns a game in canonical form as [`canonical_tree`] does, and copies its tree only if necessary.
pub(crate) fn into_canonical_tree(mut game: ReplayedGame, options: &FormatOptions) -> GameTree {
    if is_undecided(&game, options)
        && let Some(mut alone) = played_alike_alone(&game)
    {
        let tree = alone.take_tree();
        return Forms::plain(&alone, options).rewrite(tree, &alone, options);
    }
    let forms = Forms::of(&game, options);
    if forms.is_kept || is_read_alike(&game) {
        let tree = game.take_tree();
        return forms.rewrite(tree, &game, options);
    }
    for forms in [Some(forms), Forms::usual(&game)].into_iter().flatten() {
        let tree = forms.rewrite(game.tree().clone(), &game, options);
        if is_played_alike(&replay(tree.clone(), game.options()), &game) {
            return tree;
        }
    }
    Forms::KEPT.rewrite(game.tree().clone(), &game, options)
}

/// Returns true if nothing decides between the variants of a game: neither a tag nor the options give it, and not exactly one
/// plays the game to its end, or it cannot be written into the game. The canonical form then has no GameType, and the squares
/// keep their names.
pub fn is_undecided(game: &ReplayedGame, options: &FormatOptions) -> bool {
    game.is_inferred() && Naming::of(game, options).game_type.is_none() && !(is_decided(game) && can_be_written(game))
}

/// Returns true if exactly one variant plays the whole game. A game without moves says nothing: in a file, others would decide.
fn is_decided(game: &ReplayedGame) -> bool {
    let has_say = game.plies_played() > 0 || !game.options().is_for_file();
    has_say && game.is_legal() && game.final_position().is_some() && game.rivals().next().is_none()
}

/// Returns true if the inferred variant can be written into the GameType, or a game without tags is read by it alone too. In a file
/// of several variants, the game must be decided alone as well: once some games have a GameType, the rest would be inferred
/// differently.
fn can_be_written(game: &ReplayedGame) -> bool {
    let tree = game.tree();
    let is_alone = |inferred: &Inference| tags::is_bare(tree) || !inferred.is_uniform();
    !tags::has_unusable_game_type(tree)
        && (!game.options().inferred().is_some_and(is_alone)
            || Some(alone(game)).is_some_and(|alone| is_decided(&alone) && is_played_alike(&alone, game)))
}

/// Returns a game as it is read alone, without its file and what its record gives beside it, which the canonical form lacks.
fn alone(game: &ReplayedGame) -> ReplayedGame {
    let mut tree = game.tree().clone();
    tree.set_recorded_variant(None);
    replay(tree, &ReplayOptions::default())
}

/// Returns true if the canonical form of a game is certain to be played like the game: it is legal, by the names of squares of
/// its variant if that is inferred.
fn is_read_alike(game: &ReplayedGame) -> bool {
    let own = game.variant().map(Numbering::for_variant);
    game.is_legal() && !is_contradicted(game) && (!game.is_inferred() || game.numbering() == own)
}

/// Returns true if the moves of the main lines of two games, and where they lead, are the same.
fn is_played_alike(one: &ReplayedGame, other: &ReplayedGame) -> bool {
    let ends = |game: &ReplayedGame| (game.variant(), game.plies_played(), game.start().copied());
    let squares = |played: &Move| (played.from(), played.to());
    let moves =
        |game: &ReplayedGame| -> Vec<_> { game.main_line().filter_map(|(_, ply)| ply.played().map(squares)).collect() };
    ends(one) == ends(other) && one.final_position() == other.final_position() && moves(one) == moves(other)
}

/// Returns true if the moves contradict the GameType tag.
fn is_contradicted(game: &ReplayedGame) -> bool {
    game.diagnostics().iter().any(|diagnostic| diagnostic.code() == Code::TAG_GAME_TYPE_CONTRADICTED)
}

/// Returns true if the moves belong to a variant other than that of the GameType tag.
fn is_other_variant(game: &ReplayedGame) -> bool {
    let tagged = game.game_type().and_then(GameType::variant);
    is_contradicted(game) && tagged != game.variant()
}

/// Returns a game as it is read alone, if it is legal and all variants that play it name its squares alike and begin with the same
/// side: moves, numbers and positions are then written alike in all of them. The other games of its file do not count: a GameType
/// that is written into one of them would change what they say, and a game that is not legal as the others may be legal alone.
fn played_alike_alone(game: &ReplayedGame) -> Option<ReplayedGame> {
    // Where no variant plays any of the illegal games of a file, none has to play each of them again.
    if !game.is_legal() && game.options().inferred().is_some_and(Inference::is_hopeless) {
        return None;
    }
    let alone = alone(game);
    let habits = |variant: Variant| (Numbering::for_variant(variant), variant.starts());
    let own = habits(alone.variant()?);
    let is_alike = alone.is_legal() && alone.numbering() == Some(own.0) && alone.rivals().all(|one| habits(one) == own);
    is_alike.then_some(alone)
}

/// The notation of the moves and squares of a game.
struct Forms {
    naming: Naming,
    style: MoveStyle,
    /// True if everything that depends on the variant stays as it is.
    is_kept: bool,
    /// True if moves, numbers and positions are written plainly, and nothing that says which of several variants it is.
    is_plain: bool,
}

impl Forms {
    const KEPT: Self = Self { naming: Naming::UNKNOWN, style: MoveStyle::Written, is_kept: true, is_plain: false };

    fn of(game: &ReplayedGame, options: &FormatOptions) -> Self {
        if game.variant().is_none() || is_undecided(game, options) {
            return Self::KEPT;
        }
        // In the notation of a variant that the GameType tag does not name the moves could not be read again.
        if is_other_variant(game) {
            return Self { is_kept: false, ..Self::KEPT };
        }
        let naming = Naming::of(game, options);
        let is_renamed = naming.game_type.is_some() && options.moves == MoveStyle::Written;
        let style = if is_renamed { MoveStyle::Short } else { options.moves };
        Self { naming, style, is_kept: false, is_plain: false }
    }

    /// What all variants that play a game write alike.
    fn plain(game: &ReplayedGame, options: &FormatOptions) -> Self {
        let naming = Naming { read: game.numbering(), written: game.numbering(), game_type: None };
        let style = if options.moves == MoveStyle::Short { MoveStyle::Short } else { MoveStyle::Written };
        Self { naming, style, is_kept: false, is_plain: true }
    }

    /// The usual names of squares, for a game of an inferred variant that is named from another corner: where the usual names
    /// are legal too, a GameType with that corner does not decide.
    fn usual(game: &ReplayedGame) -> Option<Self> {
        let written = game.variant().filter(|_| game.is_inferred()).map(Numbering::for_variant);
        let naming = Naming { read: game.numbering(), written, game_type: None };
        (written.is_some() && written != naming.read).then_some(Self {
            naming,
            style: MoveStyle::Short,
            is_kept: false,
            is_plain: false,
        })
    }

    /// Rewrites the tree of a game, using only the plies and the variant of the game itself.
    fn rewrite(self, mut tree: GameTree, game: &ReplayedGame, options: &FormatOptions) -> GameTree {
        let variant = game.variant().filter(|_| !self.is_kept);
        let is_written = game.is_inferred() && !tags::is_bare(&tree);
        moves::rewrite(&mut tree, game, self.naming, (self.style, self.is_plain));
        if tree.lines().len() > 1 {
            moves::separate_joined(&mut tree, game);
        }
        if options.strict && variant.is_some() {
            moves::write_nulls(&mut tree, game);
        }
        strip::strip(&mut tree, &options.strip);
        texts::tidy(&mut tree, options);
        if variant.is_some() {
            numbers::drop_ellipses(&mut tree, game);
            numbers::renumber(&mut tree, game);
        }
        numbers::announce(&mut tree);
        numbers::separate_captures(&mut tree);
        let inferred = variant.filter(|_| is_written && !self.is_plain).zip(self.naming.written);
        // A variant that the tags contradict, or that is one of several, does not decide how results are written.
        let of_results = variant.filter(|_| !self.is_plain && !is_other_variant(game));
        tags::complete(&mut tree, of_results, self.naming, inferred, options);
        if options.strict {
            texts::gather(&mut tree);
        }
        tree
    }
}

#[cfg(test)]
mod tests;
