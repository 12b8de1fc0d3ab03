//! Evaluations, judgements and best lines for whole games, as data keyed by node; the game tree is not changed.
//!
//! [`AnalystPool`] annotates many games on several threads; [`annotate`] annotates one game with any [`Analyst`].

mod analyst;
mod checkpoint;
mod evaluation;
mod game;
mod pool;
mod scale;

pub use analyst::{Analyst, EngineAnalyst, HubAnalyst};
pub use checkpoint::AnnotationCheckpoint;
pub use game::annotate;
pub use pool::AnalystPool;
pub use scale::JudgementScale;
