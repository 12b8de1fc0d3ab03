//! Moves as text: what a written move means in a position, and how a move is written.

mod explain;
mod read;
mod write;

pub use explain::{Explanation, IllegalReason};
pub use read::{Deviation, Readings, ResolveError, Resolved, readings, resolve};
