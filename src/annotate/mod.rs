//! Games annotated with evaluations: data keyed by node, the tree itself stays as it is.

mod analyst;
mod checkpoint;
mod evaluation;
mod game;
mod judge;
mod linked;

pub use analyst::{Analyst, BuiltIn, Pool};
pub use checkpoint::Checkpoint;
pub use game::annotate;
pub use judge::Judge;
pub use linked::{Linked, LinkedPool, LinkedSetup};
