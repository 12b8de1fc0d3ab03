//! Matches between engines: openings, games and scores; learning an evaluation; and the positions used to measure the speed of
//! the search.

mod bench;
mod dxp;
mod match_checkpoint;
mod match_game;
mod match_options;
mod match_play;
mod openings;
#[cfg(feature = "parallel")]
mod problems;
mod record;
mod score;
mod tournament;
mod train;

pub use bench::{BENCH_DEPTH, bench_search};
pub use dxp::{DxpGame, DxpNotice, DxpProposal, DxpSession, DxpSettings};
pub(crate) use match_checkpoint::MatchCheckpoint;
pub use match_game::{GameEnd, GameLine, MatchGame};
pub use match_options::MatchOptions;
pub use match_play::{Match, MatchError};
pub use openings::{Opening, even_openings, two_ply_openings};
pub(crate) use openings::{random_openings, read_openings};
#[cfg(feature = "parallel")]
pub(crate) use problems::ProblemSolver;
pub use score::{Elo, MatchScore, Sprt, SprtDecision};
pub use tournament::{Pairing, Standings};
pub(crate) use train::{Fit, FitOptions, SelfPlayFile, self_play_evaluations};
pub use train::{Loss, SelfPlay, SelfPlayGame, SelfPlayOptions};
