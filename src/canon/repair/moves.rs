//! Repairs of moves that are not legal as written, or that the reader took for stray text.

use super::reading::{Reading, Readings};
use crate::canon::{Edit, EditKind};
use crate::notation::Numbering;
use crate::pdn::{Attachment, GameTree, LineId, Node, NodeKind};
use crate::replay::{ReplayOptions, ReplayedGame, replay};
use crate::rules::{Position, Variant};

/// Maximum number of repairs in one game, so that a hostile one takes bounded time.
const MAX_REPAIRS: usize = 100;
/// Maximum number of consecutive repairs that may confirm each other; after the last one, the line has to continue.
const DEPTH: usize = 3;

/// Repairs one place after another until no place with exactly one reading is left. A game without a GameType is repaired only
/// if that makes it legal by all variants that fit: the moves of the others are evidence for the variant of their file.
pub(super) fn repair(mut game: ReplayedGame, options: &ReplayOptions, edits: &mut Vec<Edit>) -> ReplayedGame {
    let rivals: Vec<Variant> = game.rivals().collect();
    let mut found = Vec::new();
    let original = game.is_inferred().then(|| game.clone());
    for _ in 0..MAX_REPAIRS {
        let Some(repair) = next_repair(&game) else { break };
        found.push(repair.edit);
        game = replay(repair.tree, options);
    }
    // A repair is certain only if all variants that play the game alike agree on it.
    let agrees = |rival: Variant| replay(game.tree().clone(), &ReplayOptions::of(Some(rival))).is_legal();
    let is_certain = || game.is_legal() && (found.is_empty() || rivals.iter().copied().all(agrees));
    match original.filter(|original| !is_certain() || game.variant() != original.variant()) {
        Some(original) => original,
        None => {
            edits.append(&mut found);
            game
        }
    }
}

/// Returns the repair of the first place that can be repaired.
fn next_repair(game: &ReplayedGame) -> Option<Repair> {
    let numbering = game.numbering()?;
    let lines = game.tree().line_ids();
    let mut places = lines.filter_map(|line| Gap::first(game, line));
    places.find_map(|place| place.repair(game, numbering, DEPTH))
}

/// A repaired game.
struct Repair {
    /// Number of nodes of the repaired line that can be played.
    played: usize,
    tree: GameTree,
    edit: Edit,
}

/// The place in a line up to which all nodes can be played.
struct Gap {
    line: LineId,
    /// Number of nodes of the line before it.
    index: usize,
    position: Position,
}

/// Returns the number of nodes at the start of a line that can be played.
fn playable(game: &ReplayedGame, line: LineId) -> usize {
    let nodes = game.tree().line(line).nodes();
    let first = nodes.iter().position(|&id| game.ply(id).is_none_or(|ply| !ply.is_played()));
    first.unwrap_or(nodes.len())
}

impl Gap {
    /// Returns the place before the first node of a line that cannot be played, or else its end.
    fn first(game: &ReplayedGame, line: LineId) -> Option<Self> {
        let nodes = game.tree().line(line).nodes();
        let index = playable(game, line);
        let before = nodes.get(index).and_then(|&id| game.ply(id)?.before().copied());
        let after = index.checked_sub(1).and_then(|last| game.ply(nodes[last])?.after().copied());
        Some(Self { line, index, position: before.or(after)? })
    }

    /// Returns the repair by the best reading of the place, if no other is as good.
    fn repair(&self, game: &ReplayedGame, numbering: Numbering, depth: usize) -> Option<Repair> {
        let mut best: Option<(usize, GameTree, Reading)> = None;
        let mut has_rival = false;
        for reading in self.readings(game.tree(), numbering) {
            let tree = self.apply(game.tree(), &reading);
            let next = replay(tree.clone(), &ReplayOptions { variant: game.variant(), ..game.options().clone() });
            let Some(played) = self.played(&next, reading.moves.len(), depth) else { continue };
            let most = best.as_ref().map_or(0, |(most, ..)| *most);
            if best.is_none() || played > most {
                (best, has_rival) = (Some((played, tree, reading)), false);
            } else if played == most {
                has_rival = true;
            }
        }
        let (played, tree, reading) = best.filter(|_| !has_rival)?;
        let Reading { rereading, from, names, span, .. } = reading;
        Some(Repair { played, tree, edit: Edit::new(span, EditKind::MovesReread { rereading, from, to: names }) })
    }

    /// Returns the number of nodes of the line that can be played now; `None` if the moves of the reading cannot, or
    /// nothing confirms them: the line neither ends after them nor continues, and the next place cannot be repaired either.
    fn played(&self, game: &ReplayedGame, read: usize, depth: usize) -> Option<usize> {
        let played = playable(game, self.line);
        if played < self.index + read {
            return None;
        }
        // Two legal moves in one text confirm each other.
        if read > 1 || played > self.index + read || played == game.tree().line(self.line).nodes().len() {
            return Some(played);
        }
        let next = Self::first(game, self.line).filter(|_| depth > 1)?;
        next.repair(game, game.numbering()?, depth - 1).map(|repair| repair.played)
    }

