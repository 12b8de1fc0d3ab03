//! Move numbers as the moves themselves count.

use crate::board::Side;
use crate::pdn::{Attachment, GameTree, LineId, MoveText, Node, NodeId, NodeKind, WrittenNumber};
use crate::replay::ReplayedGame;
use crate::rules::Variant;

/// The largest number that a game set up from a position is believed to go on from.
const LARGEST: u32 = 9999;

/// Takes out dots that stand for a move that is not missing: the next move can be played without it (`1. ... 7-12`).
pub(super) fn drop_ellipses(tree: &mut GameTree, game: &ReplayedGame) {
    for n in 0..tree.lines.len() {
        for place in (0..tree.lines[n].nodes.len().saturating_sub(1)).rev() {
            let (id, next) = (tree.lines[n].nodes[place], tree.lines[n].nodes[place + 1]);
            // In front of a line the number of the first move says as much.
            let skips_none = place == 0 || game.ply(id).is_some_and(|ply| ply.before() == ply.after());
            if tree.node(id).kind == NodeKind::Ellipsis && skips_none && game.played(next).is_some() {
                tree.lines[n].nodes.remove(place);
                let mut after = std::mem::take(&mut tree.nodes[id.index()].after);
                match place.checked_sub(1).map(|before| tree.lines[n].nodes[before]) {
                    Some(before) => tree.nodes[before.index()].after.append(&mut after),
                    None => tree.lines[n].intro.append(&mut after),
                }
            }
        }
    }
}

/// Numbers all moves that could be played: each of the side that begins games, and those of the other side that do not
/// stand directly behind the first one's move.
pub(super) fn renumber(tree: &mut GameTree, game: &ReplayedGame) {
    let Some(starts) = game.variant().map(Variant::starts) else { return };
    let mut counter = Counter { game, starts, begins: vec![None; tree.lines.len()] };
    counter.begins[0] = Some(Begin { number: first_number(tree), ply: 1 });
    for n in 0..tree.lines.len() {
        if let Some(begin) = counter.begins[n] {
            counter.line(tree, LineId(n as u32), begin);
        }
    }
}

/// Puts a number in front of a game that begins with a null move: without one that might be taken for a dash in a text.
pub(super) fn announce(tree: &mut GameTree) {
    if let Some(&first) = tree.main_line().nodes.first() {
        let node = &mut tree.nodes[first.index()];
        if node.kind == NodeKind::Null {
            node.number.get_or_insert(WrittenNumber { value: 1, dots: 1 });
        }
    }
}

/// Puts a number between two captures that nothing parts any more and that would be read as one (`11x18 18x9`).
pub(super) fn part_captures(tree: &mut GameTree) {
    for n in 0..tree.lines.len() {
        let mut last = WrittenNumber { value: 1, dots: 1 };
        for place in 1..tree.lines[n].nodes.len() {
            let (id, next) = (tree.lines[n].nodes[place - 1], tree.lines[n].nodes[place]);
            last = tree.node(id).number.unwrap_or(last);
            let parted = !tree.node(id).after.is_empty() || tree.node(next).number.is_some();
            if !parted && goes_on(tree.node(id), tree.node(next)) {
                tree.nodes[next.index()].number = Some(last);
            }
        }
    }
}

/// Whether a capture begins where the one before it ends.
fn goes_on(node: &Node, next: &Node) -> bool {
    let (Some(text), Some(next)) = (node.move_text(), next.move_text()) else { return false };
    node.strength.is_none() && is_capture(text) && is_capture(next) && text.squares().last() == next.squares().first()
}

fn is_capture(text: &MoveText) -> bool {
    text.text().contains(['x', 'X', ':'])
}

/// The number of the first move: 1, or where a position is set up the one that is written.
fn first_number(tree: &GameTree) -> u32 {
    let set_up = tree.tags.iter().any(|tag| tag.name.eq_ignore_ascii_case("FEN"));
    let written = tree.main_line().nodes.iter().take(2).find_map(|&id| tree.node(id).number);
    written.filter(|_| set_up).and_then(believed).unwrap_or(1)
}

fn believed(number: WrittenNumber) -> Option<u32> {
    (1..=LARGEST).contains(&number.value).then_some(number.value)
}

/// Where a line begins: the number of the move with that count of plies.
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

/// How far the counting of a line has come.
struct Count {
    begin: Begin,
    /// Number and side of the last move.
    last: Option<(u32, Side)>,
    /// Whether something stands between the last move and the next one.
    interrupted: bool,
    /// Number in front of a change of position, or behind it.
    announced: Option<u32>,
}

impl Counter<'_> {
    fn line(&mut self, tree: &mut GameTree, line: LineId, begin: Begin) {
        let mut count = Count { begin, last: None, interrupted: true, announced: None };
        self.open(&tree.line(line).intro, begin);
        for id in tree.line(line).nodes.clone() {
            self.node(tree, id, &mut count);
        }
    }

    /// Tells the variations in a list where they begin.
    fn open(&mut self, list: &[Attachment], begin: Begin) {
        for line in list.iter().filter_map(Attachment::variation) {
            self.begins[line.index()] = Some(begin);
        }
    }

    fn node(&mut self, tree: &mut GameTree, id: NodeId, count: &mut Count) {
        let node = &mut tree.nodes[id.index()];
        let Some(ply) = self.game.ply(id).filter(|ply| ply.is_played()) else { return };
        match &node.kind {
            NodeKind::Setup { fen } => {
                let written = node.number.take().and_then(believed);
                if !fen.trim_end().ends_with("::") {
                    (count.announced, count.last) = (Some(written.unwrap_or(0)), None);
                }
                count.interrupted = true;
                return;
            }
            NodeKind::Ellipsis => return,
            NodeKind::Move(_) | NodeKind::Null => {}
        }
        let number = self.number(count, ply.side(), ply.number(), node.number);
        let first = ply.side() == self.starts;
        let shown = first || count.interrupted;
        node.number = shown.then_some(WrittenNumber { value: number, dots: if first { 1 } else { 3 } });
        count.last = Some((number, ply.side()));
        count.interrupted = node.after.iter().any(|item| !matches!(item, Attachment::Nag(_)));
        self.open(&tree.node(id).after, Begin { number, ply: ply.number() });
    }

    fn number(&self, count: &mut Count, side: Side, ply: u32, written: Option<WrittenNumber>) -> u32 {
        let next = |number: u32, last: Side| number + u32::from(side == self.starts || last != self.starts);
        match (count.last, count.announced.take()) {
            (Some((number, last)), _) => next(number, last),
            // Behind a change of position the record may count as it likes.
            (None, Some(0)) => written.and_then(believed).unwrap_or(count.begin.number),
            (None, Some(number)) => number,
            (None, None) if ply > count.begin.ply => count.begin.number + u32::from(side == self.starts),
            (None, None) => count.begin.number,
        }
    }
}
