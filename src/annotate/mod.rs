//! Evaluations, judgements and best lines for whole games, as data keyed by node; the game tree is not changed.
//!
//! [`annotate()`] annotates one game with any [`Analyst`], an [`AnalystPool`] has analysts for several threads, and a
//! [`Batch`] annotates a collection: reviews in, annotated games out, in order by a [`BatchRun`]. No thread is started,
//! and no file, clock or process used, unless requested.

mod analyst;
mod batch;
#[cfg(feature = "cli")]
mod cache;
#[cfg(feature = "cli")]
mod caching;
mod checkpoint;
mod former;
mod game;
mod lines;
mod material;
mod moments;
mod options;
mod pool;
mod problem;
mod progress;
mod prover;
mod puzzle;
mod run;
mod scale;
mod shots;
mod study;
mod words;

#[cfg(feature = "link")]
pub use analyst::HubAnalyst;
pub use analyst::{Analyst, AnalystQuestion, EngineAnalyst};
pub use batch::{AnnotatedGame, Batch, BatchOptions, Shard};
#[cfg(feature = "cli")]
pub use cache::{AnalysisCache, CacheCount, CachedAnswer};
pub use checkpoint::AnnotationCheckpoint;
pub use former::{FormerAnnotations, FormerEvaluations};
pub use game::annotate;
pub use moments::{WorstMoment, WorstMoments};
pub use options::AnnotateOptions;
pub use pool::AnalystPool;
pub use problem::{Aim, SolverMove, Verdict, examine, goal, verdict};
pub use progress::{AnnotateStep, BatchProgress};
pub use prover::{Proof, Prover};
pub use puzzle::{
    Difficulty, DistinctPuzzles, FoundPuzzles, GamePuzzle, Puzzle, PuzzleFinder, PuzzleRow, PuzzleSearch, Uniqueness,
};
pub use run::BatchRun;
pub use scale::{JudgementScale, evaluation};
pub use words::{describe_shots, translate, words};
