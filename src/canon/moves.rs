//! Moves and positions in canonical form, and the names of squares in them.

use super::{FormatOptions, MoveStyle};
use crate::notation::{FenText, GameType, Numbering, read_fen, resolve, tidied_fen};
use crate::pdn::{Attachment, GameTree, MoveText, Node, NodeId, NodeKind, WrittenSquare};
use crate::replay::{Ply, ReplayedGame};

/// The NAG of a forced move.
const FORCED: u16 = 7;

/// The names of squares in a record and in its canonical form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Naming {
    /// The names used to read the moves.
    pub(super) read: Option<Numbering>,
    /// The names used to write them.
    pub(super) written: Option<Numbering>,
    /// The GameType, if it requires names that differ from those read.
    pub(super) game_type: Option<GameType>,
}

impl Naming {
    /// The squares keep their names.
    pub(super) const UNKNOWN: Self = Self { read: None, written: None, game_type: None };

    /// Returns the names for a game: its own, or those of the requested GameType if the whole game can be written with them.
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

/// Returns a FEN without whitespace, leading zeros, final dots and, if the numbering is known, ranges; `None` if anything in it
/// would be lost. Its counters stay as they are: a position has none.
pub(super) fn plain_fen(fen: &str, naming: Naming) -> Option<String> {
    let text = FenText::new(fen);
    let known = naming.read.zip(naming.written).and_then(|(read, written)| Some((text.read(read).ok()?, written)));
    match known.filter(|(read, _)| read.overlooked.is_empty() && !read.is_null_move()) {
        Some((read, numbering)) => Some(read.setup.fen(numbering) + &text.counters()),
        None => tidied_fen(fen),
    }
}

/// Rewrites each legal move in the given style, and each position that can be read. If only plain moves are rewritten, those of more
/// than two squares stay: another variant could need other ones between them.
pub(super) fn rewrite(
    tree: &mut GameTree,
    game: &ReplayedGame,
    naming: Naming,
    (style, only_plain): (MoveStyle, bool),
) {
    for (id, node) in tree.nodes_mut() {
        stars_to_nag(node);
        if let NodeKind::Setup { fen } = node.kind_mut()
            && let Some(plain) = plain_fen(fen, naming)
        {
            **fen = plain;
        } else if let NodeKind::Move(text) = node.kind_mut()
            && let Some(numbering) = naming.written
            && !(only_plain && (text.squares().len() > 2 || !text.captured().is_empty()))
            && !(style == MoveStyle::Short && naming.read == naming.written && is_short(text, game, id, numbering))
            && let Some(canonical) = game.ply(id).and_then(|ply| move_text(ply, numbering, style))
            && !(only_plain && canonical.squares().len() > 2)
        {
            *text = canonical;
        }
    }
}

/// Separates the squares of moves in variations that are two joined numbers: before a parenthesis, `1923` is read as a year.
pub(super) fn separate_joined(tree: &mut GameTree, game: &ReplayedGame) {
    let mut is_main = vec![false; tree.nodes().len()];
    tree.main_line().nodes().iter().for_each(|id| is_main[id.index()] = true);
    for (id, node) in tree.nodes_mut().filter(|(id, _)| !is_main[id.index()]) {
        if let NodeKind::Move(text) = node.kind_mut()
            && text.squares().len() == 2
            && text.bytes().iter().all(u8::is_ascii_digit)
        {
            let separator = if game.played(id).is_some_and(|played| played.is_capture()) { 'x' } else { '-' };
            *text = MoveText::from_squares([text.from(), text.to()], separator);
        }
    }
}

/// Writes playable null moves as in the standard: as changes of the side to move.
pub(super) fn write_nulls(tree: &mut GameTree, game: &ReplayedGame) {
    for (id, node) in tree.nodes_mut().filter(|(_, node)| *node.kind() == NodeKind::Null) {
        if let Some(after) = game.ply(id).and_then(Ply::after) {
            *node.kind_mut() = NodeKind::Setup { fen: Box::new(format!("{}::", after.turn().letter())) };
            node.set_number(None);
        }
    }
}

/// Returns true if a move is already in canonical short form, which is faster than computing that form.
fn is_short(text: &MoveText, game: &ReplayedGame, id: NodeId, numbering: Numbering) -> bool {
    let Some(played) = game.played(id) else { return false };
    let &[from, to] = text.squares() else { return false };
    let (Some(first), Some(second)) = (plain_length(from, numbering), plain_length(to, numbering)) else {
        return false;
    };
    let sign = if played.is_capture() { numbering.capture_sign() } else { '-' };
    let text = text.bytes();
    let is_plain = text.len() == first + 1 + second && text[first] == sign as u8;
    let has_capitals = || numbering.is_algebraic() && text.iter().any(u8::is_ascii_uppercase);
    is_plain && !has_capitals() && (!played.is_capture() || game.has_unique_squares(id))
}

/// Returns the length of the name of a square, if it is a name in the numbering.
fn plain_length(square: WrittenSquare, numbering: Numbering) -> Option<usize> {
    match square {
        WrittenSquare::Number(number) if !numbering.is_algebraic() => Some(1 + usize::from(number > 9)),
        WrittenSquare::Cell { rank, .. } if numbering.is_algebraic() => Some(2 + usize::from(rank > 9)),
        _ => None,
    }
}

/// Replaces a star after a move with its NAG.
fn stars_to_nag(node: &mut Node) {
    let Some(marks) = node.strength().filter(|marks| marks.contains('*')) else { return };
    let others = marks.replace('*', "");
    node.set_strength(Some(others).filter(|others| !others.is_empty()));
    if !node.attachments().contains(&Attachment::Nag(FORCED)) {
        node.attachments_mut().insert(0, Attachment::Nag(FORCED));
    }
}

/// Returns the text of a legal move if it means this move and no other.
fn move_text(ply: Ply<'_>, numbering: Numbering, style: MoveStyle) -> Option<MoveText> {
    let (before, played) = (ply.before()?, ply.played()?);
    let text = match style {
        MoveStyle::Short => before.move_text_in(played, numbering),
        MoveStyle::Full => before.full_move_text_in(played, numbering),
        MoveStyle::Written => return None,
    };
    let is_certain = text.squares().len() == 2 && style == MoveStyle::Short;
    let is_clear = is_certain || resolve(before, &text, numbering).is_ok_and(|(found, _)| found == *played);
    is_clear.then_some(text)
}
