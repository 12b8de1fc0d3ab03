//! A game whose moves are known to be legal as far as they were played.

use crate::board::Side;
use crate::diag::{Diagnostic, Severity};
use crate::notation::{GameType, Numbering, read_fen};
use crate::pdn::{GameTree, LineId, NodeId, NodeKind};
use crate::replay::ReplayOptions;
use crate::replay::opening::fen_tag;
use crate::replay::result::GameResult;
use crate::rules::{Move, Position, Setup, Variant};

/// What became of one node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Number of the move in its line, from 1; a variation counts on from the move it replaces. Of a setup or an
    /// ellipsis, the number of the move behind it.
    pub number: u32,
    /// The side that moves.
    pub side: Side,
    /// The position before it, where it is known.
    pub before: Option<Position>,
    /// The position after it, if it could be played.
    pub after: Option<Position>,
    /// The move, if it is one and could be played.
    pub played: Option<Move>,
}

impl Ply {
    /// Whether the node could be played: a legal move, a null move that leads on, a setup.
    pub const fn is_played(&self) -> bool {
        self.after.is_some()
    }
}

/// A game played through the rules: each move is legal, or known not to have been played.
///
/// Only [`replay`](super::replay()) makes one.
#[derive(Clone, Debug)]
pub struct ReplayedGame {
    pub(super) tree: GameTree,
    pub(super) options: ReplayOptions,
    pub(super) game_type: Option<GameType>,
    pub(super) variant: Option<Variant>,
    pub(super) numbering: Option<Numbering>,
    pub(super) start: Option<Position>,
    pub(super) start_side_known: bool,
    pub(super) plies: Vec<Option<Ply>>,
    pub(super) last: Option<Position>,
    pub(super) main_played: usize,
    pub(super) legal: bool,
    pub(super) result: GameResult,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl ReplayedGame {
    /// The game as written.
    pub const fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// Returns the game as written.
    pub fn into_tree(self) -> GameTree {
        self.tree
    }

    /// How it was replayed.
    pub const fn options(&self) -> ReplayOptions {
        self.options
    }

    /// What the `GameType` tag says, if it could be read.
    pub const fn game_type(&self) -> Option<GameType> {
        self.game_type
    }

    /// The variant; `None` if it could not be found out.
    pub const fn variant(&self) -> Option<Variant> {
        self.variant
    }

    /// The names of squares by which the moves were read; they differ from the variant's own where the `GameType` asks for
    /// others and the moves fit those.
    pub const fn numbering(&self) -> Option<Numbering> {
        self.numbering
    }

    /// The position at the start.
    pub const fn start(&self) -> Option<&Position> {
        self.start.as_ref()
    }

    /// The last position of the main line that is known.
    pub const fn final_position(&self) -> Option<&Position> {
        self.last.as_ref()
    }

    /// Returns the FEN of the start in the variant's own names, with `?` for a side to move that nothing tells. Where the FEN
    /// tag can be read but not played, it is that position as it stands; where it cannot be read, or the variant is not known,
    /// there is none.
    pub fn start_fen(&self) -> Option<String> {
        let Some(start) = self.start else { return self.unplayable_start() };
        let numbering = Numbering::for_variant(start.variant());
        if self.start_side_known {
            return Some(start.fen_in(numbering));
        }
        Some(Setup::new(None, start.pieces()).fen(numbering))
    }

    fn unplayable_start(&self) -> Option<String> {
        let fen = read_fen(&fen_tag(&self.tree)?.value, self.numbering?).ok()?;
        Some(fen.setup.fen(Numbering::for_variant(self.variant?)))
    }

    /// Returns the FEN of the last position of the main line that is known, in the variant's own names.
    pub fn final_fen(&self) -> Option<String> {
        self.last.map(|last| last.fen_in(Numbering::for_variant(last.variant())))
    }

    /// What became of a node; `None` only for nodes in lines that hang nowhere.
    pub fn ply(&self, id: NodeId) -> Option<&Ply> {
        self.plies.get(id.index())?.as_ref()
    }

    /// The legal move of a node.
    pub fn played(&self, id: NodeId) -> Option<Move> {
        self.ply(id)?.played
    }

    /// Returns the move of a node in canonical short form, in the variant's own names.
    pub fn notation(&self, id: NodeId) -> Option<String> {
        let ply = self.ply(id)?;
        let before = ply.before?;
        Some(before.short_in(&ply.played?, Numbering::for_variant(before.variant())))
    }

    /// Returns the FEN after a node in the variant's own names, if it could be played.
    pub fn fen_after(&self, id: NodeId) -> Option<String> {
        let after = self.ply(id)?.after?;
        Some(after.fen_in(Numbering::for_variant(after.variant())))
    }

    /// Returns the main-line nodes that are written moves (moves and null moves), in order.
    pub fn main_moves(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.moves_of(LineId::MAIN)
    }

    /// Returns the nodes of a line that are written moves, in order.
    pub fn moves_of(&self, line: LineId) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = self.tree.line(line).nodes.iter().copied();
        nodes.filter(|&id| matches!(self.tree.node(id).kind, NodeKind::Move(_) | NodeKind::Null))
    }

    /// Number of written moves of the main line.
    pub fn written(&self) -> usize {
        self.main_moves().count()
    }

    /// Number of main-line moves that could be played.
    pub const fn plies_played(&self) -> usize {
        self.main_played
    }

    /// Whether all of the main line could be played.
    pub const fn is_legal(&self) -> bool {
        self.legal
    }

    /// Whether the game has at least one move and all of the main line could be played.
    pub const fn is_clean(&self) -> bool {
        self.legal && self.main_played > 0
    }

    /// The result.
    pub const fn result(&self) -> &GameResult {
        &self.result
    }

    /// What was found, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether an error was found.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}
