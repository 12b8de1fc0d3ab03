//! Learning an evaluation: games of the engine against itself, and the weights that explain their results.

mod fit;
mod model;
mod positions;
mod self_play;

pub use fit::Loss;
pub(crate) use fit::{Fit, FitOptions};
pub use self_play::{SelfPlay, SelfPlayGame, SelfPlayOptions};
pub(crate) use self_play::{SelfPlayFile, self_play_evaluations};
