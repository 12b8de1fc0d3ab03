//! A game whose played moves are known to be legal.

use std::collections::HashSet;

use super::opening::{fen_tag, is_set_up};
use super::plies::{GameStep, Plies, Ply};
use super::{Inference, ReplayOptions};
use crate::diag::{Diagnostic, Severity};
use crate::notation::{GameType, Numbering, read_fen, tag_text, tidied_fen};
use crate::pdn::{Attachment, GameTree, LineId, NodeId};
use crate::rules::{Move, Position, Setup, Variant};

/// A part of a game that [`ReplayedGame::steps`] has not reached.
enum Pending {
    Node(NodeId),
    Line(LineId),
    End,
}

/// Pushes the parts of a line, the first one last.
fn push_line(tree: &GameTree, line: LineId, stack: &mut Vec<Pending>) {
    let line = tree.line(line);
    stack.extend(line.nodes().iter().rev().map(|&id| Pending::Node(id)));
    push_variations(line.intro(), stack);
}

fn push_variations(attachments: &[Attachment], stack: &mut Vec<Pending>) {
    for line in attachments.iter().rev().filter_map(Attachment::variation) {
        stack.extend([Pending::End, Pending::Line(line)]);
    }
}

/// A game played according to the rules: each move is legal, or marked as not played.
///
/// Only [`replay`](super::replay()) creates one.
///
/// # Examples
///
/// ```
/// use pdn::board::Side;
/// use pdn::games;
/// use pdn::replay::{ReplayOptions, replay};
///
/// let parsed = games(b"[GameType \"20\"]\n1. 32-28 (1. 31-27 18-23) 19-23 2. 28x19 14x23 3. 50-28 *").next().unwrap();
/// let game = replay(parsed.into_tree(), &ReplayOptions::default());
/// // The last move is not legal: it is kept, and the position before it is the last one that is known.
/// assert_eq!((game.written(), game.plies_played(), game.is_legal()), (5, 4, false));
/// assert_eq!(game.final_position().unwrap().turn(), Side::White);
/// let played: Vec<_> = game.main_moves().filter_map(|id| game.notation(id)).collect();
/// assert_eq!(played, ["32-28", "19-23", "28x19", "14x23"]);
/// assert_eq!(game.diagnostics().len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct ReplayedGame {
    pub(super) tree: GameTree,
    pub(super) options: ReplayOptions,
    pub(super) inference: Option<Inference>,
    pub(super) game_type: Option<GameType>,
    pub(super) variant: Option<Variant>,
    pub(super) numbering: Option<Numbering>,
    pub(super) start: Option<Position>,
    pub(super) start_side_known: bool,
    pub(super) plies: Plies,
    pub(super) last: Option<Position>,
    pub(super) main_played: usize,
    pub(super) legal: bool,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl ReplayedGame {
    /// The game as written.
    pub const fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// Returns the value of a tag, without whitespace at its ends. Roster tags are found by their name or a name in another
    /// language, other tags by their name in any case.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        tag_text(self.tree.tags().iter().map(|tag| (tag.name(), tag.value())), name)
    }

    /// Returns the game as written.
    pub fn into_tree(self) -> GameTree {
        self.tree
    }

    /// Takes the game as written, which leaves the plies of its nodes with an empty tree.
    pub(crate) fn take_tree(&mut self) -> GameTree {
        std::mem::take(&mut self.tree)
    }

    /// Replaces the comments, NAGs and variations after a node. The moves are unchanged; a variation missing from the list is
    /// removed from the game.
    ///
    /// # Panics
    ///
    /// Panics if the tree has no such node, or a variation was not attached to it.
    pub(crate) fn set_attachments(&mut self, id: NodeId, after: Vec<Attachment>) {
        let known: HashSet<LineId> = self.tree.variations(id).collect();
        let mut kept = after.iter().filter_map(Attachment::variation);
        assert!(kept.all(|line| known.contains(&line)), "only variations that were replayed can be kept");
        *self.tree.node_mut(id).attachments_mut() = after;
    }

    /// Sets the tag `Annotator`, on which no move depends, or removes it.
    pub(crate) fn set_annotator(&mut self, value: Option<&str>) {
        const TAG: &str = "Annotator";
        match value {
            Some(value) => self.tree.set_tag(TAG, value),
            None => self.tree.remove_tag(TAG),
        }
    }

    /// The options it was replayed with.
    pub const fn options(&self) -> &ReplayOptions {
        &self.options
    }

    /// Returns true if neither the options nor a tag give the variant.
    pub const fn is_inferred(&self) -> bool {
        self.inference.is_some()
    }

    /// Returns the variants that are as likely as the inferred one.
    pub(crate) fn rivals(&self) -> impl Iterator<Item = Variant> {
        self.inference.iter().flat_map(Inference::others)
    }

    /// The value of the `GameType` tag, if it could be read.
    pub const fn game_type(&self) -> Option<GameType> {
        self.game_type
    }

    /// The variant; `None` if it could not be determined.
    pub const fn variant(&self) -> Option<Variant> {
        self.variant
    }

    /// The square names used to read the moves. They differ from those of the variant if the `GameType` requires others and the
    /// moves fit them.
    pub const fn numbering(&self) -> Option<Numbering> {
        self.numbering
    }

    /// The starting position.
    pub const fn start(&self) -> Option<&Position> {
        self.start.as_ref()
    }

    /// The starting position, if the side to move is known.
    pub(crate) const fn known_start(&self) -> Option<&Position> {
        if self.start_side_known { self.start.as_ref() } else { None }
    }

    /// The last known position of the main line.
    pub const fn final_position(&self) -> Option<&Position> {
        self.last.as_ref()
    }

    /// Returns the FEN of the starting position in the variant's own names, with `?` for an unknown side to move. If the
    /// FEN tag can be read but not played, it is that position as written; if it cannot be read, or the variant is not
    /// known, there is none.
    pub fn start_fen(&self) -> Option<String> {
        let Some(start) = self.start else { return self.unplayable_start() };
        let numbering = Numbering::for_variant(start.variant());
        if self.start_side_known {
            return Some(start.fen_in(numbering));
        }
        Some(Setup::new(None, start.pieces()).fen(numbering))
    }

    fn unplayable_start(&self) -> Option<String> {
        let fen = read_fen(fen_tag(&self.tree)?.value(), self.numbering?).ok()?;
        Some(fen.setup.fen(Numbering::for_variant(self.variant?)))
    }

    /// Returns the FEN of the last known position of the main line, in the variant's own names.
    pub fn final_fen(&self) -> Option<String> {
        self.last.map(|last| last.fen_in(Numbering::for_variant(last.variant())))
    }

    /// Returns the FEN tag of a game without moves, as it is written or in strict form.
    pub(crate) fn written_fen(&self) -> Option<String> {
        let fen = fen_tag(&self.tree).filter(|_| self.tree.nodes().is_empty())?.value();
        Some(tidied_fen(fen).unwrap_or_else(|| fen.split_whitespace().collect()))
    }

    /// Returns the meaning of a node on the board; `None` only for nodes that cannot be reached from the main line.
    pub fn ply(&self, id: NodeId) -> Option<Ply<'_>> {
        self.plies.get(id)
    }

    /// Returns true if it is known that no other legal move has the first and last square of the move of a node.
    pub(crate) fn has_unique_squares(&self, id: NodeId) -> bool {
        self.plies.has_unique_squares(id)
    }

    /// The legal move of a node.
    pub fn played(&self, id: NodeId) -> Option<Move> {
        self.plies.played(id).copied()
    }

    /// Returns the move of a node in canonical short form, in the variant's own names.
    pub fn notation(&self, id: NodeId) -> Option<String> {
        let ply = self.ply(id)?;
        let before = ply.before()?;
        Some(before.short_in(ply.played()?, Numbering::for_variant(before.variant())))
    }

    /// Returns the nodes of the main line with their plies, in order: moves, null moves, ellipses and setups.
    pub fn main_line(&self) -> impl Iterator<Item = (NodeId, Ply<'_>)> {
        self.line(LineId::MAIN)
    }

    /// Returns the nodes of the main line with their plies from the first position with a king on; none if there is no king in the
    /// game.
    pub(crate) fn main_line_with_kings(&self) -> impl Iterator<Item = (NodeId, Ply<'_>)> {
        let first = self.plies.first_king();
        let nodes = first.map_or(&[][..], |_| self.tree.line(LineId::MAIN).nodes()).iter();
        let nodes = nodes.skip_while(move |&&id| first.is_some_and(|first| self.plies.starts_before(id, first)));
        nodes.filter_map(|&id| Some((id, self.ply(id)?)))
    }

    /// Returns the nodes of a line with their plies, in order.
    ///
    /// # Panics
    ///
    /// Panics if the tree has no such line.
    pub(crate) fn line(&self, line: LineId) -> impl Iterator<Item = (NodeId, Ply<'_>)> {
        self.tree.line(line).nodes().iter().filter_map(|&id| Some((id, self.ply(id)?)))
    }

    /// Returns the positions of the main line that could be played, each with the node that leads to it and its ply.
    ///
    /// # Examples
    ///
    /// ```
    /// use pdn::games;
    /// use pdn::replay::{ReplayOptions, replay};
    ///
    /// let parsed = games(b"[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *").next().unwrap();
    /// let game = replay(parsed.into_tree(), &ReplayOptions::default());
    /// let moves: Vec<usize> = game.positions().map(|(_, _, position)| position.legal_moves().len()).collect();
    /// assert_eq!(moves, [9, 1, 2, 9]);
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = (NodeId, Ply<'_>, &Position)> {
        self.main_line().filter_map(|(id, ply)| Some((id, ply, ply.after()?)))
    }

    /// Returns the steps through all positions: each line in order, with variations after the move that they replace. The
    /// starting position comes before them.
    pub fn steps(&self) -> impl Iterator<Item = GameStep<'_>> {
        // A stack, because variations may be nested deeper than function calls: lines and the next node of each, or the
        // end of one.
        let mut stack = Vec::new();
        push_line(&self.tree, LineId::MAIN, &mut stack);
        std::iter::from_fn(move || {
            loop {
                match stack.pop()? {
                    Pending::Node(id) => {
                        push_variations(self.tree.node(id).attachments(), &mut stack);
                        if let Some(ply) = self.ply(id)
                            && let Some(after) = ply.after()
                        {
                            return Some(GameStep::Reach(ply.played(), after));
                        }
                    }
                    Pending::Line(line) => {
                        push_line(&self.tree, line, &mut stack);
                        return Some(GameStep::Open);
                    }
                    Pending::End => return Some(GameStep::Close),
                }
            }
        })
    }

    /// Returns the nodes of the main line that are written moves (moves and null moves), in order.
    pub fn main_moves(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.moves_of(LineId::MAIN)
    }

    /// Returns the nodes of a line that are written moves, in order.
    ///
    /// # Panics
    ///
    /// Panics if the tree has no such line.
    pub fn moves_of(&self, line: LineId) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = self.tree.line(line).nodes().iter().copied();
        nodes.filter(|&id| self.tree.node(id).kind().is_written_move())
    }

    /// Number of written moves in the main line.
    pub fn written(&self) -> usize {
        self.main_moves().count()
    }

    /// Number of main-line moves that could be played.
    pub const fn plies_played(&self) -> usize {
        self.main_played
    }

    /// Returns true if all of the main line could be played.
    pub const fn is_legal(&self) -> bool {
        self.legal
    }

    /// Returns the first move of the main line that could not be played, with the number of moves before it and the error that says
    /// why.
    pub(crate) fn first_unplayed(&self) -> Option<(usize, &Diagnostic)> {
        let mut moves = self.main_moves().enumerate();
        let (before, id) = moves.find(|&(_, id)| self.ply(id).is_some_and(|ply| !ply.is_played()))?;
        let span = self.tree.node(id).span();
        let is_reason = |found: &&Diagnostic| found.span() == span && found.severity() == Severity::Error;
        Some((before, self.diagnostics.iter().find(is_reason)?))
    }

    /// Returns true if the game has at least one move and all of the main line could be played.
    pub const fn is_clean(&self) -> bool {
        self.legal && self.main_played > 0
    }

    /// Returns true if the game starts from the position of a FEN tag.
    pub(crate) fn has_fen(&self) -> bool {
        fen_tag(&self.tree).is_some()
    }

    /// Returns true if the game starts from, or reaches, a position that is set up.
    pub(crate) fn is_set_up(&self) -> bool {
        is_set_up(&self.tree)
    }

    /// The diagnostics of replaying it, in the order of the text; [`check`](crate::check) adds those of tags, results and
    /// draws.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}
