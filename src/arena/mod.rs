//! Matches between engines: openings, games, scores, and the fixed positions by which the search is measured.

mod checkpoint;
mod game;
mod openings;
mod player;
mod positions;
mod record;
mod run;
mod tally;

pub use checkpoint::Checkpoint;
pub use game::{End, Played};
pub use openings::{Opening, is_fair, random_openings, two_ply_openings};
pub use player::{PlayerFault, PlayerSpec};
pub use positions::{BENCH_DEPTH, bench_positions, bench_search};
pub use record::{Record, write_record};
pub use run::{Match, Next};
pub use tally::{Decision, Elo, Sprt, Tally};
