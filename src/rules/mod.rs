//! The rules of play: variants as data, positions, legal moves, draws, leaf counts.
//!
//! [`Position`] and [`Move`] work for every [`Variant`] and decide at run time which rules apply. Inner loops (leaf counts,
//! the engine) use [`State`] with a [`Rules`] type instead, so that the compiler folds every branch on the rules;
//! [`Variant::dispatch`] leads from the first world to the second.

mod capture;
mod direction;
mod draw_data;
mod draws;
mod faults;
mod generate;
mod house;
mod keys;
mod line;
mod lookup;
mod perft;
mod position;
mod rank;
mod setup;
mod spec;
mod state;
mod tracker;
mod variants;

pub use draws::{Agreement, Diagonal, DrawCounters, DrawLimit, DrawRules, Ending, LastPieces, Repetition, Standing};
pub use faults::{SpecFault, SpecFaults};
pub use generate::{MoveList, can_capture, captures, count_moves, count_quiet, legal_moves};
pub use house::HouseError;
pub use keys::{key_after, position_key};
pub use line::{moves_at, places_of};
#[cfg(feature = "parallel")]
pub use perft::perft_parallel;
pub use perft::{Counting, PerftOverflow, perft};
pub use position::{IllegalMove, Move, Position};
pub use setup::{Setup, SetupFault, SetupFaults};
pub use spec::{
    Goal, KingLanding, KingRange, ManCaptures, ManMoves, Precedence, Promotion, Removal, RuleSpec, Rules, StartRows,
    Task,
};
pub use state::{KingRun, State, Step};
pub use tracker::{DrawEvent, DrawTracker};
pub use variants::Variant;
