//! Move numbers, counted from the moves themselves.

use crate::board::Side;
use crate::pdn::{Attachment, GameTree, LineId, MoveText, Node, NodeId, NodeKind, WrittenNumber};
use crate::replay::ReplayedGame;
use crate::rules::Variant;

/// The largest move number with which a game from a set-up position may start.
const MAX_FIRST_NUMBER: u32 = 9999;

/// Removes ellipses that do not replace a move, because the next move is legal without them (`1. ... 7-12`).
pub(super) fn drop_ellipses(tree: &mut GameTree, game: &ReplayedGame) {
    for line in tree.line_ids() {
        for index in (0..tree.line(line).nodes().len().saturating_sub(1)).rev() {
            let (id, next) = (tree.line(line).nodes()[index], tree.line(line).nodes()[index + 1]);
            if !matches!(tree.node(id).kind(), NodeKind::Ellipsis) {
                continue;
            }
            // At the start of a line, the number of the first move expresses this already.
            let skips_none = index == 0 || game.ply(id).is_some_and(|ply| ply.before() == ply.after());
            if skips_none && game.played(next).is_some() {
                drop_node(tree, line, index);
            }
        }
    }
}

/// Removes a node from a line; the text after it is kept.
fn drop_node(tree: &mut GameTree, line: LineId, index: usize) {
    let id = tree.line_mut(line).nodes_mut().remove(index);
    let mut after = tree.node_mut(id).take_attachments();
    match index.checked_sub(1).map(|previous| tree.line(line).nodes()[previous]) {
        Some(previous) => tree.node_mut(previous).attachments_mut().append(&mut after),
        None => tree.line_mut(line).intro_mut().append(&mut after),
    }
}

/// Numbers all legal moves: each move of the side that starts games, and the moves of the other side that do not directly follow
/// one of the first side.
pub(super) fn renumber(tree: &mut GameTree, game: &ReplayedGame) {
    let Some(starts) = game.variant().map(Variant::starts) else { return };
    let mut counter = Counter { game, starts, begins: vec![None; tree.lines().len()] };
    counter.begins[0] = Some(Begin { number: first_number(tree, game, starts), ply: 1 });
    // Each variation comes after the line that it is in, which sets where it begins.
    for line in tree.line_ids() {
        if let Some(begin) = counter.begins[line.index()] {
            counter.line(tree, line, begin);
        }
    }
}

/// Numbers a null move that starts a game; without a number, it could be mistaken for a dash in a text.
pub(super) fn announce(tree: &mut GameTree) {
    if let Some(&first) = tree.main_line().nodes().first() {
        let node = tree.node_mut(first);
        if *node.kind() == NodeKind::Null && node.number().is_none() {
            node.set_number(Some(WrittenNumber::new(1, 1)));
        }
    }
}

/// Puts a number between two captures that would be read as one (`11x18 18x9`).
pub(super) fn separate_captures(tree: &mut GameTree) {
    for line in tree.line_ids() {
        let mut last = WrittenNumber::new(1, 1);
        for index in 1..tree.line(line).nodes().len() {
            let [id, next] = [index - 1, index].map(|index| tree.line(line).nodes()[index]);
            let (node, following) = (tree.node(id), tree.node(next));
            last = node.number().unwrap_or(last);
            if following.number().is_none() && node.attachments().is_empty() && would_join(node, following) {
                tree.node_mut(next).set_number(Some(last));
            }
        }
    }
}

/// Returns true if a capture starts on the square where the one before it ends.
fn would_join(node: &Node, next: &Node) -> bool {
    let (Some(text), Some(next)) = (node.move_text(), next.move_text()) else { return false };
    let is_capture = |text: &MoveText| text.bytes().iter().any(|byte| matches!(byte, b'x' | b'X' | b':'));
    node.strength().is_none() && text.to() == next.from() && is_capture(text) && is_capture(next)
}

