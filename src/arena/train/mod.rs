//! Learning an evaluation: games of the engine against itself, and the weights that explain their results.

mod fit;
mod model;
mod positions;
mod self_play;

pub use fit::{Fit, FitOptions, Loss};
pub use self_play::{SelfPlay, SelfPlayFile, SelfPlayGame, SelfPlayOptions, self_play_evaluations};
