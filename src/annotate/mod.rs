//! Games annotated with evaluations: data keyed by node, the tree itself stays as it is.

mod analyst;
mod game;
mod judge;

pub use analyst::{Analyst, BuiltIn, Pool};
pub use game::{Annotation, Ply, annotate};
pub use judge::{Judge, Judgement};
