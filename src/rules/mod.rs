//! The rules of play: variants as data, positions, legal moves, draws, leaf counts.
//!
//! [`Position`] and [`Move`] work for every [`Variant`] and decide at run time which rules apply. The inner loops of this
//! crate (leaf counts, the engine) use `State` with a `Rules` type instead, so that the compiler folds every branch on the
//! rules; `Variant::dispatch` leads from the first to the second.

mod capture;
mod direction;
mod draws;
mod encode;
mod generate;
mod house;
mod issues;
mod lookup;
mod moves;
#[cfg(feature = "engine")]
mod offers;
mod perft;
mod position;
mod setup;
mod spec;
mod state;
mod tracker;
mod variants;

#[cfg(feature = "engine")]
pub(crate) use draws::DrawCounters;
pub use draws::Standing;
pub(crate) use draws::{Agreement, Diagonal, DrawLimit, DrawRules, Ending, LastPieces, Repetition};
#[cfg(feature = "annotate")]
pub(crate) use encode::pack;
pub(crate) use encode::{LineKeys, fnv_1a, line_indices, line_moves, split_mix};
#[cfg(feature = "engine")]
pub(crate) use encode::{key_after, position_key};
#[cfg(test)]
pub(crate) use generate::legal_moves;
pub(crate) use generate::{Adapter, Generator, Mobility, MoveList};
pub use issues::Issues;
pub(crate) use issues::SpecIssue;
pub use moves::{IntoMoves, LegalMoves};
#[cfg(feature = "parallel")]
pub use perft::perft_parallel;
pub use perft::{Counting, MAX_PERFT_DEPTH, perft};
pub(crate) use position::WrittenWay;
#[cfg(feature = "query")]
pub(crate) use position::turned;
pub use position::{Move, Position};
pub use setup::{Setup, SetupIssue, SetupIssues};
pub use spec::ResultStyle;
#[cfg(test)]
pub(crate) use spec::WordOf;
pub(crate) use spec::{
    Conventions, Goal, KingLanding, KingRange, ManCaptures, ManMoves, Precedence, Promotion, Removal, RuleSpec,
    StartRows,
};
pub(crate) use spec::{Rules, Task, with_rules};
pub(crate) use state::{State, Step};
pub use tracker::{DrawEvent, DrawTracker};
pub use variants::Variant;
