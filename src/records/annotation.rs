//! What an analysis says about a move, as data.

use serde::{Deserialize, Serialize};

use super::assessment::Expectation;
use crate::pdn::{Evaluation, NodeId};
use crate::rules::Move;

/// A line of play with the evaluation of the position at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedLine {
    moves: Vec<Move>,
    evaluation: Evaluation,
}

impl EvaluatedLine {
    /// Returns a line of play with the evaluation of the position at its start.
    pub const fn new(moves: Vec<Move>, evaluation: Evaluation) -> Self {
        Self { moves, evaluation }
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the evaluation, from White's point of view.
    pub const fn evaluation(&self) -> Evaluation {
        self.evaluation
    }
}

/// The annotation of one move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Annotation {
    /// The node of the move.
    pub node: NodeId,
    /// Evaluation of the position after the move.
    pub evaluation: Evaluation,
    /// How bad the move is, if it lost enough to be judged.
    pub judgement: Option<Judgement>,
    /// Where the move is judged: the best line from the position before the move.
    pub best_line: Vec<Move>,
    /// Evaluation of the position before the move, and thus of the best line.
    pub best_evaluation: Evaluation,
    /// The expectation of the side that moves, before and after the move.
    pub expectation: Expectation,
    /// True if there was no other legal move.
    pub forced: bool,
    /// The best lines from the position before the move, the best first, where several were asked for.
    pub(crate) lines: Vec<EvaluatedLine>,
}

impl Annotation {
    /// Returns the annotation of a move that is not judged: its best line is empty, the evaluation of it the same.
    pub const fn new(node: NodeId, evaluation: Evaluation) -> Self {
        Self {
            node,
            evaluation,
            judgement: None,
            best_line: Vec::new(),
            best_evaluation: evaluation,
            expectation: Expectation::new(500, 500),
            forced: false,
            lines: Vec::new(),
        }
    }

    /// Sets the best lines from the position before the move, the best first.
    #[must_use]
    pub fn with_lines(self, lines: Vec<EvaluatedLine>) -> Self {
        Self { lines, ..self }
    }

    /// Returns the best lines from the position before the move, the best first; none unless several were asked for.
    pub fn lines(&self) -> &[EvaluatedLine] {
        &self.lines
    }

    /// Returns the lines to show beside the move that was played, the best first: the best line if the move is judged, or
    /// those of the lines that were asked for which begin with another move.
    pub fn alternatives(&self, played: Option<Move>) -> Vec<EvaluatedLine> {
        if self.lines.is_empty() {
            let best = EvaluatedLine::new(self.best_line.clone(), self.best_evaluation);
            return Some(best).filter(|best| !best.moves.is_empty()).into_iter().collect();
        }
        self.lines.iter().filter(|line| line.moves.first().copied() != played).cloned().collect()
    }
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// `?!`, NAG 6.
    Inaccuracy,
    /// `?`, NAG 2.
    Mistake,
    /// `??`, NAG 4.
    Blunder,
}

impl Judgement {
    /// Returns the judgement with this NAG (Numeric Annotation Glyph), if there is one.
    pub const fn of_nag(nag: u16) -> Option<Self> {
        match nag {
            6 => Some(Self::Inaccuracy),
            2 => Some(Self::Mistake),
            4 => Some(Self::Blunder),
            _ => None,
        }
    }

    /// Returns the name: `inaccuracy`, `mistake` or `blunder`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// Returns the number of its NAG (Numeric Annotation Glyph).
    pub const fn nag(self) -> u16 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}
