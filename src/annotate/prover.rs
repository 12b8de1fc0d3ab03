//! Proofs that a side wins: every move of the defender is answered, without any pruning.
//!
//! Proof-number search (Allis 1994) always expands the position on the way to the cheapest proof or refutation. A
//! position that occurred before on the same path is not won, and lines longer than [`MAX_DEPTH`] decide nothing, so
//! that no draw rule about long play can invalidate a proof.

use crate::board::Side;
use crate::egdb::{EndgameTables, Value};
use crate::rules::Position;

/// Maximum length of a line, in plies.
const MAX_DEPTH: u8 = 30;

/// The proof number of a position that cannot be proved or refuted.
const NEVER: u32 = u32::MAX;

/// The parent of the root.
const NO_PARENT: u32 = u32::MAX;

/// The state of the proof that a side wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The side wins against every defence.
    Win,
    /// The other side can hold at least a draw.
    NoWin,
    /// Neither was proven within the limit.
    Unknown,
}

/// Proves wins with the endgame tables of the program.
#[derive(Clone, Debug)]
pub(crate) struct Prover {
    tables: EndgameTables,
    /// The number of positions in a proof.
    pub(super) nodes: usize,
}

impl Prover {
    /// Returns a prover for the variant of the tables that examines at most `nodes` positions for each proof.
    pub(crate) const fn new(tables: EndgameTables, nodes: usize) -> Self {
        Self { tables, nodes }
    }

    /// Returns the highest number of pieces in the tables.
    pub(super) fn max_pieces(&self) -> u8 {
        self.tables.max_pieces()
    }

    /// Tries to prove that a side wins.
    pub(crate) fn wins(&self, position: &Position, side: Side) -> Proof {
        let mut tree = Tree { tables: &self.tables, side, nodes: Vec::new() };
        tree.add(*position, NO_PARENT, 0);
        while tree.is_open() && tree.nodes.len() < self.nodes {
            let leaf = tree.most_proving();
            tree.expand(leaf);
            tree.update(leaf);
        }
        match (tree.nodes[0].proof, tree.nodes[0].refutation) {
            (0, _) => Proof::Win,
            (_, 0) => Proof::NoWin,
            _ => Proof::Unknown,
        }
    }
}

struct Node {
    position: Position,
    parent: u32,
    /// The first of the children, which are consecutive.
    first: u32,
    children: u16,
    depth: u8,
    /// Positions that must still be won to prove the win, or not won to refute it.
    proof: u32,
    refutation: u32,
}

struct Tree<'a> {
    tables: &'a EndgameTables,
    side: Side,
    nodes: Vec<Node>,
}

impl Tree<'_> {
    fn add(&mut self, position: Position, parent: u32, depth: u8) {
        let (proof, refutation) = self.numbers(&position, parent, depth);
        self.nodes.push(Node { position, parent, first: 0, children: 0, depth, proof, refutation });
    }

    /// Returns the proof numbers of a new position.
    fn numbers(&self, position: &Position, parent: u32, depth: u8) -> (u32, u32) {
        let decided = |wins: bool| if wins { (0, NEVER) } else { (NEVER, 0) };
        if position.winner().is_some() {
            return decided(position.winner() == Some(self.side));
        }
        if let Some(probe) = self.tables.probe(position) {
            let winning = if position.turn() == self.side { Value::Win } else { Value::Loss };
            // Before repetition and depth: a value of the tables holds on any path.
            return decided(probe.value() == winning);
        }
        if self.occurred(position, parent) {
            return decided(false);
        }
        if depth >= MAX_DEPTH { (NEVER, NEVER) } else { (1, 1) }
    }

    /// Returns true if a position is on the path to this parent.
    fn occurred(&self, position: &Position, mut parent: u32) -> bool {
        // Ends at the parent of the root, which is the index of no node.
        while let Some(node) = self.nodes.get(parent as usize) {
            if node.position == *position {
                return true;
            }
            parent = node.parent;
        }
        false
    }

    fn is_open(&self) -> bool {
        let Node { proof, refutation, .. } = self.nodes[0];
        proof != 0 && refutation != 0 && (proof, refutation) != (NEVER, NEVER)
    }

    fn children(&self, node: &Node) -> impl Iterator<Item = (u32, &Node)> {
        let first = node.first;
        (first..).zip(&self.nodes[first as usize..first as usize + usize::from(node.children)])
    }

    /// Returns the position whose expansion contributes to a proof and to a refutation.
    fn most_proving(&self) -> u32 {
        // One number of the root is finite, and so is that number on the whole way down: a position of the greatest
        // depth, where both are infinite, is never reached and expanded.
        let mut at = 0;
        loop {
            let node = &self.nodes[at as usize];
            let attacks = node.position.turn() == self.side;
            let open = self.children(node).filter(|(_, child)| child.proof != 0 && child.refutation != 0);
            let best = open.min_by_key(|(_, child)| if attacks { child.proof } else { child.refutation });
            match best {
                Some((child, _)) => at = child,
                None => return at,
            }
        }
    }

    fn expand(&mut self, leaf: u32) {
        let (position, depth) = (self.nodes[leaf as usize].position, self.nodes[leaf as usize].depth);
        let first = self.nodes.len() as u32;
        let moves = position.legal_moves();
        for played in &moves {
            self.add(position.play_unchecked(played), leaf, depth + 1);
        }
        let node = &mut self.nodes[leaf as usize];
        (node.first, node.children) = (first, moves.len() as u16);
    }

    /// Computes the numbers of a position and of those on the path to it.
    fn update(&mut self, mut at: u32) {
        while let Some(node) = self.nodes.get(at as usize) {
            let numbers = self.combined(node);
            let parent = node.parent;
            // What does not change here changes nothing further up.
            if numbers == (node.proof, node.refutation) {
                return;
            }
            let node = &mut self.nodes[at as usize];
            (node.proof, node.refutation) = numbers;
            at = parent;
        }
    }

    /// Returns the numbers of a position from its children: the side that tries to win needs one that is won, and the other side
    /// one that is not.
    fn combined(&self, node: &Node) -> (u32, u32) {
        let proofs = || self.children(node).map(|(_, child)| child.proof);
        let refutations = || self.children(node).map(|(_, child)| child.refutation);
        // `NEVER` stays `NEVER`; wrapped around, it would look like a position that is nearly proven.
        let sum = |sum: u32, number: u32| sum.saturating_add(number);
        if node.position.turn() == self.side {
            (proofs().min().unwrap_or(NEVER), refutations().fold(0, sum))
        } else {
            (proofs().fold(0, sum), refutations().min().unwrap_or(NEVER))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn wins(fen: &str, side: Side, nodes: usize) -> Proof {
        let position = Position::from_fen(Variant::INTERNATIONAL, fen).expect(fen);
        Prover::new(EndgameTables::embedded(Variant::INTERNATIONAL), nodes).wins(&position, side)
    }

    #[test]
    fn wins_are_proven_and_refuted() {
        assert_eq!(wins("W:W31,48:B27", Side::White, 100), Proof::Win);
        assert_eq!(wins("W:WK1,K2:BK50", Side::White, 100), Proof::NoWin, "two kings against one do not win");
        assert_eq!(wins("W:W31-50:B1-20", Side::White, 500), Proof::Unknown);
    }
}
