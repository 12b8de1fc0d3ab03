//! The rules of play: variants as data, positions, legal moves, draws, leaf counts.
//!
//! [`Position`] and [`Move`] work for every [`Variant`] and decide at run time which rules apply. The inner loops of this
//! crate (leaf counts, the engine) use `State` with a `Rules` type instead, so that the compiler folds every branch on the
//! rules; `Variant::dispatch` leads from the first to the second.

mod capture;
mod conventions;
mod direction;
mod draw_data;
mod draws;
mod generate;
mod generator;
mod house;
mod issues;
mod keys;
mod line;
mod lookup;
#[cfg(feature = "cli")]
mod packed;
mod perft;
mod position;
mod rank;
mod setup;
mod spec;
mod state;
mod tracker;
mod variants;

pub use conventions::{Conventions, ResultStyle};
#[cfg(feature = "engine")]
pub(crate) use draws::DrawCounters;
pub use draws::{Agreement, Diagonal, DrawLimit, DrawRules, Ending, LastPieces, Repetition, Standing, is_verified};
pub(crate) use generate::{MoveList, legal_moves};
pub(crate) use generator::{Adapter, Generator, Mobility};
pub use house::HouseError;
pub use issues::{Issues, SpecIssue, SpecIssues};
pub(crate) use keys::fnv_1a;
#[cfg(feature = "engine")]
pub(crate) use keys::{key_after, position_key};
pub use line::{line_indices, line_moves};
#[cfg(feature = "cli")]
pub(crate) use packed::{pack, unpack};
#[cfg(feature = "parallel")]
pub use perft::perft_parallel;
pub use perft::{Counting, PerftOverflow, perft};
pub use position::{IllegalMove, Move, Position};
pub use setup::{Setup, SetupIssue, SetupIssues};
pub use spec::{
    Goal, KingLanding, KingRange, ManCaptures, ManMoves, Precedence, Promotion, Removal, RuleSpec, StartRows,
};
pub(crate) use spec::{Rules, Task};
pub(crate) use state::{State, Step};
pub use tracker::{DrawEvent, DrawTracker};
pub use variants::Variant;
