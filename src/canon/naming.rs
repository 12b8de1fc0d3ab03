//! The names of squares that a record has and those that its canonical form gets.

use super::FormatOptions;
use crate::notation::{GameType, Numbering, read_fen, tidied_fen};
use crate::pdn::{GameTree, NodeId, NodeKind};
use crate::replay::{Ply, ReplayedGame};

/// How squares are named in a record and in its canonical form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Naming {
    /// The names by which the moves were read.
    pub(super) read: Option<Numbering>,
    /// The names that are written.
    pub(super) written: Option<Numbering>,
    /// The GameType that requires other names than those read.
    pub(super) game_type: Option<GameType>,
}

impl Naming {
    /// Returns the names of a game: its own, or those of the requested GameType if all of the game can be written in them.
    pub(super) fn of(game: &ReplayedGame, options: &FormatOptions) -> Self {
        let own = Self { read: game.numbering(), written: game.numbering(), game_type: None };
        let wanted = options.game_type.zip(game.variant()).filter(|(wanted, own)| wanted.variant() == Some(*own));
        let Some((game_type, variant)) = wanted else { return own };
        let usual = Numbering::for_variant(variant);
        let written = game_type.numbering(usual, variant.starts()).unwrap_or(usual);
        let other = Self { written: Some(written), game_type: Some(game_type), ..own };
        if other.fits(game) { other } else { own }
    }

    /// Returns true if all moves are known and all positions can be read.
    fn fits(self, game: &ReplayedGame) -> bool {
        let tree = game.tree();
        let knows = |id: NodeId| match tree.node(id).kind() {
            NodeKind::Move(_) => game.played(id).is_some(),
            NodeKind::Setup { fen } => {
                self.reads(fen) || game.ply(id).is_some_and(Ply::is_played) && fen.ends_with("::")
            }
            NodeKind::Null | NodeKind::Ellipsis => true,
        };
        tree.node_ids().all(knows) && self.reads_tags(tree)
    }

    fn reads_tags(self, tree: &GameTree) -> bool {
        let fens = tree.tags().iter().filter(|tag| tag.name().eq_ignore_ascii_case("FEN"));
        fens.map(|tag| tag.value().trim()).filter(|fen| !matches!(*fen, "" | "?" | "-")).all(|fen| self.reads(fen))
    }

    fn reads(self, fen: &str) -> bool {
        self.read.is_some_and(|names| read_fen(fen, names).is_ok_and(|read| read.overlooked.is_empty()))
    }
}

/// Returns a FEN without whitespace, leading zeros, final dots and, where the numbering is known, ranges; `None` if it
/// holds anything that would be lost.
pub(super) fn plain_fen(fen: &str, naming: Naming) -> Option<String> {
    let known = naming.read.zip(naming.written).and_then(|(read, written)| Some((read_fen(fen, read).ok()?, written)));
    match known.filter(|(read, _)| read.overlooked.is_empty() && !read.is_null_move()) {
        Some((read, numbering)) => Some(read.setup.fen(numbering)),
        None => tidied_fen(fen),
    }
}
