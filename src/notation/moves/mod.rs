//! Moves as text: what a written move means in a position, and how a move is written.

mod explain;
mod read;
mod write;

pub use explain::Explanation;
pub use read::{Deviation, Readings, ResolveError, Resolved, readings, resolve};
pub use write::{full, full_in, short, short_in, short_move_text};
