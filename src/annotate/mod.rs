//! Evaluations, judgements and best lines for whole games, as data keyed by node; the game tree is not changed.
//!
//! A [`GameAnnotator`] annotates games with the engines of an [`EnginePool`]: a review in, its annotations out. A [`BatchRun`] does
//! so on several threads, in order. No thread is started, and no file, clock or process used, unless requested.

mod annotator;
mod clean;
mod engines;
mod former;
mod game;
mod journal;
mod lines;
mod material;
mod moments;
mod options;
mod problem;
mod progress;
mod prover;
mod puzzle;
mod run;
mod scale;
mod searches;
mod shard;
mod shots;
mod study;
#[cfg(feature = "cli")]
mod tries;
mod verification;
mod words;

pub use annotator::GameAnnotator;
pub use engines::EnginePool;
pub use former::FormerAnnotations;
pub(crate) use journal::{GameJournal, JournalCount};
pub(crate) use moments::{KeyMoment, KeyMoments};
pub use options::AnnotateOptions;
pub(crate) use problem::Verdict;
pub use progress::BatchProgress;
pub use puzzle::FindingOptions;
pub(crate) use puzzle::{DistinctPuzzles, FoundPuzzles, GamePuzzle, LessonPlan, PuzzleOrder, PuzzleSearch};
pub use run::BatchRun;
pub use scale::{JudgementScale, evaluation};
pub(crate) use searches::SavedSearch;
pub(crate) use shard::Shard;
#[cfg(feature = "cli")]
pub(crate) use tries::Tries;
pub(crate) use verification::{ProblemVerifier, VerifiedRecord};
pub use words::words;
pub(crate) use words::{add_sentences, describe_solution};

/// Size of a chunk of games to annotate, in bytes: small, since they wait in memory for hours rather than milliseconds.
pub(crate) const CHUNK_SIZE: usize = 32 * 1024;
