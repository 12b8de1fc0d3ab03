//! The static evaluation of quiet positions: learned if there are weights for the variant, otherwise hand-made.

mod hand_made;
mod layout;
mod learned;
mod patterns;
mod weights;

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use crate::board::Geometry;
use crate::error::Error;
use crate::rules::{RuleSpec, State, Step, Variant};

use hand_made::HandMade;
use learned::Learned;

pub(crate) use layout::{EIGHT, EIGHTS, Features, Layout, TWELVE};
pub(crate) use weights::{PHASES, STEPS};
pub use weights::{Weights, WeightsError};

/// The incremental part of the evaluation: material and piece squares, in centi-men from White's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum(i32);

/// A static evaluation of positions on one board.
pub(super) trait Evaluate<G: Geometry>: Send + Sync {
    /// Computes the incremental part of a position from scratch.
    fn sum(&self, state: &State<G>) -> Sum;
    /// Updates the incremental part for a move.
    fn after(&self, sum: Sum, before: &State<G>, step: &Step<G>) -> Sum;
    /// Returns the score of a quiet position for the side to move, in centi-men.
    fn score(&self, state: &State<G>, sum: Sum) -> i32;
}

/// The source of an engine's evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Knowledge {
    /// The built-in weights, or the hand-made evaluation for house rules without any.
    #[default]
    BuiltIn,
    /// The hand-made evaluation.
    HandMade,
    /// These weights, for the variant they were fitted for; other variants as [`BuiltIn`](Self::BuiltIn).
    Weights(Arc<Weights>),
}

impl FromStr for Knowledge {
    type Err = Error;

    /// Reads `hand-made`, or the file of weights with this name.
    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "hand-made" {
            return Ok(Self::HandMade);
        }
        Ok(Self::Weights(Arc::new(Weights::open(Path::new(text))?)))
    }
}

impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built-in evaluation"),
            Self::HandMade => f.write_str("hand-made evaluation"),
            Self::Weights(weights) => write!(f, "weights {:016x}", weights.checksum),
        }
    }
}

impl Knowledge {
    /// Returns the weights for a variant; `None` for the hand-made evaluation.
    fn weights(&self, spec: &RuleSpec<'_>) -> Option<Arc<Weights>> {
        match self {
            Self::HandMade => None,
            Self::Weights(weights) if weights.is_for(spec) => Some(Arc::clone(weights)),
            Self::Weights(_) | Self::BuiltIn => Weights::built_in(spec),
        }
    }

    /// Checks that weights from a file fit a variant, where the engine plays no other.
    ///
    /// # Errors
    ///
    /// If they do not.
    pub(crate) fn check(&self, variant: Variant) -> Result<(), Error> {
        if let Self::Weights(weights) = self { weights.check(variant) } else { Ok(()) }
    }

    /// Returns a text that identifies the evaluation of a variant: the checksum of its weights, or `hand-made`.
    pub(crate) fn identity(&self, variant: Variant) -> String {
        let weights = self.weights(variant.spec());
        weights.map_or_else(|| "hand-made".to_owned(), |weights| format!("{:016x}", weights.checksum))
    }
}

/// Returns the evaluation of a variant.
pub(super) fn evaluation<G: Geometry>(spec: &RuleSpec<'_>, knowledge: &Knowledge) -> Box<dyn Evaluate<G>> {
    match knowledge.weights(spec).and_then(|weights| Learned::new(spec, &weights)) {
        Some(learned) => Box::new(learned),
        None => Box::new(HandMade::<G>::new(spec)),
    }
}
