//! What an analysis says about a move, as data.

use serde::{Deserialize, Serialize};

use crate::pdn::{Evaluation, NodeId};
use crate::rules::Move;

/// The annotation of one move of a main line.
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
    /// Evaluation of the best line.
    pub best_evaluation: Evaluation,
}

impl Annotation {
    /// Returns the annotation of a move that is not judged: its best line is empty, the evaluation of it the same.
    pub const fn new(node: NodeId, evaluation: Evaluation) -> Self {
        Self { node, evaluation, judgement: None, best_line: Vec::new(), best_evaluation: evaluation }
    }
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// `?!`, NAG 6.
    Dubious,
    /// `?`, NAG 2.
    Mistake,
    /// `??`, NAG 4.
    Blunder,
}

impl Judgement {
    /// Returns the number of its NAG (Numeric Annotation Glyph).
    pub const fn nag(self) -> u16 {
        match self {
            Self::Dubious => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}
