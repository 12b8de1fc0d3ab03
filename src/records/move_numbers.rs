//! The numbers of moves: as written, or else counted.

use crate::board::Side;
use crate::pdn::{NodeId, WrittenNumber};
use crate::replay::{Ply, ReplayedGame};
use crate::rules::Variant;

/// Counts the moves of both sides.
pub(super) struct MoveCount {
    starts: char,
    last: u32,
}

impl MoveCount {
    pub(super) const fn new(starts: Side) -> Self {
        Self { starts: starts.letter(), last: 0 }
    }

    /// Returns the number of the next move, by a side: as written, or else counted.
    pub(super) fn next(&mut self, side: char, written: Option<u32>) -> u32 {
        // The first move has a number even if the other side plays it.
        let begins = side == self.starts || self.last == 0;
        let counted = if begins { self.last.saturating_add(1) } else { self.last };
        self.last = written.unwrap_or(counted);
        self.last
    }
}

/// The numbers of the moves of a game. A variation without numbers counts on from the move that it replaces.
#[derive(Debug)]
pub(crate) struct MoveNumbers {
    starts: Side,
    /// By the indices of nodes; 0 for those that are no moves.
    numbers: Vec<u32>,
}

impl MoveNumbers {
    /// Returns the numbers of the moves of a game.
    pub(crate) fn of(game: &ReplayedGame) -> Self {
        let (tree, starts) = (game.tree(), game.variant().map_or(Side::White, Variant::starts));
        let side = |id: NodeId| game.ply(id).map_or(starts, Ply::side);
        let mut numbers = vec![0_u32; tree.nodes().len()];
        // A line comes before its variations.
        for line in tree.line_ids().map(|line| tree.line(line)) {
            let mut count = MoveCount::new(starts);
            if let Some(replaced) = line.parent() {
                count.last = numbers[replaced.index()].saturating_sub(u32::from(side(replaced) == starts));
            }
            let mut early = None;
            for &id in line.nodes() {
                early = tree.node(id).number().or(early);
                if tree.node(id).kind().is_written_move() {
                    let written = early.take().map(WrittenNumber::value);
                    numbers[id.index()] = count.next(side(id).letter(), written);
                }
            }
        }
        Self { starts, numbers }
    }

    /// Returns the number of a move by a side, with its usual dots.
    pub(crate) fn number(&self, id: NodeId, side: Side) -> WrittenNumber {
        WrittenNumber::new(self.numbers[id.index()], 1).usual(side == self.starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::games;
    use crate::replay::{ReplayOptions, replay};

    #[test]
    fn numbers_are_those_of_the_record() {
        let numbers = |text: &str| {
            let game = replay(games(text.as_bytes()).next().expect("a game").into_tree(), &ReplayOptions::default());
            let numbers = MoveNumbers::of(&game);
            let number = |id: NodeId| {
                let number = numbers.number(id, game.ply(id).expect("a ply").side());
                format!("{}{}", number.value(), ".".repeat(number.dots().into()))
            };
            let lines = game.tree().written_lines();
            let nodes = lines.into_iter().flat_map(|line| game.tree().line(line).nodes().to_vec());
            nodes.map(number).collect::<Vec<_>>().join(" ")
        };
        let start = "[GameType \"20\"]\n";
        let set_up = "[GameType \"20\"]\n[FEN \"W:W28,32,37,38,42,43,48:B8,9,13,18,19,23,24\"]\n";
        assert_eq!(numbers(&format!("{start}32-28 19-23 28x19 14x23 *")), "1. 1... 2. 2...");
        assert_eq!(numbers(&format!("{set_up}34. 28-22 18x27 35. 32x21 *")), "34. 34... 35.");
        assert_eq!(numbers(&format!("{set_up}34. 28-22 (37-31 24-29) 18x27 *")), "34. 34... 34. 34...");
        assert_eq!(numbers(&format!("{set_up}34. 28-22 18x27 (19x28 32x21) *")), "34. 34... 34... 35.");
    }
}