/// Returns the number of the first ply: 1 or, after a FEN tag, the number as written.
fn first_number(tree: &GameTree, game: &ReplayedGame, starts: Side) -> u32 {
    if !tree.tags().iter().any(|tag| tag.name().eq_ignore_ascii_case("FEN")) {
        return 1;
    }
    let nodes = tree.main_line().nodes();
    let written = nodes.iter().take(2).find_map(|&id| Some((id, tree.node(id).number()?)));
    let Some((id, number)) = written.and_then(|(id, number)| Some((id, plausible(number)?))) else { return 1 };
    // Written only before the second ply, the number of the first one is one less if the other side starts games.
    let first = nodes.first().filter(|&&first| first != id).and_then(|&first| game.ply(first));
    let is_next = first.is_some_and(|ply| ply.passes_the_turn() && ply.side() != starts);
    (number - u32::from(is_next)).max(1)
}

fn plausible(number: WrittenNumber) -> Option<u32> {
    (1..=MAX_FIRST_NUMBER).contains(&number.value()).then_some(number.value())
}

/// The start of a line: a move number and its ply.
#[derive(Clone, Copy, Debug)]
struct Begin {
    number: u32,
    ply: u32,
}

struct Counter<'a> {
    game: &'a ReplayedGame,
    starts: Side,
    begins: Vec<Option<Begin>>,
}

/// The progress of counting a line.
struct Count {
    begin: Begin,
    /// Number and side of the last move.
    last: Option<(u32, Side)>,
    /// True if anything but NAGs separates the last move from the next one.
    interrupted: bool,
    /// Number before or after a change of position; 0 if none is written before it.
    announced: Option<u32>,
}

impl Counter<'_> {
    fn line(&mut self, tree: &mut GameTree, line: LineId, begin: Begin) {
        let mut count = Count { begin, last: None, interrupted: true, announced: None };
        self.begin_variations(tree.line(line).intro(), begin);
        for index in 0..tree.line(line).nodes().len() {
            self.node(tree, tree.line(line).nodes()[index], &mut count);
        }
    }

    fn begin_variations(&mut self, attachments: &[Attachment], begin: Begin) {
        for line in attachments.iter().filter_map(Attachment::variation) {
            self.begins[line.index()] = Some(begin);
        }
    }

    fn node(&mut self, tree: &mut GameTree, id: NodeId, count: &mut Count) {
        let node = tree.node_mut(id);
        let Some(ply) = self.game.ply(id).filter(|ply| ply.is_played()) else { return };
        match node.kind() {
            NodeKind::Setup { fen } => {
                // After a change of position without a number, that of the next move counts, also if the turn passes first.
                let written = node.number().and_then(plausible);
                if !fen.trim_end().ends_with("::") {
                    (count.announced, count.last) = (Some(written.unwrap_or(0)), None);
                } else if ply.passes_the_turn() && count.announced != Some(0) {
                    let number = self.number(count, ply.side(), ply.number(), None);
                    count.last = Some((number, ply.side()));
                }
                count.interrupted = true;
                node.set_number(None);
                return;
            }
            NodeKind::Ellipsis => return,
            NodeKind::Move(_) | NodeKind::Null => {}
        }
        let number = self.number(count, ply.side(), ply.number(), node.number());
        let is_first = ply.side() == self.starts;
        let is_shown = is_first || count.interrupted;
        node.set_number(is_shown.then_some(WrittenNumber::new(number, if is_first { 1 } else { 3 })));
        count.last = Some((number, ply.side()));
        count.interrupted = node.attachments().iter().any(|item| !matches!(item, Attachment::Nag(_)));
        self.begin_variations(tree.node(id).attachments(), Begin { number, ply: ply.number() });
    }

    fn number(&self, count: &mut Count, side: Side, ply: u32, written: Option<WrittenNumber>) -> u32 {
        let next = |number: u32, last: Side| number + u32::from(side == self.starts || last != self.starts);
        match (count.last, count.announced.take()) {
            (Some((number, last)), _) => next(number, last),
            // After a change of position, a record may use any numbers.
            (None, Some(0)) => written.and_then(plausible).unwrap_or(count.begin.number),
            (None, Some(number)) => number,
            (None, None) if ply > count.begin.ply => count.begin.number + u32::from(side == self.starts),
            (None, None) => count.begin.number,
        }
    }
}
