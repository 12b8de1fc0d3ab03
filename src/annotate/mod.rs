//! Games annotated with evaluations: data keyed by node, the tree itself stays as it is.

mod analyst;
mod checkpoint;
mod game;
mod judge;

pub use analyst::{Analyst, BuiltIn, Pool};
pub use checkpoint::Checkpoint;
pub use game::{Annotation, annotate};
pub use judge::{Judge, Judgement};