    fn readings(&self, tree: &GameTree, numbering: Numbering) -> Vec<Reading> {
        let mut readings = Readings::new(&self.position, numbering);
        for (n, item) in self.attachments(tree).iter().enumerate() {
            if let Attachment::Stray { text, span } = item {
                readings.stray(text, n, *span);
            }
        }
        let node = tree.line(self.line).nodes().get(self.index).map(|&id| tree.node(id));
        if let Some((text, node)) = node.and_then(|node| Some((node.move_text()?, node))) {
            readings.illegal(text, node.span());
        }
        readings.into_vec()
    }

    /// Returns the attachments between the place and the node before it.
    fn attachments<'a>(&self, tree: &'a GameTree) -> &'a [Attachment] {
        let line = tree.line(self.line);
        match self.index.checked_sub(1) {
            Some(last) => tree.node(line.nodes()[last]).attachments(),
            None => line.intro(),
        }
    }

    fn attachments_mut<'a>(&self, tree: &'a mut GameTree) -> &'a mut Vec<Attachment> {
        match self.index.checked_sub(1).map(|last| tree.line(self.line).nodes()[last]) {
            Some(last) => tree.node_mut(last).attachments_mut(),
            None => tree.line_mut(self.line).intro_mut(),
        }
    }

    /// Returns the tree with the moves of a reading in it.
    fn apply(&self, tree: &GameTree, reading: &Reading) -> GameTree {
        let mut tree = tree.clone();
        match reading.stray {
            Some(stray) => {
                let attachments = self.attachments_mut(&mut tree);
                let after = attachments.split_off(stray + 1);
                attachments.pop();
                self.insert(&mut tree, self.index, reading, 0, after);
            }
            None => self.replace(&mut tree, reading),
        }
        tree
    }

    /// Replaces an illegal move with the moves of a reading.
    fn replace(&self, tree: &mut GameTree, reading: &Reading) {
        let old = tree.node_mut(tree.line(self.line).nodes()[self.index]);
        *old.kind_mut() = NodeKind::Move(reading.moves[0].clone());
        if reading.moves.len() > 1 {
            let after = old.take_attachments();
            self.insert(tree, self.index + 1, reading, 1, after);
        }
    }

    /// Inserts the moves of a reading from the `first` one on; `after` follows the last of them.
    fn insert(&self, tree: &mut GameTree, at: usize, reading: &Reading, first: usize, after: Vec<Attachment>) {
        let mut last = None;
        for (n, text) in reading.moves[first..].iter().enumerate() {
            let id = tree.add_node(Node::new(NodeKind::Move(text.clone()), reading.span));
            tree.line_mut(self.line).nodes_mut().insert(at + n, id);
            last = Some(id);
        }
        if let Some(last) = last.map(|id| tree.node_mut(id)) {
            last.set_strength(reading.marks.clone());
            *last.attachments_mut() = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canon::{FormatOptions, format_game, repair as repair_all};
    use crate::notation::DateOrders;
    use crate::pdn::games;
    use crate::rules::Variant;

    fn repaired(text: &str) -> (String, Vec<String>) {
        let tree = games(text.as_bytes()).next().expect("a game").into_tree();
        let (game, edits) = repair_all(tree, &ReplayOptions::of(Some(Variant::INTERNATIONAL)), DateOrders::default);
        let text = format_game(&game, &FormatOptions::default()).trim_end().replace('\n', " ");
        (text, edits.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn the_only_reading_is_taken() {
        for (text, expected, edit) in [
            ("1. 28-32 19-23 *", "1. 32-28 19-23 *", "squares swapped: `28-32` read as 32-28"),
            ("1. 32-28 l9-23 2. 28x19", "1. 32-28 19-23 2. 28x19 *", "letter read as digit: `l9-23` read as 19-23"),
            ("1. 32-2819-23 2. 28x19", "1. 32-28 19-23 2. 28x19 *", "moves split: `32-2819-23` read as 32-28 19-23"),
            ("1. 32-28 32281923 28x19", "1. 32-28 {32281923} 28x19 *", ""),
            (
                "1. 32-28 (32-2718-23) 19-23",
                "1. 32-28 (1. 32-27 18-23) 1... 19-23 *",
                "moves split: `32-2718-23` read as 32-27 18-23",
            ),
            ("1. 32-28 19-23 2. 23-28 *", "1. 32-28 19-23 2. 23-28 *", ""),
            ("1. 32-28 (ed4) 19-23 *", "1. 32-28 (ed4) 1... 19-23 *", ""),
        ] {
            let (written, edits) = repaired(text);
            assert_eq!(written, expected, "{text}");
            assert_eq!(edits.join("; "), edit, "{text}");
        }
    }
}
