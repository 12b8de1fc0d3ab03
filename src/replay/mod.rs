//! From written moves to played moves: legality, positions, and the variant of a game.
//!
//! Tags, results, draws and everything else that can be said of a replayed game is in [`check`](crate::check).

mod ahead;
mod choose;
mod evidence;
mod infer;
mod opening;
mod plies;
mod replayed;
mod squares;
mod walk;

use std::sync::Arc;

use crate::diag::{Diagnostic, Span};
use crate::notation::Numbering;
use crate::pdn::GameTree;
use crate::rules::Variant;

use choose::{Attempt, choose, game_type};
pub(crate) use choose::{main_span, tagged_variant};
use infer::FileInference;
pub(crate) use infer::evidence;
pub use infer::{EVIDENCE_BYTES, Inference};
use opening::Written;
pub use plies::{GameStep, Ply};
pub use replayed::ReplayedGame;

/// Options for replaying games.
#[derive(Clone, Debug, Default)]
pub struct ReplayOptions {
    /// The variant of every game, whatever its tags.
    pub variant: Option<Variant>,
    /// The variant of the games in the file without a GameType; without it, each game's variant is inferred separately.
    pub(crate) file: Option<FileInference>,
}

impl ReplayOptions {
    /// Returns options to replay every game as the given variant, or else according to its tags and moves.
    pub const fn of(variant: Option<Variant>) -> Self {
        Self { variant, file: None }
    }

    /// Infers the variant of the games that have no GameType from the first bytes of their file, [`EVIDENCE_BYTES`] of
    /// them or all of a smaller file, unless the options give a variant. Nothing is inferred before such a game is met.
    #[must_use]
    pub fn for_file(self, head: impl Into<Arc<[u8]>>) -> Self {
        if self.variant.is_some() { self } else { Self { file: Some(FileInference::of(head.into())), ..self } }
    }

    /// Returns the inference from the file.
    pub(crate) fn inferred(&self) -> Option<&Inference> {
        self.file.as_ref().map(FileInference::get)
    }

    /// Returns the variants of the games with a GameType in the file, with the numbers of these games, if all games used as evidence
    /// have one.
    pub(crate) fn tagged(&self) -> &[(Variant, u64)] {
        self.file.as_ref().map_or(&[], FileInference::tagged)
    }

    /// Returns true if the games of a file have their variant inferred together.
    pub(crate) const fn is_for_file(&self) -> bool {
        self.file.is_some()
    }

    /// Returns the variant of games without tags and the names of their squares.
    pub(crate) fn untagged(&self) -> Option<(Variant, Numbering)> {
        let of = |variant| (variant, Numbering::for_variant(variant));
        let inferred = self.inferred().and_then(Inference::taken);
        match self.variant {
            None => inferred,
            Some(asked) => inferred.filter(|(taken, _)| *taken == asked).or_else(|| Some(of(asked))),
        }
    }

    /// Returns the diagnostic about the variant of the file if the game with this number, which has no GameType, carries it;
    /// `span` is where its moves begin.
    pub(crate) fn diagnostic_for(&self, number: u64, span: Span) -> Option<Diagnostic> {
        self.inferred().filter(|_| self.variant.is_none())?.diagnostic_for(number, span)
    }
}

/// Plays a game according to the rules, with all its variations, and infers its variant if no tag gives it.
///
/// Nothing of the game is lost: the tree keeps what could not be played, and the diagnostics say why.
///
/// # Examples
///
/// ```
/// use pdn::games;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let text = b"[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *";
/// for parsed in games(text) {
///     let game = replay(parsed.into_tree(), &ReplayOptions::default());
///     assert!(game.is_legal());
///     assert_eq!(game.plies_played(), 4);
/// }
/// ```
pub fn replay(tree: GameTree, options: &ReplayOptions) -> ReplayedGame {
    let mut found = Vec::new();
    let tagged = game_type(&tree);
    let game_type = tagged.as_ref().and_then(|(_, read)| read.as_ref().ok().copied());
    let game = Written::new(&tree);
    let Attempt { mut walk, end, start, start_side_known, inference, .. } = choose(&game, tagged, options, &mut found);
    walk.play_variations();
    walk.diagnostics.extend(found);
    let (variant, numbering, plies) = (walk.variant, walk.numbering, walk.plies);
    let mut diagnostics = walk.diagnostics.into_vec();
    diagnostics.sort_by_key(|diagnostic| diagnostic.span().start);
    drop(game);
    ReplayedGame {
        options: options.clone(),
        inference,
        game_type,
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
