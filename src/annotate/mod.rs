//! Evaluations, judgements and best lines for whole games, as data keyed by node; the game tree is not changed.
//!
//! [`AnalystPool`] annotates many games on several threads; [`annotate`] annotates one game with any [`Analyst`].

mod analyst;
#[cfg(feature = "cli")]
mod cache;
mod candidates;
mod checkpoint;
mod evaluation;
mod game;
mod line;
mod lines;
mod options;
mod pool;
mod problem;
mod prover;
mod puzzle;
mod scale;
mod study;

pub use analyst::{Analyst, AnalystQuestion, EngineAnalyst, HubAnalyst};
#[cfg(feature = "cli")]
pub use cache::{AnalysisCache, CacheCount, CachedAnswer};
pub use checkpoint::AnnotationCheckpoint;
pub use evaluation::evaluation;
pub use game::annotate;
pub use options::AnnotateOptions;
pub use pool::AnalystPool;
pub use problem::{Aim, SolverMove, Verdict, examine, goal, verdict};
pub use prover::{Proof, Prover};
pub use puzzle::{Puzzle, PuzzleFinder, Uniqueness};
pub use scale::JudgementScale;
