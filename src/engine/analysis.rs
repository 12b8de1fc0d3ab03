//! The result of a search.

use super::score::Score;
use crate::rules::Move;

/// A line of play with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredLine {
    pub(super) score: Score,
    pub(super) moves: Vec<Move>,
}

impl ScoredLine {
    /// Returns a line with its score for the side to move at its start.
    pub(crate) const fn new(score: Score, moves: Vec<Move>) -> Self {
        Self { score, moves }
    }

    /// Returns the score for the side to move at the start of the line.
    pub const fn score(&self) -> Score {
        self.score
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

/// The result of searching a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    pub(super) best: ScoredLine,
    /// The next best lines, the best first.
    pub(super) others: Vec<ScoredLine>,
    pub(super) depth: u32,
    pub(super) nodes: u64,
}

impl Analysis {
    /// Returns an analysis with one line: its score for the side to move, the principal variation, the depth in plies and
    /// the number of nodes.
    pub(crate) const fn new(score: Score, pv: Vec<Move>, depth: u32, nodes: u64) -> Self {
        Self { best: ScoredLine { score, moves: pv }, others: Vec::new(), depth, nodes }
    }

    /// Adds the next best lines, the best first.
    #[must_use]
    pub(crate) fn with_others(self, others: Vec<ScoredLine>) -> Self {
        Self { others, ..self }
    }

    /// Returns the analysis with the scores to report.
    pub(super) fn reported(mut self) -> Self {
        for line in std::iter::once(&mut self.best).chain(&mut self.others) {
            line.score = line.score.reported();
        }
        self
    }

    /// Returns the score for the side to move.
    pub const fn score(&self) -> Score {
        self.best.score
    }

    /// Returns the principal variation: the best move and the expected continuation. It is empty if there is no legal
    /// move.
    pub fn pv(&self) -> &[Move] {
        &self.best.moves
    }

    /// Returns the best move, or `None` if there is no legal move.
    pub fn best_move(&self) -> Option<Move> {
        self.pv().first().copied()
    }

    /// Returns all lines, the best first. Each starts with a different move; see
    /// [`Engine::set_multipv`](super::Engine::set_multipv).
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &ScoredLine> {
        std::iter::once(&self.best).chain(&self.others)
    }

    /// Returns the depth of the last completed iteration, in plies.
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of nodes visited.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }
}
